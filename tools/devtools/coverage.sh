#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Line coverage of our own verifiers under the corpora that `tools/dev fuzz`
# left in build-asan/corpus.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
build=$PWD/build-coverage
[ -d build-asan/corpus ] || { echo "coverage: run tools/dev fuzz first" >&2; exit 1; }
cmake --preset coverage \
  -DOPGRAPH_DLPACK_INCLUDE_DIR="$(.venv/bin/tvm-ffi-config --dlpack-includedir)" >/dev/null
cmake --build --preset coverage --target plan_fuzzer parser_fuzzer
for target in plan parser; do
  LLVM_PROFILE_FILE=$build/$target.profraw "$build/test/fuzz/${target}_fuzzer" \
    -runs=0 "build-asan/corpus/$target" 2>&1 | tail -n 1
done
llvm-profdata-22 merge -o "$build/all.profdata" "$build"/plan.profraw "$build"/parser.profraw
echo "== plan file verifier"
llvm-cov-22 report "$build/test/fuzz/plan_fuzzer" -instr-profile="$build/all.profdata" \
  runtime/Verifier.cpp runtime/VerifyImage.cpp runtime/FileCheck.cpp
echo "== graph verifiers"
llvm-cov-22 report "$build/test/fuzz/parser_fuzzer" -instr-profile="$build/all.profdata" \
  dialects/Graph/*Op.cpp dialects/Graph/*Ops.cpp dialects/Graph/Inference.cpp \
  dialects/Graph/LayoutAttr.cpp dialects/Graph/Extents.cpp
