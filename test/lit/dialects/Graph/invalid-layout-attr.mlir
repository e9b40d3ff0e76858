// RUN: graph-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected strides of #graph.layout to have 2 entries, one per axis, got 1}}
func.func private @layout_c1_strides(tensor<4x8xf32, #graph.layout<strides = [1]>>)

// -----

// expected-error @below {{expected order of #graph.layout to have 2 entries, one per axis, got 3}}
func.func private @layout_c1_order(tensor<4x8xf32, #graph.layout<order = [0, 1, 2]>>)

// -----

// expected-error @below {{expected symbols of #graph.layout to have 1 entries, one per axis, got 2}}
func.func private @layout_c1_symbols(tensor<?xf32, #graph.layout<symbols = ["M", "N"]>>)

// -----

// expected-error @below {{expected strides or order, got both}}
func.func private @layout_c2(tensor<4x8xf32, #graph.layout<strides = [8, 1], order = [0, 1]>>)

// -----

// expected-error @below {{expected stride of axis 1 to be at least 0, got -1}}
func.func private @layout_c3(tensor<4x8xf32, #graph.layout<strides = [8, -1]>>)

// -----

// expected-error @below {{expected order to be a permutation of 0..1, got [0, 0]}}
func.func private @layout_c4_twice(tensor<4x8xf32, #graph.layout<order = [0, 0]>>)

// -----

// expected-error @below {{expected order to be a permutation of 0..1, got [1, 2]}}
func.func private @layout_c4_range(tensor<4x8xf32, #graph.layout<order = [1, 2]>>)

// -----

// expected-error @below {{expected a symbol for the dynamic extent of axis 0, got none}}
func.func private @layout_c5_missing(tensor<?x8xf32, #graph.layout<strides = [8, 1]>>)

// -----

// expected-error @below {{expected no symbol for the static extent of axis 1 (8), got 'N'}}
func.func private @layout_c5_static(tensor<?x8xf32, #graph.layout<symbols = ["M", "N"]>>)

// -----

// expected-error @below {{expected the elements of 4294967296x4294967296 with strides [4294967296, 1] to span less than 2^60 bits, got more}}
func.func private @layout_c6_overflow(tensor<4294967296x4294967296xf32, #graph.layout<reordering = int8x32>>)

// -----

// Elements fit, bits do not.
// expected-error @below {{to span less than 2^60 bits, got more}}
func.func private @layout_c6_bits(tensor<2xf64, #graph.layout<strides = [18014398509481984]>>)

// -----

// Elements count even where they share an address.
// expected-error @below {{to span less than 2^60 bits, got more}}
func.func private @layout_c6_elements(tensor<4294967296x4294967296xi8, #graph.layout<strides = [0, 0]>>)

// -----

// A byte of every second element still fits.
func.func private @layout_c6_fits(tensor<2xi8, #graph.layout<strides = [72057594037927936]>>)

// -----

// expected-error @below {{expected a rank of at most 16, got 17}}
func.func private @layout_c7(tensor<1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1x1xf32, #graph.layout<reordering = int8x32>>)

// -----

// expected-error @below {{expected the extent of axis 1, along which elements of f4E2M1FN lie two per byte, to be known and even, got 5}}
func.func private @layout_c8_odd(tensor<4x5xf4E2M1FN, #graph.layout<strides = [6, 1]>>)

// -----

// expected-error @below {{expected the extent of axis 0, along which elements of i4 lie two per byte, to be known and even, got 3}}
func.func private @layout_c8_order(tensor<3x8xi4, #graph.layout<order = [1, 0]>>)

// -----

// expected-error @below {{expected the extent of axis 1, along which elements of f4E2M1FN lie two per byte, to be known and even, got ?}}
func.func private @layout_c8_dynamic(tensor<4x?xf4E2M1FN, #graph.layout<symbols = ["", "N"]>>)

// -----

// expected-error @below {{expected elements of f4E2M1FN, two per byte, to have an axis of stride 1, got strides [16, 2]}}
func.func private @layout_c8_no_unit(tensor<4x8xf4E2M1FN, #graph.layout<strides = [16, 2]>>)

// -----

// expected-error @below {{expected the stride of axis 0 (extent 4) to be known and even for elements of i4, two per byte, got 9}}
func.func private @layout_c8_stride(tensor<4x8xi4, #graph.layout<strides = [9, 1]>>)

// -----

// expected-error @below {{expected the stride of axis 0 (extent ?) to be known and even for elements of i4, two per byte, got ?}}
func.func private @layout_c8_unknown(tensor<?x8xi4, #graph.layout<strides = [?, 1], symbols = ["M", ""]>>)

// -----

// Axes of one index may have any stride, the others follow from extents or are
// even.
func.func private @layout_c8_holds(
    tensor<?x3x8xi4, #graph.layout<symbols = ["M", "", ""]>>,
    tensor<1x8xf4E2M1FN, #graph.layout<strides = [5, 1]>>,
    tensor<4x8xf4E2M1FN, #graph.layout<strides = [0, 1]>>,
    tensor<8x3xf4E2M1FN, #graph.layout<strides = [1, 8]>>,
    tensor<0x3xf4E2M1FN, #graph.layout<strides = [3, 1]>>,
    tensor<1x1xi4, #graph.layout<strides = [3, 3]>>)

// -----

// expected-error @below {{expected reordering f8_128x4 to have elements of 8 bits, got f16}}
func.func private @layout_c9_bits(tensor<128x4xf16, #graph.layout<reordering = f8_128x4>>)

// -----

// expected-error @below {{expected reordering f8_128x4 to have a rank of at least 2, got 1}}
func.func private @layout_c9_rank(tensor<128xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>)

// -----

// expected-error @below {{expected reordering f8_128x4 to have known extents and strides, got extents [?, 128, 4] with strides [512, 4, 1]}}
func.func private @layout_c9_dynamic(tensor<?x128x4xf8E8M0FNU, #graph.layout<symbols = ["B", "", ""], reordering = f8_128x4>>)

// -----

// expected-error @below {{expected reordering f8_128x4 to have a multiple of 4 columns on axis 1, got 6}}
func.func private @layout_c9_columns(tensor<128x6xf8E8M0FNU, #graph.layout<reordering = f8_128x4>>)

// -----

// expected-error @below {{expected reordering f8_128x4 to have strides 1 and 4 on axes 1 and 0, so that rows and columns leave no gap, got 2 and 8}}
func.func private @layout_c9_unit(tensor<128x4xf8E8M0FNU, #graph.layout<strides = [8, 2], reordering = f8_128x4>>)

// -----

// expected-error @below {{expected reordering f8_128x4 to have a multiple of 128 rows on axis 2, got 64}}
func.func private @layout_c9_rows(tensor<2x4x64xf8E4M3FN, #graph.layout<strides = [256, 1, 4], reordering = f8_128x4>>)

// -----

// expected-error @below {{expected reordering f8_128x4 to have strides 1 and 4 on axes 1 and 0, so that rows and columns leave no gap, got 1 and 8}}
func.func private @layout_c9_dense(tensor<128x4xi8, #graph.layout<strides = [8, 1], reordering = f8_128x4>>)

// -----

// Leading axes have any strides.
func.func private @layout_c9_holds(
    tensor<3x256x8xf8E8M0FNU, #graph.layout<strides = [4096, 8, 1], reordering = f8_128x4>>,
    tensor<3x8x256xf8E8M0FNU, #graph.layout<strides = [0, 1, 8], reordering = f8_128x4>>,
    tensor<3x8x256xf8E8M0FNU, #graph.layout<strides = [2048, 256, 1], reordering = f8_128x4>>)

// -----

// expected-error @below {{unknown field 'stride', expected strides, order, symbols or reordering}}
func.func private @layout_field(tensor<4xf32, #graph.layout<stride = [1]>>)

// -----

// expected-error @below {{field 'strides' is given twice}}
func.func private @layout_twice(tensor<4xf32, #graph.layout<strides = [1], strides = [1]>>)

// -----

// expected-error @below {{unknown reordering 'f8'}}
func.func private @layout_reordering(tensor<4xf32, #graph.layout<reordering = f8>>)

// -----

// expected-error @below {{expected non-function type}}
func.func private @layout_without_element_type(tensor<, #graph.layout<reordering = int8x32>>)
