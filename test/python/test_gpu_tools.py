# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""What test/gpu does around its runs on a GPU: shards, bars, words where there is
none."""

import json
import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
GPU = ROOT / "test/gpu"
sys.path.insert(0, str(GPU))
import bars  # noqa: E402

ROWS = [
    {"work": "softmax", "shape": "16384x4096", "us": 70.0, "GB/s": 3835,
     "copy": 0.95, "eager": 3.0, "inductor": 1.2},
    {"work": "silu", "shape": "8x4096", "us": 3.0, "GB/s": 30, "copy": 0.5},
    {"work": "row_sum", "shape": "16384x4096", "us": 40.0, "GB/s": 3500,
     "copy": 1.1, "read": 0.8},
    {"work": "batchnorm", "shape": "16384x4096", "us": 90.0, "GB/s": 3000,
     "copy": 0.6, "floor_copy": 0.9, "eager": 1.1, "cudnn": 0.9},
    {"work": "rmsnorm", "shape": "16384x4096", "us": 70.0, "GB/s": 3835,
     "copy": 0.98, "eager": 1.1, "inductor": 1.2, "cudnn": 0.8},
    {"work": "norm builds", "shape": "", "cold_ms": 251,
     "new_shape_build_ms": 0.2},
    {"work": "execute", "shape": "", "cpp_over_us": 0.7, "python_over_us": 1.9},
    {"work": "broken", "shape": "1", "failed": "Error: words"},
]


def verdicts():
    return {(v.work, v.bar): v.verdict for v in bars.judge(ROWS)}


def test_bars():
    found = verdicts()
    assert found["softmax", "of a copy"] == "pass"
    assert found["softmax", "x PyTorch"] == "floor"
    # 1.15 / 1.1 as fast would be faster than a copy.
    assert found["rmsnorm", "x PyTorch"] == "limit"
    # What a peer reaches is no limit.
    assert found["rmsnorm", "x cuDNN"] == "MISS"
    assert found["batchnorm", "of a copy"] == "floor"
    assert found["batchnorm", "x cuDNN"] == "MISS"
    # Not every work is to beat PyTorch by far.
    assert ("batchnorm", "x PyTorch") not in found
    # Small tensors stay in the cache; reads are not held against a copy.
    assert ("silu", "of a copy") not in found
    assert ("row_sum", "of a copy") not in found
    assert found["row_sum", "of a read"] == "MISS"
    assert found["norm builds", "cold ms, norm"] == "MISS"
    assert found["norm builds", "new shape ms"] == "pass"
    assert found["execute", "us over a launch, C++"] == "floor"
    assert found["execute", "us over a launch, Python"] == "pass"
    assert found["broken", "Error: words"] == "MISS"


def test_records_of_shards_are_one(tmp_path):
    paths = []
    for number, rows in enumerate((ROWS[:2], ROWS[2:])):
        paths.append(tmp_path / f"{number}.json")
        paths[-1].write_text(json.dumps({"rows": rows}))
    done = subprocess.run([sys.executable, GPU / "bars.py", *paths], check=True,
                          capture_output=True, text=True)
    assert ("of a read (>= 0.92 [0.87]): 0 pass, 0 at the floor, 0 at the limit, "
            "1 miss") in done.stdout
    assert "of a copy (>= 0.92 [0.87]): 2 pass, 1 at the floor" in done.stdout


def test_the_plot(tmp_path):
    pytest.importorskip("matplotlib")
    record = tmp_path / "r.json"
    record.write_text(json.dumps({"device": "H200", "driver": 13000,
                                  "date": "now", "rows": ROWS}))
    subprocess.run([sys.executable, GPU / "plot.py", tmp_path / "r.svg", record],
                   check=True)
    assert "<svg" in (tmp_path / "r.svg").read_text()


def listed(*arguments):
    done = subprocess.run([sys.executable, GPU / "must_show", *arguments,
                           "--list"], check=True, capture_output=True, text=True)
    return done.stdout.splitlines()


def test_shards_take_each_command_once():
    whole = listed("sanitizer", "examples", "mma")
    parts = [line for i in (1, 2, 3) for line in listed(
        "sanitizer", "examples", "mma", "--shard", f"{i}/3")]
    assert sorted(whole) == sorted(parts) and len(whole) > 30


def test_files_that_it_names_are_there():
    for line in listed("all"):
        for word in line.split():
            if word.startswith(str(GPU)) and "/kernels/" not in word:
                assert pathlib.Path(word).exists(), word
    assert listed("pytest")[0].split()[-1].endswith("pytest.xml")


def test_without_a_gpu_it_says_what_to_do():
    if pathlib.Path("/dev/nvidiactl").exists():
        pytest.skip("there is a GPU")
    done = subprocess.run([sys.executable, GPU / "must_show", "runtime"],
                          capture_output=True, text=True)
    assert done.returncode == 1 and "tools/dev bundle" in done.stderr
    done = subprocess.run([ROOT / "tools/dev", "bench", "gpu"],
                          capture_output=True, text=True,
                          env={**os.environ, "PATH": "/usr/bin:/bin"})
    assert done.returncode == 1 and "test/gpu/must_show bench" in done.stderr
