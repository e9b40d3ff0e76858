# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Runs seeds in worker processes, so that a crash or a hang of one is a result
like any other: it is reported with its seed and the next worker goes on."""

import argparse
import collections
import faulthandler
import json
import os
import select
import signal
import subprocess
import sys
import time

#: A worker ends after so many seeds; what it leaks goes with it.
BATCH = 400
#: Seconds that one seed may take.
PATIENCE = 120
#: Bytes of address space of a worker.
MEMORY = 12 << 30


def serve(check, first, count):
    """The worker: prints a line before and after each seed."""
    import resource
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    faulthandler.enable(sys.stderr)
    for seed in range(first, first + count):
        print(json.dumps({"start": seed}), flush=True)
        kind, text = check(seed)
        print(json.dumps({"seed": seed, "kind": kind, "text": text}), flush=True)


class Worker:
    def __init__(self, module, arguments, first, count):
        self.seed = first
        self.process = subprocess.Popen(
            [sys.executable, "-m", module, "--worker", str(first), str(count),
             *arguments], stdout=subprocess.PIPE, stderr=subprocess.PIPE,
            env=os.environ)
        self.buffer = b""

    def lines(self, deadline):
        """Records until the worker ends; ends it when time is up."""
        descriptor = self.process.stdout.fileno()
        last = time.monotonic()
        while True:
            ready, _, _ = select.select([descriptor], [], [], 0.5)
            now = time.monotonic()
            if ready:
                data = os.read(descriptor, 1 << 16)
                if not data:
                    return
                last = now
                self.buffer += data
                *whole, self.buffer = self.buffer.split(b"\n")
                for line in whole:
                    yield json.loads(line)
            if now > deadline:
                self.process.kill()
                return
            if now - last > PATIENCE:
                self.process.kill()
                yield {"seed": self.seed, "kind": "hang",
                       "text": f"no answer in {PATIENCE} s"}
                return


def _ending(worker, stopped):
    """The text of a worker that ended by itself, or "" for a good end."""
    _, errors = worker.process.communicate()
    code = worker.process.returncode
    if code == 0 or stopped:
        return ""
    what = signal.Signals(-code).name if code < 0 else f"exit code {code}"
    tail = errors.decode(errors="replace").strip().splitlines()[-25:]
    return what + "\n" + "\n".join(tail)


def drive(module, arguments, first, seconds=None, count=None, report=print):
    """Runs seeds from `first` for `seconds` or `count`. Returns (counter of
    kinds, [(seed, kind, text)] of what is wrong)."""
    deadline = time.monotonic() + (seconds if seconds is not None else 10 ** 6)
    seed, end = first, None if count is None else first + count
    kinds, wrong = collections.Counter(), []

    def note(number, kind, text):
        kinds[kind] += 1
        if kind in ("wrong", "crash", "hang"):
            wrong.append((number, kind, text))
            report(f"--- seed {number}: {kind}: {text}", flush=True)
    while time.monotonic() < deadline and (end is None or seed < end):
        size = BATCH if end is None else min(BATCH, end - seed)
        worker, hung, done = Worker(module, arguments, seed, size), False, False
        for record in worker.lines(deadline):
            if "start" in record:
                worker.seed, done = record["start"], False
                continue
            note(record["seed"], record["kind"], record["text"])
            hung |= record["kind"] == "hang"
            done, seed = True, record["seed"] + 1
        text = _ending(worker, hung or time.monotonic() > deadline)
        if text and not done:
            note(worker.seed, "crash", text)
            seed = worker.seed + 1
        elif text:
            raise RuntimeError(f"the worker failed between seeds: {text}")
    return kinds, wrong


def main(module, check, description, modes=()):
    """Command line of a fuzzer: SECONDS, or --worker FIRST COUNT, or --seed N.
    `check(seed, mode)` returns (kind, text)."""
    parser = argparse.ArgumentParser(prog=module, description=description)
    parser.add_argument("seconds", nargs="?", type=float)
    parser.add_argument("--first", type=int, default=None,
                        help="first seed (default: from the clock)")
    parser.add_argument("--count", type=int, help="seeds instead of seconds")
    parser.add_argument("--seed", type=int, help="one seed, in this process")
    parser.add_argument("--mode", choices=modes or None)
    parser.add_argument("--worker", nargs=2, type=int, help=argparse.SUPPRESS)
    options = parser.parse_args()
    if options.worker:
        serve(lambda seed: check(seed, options.mode), *options.worker)
        return 0
    if options.seed is not None:
        kind, text = check(options.seed, options.mode)
        print(f"{kind}\n{text}")
        return int(kind == "wrong")
    if options.seconds is None and options.count is None:
        parser.error("give SECONDS or --count")
    first = options.first if options.first is not None else \
        int(time.time()) % 10 ** 6 * 1000
    more = ["--mode", options.mode] if options.mode else []
    start = time.monotonic()
    print(f"{module}: seeds from {first}; repeat one with --seed N", flush=True)
    kinds, wrong = drive(module, more, first, options.seconds, options.count)
    print(f"{module}: {sum(kinds.values())} seeds in "
          f"{time.monotonic() - start:.0f} s: "
          + (", ".join(f"{n} {kind}" for kind, n in sorted(kinds.items()))
             or "none"))
    return 1 if wrong or not kinds else 0
