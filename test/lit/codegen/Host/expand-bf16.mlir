// RUN: graph-opt %s --host-lower-math=expand-bf16 | FileCheck %s

// The select must be on integers: LLVM legalises one on bfloat vectors through
// a library call that host code may not import.

// CHECK-LABEL: func.func @round_to_bf16
// CHECK: %[[NAN:.+]] = arith.cmpf uno
// CHECK: %[[BITS:.+]] = arith.select %[[NAN]], %{{.+}}, %{{.+}} : vector<8xi1>, vector<8xi16>
// CHECK: arith.bitcast %[[BITS]] : vector<8xi16> to vector<8xbf16>
func.func @round_to_bf16(%x: vector<8xf32>) -> vector<8xbf16> {
  %0 = arith.truncf %x : vector<8xf32> to vector<8xbf16>
  return %0 : vector<8xbf16>
}
