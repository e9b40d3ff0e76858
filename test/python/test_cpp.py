# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The C++ example compiles without a warning and runs, against the headers and
libraries of the built tree (check-packaging.sh does so when installed)."""

import subprocess


def test_example_compiles_and_runs(root, build_dir, tmp_path):
    program = tmp_path / "linear_gelu"
    libraries = build_dir / "lib"
    subprocess.run(
        ["g++", "-std=c++17", "-Wall", "-Wextra", "-Werror",
         f"-I{root / 'include'}", f"-I{build_dir / 'include'}",
         root / "docs/examples/cpp/linear_gelu.cpp", "-o", program,
         f"-L{libraries}", "-lopgraph_compiler", "-lopgraph_runtime",
         f"-Wl,-rpath,{libraries}"], check=True)
    done = subprocess.run([program], capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    assert "host.fused: max error" in done.stdout
