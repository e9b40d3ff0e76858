"""aot_cuda.py SOURCE BUILD FOLDER: builds docs/examples/aot/cuda.c as its comment
says, and runs it with the stub driver of the unit tests."""
import os
import pathlib
import subprocess
import sys

source, build, folder = map(pathlib.Path, sys.argv[1:])
folder.mkdir(exist_ok=True)


def run(*command, **options):
    return subprocess.run([str(c) for c in command], check=True, text=True,
                          stdout=subprocess.PIPE, **options).stdout


run("opgraph", "compile", source / "docs/examples/softmax.mlir", "--target",
    "sm_90a", "--emit", "obj", "-o", folder / "g.o", "--header", folder / "g.h")
flags = run("pkg-config", "--cflags", "--libs", "opgraph-runtime-static",
            env={**os.environ,
                 "PKG_CONFIG_PATH": str(build / "lib/pkgconfig")}).split()
program = folder / "program"
run("cc", "-std=c11", "-Wall", "-Wextra", "-Werror", "-I", folder,
    source / "docs/examples/aot/cuda.c", folder / "g.o", *flags, "-o", program)
needed = [line for line in run("llvm-readelf", "-d", program).splitlines()
          if "NEEDED" in line]
assert not any("opgraph" in line or "cuda" in line for line in needed), needed
print("compiled and linked, no opgraph library needed")

log = folder / "launches.txt"
log.unlink(missing_ok=True)
environment = {**os.environ, "OPGRAPH_DEBUG_POISON": "0",
               "OPGRAPH_LIBCUDA": str(build / "lib/libopgraph_stub_cuda.so"),
               "OPGRAPH_STUB_CUDA_LOG": str(log)}
printed = run(program, env=environment)
assert len(bytes.fromhex(printed)) == 8 * 33 * 4
for line in log.read_text().splitlines():
    words = line.split()
    print("launched", words[0], "on device", words[-1])


def fails(**more):
    done = subprocess.run([program], env={**environment, **more}, text=True,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE)
    assert done.returncode == 1, done
    return done.stderr.strip()


print("without a GPU:", fails(OPGRAPH_LIBCUDA="/nowhere/libcuda.so.1"))
print("on another GPU:", fails(OPGRAPH_STUB_CUDA="capability=80"))
