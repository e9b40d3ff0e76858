# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Hostile input for the operations with structure of their own: lengths,
offsets, page tables and indices at run time beside pages of memory that no one
may touch, extents that lose all elements or overflow, attributes at the ends of
their range. Whatever may crash runs in a process of its own."""

import faulthandler
import fnmatch
import itertools
import subprocess
import sys

if __name__ == "__main__":
    # The child of test_numbers_that_say_where_to_go; this sets the paths.
    import conftest  # noqa: F401

import numpy as np
import opgraph
import pytest

from support import graphs

T = opgraph.data_type
REFUSED = (ValueError, RuntimeError, opgraph.cudnnGraphNotSupportedError)
I64 = 2 ** 63 - 1
NAN = float("nan")
#: What lengths, offsets, page numbers and indices may hold by mistake.
HOSTILE = (-1, 0, 1, 2, 5, 64, 129, -7, 2 ** 31 - 1, -2 ** 31, 2 ** 30)
HOSTILE_64 = (*HOSTILE, I64, -I64 - 1, 2 ** 62, 2 ** 32 + 1, -2 ** 33)


# --- run-time operands, in a child process -----------------------------------

#: Operations that read numbers which say where to go, by pattern of cases.
WANDERING = {
    "moe_grouped_matmul": "*", "moe_grouped_matmul_bwd": "*",
    "reduction": "*groups*", "sdpa": "*set=[rp]a*ed*",
    "sdpa_fp8": "*set=storage*", "sdpa_backward": "*ragged*",
    "paged_cache_load": "*", "block_scale_quantize": "*group*",
    "resample_backward": "*MAXPOOL*"}
CASES, TRIALS = 4, 3


class GuardPages:
    """Memory that ends, or begins, at a page which may not be touched."""

    def __init__(self):
        import ctypes
        self.kept = []
        self.protect = ctypes.CDLL(None).mprotect
        self.protect.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int]

    def bytes(self, size, at_end):
        import mmap
        page = mmap.PAGESIZE
        room = -(-max(size, 1) // page) * page
        self.kept.append(mmap.mmap(-1, room + 2 * page))
        whole = np.frombuffer(self.kept[-1], np.uint8)
        for start in (0, room + page):
            assert self.protect(whole.ctypes.data + start, page, 0) == 0
        start = page + (room - size if at_end else 0)
        return whole[start:start + size]


def declared_bytes(tensor, bits, least=0):
    """Bytes of a tensor, ragged ones at the declared capacity: `least` elements
    and as many batches as there are, each with the span of one."""
    dim, stride = tensor.get_dim(), tensor.get_stride()
    if 0 in dim:
        return 0
    reach = [(d - 1) * s for d, s in zip(dim, stride)]
    span = max(1 + sum(reach), least)
    if tensor._info()["ragged_offset"] >= 0:
        span = max(span, dim[0] * (1 + sum(reach[1:])))
    return -(-span * bits // 8)


class Wanderer:
    """A conformance case whose integers are changed between runs."""

    def __init__(self, owner, case, at_end):
        from conformance.runner import Inputs, _outputs, new_graph
        self.pages, self.at_end = GuardPages(), at_end
        self.graph = new_graph(case)
        operands = owner.operands(case, np.random.default_rng(case.seed))
        self.inputs = Inputs(self.graph, operands)
        outputs = _outputs(owner.build(case, self.graph, self.inputs.tensors))
        self.outputs = {o.tensor: o.elements or 0 for o in outputs.values()}
        for tensor in self.outputs:
            tensor.set_output(True)
        for tensor in [*self.outputs, *self.inputs.tensors.values()]:
            tensor.set_alignment(1)
        self.graph.create_execution_plan(graphs.REFERENCE)
        self.graph.build_plans()
        self.operands = operands

    def numbers(self, rng, shape, dtype):
        pool = HOSTILE_64 if dtype == "i64" else \
            range(128) if dtype == "i8" else HOSTILE
        values = np.array([pool[i] for i in rng.integers(
            len(pool), size=int(np.prod(shape)))], np.int64)
        return np.sort(values)[::-1].reshape(shape) if rng.random() < 0.2 \
            else values.reshape(shape)

    def run(self, rng):
        """(bytes of the results, the buffers, the workspace)."""
        from support.dtypes import bits_of
        pack = {}
        for name, tensor in self.inputs.tensors.items():
            memory, operand = self.inputs.memory[name], self.operands[name]
            if operand.dtype in ("i32", "i64", "i8") and rng.random() < 0.7:
                memory.write(self.numbers(rng, np.shape(operand.values),
                                          operand.dtype))
            if operand.by_value:
                pack[tensor] = memory.read()
                continue
            size = max(memory.body.size,
                       declared_bytes(tensor, bits_of(operand.dtype)))
            pack[tensor] = self.pages.bytes(size, self.at_end)
            pack[tensor][:memory.body.size] = memory.body
        for tensor, least in self.outputs.items():
            size = declared_bytes(tensor, bits_of(name_of(tensor)), least)
            pack[tensor] = self.pages.bytes(size, self.at_end)
        size = self.graph.get_workspace_size()
        work = self.pages.bytes(-(-size // 64) * 64, True)[:size]
        self.graph.execute(pack, work if size else None)
        return [pack[tensor].tobytes() for tensor in self.outputs], pack, work


def name_of(tensor):
    from support.dtypes import ANY_OPGRAPH
    return next(name for name, kind in ANY_OPGRAPH.items()
                if kind is tensor.get_data_type())


def wander(op):
    """In the child: runs cases of `op` on hostile numbers, each twice; both
    runs have to agree, so the result is defined by the operands alone."""
    from conformance.case import all_cases
    cases = [(o, c) for o, c in all_cases(op)
             if fnmatch.fnmatch(c.id, WANDERING[op])]
    # One step through all of them, whatever their number.
    for index in range(CASES):
        owner, case = cases[index * (len(cases) - 1) // max(CASES - 1, 1)]
        print(op, case.id, flush=True)
        wanderer = Wanderer(owner, case, at_end=index % 2 == 0)
        rng = np.random.default_rng(index)
        for _ in range(TRIALS):
            first, pack, work = wanderer.run(rng)
            wanderer.graph.execute(pack, work if work.size else None)
            assert first == [pack[t].tobytes() for t in wanderer.outputs]


def test_numbers_that_say_where_to_go():
    done = subprocess.run([sys.executable, __file__], timeout=120,
                          capture_output=True, text=True)
    assert done.returncode == 0, (
        f"exit {done.returncode} in {done.stdout.splitlines()[-1:]}\n"
        + done.stderr[-2000:])


# --- extents -----------------------------------------------------------------

def attend(graph, q, k, v, **more):
    tensors = [graph.tensor(dim=dim, data_type=T.FLOAT) for dim in (q, k, v)]
    return graph.sdpa(*tensors, is_inference=True, **more)[0]


def convolve(graph, x, w):
    return graph.conv_fprop(
        graph.tensor(dim=x), graph.tensor(dim=w), padding=[0], stride=[1],
        dilation=[1])


def resample(graph, x, mode, **more):
    given = dict(window=[2], stride=[1], pre_padding=[0], post_padding=[0])
    given.update(more)
    return graph.resample(graph.tensor(dim=x), mode, **given)[0]


BIG = 2 ** 40
EMPTY = {
    "attention, batch": lambda g: attend(g, *[[0, 2, 4, 8]] * 3),
    "attention, heads": lambda g: attend(g, *[[2, 0, 4, 8]] * 3),
    "attention, queries": lambda g: attend(g, [2, 2, 0, 8],
                                           *[[2, 2, 4, 8]] * 2),
    "attention, keys": lambda g: attend(g, [2, 2, 4, 8], *[[2, 2, 0, 8]] * 2),
    "attention, depth": lambda g: attend(g, *[[2, 2, 4, 0]] * 2, [2, 2, 4, 3]),
    "attention, huge": lambda g: attend(
        g, [0, 1, BIG, 1], *[[0, 1, 8, 1]] * 2),
    "convolution, batch": lambda g: convolve(g, [0, 4, 6], [8, 4, 3]),
    "convolution, filters": lambda g: convolve(g, [2, 4, 6], [0, 4, 3]),
    "convolution, channels": lambda g: convolve(g, [2, 0, 6], [8, 0, 3]),
    "convolution, huge": lambda g: convolve(g, [0, 1, BIG], [1, 1, 3]),
    "pooling": lambda g: resample(g, [0, 3, BIG], "MAXPOOL"),
    "rope": lambda g: g.rope(g.tensor(dim=[2, 3, 0, 8]),
                             g.tensor(dim=[0, 1, 1, 8])),
    "rng": lambda g: g.rng(seed=1, probability=0.5).set_dim([0, BIG]),
}


@pytest.mark.parametrize("name", EMPTY)
def test_extents_of_zero_run(name):
    graph = graphs.new_graph()
    out = EMPTY[name](graph).set_output(True)
    graph.create_execution_plan(graphs.REFERENCE)
    graph.build_plans()
    pack = {t: np.zeros(t.get_dim(), np.float32) for t in graph.get_inputs()}
    got, check = graphs.empty_like_tensor(out)
    pack[out] = got
    size = graph.get_workspace_size()
    graph.execute(pack, np.empty(size, np.uint8) if size else None)
    check()
    # What nothing contributes to is 0.
    assert not got.any()


OVERFLOW = {
    "attention": lambda g: attend(g, *[[2 ** 30, 2 ** 30, 4, 8]] * 3),
    "convolution": lambda g: convolve(g, [1, 1, 2 ** 59], [1, 1, 3]),
    "filter": lambda g: convolve(g, [1, 1, 6], [1, 1, 2 ** 59]),
    "resample": lambda g: resample(
        g, [1, 1, 2 ** 40], "NEAREST", window=[1], denominator=2 ** 31 - 1),
    "rope": lambda g: g.rope(g.tensor(dim=[1, 1, 1, 2 ** 59]),
                             g.tensor(dim=[1, 1, 1, 2 ** 59])),
    "rng": lambda g: g.rng(seed=1, probability=0.5).set_dim([2 ** 59]),
}


@pytest.mark.parametrize("name", OVERFLOW)
def test_extents_that_overflow(name):
    graph = graphs.new_graph()
    with pytest.raises(REFUSED):
        OVERFLOW[name](graph).set_output(True)
        graph.validate()


def temporaries(graph):
    """Results of 2^54 elements that no operand has."""
    a, b = graph.tensor(dim=[2 ** 27, 1]), graph.tensor(dim=[1, 2 ** 27])
    row = graph.exp(graph.add(a, b))
    return graph.reduction(row, mode=opgraph.reduction_mode.ADD).set_dim([1, 1])


UNADDRESSABLE = {
    "temporaries": temporaries,
    "scores": lambda g: attend(g, [1, 1, 4, 0], *[[1, 1, 2 ** 58, 0]] * 2)}


@pytest.mark.parametrize("name", UNADDRESSABLE)
def test_a_workspace_that_no_process_has(name):
    graph = graphs.new_graph()
    UNADDRESSABLE[name](graph).set_output(True)
    with pytest.raises(opgraph.cudnnGraphNotSupportedError, match="workspace"):
        graph.create_execution_plan(graphs.REFERENCE)
        graph.build_plans()


# --- attributes --------------------------------------------------------------

def dropping(probability):
    def build(graph):
        seed, offset = (graph.tensor(dim=[1], data_type=T.INT64)
                        for _ in range(2))
        return attend(graph, *[[2, 2, 4, 8]] * 3,
                      dropout=(probability, seed, offset))
    return build


def dropping_backward(graph):
    q, stats = graph.tensor(dim=[1, 1, 2, 2]), graph.tensor(dim=[1, 1, 2, 1])
    seed = graph.tensor(dim=[1], data_type=T.INT64)
    return graph.sdpa_backward(q, q, q, q, q, stats,
                               dropout=(10 ** 400, seed, seed))[0]


def quantise(**more):
    return lambda graph: graph.block_scale_quantize(
        graph.tensor(dim=[4, 64]), **more)[0]


#: name -> (program, what the error says).
OUT_OF_RANGE = {
    **{f"dropout {p}": (dropping(p), "dropout_probability")
       for p in (NAN, 1.0, -1.0, float("inf"))},
    "dropout of 400 digits": (dropping(10 ** 400), "range of a double"),
    "dropout of 400 digits, backward": (dropping_backward, "range of a double"),
    "probability nan": (lambda g: g.rng(seed=1, probability=NAN).set_dim([3]),
                        "probability"),
    "no seed": (lambda g: g.rng(probability=0.5).set_dim([3]), "Seed"),
    "seed of 65 bits": (lambda g: g.rng(seed=2 ** 64, probability=0.5), "seed"),
    **{f"block size {size}": (quantise(block_size=size), "block_size")
       for size in (0, -1, 2 ** 63)},
    "axis of blocks": (quantise(block_size=16, axis=9), "axis"),
    **{f"denominator {d}": (
        lambda g, d=d: resample(g, [1, 1, 5], "BILINEAR", denominator=d),
        "denominator") for d in (0, -1, I64)},
    **{f"window {w}": (lambda g, w=w: resample(g, [1, 1, 5], "MAXPOOL",
                                               window=[w]), "window")
       for w in (0, -1, I64)},
    **{f"padding {p}": (lambda g, p=p: resample(
        g, [1, 1, 5], "MAXPOOL", pre_padding=[p]), "pre_padding")
        for p in (-1, I64, -I64 - 1)},
    **{f"rope_dim {d}": (lambda g, d=d: g.rope(
        g.tensor(dim=[1, 1, 4, 8]), g.tensor(dim=[4, 1, 1, 8]), rope_dim=d),
        "rope_dim") for d in (3, -2, 10, I64, -I64 - 1)},
    "bound -1": (lambda g: attend(g, *[[1, 1, 4, 4]] * 3,
                                  diagonal_band_left_bound=-1), "left_bound"),
}


@pytest.mark.parametrize("name", OUT_OF_RANGE)
def test_attributes_out_of_range(name):
    program, words = OUT_OF_RANGE[name]
    graph = graphs.new_graph()
    with pytest.raises(REFUSED, match=words) as caught:
        program(graph).set_output(True).set_data_type(T.FLOAT)
        graph.validate()
    assert "internal" not in str(caught.value).lower()


@pytest.mark.parametrize("left, right", [
    (0, 0), (0, I64), (1, 0), (1, I64), (I64, 0), (I64, I64)])
def test_bounds_at_the_end_of_their_range(left, right):
    """As a band that reaches beyond all scores."""
    data = np.random.default_rng(0).normal(size=(1, 1, 4, 4)).astype(np.float32)
    results = []
    for limit in (I64, 100):
        graph = graphs.new_graph()
        q = graphs.declare(graph, data)
        out = graph.sdpa(q, q, q, is_inference=True,
                         diagonal_band_left_bound=min(left, limit),
                         diagonal_band_right_bound=min(right, limit),
                         diagonal_alignment=opgraph.diagonal_alignment.
                         BOTTOM_RIGHT)[0]
        results += graphs.run(graph, {q: data}, [out], graphs.REFERENCE)
    assert np.array_equal(*results)


# --- buffers and plans -------------------------------------------------------

def ragged(total, q_bytes, o_bytes):
    graph = graphs.new_graph()
    dim, stride = [2, 2, 4, 8], [64, 8, 16, 1]
    q = graph.tensor(dim=dim, stride=stride)
    offsets = graph.tensor(dim=[3, 1, 1, 1], data_type=T.INT32)
    lengths = graph.tensor(dim=[2, 1, 1, 1], data_type=T.INT32)
    q.set_ragged_offset(offsets)
    k = graph.tensor(dim=dim)
    out = graph.sdpa(q, k, k, is_inference=True, use_padding_mask=True,
                     seq_len_q=lengths, seq_len_kv=lengths,
                     max_total_seq_len_q=total)[0]
    out.set_stride(stride).set_ragged_offset(offsets).set_output(True)
    graph.create_execution_plan(graphs.REFERENCE)
    graph.build_plans()
    graph.execute({q: np.zeros(q_bytes, np.uint8), k: np.zeros(dim, np.float32),
                   offsets: np.array([0, 16, 32], np.int32),
                   lengths: np.array([1, 1], np.int32),
                   out: np.zeros(o_bytes, np.uint8)},
                  np.empty(graph.get_workspace_size(), np.uint8))


def test_ragged_buffers_hold_the_declared_total():
    needed = 5 * 16 * 4
    ragged(5, needed, needed)
    for q_bytes, o_bytes in ((needed - 4, needed), (needed, needed - 4),
                             (0, needed), (needed, 0)):
        with pytest.raises(REFUSED, match=f"declared are {needed} bytes"):
            ragged(5, q_bytes, o_bytes)


def test_a_loaded_plan_clamps_alike():
    """Group offsets out of order in a plan that went through a file."""
    token, weight = (np.ones(s, np.float32) for s in ((1, 6, 4), (3, 4, 2)))
    graph = graphs.new_graph()
    t, w = graphs.declare(graph, token), graphs.declare(graph, weight)
    f = graph.tensor(dim=[4, 1, 1], data_type=T.INT32)
    out = graph.moe_grouped_matmul(t, w, f).set_output(True)
    graph.create_execution_plan(graphs.REFERENCE)
    graph.build_plans()
    loaded = graphs.new_graph()
    loaded.deserialize(graph.serialize(as_bytes=True))
    uids = [x.get_uid() for x in (t, w, f, out)]
    for starts in itertools.product((-2 ** 31, 7, 2 ** 31 - 1), repeat=4):
        starts = np.array(starts, np.int32).reshape(4, 1, 1)
        results = []
        for plan in (graph, loaded):
            got = np.full((1, 6, 2), NAN, np.float32)
            plan.execute(dict(zip(uids, (token, weight, starts, got))),
                         np.empty(plan.get_workspace_size(), np.uint8))
            results.append(got)
        assert np.array_equal(*results) and set(results[0].flat) <= {0.0, 4.0}


# --- tensors of a region that is gone ----------------------------------------

@pytest.mark.parametrize("call", [
    "get_dim", "get_stride", "get_name", "get_uid", "get_data_type", "__repr__",
    lambda t: t.set_dim([1]), lambda t: t.set_name("x"),
    lambda t: t.set_output(True)])
def test_a_tensor_of_a_dropped_region_says_so(call):
    graph, kept = graphs.new_graph(), []

    def failing(graph, score):
        kept.append(score)
        raise KeyError("mine")
    with pytest.raises(KeyError):
        attend(graph, *[[1, 1, 4, 4]] * 3, score_mod=failing)
    graph.abs(graph.tensor(dim=[1])).set_output(True)
    with pytest.raises(REFUSED, match="dropped"):
        getattr(kept[0], call)() if isinstance(call, str) else call(kept[0])


if __name__ == "__main__":
    faulthandler.enable()
    for each in WANDERING:
        wander(each)
