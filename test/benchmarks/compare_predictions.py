"""Compares predicted with measured times over graphs, per host engine.

Usage: python3 test/benchmarks/compare_predictions.py GRAPH.mlir...

Run from the repository's root with a built tree in build/. Prints a line per
graph and engine, then the worst ratio and whether predictions order the engines
as measurements do.
"""
import json
import subprocess
import sys

ENGINES = ("host.fused", "host.reference")


def opgraph(*arguments):
    return subprocess.run(["build/bin/opgraph", *arguments], check=True,
                          capture_output=True, text=True).stdout


def predictions(path):
    outcome = json.loads(opgraph("explain", path, "--threads", "1", "--json"))
    return {plan["name"]: plan["time_ns"] for plan in outcome["plans"]}


def measure(path, engine):
    report = json.loads(opgraph("run", path, "--engine", engine, "--threads",
                                "1", "--repeat", "30", "--timing", "--json"))
    return next(stage["ns"] for stage in report["times"]
                if stage["stage"].startswith("execute"))


def main(paths):
    worst, wrong = 1.0, []
    for path in paths:
        predicted = predictions(path)
        measured = {engine: measure(path, engine) for engine in ENGINES
                    if engine in predicted}
        for engine, time in measured.items():
            ratio = predicted[engine] / max(time, 1)
            worst = max(worst, ratio, 1 / ratio)
            print(f"{path} {engine}: predicted {predicted[engine]} ns, "
                  f"measured {time} ns, ratio {ratio:.2f}")
        if sorted(measured, key=measured.get) != sorted(
                measured, key=predicted.get):
            wrong.append(path)
    print(f"worst ratio {worst:.2f}; order differs: {', '.join(wrong) or 'no'}")


if __name__ == "__main__":
    main(sys.argv[1:])
