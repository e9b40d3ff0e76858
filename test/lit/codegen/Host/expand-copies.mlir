// RUN: graph-opt %s --pass-pipeline='builtin.module(func.func(host-expand-copies))' | FileCheck %s

// CHECK-LABEL: func.func @copies
func.func @copies(%a: memref<4x8xf32>, %b: memref<4x8xf32>,
                  %c: memref<4x8xf32, strided<[16, 1]>>) {
  // CHECK: memref.copy
  memref.copy %a, %b : memref<4x8xf32> to memref<4x8xf32>
  // CHECK: linalg.generic
  memref.copy %a, %c : memref<4x8xf32> to memref<4x8xf32, strided<[16, 1]>>
  // CHECK: linalg.generic
  memref.copy %c, %b : memref<4x8xf32, strided<[16, 1]>> to memref<4x8xf32>
  // CHECK-NOT: memref.copy
  return
}
