# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The table op x dtype x edge: each cell is tested, not applicable by a rule,
or a failure. Tests record cells; the session's end writes them."""

import html
import json

TESTED, NOT_APPLICABLE, FAILED = "tested", "n/a", "failed"
#: (op, dtype, edge) -> (state, text)
cells = {}


class cell:
    """Records a cell around a block: `with cell(op, dtype, edge): ...`."""

    def __init__(self, op, dtype, edge):
        self.key = (op, dtype, edge)

    def __enter__(self):
        return self

    def __exit__(self, kind, value, trace):
        if kind is None:
            if cells.get(self.key, (TESTED,))[0] != FAILED:
                cells[self.key] = (TESTED, "")
        else:
            cells[self.key] = (FAILED, f"{kind.__name__}: {value}")
        return False


def not_applicable(op, dtype, edge, rule):
    """The cell has no meaning; `rule` is the rule of the op's definition."""
    cells.setdefault((op, dtype, edge), (NOT_APPLICABLE, rule))


def _lines():
    ops = sorted({key[0] for key in cells})
    width = max(map(len, ops), default=0)
    for op in ops:
        states = [state for key, (state, _) in cells.items() if key[0] == op]
        yield (f"{op:<{width}}  {states.count(TESTED):4} tested  "
               f"{states.count(NOT_APPLICABLE):3} n/a  "
               f"{states.count(FAILED):3} failed")


def write(folder, stem="op-table"):
    """STEM.txt (a line per op), STEM.json, STEM.html."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = "\n".join(_lines())
    (folder / f"{stem}.txt").write_text(lines + "\n")
    (folder / f"{stem}.json").write_text(json.dumps(
        [{"op": o, "dtype": d, "edge": e, "state": s, "text": t}
         for (o, d, e), (s, t) in sorted(cells.items())], indent=1))
    ops = sorted({k[0] for k in cells})
    edges = sorted({k[2] for k in cells})
    dtypes = sorted({k[1] for k in cells})
    rows = []
    for op in ops:
        columns = []
        for edge in edges:
            marks = []
            for dtype in dtypes:
                state, text = cells.get((op, dtype, edge), ("", ""))
                if state:
                    marks.append(
                        f'<span class="{state.replace("/", "")}" '
                        f'title="{html.escape(text)}">{dtype}</span>')
            columns.append("<td>" + " ".join(marks) + "</td>")
        rows.append(f"<tr><th>{html.escape(op)}</th>{''.join(columns)}</tr>")
    head = "".join(f"<th>{html.escape(e)}</th>" for e in edges)
    (folder / f"{stem}.html").write_text(
        "<!doctype html><meta charset=utf-8><title>opgraph: op table</title>"
        "<style>body{font:13px sans-serif}td,th{padding:2px 8px;"
        "border:1px solid #ddd;text-align:left}.tested{color:#070}"
        ".na{color:#999}.failed{color:#fff;background:#c00}</style>"
        f"<table><tr><th>op</th>{head}</tr>{''.join(rows)}</table>\n")
