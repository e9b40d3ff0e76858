# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The GPU kernels of conformance cases, compiled without a GPU."""

import dataclasses
import hashlib
import json
import os
import pathlib
import re
import subprocess
import tempfile

import opgraph

ENGINE = 30000
TARGETS = ("sm_80", "sm_86", "sm_89", "sm_90a", "sm_100a", "sm_120a")
ROOT = pathlib.Path(__file__).resolve().parents[3]
BUILD = pathlib.Path(os.environ.get("OPGRAPH_BUILD_DIR", ROOT / "build"))
DEVICE = (ROOT / "lib/Devices/h200.json").read_text()
#: Looked at of an operation and dtype before it counts as declined.
MOST_DECLINES = 3
#: Neither ptxas nor nvJitLink: PTX is all that is asked for.
NO_ASSEMBLER = {"OPGRAPH_PTXAS": "none", "OPGRAPH_NVJITLINK": "none"}


class Failed(Exception):
    """A step of the compiler failed; its words."""


@dataclasses.dataclass
class Kernel:
    name: str
    ptx: str
    resources: dict

    @property
    def digest(self):
        return hashlib.sha256(self.ptx.encode()).hexdigest()[:32]


def served_graph(operation, case):
    """The case's graph as MLIR; None where nvptx.pointwise declines it."""
    from conformance import runner
    graph, *_ = runner.declare(operation, case, device_property=DEVICE)
    try:
        graph.create_execution_plan(ENGINE)
        graph.check_support()
    except opgraph.cudnnGraphNotSupportedError:
        return None
    return graph.to_mlir()


def first_served(group):
    """(name, MLIR) of the first case of a list of (operation, case) that is
    served; None: the operation counts as declined for the dtype."""
    for operation, case in group[:MOST_DECLINES]:
        mlir = served_graph(operation, case)
        if mlir:
            return f"{case.op} {case.id}", mlir
    return None


def run_graph_opt(arguments, environment):
    done = subprocess.run([BUILD / "bin/graph-opt", *arguments],
                          capture_output=True, text=True,
                          env={**os.environ, **environment})
    if done.returncode:
        raise Failed(done.stderr[:1000])


def compile_graph(mlir, target, assemble=True):
    """[Kernel] of a graph's kernels for a target. Resources are what the
    assembler says, all 0 without it."""
    environment = {} if assemble else NO_ASSEMBLER
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        (folder / "g.mlir").write_text(mlir)
        run_graph_opt([folder / "g.mlir",
                       f"--graph-legalize-nvptx-pointwise=target={target}",
                       f"--nvptx-emit=target={target} ptx={folder}/k.ptx "
                       f"resources={folder}/k.json", "-o", os.devnull],
                      environment)
        found = json.loads((folder / "k.json").read_text())
        text = (folder / "k.ptx").read_text()
    parts = re.split(r"^\.visible \.entry (\w+)\(", text, flags=re.MULTILINE)
    code = dict(zip(parts[1::2], parts[2::2]))
    return [Kernel(one["name"], parts[0] + code[one["name"]], one)
            for one in found]
