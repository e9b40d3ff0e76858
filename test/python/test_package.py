# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The package as a whole: what an import loads, the README, the examples."""

import os
import re
import subprocess
import sys

import pytest

EXAMPLES = ["attention", "batchnorm", "conv_bias_relu", "dynamic",
            "fp8_quantize", "int8_matmul", "layernorm", "layout",
            "linear_gelu", "mask", "nvfp4_matmul", "pointwise", "reduction",
            "rmsnorm", "slice_concatenate", "soft_cap", "softmax"]


def run_python(code, build_dir):
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(build_dir / "python")})


def test_import_loads_neither_numpy_nor_the_compiler(build_dir):
    done = run_python(
        "import opgraph, sys\n"
        "assert 'numpy' not in sys.modules and 'torch' not in sys.modules\n"
        "assert 'opgraph._opgraph' not in sys.modules\n"
        "opgraph.pygraph\n"
        "maps = open('/proc/self/maps').read()\n"
        "assert 'libopgraph_compiler' not in maps\n"
        "opgraph.pygraph()\n"
        "assert 'libopgraph_compiler' in open('/proc/self/maps').read()\n"
        "assert 'numpy' not in sys.modules\n", build_dir)
    assert done.returncode == 0, done.stderr


def test_libraries_print_nothing(build_dir):
    done = run_python(
        "import opgraph\n"
        "g = opgraph.pygraph(io_data_type=opgraph.data_type.FLOAT)\n"
        "g.relu(g.tensor(dim=[2])).set_output(True)\n"
        "g.build()\n"
        "try:\n    opgraph.pygraph().validate()\n"
        "except opgraph.Error:\n    pass\n", build_dir)
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_readme_quickstart(root, build_dir):
    code = re.search(r"```python\n(.*?)```", (root / "README.md").read_text(),
                     re.S).group(1)
    done = run_python(code, build_dir)
    assert done.returncode == 0, done.stderr
    assert "host." in done.stdout


def opgraph_tool(build_dir, *arguments):
    return subprocess.run([build_dir / "bin" / "opgraph", *arguments],
                          capture_output=True, text=True)


@pytest.mark.parametrize("name", EXAMPLES)
def test_example_runs_verified(root, build_dir, name):
    done = opgraph_tool(build_dir, "run",
                        root / "docs" / "examples" / f"{name}.mlir", "--verify")
    assert done.returncode == 0, done.stdout + done.stderr
    assert "verified: max error" in done.stdout


def test_every_example_is_listed(root):
    assert {p.stem for p in (root / "docs/examples").glob("*.mlir")} == \
        set(EXAMPLES)


def test_forms_of_gpu_code(root, build_dir, tmp_path):
    """PTX, a cubin, an object; a form that there is not is refused by name."""
    graph = root / "docs/examples/softmax.mlir"
    begins = {"ptx": b"//", "cubin": b"\x7fELF", "obj": b"\x7fELF",
              "mlir": b"#map", "plan": b"\x89OGPLAN"}
    for form in (*begins, "llvm"):
        out = tmp_path / form
        done = opgraph_tool(build_dir, "compile", graph, "--target",
                            root / "lib/Devices/h200.json", "--emit", form,
                            "-o", out)
        if form == "llvm":
            assert done.returncode == 3, done.stderr
            assert "ptx, cubin, plan or an object of it, not as llvm" in \
                done.stderr
            assert not out.exists()
            continue
        assert done.returncode == 0, done.stderr
        assert out.read_bytes()[:8].lstrip().startswith(begins[form])
