// RUN: graph-opt %s --host-codegen-pipeline | FileCheck %s

// From memrefs to the packed ABI: an entry, the body of its parallel loop, and
// the functions that both wrap.

plan.program @g target "host" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8, 4)>
      strides affine_map<() -> (4, 1)> {alignment = 16 : i64}
  plan.operand "s" uid 2 in f32 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  plan.operand "y" uid 3 out f32 extents affine_map<() -> (8, 4)>
      strides affine_map<() -> (4, 1)> {alignment = 16 : i64}
  plan.alias 0, 2
  plan.host_call @opgraph_g
}

// CHECK: llvm.func @opgraph_parallel_for(!llvm.ptr, !llvm.ptr, i64)

// Helpers are the image's own.

// CHECK: llvm.func internal @helper

// The body's wrapper takes range and worker, and loads the captured value from
// behind the descriptors of three operands and the workspace.

// CHECK-LABEL: llvm.func hidden @opgraph_g_body0(
// CHECK-SAME: %[[ARGS:[^:]+]]: !llvm.ptr, %[[BEGIN:[^:]+]]: i64, %[[END:[^:]+]]: i64, %[[WORKER:[^:]+]]: i64)
// CHECK: %[[SLOT0:.+]] = llvm.getelementptr %[[ARGS]][0]
// CHECK: llvm.load %[[SLOT0]]
// CHECK: %[[SLOT4:.+]] = llvm.getelementptr %[[ARGS]][4]
// CHECK: %[[CAPTURE:.+]] = llvm.load %[[SLOT4]] : !llvm.ptr -> f32
// CHECK: llvm.call @opgraph_g_body0_impl({{.+}}, %[[BEGIN]], %[[END]], %[[WORKER]], %[[CAPTURE]])

// What may alias by the plan is not noalias; the workspace and the scalar are.

// CHECK: llvm.func internal @opgraph_g_body0_impl(
// CHECK-SAME: %arg1: !llvm.ptr {llvm.align = 16 : i64},
// CHECK-SAME: %arg8: !llvm.ptr {llvm.noalias},
// CHECK-SAME: {llvm.align = 64 : i64, llvm.noalias}
// CHECK-SAME: passthrough = ["alwaysinline", "nounwind"]

// CHECK-LABEL: llvm.func hidden @opgraph_g(
// CHECK-SAME: %[[ARGS:[^:]+]]: !llvm.ptr)
// CHECK: llvm.call @opgraph_g_impl({{.+}}, %[[ARGS]])

// Around a parallel loop an entry promises nothing about aliases: the body
// reads the same addresses from the packed arguments.

// CHECK: llvm.func internal @opgraph_g_impl(
// CHECK-NOT: llvm.noalias
// CHECK: %[[PACKED:.+]] = llvm.alloca %{{.+}} x i64
// CHECK: %[[BODY:.+]] = llvm.mlir.addressof @opgraph_g_body0
// CHECK: llvm.call @opgraph_parallel_for(%[[BODY]], %[[PACKED]], %{{.+}})
func.func @helper(%x: f32) -> f32 {
  return %x : f32
}
func.func @opgraph_g(%x: memref<8x4xf32>, %s: memref<f32>, %y: memref<8x4xf32>)
    attributes {opgraph.host_entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  %c8 = arith.constant 8 : index
  %scale = memref.load %s[] : memref<f32>
  scf.parallel (%i) = (%c0) to (%c8) step (%c1) {
    scf.for %j = %c0 to %c4 step %c1 {
      %v = memref.load %x[%i, %j] : memref<8x4xf32>
      %r = arith.mulf %v, %scale : f32
      memref.store %r, %y[%i, %j] : memref<8x4xf32>
    }
    scf.reduce
  }
  return
}
