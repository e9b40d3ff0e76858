"""aot.py SOURCE BUILD FOLDER: builds docs/examples/aot as its comment says, runs
it, runs the same graph by JIT, and compares the bytes."""
import os
import pathlib
import subprocess
import sys

import numpy as np

source, build, folder = map(pathlib.Path, sys.argv[1:])
folder.mkdir(exist_ok=True)
graph = source / "docs/examples/linear_gelu.mlir"


def run(*command, **options):
    return subprocess.run([str(c) for c in command], check=True, text=True,
                          stdout=subprocess.PIPE, **options).stdout


run("opgraph", "compile", graph, "-o", folder / "g.o", "--header",
    folder / "g.h")
flags = run("pkg-config", "--cflags", "--libs", "opgraph-runtime-static",
            env={**os.environ,
                 "PKG_CONFIG_PATH": str(build / "lib/pkgconfig")}).split()
program = folder / "program"
run("cc", "-Wall", "-Werror", "-I", folder,
    source / "docs/examples/aot/main.c", folder / "g.o", *flags, "-o", program)

# No opgraph library is NEEDED, and no stack is executable.
headers = run("llvm-readelf", "-d", "-lW", program)
assert "opgraph" not in "".join(
    line for line in headers.splitlines() if "NEEDED" in line)
stack = [line for line in headers.splitlines() if "GNU_STACK" in line]
assert "RWE" not in stack[0], stack


def fill(shape, seed):
    index = np.arange(np.prod(shape))
    return ((((index * 37 + seed) % 101) - 50) / 64).astype("f4").reshape(shape)


inputs = []
for name, shape, seed in [("X", (1, 128, 256), 1), ("W", (1, 256, 512), 2),
                          ("B", (1, 1, 512), 3)]:
    np.save(folder / f"{name}.npy", fill(shape, seed))
    inputs += ["--input", f"{name}={folder / name}.npy"]
run("opgraph", "run", graph, *inputs, "--save-outputs", folder)
(saved,) = folder.glob("Y.*.npy")
ahead = bytes.fromhex(run(program).replace("\n", ""))
print("equal" if np.load(saved).tobytes() == ahead else "different",
      len(ahead), "bytes")
