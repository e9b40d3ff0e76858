# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The type stubs in git are what the package of this build has."""

import ast
import inspect

import opgraph
import pytest

from opgraph import _ops

STUBS = ["__init__.pyi", "_opgraph.pyi"]


@pytest.fixture(scope="module")
def fresh(regenerate):
    return regenerate("stubs")


@pytest.mark.parametrize("name", STUBS)
def test_stub_is_fresh(root, fresh, name):
    kept = (root / "python/opgraph" / name).read_text()
    assert kept == (fresh / name).read_text(), \
        f"python/opgraph/{name} is stale: run tools/dev stubs"


@pytest.mark.parametrize("name", [*STUBS, "py.typed"])
def test_package_has_it(build_dir, name):
    assert (build_dir / "python/opgraph" / name).is_file()


def test_every_operation_is_typed(root):
    """Each method has the parameters of the real one, all with types."""
    tree = ast.parse((root / "python/opgraph/__init__.pyi").read_text())
    graph = next(n for n in tree.body
                 if isinstance(n, ast.ClassDef) and n.name == "pygraph")
    methods = {n.name: n for n in graph.body if isinstance(n, ast.FunctionDef)}
    for op in _ops.OPS:
        arguments = methods[op].args
        listed = arguments.args + arguments.kwonlyargs
        assert [a.arg for a in listed] == list(
            inspect.signature(getattr(opgraph.pygraph, op)).parameters)
        assert all(a.annotation for a in listed if a.arg != "self"), op
        assert methods[op].returns is not None, op
