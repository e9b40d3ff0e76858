# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rows that no block's registers hold, on a GPU without clusters: in the tile
interpreter, against the judge."""

import subprocess

import pytest
import test_tile_conformance as tile

PASS = "--graph-legalize-nvptx-pointwise"

pytestmark = pytest.mark.slow


@pytest.mark.parametrize("op", ["layernorm", "rmsnorm", "softmax"])
def test_rows_are_walked_in_chunks(op, monkeypatch):
    from conformance.case import all_cases
    run = subprocess.run

    def run_for_ampere(command, **options):
        return run([f"{PASS}=target=sm_80" if str(part).startswith(PASS)
                    else part for part in command], **options)

    monkeypatch.setattr(subprocess, "run", run_for_ampere)
    found = {case.id: tile.run_case(operation, case)
             for operation, case in all_cases(op) if case.edge == "kept rows"}
    assert len(found) == 3
    assert set(found.values()) == {("passed", "")}, found
