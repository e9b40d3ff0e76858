# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Programs as users of cudnn-frontend write them, with one import changed,
running on the CPU on NumPy buffers and checked against NumPy."""

import math

import ml_dtypes
import numpy as np
import opgraph as cudnn
import pytest

from formulas import pointwise, tensor as f
from support.dtypes import round_to, widen

T = cudnn.data_type
BF16, E4M3, E8M0 = (ml_dtypes.bfloat16, ml_dtypes.float8_e4m3fn,
                    ml_dtypes.float8_e8m0fnu)
NAMES = {np.dtype(np.float32): "f32", np.dtype(np.float16): "f16",
         np.dtype(BF16): "bf16", np.dtype(E4M3): "e4m3"}
TYPES = {np.dtype(np.float32): T.FLOAT, np.dtype(np.float16): T.HALF,
         np.dtype(BF16): T.BFLOAT16, np.dtype(E4M3): T.FP8_E4M3,
         np.dtype(E8M0): T.FP8_E8M0, np.dtype(np.int32): T.INT32,
         np.dtype(np.int64): T.INT64, np.dtype(np.bool_): T.BOOLEAN}


@pytest.fixture
def rng():
    return np.random.default_rng(2026)


def normal(rng, shape, dtype=np.float32, scale=1.0):
    return round_to(rng.normal(0, scale, shape), NAMES[np.dtype(dtype)])


def channels_last(array):
    """The same elements with the channel axis fastest in memory."""
    order = [0, *range(2, array.ndim), 1]
    back = np.argsort(order)
    return np.ascontiguousarray(array.transpose(order)).transpose(back)


def tensor(graph, array, name="", **more):
    return graph.tensor(name=name, dim=array.shape,
                        stride=[s // array.itemsize for s in array.strides],
                        data_type=TYPES[array.dtype], **more)


def new_graph(io=T.HALF, **more):
    return cudnn.pygraph(io_data_type=io, intermediate_data_type=T.FLOAT,
                         compute_data_type=T.FLOAT,
                         handle=cudnn.create_handle(), **more)


def run(graph, pack, outputs):
    """The peers' steps; {output: array} joins the pack. Returns the arrays."""
    graph.validate()
    graph.build_operation_graph()
    graph.create_execution_plans([cudnn.heur_mode.A, cudnn.heur_mode.FALLBACK])
    graph.check_support()
    graph.build_plans(cudnn.build_plan_policy.HEURISTICS_CHOICE)
    workspace = np.empty(graph.get_workspace_size(), np.uint8)
    buffers = []
    for out in outputs:
        dtype = next(d for d, t in TYPES.items() if t is out.get_data_type())
        span = 1 + sum((d - 1) * s for d, s in
                       zip(out.get_dim(), out.get_stride()))
        flat = np.zeros(span, dtype)
        raw = flat.view(f"u{flat.itemsize}")
        buffers.append(np.lib.stride_tricks.as_strided(
            raw, out.get_dim(), [s * flat.itemsize for s in out.get_stride()]
        ).view(dtype))
    graph.execute({**pack, **dict(zip(outputs, buffers))}, workspace)
    return buffers


def close(actual, expected, tolerance):
    np.testing.assert_allclose(widen(actual), expected, rtol=tolerance,
                               atol=tolerance)


def test_matmul_bias_relu(rng):
    a, b = normal(rng, (4, 32, 64), BF16), normal(rng, (4, 64, 48), BF16)
    bias = normal(rng, (1, 1, 48), BF16)
    graph = new_graph(T.BFLOAT16)
    A, B, Bias = (tensor(graph, x, n) for x, n in
                  ((a, "A"), (b, "B"), (bias, "bias")))
    C = graph.matmul(name="matmul", A=A, B=B, compute_data_type=T.FLOAT)
    out = graph.relu(name="relu", input=graph.bias(name="bias", input=C,
                                                   bias=Bias))
    out.set_output(True).set_data_type(T.BFLOAT16)
    got, = run(graph, {A: a, B: b, Bias: bias}, [out])
    close(got, np.maximum(widen(a) @ widen(b) + widen(bias), 0), 2e-2)


def test_swiglu_two_matmuls_share_an_input(rng):
    x, w, v = (normal(rng, s, BF16, 0.3) for s in
               ((1, 24, 32), (1, 32, 40), (1, 32, 40)))
    graph = new_graph(T.BFLOAT16)
    X, W, V = (tensor(graph, a) for a in (x, w, v))
    out = graph.mul(graph.swish(graph.matmul(X, W)), graph.matmul(X, V))
    out.set_output(True)
    got, = run(graph, {X: x, W: w, V: v}, [out])
    want = pointwise.swish(widen(x) @ widen(w)) * (widen(x) @ widen(v))
    close(got, want, 2e-2)


def conv(x, w, padding, stride):
    """y[n, k, p] = sum of x[n, c, p * stride + r - padding] w[k, c, r]."""
    n, _, h, wd = x.shape
    k, _, r, s = w.shape
    room = np.pad(x, ((0, 0), (0, 0), (padding,) * 2, (padding,) * 2))
    oh, ow = ((e + 2 * padding - t) // stride + 1 for e, t in ((h, r), (wd, s)))
    out = np.zeros((n, k, oh, ow))
    for i in range(oh):
        for j in range(ow):
            part = room[:, :, i * stride:i * stride + r, j * stride:j * stride + s]
            out[:, :, i, j] = np.einsum("ncrs,kcrs->nk", part, w)
    return out


@pytest.mark.parametrize("layout", ["NCHW", "NHWC"])
def test_conv_bias_relu(rng, layout):
    x, w = normal(rng, (2, 8, 9, 7), np.float16), normal(
        rng, (12, 8, 3, 3), np.float16, 0.2)
    b = normal(rng, (1, 12, 1, 1), np.float16)
    if layout == "NHWC":
        x, w, b = map(channels_last, (x, w, b))
    graph = new_graph()
    X, W, B = (tensor(graph, a, n) for a, n in ((x, "X"), (w, "W"), (b, "B")))
    Y = graph.conv_fprop(image=X, weight=W, padding=[1, 1], stride=[2, 2],
                         dilation=[1, 1], compute_data_type=T.FLOAT)
    out = graph.relu(graph.bias(input=Y, bias=B)).set_output(True)
    got, = run(graph, {X: x, W: w, B: b}, [out])
    assert out.get_dim() == [2, 12, 5, 4]
    # Channels last whatever the input's layout, as the peers infer it.
    assert out.get_stride() == [240, 1, 48, 12]
    close(got, np.maximum(conv(widen(x), widen(w), 1, 2) + widen(b), 0), 5e-3)


def test_scale_bias_relu_conv_genstats(rng):
    x, w = (channels_last(normal(rng, s, np.float16, 0.5)) for s in
            ((2, 6, 8, 8), (4, 6, 3, 3)))
    s, b = (channels_last(normal(rng, (1, 6, 1, 1), np.float16)) for _ in "sb")
    graph = new_graph()
    X, W, S, B = (tensor(graph, a) for a in (x, w, s, b))
    pre = graph.relu(graph.bias(graph.scale(X, S), B)).set_data_type(T.HALF)
    Y = graph.conv_fprop(pre, W, padding=[1, 1], stride=[1, 1], dilation=[1, 1])
    Y.set_output(True)
    total, squares = graph.genstats(Y, compute_data_type=T.FLOAT)
    for stat in (total, squares):
        stat.set_output(True).set_data_type(T.FLOAT)
    got = run(graph, {X: x, W: w, S: s, B: b}, [Y, total, squares])
    want = conv(widen(round_to(np.maximum(
        widen(x) * widen(s) + widen(b), 0), "f16")), widen(w), 1, 1)
    close(got[0], want, 5e-3)
    stored = widen(got[0])
    close(got[1], stored.sum((0, 2, 3), keepdims=True), 5e-3)
    close(got[2], (stored ** 2).sum((0, 2, 3), keepdims=True), 5e-3)


def test_conv_wgrad(rng):
    x, dy = (channels_last(normal(rng, s, np.float16)) for s in
             ((2, 5, 6, 6), (2, 7, 6, 6)))
    graph = new_graph()
    X, DY = tensor(graph, x, "image"), tensor(graph, dy, "loss")
    DW = graph.conv_wgrad(image=X, loss=DY, padding=[1, 1], stride=[1, 1],
                          dilation=[1, 1], compute_data_type=T.FLOAT)
    DW.set_output(True).set_dim([7, 5, 3, 3])
    got, = run(graph, {X: x, DY: dy}, [DW])
    room = np.pad(widen(x), ((0, 0), (0, 0), (1, 1), (1, 1)))
    want = np.zeros((7, 5, 3, 3))
    for r in range(3):
        for s in range(3):
            want[:, :, r, s] = np.einsum(
                "nkhw,nchw->kc", widen(dy), room[:, :, r:r + 6, s:s + 6])
    close(got, want, 2e-2)


def test_conv_dgrad_drelu(rng):
    """dgrad, then the gradient of the relu before it."""
    dy, w = normal(rng, (1, 4, 6, 6), np.float16), normal(
        rng, (4, 3, 3, 3), np.float16)
    x = normal(rng, (1, 3, 6, 6), np.float16)
    graph = new_graph()
    DY, W, X = (tensor(graph, a) for a in (dy, w, x))
    DX = graph.conv_dgrad(loss=DY, filter=W, padding=[1, 1], stride=[1, 1],
                          dilation=[1, 1])
    DX.set_dim([1, 3, 6, 6])
    out = graph.relu_backward(loss=DX, input=X).set_output(True)
    got, = run(graph, {DY: dy, W: w, X: x}, [out])
    flipped = widen(w)[:, :, ::-1, ::-1].transpose(1, 0, 2, 3)
    want = conv(widen(dy), flipped, 1, 1) * (widen(x) > 0)
    close(got, want, 1e-2)


def by_value(graph, value, rank=4):
    """A scalar on the host, as the peers' samples pass epsilon."""
    array = np.full((1,) * rank, value, np.float32)
    return graph.tensor(name="scalar", dim=array.shape, stride=(1,) * rank,
                        is_pass_by_value=True, data_type=T.FLOAT), array


def test_layernorm_train_and_backward(rng):
    n, c = 24, 40
    x, dy = (normal(rng, (n, c, 1, 1), BF16) for _ in "xd")
    scale, bias = (normal(rng, (1, c, 1, 1)) for _ in "sb")
    graph = new_graph(T.BFLOAT16)
    X, S, B = (tensor(graph, a, name) for a, name in
               ((x, "X"), (scale, "scale"), (bias, "bias")))
    E, eps = by_value(graph, 1e-3)
    Y, mean, inverse = graph.layernorm(
        name="LN", norm_forward_phase=cudnn.norm_forward_phase.TRAINING,
        input=X, scale=S, bias=B, epsilon=E)
    Y.set_output(True).set_data_type(T.BFLOAT16)
    for stat in (mean, inverse):
        stat.set_output(True).set_data_type(T.FLOAT)
    got = run(graph, {X: x, S: scale, B: bias, E: eps}, [Y, mean, inverse])
    want = f.layernorm(widen(x), widen(scale), widen(bias), float(eps.flat[0]), (1,))
    for a, w, tolerance in zip(got, want, (1e-2, 1e-5, 1e-5)):
        close(a, w, tolerance)

    graph = new_graph(T.BFLOAT16)
    DY, X, S, M, R = (tensor(graph, a) for a in (dy, x, scale, got[1], got[2]))
    DX, DS, DB = graph.layernorm_backward(
        name="DLN", grad=DY, input=X, scale=S, mean=M, inv_variance=R)
    DX.set_output(True)
    for result in (DS, DB):
        result.set_output(True).set_data_type(T.FLOAT)
    back = run(graph, {DY: dy, X: x, S: scale, M: got[1], R: got[2]},
               [DX, DS, DB])
    d, hat = widen(dy), (widen(x) - want[1]) * want[2]
    g = d * widen(scale)
    close(back[0], want[2] * (g - g.mean(1, keepdims=True) - hat * (
        g * hat).mean(1, keepdims=True)), 2e-2)
    close(back[1], (d * hat).sum(0, keepdims=True), 1e-3)
    close(back[2], d.sum(0, keepdims=True), 1e-3)


def test_layernorm_zero_centred_gamma(rng):
    x, scale, bias = (normal(rng, s) for s in ((6, 32), (1, 32), (1, 32)))
    graph = new_graph(T.FLOAT)
    X, S, B = (tensor(graph, a) for a in (x, scale, bias))
    E, eps = by_value(graph, 1e-5, 2)
    gamma = graph.add(S, graph.tensor_scalar(1.0))
    Y, _, _ = graph.layernorm(X, gamma, B, E,
                              cudnn.norm_forward_phase.INFERENCE)
    got, = run(graph, {X: x, S: scale, B: bias, E: eps}, [Y.set_output(True)])
    close(got, f.layernorm(widen(x), 1 + widen(scale), widen(bias), 1e-5,
                           (1,))[0], 1e-5)


def test_rmsnorm_inference_and_silu(rng):
    x, scale = normal(rng, (4, 6, 48), BF16), normal(rng, (1, 1, 48), BF16)
    graph = new_graph(T.BFLOAT16)
    X, S = tensor(graph, x, "X"), tensor(graph, scale, "scale")
    E, eps = by_value(graph, 1e-5, 3)
    Y, inverse = graph.rmsnorm(
        norm_forward_phase=cudnn.norm_forward_phase.INFERENCE, input=X,
        scale=S, epsilon=E)
    assert inverse is None
    out = graph.swish(Y).set_output(True)
    got, = run(graph, {X: x, S: scale, E: eps}, [out])
    want = f.rmsnorm(widen(x), widen(scale), None, 1e-5, (2,))[0]
    close(got, pointwise.swish(want), 2e-2)


def test_batchnorm_train_with_relu_mask(rng):
    x = channels_last(normal(rng, (4, 8, 5, 5), np.float16))
    scale, bias, mean0 = (normal(rng, (1, 8, 1, 1)) for _ in range(3))
    var0 = round_to(rng.uniform(0.5, 2, (1, 8, 1, 1)), "f32")
    graph = new_graph()
    X, S, B, M0, V0 = (tensor(graph, a) for a in (x, scale, bias, mean0, var0))
    E, eps = by_value(graph, 1e-5)
    Mo, momentum = by_value(graph, 0.1)
    Y, *stats = graph.batchnorm(
        name="BN", input=X, scale=S, bias=B, in_running_mean=M0,
        in_running_var=V0, epsilon=E, momentum=Mo)
    out = graph.relu(Y).set_output(True).set_data_type(T.HALF)
    mask = graph.cmp_gt(Y, graph.tensor_scalar(0.0)).set_output(True)
    mask.set_data_type(T.BOOLEAN)
    for stat in stats:
        stat.set_output(True).set_data_type(T.FLOAT)
    got = run(graph, {X: x, S: scale, B: bias, M0: mean0, V0: var0, E: eps,
                      Mo: momentum}, [out, mask, *stats])
    axes, count = (0, 2, 3), 4 * 5 * 5
    y, mean, inverse = f.layernorm(widen(x), widen(scale), widen(bias), 1e-5,
                                   axes)
    close(got[0], np.maximum(y, 0), 5e-3)
    assert ((got[1] != 0) == (y > 0))[np.abs(y) > 1e-3].all()
    variance = widen(x).var(axes, keepdims=True)
    for a, w in zip(got[2:], (
            mean, inverse, 0.9 * widen(mean0) + 0.1 * mean,
            0.9 * widen(var0) + 0.1 * variance * count / (count - 1))):
        close(a, w, 1e-4)


def test_drelu_batchnorm_backward(rng):
    x, dy = (normal(rng, (3, 4, 5, 5), np.float16) for _ in "xd")
    scale = normal(rng, (1, 4, 1, 1))
    mean = widen(x).mean((0, 2, 3), keepdims=True)
    inverse = 1 / np.sqrt(widen(x).var((0, 2, 3), keepdims=True) + 1e-5)
    graph = new_graph()
    arrays = [dy, x, scale, round_to(mean, "f32"), round_to(inverse, "f32")]
    DY, X, S, M, R = (tensor(graph, a) for a in arrays)
    loss = graph.relu_backward(loss=DY, input=X)
    DX, DS, DB = graph.batchnorm_backward(grad=loss, input=X, scale=S, mean=M,
                                          inv_variance=R)
    DX.set_output(True)
    for result in (DS, DB):
        result.set_output(True).set_data_type(T.FLOAT)
    got = run(graph, dict(zip((DY, X, S, M, R), arrays)), [DX, DS, DB])
    d = widen(dy) * (widen(x) > 0)
    hat, g = (widen(x) - mean) * inverse, d * widen(scale)
    axes = dict(axis=(0, 2, 3), keepdims=True)
    close(got[0], inverse * (g - g.mean(**axes) - hat * (g * hat).mean(**axes)),
          1e-2)
    close(got[1], (d * hat).sum(**axes), 1e-2)
    close(got[2], d.sum(**axes), 1e-2)


def bshd(array):
    """[B, H, S, D] with heads between sequence and width in memory."""
    return np.ascontiguousarray(array.transpose(0, 2, 1, 3)).transpose(0, 2, 1, 3)


def test_sdpa_causal_and_backward(rng):
    b, h, s, d = 2, 4, 24, 16
    q, k, v, do = (bshd(normal(rng, (b, h, s, d), BF16)) for _ in range(4))
    scale = 1 / math.sqrt(d)
    graph = new_graph(T.BFLOAT16)
    Q, K, V = (tensor(graph, a, n) for a, n in ((q, "Q"), (k, "K"), (v, "V")))
    O, stats = graph.sdpa(name="sdpa", q=Q, k=K, v=V, is_inference=False,
                          attn_scale=scale, use_causal_mask=True)
    O.set_output(True).set_dim(q.shape).set_stride([s * h * d, d, h * d, 1])
    stats.set_output(True).set_data_type(T.FLOAT)
    o, lse = run(graph, {Q: q, K: k, V: v}, [O, stats])
    want, want_stats = f.sdpa(*map(widen, (q, k, v)), scale=scale, right=0)
    close(o, want, 2e-2)
    close(lse, want_stats, 1e-3)

    graph = new_graph(T.BFLOAT16)
    arrays = [q, k, v, o, do, lse]
    Q, K, V, O, DO, S = tensors = [tensor(graph, a) for a in arrays]
    grads = graph.sdpa_backward(
        name="bwd", q=Q, k=K, v=V, o=O, dO=DO, stats=S, attn_scale=scale,
        use_causal_mask=True)
    for grad in grads:
        grad.set_output(True).set_dim(q.shape).set_stride(
            [s * h * d, d, h * d, 1])
    got = run(graph, dict(zip(tensors, arrays)), grads)
    q, k, v, o, do = map(widen, arrays[:5])
    score = np.where(np.tril(np.ones((s, s), bool)),
                     scale * q @ k.transpose(0, 1, 3, 2), -np.inf)
    p = np.exp(score - want_stats)
    ds = p * (do @ v.transpose(0, 1, 3, 2) - (do * o).sum(-1, keepdims=True))
    for a, w in zip(got, (ds @ k * scale, ds.transpose(0, 1, 3, 2) @ q * scale,
                          p.transpose(0, 1, 3, 2) @ do)):
        close(a, w, 4e-2)


def test_sdpa_ragged(rng):
    """Packed sequences of different lengths."""
    lengths = np.array([5, 9, 0, 3], np.int32)
    b, h, most, d = 4, 2, 12, 8
    total = int(lengths.sum())
    packed = [normal(rng, (total, h, d), BF16) for _ in "qkv"]
    starts = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int32)
    offsets = (starts * h * d).reshape(b + 1, 1, 1, 1)
    sizes = lengths.reshape(b, 1, 1, 1)
    graph = new_graph(T.BFLOAT16)
    R = graph.tensor(dim=[b + 1, 1, 1, 1], stride=[1, 1, 1, 1],
                     data_type=T.INT32, name="ragged")
    L = tensor(graph, sizes, "lengths")
    stride = [most * h * d, d, h * d, 1]
    Q, K, V = (graph.tensor(name=n, dim=[b, h, most, d], stride=stride,
                            data_type=T.BFLOAT16, ragged_offset=R)
               for n in "QKV")
    O, _ = graph.sdpa(q=Q, k=K, v=V, is_inference=True, attn_scale=0.35,
                      use_padding_mask=True, seq_len_q=L, seq_len_kv=L,
                      use_causal_mask=True)
    O.set_output(True).set_dim([b, h, most, d]).set_stride(stride)
    O.set_ragged_offset(R)
    graph.build([cudnn.heur_mode.A, cudnn.heur_mode.FALLBACK])
    out = np.full((total, h, d), 7, BF16)
    workspace = np.empty(graph.get_workspace_size(), np.uint8)
    graph.execute({Q: packed[0], K: packed[1], V: packed[2], R: offsets,
                   L: sizes, O: out}, workspace)
    for first, last in zip(starts, starts[1:]):
        q, k, v = (widen(a[first:last]).transpose(1, 0, 2)[None] for a in packed)
        if last > first:
            want, _ = f.sdpa(q, k, v, scale=0.35, right=0)
            close(out[first:last], want[0].transpose(1, 0, 2), 2e-2)


def test_sdpa_paged_decode(rng):
    """One query per sequence against a cache of pages."""
    b, hq, hk, d, block, most = 3, 4, 2, 8, 4, 16
    blocks = 11
    lengths = np.array([13, 1, 16], np.int32).reshape(b, 1, 1, 1)
    q = normal(rng, (b, hq, 1, d), np.float16)
    cache_k, cache_v = (normal(rng, (blocks, hk, block, d), np.float16)
                        for _ in "kv")
    table = rng.integers(0, blocks, (b, 1, most // block, 1)).astype(np.int32)
    ones = np.ones((b, 1, 1, 1), np.int32)
    graph = new_graph()
    Q, K, V = (tensor(graph, a) for a in (q, cache_k, cache_v))
    TK, L, L1 = (tensor(graph, a) for a in (table, lengths, ones))
    O, _ = graph.sdpa(q=Q, k=K, v=V, is_inference=True, attn_scale=0.3,
                      use_padding_mask=True, seq_len_q=L1, seq_len_kv=L,
                      paged_attention_k_table=TK, paged_attention_v_table=TK,
                      paged_attention_max_seq_len_kv=most)
    O.set_output(True)
    got, = run(graph, {Q: q, K: cache_k, V: cache_v, TK: table, L: lengths,
                       L1: ones}, [O])
    k, v = (np.concatenate([c[table[:, 0, page, 0]] for page in
                            range(most // block)], axis=2)
            for c in (cache_k, cache_v))
    want, _ = f.sdpa(*map(widen, (q, k, v)), scale=0.3,
                     seq_kv=lengths.reshape(-1))
    close(got, want, 5e-3)


def test_sdpa_score_mod_soft_cap(rng):
    q, k, v = (normal(rng, (1, 2, 10, 8), BF16) for _ in "qkv")
    graph = new_graph(T.BFLOAT16)
    Q, K, V = (tensor(graph, a) for a in (q, k, v))
    cap, value = by_value(graph, 5.0)

    def soft_cap(inner, score):
        return inner.mul(inner.tanh(inner.div(score, cap)), cap)
    O, _ = graph.sdpa(q=Q, k=K, v=V, is_inference=True, attn_scale=0.5,
                      score_mod=soft_cap)
    got, = run(graph, {Q: q, K: k, V: v, cap: value}, [O.set_output(True)])
    q, k, v = map(widen, (q, k, v))
    score = 5 * np.tanh(0.5 * q @ k.transpose(0, 1, 3, 2) / 5)
    close(got, f.softmax(score)[0] @ v, 2e-2)


def test_rope(rng):
    x = normal(rng, (2, 3, 7, 12), BF16)
    angles = round_to(rng.uniform(-3, 3, (7, 1, 1, 8)), "f32")
    angles[..., 4:] = angles[..., :4]
    graph = new_graph(T.BFLOAT16)
    X, A = tensor(graph, x), tensor(graph, angles)
    got, = run(graph, {X: x, A: angles},
               [graph.rope(X, A, 1.0, 8).set_output(True)])
    t = widen(angles)[:, 0, 0, :4]
    low, high = widen(x)[..., 4:8], widen(x)[..., 8:]
    want = np.concatenate([
        widen(x)[..., :4], low * np.cos(t) - high * np.sin(t),
        high * np.cos(t) + low * np.sin(t)], -1)
    close(got, want, 2e-2)


def quantise(values, axis, block, kind):
    """(elements as float64, scales as float64) of one format along `axis`."""
    moved = np.moveaxis(values, axis, -1)
    parts = moved.reshape(*moved.shape[:-1], -1, block)
    amax = np.abs(parts).max(-1)
    if kind == "MXFP8":
        scale = 2.0 ** np.ceil(np.log2(np.maximum(amax, 2.0 ** -100) / 448))
        data = widen(round_to(parts / scale[..., None], "e4m3"))
    else:
        scale = widen(round_to(amax / 6, "e4m3"))
        data = widen(round_to(parts / scale[..., None], "f4"))
    return (np.moveaxis(data.reshape(moved.shape), -1, axis),
            np.moveaxis(scale, -1, axis))


@pytest.mark.parametrize("kind, block", [("MXFP8", 32), ("NVFP4", 16)])
def test_block_scale_matmul(rng, kind, block):
    """Two operands with a scale for each block along K, in the layout the
    hardware takes scales in."""
    m, k, n = 128, 128, 128
    a, b = rng.normal(0, 2, (1, m, k)), rng.normal(0, 2, (1, k, n))
    qa, sa = quantise(a, 2, block, kind)
    qb, sb = quantise(b, 1, block, kind)
    narrow = E8M0 if kind == "MXFP8" else E4M3
    scale_type = T.FP8_E8M0 if kind == "MXFP8" else T.FP8_E4M3
    data_type = T.FP8_E4M3 if kind == "MXFP8" else T.FP4_E2M1
    graph = cudnn.pygraph(io_data_type=T.FLOAT, intermediate_data_type=T.FLOAT,
                          compute_data_type=T.FLOAT)
    A = graph.tensor(name="A", dim=[1, m, k], stride=[m * k, k, 1],
                     data_type=data_type)
    B = graph.tensor(name="B", dim=[1, k, n], stride=[k * n, 1, k],
                     data_type=data_type)
    blocks = k // block
    order = cudnn.tensor_reordering.F8_128x4
    SA = graph.tensor(name="SA", dim=[1, m, blocks],
                      stride=[m * blocks, blocks, 1], data_type=scale_type,
                      reordering_type=order)
    SB = graph.tensor(name="SB", dim=[1, blocks, n],
                      stride=[n * blocks, 1, blocks], data_type=scale_type,
                      reordering_type=order)
    DA = graph.block_scale_dequantize(A, SA, block_size=[1, block])
    DB = graph.block_scale_dequantize(B, SB, block_size=[block, 1])
    out = graph.matmul(DA, DB).set_output(True)
    if kind == "MXFP8":
        # As declared: a view of [1, k, n] whose axis k has stride 1.
        bytes_a, bytes_b = qa.astype(E4M3), np.ascontiguousarray(
            qb.astype(E4M3).transpose(0, 2, 1)).transpose(0, 2, 1)
    else:
        bytes_a = cudnn.pack_fp4(qa)
        bytes_b = cudnn.pack_fp4(qb.transpose(0, 2, 1))
    packed_a = cudnn.pack_scale_128x4(sa.astype(narrow))
    packed_b = cudnn.pack_scale_128x4(sb.transpose(0, 2, 1).astype(narrow))
    graph.build([cudnn.heur_mode.A, cudnn.heur_mode.FALLBACK])
    got = np.empty((1, m, n), np.float32)
    graph.execute({A: bytes_a.view(np.uint8), B: bytes_b.view(np.uint8),
                   SA: packed_a.view(np.uint8), SB: packed_b.view(np.uint8),
                   out: got}, np.empty(graph.get_workspace_size(), np.uint8))
    exact = (qa * np.repeat(sa, block, 2)) @ (qb * np.repeat(sb, block, 1))
    close(got, exact, 1e-3)
    # And the formats do hold the values.
    relative = np.abs(got - a @ b).mean() / np.abs(a @ b).mean()
    assert relative < (0.06 if kind == "MXFP8" else 0.25)


def test_layernorm_then_block_quantise(rng):
    x = normal(rng, (1, 8, 64))
    scale, bias = np.ones((1, 1, 64), np.float32), np.zeros((1, 1, 64), np.float32)
    graph = new_graph(T.FLOAT)
    X, S, B = (tensor(graph, a) for a in (x, scale, bias))
    E, eps = by_value(graph, 1e-5, 3)
    Y, _, _ = graph.layernorm(X, S, B, E, cudnn.norm_forward_phase.INFERENCE)
    Q, QS = graph.block_scale_quantize(Y, block_size=32, axis=2)
    Q.set_output(True).set_data_type(T.FP8_E4M3)
    QS.set_output(True).set_data_type(T.FP8_E8M0)
    q, qs = run(graph, {X: x, S: scale, B: bias, E: eps}, [Q, QS])
    want = f.layernorm(widen(x), None, None, 1e-5, (2,))[0]
    assert q.shape == (1, 8, 64) and qs.shape == (1, 8, 2)
    _, scales = quantise(want, 2, 32, "MXFP8")
    np.testing.assert_array_equal(widen(qs), scales)
    close(widen(q) * np.repeat(widen(qs), 32, 2), want, 7e-2)


def test_moe_gather_swiglu_scatter(rng):
    """Tokens gathered by expert, two grouped matmuls, and back to their slots."""
    tokens, slots, experts, k, n = 6, 2, 3, 16, 12
    x = normal(rng, (1, tokens, k), BF16)
    up, down = (normal(rng, s, BF16, 0.3) for s in
                ((experts, k, n), (experts, n, k)))
    chosen = np.array([rng.permutation(experts)[:slots] for _ in range(tokens)])
    order = sorted(((e, t, s) for t in range(tokens) for s, e in
                    enumerate(chosen[t])))
    rows = len(order)
    index = np.array([t for _, t, _ in order], np.int32).reshape(1, rows, 1)
    slot = np.array([s for _, _, s in order], np.int32).reshape(1, rows, 1)
    starts = np.array([sum(e < g for e, _, _ in order)
                       for g in range(experts + 1)], np.int32).reshape(-1, 1, 1)
    mode = cudnn.moe_grouped_matmul_mode
    graph = new_graph(T.BFLOAT16)
    X, U, D, F, I, K = (tensor(graph, a) for a in
                        (x, up, down, starts, index, slot))
    hidden = graph.swish(graph.moe_grouped_matmul(
        X, U, F, token_index=I, mode=mode.GATHER, compute_data_type=T.FLOAT))
    hidden.set_data_type(T.BFLOAT16)
    out = graph.moe_grouped_matmul(
        hidden, D, F, token_index=I, token_ks=K, mode=mode.SCATTER,
        top_k=slots, compute_data_type=T.FLOAT).set_output(True)
    got, = run(graph, {X: x, U: up, D: down, F: starts, I: index, K: slot}, [out])
    assert got.shape == (1, rows, k)
    for e, t, s in order:
        inner = pointwise.swish(widen(x)[0, t] @ widen(up)[e])
        inner = widen(round_to(inner, "bf16"))
        close(got[0, t * slots + s], inner @ widen(down)[e], 3e-2)


def test_fp8_matmul_with_amax(rng):
    a, b = (normal(rng, s, E4M3) for s in ((1, 16, 32), (1, 32, 24)))
    graph = new_graph(T.FP8_E4M3)
    A, B = tensor(graph, a), tensor(graph, b)
    SA, sa = by_value(graph, 0.5, 3)
    SB, sb = by_value(graph, 0.25, 3)
    C = graph.scale(graph.scale(graph.matmul(A, B), SA), SB)
    C.set_output(True).set_data_type(T.FP8_E4M3)
    amax = graph.reduction(C, mode=cudnn.reduction_mode.AMAX)
    amax.set_output(True).set_dim([1, 1, 1]).set_stride([1, 1, 1])
    amax.set_data_type(T.FLOAT)
    c, top = run(graph, {A: a, B: b, SA: sa, SB: sb}, [C, amax])
    want = widen(a) @ widen(b) / 8
    close(c, want, 7e-2)
    assert top.item() == np.abs(widen(c)).max()


def test_boolean_fusion(rng):
    x, y = normal(rng, (4, 33)), normal(rng, (4, 33))
    graph = new_graph(T.FLOAT)
    X, Y = tensor(graph, x), tensor(graph, y)
    zero = graph.tensor_scalar(0.0)
    both = graph.logical_and(
        graph.cmp_gt(X, zero, compute_data_type=T.FLOAT),
        graph.cmp_gt(Y, zero, compute_data_type=T.FLOAT))
    got, = run(graph, {X: x, Y: y}, [both.set_output(True).set_data_type(T.BOOLEAN)])
    np.testing.assert_array_equal(got, (x > 0) & (y > 0))


def test_dropout_mask_is_the_one_dumped(rng):
    """Attention with dropout: the dumped mask explains the result."""
    b, h, s, d = 1, 2, 12, 8
    q, k, v = (normal(rng, (b, h, s, d), np.float16) for _ in "qkv")
    seed, offset = (np.full((1, 1, 1, 1), n, np.int64) for n in (1234, 8))
    graph = new_graph()
    Q, K, V, S, P = (tensor(graph, a) for a in (q, k, v, seed, offset))
    dump = graph.tensor(name="dump", dim=[b, h, s, s],
                        stride=[h * s * s, s * s, s, 1], data_type=T.FLOAT)
    O, _ = graph.sdpa(q=Q, k=K, v=V, is_inference=True, attn_scale=0.4,
                      dropout=(0.3, S, P), rng_dump=dump)
    dump.set_output(True)
    o, keep = run(graph, {Q: q, K: k, V: v, S: seed, P: offset},
                  [O.set_output(True), dump])
    assert set(np.unique(keep)) == {0.0, 1.0}
    q, k, v = map(widen, (q, k, v))
    p = f.softmax(0.4 * q @ k.transpose(0, 1, 3, 2))[0]
    close(o, (p * keep / 0.7) @ v, 5e-3)
