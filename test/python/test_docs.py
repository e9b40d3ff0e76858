# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Pages and lists in git that would rot: generated pages, the environment
variables, the commands of tools/dev, the mutants."""

import json
import re
import subprocess

import pytest


@pytest.fixture(scope="module")
def fresh(regenerate):
    return regenerate("docs")


def generated(folder):
    pages = {"Passes.md", "SupportMatrix.md"} | {
        f"{part}/{page.name}" for part in ("dialects", "ops")
        for page in (folder / part).glob("*.md")
        if page.read_text().startswith("<!-- Generated")}
    return {name: (folder / name).read_text() for name in pages}


def test_generated_pages_are_fresh(root, fresh):
    there, due = generated(root / "docs"), generated(fresh)
    stale = sorted(name for name in there.keys() | due.keys()
                   if there.get(name) != due.get(name))
    assert not stale, f"stale, run tools/dev docs: {stale}"
    # The dialect's own pages and one for each operation.
    assert len(due) >= 100


def sources(root, *patterns):
    """The text of each file in git, or new in the tree, that fits."""
    listed = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard", "--", *patterns],
        cwd=root, check=True, capture_output=True, text=True).stdout
    for name in listed.splitlines():
        path = root / name
        if path.is_file():
            yield name, path.read_text(encoding="utf-8")


def test_environment_variables_are_listed(root):
    """Every variable that code reads, and no other, is a row of the page."""
    read = set()
    for _, text in sources(root, "*.cpp", "*.h", "*.c"):
        read |= set(re.findall(r'getenv\(\s*"(\w+)"', text))
        # A name that is not a literal would hide from this test.
        assert len(re.findall(r"\bgetenv\(", text)) == \
            len(re.findall(r'getenv\(\s*"', text))
    for name, text in sources(root, "*.py", "*.cfg.py"):
        if name != "test/python/test_docs.py":
            read |= set(re.findall(
                r'environ(?:\.get|\.setdefault)?[\[(]\s*"(OPGRAPH_\w+)"', text))
    page = (root / "docs/Environment.md").read_text()
    assert set(re.findall(r"^\| `(\w+)`", page, re.M)) == read


def test_commands_of_the_pages_exist(root):
    """`tools/dev NAME` in prose is a command of its usage text, and every
    command there has a case."""
    usage = subprocess.run([root / "tools/dev", "help"], check=True,
                           capture_output=True, text=True).stdout
    known = set(re.findall(r"^  (\w+) ", usage, re.M)) | {"help"}
    for name, text in sources(root, "*.md"):
        for command in re.findall(r"tools/dev (\w+)", text):
            assert command in known, f"{name}: tools/dev {command}"
    script = (root / "tools/dev").read_text()
    cases = set()
    for line in re.findall(r"^([a-z |-]+)\)", script, re.M):
        cases |= {c.strip() for c in line.split("|")}
    assert known <= cases


def test_links_of_the_pages_exist(root):
    for name, text in sources(root, "*.md"):
        for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", text):
            assert ((root / name).parent / target).exists(), \
                f"{name}: no {target}"


def mutants(root):
    return json.loads((root / "test/mutants.json").read_text())


def test_mutants_fit_the_sources(root):
    """Each text to replace is there exactly once, so that the list does not
    rot between runs of `tools/dev mutants`."""
    names = [m["name"] for m in mutants(root)]
    assert len(names) >= 10 and len(set(names)) == len(names)
    for mutant in mutants(root):
        count = (root / mutant["file"]).read_text().count(mutant["old"])
        assert count == 1, f"{mutant['name']}: found {count} times"
        assert mutant["new"] != mutant["old"] and mutant["tests"]
