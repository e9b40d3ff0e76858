# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A fuzzer whose seed 3 crashes, so that the harness can be tested."""

import os
import signal
import sys

from . import isolate


def check(seed, mode=None):
    if seed == 3:
        os.kill(os.getpid(), signal.SIGSEGV)
    return "accepted", ""


if __name__ == "__main__":
    sys.exit(isolate.main("fuzz.crash", check, __doc__))
