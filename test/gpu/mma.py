# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every type and shape of matrix product that `tile` admits (mma_kernels.py), on a
GPU against NumPy.

  python3 test/gpu/mma.py --make FOLDER [--graph-opt PATH]   kernels to a folder
  python3 test/gpu/mma.py FOLDER [--digests FILE]            run them

Sums of small integers must be exact; those of random numbers may be off by what
mma_kernels.tolerance allows. Prints one line per kind and types, then a count.
The digests of the results for random numbers go to a file: mma_digests.json has
those of an H200, which the interpreter gives too.
"""

import argparse
import collections
import json
import pathlib
import subprocess

import numpy as np

import mma_kernels

#: File, kind and target: mma.sync as PTX for the oldest GPU too.
FILES = (("sync.ptx", "sync", "sm_80"), ("sync.cubin", "sync", "sm_90a"),
         ("async.cubin", "async", "sm_90a"))
CASES = {"sync": list(mma_kernels.sync_cases()),
         "async": list(mma_kernels.async_cases())}


def served(kind, target):
    return [case for case in CASES[kind]
            if target != "sm_80" or case.a not in mma_kernels.FLOAT8]


def make(folder, graph_opt):
    folder.mkdir(parents=True, exist_ok=True)
    for name, kind, target in FILES:
        source = folder / f"{name}.mlir"
        source.write_text("".join(mma_kernels.kernel(case, target)
                                  for case in served(kind, target)))
        output = "ptx" if name.endswith("ptx") else "cubin"
        subprocess.run([graph_opt, source, f"--nvptx-emit=target={target} "
                        f"refuse-spills=true {output}={folder / name} "
                        f"resources={folder / name}.json", "-o", "/dev/null"],
                       check=True)


def run(module, case, is_exact, torch):
    """(what is wrong, or None; largest error in parts of that allowed; digest)."""
    *inputs, want, allowed = mma_kernels.make(case, mma_kernels.SEED, is_exact)
    tensors = [torch.from_numpy(array.view(np.uint8)).cuda() for array in inputs]
    dtype = np.dtype(mma_kernels.DTYPES[case.acc])
    tensors.append(torch.full((case.m, case.n * dtype.itemsize), 0xff,
                              dtype=torch.uint8, device="cuda"))
    module.launch(case.name, [each.data_ptr() for each in tensors])
    torch.cuda.synchronize()
    got = tensors[-1].cpu().numpy().view(dtype)
    return *mma_kernels.wrong(case, got, want, allowed), mma_kernels.digest(got)


def run_all(folder, path):
    import torch
    from cubin import Module
    torch.zeros(1, device="cuda")
    failures, ran, digests = [], 0, {}
    for name, kind, target in FILES:
        module = Module(folder / name)
        largest = collections.defaultdict(float)
        for case in served(kind, target):
            for is_exact in (True, False):
                error, ratio, digest = run(module, case, is_exact, torch)
                failures += [error] if error else []
                ran += 1
                if not is_exact and target == "sm_90a":
                    digests[case.name] = digest
                types = f"{case.a} x {case.b} -> {case.acc}"
                largest[types] = max(largest[types], ratio)
        for types, ratio in largest.items():
            print(f"{name}: {types}: {ratio:.3f} of the error allowed")
    if path:
        path.write_text(json.dumps(digests, indent=1) + "\n")
    print("\n".join(failures))
    print(f"{ran - len(failures)} passed, {len(failures)} failed")
    return len(failures)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--make", action="store_true")
    parser.add_argument("--graph-opt", default="graph-opt")
    parser.add_argument("--digests", type=pathlib.Path)
    arguments = parser.parse_args()
    if arguments.make:
        make(arguments.folder, arguments.graph_opt)
    elif run_all(arguments.folder, arguments.digests):
        raise SystemExit(1)


if __name__ == "__main__":
    main()
