# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Where things are, in an unpacked bundle and in a built tree."""

import os
import pathlib

HERE = pathlib.Path(__file__).resolve().parent
ROOT = HERE.parents[1]
IN_BUNDLE = (ROOT / "lib/libopgraph_compiler.so.0").exists()
BUILD = ROOT if IN_BUNDLE else \
    pathlib.Path(os.environ.get("OPGRAPH_BUILD_DIR", ROOT / "build"))
#: The C headers.
INCLUDE = ROOT / ("src/include" if IN_BUNDLE else "include")
#: Examples that nvptx.pointwise serves.
EXAMPLES = ("batchnorm", "fp8_quantize", "layernorm", "layout", "pointwise",
            "reduction", "rmsnorm", "slice_concatenate", "softmax")
