#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fuzzes the plan loader and the graph parser under the asan preset.
# usage: fuzz.sh [SECONDS each, default 600]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=${1:-600}
build=$PWD/build-asan
cmake --preset asan \
  -DOPGRAPH_DLPACK_INCLUDE_DIR="$(.venv/bin/tvm-ffi-config --dlpack-includedir)" >/dev/null
echo "building the fuzzers under asan (about 20 minutes from nothing)"
cmake --build --preset asan --target plan_fuzzer parser_fuzzer

corpus=$build/corpus
mkdir -p "$corpus/parser" "$corpus/plan"
# The repository's own texts are the seeds; parts of a split file one by one.
n=0
while IFS= read -r file; do
  n=$((n + 1))
  csplit -sz -f "$corpus/parser/seed-$n-" "$file" '/^\/\/ -----/' '{*}'
done < <(git ls-files 'docs/examples/*.mlir' 'test/lit/dialects/Graph/*.mlir')

status=0
for target in plan parser; do
  echo "== $target, $seconds s"
  "$build/test/fuzz/${target}_fuzzer" "$corpus/$target" \
    -max_total_time="$seconds" -timeout=30 -rss_limit_mb=4096 -max_len=65536 \
    -print_final_stats=1 -verbosity=0 -artifact_prefix="$build/" || status=1
done
exit $status
