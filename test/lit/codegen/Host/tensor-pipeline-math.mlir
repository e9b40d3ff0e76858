// RUN: graph-opt %s --host-approximate-math | FileCheck %s

// CHECK-LABEL: func.func @exp(
// CHECK-NOT: math.exp
// CHECK: math.fma
// CHECK-NOT: arith.fptosi
// CHECK: return
func.func @exp(%x: f32) -> f32 {
  %y = math.exp %x : f32
  return %y : f32
}

// f64 is libm's.
// CHECK-LABEL: func.func @exp_f64(
// CHECK: math.exp %arg0 : f64
func.func @exp_f64(%x: f64) -> f64 {
  %y = math.exp %x : f64
  return %y : f64
}

// erf(-0) is -0.
// CHECK-LABEL: func.func @erf(
// CHECK-NOT: math.erf
// CHECK: %[[Y:.+]] = math.copysign %{{.+}}, %arg0 : f32
// CHECK: return %[[Y]]
func.func @erf(%x: f32) -> f32 {
  %y = math.erf %x : f32
  return %y : f32
}

// Upstream's polynomials of these are not accurate everywhere.
// CHECK-LABEL: func.func @others(
// CHECK: math.sin
// CHECK: math.log
func.func @others(%x: f32) -> (f32, f32) {
  %y = math.sin %x : f32
  %z = math.log %x : f32
  return %y, %z : f32, f32
}
