#!/usr/bin/env bash
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
# Tries what users of an installed opgraph do, each as one test case of
# build/results/packaging.xml: the CMake package with the build tree out of
# reach, an ahead-of-time object in a C program, a runtime-only process, the
# wheel from the built tree in an environment of its own, uninstall.
set -uo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."
root=$PWD
build=$root/build
results=$build/results
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
mkdir -p "$results"
cases=()
failed=0

# try NAME FUNCTION: records the outcome with the end of the output.
try() {
  local name=$1 output rc=0
  echo "== $name"
  output=$(set -e; "$2" 2>&1) || rc=$?
  echo "$output" | tail -n 40
  if [ $rc -eq 0 ]; then
    cases+=("<testcase classname=\"packaging\" name=\"$name\"/>")
  else
    failed=1
    output=$(tail -n 5 <<<"$output" | tr '\n' ' ' |
      sed 's/&/\&amp;/g; s/</\&lt;/g; s/>/\&gt;/g; s/"/\&quot;/g')
    cases+=("<testcase classname=\"packaging\" name=\"$name\"><failure message=\"$output\"/></testcase>")
  fi
}

prefix=$work/prefix

install_tree() {
  cmake --install "$build" --prefix "$prefix" >"$work/install.log"
  # Files that installing twice would miss: the two libraries and the tools.
  ls "$prefix"/lib/libopgraph_compiler.so "$prefix"/lib/libopgraph_runtime.so \
    "$prefix"/lib/libopgraph_runtime.a "$prefix"/bin/opgraph
}

cmake_user() {
  # Copied away, and no path of the build tree in the environment.
  cp -r test/packaging/cmake-user "$work/user"
  cmake -S "$work/user" -B "$work/user/build" -G Ninja \
    -DCMAKE_CXX_COMPILER=g++ -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
  cmake --build "$work/user/build" >/dev/null
  ! readelf -d "$prefix/bin/opgraph" "$prefix"/lib/libopgraph_compiler.so |
    grep -F "$build"
  "$work/user/build/user"
}

cpp_example() {
  cp -r docs/examples/cpp "$work/cpp"
  cmake -S "$work/cpp" -B "$work/cpp/build" -G Ninja \
    -DCMAKE_CXX_COMPILER=g++ -DCMAKE_PREFIX_PATH="$prefix" >/dev/null
  cmake --build "$work/cpp/build" >/dev/null
  "$work/cpp/build/linear_gelu"
}

aot_user() {
  local flags
  flags=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs \
    opgraph-runtime-static)
  cd "$work"
  LD_LIBRARY_PATH=$prefix/lib "$prefix/bin/opgraph" compile \
    "$root/docs/examples/linear_gelu.mlir" -o g.o --header g.h
  # shellcheck disable=SC2086
  cc -std=c11 -Wall -Werror -I. "$root/docs/examples/aot/main.c" g.o $flags -o aot
  ! readelf -d aot | grep -i 'NEEDED.*opgraph'
  readelf -lW aot | grep GNU_STACK | grep -qv RWE
  ./aot >aot.txt
  PYTHONPATH=$build/python "$root/.venv/bin/python" \
    "$root/test/packaging/jit_bytes.py" "$root" >jit.txt
  cmp aot.txt jit.txt
  echo "object and JIT agree on $(wc -c <aot.txt) hex characters"
}

runtime_only() {
  cd "$work"
  LD_LIBRARY_PATH=$prefix/lib "$prefix/bin/opgraph" compile \
    "$root/docs/examples/linear_gelu.mlir" --emit plan -o g.ogplan
  local flags
  flags=$(PKG_CONFIG_PATH=$prefix/lib/pkgconfig pkg-config --cflags --libs \
    opgraph-runtime)
  # shellcheck disable=SC2086
  cc -std=c11 -Wall -Werror "$root/test/packaging/run_plan.c" $flags \
    -o run_plan -Wl,-rpath,"$prefix/lib"
  ! ldd run_plan | grep -iE 'llvm|mlir|opgraph_compiler'
  ./run_plan g.ogplan
}

wheel() {
  python3 -m venv "$work/venv"
  CMAKE_BUILD_PARALLEL_LEVEL=2 "$root/.venv/bin/pip" wheel --quiet --no-deps \
    --disable-pip-version-check --no-build-isolation -w "$work/wheels" \
    --config-settings=build-dir="$build" \
    --config-settings=cmake.build-type=RelWithDebInfo \
    --config-settings=cmake.define.OPGRAPH_BUILD_TESTS=ON \
    --config-settings="cmake.define.CMAKE_C_FLAGS_RELWITHDEBINFO=-O1 -g1 -DOPGRAPH_CHECKS=1" \
    --config-settings="cmake.define.CMAKE_CXX_FLAGS_RELWITHDEBINFO=-O1 -g1 -DOPGRAPH_CHECKS=1" \
    --config-settings=cmake.define.Python_EXECUTABLE="$root/.venv/bin/python" \
    --config-settings=install.strip=true .
  "$work/venv/bin/pip" install --quiet --disable-pip-version-check numpy \
    "$work"/wheels/opgraph-*.whl
  cd "$work"
  env -u PYTHONPATH "$work/venv/bin/python" "$root/test/packaging/wheel_user.py"
  du -h "$work"/wheels/*.whl
}

uninstall_tree() {
  "$root/tools/dev" uninstall "$prefix"
  local left
  left=$(find "$prefix" -type f | wc -l)
  echo "$left files left"
  [ "$left" -eq 0 ]
}

try install install_tree
try cmake_package_user cmake_user
try cpp_example cpp_example
try ahead_of_time_object aot_user
try runtime_only_process runtime_only
try wheel wheel
try uninstall uninstall_tree
{
  echo '<testsuites><testsuite name="packaging">'
  printf '%s\n' "${cases[@]}"
  echo '</testsuite></testsuites>'
} >"$results/packaging.xml"
exit $failed
