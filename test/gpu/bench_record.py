# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs the benchmarks of this folder and keeps what they found: one JSON record per
run, the table of the bars, and a plot of the bandwidth by shape (where matplotlib
is installed; elsewhere `tools/dev bench gpu RECORD.json` draws it).

Run by test/gpu/must_show bench [--shard I/N].
"""

import argparse
import datetime
import json
import pathlib
import subprocess
import sys
import tempfile

import bars
from gpu_paths import HERE

#: In the order of the shards, which take every n-th.
PARTS = (["bench.py", "--inductor", "bias_gelu", "silu", "softmax"],
         ["bench.py", "--inductor", "rmsnorm", "layernorm", "row_sum",
          "column_sum"],
         ["bench.py", "reductions"],
         ["bench_norms.py"],
         ["bench_layouts.py"])
#: In every shard: it measures the ceilings.
HOST = ["bench_host.py"]


def describe():
    import opgraph
    import torch
    device = json.loads(opgraph.create_device_properties(0).serialize())
    return {"device": device["deviceName"], "driver": device["driverVer"],
            "torch": torch.__version__, "opgraph": opgraph.__version__,
            "date": datetime.datetime.now(datetime.timezone.utc)
            .isoformat(timespec="seconds")}


def run_parts(parts):
    """The rows of all; a part that ends early has none of what it lacks."""
    rows = []
    with tempfile.TemporaryDirectory() as folder:
        file = pathlib.Path(folder) / "rows.jsonl"
        for part in parts:
            done = subprocess.run([sys.executable, HERE / part[0], *part[1:],
                                   "--json", file])
            if done.returncode:
                rows.append({"work": " ".join(part), "shape": "", "failed":
                             f"ended with exit code {done.returncode}"})
        if file.exists():
            rows += map(json.loads, file.read_text().splitlines())
    return rows


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--shard", default="1/1", metavar="I/N")
    parser.add_argument("--output", type=pathlib.Path, default=pathlib.Path("."),
                        metavar="FOLDER")
    chosen = parser.parse_args()
    index, count = map(int, chosen.shard.split("/"))
    record = describe()
    record["rows"] = run_parts([*PARTS[index - 1::count], HOST])
    verdicts = bars.judge(record["rows"])
    record["bars"] = [vars(verdict) for verdict in verdicts]
    stamp = record["date"][:19].replace(":", "").replace("-", "")
    path = chosen.output / f"bench-{stamp}-{index}-of-{count}.json"
    path.write_text(json.dumps(record, indent=1) + "\n")
    print(bars.table(verdicts), end="")
    print(f"record: {path}")
    try:
        import plot
        plot.draw([record], path.with_suffix(".svg"))
        print(f"plot: {path.with_suffix('.svg')}")
    except ImportError as error:
        print(f"no plot ({error}): tools/dev bench gpu {path} draws it")
    failed = [row for row in record["rows"] if "failed" in row]
    for row in failed:
        print(f"FAILED {row['work']} {row['shape']}: {row['failed']}")
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
