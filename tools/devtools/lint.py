#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Rules that a compiler does not check: who includes whom, file length, and
files in a plain spelling. Prints each breach; exit code 1 when there is one."""

import pathlib
import re
import subprocess
import sys

# Which folders' headers a folder may include, besides its own
# (docs/Architecture.md, "Folders").
ALLOWED = {
    "dialects": {"dialects", "opgraph-c"},
    "passes": {"passes", "dialects", "opgraph-c"},
    "codegen": {"codegen", "dialects", "opgraph-c"},
    "runtime": {"runtime", "opgraph-c"},
    "lib": {"lib", "passes", "codegen", "dialects", "opgraph-c", "opgraph"},
    "tools": {"lib", "tools", "passes", "codegen", "dialects", "opgraph-c",
              "opgraph"},
    "python": {"python", "opgraph-c", "opgraph"},
    "include": {"opgraph-c", "opgraph"},
}
# Files that see something more, each with its reason.
EXCEPTIONS = {
    # The plan file's writer shares the format's constants with its reader.
    ("codegen/PlanFile", "runtime"),
}
OUR_FOLDERS = {"dialects", "passes", "codegen", "runtime", "lib", "tools",
               "python", "opgraph-c", "opgraph"}
RUNTIME_FORBIDDEN = ("mlir/", "llvm/", "mlir-c/", "llvm-c/")
MAX_LINES = 800
INCLUDE = re.compile(r'^\s*#\s*include\s+["<]([^">]+)[">]')


def tracked():
    out = subprocess.run(
        ["git", "ls-files", "-co", "--exclude-standard"], check=True,
        capture_output=True, text=True).stdout
    return [pathlib.Path(p) for p in out.splitlines() if pathlib.Path(p).is_file()]


def check_includes(path, lines):
    top = path.parts[0]
    for number, line in enumerate(lines, 1):
        match = INCLUDE.match(line)
        if not match:
            continue
        header = match.group(1)
        target = header.split("/")[0]
        if top == "runtime" and header.startswith(RUNTIME_FORBIDDEN):
            yield f"{path}:{number}: runtime/ may not include {header}"
        if target in OUR_FOLDERS and target not in ALLOWED[top]:
            if (str(path.parent), target) in EXCEPTIONS:
                continue
            yield (f"{path}:{number}: {top}/ may include "
                   f"{', '.join(sorted(ALLOWED[top]))}, not {header}")


def main():
    breaches = []
    for path in tracked():
        if path.suffix not in (".cpp", ".h", ".c", ".td", ".py", ".sh", ".mlir"):
            continue
        lines = path.read_text(encoding="utf-8").splitlines()
        if len(lines) > MAX_LINES:
            breaches.append(f"{path}: {len(lines)} lines, at most {MAX_LINES}")
        if path.suffix in (".cpp", ".h", ".c") and path.parts[0] in ALLOWED:
            breaches.extend(check_includes(path, lines))
    print("\n".join(breaches) or "lint: no breach")
    return 1 if breaches else 0


if __name__ == "__main__":
    sys.exit(main())
