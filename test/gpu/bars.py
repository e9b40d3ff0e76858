# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The bars of the memory-bound family on an H200, and which of them the rows of a
benchmark's record pass.

usage: bars.py RECORD.json... (records of shards are read as one)
"""

import dataclasses
import json
import pathlib
import sys
from typing import Callable, Optional

#: Below this a tensor may stay in the cache between two calls.
LARGE = 128e6
#: Works that are to beat PyTorch by the bar.
LISTED = ("bias_gelu", "softmax", "rmsnorm", "layernorm", "transpose")
NORMS = ("rmsnorm", "layernorm", "batchnorm", "batchnorm_last")


def moved(row):
    """Bytes that one call moved."""
    return row["GB/s"] * row["us"] * 1e3 if "us" in row else 0


@dataclasses.dataclass(frozen=True)
class Bar:
    name: str
    goal: float
    #: The worst with which the issue can close.
    floor: float
    #: The row's figure for it; None where the bar is not about the row.
    value: Callable
    #: Whether larger is better.
    at_least: bool = True

    def judge(self, value, row):
        """"limit": passing would take more than the speed of a copy."""
        better = (lambda limit: value >= limit) if self.at_least else \
            (lambda limit: value <= limit)
        return "pass" if better(self.goal) else \
            "floor" if better(self.floor) else \
            "limit" if self.name.startswith("x ") and value >= 1 and at_limit(
                row, self.floor / value) else "MISS"


def at_limit(row, speedup):
    """Whether the work would have to be faster than a copy to be `speedup` times
    as fast, and is as fast as the bar of copies wants."""
    share = copy_share(row)
    return share is not None and share >= 0.92 and share * speedup > 1


def copy_share(row):
    if "read" in row or moved(row) < LARGE:
        return None
    return row.get("floor_copy", row.get("copy"))


def read_share(row):
    return None if moved(row) < LARGE else row.get("read")


def over_peer(row):
    """Over the faster of PyTorch eager and Inductor."""
    if row["work"] not in LISTED:
        return None
    times = [row[peer] for peer in ("eager", "inductor") if peer in row]
    return min(times) if times else None


def field(name, *works):
    def value(row):
        if works and not any(row["work"].startswith(work) for work in works):
            return None
        return row.get(name)
    return value


BARS = (
    Bar("of a copy", 0.92, 0.87, copy_share),
    Bar("of a read", 0.92, 0.87, read_share),
    Bar("x PyTorch", 1.3, 1.15, over_peer),
    Bar("x cuDNN", 1.15, 1.0, field("cudnn", *NORMS)),
    Bar("cold ms, pointwise", 150, 150, field("cold_ms", "pointwise builds"),
        at_least=False),
    Bar("cold ms, norm", 250, 250, field("cold_ms", "norm builds"),
        at_least=False),
    Bar("new shape ms", 0.2, 0.2, field("new_shape_build_ms"), at_least=False),
    Bar("us over a launch, C++", 0.5, 1.0, field("cpp_over_us"),
        at_least=False),
    Bar("us over a launch, Python", 2.0, 3.5, field("python_over_us"),
        at_least=False),
)


@dataclasses.dataclass(frozen=True)
class Verdict:
    work: str
    shape: str
    bar: str
    value: Optional[float]
    verdict: str


def judge(rows):
    """[Verdict] of every bar on every row that it is about."""
    found = []
    for row in rows:
        work = " ".join(filter(None, (row["work"], row.get("dtype"))))
        shape = str(row.get("shape", ""))
        if "failed" in row:
            found.append(Verdict(work, shape, row["failed"][:60], None, "MISS"))
            continue
        for bar in BARS:
            value = bar.value(row)
            if value is not None:
                found.append(Verdict(work, shape, bar.name, value,
                                     bar.judge(value, row)))
    return found


def table(verdicts):
    """Text: a line per verdict, then each bar's sum."""
    lines = [("work", "shape", "bar", "value", "verdict")]
    lines += [(v.work, v.shape, v.bar,
               "" if v.value is None else f"{v.value:.3f}", v.verdict)
              for v in verdicts]
    widths = [max(len(line[i]) for line in lines) for i in range(5)]
    text = "\n".join("  ".join(cell.ljust(width) for cell, width
                               in zip(line, widths)).rstrip()
                     for line in lines) + "\n"
    for bar in BARS:
        states = [v.verdict for v in verdicts if v.bar == bar.name]
        if states:
            text += (f"{bar.name} ({'>=' if bar.at_least else '<='} {bar.goal} "
                     f"[{bar.floor}]): {states.count('pass')} pass, "
                     f"{states.count('floor')} at the floor, "
                     f"{states.count('limit')} at the limit, {states.count('MISS')} miss\n")
    return text


def main(paths):
    if not paths:
        sys.exit(__doc__)
    rows = [row for path in paths
            for row in json.loads(pathlib.Path(path).read_text())["rows"]]
    print(table(judge(rows)), end="")


if __name__ == "__main__":
    main(sys.argv[1:])
