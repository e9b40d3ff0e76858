# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""A fixed slice of the mutants of valid calls and texts: each is refused with a
clear error or runs; none crashes. `tools/dev fuzz-invalid SECONDS` runs more."""

import pytest

from fuzz import invalid, isolate


@pytest.mark.parametrize("mode, count", [("calls", 300), ("text", 400)])
def test_mutants(mode, count, monkeypatch, root, build_dir):
    monkeypatch.setenv("PYTHONPATH", f"{build_dir / 'python'}:{root / 'test'}")
    kinds, wrong = isolate.drive("fuzz.invalid", ["--mode", mode], 1,
                                 count=count, report=lambda *a, **k: None)
    assert not wrong, "\n".join(f"seed {s}: {kind}: {text}"
                                for s, kind, text in wrong[:10])
    assert sum(kinds.values()) == count
    assert kinds["refused"] > count // 5 and kinds["accepted"] > count // 20


def test_a_crash_is_found(monkeypatch, root, build_dir):
    """The harness itself: a worker that dies is a result with its seed."""
    monkeypatch.setenv("PYTHONPATH", f"{build_dir / 'python'}:{root / 'test'}")
    kinds, wrong = isolate.drive("fuzz.crash", [], 0, count=5,
                                 report=lambda *a, **k: None)
    assert kinds == {"accepted": 4, "crash": 1}
    assert wrong[0][0] == 3 and "SIGSEGV" in wrong[0][2]


def test_an_unclear_error_is_found():
    with pytest.raises(invalid.Unclear, match="documented class"):
        invalid.judge_error(KeyError("graph"), {"graph"})
    with pytest.raises(invalid.Unclear, match="without a text"):
        invalid.judge_error(TypeError(""), {"graph"})
    with pytest.raises(invalid.Unclear, match="neither"):
        invalid.judge_error(TypeError("no"), {"graph"})
