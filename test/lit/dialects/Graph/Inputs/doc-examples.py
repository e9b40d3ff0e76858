"""Prints the MLIR examples of an op reference page (mlir-tblgen -gen-op-doc),
parted for --split-input-file. Fails if an op has none."""
import re
import sys

page = sys.stdin.read()
sections = re.split(r"^### `(graph\.\w+)` \(", page, flags=re.M)[1:]
examples, missing = [], []
for name, text in zip(sections[::2], sections[1::2]):
    found = re.findall(r"^```mlir\n(.*?)^```", text, flags=re.M | re.S)
    # graph.return stands in every example, graph.yield in those with a region.
    if not found and name not in ("graph.return", "graph.yield"):
        missing.append(name)
    examples += found
if missing:
    sys.exit("no ```mlir example on the page of " + ", ".join(missing))
print("// -----\n".join(examples))
