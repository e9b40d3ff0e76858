// RUN: graph-opt %s --host-lower-math | FileCheck %s --check-prefixes=CHECK,EXPAND
// RUN: graph-opt %s --host-lower-math=expand-bf16=false | FileCheck %s --check-prefixes=CHECK,NATIVE

// Functions become calls of libm: log1p and expm1 too, which MLIR's own
// lowering to LLVM would compute as log(1 + x) and exp(x) - 1.

// CHECK-DAG: func.func private @expf(f32) -> f32
// CHECK-DAG: func.func private @log1p(f64) -> f64
// CHECK-LABEL: func.func @functions
func.func @functions(%x: f32, %y: f64) -> (f32, f64, f64, f32) {
  // CHECK: call @expf
  %0 = math.exp %x : f32
  // CHECK: call @log1p
  %1 = math.log1p %y : f64
  // CHECK: call @expm1
  %2 = math.expm1 %y : f64
  // CHECK: call @powf
  %3 = math.powf %x, %x : f32
  return %0, %1, %2, %3 : f32, f64, f64, f32
}

// CHECK-LABEL: func.func @instructions
func.func @instructions(%x: f32) -> f32 {
  // CHECK: math.floor
  %0 = math.floor %x : f32
  // CHECK: math.sqrt
  %1 = math.sqrt %0 : f32
  // CHECK: math.roundeven
  %2 = math.roundeven %1 : f32
  // CHECK: math.absf
  %3 = math.absf %2 : f32
  // CHECK: math.fma
  %4 = math.fma %3, %x, %x : f32
  return %4 : f32
}

// Lanes are called for one by one; f16 goes through f32.

// CHECK-LABEL: func.func @vectors
func.func @vectors(%x: vector<2xf32>, %h: f16) -> (vector<2xf32>, f16) {
  // CHECK-COUNT-2: call @tanhf
  %0 = math.tanh %x : vector<2xf32>
  // CHECK: arith.extf %{{.+}} : f16 to f32
  // CHECK: call @erff
  // CHECK: arith.truncf %{{.+}} : f32 to f16
  %1 = math.erf %h : f16
  return %0, %1 : vector<2xf32>, f16
}

// CHECK-LABEL: func.func @bf16
func.func @bf16(%x: bf16, %y: vector<4xf32>) -> (f32, vector<4xbf16>) {
  // EXPAND-NOT: arith.extf
  // EXPAND: arith.shli
  // NATIVE: arith.extf
  %0 = arith.extf %x : bf16 to f32
  // EXPAND-NOT: arith.truncf
  // NATIVE: arith.truncf
  %1 = arith.truncf %y : vector<4xf32> to vector<4xbf16>
  return %0, %1 : f32, vector<4xbf16>
}
