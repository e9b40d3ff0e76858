// Functions that the GPU has no instruction for, or only an approximate one.
// RUN: graph-opt %s --split-input-file --tile-lower=target=sm_80 --verify-diagnostics | FileCheck %s

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!t = !tile.reg<1x32xf32, #d>
!v = !tile.view<1x32xf32, strides [32, 1], align 4>

// CHECK-LABEL: llvm.func @opgraph_exp
// One approximate power of two, of a number in [-1/2, 1/2].
// CHECK: arith.minnumf
// CHECK: arith.maxnumf
// CHECK-COUNT-3: math.fma
// CHECK: llvm.call_intrinsic "llvm.nvvm.ex2.approx.ftz"
// CHECK: arith.shli %{{.+}}, %{{.+}} : i32
// CHECK-NOT: llvm.call_intrinsic
tile.kernel @opgraph_exp(%xp: !tile.ptr<f32, align 4>) warps(1)
    targets [sm_80] {
  %x = tile.view %xp : !tile.ptr<f32, align 4> -> !v
  %c0 = arith.constant 0 : i32
  %a = tile.load %x[%c0, %c0] : !v -> !t
  %b = tile.map (%q = %a) : (!t) -> !t {
    %w = math.exp %q : f32
    tile.yield %w : f32
  }
  tile.store %b, %x[%c0, %c0] : !t, !v
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!h = !tile.reg<1x32xbf16, #d>
!vh = !tile.view<1x32xbf16, strides [32, 1], align 2>

// 16-bit functions are computed in f32.
// CHECK-LABEL: llvm.func @opgraph_approximate
// CHECK: %[[WIDE:.+]] = arith.extf %{{.+}} : bf16 to f32
// CHECK: %[[TANH:.+]] = llvm.intr.tanh(%[[WIDE]]) {fastmathFlags = #llvm.fastmath<afn>} : (f32) -> f32
// CHECK: arith.truncf %[[TANH]] : f32 to bf16
tile.kernel @opgraph_approximate(%xp: !tile.ptr<bf16, align 2>) warps(1)
    targets [sm_80] {
  %x = tile.view %xp : !tile.ptr<bf16, align 2> -> !vh
  %c0 = arith.constant 0 : i32
  %a = tile.load %x[%c0, %c0] : !vh -> !h
  %b = tile.map (%q = %a) : (!h) -> !h {
    %w = math.tanh %q fastmath<afn> : bf16
    tile.yield %w : bf16
  }
  tile.store %b, %x[%c0, %c0] : !h, !vh
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!t = !tile.reg<1x32xf32, #d>
!v = !tile.view<1x32xf32, strides [32, 1], align 4>

// An exact remainder divides mantissas; large angles take their own branch.
// CHECK-LABEL: llvm.func @opgraph_branches
// CHECK: arith.remui
// CHECK: scf.while
// CHECK: arith.remui
// CHECK: scf.if
// CHECK: llvm.intr.fshl
tile.kernel @opgraph_branches(%xp: !tile.ptr<f32, align 4>) warps(1)
    targets [sm_80] {
  %x = tile.view %xp : !tile.ptr<f32, align 4> -> !v
  %c0 = arith.constant 0 : i32
  %three = arith.constant 3.0 : f32
  %a = tile.load %x[%c0, %c0] : !v -> !t
  %b = tile.map (%q = %a) : (!t) -> !t {
    %w = arith.remf %q, %three : f32
    %z = math.sin %w : f32
    tile.yield %z : f32
  }
  tile.store %b, %x[%c0, %c0] : !t, !v
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!tile = !tile.reg<1x32xf32, #d>
!narrow = !tile.reg<1x32xbf16, #d>
!view = !tile.view<1x32xf32, strides [32, 1], align 16>
!views = !tile.view<1x32xbf16, strides [32, 1], align 16>

// The hardware's logarithm has no digits near 1: for what was 16 bits wide
// only. Subnormals are not flushed.
// CHECK-LABEL: llvm.func @opgraph_log
// CHECK: llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"
// CHECK-NOT: math.fma
// CHECK: llvm.store
// CHECK: math.fma
// CHECK: llvm.call_intrinsic "llvm.nvvm.lg2.approx.f"
tile.kernel @opgraph_log(%xp: !tile.ptr<f32, align 16>,
    %sp: !tile.ptr<bf16, align 16>) warps(1) targets [sm_80] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !view
  %s = tile.view %sp : !tile.ptr<bf16, align 16> -> !views
  %c0 = arith.constant 0 : i32
  %t = tile.load %s[%c0, %c0] : !views -> !narrow
  %n = tile.map (%a = %t) : (!narrow) -> !tile {
    %w = arith.extf %a : bf16 to f32
    %p = math.log %w fastmath<afn> : f32
    tile.yield %p : f32
  }
  tile.store %n, %x[%c0, %c0] : !tile, !view
  %o = tile.map (%a = %n) : (!tile) -> !tile {
    %p = math.log %a fastmath<afn> : f32
    tile.yield %p : f32
  }
  tile.store %o, %x[%c0, %c0] : !tile, !view
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!tile = !tile.reg<1x32xf16, #d>
!view = !tile.view<1x32xf16, strides [32, 1], align 16>

// In f32, rounded once. An angle of 16 bits needs no branch for large ones.
// CHECK-LABEL: llvm.func @opgraph_sin
// CHECK: arith.extf %{{.+}} : f16 to f32
// CHECK-NOT: scf.if
// CHECK-NOT: arith.truncf
// CHECK: %[[SINE:.+]] = arith.truncf %{{.+}} : f32 to f16
// CHECK-NEXT: arith.extf %[[SINE]] : f16 to f32
// CHECK: arith.truncf
// CHECK-NOT: arith.truncf
tile.kernel @opgraph_sin(%xp: !tile.ptr<f16, align 16>) warps(1)
    targets [sm_80] {
  %x = tile.view %xp : !tile.ptr<f16, align 16> -> !view
  %c0 = arith.constant 0 : i32
  %v = tile.load %x[%c0, %c0] : !view -> !tile
  %o = tile.map (%a = %v) : (!tile) -> !tile {
    %p = math.sin %a : f16
    %q = math.tanh %p : f16
    tile.yield %q : f16
  }
  tile.store %o, %x[%c0, %c0] : !tile, !view
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!tile = !tile.reg<1x32xf32, #d>
!view = !tile.view<1x32xf32, strides [32, 1], align 16>

// LLVM's approximate quotient is 0 for a divisor above 2^126.
// CHECK-LABEL: llvm.func @opgraph_divide
// CHECK: %[[EXACT:.+]] = arith.divf %{{.+}}, %{{.+}} : f32
// CHECK: llvm.call_intrinsic "llvm.nvvm.div.full"(%[[EXACT]], %{{.+}})
tile.kernel @opgraph_divide(%xp: !tile.ptr<f32, align 16>) warps(1)
    targets [sm_80] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !view
  %c0 = arith.constant 0 : i32
  %one = arith.constant 1.0 : f32
  %v = tile.load %x[%c0, %c0] : !view -> !tile
  %o = tile.map (%a = %v) : (!tile) -> !tile {
    %p = arith.divf %one, %a : f32
    %q = arith.divf %p, %a fastmath<afn> : f32
    tile.yield %q : f32
  }
  tile.store %o, %x[%c0, %c0] : !tile, !view
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!t = !tile.reg<1x32xf64, #d>
!v = !tile.view<1x32xf64, strides [32, 1], align 8>

// f64, and what is rarely used, is libdevice's.
// CHECK-LABEL: llvm.func @opgraph_f64
// CHECK: %[[POWER:.+]] = llvm.call @__nv_pow(%[[X:.+]], %[[X]]) : (f64, f64) -> f64
// CHECK: %[[NARROW:.+]] = arith.truncf %[[POWER]] : f64 to f32
// CHECK: llvm.call @__nv_atanf(%[[NARROW]]) : (f32) -> f32
// CHECK: llvm.func @__nv_pow(f64, f64) -> f64
// CHECK: llvm.func @__nv_atanf(f32) -> f32
tile.kernel @opgraph_f64(%xp: !tile.ptr<f64, align 8>) warps(1)
    targets [sm_80] {
  %x = tile.view %xp : !tile.ptr<f64, align 8> -> !v
  %c0 = arith.constant 0 : i32
  %a = tile.load %x[%c0, %c0] : !v -> !t
  %b = tile.map (%q = %a) : (!t) -> !t {
    %w = math.powf %q, %q : f64
    %n = arith.truncf %w : f64 to f32
    %t = math.atan %n : f32
    %r = arith.extf %t : f32 to f64
    tile.yield %r : f64
  }
  tile.store %b, %x[%c0, %c0] : !t, !v
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!t = !tile.reg<1x32xf32, #d>
!v = !tile.view<1x32xf32, strides [32, 1], align 4>

tile.kernel @opgraph_none(%xp: !tile.ptr<f32, align 4>) warps(1)
    targets [sm_80] {
  %x = tile.view %xp : !tile.ptr<f32, align 4> -> !v
  %c0 = arith.constant 0 : i32
  %two = arith.constant 2 : i32
  %a = tile.load %x[%c0, %c0] : !v -> !t
  %b = tile.map (%q = %a) : (!t) -> !t {
    // expected-error @below {{of 'f32' has no device function for sm_80}}
    %w = math.fpowi %q, %two : f32, i32
    tile.yield %w : f32
  }
}
