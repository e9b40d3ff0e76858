// RUN: graph-opt %s --split-input-file --verify-diagnostics

plan.program @order target "host" engine <1, "e", 1> {
  plan.host_call @f
  // expected-error @+1 {{must come before the first step (P1)}}
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8)>
      strides affine_map<() -> (1)>
}

// -----

plan.program @foreign target "host" engine <1, "e", 1> {
  // expected-error @+1 {{does not belong into a plan.program (P1)}}
  %0 = arith.constant 1 : index
}

// -----

plan.program @same_uid target "host" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8)>
      strides affine_map<() -> (1)>
  // expected-error @+1 {{repeats the uid 1 (P2)}}
  plan.operand "y" uid 1 out f32 extents affine_map<() -> (8)>
      strides affine_map<() -> (1)>
}

// -----

plan.program @same_name target "host" engine <1, "e", 1> {
  plan.symbol "M" extent 0, 0
  // expected-error @+1 {{repeats the name 'M' (P2)}}
  plan.symbol "M" extent 0, 1
  plan.operand "x" uid 1 in f32 extents affine_map<()[s0, s1] -> (s0, s1)>
      strides affine_map<() -> (8, 1)>
}

// -----

plan.program @no_operand target "host" engine <1, "e", 1> {
  // expected-error @+1 {{names operand 1, the program has 1 (P3)}}
  plan.symbol "M" extent 1, 0
  plan.operand "x" uid 1 in f32 extents affine_map<()[s0] -> (s0)>
      strides affine_map<() -> (1)>
}

// -----

plan.program @no_axis target "host" engine <1, "e", 1> {
  // expected-error @+1 {{names axis 1 of operand 'x' of rank 1 (P3)}}
  plan.symbol "M" extent 0, 1
  plan.operand "x" uid 1 in f32 extents affine_map<()[s0] -> (s0)>
      strides affine_map<() -> (1)>
}

// -----

plan.program @not_the_symbol target "host" engine <1, "e", 1> {
  // expected-error @+1 {{expected the extent of operand 'x' at axis 0 to be just this symbol (P3)}}
  plan.symbol "M" extent 0, 0
  plan.operand "x" uid 1 in f32 extents affine_map<()[s0] -> (s0 + 1)>
      strides affine_map<() -> (1)>
}

// -----

plan.program @dimensions target "host" engine <1, "e", 1> {
  // expected-error @+1 {{extents must not have dimensions}}
  plan.operand "x" uid 1 in f32 extents affine_map<(d0) -> (d0)>
      strides affine_map<() -> (1)>
}

// -----

plan.program @too_many_symbols target "host" engine <1, "e", 1> {
  // expected-error @+1 {{strides uses 1 symbols, the program declares 0 (P4)}}
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8)>
      strides affine_map<()[s0] -> (s0)>
}

// -----

plan.program @alias_range target "host" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8)>
      strides affine_map<() -> (1)>
  // expected-error @+1 {{pair (0, 1) exceeds the program's 1 operands (P5)}}
  plan.alias 0, 1
}

// -----

plan.program @alias_roles target "host" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8)>
      strides affine_map<() -> (1)>
  plan.operand "y" uid 2 out f32 extents affine_map<() -> (8)>
      strides affine_map<() -> (1)>
  // expected-error @+1 {{expected an input and an output, got 'y' and 'x' (P5)}}
  plan.alias 1, 0
}

// -----

plan.program @alias_types target "host" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8)>
      strides affine_map<() -> (1)>
  plan.operand "y" uid 2 out f16 extents affine_map<() -> (8)>
      strides affine_map<() -> (1)>
  // expected-error @+1 {{operands 'x' and 'y' must have equal rank and element type (P5)}}
  plan.alias 0, 1
}

// -----

plan.program @output_by_value target "host" engine <1, "e", 1> {
  // expected-error @+1 {{a by-value operand must be an input (P6)}}
  plan.operand "y" uid 2 out f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
}

// -----

plan.program @ranks target "host" engine <1, "e", 1> {
  // expected-error @+1 {{rank of extents (2) must equal rank of strides (1)}}
  plan.operand "y" uid 2 out f32 extents affine_map<() -> (8, 8)>
      strides affine_map<() -> (1)>
}

// -----

plan.program @alignment target "host" engine <1, "e", 1> {
  // expected-error @+1 {{alignment must be a power of two up to 4096, got 12}}
  plan.operand "y" uid 2 out f32 extents affine_map<() -> (8)>
      strides affine_map<() -> (1)> {alignment = 12 : i64}
}

// -----

plan.program @default_of_buffer target "host" engine <1, "e", 1> {
  // expected-error @+1 {{only a by-value operand has a default value}}
  plan.operand "x" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {default_value = 1.0 : f32}
}

// -----

plan.program @default_type target "host" engine <1, "e", 1> {
  // expected-error @+1 {{default value must be of type 'f32', got 'f64'}}
  plan.operand "x" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value, default_value = 1.0 : f64}
}

// -----

plan.program @storage_bytes target "host" engine <1, "e", 1> {
  // expected-error @+1 {{storage_bytes is one expression of a ragged operand}}
  plan.operand "x" uid 2 in f32 extents affine_map<() -> (8)>
      strides affine_map<() -> (1)> {storage_bytes = affine_map<() -> (64)>}
}

// -----

plan.program @symbol_range target "host" engine <1, "e", 1> {
  // expected-error @+1 {{range must satisfy 0 <= min <= max, got [9, 8]}}
  plan.symbol "M" extent 0, 0 {min = 9 : i64, max = 8 : i64}
  plan.operand "x" uid 1 in f32 extents affine_map<()[s0] -> (s0)>
      strides affine_map<() -> (1)>
}

// -----

plan.program @symbol_divisor target "host" engine <1, "e", 1> {
  // expected-error @+1 {{divisor must be at least 1, got 0}}
  plan.symbol "M" extent 0, 0 {divisor = 0 : i64}
  plan.operand "x" uid 1 in f32 extents affine_map<()[s0] -> (s0)>
      strides affine_map<() -> (1)>
}

// -----

plan.program @symbol_default target "host" engine <1, "e", 1> {
  // expected-error @+1 {{default 12 must lie in [0, 64] and be a multiple of 8}}
  plan.symbol "M" extent 0, 0
      {max = 64 : i64, divisor = 8 : i64, default_value = 12 : i64}
  plan.operand "x" uid 1 in f32 extents affine_map<()[s0] -> (s0)>
      strides affine_map<() -> (1)>
}

// -----

plan.program @fill_results target "host" engine <1, "e", 1> {
  // expected-error @+1 {{size must have one result, got 2}}
  plan.fill offset affine_map<() -> (0)> size affine_map<() -> (0, 1)> value 0
}

// -----

// expected-error @+1 {{shared workspace uses 1 symbols, the program declares 0 (P4)}}
plan.program @workspace_symbols target "host" engine <1, "e", 1>
    workspace <shared = affine_map<()[s0] -> (s0)>,
               private = affine_map<() -> (0)>, max_workers = 1> {
}

// -----

// expected-error @+2 {{private size must be a map without dimensions and with one result}}
plan.program @workspace_map target "host" engine <1, "e", 1>
    workspace <shared = affine_map<() -> (0)>,
               private = affine_map<(d0) -> (d0)>, max_workers = 1> {
}

// -----

// expected-error @+2 {{max_workers must be at least 1}}
plan.program @workspace_workers target "host" engine <1, "e", 1>
    workspace <shared = affine_map<() -> (0)>,
               private = affine_map<() -> (0)>, max_workers = 0> {
}

// -----

// expected-error @+1 {{engine id must not be negative, got -1}}
plan.program @engine_id target "host" engine <-1, "e", 1> {
}

// -----

// expected-error @+1 {{engine name must not be empty}}
plan.program @engine_name target "host" engine <1, "", 1> {
}

// -----

// expected-error @+1 {{knobs are (type, value) pairs, got 3 numbers}}
plan.program @engine_knobs target "host" engine <1, "e", 1, [1, 2, 3]> {
}

// -----

// expected-error @+1 {{knob types must ascend, got 5 before 5}}
plan.program @engine_knob_order target "host" engine <1, "e", 1, [5, 0, 5, 1]> {
}
