# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Fixtures, and at the end of a run the table op x dtype x edge."""

import os
import pathlib
import subprocess
import sys

import pytest

ROOT = pathlib.Path(__file__).resolve().parents[2]
BUILD = pathlib.Path(os.environ.get("OPGRAPH_BUILD_DIR", ROOT / "build"))
sys.path.insert(0, str(pathlib.Path(__file__).parent))
# The packages `conformance` and `fuzz`.
sys.path.insert(1, str(pathlib.Path(__file__).parents[1]))
if str(BUILD / "python") not in sys.path:
    sys.path.insert(0, str(BUILD / "python"))

# Every output and workspace is poisoned before it is written.
os.environ.setdefault("OPGRAPH_DEBUG_POISON", "1")
os.environ.setdefault("OPGRAPH_STRICT", "1")
# The same tests on a machine with a GPU.
os.environ.setdefault("OPGRAPH_DEVICE", "host")
# Plan lists do not depend on what libraries there are.
os.environ.setdefault("OPGRAPH_CUDNN", "none")

from support import table  # noqa: E402


@pytest.fixture(scope="session")
def root():
    return ROOT


@pytest.fixture(scope="session")
def build_dir():
    return BUILD


@pytest.fixture(scope="session")
def regenerate(tmp_path_factory):
    """Runs tools/devtools/<name>.py into a folder of its own, which it
    returns."""
    def run(name):
        folder = tmp_path_factory.mktemp(name)
        done = subprocess.run(
            [sys.executable, ROOT / f"tools/devtools/{name}.py", folder],
            capture_output=True, text=True)
        assert done.returncode == 0, done.stderr
        return folder
    return run


def pytest_sessionfinish(session, exitstatus):
    if table.cells:
        table.write(BUILD / "results")
