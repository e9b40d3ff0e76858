// RUN: graph-opt %s --split-input-file --verify-diagnostics

// One test per rule of a device's steps.

plan.program @grid_rank target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{expected one to three grid extents, got 4 (L1)}}
  plan.launch @k grid affine_map<() -> (1, 1, 1, 1)> args [#plan.pointer<0>]
}

// -----

plan.program @limits_rank target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{at_most has 1 numbers for a grid of 2 (L1)}}
  plan.launch @k grid affine_map<() -> (1, 1)> at_most [1] args [#plan.pointer<0>]
}

// -----

plan.program @limit_range target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{at_most of grid axis 1 must be 1 to 65535, got 65536 (L1)}}
  plan.launch @k grid affine_map<() -> (1, 1)> at_most [1, 65536] args [#plan.pointer<0>]
}

// -----

plan.program @integer_type target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{argument 0 must be i32, ui32 or i64, got 'i16' (L2)}}
  plan.launch @k grid affine_map<() -> (1)> args [#plan.integer<affine_map<() -> (1)>, i16>]
}

// -----

plan.program @stride_type target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{argument 0 must be i32, ui32 or i64, got 'f32' (L2)}}
  plan.launch @k grid affine_map<() -> (1)> args [#plan.stride<0, 0, f32>]
}

// -----

plan.program @scalar_type target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{argument 0 must be f32, f64, i32 or i64, got 'bf16' (L2)}}
  plan.launch @k grid affine_map<() -> (1)> args [#plan.scalar<1, bf16>]
}

// -----

plan.program @constant_type target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{argument 1 must be f32, f64, i32 or i64, got 'f16' (L2)}}
  plan.launch @k grid affine_map<() -> (1)> args [#plan.pointer<0>, 1.0 : f16]
}

// -----

plan.program @no_argument target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{argument 0 is no argument of a launch: "text" (L2)}}
  plan.launch @k grid affine_map<() -> (1)> args ["text"]
}

// -----

plan.program @grid_symbols target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{grid uses 1 symbols, the program declares 0 (P4)}}
  plan.launch @k grid affine_map<()[s0] -> (s0)> args [#plan.pointer<0>]
}

// -----

plan.program @offset_results target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{offset must have one result, got 2}}
  plan.launch @k grid affine_map<() -> (1)> args [#plan.pointer<0, offset = affine_map<() -> (0, 1)>>]
}

// -----

plan.program @operand_index target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{argument 0 names operand 2, the program has 2 (P8)}}
  plan.launch @k grid affine_map<() -> (1)> args [#plan.pointer<2>]
}

// -----

plan.program @pointer_by_value target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{argument 0: operand 's' is by value, expected one in memory (P8)}}
  plan.launch @k grid affine_map<() -> (1)> args [#plan.pointer<1>]
}

// -----

plan.program @scalar_in_memory target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{argument 0: operand 'x' is in memory, expected one by value (P8)}}
  plan.launch @k grid affine_map<() -> (1)> args [#plan.scalar<0, f32>]
}

// -----

plan.program @stride_axis target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{argument 0 names axis 2 of operand 'x' of rank 2 (P8)}}
  plan.launch @k grid affine_map<() -> (1)> args [#plan.stride<0, 2, i64>]
}

// -----

plan.program @map_index target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{argument 0 names tensor map 0, the program has 0 (P8)}}
  plan.launch @k grid affine_map<() -> (1)> args [#plan.map<0>]
}

// -----

plan.program @host_and_device target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{stands beside a plan.host_call in one program (P7)}}
  plan.launch @k grid affine_map<() -> (1)> args [#plan.pointer<0>]
  plan.host_call @h
}

// -----

plan.program @map_base target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{base must be a #plan.pointer or #plan.scratch, got #plan.map<0>}}
  plan.encode_map #plan.map<0> element f32
      extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)> box [8, 8]
}

// -----

plan.program @map_rank target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{expected extents, strides and box of one rank from 1 to 5, got 2, 2 and 1 (E1)}}
  plan.encode_map #plan.pointer<0> element f32
      extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)> box [8]
}

// -----

plan.program @map_element target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{a tensor map has no elements of type 'i16' (E2)}}
  plan.encode_map #plan.pointer<0> element i16
      extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)> box [8, 8]
}

// -----

plan.program @map_box target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{box extents must be 1 to 256, got 257 (E3)}}
  plan.encode_map #plan.pointer<0> element f32
      extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)> box [257, 8]
}

// -----

plan.program @map_row target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{the box's innermost extent must take a multiple of 16 bytes, got 4 (E3)}}
  plan.encode_map #plan.pointer<0> element f32
      extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)> box [8, 1]
}

// -----

plan.program @map_span target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{the box's innermost extent must take at most 32 bytes with swizzle sw32, got 64 (E3)}}
  plan.encode_map #plan.pointer<0> element f32
      extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)> box [8, 16] swizzle sw32
}

// -----

plan.program @map_stride target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{the last stride must be 1}}
  plan.encode_map #plan.pointer<0> element f32
      extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 2)> box [8, 8]
}

// -----

plan.program @map_fill target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  // expected-error @+1 {{fill_nan needs a float element type, got 'i32'}}
  plan.encode_map #plan.pointer<0> element i32
      extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)> box [8, 8] fill_nan
}

// -----

plan.program @map_strides target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)> stride_rule any
  // expected-error @+1 {{operand 'x' has stride_rule any, a tensor map needs exact (P9)}}
  plan.encode_map #plan.pointer<0> element f32
      extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)> box [8, 8]
}

// -----

plan.program @map_after_step target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)>
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  plan.launch @k grid affine_map<() -> (1)> args [#plan.pointer<0>]
  // expected-error @+1 {{must come before the first step (P1)}}
  plan.encode_map #plan.pointer<0> element f32
      extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (8, 1)> box [8, 8]
}

// -----

plan.program @map_walk_rank target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (2, 6, 10, 8)>
      strides affine_map<() -> (480, 80, 8, 1)>
  // expected-error @+1 {{im2col needs rank 3 to 5 and a lower corner, an upper corner and a step for each axis between the outermost and the innermost (E5)}}
  plan.encode_map #plan.pointer<0> element f32
      extents affine_map<() -> (2, 6, 10, 8)>
      strides affine_map<() -> (480, 80, 8, 1)> box [8, 1, 1, 8]
      im2col lower [0] upper [0] steps [1]
}

// -----

plan.program @map_walk_corner target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (2, 6, 10, 8)>
      strides affine_map<() -> (480, 80, 8, 1)>
  // expected-error @+1 {{im2col corners of rank 4 must be -128 to 127, got 128 (E5)}}
  plan.encode_map #plan.pointer<0> element f32
      extents affine_map<() -> (2, 6, 10, 8)>
      strides affine_map<() -> (480, 80, 8, 1)> box [8, 1, 1, 8]
      im2col lower [0, 0] upper [0, 128] steps [1, 1]
}

// -----

plan.program @map_walk_step target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (2, 6, 10, 8)>
      strides affine_map<() -> (480, 80, 8, 1)>
  // expected-error @+1 {{im2col steps must be 1 to 8, got 9 (E5)}}
  plan.encode_map #plan.pointer<0> element f32
      extents affine_map<() -> (2, 6, 10, 8)>
      strides affine_map<() -> (480, 80, 8, 1)> box [8, 1, 1, 8]
      im2col lower [0, 0] upper [0, 0] steps [9, 1]
}

// -----

plan.program @map_walk_box target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (2, 6, 10, 8)>
      strides affine_map<() -> (480, 80, 8, 1)>
  // expected-error @+1 {{box extents must be 1 to 1, got 2 (E5)}}
  plan.encode_map #plan.pointer<0> element f32
      extents affine_map<() -> (2, 6, 10, 8)>
      strides affine_map<() -> (480, 80, 8, 1)> box [8, 1, 2, 8]
      im2col lower [0, 0] upper [0, 0] steps [1, 1]
}

// -----

plan.program @map_walk_pixels target "sm_90:GPU" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (2, 6, 10, 8)>
      strides affine_map<() -> (480, 80, 8, 1)>
  // expected-error @+1 {{box extents must be 1 to 1024, got 1025 (E5)}}
  plan.encode_map #plan.pointer<0> element f32
      extents affine_map<() -> (2, 6, 10, 8)>
      strides affine_map<() -> (480, 80, 8, 1)> box [1025, 1, 1, 8]
      im2col lower [0, 0] upper [0, 0] steps [1, 1]
}
