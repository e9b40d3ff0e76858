"""forms.py GRAPH FOLDER TARGET...: compiles GRAPH for each target to a cubin, a
plan and an object with its header, and looks at what they are."""
import pathlib
import subprocess
import sys

graph, folder = map(pathlib.Path, sys.argv[1:3])
folder.mkdir(exist_ok=True)


def compile_to(target, form, *more):
    file = folder / f"{target}.{form}"
    subprocess.run(["opgraph", "compile", graph, "--target", target, "--emit",
                    form, "-o", file, *more], check=True)
    return file.read_bytes()


def machine(elf):
    assert elf[:4] == b"\x7fELF"
    return int.from_bytes(elf[18:20], "little")


for target in sys.argv[3:]:
    assert machine(compile_to(target, "cubin")) == 190
    assert compile_to(target, "plan")[:4] == b"\x89OGP"
    header = folder / f"{target}.h"
    assert machine(compile_to(target, "obj", "--header", header)) == 62
    assert f"target {target} " in header.read_text()
    print(target, "cubin", "plan", "obj")
