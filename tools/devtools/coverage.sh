#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Line coverage of our own verifiers under the corpora that `tools/dev fuzz`
# left in build-asan/corpus. Fails where a group's total is below 80 %.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
least=80
build=$PWD/build-coverage
corpus=$PWD/build-asan/corpus
[ -d "$corpus/parser-seeds" ] || {
  echo "coverage: run tools/dev fuzz first" >&2
  exit 1
}
cmake --preset coverage \
  -DOPGRAPH_DLPACK_INCLUDE_DIR="$(.venv/bin/tvm-ffi-config --dlpack-includedir)" >/dev/null
echo "building the fuzzers for coverage (about 10 minutes from nothing)"
cmake --build --preset coverage --target plan_fuzzer parser_fuzzer |
  { grep -v '^\[' || true; }
for target in plan parser; do
  LLVM_PROFILE_FILE=$build/$target.profraw "$build/test/fuzz/${target}_fuzzer" \
    -runs=0 "$corpus/$target" "$corpus/$target-seeds" >"$build/$target.log" 2>&1 ||
    { tail -n 30 "$build/$target.log"; exit 1; }
  grep _fuzzer: "$build/$target.log" | tail -n 1
  llvm-profdata-22 merge -o "$build/$target.profdata" "$build/$target.profraw"
done

status=0
# report NAME TARGET FILE...: one line per file and the total.
report() {
  local name=$1 target=$2
  shift 2
  echo "== line coverage of $name"
  llvm-cov-22 report "$build/test/fuzz/${target}_fuzzer" \
    -instr-profile="$build/$target.profdata" -show-region-summary=false \
    -show-branch-summary=false "$@" |
    awk -v least=$least '
      $1 ~ /\.cpp$|^TOTAL$/ {
        printf "  %-24s %5d of %5d lines  %6s\n", $1, $5 - $6, $5, $7
      }
      $1 == "TOTAL" { total = $7 + 0; seen = 1 }
      END { exit !(seen && total >= least) }' || {
    echo "coverage: $name: below $least %" >&2
    status=1
  }
}
report "the plan file's verifiers" plan \
  runtime/{Verifier,VerifyImage,FileCheck}.cpp
report "the graph dialect's verifiers" parser \
  dialects/Graph/*Op.cpp dialects/Graph/*Ops.cpp \
  dialects/Graph/Attention{,Checks,Gradients,ScoreMod,Storage}.cpp \
  dialects/Graph/{Extents,GroupOffset,Inference,Layout,LayoutAttr}.cpp \
  dialects/Graph/{PlanAttrs,Storage,Window}.cpp
report "the plan dialect's verifiers" parser dialects/Plan/*.cpp
exit $status
