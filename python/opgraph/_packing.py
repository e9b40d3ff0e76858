# SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
"""Making and reading the bytes of 4-bit elements and of block scales. NumPy is
imported when a function is called."""

# The non-negative values of e2m1 by code; the sign is bit 3.
_E2M1 = (0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 4.0, 6.0)
# Rows and columns of a tile of scales, and the bands of rows that share a line.
_ROWS, _COLUMNS, _BAND = 128, 4, 32


def _numpy():
    import numpy
    return numpy


def _pack(codes, axis, function):
    """Bytes of pairs of codes 0 to 15 along `axis`."""
    np = _numpy()
    if codes.ndim == 0:
        raise ValueError(f"{function}: expected at least one axis, got a scalar")
    if not -codes.ndim <= axis < codes.ndim:
        raise ValueError(f"{function}: expected axis in [{-codes.ndim}, "
                         f"{codes.ndim}), got {axis}")
    if codes.shape[axis] % 2:
        raise ValueError(f"{function}: expected an even extent along axis "
                         f"{axis}, got {codes.shape[axis]}")
    last = np.moveaxis(codes, axis, -1)
    packed = last[..., 0::2] | last[..., 1::2] << 4
    return np.ascontiguousarray(np.moveaxis(packed, -1, axis))


def _unpack(packed, axis, function):
    """Codes 0 to 15 of bytes of pairs."""
    np = _numpy()
    packed = np.asarray(packed)
    if packed.dtype.itemsize != 1 or packed.ndim == 0:
        raise ValueError(f"{function}: expected an array of bytes, got dtype "
                         f"{packed.dtype} and rank {packed.ndim}")
    last = np.moveaxis(packed.view(np.uint8), axis, -1)
    codes = np.stack([last & 15, last >> 4], axis=-1)
    codes = codes.reshape(*last.shape[:-1], 2 * last.shape[-1])
    return np.ascontiguousarray(np.moveaxis(codes, -1, axis))


def pack_fp4(array, axis=-1):
    """Numbers as FP4_E2M1, two per byte along `axis`.

    `array` [..., N, ...] of any real dtype, N even along `axis`; the result is
    uint8 with N / 2 there: byte i holds element 2i in its low half and element
    2i + 1 in its high half, which is how a 4-bit operand whose axis of stride 1
    is `axis` lies in memory. Values round to the nearest of 0, 0.5, 1, 1.5, 2,
    3, 4, 6 (ties to the even code) with their sign, beyond 6 to 6; NaN becomes
    +6. An array of ml_dtypes.float4_e2m1fn is taken as it is.
    """
    np = _numpy()
    array = np.asarray(array)
    if array.dtype.name == "float4_e2m1fn":
        return _pack(array.view(np.uint8) & 15, axis, "pack_fp4")
    values = array.astype(np.float64)
    magnitude = np.where(np.isnan(values), _E2M1[-1], np.abs(values))
    codes = np.zeros(values.shape, np.uint8)
    for code, (low, high) in enumerate(zip(_E2M1, _E2M1[1:])):
        middle = (low + high) / 2
        # A tie goes to the even one of the two codes.
        codes += magnitude > middle if code % 2 == 0 else magnitude >= middle
    is_negative = np.signbit(values) & ~np.isnan(values)
    return _pack(codes | is_negative.astype(np.uint8) << 3, axis, "pack_fp4")


def unpack_fp4(packed, axis=-1):
    """The numbers in bytes of two FP4_E2M1 each: float32, with twice the extent
    of `packed` along `axis`. The inverse of `pack_fp4`."""
    np = _numpy()
    codes = _unpack(packed, axis, "unpack_fp4")
    magnitude = np.array(_E2M1, np.float32)[codes & 7]
    return np.where(codes & 8, -magnitude, magnitude)


def pack_int4(array, axis=-1):
    """Integers from -8 to 7 as INT4, two per byte along `axis`.

    `array` [..., N, ...] of an integer dtype (ml_dtypes.int4 too), N even along
    `axis`; the result is uint8 with N / 2 there: byte i holds element 2i in its
    low half and element 2i + 1 in its high half, in two's complement.
    """
    np = _numpy()
    array = np.asarray(array)
    if array.dtype.name == "int4":
        array = array.astype(np.int8)
    if array.dtype.kind not in "iu":
        raise ValueError(
            f"pack_int4: expected an integer dtype, got {array.dtype}")
    if array.size and (array.min() < -8 or array.max() > 7):
        raise ValueError("pack_int4: expected values from -8 to 7, got "
                         f"{array.min()} to {array.max()}")
    return _pack(array.astype(np.int8).view(np.uint8) & 15, axis, "pack_int4")


def unpack_int4(packed, axis=-1):
    """The integers in bytes of two INT4 each: int8, with twice the extent of
    `packed` along `axis`. The inverse of `pack_int4`."""
    np = _numpy()
    codes = _unpack(packed, axis, "unpack_int4")
    return (codes << 4).view(np.int8) >> 4


def _scale_bytes(scale, function):
    np = _numpy()
    scale = np.asarray(scale)
    if scale.ndim < 2 or scale.dtype.itemsize != 1:
        raise ValueError(
            f"{function}: expected elements of one byte and a rank of at least "
            f"2, got dtype {scale.dtype} and rank {scale.ndim}")
    return scale.view(np.uint8), scale.dtype


def pack_scale_128x4(scale, transpose=False):
    """Block scales in the layout of tensor_reordering.F8_128x4.

    `scale` [..., R, C] of one-byte elements (ml_dtypes.float8_e8m0fnu, uint8,
    ...), one row of scales per row of the data; with `transpose` [..., C, R], as
    for the second operand of a matmul. The result has the dtype of `scale` and
    R and C padded with zero bytes to multiples of 128 and 4: what a tensor of
    that shape, with stride 1 along the C axis, is bound to (where a tensor
    [..., C, R] is declared with row-major strides, bind the result with its last
    two axes swapped). In its memory the scale (r, c) of a matrix lies at byte

        ((r // 128) * (C // 4) + c // 4) * 512
            + (r % 32) * 16 + (r // 32 % 4) * 4 + c % 4

    with the padded C; matrices follow each other.
    """
    np = _numpy()
    plain, dtype = _scale_bytes(scale, "pack_scale_128x4")
    if transpose:
        plain = np.swapaxes(plain, -1, -2)
    rows = -(-plain.shape[-2] // _ROWS) * _ROWS
    columns = -(-plain.shape[-1] // _COLUMNS) * _COLUMNS
    batch = plain.shape[:-2]
    padded = np.zeros((*batch, rows, columns), np.uint8)
    padded[..., :plain.shape[-2], :plain.shape[-1]] = plain
    # (row tile, band, row of band, column tile, column) to tiles of lines that
    # hold one row of each band.
    split = padded.reshape(*batch, rows // _ROWS, _ROWS // _BAND, _BAND,
                           columns // _COLUMNS, _COLUMNS)
    tiles = np.moveaxis(split, (-2, -3, -4), (-4, -3, -2))
    packed = np.ascontiguousarray(tiles).reshape(*batch, rows, columns)
    packed = packed.view(dtype)
    return np.swapaxes(packed, -1, -2) if transpose else packed


def unpack_scale_128x4(packed, rows=None, columns=None, transpose=False):
    """The inverse of `pack_scale_128x4`: scales [..., R, C] ([..., C, R] with
    `transpose`) from an array of the padded shape, cut to `rows` and `columns`
    where given."""
    np = _numpy()
    tiled, dtype = _scale_bytes(packed, "unpack_scale_128x4")
    if transpose:
        tiled = np.swapaxes(tiled, -1, -2)
    padded_rows, padded_columns = tiled.shape[-2:]
    if padded_rows % _ROWS or padded_columns % _COLUMNS:
        raise ValueError(
            f"unpack_scale_128x4: expected a multiple of {_ROWS} rows and of "
            f"{_COLUMNS} columns, got {padded_rows} and {padded_columns}")
    batch = tiled.shape[:-2]
    tiles = np.ascontiguousarray(tiled).reshape(
        *batch, padded_rows // _ROWS, padded_columns // _COLUMNS, _BAND,
        _ROWS // _BAND, _COLUMNS)
    split = np.moveaxis(tiles, (-4, -3, -2), (-2, -3, -4))
    plain = np.ascontiguousarray(split).reshape(*batch, padded_rows,
                                                padded_columns)
    plain = plain[..., :rows, :columns].view(dtype)
    if transpose:
        plain = np.swapaxes(plain, -1, -2)
    return np.ascontiguousarray(plain)
