# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What careless and hostile users do, each with a clear error or the right
result, and no file half-written."""

import os
import stat
import subprocess

import numpy as np
import opgraph
import pytest

from support import graphs

T = opgraph.data_type
EXAMPLE = "docs/examples/linear_gelu.mlir"


@pytest.fixture
def tool(build_dir, root):
    def run(*arguments, **more):
        return subprocess.run([build_dir / "bin" / "opgraph", *arguments],
                              capture_output=True, text=True, cwd=root, **more)
    return run


@pytest.mark.parametrize("engine", graphs.ENGINES)
@pytest.mark.parametrize("rank", [0, 1, 7, 16])
def test_any_rank(engine, rank):
    x = np.full((1,) * rank, -3.0, np.float32)
    graph = graphs.new_graph()
    tx = graph.tensor(dim=[1] * rank, stride=[1] * rank)
    y = graph.transpose(graph.abs(tx), list(range(rank)))
    got, = graphs.run(graph, {tx: x}, [y], engine)
    assert got.shape == x.shape and (got == 3).all()


def test_rank_beyond_the_limit():
    with pytest.raises((ValueError, RuntimeError), match="16.*17"):
        graphs.new_graph().tensor(dim=[1] * 17)


@pytest.mark.parametrize("name", ["x" * 10000, "tab\tand\nnewline", "exp", "é"])
def test_odd_names(name):
    graph = opgraph.pygraph(name=name, io_data_type=T.FLOAT)
    x = graph.tensor(dim=[3], name=name)
    y = graph.neg(x, name=name).set_output(True)
    out = np.empty(3, np.float32)
    graph.execute({x: np.ones(3, np.float32), y: out},
                  np.empty(4096, np.uint8))
    assert (out == -1).all()


@pytest.mark.parametrize("dims", [[2 ** 62], [2 ** 40, 2 ** 40], [-1], [2 ** 59, 8]])
def test_extents_out_of_range(dims):
    graph = graphs.new_graph()
    with pytest.raises((ValueError, RuntimeError)):
        graph.abs(graph.tensor(dim=dims)).set_output(True)
        graph.validate()


def test_negative_and_overlapping_output_strides():
    for strides, word in (([-1], "stride"), ([0], "at least 1, got 0")):
        graph = graphs.new_graph()
        with pytest.raises((ValueError, RuntimeError), match=word):
            graph.abs(graph.tensor(dim=[4])).set_output(True) \
                .set_stride(strides)
            graph.validate()


@pytest.mark.parametrize("engine", graphs.ENGINES)
def test_interleaved_output_without_overlap(engine):
    """Rows 4 apart, columns 3 apart: they interleave and share no element."""
    data = np.arange(32, dtype=np.float32).reshape(2, 16)
    graph = graphs.new_graph()
    x = graphs.declare(graph, data)
    y = graph.neg(x).set_stride([4, 3])
    got, = graphs.run(graph, {x: data}, [y], engine)
    assert (got == -data).all()


def test_execute_without_operands():
    graph = graphs.new_graph()
    graph.abs(graph.tensor(dim=[2])).set_output(True)
    with pytest.raises(ValueError):
        graph.execute(None)


@pytest.mark.parametrize("arguments, code", [
    (("run", "no-such-file.mlir"), 4), (("run", "README.md"), 1),
    (("run", EXAMPLE, "--engine", "no.such.engine"), 1),
    (("plans", EXAMPLE, "--max-workspace", "-1"), 1),
    (("run", EXAMPLE, "--input", "X=no-such.npy"), 4),
    (("compile", EXAMPLE, "-o", "/no-such-folder/g.o"), 4)])
def test_exit_codes(tool, arguments, code):
    done = tool(*arguments)
    assert done.returncode == code, done.stderr
    assert done.stderr.strip(), "no text on stderr"


def test_a_device_as_output_stays_a_device(tool):
    done = tool("compile", EXAMPLE, "--emit", "plan", "-o", "/dev/null")
    assert stat.S_ISCHR(os.stat("/dev/null").st_mode)
    assert done.returncode == 0, done.stderr


def test_file_size_limit_leaves_no_file(tool, tmp_path):
    import resource

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))
    done = tool("compile", EXAMPLE, "--emit", "plan", "-o",
                tmp_path / "g.ogplan", preexec_fn=limit)
    assert done.returncode == 4, done.stderr
    assert list(tmp_path.iterdir()) == []


def test_truncated_plan_file(tool, tmp_path):
    path = tmp_path / "g.ogplan"
    assert tool("compile", EXAMPLE, "--emit", "plan", "-o", path).returncode == 0
    data = path.read_bytes()
    for size in (0, 1, 63, 64, len(data) // 2, len(data) - 1):
        path.write_bytes(data[:size])
        done = tool("inspect", path)
        assert done.returncode == 1, (size, done.stderr)


def test_plan_for_another_cpu(tool, tmp_path):
    path = tmp_path / "g.ogplan"
    done = tool("compile", EXAMPLE, "--emit", "plan", "-o", path,
                "--target-cpu", "x86-64-v4-bf16")
    assert done.returncode == 0, done.stderr
    done = tool("run", path, env={**os.environ, "OPGRAPH_CPU_TARGET": "x86-64-v3"})
    assert done.returncode == 3 and "x86-64-v4-bf16" in done.stderr
