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
