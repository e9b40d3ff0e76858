// RUN: graph-opt %s --host-outline-parallel --canonicalize --split-input-file --allow-unregistered-dialect | FileCheck %s

// A loop of two axes becomes one range; views and extents are recomputed in
// the body, a loaded scalar is passed, private memory is the worker's.

plan.program @both target "host" engine <1, "e", 1>
    workspace <shared = affine_map<()[s0] -> (s0 * 64)>,
               private = affine_map<() -> (128)>, max_workers = 4> {
  plan.symbol "M" extent 0, 0
  plan.operand "x" uid 1 in f32 extents affine_map<()[s0] -> (s0)>
      strides affine_map<() -> (1)>
  plan.host_call @opgraph_both
}

// CHECK-LABEL: func.func private @opgraph_both_body0
// CHECK-SAME: (%[[X:[^:]+]]: memref<?xf32>, %[[WS:[^:]+]]: memref<?xi8>, %[[BEGIN:[^:]+]]: i64, %[[END:[^:]+]]: i64, %[[WORKER:[^:]+]]: i64, %[[SCALAR:[^:]+]]: f32) attributes {opgraph.host_body = @opgraph_both}
// CHECK-DAG: %[[C7:.+]] = arith.constant 7 : index
// CHECK-DAG: %[[C128:.+]] = arith.constant 128 : index
// CHECK: %[[M:.+]] = memref.dim %[[X]]
// CHECK: %[[T:.+]] = memref.view %[[WS]][%{{.+}}][%[[M]]]
// CHECK: %[[B:.+]] = arith.index_cast %[[BEGIN]]
// CHECK: %[[E:.+]] = arith.index_cast %[[END]]
// CHECK: scf.for %[[I:.+]] = %[[B]] to %[[E]]
// CHECK:   %[[COL:.+]] = arith.remui %[[I]], %[[C7]]
// CHECK:   %[[ROW:.+]] = arith.divui %[[I]], %[[C7]]
// CHECK:   %[[W:.+]] = arith.index_cast %[[WORKER]]
// CHECK:   %[[SKIP:.+]] = arith.muli %[[W]], %[[C128]]
// CHECK:   %[[AT:.+]] = arith.addi %{{.+}}, %[[SKIP]]
// CHECK:   %[[VIEW:.+]] = memref.view %[[WS]][%[[AT]]][]
// CHECK-SAME: to memref<128xi8>
// CHECK:   %[[OWN:.+]] = memref.cast %[[VIEW]]
// CHECK:   "test.use"(%[[OWN]], %[[T]], %[[SCALAR]], %[[ROW]], %[[COL]])

// CHECK-LABEL: func.func @opgraph_both
// CHECK: %[[M:.+]] = memref.dim
// CHECK: %[[S:.+]] = memref.load
// CHECK: %[[ROWS:.+]] = arith.maxsi %[[M]], %{{.+}}
// CHECK: %[[COUNT:.+]] = arith.muli %[[ROWS]], %{{.+}}
// CHECK: %[[COUNT64:.+]] = arith.index_cast %[[COUNT]] : index to i64
// CHECK: plan.parallel_for @opgraph_both_body0 count %[[COUNT64]] captures(%[[S]] : f32)
func.func @opgraph_both(%x: memref<?xf32>, %ws: memref<?xi8>)
    attributes {opgraph.host_entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c7 = arith.constant 7 : index
  %m = memref.dim %x, %c0 : memref<?xf32>
  %t = memref.view %ws[%c0][%m] : memref<?xi8> to memref<?xf32>
  %s = memref.load %x[%c0] : memref<?xf32>
  scf.parallel (%i, %j) = (%c0, %c0) to (%m, %c7) step (%c1, %c1) {
    %own = plan.private_memory : memref<?xi8>
    "test.use"(%own, %t, %s, %i, %j)
        : (memref<?xi8>, memref<?xf32>, f32, index, index) -> ()
    scf.reduce
  }
  return
}

// -----

// Bounds and steps: 3, 8, 13 are three iterations. A parallel loop inside is
// sequential.

plan.program @steps target "host" engine <1, "e", 1>
    workspace <shared = affine_map<() -> (0)>,
               private = affine_map<() -> (0)>, max_workers = 4> {
  plan.host_call @opgraph_steps
}
// CHECK-LABEL: func.func private @opgraph_steps_body0
// CHECK-DAG: %[[C3:.+]] = arith.constant 3 : index
// CHECK-DAG: %[[C5:.+]] = arith.constant 5 : index
// CHECK: scf.for %[[I:.+]] =
// CHECK:   %[[SCALED:.+]] = arith.muli %[[I]], %[[C5]]
// CHECK:   %[[IV:.+]] = arith.addi %[[SCALED]], %[[C3]]
// CHECK:   scf.for %[[J:.+]] =
// CHECK:     "test.use"(%[[IV]], %[[J]])
// CHECK-LABEL: func.func @opgraph_steps
// CHECK: %[[COUNT:.+]] = arith.constant 3 : i64
// CHECK: plan.parallel_for @opgraph_steps_body0 count %[[COUNT]]
// CHECK-NOT: captures
func.func @opgraph_steps(%ws: memref<?xi8>) attributes {opgraph.host_entry} {
  scf.forall (%i) = (3) to (18) step (5) {
    scf.forall (%j) in (4) {
      "test.use"(%i, %j) : (index, index) -> ()
    }
  }
  return
}

// -----

// A loop inside a sequential one gets the outer index by value; two loops give
// two bodies.

plan.program @nested target "host" engine <1, "e", 1>
    workspace <shared = affine_map<() -> (0)>,
               private = affine_map<() -> (0)>, max_workers = 4> {
  plan.host_call @opgraph_nested
}
// CHECK-LABEL: func.func private @opgraph_nested_body0
// CHECK-SAME: %[[OUTER:[^ ]+]]: i64) attributes
// CHECK: arith.index_cast %[[OUTER]] : i64 to index
// CHECK-LABEL: func.func private @opgraph_nested_body1
// CHECK-LABEL: func.func @opgraph_nested
// CHECK: scf.for %[[K:.+]] =
// CHECK:   %[[K64:.+]] = arith.index_cast %[[K]] : index to i64
// CHECK:   plan.parallel_for @opgraph_nested_body0 count %{{.+}} captures(%[[K64]] : i64)
// CHECK: plan.parallel_for @opgraph_nested_body1
func.func @opgraph_nested(%ws: memref<?xi8>) attributes {opgraph.host_entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c4 = arith.constant 4 : index
  scf.for %k = %c0 to %c4 step %c1 {
    scf.forall (%i) in (8) {
      "test.use"(%i, %k) : (index, index) -> ()
    }
  }
  scf.forall (%i) in (8) {
    "test.use"(%i) : (index) -> ()
  }
  return
}

// -----

// A buffer that no pure function of the arguments gives keeps the loop
// sequential, with the first worker's memory.

plan.program @kept target "host" engine <1, "e", 1>
    workspace <shared = affine_map<() -> (64)>,
               private = affine_map<() -> (64)>, max_workers = 4> {
  plan.host_call @opgraph_kept
}
// CHECK-NOT: func.func private
// CHECK-LABEL: func.func @opgraph_kept
// CHECK-SAME: %[[WS:.+]]: memref<?xi8>
// CHECK-DAG: %[[C64:.+]] = arith.constant 64 : index
// CHECK: scf.for
// CHECK:   %[[VIEW:.+]] = memref.view %[[WS]][%[[C64]]][]
// CHECK-SAME: to memref<64xi8>
// CHECK:   %[[OWN:.+]] = memref.cast %[[VIEW]]
// CHECK:   "test.use"(%{{.+}}, %[[OWN]])
// CHECK-NOT: plan.parallel_for
func.func @opgraph_kept(%ws: memref<?xi8>) attributes {opgraph.host_entry} {
  %a = memref.alloca() : memref<8xf32>
  scf.forall (%i) in (8) {
    %own = plan.private_memory : memref<?xi8>
    "test.use"(%a, %own) : (memref<8xf32>, memref<?xi8>) -> ()
  }
  return
}

// -----

// A reduction is not cut: its result would depend on the cuts.

plan.program @reduce target "host" engine <1, "e", 1>
    workspace <shared = affine_map<() -> (0)>,
               private = affine_map<() -> (0)>, max_workers = 4> {
  plan.operand "x" uid 1 in f32 extents affine_map<() -> (8)>
      strides affine_map<() -> (1)>
  plan.host_call @opgraph_reduce
}
// CHECK-LABEL: func.func @opgraph_reduce
// CHECK: %[[SUM:.+]] = scf.for {{.+}} iter_args(%[[ACC:.+]] = %{{.+}})
// CHECK:   %[[V:.+]] = memref.load
// CHECK:   %[[NEXT:.+]] = arith.addf %[[ACC]], %[[V]]
// CHECK:   scf.yield %[[NEXT]]
// CHECK: memref.store %[[SUM]]
func.func @opgraph_reduce(%x: memref<8xf32>, %ws: memref<?xi8>)
    attributes {opgraph.host_entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %c8 = arith.constant 8 : index
  %zero = arith.constant 0.0 : f32
  %sum = scf.parallel (%i) = (%c0) to (%c8) step (%c1) init (%zero) -> f32 {
    %v = memref.load %x[%i] : memref<8xf32>
    scf.reduce(%v : f32) {
    ^bb0(%lhs: f32, %rhs: f32):
      %r = arith.addf %lhs, %rhs : f32
      scf.reduce.return %r : f32
    }
  }
  memref.store %sum, %x[%c0] : memref<8xf32>
  return
}
