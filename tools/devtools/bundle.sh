#!/usr/bin/env bash
# Packs what a GPU machine without LLVM needs: the libraries, stripped, the Python
# package with the sources of its extension (built there by setup.sh for the
# Python that is there), the conformance suite and test/gpu.
#
# Usage: bundle.sh BUILD_FOLDER VENV_PYTHON OUTPUT.tar.xz
set -euo pipefail
build=$1 python=$2 output=$3
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/../.." && pwd)
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
bundle=$stage/opgraph-bundle
mkdir -p "$bundle"/{lib,python,src,test,bin}

for library in compiler runtime; do
  strip -o "$bundle/lib/libopgraph_$library.so.0" \
    "$build/lib/libopgraph_$library.so.0"
done
strip -o "$bundle/bin/opgraph" "$build/bin/opgraph"
strip -g -o "$bundle/lib/libopgraph_runtime.a" "$build/lib/libopgraph_runtime.a"
ln -s libopgraph_runtime.so.0 "$bundle/lib/libopgraph_runtime.so"
cp -r "$build/python/opgraph" "$bundle/python/"
rm -rf "$bundle"/python/opgraph/{*.so,__pycache__}

# The extension's sources, and nanobind's.
cp -r "$root/python/src" "$bundle/src/extension"
mkdir "$bundle/src/include"
cp -r "$root/include/opgraph-c" "$bundle/src/include/"
nanobind=$("$python" -m nanobind --include_dir)/..
cp -r "$nanobind/include" "$bundle/src/nanobind"
cp "$nanobind"/src/*.{cpp,h} "$bundle/src/nanobind/"
cp -r "$nanobind"/ext "$bundle/src/nanobind/"
dlpack=$("$python" - <<'PY'
import pathlib, tvm_ffi
print(next(pathlib.Path(tvm_ffi.__file__).parent.rglob("dlpack/dlpack.h")).parent)
PY
)
cp -r "$dlpack" "$bundle/src/include/"

cp -r "$root"/test/{conformance,gpu} "$bundle/test/"
mkdir -p "$bundle/test/python"
cp -r "$root"/test/python/{support,formulas} "$bundle/test/python/"
mkdir "$bundle/docs"
cp -r "$root/docs/examples" "$bundle/docs/"

# Kernels of the tile dialect that no engine makes, for must_show mma, gemm and
# bench.
kernels=$bundle/test/gpu/kernels
mkdir "$kernels"
for name in mma im2col type_sweep; do
  PYTHONPATH=$root/test/python:$root/test/gpu "$python" "$root/test/gpu/$name.py" \
    "$kernels/$name" --make --graph-opt "$build/bin/graph-opt"
done
"$build/bin/graph-opt" "$root/test/lit/codegen/NVPTX/gemm.mlir" -o /dev/null \
  --nvptx-emit="target=sm_90a cubin=$kernels/gemm.cubin resources=$kernels/gemm.json"
"$build/bin/graph-opt" "$root/test/gpu/read.mlir" -o /dev/null \
  --nvptx-emit="target=sm_90a cubin=$kernels/read.cubin resources=$kernels/read.json"

# pytest, for a machine without it; it is Python alone.
"$python" - "$bundle/site" <<'PY'
import importlib.util
import pathlib
import shutil
import sys
site = pathlib.Path(sys.argv[1])
site.mkdir()
for name in ("pytest", "_pytest", "pluggy", "iniconfig", "packaging", "pygments"):
    spec = importlib.util.find_spec(name)
    if spec:
        shutil.copytree(pathlib.Path(spec.origin).parent, site / name)
PY
find "$bundle" -name __pycache__ -prune -exec rm -rf {} +
cp "$root/test/gpu/setup.sh" "$bundle/"
mkdir -p "$(dirname "$output")"
tar -C "$stage" -cf - opgraph-bundle | xz -T2 -1 >"$output"
du -h "$output" | cut -f1
