// RUN: graph-opt %s --host-assign-workspace --split-input-file --allow-unregistered-dialect | FileCheck %s

// Constant sizes: two temporaries in use at once lie side by side, a third one
// whose life begins after the first one's end takes its place. Sizes are
// multiples of 64, dealloc disappears.

// CHECK: #[[SIZE:.+]] = affine_map<() -> (192)>
// CHECK: plan.program @static
// CHECK-SAME: workspace <shared = #[[SIZE]], private = #{{.+}}, max_workers = 1>
plan.program @static target "host" engine <1, "e", 1> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8)>
      strides affine_map<() -> (1)>
  plan.host_call @opgraph_static
}
// CHECK-LABEL: func.func @opgraph_static
// CHECK-SAME: %[[X:.+]]: memref<8xf32>, %[[WS:.+]]: memref<?xi8>
func.func @opgraph_static(%x: memref<8xf32>)
    attributes {opgraph.host_entry} {
  // CHECK: %[[C0:.+]] = arith.constant 0 : index
  // CHECK: %[[A:.+]] = memref.view %[[WS]][%[[C0]]][] : memref<?xi8> to memref<32xf32>
  %a = memref.alloc() : memref<32xf32>
  memref.copy %x, %x : memref<8xf32> to memref<8xf32>
  // CHECK: %[[C128:.+]] = arith.constant 128 : index
  // CHECK: memref.view %[[WS]][%[[C128]]][] : memref<?xi8> to memref<3xi1>
  %b = memref.alloc() : memref<3xi1>
  "test.use"(%a, %b) : (memref<32xf32>, memref<3xi1>) -> ()
  // CHECK-NOT: memref.dealloc
  memref.dealloc %a : memref<32xf32>
  // CHECK: %[[C0_1:.+]] = arith.constant 0 : index
  // CHECK: memref.view %[[WS]][%[[C0_1]]][] : memref<?xi8> to memref<16xf64>
  %c = memref.alloc() : memref<16xf64>
  "test.use"(%b, %c) : (memref<3xi1>, memref<16xf64>) -> ()
  return
}

// -----

// A view keeps its buffer alive.

// CHECK: affine_map<() -> (128)>
plan.program @views target "host" engine <1, "e", 1> {
  plan.host_call @opgraph_views
}
// CHECK-LABEL: func.func @opgraph_views
func.func @opgraph_views() attributes {opgraph.host_entry} {
  %a = memref.alloc() : memref<4x4xf32>
  %v = memref.subview %a[0, 0] [2, 2] [1, 1]
      : memref<4x4xf32> to memref<2x2xf32, strided<[4, 1]>>
  // CHECK: arith.constant 64 : index
  %b = memref.alloc() : memref<16xf32>
  "test.use"(%b, %v) : (memref<16xf32>, memref<2x2xf32, strided<[4, 1]>>) -> ()
  return
}

// -----

// Symbolic sizes come after the constant ones, as expressions of the symbols,
// which the code reads from the operands' descriptors.

// CHECK: #[[SIZE:.+]] = affine_map<()[s0, s1] -> (s1 * 512 + (s0 ceildiv 2) * 64 + 64)>
// CHECK: plan.program @dynamic
// CHECK-SAME: shared = #[[SIZE]]
plan.program @dynamic target "host" engine <1, "e", 1> {
  plan.symbol "M" extent 0, 0
  plan.symbol "N" extent 0, 1
  plan.operand "x" uid 1 in f32 extents affine_map<()[s0, s1] -> (s0, s1)>
      strides affine_map<()[s0, s1] -> (s1, 1)>
  plan.host_call @opgraph_dynamic
}
// CHECK-LABEL: func.func @opgraph_dynamic
// CHECK-SAME: %[[X:.+]]: memref<?x?xf32, strided<[?, 1]>>, %[[WS:.+]]: memref
func.func @opgraph_dynamic(%x: memref<?x?xf32, strided<[?, 1]>>)
    attributes {opgraph.host_entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c64 = arith.constant 64 : index
  // CHECK: %[[M:.+]] = memref.dim %[[X]], %{{.+}}
  %m = memref.dim %x, %c0 : memref<?x?xf32, strided<[?, 1]>>
  %n = memref.dim %x, %c1 : memref<?x?xf32, strided<[?, 1]>>
  // CHECK: %[[OFF:.+]] = arith.constant 64 : index
  // CHECK: memref.view %[[WS]][%[[OFF]]][%[[M]]] : memref<?xi8> to memref<?x8xf32>
  %a = memref.alloc(%m) : memref<?x8xf32>
  %s = memref.alloc() : memref<16xf32>
  %rounded = arith.muli %n, %c64 : index
  // CHECK: %[[D:.+]] = memref.dim %[[X]], %{{.+}}
  // CHECK: %[[Q:.+]] = arith.ceildivsi %[[D]], %{{.+}}
  // CHECK: %[[P:.+]] = arith.muli %[[Q]], %{{.+}}
  // CHECK: %[[OFF2:.+]] = arith.addi %[[P]], %{{.+}}
  // CHECK: memref.view %[[WS]][%[[OFF2]]]
  %b = memref.alloc(%rounded) : memref<?xf64>
  "test.use"(%a, %s, %b)
      : (memref<?x8xf32>, memref<16xf32>, memref<?xf64>) -> ()
  return
}

// -----

// A bound serves where the size depends on a loop: min(32, M - i) <= 32.

// CHECK: #[[SIZE:.+]] = affine_map<() -> (128)>
// CHECK: plan.program @bounded
// CHECK-SAME: shared = #[[SIZE]]
plan.program @bounded target "host" engine <1, "e", 1> {
  plan.symbol "M" extent 0, 0
  plan.operand "x" uid 1 in f32 extents affine_map<()[s0] -> (s0)>
      strides affine_map<() -> (1)>
  plan.host_call @opgraph_bounded
}
// CHECK-LABEL: func.func @opgraph_bounded
func.func @opgraph_bounded(%x: memref<?xf32>) attributes {opgraph.host_entry} {
  %c0 = arith.constant 0 : index
  %c32 = arith.constant 32 : index
  %m = memref.dim %x, %c0 : memref<?xf32>
  scf.for %i = %c0 to %m step %c32 {
    %left = arith.subi %m, %i : index
    %size = arith.minsi %left, %c32 : index
    // CHECK: memref.view %{{.+}}[%{{.+}}][%{{.+}}] : memref<?xi8> to memref<?xf32>
    %a = memref.alloc(%size) : memref<?xf32>
    "test.use"(%a) : (memref<?xf32>) -> ()
  }
  return
}

// -----

// Inside a parallel loop memory is the worker's own, of no more workers than
// iterations. A small alloca stays, a big one moves to the workspace.

// CHECK-DAG: #[[SHARED:.+]] = affine_map<() -> (8192)>
// CHECK-DAG: #[[PRIVATE:.+]] = affine_map<() -> (64)>
// CHECK: workspace <shared = #[[SHARED]], private = #[[PRIVATE]], max_workers = 8>
plan.program @parallel target "host" engine <1, "e", 1> {
  plan.host_call @opgraph_parallel
}
// CHECK-LABEL: func.func @opgraph_parallel
// CHECK-SAME: %[[WS:.+]]: memref<?xi8>
func.func @opgraph_parallel() attributes {opgraph.host_entry} {
  // CHECK: memref.view %[[WS]]
  %big = memref.alloca() : memref<2048xf32>
  // CHECK: memref.alloca() : memref<1024xf32>
  %small = memref.alloca() : memref<1024xf32>
  "test.use"(%big, %small) : (memref<2048xf32>, memref<1024xf32>) -> ()
  // CHECK: scf.forall
  scf.forall (%i) in (8) {
    // CHECK: %[[OWN:.+]] = plan.private_memory : memref<?xi8>
    // CHECK: memref.view %[[OWN]]
    %a = memref.alloc() : memref<16xf32>
    "test.use"(%a) : (memref<16xf32>) -> ()
  }
  return
}

// -----

// Two parallel loops reuse the workers' memory; with an unknown number of
// iterations the limit counts.

// CHECK-DAG: #[[SHARED:.+]] = affine_map<() -> (0)>
// CHECK-DAG: #[[PRIVATE:.+]] = affine_map<() -> (256)>
// CHECK: workspace <shared = #[[SHARED]], private = #[[PRIVATE]], max_workers = 32>
plan.program @two_loops target "host" engine <1, "e", 1> {
  plan.symbol "M" extent 0, 0
  plan.operand "x" uid 1 in f32 extents affine_map<()[s0] -> (s0)>
      strides affine_map<() -> (1)>
  plan.host_call @opgraph_two_loops
}
func.func @opgraph_two_loops(%x: memref<?xf32>)
    attributes {opgraph.host_entry} {
  %c0 = arith.constant 0 : index
  %m = memref.dim %x, %c0 : memref<?xf32>
  scf.forall (%i) in (%m) {
    %a = memref.alloc() : memref<64xf32>
    "test.use"(%a) : (memref<64xf32>) -> ()
  }
  scf.forall (%i) in (4) {
    %a = memref.alloc() : memref<16xf32>
    "test.use"(%a) : (memref<16xf32>) -> ()
  }
  return
}
