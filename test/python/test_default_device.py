# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What a program that names no device is planned for, through the stub driver
of the unit tests."""

import os
import subprocess

from test_cuda import run, stub  # noqa: F401 (fixtures)

UNNAMED = '''
        import json, os
        T = opgraph.data_type.FLOAT

        def graph_of(op, **more):
            graph = opgraph.pygraph(name="some", io_data_type=T,
                                    compute_data_type=T, **more)
            x, y = graph.tensor([8, 8]), graph.tensor([8, 8])
            out = getattr(graph, op)(x, y)
            out.set_output(True)
            return graph, (x, y, out)

        def verdict(graph, name):
            entry, = [e for e in json.loads(graph.explain(as_json=True))["engines"]
                      if e["name"] == name]
            return entry["declines"]
'''


def test_an_unnamed_device_is_the_first_that_serves(run, tmp_path):
    """CUDA where an engine takes the graph, else the host, with a warning."""
    log = tmp_path / "log"
    run(UNNAMED + '''
        graph, keys = graph_of("add")
        graph.build()
        assert graph._planned_for().ordinal == 0
        assert graph.plans[0].name.partition("@")[2] != "host"

        graph, keys = graph_of("matmul")
        graph.build()
        assert graph._planned_for().name == "host"
        assert all(p.name.endswith("@host") for p in graph.plans)
        a, b = np.eye(8, dtype=np.float32), np.ones((8, 8), np.float32)
        out = np.zeros((8, 8), np.float32)
        space = np.zeros(graph.get_workspace_size(), np.uint8)
        graph.execute(dict(zip(keys, (a, b, out))), space)
        assert (out == 1).all()
        # explain() says what the device's engines said, and the host's.
        declines = verdict(graph, "nvptx.pointwise")
        assert declines[0]["constraint"] == "family", declines
        assert not verdict(graph, "host.reference")
    ''', OPGRAPH_CUDNN="none", OPGRAPH_LOG=f"warning:{log}")
    warning, = log.read_text().splitlines()
    assert "graph 'some' is planned for the host" in warning
    assert "nvptx.pointwise: family: expected" in warning


def test_a_pin_settles_an_unnamed_device(run):
    run(UNNAMED + '''
        graph, keys = graph_of("add")
        graph.create_execution_plan(10000)
        assert graph._planned_for().name == "host"
        # A list has plans of one target only.
        graph.create_execution_plans()
        assert all(p.name.endswith("@host") for p in graph.plans)
        graph, keys = graph_of("add")
        graph.create_execution_plan(30000)
        assert graph._planned_for().ordinal == 0
    ''', OPGRAPH_CUDNN="none")


def test_a_named_device_is_that_device(run):
    run(UNNAMED + '''
        def declines(**more):
            graph, keys = graph_of("matmul", **more)
            refused(opgraph.cudnnGraphNotSupportedError, "sm_90:Stub",
                    graph.build)
        declines(device="cuda")
        declines(device_property=opgraph.create_device_properties(0))
        declines(handle=opgraph.create_handle())
        os.environ["OPGRAPH_DEVICE"] = "cuda"
        declines()
        # Arrays name theirs.
        del os.environ["OPGRAPH_DEVICE"]
        graph = opgraph.pygraph(io_data_type=T, compute_data_type=T)
        a = Producer(np.ones((8, 8), np.float32))
        graph.matmul(a, a).set_output(True)
        refused(opgraph.cudnnGraphNotSupportedError, "sm_90:Stub", graph.build)
        graph = opgraph.pygraph(io_data_type=T, compute_data_type=T)
        a = np.ones((8, 8), np.float32)
        graph.add(a, a).set_output(True)
        graph.build()
        assert graph._planned_for().name == "host"
    ''', OPGRAPH_CUDNN="none")


def test_without_a_device_all_is_for_the_host(run, tmp_path):
    log = tmp_path / "log"
    run(UNNAMED + '''
        graph, keys = graph_of("add")
        graph.build()
        assert graph._planned_for().name == "host"
    ''', library="/nowhere/libcuda.so.1", OPGRAPH_LOG=f"warning:{log}")
    assert not log.exists() or not log.read_text()


def test_the_command_line_takes_the_same_default(build_dir, stub, tmp_path):
    text = {
        "add": "graph.add %x, %x : (!t, !t) -> !t",
        "matmul": "graph.matmul %x, %x : (!t, !t) -> !t"}
    for op, body in text.items():
        (tmp_path / f"{op}.mlir").write_text(f'''!t = tensor<8x8xf32>
graph.graph @some(%x: !t {{graph.uid = 1 : i64}})
    -> (!t {{graph.uid = 2 : i64}}) {{
  %y = {body}
  graph.return %y : !t
}}''')

    def call(command, op, *more):
        known = {**os.environ, "OPGRAPH_LIBCUDA": str(stub),
                 "OPGRAPH_CUDNN": "none", "OPGRAPH_LOG": "warning"}
        known.pop("OPGRAPH_DEVICE", None)
        return subprocess.run(
            [build_dir / "bin/opgraph", command, tmp_path / f"{op}.mlir",
             *more], env=known, capture_output=True, text=True)
    done = call("explain", "add")
    assert done.returncode == 0 and "for sm_90:Stub" in done.stdout
    done = call("run", "matmul", "--verify")
    assert done.returncode == 0, done.stderr
    assert "planned for the host" in done.stderr
    assert call("run", "matmul", "--device", "cuda").returncode != 0
