// RUN: graph-opt %s | FileCheck %s
// RUN: graph-opt %s --mlir-print-op-generic | graph-opt | FileCheck %s

// A plan for a CUDA device, with every kind of argument.

// CHECK: plan.program @launches target "sm_90:NVIDIA_H200"
plan.program @launches target "sm_90:NVIDIA_H200"
    engine <30000, "nvptx.pointwise", 1>
    workspace <shared = affine_map<()[s0] -> (s0 * 256)>,
               private = affine_map<() -> (0)>, max_workers = 1> {
  plan.symbol "M" extent 0, 0
  plan.operand "x" uid 1 in bf16 extents affine_map<()[s0] -> (s0, 64)>
      strides affine_map<() -> (64, 1)> {alignment = 16 : i64}
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  plan.operand "y" uid 3 out bf16 extents affine_map<()[s0] -> (s0, 64)>
      strides affine_map<() -> (64, 1)> stride_rule any
  // CHECK: plan.encode_map #plan.pointer<0> element bf16 extents #{{.+}} strides #{{.+}} box [128, 64] swizzle sw128 fill_nan
  plan.encode_map #plan.pointer<0> element bf16
      extents affine_map<()[s0] -> (s0, 64)>
      strides affine_map<() -> (64, 1)> box [128, 64] swizzle sw128 fill_nan
  // CHECK-NEXT: plan.encode_map #plan.scratch<#{{.+}}> element i8 extents #{{.+}} strides #{{.+}} box [16]{{$}}
  plan.encode_map #plan.scratch<affine_map<() -> (0)>> element i8
      extents affine_map<() -> (256)> strides affine_map<() -> (1)> box [16]
  // CHECK-NEXT: plan.encode_map #plan.scratch<#{{.+}}> element bf16 extents #{{.+}} strides #{{.+}} box [128, 1, 1, 64] im2col lower [-1, -1] upper [-1, 0] steps [1, 2] swizzle sw128{{$}}
  plan.encode_map #plan.scratch<affine_map<() -> (0)>> element bf16
      extents affine_map<() -> (2, 6, 10, 64)>
      strides affine_map<() -> (3840, 640, 64, 1)> box [128, 1, 1, 64]
      im2col lower [-1, -1] upper [-1, 0] steps [1, 2] swizzle sw128
  // CHECK-NEXT: plan.fill
  plan.fill offset affine_map<() -> (0)>
      size affine_map<()[s0] -> (s0 * 256)> value 0
  // CHECK-NEXT: plan.launch @opgraph_k grid #{{.+}} at_most [1024, 65535] dependent
  // CHECK-SAME: args [#plan.pointer<0>, #plan.pointer<2, offset = #{{.+}}>, #plan.scratch<#{{.+}}>, #plan.integer<#{{.+}}, i32>, #plan.integer<#{{.+}}, ui32>, #plan.stride<2, 1, i64>, #plan.scalar<1, f32>, #plan.map<1>, 1.500000e+00 : f32, 7 : i32]
  plan.launch @opgraph_k
      grid affine_map<()[s0] -> (s0 ceildiv 2, 4)> at_most [1024, 65535]
      dependent
      args [#plan.pointer<0>,
            #plan.pointer<2, offset = affine_map<()[s0] -> (s0 * 4)>>,
            #plan.scratch<affine_map<() -> (64)>>,
            #plan.integer<affine_map<()[s0] -> (s0)>, i32>,
            #plan.integer<affine_map<()[s0] -> (4294967296 ceildiv s0)>, ui32>,
            #plan.stride<2, 1, i64>, #plan.scalar<1, f32>, #plan.map<1>,
            1.5 : f32, 7 : i32]
  // CHECK-NEXT: plan.launch @opgraph_k grid #{{.+}} args []
  plan.launch @opgraph_k grid affine_map<() -> (1)> args []
}
