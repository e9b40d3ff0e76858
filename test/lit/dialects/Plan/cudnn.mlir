// RUN: graph-opt %s | FileCheck %s
// RUN: graph-opt %s --mlir-print-op-generic | graph-opt | FileCheck %s

// A plan that cuDNN runs, with each form of data.

plan.program @mm target "sm_90:NVIDIA_H200" engine <7, "cudnn.7", 91900>
    workspace <shared = affine_map<() -> (1088)>,
               private = affine_map<() -> (0)>, max_workers = 1> {
  plan.operand "x" uid 1 in bf16 extents affine_map<() -> (4, 64)>
      strides affine_map<() -> (64, 1)> {alignment = 16 : i64}
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  plan.operand "y" uid 3 out bf16 extents affine_map<() -> (4, 64)>
      strides affine_map<() -> (64, 1)>
  // CHECK: plan.cudnn_execute @opgraph_a config 7 knobs [2, 1, 24, 21] uids [1, 10, 11, 12] args [#plan.pointer<0>, #plan.scalar<1, f32>, 2.500000e-01 : f32, #plan.scratch<#{{.+}}>] workspace 64 bytes 1024
  plan.cudnn_execute @opgraph_a config 7 knobs [2, 1, 24, 21]
      uids [1, 10, 11, 12]
      args [#plan.pointer<0>, #plan.scalar<1, f32>, 0.25 : f32,
            #plan.scratch<affine_map<() -> (0)>>]
      workspace 64 bytes 1024
  // CHECK-NEXT: plan.cudnn_execute @opgraph_b config 0 uids [12, 3] args [#plan.scratch<#{{.+}}>, #plan.pointer<2, offset = #{{.+}}>] {library = 91900 : i64, serialized = "{}"}
  plan.cudnn_execute @opgraph_b config 0 uids [12, 3]
      args [#plan.scratch<affine_map<() -> (0)>>,
            #plan.pointer<2, offset = affine_map<() -> (128)>>]
      {serialized = "{}", library = 91900 : i64}
}
