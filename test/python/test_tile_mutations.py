# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every operation that orders something is needed: without it the verifier or
the interpreter objects to the kernel."""

import re
import subprocess

import pytest

pytestmark = pytest.mark.slow

SYNC = re.compile(
    r"^\s*tile\.(sync|fence_proxy|mma_wait|mma_fence|bulk_wait|cp_wait|cp_commit"
    r"|bulk_commit|release|fill|await|drain|barrier_arrive|barrier_sync"
    r"|cluster_arrive|cluster_wait|publish_map)\b")

KERNELS = {
    "gemm": [
        "grid=1 args=a:256x192xbf16:seed=1,b:512x192xbf16:seed=2,"
        "c:256x512xbf16:print,2,2,3"],
    "attention": [
        "grid=1 args=q:64x64xbf16:seed=1,k:320x64xbf16:seed=2,"
        "v:320x64xbf16:seed=3,y:64x64xf32:print,5,0.18"],
    "copies": [
        "kernel=cp_ring args=x:64x32xf32:iota,y:64x32xf32:print,16",
        "kernel=bulk args=x:1024xf32:iota,y:1024xf32:print,4",
        "kernel=maps grid=2 args=X:64x64xbf16:iota,w:256xi8:partial,"
        "y:2x64x64xbf16:zero:print",
        "kernel=last_one grid=4 args=p:4xi32,c:1xi32:zero:print,y:1xi32:print"],
    "cluster": [
        "kernel=multicast grid=4 args=X:256x64xbf16:iota,"
        "y:4x64x64xbf16:print",
        "kernel=exchange grid=2 args=y:2x32xi32:print",
        "kernel=turns args=y:1x8xi32:print"],
}

# Registers are values here: that the fence is there is the verifier's rule W3.
REDUNDANT = {"mma_fence"}


def kernel_of(options):
    found = re.search(r"kernel=(\w+)", options)
    return found.group(1) if found else None


def lines_of(text, kernel):
    """Line numbers of a kernel's body."""
    lines = text.splitlines()
    start = next(i for i, line in enumerate(lines)
                 if line.startswith("tile.kernel")
                 and (kernel is None or f"@{kernel}(" in line))
    end = next(i for i in range(start, len(lines)) if lines[i] == "}")
    return range(start, end)


@pytest.mark.parametrize("name, options", [
    (name, options) for name, runs in KERNELS.items() for options in runs])
def test_each_sync_is_needed(root, build_dir, tmp_path, name, options):
    path = root / f"test/lit/codegen/TileInterpreter/{name}.mlir"
    text = path.read_text()
    lines = text.splitlines()

    def run(source):
        (tmp_path / "k.mlir").write_text(source)
        done = subprocess.run(
            [build_dir / "bin/graph-opt", tmp_path / "k.mlir",
             f"--tile-interpret={options}", "-o", "/dev/null"],
            capture_output=True, text=True)
        assert done.returncode in (0, 1), done.stderr
        return done.returncode

    assert run(text) == 0
    survivors, mutants = [], 0
    for i in lines_of(text, kernel_of(options)):
        if not SYNC.match(lines[i]):
            continue
        mutants += 1
        if run("\n".join(lines[:i] + lines[i + 1:])) == 0:
            survivors.append((i + 1, lines[i].strip()))
    assert mutants > 0
    unexplained = [s for s in survivors
                   if SYNC.match(s[1]).group(1) not in REDUNDANT]
    assert not unexplained, unexplained
