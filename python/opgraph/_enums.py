# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""The enumerations of the graph API. Names and numbers are the peers' and are
only ever appended to."""

import enum


class _Enum(enum.Enum):
    """Prints as `name.MEMBER`, converts with `int()`, and members are reachable
    through a member, which Python 3.11's own enum forbids."""

    def __str__(self):
        return f"{type(self).__name__}.{self.name}"

    __repr__ = __str__

    def __int__(self):
        return self.value

    def __index__(self):
        return self.value

    def __getattr__(self, name):
        member = type(self).__members__.get(name)
        if member is None:
            raise AttributeError(
                f"{type(self).__name__} has no member '{name}'")
        return member


class data_type(_Enum):
    """Element and compute types."""

    NOT_SET = 0
    FLOAT = 1
    DOUBLE = 2
    HALF = 3
    INT8 = 4
    INT32 = 5
    INT8x4 = 6
    UINT8 = 7
    UINT8x4 = 8
    INT8x32 = 9
    BFLOAT16 = 10
    INT64 = 11
    BOOLEAN = 12
    FP8_E4M3 = 14
    FP8_E5M2 = 15
    FAST_FLOAT_FOR_FP8 = 16
    FP8_E8M0 = 17
    FP8_E5M3 = 18
    FP4_E2M1 = 19
    INT4 = 20


class heur_mode(_Enum):
    """Where plans come from: A and B ranked, FALLBACK the surest, OPENSOURCE
    generated engines only."""

    A = 0
    B = 1
    FALLBACK = 2
    OPENSOURCE = 3


class build_plan_policy(_Enum):
    """Build the first plan that builds, or every one."""

    HEURISTICS_CHOICE = 0
    ALL = 1


class norm_forward_phase(_Enum):
    """Whether a norm returns its statistics (TRAINING) or not (INFERENCE)."""

    NOT_SET = 0
    INFERENCE = 1
    TRAINING = 2


class reduction_mode(_Enum):
    """How a reduction combines elements."""

    NOT_SET = 0
    ADD = 1
    MUL = 2
    MIN = 3
    MAX = 4
    AMAX = 5
    AVG = 6
    NORM1 = 7
    NORM2 = 8
    MUL_NO_ZEROS = 9


class diagonal_alignment(_Enum):
    """The corner that an attention band starts from."""

    TOP_LEFT = 0
    BOTTOM_RIGHT = 1


class attention_implementation(_Enum):
    """A hint that the peers' library takes; opgraph plans every engine."""

    AUTO = 0
    COMPOSITE = 1
    UNIFIED = 2


class moe_grouped_matmul_mode(_Enum):
    """How tokens reach their experts."""

    NONE = 1
    GATHER = 2
    SCATTER = 3
    COMBINE = 4


class reshape_mode(_Enum):
    """Keep memory order (VIEW_ONLY) or logical order (LOGICAL)."""

    VIEW_ONLY = 1
    LOGICAL = 2


class convolution_mode(_Enum):
    """CONVOLUTION flips the filter."""

    CONVOLUTION = 1
    CROSS_CORRELATION = 2


class resample_mode(_Enum):
    """What a resampling window computes."""

    AVGPOOL_EXCLUDE_PADDING = 1
    AVGPOOL_INCLUDE_PADDING = 2
    BILINEAR = 3
    NEAREST = 4
    MAXPOOL = 5


class padding_mode(_Enum):
    """What a resampling window reads outside of its input."""

    EDGE_VAL_PAD = 1
    NEG_INF_PAD = 2
    ZERO_PAD = 3


class rng_distribution(_Enum):
    """What random numbers are drawn from."""

    BERNOULLI = 1
    UNIFORM = 2
    NORMAL = 3


class scalar_type(_Enum):
    """Whether a scalar is a by-value operand or part of the graph."""

    RUNTIME_PARAM = 0
    COMPILE_TIME_CONST = 1


class tensor_reordering(_Enum):
    """Physical order beyond strides."""

    NONE = 0
    INT8x32 = 1
    F16x16 = 2
    F8_128x4 = 3


class cuda_graph_retention(_Enum):
    """Who keeps what a captured CUDA graph needs alive."""

    PER_GRAPH = 0
    NONE = 1


class numerical_note(_Enum):
    """What an engine does that changes numbers."""

    TENSOR_CORE = 1
    DOWN_CONVERT_INPUTS = 2
    REDUCED_PRECISION_REDUCTION = 3
    FFT = 4
    NONDETERMINISTIC = 5
    WINOGRAD = 6
    WINOGRAD_TILE_4x4 = 7
    WINOGRAD_TILE_6x6 = 8
    WINOGRAD_TILE_13x13 = 9
    STRICT_NAN_PROP = 10


class behavior_note(_Enum):
    """What an engine does besides computing."""

    RUNTIME_COMPILATION = 1
    REQUIRES_FILTER_INT8x32_REORDER = 2
    REQUIRES_BIAS_INT8x32_REORDER = 3
    SUPPORTS_CUDA_GRAPH_NATIVE_API = 4
    CUBLASLT_DEPENDENCY = 5


_KNOB_NAMES = (
    "NOT_SET SWIZZLE TILE_SIZE EDGE MULTIPLY SPLIT_K_BUF TILEK STAGES "
    "REDUCTION_MODE SPLIT_K_SLC IDX_MODE SPECFILT KERNEL_CFG WORKSPACE "
    "TILE_CGA_M TILE_CGA_N BLOCK_SIZE OCCUPANCY ARRAY_SIZE_PER_THREAD "
    "SPLIT_COLS TILE_ROWS TILE_COLS LOAD_SIZE CTA_COUNT STREAM_K SPLIT_P_SLC "
    "TILE_M TILE_N WARP_SPEC_CFG SWAP_AB INPUT_TMA_ENABLE OUTPUT_TMA_ENABLE "
    "TILE_CGA").split()
_FRONTEND_KNOB_NAMES = (
    "SCHED_POLICY PACK_GQA SPLIT_KV PIPELINE_ARCH MMA_TILE_M MMA_TILE_N "
    "MMA_TILE_K CTA_GROUP WARPS_M WARPS_N").split()

#: First id of the knobs that never reach the peers' library.
FRONTEND_KNOB_TYPE_BASE = 1000

knob_type = _Enum(
    "knob_type",
    {name: number for number, name in enumerate(_KNOB_NAMES)}
    | {name: FRONTEND_KNOB_TYPE_BASE + number
       for number, name in enumerate(_FRONTEND_KNOB_NAMES)},
    module=__name__)
knob_type.__doc__ = "The axes that an engine's configuration is spelled in."


def is_frontend_knob_type(knob):
    """Whether a `knob_type` is of the band that the library never sees."""
    return int(knob) >= FRONTEND_KNOB_TYPE_BASE
