# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The framework itself: a wrong result, a write outside and a double id must
not pass."""

import numpy as np
import pytest
from support.dtypes import ANY_NUMPY, convert, widen

from conformance import case as cases
from conformance.memory import (POISON_BYTE, Memory, f8_128x4_offsets,
                                offsets_for, strides_for)
from conformance.runner import Wrong, compare, run_case

LAYOUTS = ("row_major", "channels_last", "transposed", "swapped", "padded",
           "gapped", "odd_ones")


@pytest.mark.parametrize("layout", LAYOUTS)
@pytest.mark.parametrize("shape", [(2, 3, 1, 4), (5,), (0, 3), (1, 1), ()])
def test_layouts_share_no_element(layout, shape):
    offsets = offsets_for(shape, strides_for(shape, layout))
    assert offsets.shape == shape and len(set(offsets.reshape(-1))) == offsets.size


def test_unknown_layout():
    with pytest.raises(ValueError, match="sideways"):
        strides_for((2, 2), "sideways")


@pytest.mark.parametrize("dtype", ANY_NUMPY)
def test_memory_keeps_values(dtype):
    offsets = offsets_for((3, 4), [6, 1])
    values = np.arange(12).reshape(3, 4) % 2
    memory = Memory(dtype, offsets, POISON_BYTE).write(values)
    assert (memory.values() == widen(convert(values, dtype))).all()
    assert memory.damage() is None


def test_packed_halves():
    """Element 2i lies in the low half of byte i."""
    memory = Memory("i4", np.arange(4), 0).write(np.array([1, 2, -1, 7]))
    assert memory.body.tolist() == [0x21, 0x7F]


@pytest.mark.parametrize("place", [-1, 3, 64])
def test_a_write_outside_is_found(place):
    memory = Memory("f32", offsets_for((2, 2), [4, 1]), POISON_BYTE)
    memory.raw[memory.start + (place if place != 3 else 9)] = 0
    assert "written" in memory.damage()


def test_scale_tiles():
    offsets = f8_128x4_offsets((256, 8))
    assert sorted(offsets.reshape(-1)) == list(range(2048))
    assert offsets[0, :4].tolist() == [0, 1, 2, 3]
    assert offsets[1, 0] == 16 and offsets[32, 0] == 4
    assert offsets[0, 4] == 512 and offsets[128, 0] == 1024
    assert (f8_128x4_offsets((8, 256), -2) == offsets.T).all()


def test_comparison():
    one = np.array([1.0, np.nan, np.inf, 0.0])
    compare(one, one, "f32", 0, 0)
    with pytest.raises(Wrong, match=r"1 of 4 .*first at \[3\]"):
        compare(one, np.array([1.0, np.nan, np.inf, -0.0]), "f32", 0, 0)
    with pytest.raises(Wrong, match=r"at \[1\]"):
        compare(one, np.array([1.0, 0.0, np.inf, 0.0]), "f32", 9, 1e9)
    with pytest.raises(Wrong, match=r"at \[2\]"):
        compare(one, np.array([1.0, np.nan, -np.inf, 0.0]), "f32", 9, 1e9)
    compare(one, one + 2.0 ** -23, "f32", 1, 2.0 ** -23)
    with pytest.raises(Wrong, match="shape"):
        compare(one, one[:2], "f32", 1, 0)
    compare(one, np.array([2.0, 3.0, 4.0, 0.0]), "f32", 0, 0,
            np.array([True, True, True, False]))


class Twice(cases.Operation):
    """abs, with an expectation that may be wrong."""

    op = "abs"

    def __init__(self, factor=1):
        self.factor = factor

    def cases(self):
        yield self.make("f32")
        yield self.make("f32")

    def operands(self, case, rng):
        return {"x": cases.Operand(rng.uniform(1, 2, (2, 3)), case.dtype)}

    def build(self, case, graph, t):
        return {"OUT_0": graph.abs(t["x"])}

    def expected(self, case, v):
        return {"OUT_0": cases.Want(np.abs(v["x"]) * self.factor)}


def test_a_case_runs_and_a_wrong_one_fails():
    one = next(Twice().cases())
    outcome = run_case(Twice(), one, ["host.fused"])
    assert not outcome.failure and outcome.served == ["host.reference",
                                                      "host.fused"]
    outcome = run_case(Twice(2), one)
    assert "host.reference: OUT_0 (f32) against NumPy: 6 of 6" in outcome.failure
    assert "first at [0, 0]" in outcome.failure


def test_equal_ids_are_refused(monkeypatch):
    monkeypatch.setattr(cases, "REGISTRY", {"abs": [Twice()]})
    monkeypatch.setattr(cases, "load_all", lambda: cases.REGISTRY)
    with pytest.raises(ValueError, match="two cases"):
        cases.all_cases("abs")


def test_cases_are_many_and_named():
    found = cases.all_cases()
    assert len(found) >= 2000
    assert all(case.seed == cases.make(
        case.op, case.dtype, case.layout, case.edge, io=case.io,
        intermediate=case.intermediate, compute=case.compute,
        **dict(case.params)).seed for _, case in found[:50])
