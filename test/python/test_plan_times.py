# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The compiler's model of plan times is the one that test/gpu/fit_times.py fits to
what is recorded, and the lists that it orders are lazy."""

import json
import os
import re
import subprocess
import sys

import pytest

#: One graph of each measured family and the generated engine's kinds.
COUNT = 12
LIST = """
import json, sys
import opgraph, ranked_graphs
specs = ranked_graphs.draw(0)
specs = ranked_graphs.EXAMPLES + specs[::max(1, len(specs) // {count})]
found = []
for spec in specs:
    graph = ranked_graphs.build(spec, device=sys.argv[1])
    try:
        graph.create_execution_plans([opgraph.heur_mode.A])
    except opgraph.cudnnGraphNotSupportedError:
        continue
    found.append([spec, [[p.name, p.predicted_time_ns] for p in graph.plans]])
print(json.dumps(found))
"""


@pytest.fixture(scope="module")
def fit(root):
    sys.path.insert(0, str(root / "test/gpu"))
    import fit_times
    return fit_times


def run(root, build_dir, text, *arguments, **more):
    path = [str(build_dir / "test/stub_driver"),
            os.environ.get("LD_LIBRARY_PATH", "")]
    environment = {
        **os.environ, "LD_LIBRARY_PATH": ":".join(filter(None, path)),
        "PYTHONPATH": os.pathsep.join([str(build_dir / "python"),
                                       str(root / "test/gpu")]), **more}
    if environment.get("OPGRAPH_CUDNN") == "none" and not more:
        del environment["OPGRAPH_CUDNN"]
    return json.loads(subprocess.run(
        [sys.executable, "-c", text, *map(str, arguments)], check=True,
        env=environment, capture_output=True, text=True).stdout)


def count_bytes(spec):
    """Of a graph's arguments and results, two or four an element."""
    family = spec["family"]
    if family == "matmul":
        b, m, n, k = (spec[key] for key in "bmnk")
        extra = {"bias": n * 2, "add": b * m * n * 2, "scale": 4}
        return 2 * b * (m * k + k * n + m * n) + sum(
            extra.get(step, 0) for step in spec["epilogue"].split("_"))
    if family == "conv":
        images = spec["n"]
        return 2 * (images * spec["size"] ** 2 * spec["c"] +
                    images * spec["out"] ** 2 * spec["k"] +
                    spec["k"] * spec["c"] * spec["r"] ** 2 +
                    (spec["k"] if spec["kind"] == "fprop_bias" else 0))
    if family == "sdpa":
        b, h, kv, s, keys, d = (spec[key] for key in
                                ("b", "h", "kv", "s", "keys", "d"))
        return 2 * b * d * (2 * h * s + 2 * kv * keys) + (
            4 * b * h * s if spec["stats"] else 0)
    rows, columns = spec["shape"][0], spec["shape"][1]
    if spec["kind"] == "batchnorm":
        n, c, h, w = spec["shape"]
        return 4 * n * c * h * w + 16 * c
    kind = spec["kind"]
    if kind.endswith("backward"):
        statistics = 2 if kind.startswith("layer") else 1
        return 6 * rows * columns + 4 * statistics * rows + columns * (
            2 + 4 * statistics)
    statistics = 0 if not kind.endswith("train") else (
        2 if kind.startswith("layer") else 1)
    return 4 * rows * columns + 4 * statistics * rows + 2 * columns * (
        2 if kind.startswith("layer") else 1)


def test_the_model_is_made_of_what_was_measured(fit):
    """PlanTimes.inc is that of h200_times.txt."""
    models = {kind: fit.fit(rows) for kind, rows in fit.read_data().items()}
    number = re.compile(r"-?\d+\.?\d*(?:e[-+]\d+)?F")
    made, again = fit.MODEL.read_text(), fit.print_model(models)
    assert number.sub("", made) == number.sub("", again)
    # Last digits are the machine's.
    assert [float(v[:-1]) for v in number.findall(made)] == pytest.approx(
        [float(v[:-1]) for v in number.findall(again)], rel=0.01, abs=0.002)


def test_plans_have_the_times_of_the_model(root, build_dir, fit):
    models = {kind: fit.fit(rows) for kind, rows in fit.read_data().items()}
    found = run(root, build_dir, LIST.format(count=COUNT),
                root / "lib/Devices/h200.json")
    generated = library = 0
    for spec, plans in found:
        kind, *numbers = fit.problem(spec)
        for name, ns in plans:
            # The bytes of small operands do not matter to this accuracy.
            x, roof = fit.features(*numbers, count_bytes(spec))
            want = fit.predict(models[kind], x, roof, fit.setting(name))
            if name.startswith("nvptx"):
                generated += 1
                assert ns == pytest.approx(want, rel=0.02), (spec, name)
            elif name.startswith("cudnn"):
                library += 1
                places = (ns / want - 1) / 0.03
                assert -1 < places < 60, (spec, name)
                assert places == pytest.approx(round(places), abs=0.7)
        # Convolutions keep the library's order.
        ranks = [ns * (1.05 if name.startswith("cudnn") else 1)
                 for name, ns in plans]
        assert kind.startswith("conv") or ranks == sorted(ranks), (spec, plans)
    assert generated
