# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The model of plan times on an H200 (passes/Planning/PlanTimes.h) from what
rank_plans.py measured.

usage: fit_times.py MEASURED.json...  writes passes/Planning/Data/h200_times.txt
       fit_times.py                   makes PlanTimes.inc of that file again

A line of h200_times.txt is one graph: its kind, the extents b m n k that the model
sees, matrix operations and bytes; then each plan as ENGINE[KNOBS]=MICROSECONDS.

log2 of time over roofline is linear in the features below. The weights of a
kind's graphs are fitted first, what is left by engine, both by ridge regression;
then each setting that was seen often enough gets what is left on average, a
little less where it was seen seldom."""

import json
import math
import pathlib
import sys

import numpy as np

ROOT = pathlib.Path(__file__).resolve().parents[2]
DATA = ROOT / "passes/Planning/Data/h200_times.txt"
MODEL = ROOT / "passes/Planning/Data/PlanTimes.inc"

#: Roofline of all kinds: nanoseconds of a call, matrix operations and bytes a
#: nanosecond. PlanTimes.cpp has the same.
CALL_NS, FLOPS, BYTES = 3000, 6e5, 4100
UNITS = 132
TILE = 128
#: What an engine adds that was not seen.
UNKNOWN = 0.5
#: Strengths of the ridges of a kind, an engine and a setting; how often a
#: setting must have been seen.
RIDGE = 0.3, 1.0, 3.0
SEEN = 4


# --- what was measured --------------------------------------------------------

def problem(spec):
    """(kind, b, m, n, k, matrix operations) of a graph of ranked_graphs.py."""
    family = spec["family"]
    if family == "matmul":
        b, m, n, k = (spec[key] for key in "bmnk")
        return "matmul", b, m, n, k, 2 * b * m * n * k
    if family == "sdpa":
        b, m, n, k = spec["b"] * spec["h"], spec["s"], spec["keys"], spec["d"]
        return ("sdpa", b, m, n, k,
                4 * b * m * n * k // (2 if spec["causal"] else 1))
    if family == "conv":
        kind = "conv_" + spec["kind"].split("_")[0]
        images, filters = spec["n"], spec["k"]
        outputs, inputs = images * spec["out"] ** 2, images * spec["size"] ** 2
        window = spec["r"] ** 2
        m, n, k = {
            "conv_fprop": (outputs, filters, spec["c"] * window),
            "conv_dgrad": (inputs, spec["c"], filters * window),
            "conv_wgrad": (filters, spec["c"] * window, outputs)}[kind]
        return (kind, 1, m, n, k,
                2 * outputs * filters * spec["c"] * window)
    shape = spec["shape"]
    n = shape[1]
    return spec["kind"], 1, math.prod(shape) // n, n, 1, 0


def setting(plan):
    """"4[KERNEL_CFG=2]" of "cudnn:4:v91900[KERNEL_CFG=2]@sm_90:NVIDIA_H200"."""
    name = plan.split("@")[0]
    knobs = name[name.index("["):] if "[" in name else ""
    return name.split("[")[0].split(":")[1] + knobs


def write_data(files):
    lines = []
    for file in files:
        for one in json.loads(pathlib.Path(file).read_text()):
            rows = [row for row in one.get("plans", ()) if "measured" in row]
            if not rows:
                continue
            numbers = problem(one)
            lines.append(" ".join(
                [*map(str, numbers), str(one["bytes"])] +
                [f"{setting(row['plan'])}={row['measured']:.2f}"
                 for row in rows]))
    DATA.write_text("# Times on an H200; test/gpu/fit_times.py says what a line "
                    "is.\n" + "\n".join(sorted(lines)) + "\n")


def read_data():
    """kind -> [(features, engine, setting, log2 of time over roofline)]."""
    found = {}
    for line in DATA.read_text().splitlines():
        if line.startswith("#"):
            continue
        kind, *rest = line.split()
        numbers = [int(word) for word in rest[:6]]
        x, roof = features(*numbers)
        for word in rest[6:]:
            name, us = word.rsplit("=", 1)
            found.setdefault(kind, []).append(
                (x, int(name.split("[")[0]), name,
                 math.log2(float(us) * 1e3 / roof)))
    return found


# --- the model ----------------------------------------------------------------

def features(b, m, n, k, flops, moved):
    """(features, roofline in nanoseconds)."""
    roof = CALL_NS + max(flops / FLOPS, moved / BYTES)
    tiles = b * -(-m // TILE) * -(-n // TILE)
    small = b * -(-m // (TILE // 2)) * -(-n // (TILE // 2))
    waves = math.log2(tiles / UNITS)
    return [1, math.log2(roof), math.log2(k), max(waves, 0), max(-waves, 0),
            max(-math.log2(small / UNITS), 0), math.log2(m), math.log2(n)], roof


def ridge(x, y, strength):
    return np.linalg.solve(x.T @ x + strength * np.eye(x.shape[1]), x.T @ y)


def raw(weights, middle, scale):
    """Weights of normalised features as weights of features."""
    own = weights / scale
    own[0] -= (own[1:] * middle[1:]).sum()
    return own


def fit(rows):
    """(least, most, weights, {engine: weights}, {setting: addend})."""
    x = np.array([row[0] for row in rows], float)
    rest = np.array([row[3] for row in rows])
    middle, scale = x.mean(0), x.std(0)
    scale[scale < 1e-6] = 1
    middle[0], scale[0] = 0, 1
    z = (x - middle) / scale
    margin = scale / 2
    margin[0] = 0
    own = ridge(z, rest, RIDGE[0])
    rest -= z @ own
    engines, settings = {}, {}
    for engine in sorted({row[1] for row in rows}):
        chosen = [i for i, row in enumerate(rows) if row[1] == engine]
        found = ridge(z[chosen], rest[chosen], RIDGE[1])
        rest[chosen] -= z[chosen] @ found
        engines[engine] = raw(found, middle, scale)
    for name in sorted({row[2] for row in rows}):
        chosen = [i for i, row in enumerate(rows) if row[2] == name]
        if len(chosen) >= SEEN:
            settings[name] = rest[chosen].sum() / (len(chosen) + RIDGE[2])
    return (x.min(0) - margin, x.max(0) + margin, raw(own, middle, scale),
            engines, settings)


def predict(model, x, roof, name):
    """Nanoseconds of the setting `name` ("4[KERNEL_CFG=2]")."""
    least, most, own, engines, settings = model
    x = np.clip(np.array(x, float), least, most)
    total = x @ own
    engine = engines.get(int(name.split("[")[0]))
    total += UNKNOWN if engine is None else x @ engine
    return roof * 2 ** (total + settings.get(name, 0))


def print_model(models):
    """The text of PlanTimes.inc."""
    def show(numbers):
        return "{" + ", ".join(f"{v:.4g}F" if "." in f"{v:.4g}" or "e" in
                               f"{v:.4g}" else f"{v:.4g}.F"
                               for v in numbers) + "}"

    text = ["// Made by test/gpu/fit_times.py of h200_times.txt; do not edit.",
            "// KIND(name, least, most, weights), ENGINE(kind, engine, "
            "weights),", "// SETTING(kind, setting, addend)", ""]
    for number, (kind, model) in enumerate(sorted(models.items())):
        least, most, own, engines, settings = model
        text.append(f'KIND("{kind}", ({show(least)}), ({show(most)}), '
                    f'({show(own)}))')
        text += [f'ENGINE({number}, {engine}, ({show(weights)}))'
                 for engine, weights in engines.items()]
        text += [f'SETTING({number}, "{name}", {addend:.4f}F)'
                 for name, addend in settings.items()]
    return "\n".join(text) + "\n"


def main():
    if sys.argv[1:]:
        write_data(sys.argv[1:])
    models = {kind: fit(rows) for kind, rows in read_data().items()}
    MODEL.write_text(print_model(models))
    rows = [row for rows in read_data().values() for row in rows]
    print(f"{len(models)} kinds, {len(rows)} times, "
          f"{sum(len(m[3]) for m in models.values())} engines, "
          f"{sum(len(m[4]) for m in models.values())} settings")


if __name__ == "__main__":
    main()
