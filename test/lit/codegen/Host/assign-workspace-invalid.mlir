// RUN: graph-opt %s --host-assign-workspace --split-input-file --verify-diagnostics --allow-unregistered-dialect

// expected-error @+1 {{is called by no plan.program}}
func.func @opgraph_none() attributes {opgraph.host_entry} {
  return
}

// -----

plan.program @operands target "host" engine <1, "e", 1> {
  plan.host_call @opgraph_operands
}
// expected-error @+1 {{must take the plan's 0 operands and return nothing, has 1 arguments and 0 results}}
func.func @opgraph_operands(%x: memref<8xf32>)
    attributes {opgraph.host_entry} {
  return
}

// -----

plan.program @unbounded target "host" engine <1, "e", 1> {
  plan.operand "n" uid 1 in i64 extents affine_map<() -> ()>
      strides affine_map<() -> ()> {by_value}
  plan.host_call @opgraph_unbounded
}
func.func @opgraph_unbounded(%n: memref<i64>)
    attributes {opgraph.host_entry} {
  %value = memref.load %n[] : memref<i64>
  %size = arith.index_cast %value : i64 to index
  // expected-error @+1 {{cannot be placed in the workspace: no bound of its extent at axis 1 follows from the operands' shapes}}
  %a = memref.alloc(%size) : memref<8x?xf32>
  "test.use"(%a) : (memref<8x?xf32>) -> ()
  return
}

// -----

plan.program @strided target "host" engine <1, "e", 1> {
  plan.host_call @opgraph_strided
}
func.func @opgraph_strided() attributes {opgraph.host_entry} {
  // expected-error @+1 {{cannot be placed in the workspace: expected a packed buffer}}
  %a = memref.alloc() : memref<8xf32, strided<[2]>>
  "test.use"(%a) : (memref<8xf32, strided<[2]>>) -> ()
  return
}

// -----

plan.program @large target "host" engine <1, "e", 1> {
  plan.host_call @opgraph_large
}
func.func @opgraph_large() attributes {opgraph.host_entry} {
  %size = arith.constant 4611686018427387904 : index
  %empty = memref.alloc(%size) : memref<?x0xf64>
  "test.use"(%empty) : (memref<?x0xf64>) -> ()
  // expected-error @+1 {{cannot be placed in the workspace: expected at most 281474976710656 bytes, got more in 'memref<?xf64>'}}
  %a = memref.alloc(%size) : memref<?xf64>
  "test.use"(%a) : (memref<?xf64>) -> ()
  return
}

// -----

plan.program @carried target "host" engine <1, "e", 1> {
  plan.host_call @opgraph_carried
}
func.func @opgraph_carried() attributes {opgraph.host_entry} {
  %c0 = arith.constant 0 : index
  %c1 = arith.constant 1 : index
  %first = memref.alloc() : memref<8xf32>
  %last = scf.for %i = %c0 to %c1 step %c1 iter_args(%old = %first)
      -> memref<8xf32> {
    // expected-error @+1 {{cannot be placed in the workspace: it is carried from one iteration to the next}}
    %new = memref.alloc() : memref<8xf32>
    memref.copy %old, %new : memref<8xf32> to memref<8xf32>
    scf.yield %new : memref<8xf32>
  }
  "test.use"(%last) : (memref<8xf32>) -> ()
  return
}

// -----

plan.program @realloc target "host" engine <1, "e", 1> {
  plan.host_call @opgraph_realloc
}
func.func @opgraph_realloc() attributes {opgraph.host_entry} {
  %a = memref.alloc() : memref<8xf32>
  // expected-error @+1 {{cannot be placed in the workspace}}
  %b = memref.realloc %a : memref<8xf32> to memref<16xf32>
  return
}

// -----

func.func @helper() {
  // expected-error @+1 {{is left outside a host entry}}
  %a = memref.alloc() : memref<8xf32>
  "test.use"(%a) : (memref<8xf32>) -> ()
  return
}
