#!/usr/bin/env bash
# Builds the Python extension of an unpacked bundle for the `python3` that is here.
# Usage: setup.sh (in the bundle's folder). Needs g++ and Python's headers.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
suffix=$(python3 -c 'import sysconfig; print(sysconfig.get_config_var("EXT_SUFFIX"))')
include=$(python3 -c 'import sysconfig; print(sysconfig.get_path("include"))')
target=python/opgraph/_opgraph$suffix
mkdir -p build
objects=()
for source in src/extension/*.cpp src/nanobind/nb_combined.cpp; do
  object=build/$(basename "$source" .cpp).o
  objects+=("$object")
  g++ -std=c++17 -O2 -fPIC -fvisibility=hidden -DNDEBUG -w \
    -fno-strict-aliasing -ffunction-sections \
    -DOPGRAPH_COMPILER_SONAME='"libopgraph_compiler.so.0"' \
    -Isrc/include -Isrc/nanobind/include -Isrc/nanobind -Isrc/nanobind/ext/robin_map/include -I"$include" \
    -c "$source" -o "$object" &
done
wait
g++ -shared -o "$target" "${objects[@]}" -Llib -l:libopgraph_runtime.so.0 \
  -Wl,-rpath,'$ORIGIN/../../lib' -ldl -lpthread
echo "built $target"
