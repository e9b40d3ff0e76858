# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A plot of the achieved bandwidth by shape, as SVG, from records of benchmarks.

usage: plot.py OUTPUT.svg RECORD.json... (needs matplotlib)
"""

import json
import pathlib
import sys

import matplotlib
matplotlib.use("svg")
import matplotlib.pyplot as plt  # noqa: E402


def draw(records, path):
    """A row per work and shape: its GB/s; lines for the ceilings."""
    rows = [row for record in records for row in record["rows"]]
    bars = [row for row in rows if "us" in row and "GB/s" in row]
    labels = [" ".join(filter(None, (row["work"], row.get("dtype"),
                                     row["shape"]))) for row in bars]
    figure, axes = plt.subplots(figsize=(9, 1.5 + 0.17 * len(bars)),
                                layout="constrained")
    works = sorted({row["work"] for row in bars})
    colours = plt.get_cmap("tab20")
    places = range(len(bars) - 1, -1, -1)
    axes.barh(places, [row["GB/s"] for row in bars],
              color=[colours(works.index(row["work"]) % 20) for row in bars])
    axes.set_yticks(places, labels, fontsize=6)
    axes.set_ylim(-1, len(bars))
    for row, style in zip((row for row in rows
                           if row["work"].endswith("ceiling")), "-:-:-:-:"):
        if "GB/s" in row:
            axes.axvline(row["GB/s"], color="black", linestyle=style,
                         linewidth=0.8, label=f"{row['work']} "
                         f"{row['GB/s']} GB/s")
    axes.set_xlabel("GB/s")
    axes.set_title(f"{records[0]['device']}, driver {records[0]['driver']}, "
                   f"{records[0]['date']}", fontsize=8)
    if axes.get_legend_handles_labels()[0]:
        figure.legend(loc="outside lower center", ncols=2, fontsize=7)
    figure.savefig(path, format="svg")
    plt.close(figure)


def main(arguments):
    if len(arguments) < 2:
        sys.exit(__doc__)
    draw([json.loads(pathlib.Path(path).read_text()) for path in arguments[1:]],
         arguments[0])
    print(arguments[0])


if __name__ == "__main__":
    main(sys.argv[1:])
