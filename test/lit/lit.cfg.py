# Configuration of the lit suites; lit.site.cfg.py (made by CMake) hands in the
# folders and loads this file.
import os

import lit.formats

config.name = "opgraph"
config.test_format = lit.formats.ShTest(execute_external=False)
config.suffixes = [".mlir", ".test"]
config.excludes = ["Inputs"]
config.test_source_root = os.path.dirname(__file__)
config.test_exec_root = os.path.join(config.opgraph_build_dir, "test", "lit")
config.environment["PATH"] = os.pathsep.join(
    [os.path.join(config.opgraph_build_dir, "bin"), config.llvm_bin_dir,
     os.environ.get("PATH", "")])
config.environment["FILECHECK_OPTS"] = "-enable-var-scope --allow-unused-prefixes=false"
if "VIRTUAL_ENV" in os.environ:
    # Where ptxas is on a machine without a CUDA toolkit.
    config.environment["VIRTUAL_ENV"] = os.environ["VIRTUAL_ENV"]
config.environment["OPGRAPH_STRICT"] = "1"
config.environment["OPGRAPH_DEBUG_POISON"] = "1"
# Plan lists do not depend on what libraries there are.
config.environment["OPGRAPH_CUDNN"] = "none"
config.substitutions.append(("%opgraph_src", config.opgraph_source_dir))
config.substitutions.append(("%opgraph_build", config.opgraph_build_dir))
config.substitutions.append(("%python", config.python_executable))
config.substitutions.append(
    ("%llvm_include",
     os.path.join(os.path.dirname(config.llvm_bin_dir), "include")))

# Every test's IR also survives printing and parsing once more.
if os.environ.get("OPGRAPH_TEST_ROUNDTRIP") == "1":
    config.substitutions.append(("graph-opt", "graph-opt --verify-roundtrip"))
