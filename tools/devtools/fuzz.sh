#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Fuzzes the plan loader and the graph parser under the asan preset. What they
# find lies in build-asan/crashes; the corpora grow in build-asan/corpus.
# usage: fuzz.sh [SECONDS each, default 600]
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
seconds=${1:-600}
[[ $seconds =~ ^[1-9][0-9]*$ ]] || {
  echo "fuzz: expected a number of seconds, got '$seconds'" >&2
  exit 2
}
build=$PWD/build-asan
cmake --preset asan \
  -DOPGRAPH_DLPACK_INCLUDE_DIR="$(.venv/bin/tvm-ffi-config --dlpack-includedir)" >/dev/null
echo "building the fuzzers under asan (about 10 minutes from nothing)"
cmake --build --preset asan --target plan_fuzzer parser_fuzzer opgraph |
  { grep -v '^\[' || true; }

corpus=$build/corpus
rm -rf "$corpus/parser-seeds" "$corpus/plan-seeds"
mkdir -p "$corpus"/{parser,plan,parser-seeds,plan-seeds} "$build/crashes"
# The repository's own texts are the seeds; parts of a split file one by one.
n=0
while IFS= read -r file; do
  n=$((n + 1))
  csplit -sz -f "$corpus/parser-seeds/$n-" "$file" '/^\/\/ -----/' '{*}'
done < <(find docs/examples test/lit/{dialects,passes,tools} -name '*.mlir' | sort)
# Plans that this tree's compiler makes, of each size and with symbols. The
# options are those that test/fuzz/asan_options.c gives the fuzzers.
export ASAN_OPTIONS=allow_user_poisoning=0:detect_container_overflow=0
ASAN_OPTIONS+=:alloc_dealloc_mismatch=0:detect_leaks=0
for example in linear_gelu attention dynamic reduction; do
  "$build/bin/opgraph" compile "docs/examples/$example.mlir" --emit plan \
    -o "$corpus/plan-seeds/$example.ogplan"
done

unset ASAN_OPTIONS
# Malformed text stays malformed: one mutation after another seldom helps.
declare -A depth=([plan]=5 [parser]=1)
status=0
for target in plan parser; do
  echo "== $target, $seconds s"
  rc=0
  "$build/test/fuzz/${target}_fuzzer" "$corpus/$target" "$corpus/$target-seeds" \
    -max_total_time="$seconds" -timeout=30 -rss_limit_mb=4096 -max_len=65536 \
    -print_final_stats=1 -verbosity=0 -artifact_prefix="$build/crashes/" \
    -mutate_depth="${depth[$target]}" \
    >"$build/$target.log" 2>&1 || rc=$?
  if [ $rc -eq 0 ]; then
    grep -E '_fuzzer:|number_of_executed|average_exec|peak_rss' "$build/$target.log"
    echo "$target: clean"
  else
    tail -n 60 "$build/$target.log"
    echo "$target: FAILED (exit $rc); the input is in $build/crashes"
    status=1
  fi
done
exit $status
