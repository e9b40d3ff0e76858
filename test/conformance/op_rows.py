# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Every operation row of the API surface and its state; `python -m
conformance.op_rows` prints the table. A state is `done` or one of LATER."""

import pathlib
import re
import sys

DONE = "done"
LATER = ("later: linear attention", "later: sparse attention",
         "later: causal convolution")
LINEAR, SPARSE, CAUSAL = LATER

_POINTWISE = (
    "identity neg abs ceil floor exp log sqrt rsqrt reciprocal sin cos tan erf "
    "logical_not tanh sigmoid elu gelu gelu_approx_tanh softplus add sub mul "
    "div add_square max min mod pow bias scale logical_and logical_or cmp_eq "
    "cmp_neq cmp_gt cmp_ge cmp_lt cmp_le relu leaky_relu swish gen_index "
    "binary_select relu_backward leaky_relu_backward tanh_backward "
    "sigmoid_backward elu_backward gelu_backward softplus_backward "
    "gelu_approx_tanh_backward swish_backward")
#: group -> operations that are done
_DONE = {
    "pointwise": _POINTWISE,
    "matmul": "matmul matmul_fp8",
    "reduction": "reduction genstats",
    "layout": "reshape transpose slice concatenate",
    "convolution": "conv_fprop conv_dgrad conv_wgrad",
    "normalisation": "layernorm layernorm_backward rmsnorm rmsnorm_backward "
    "adalayernorm adalayernorm_backward instancenorm instancenorm_backward "
    "batchnorm batchnorm_inference batchnorm_backward bn_finalize dbn_weight",
    "block scaling": "block_scale_dequantize block_scale_quantize",
    "mixture of experts": "moe_grouped_matmul moe_grouped_matmul_bwd",
    "rotary embedding": "rope rope_backward",
    "attention": "sdpa sdpa_backward sdpa_fp8 sdpa_fp8_backward sdpa_mxfp8 "
    "sdpa_mxfp8_backward softmax diagonal_band_mask paged_cache_load",
    "resampling": "resample resample_backward",
    "random numbers": "rng",
}
_LATER = {
    ("linear attention", LINEAR): " ".join(
        f"{kind}{form}" for kind in ("gdn", "kda", "gdn2", "gdp", "mamba2")
        for form in ("", "_bwd", "_summary", "_summary_bwd")),
    ("sparse attention", SPARSE): "native_sparse_attention "
    "block_sparse_attention deepseek_sparse_attention",
    ("causal convolution", CAUSAL): "causal_conv1d_forward "
    "causal_conv1d_backward",
}
#: op -> (group, state)
ROWS = {
    **{op: (group, DONE) for group, ops in _DONE.items() for op in ops.split()},
    **{op: key for key, ops in _LATER.items() for op in ops.split()},
}
#: Operations of the dialect that are no row of the surface.
HELPERS = {"constant", "graph", "return", "yield"}

ROOT = pathlib.Path(__file__).resolve().parents[2]
#: op -> the label of its constraints in tests, where it is not the op's name.
_LABELS = {op: "pointwise" for op in _POINTWISE.split()}


def constraints():
    """op -> the numbers of the constraints that its definition lists."""
    sys.path.insert(0, str(ROOT / "tools/devtools"))
    import docs
    found, op = {}, None
    for line in docs.dialect_text("Graph").splitlines():
        heading = re.match(r"### `graph\.(\w+)`", line)
        if heading:
            op = heading.group(1)
            found[op] = set()
        elif line.startswith("#"):
            op = None
        elif op:
            found[op] |= {int(n) for n in re.findall(r"\(C(\d+)\)", line)}
    return found


def tested_constraints():
    """label -> numbers of the constraints that a lit test violates: each names
    its graph `<label>_c<number>` or says so in a comment."""
    found = {}
    for path in (ROOT / "test/lit/dialects/Graph").rglob("*"):
        if path.suffix not in (".mlir", ".test"):
            continue
        text = path.read_text()
        for label, number in re.findall(r"\b([a-z][a-z0-9_]*?)_c(\d+)", text):
            found.setdefault(label, set()).add(int(number))
        # A file of one op may use the numbers alone.
        numbers = {int(n) for n in re.findall(r"\bC(\d+)\b", text)}
        stem = path.stem.removeprefix("invalid-").replace("-", "_")
        found.setdefault(stem, set()).update(numbers)
    return found


def untested_constraints(op, listed, tested):
    """The numbers of the constraints of `op` that no lit test violates."""
    covered = tested.get(op, set()) | tested.get(_LABELS.get(op, op), set())
    return sorted(listed.get(op, set()) - covered)


def table():
    """The table as lines: op, group, state, conformance cases, constraints."""
    from .case import all_cases
    cases, listed = {}, constraints()
    for _, case in all_cases():
        cases[case.op] = cases.get(case.op, 0) + 1
    yield f"{'operation':28} {'group':20} {'cases':>5} {'rules':>5}  state"
    for op, (group, state) in ROWS.items():
        yield (f"{op:28} {group:20} {cases.get(op, 0):5} "
               f"{len(listed.get(op, ())):5}  {state}")
    states = [state for _, state in ROWS.values()]
    yield f"{len(ROWS)} operations, " + ", ".join(
        f"{states.count(s)} {s}" for s in (DONE, *LATER))


if __name__ == "__main__":
    print("\n".join(table()))
