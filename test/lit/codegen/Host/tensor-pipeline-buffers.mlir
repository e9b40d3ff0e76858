// RUN: graph-opt %s --host-sequentialize --host-hoist-buffers | FileCheck %s

// CHECK-LABEL: func.func @buffers(
// CHECK-NEXT: %[[SHARED:.+]] = memref.alloc() : memref<8xf32>
// CHECK: scf.for
// CHECK: memref.store %{{.+}}, %[[SHARED]]
// CHECK: scf.forall
// CHECK-NEXT: %[[OWN:.+]] = memref.alloc() : memref<4xf32>
// CHECK: scf.for
// CHECK-NOT: memref.alloc
// CHECK: memref.store %{{.+}}, %[[OWN]]
func.func @buffers(%x: f32) {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c9 = arith.constant 9 : index
  scf.forall (%i) in (4) {
    %a = memref.alloc() : memref<8xf32>
    memref.store %x, %a[%i] : memref<8xf32>
  } {opgraph.sequential}
  scf.forall (%i) in (4) {
    scf.for %j = %c0 to %c9 step %c1 {
      %a = memref.alloc() : memref<4xf32>
      memref.store %x, %a[%i] : memref<4xf32>
    }
  }
  return
}
