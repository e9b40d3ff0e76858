// RUN: rm -rf %t && mkdir -p %t
// RUN: %python -c "import numpy as np; np.arange(64, dtype=np.float32).tofile('%t/x.bin'); np.full(64, np.nan, np.float32).tofile('%t/y.bin'); np.array(3, np.float64).tofile('%t/s.bin')"
// RUN: graph-opt %s --tile-interpret-program='operands=%t/x.bin,%t/s.bin,%t/y.bin' -o /dev/null
// RUN: %python -c "import numpy as np; print(np.fromfile('%t/y.bin', np.float32))" | FileCheck %s
// RUN: not graph-opt %s --tile-interpret-program='operands=%t/x.bin' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FILES
// RUN: sed '/plan.fill/d' %s | not graph-opt --tile-interpret-program='operands=%t/x.bin,%t/s.bin,%t/y.bin' -o /dev/null 2>&1 | FileCheck %s --check-prefix=FILL

// Two launches that hand a buffer over in workspace; the second adds what a
// fill left there (bytes of 0), and a scalar operand.
// CHECK: [ 3. 5. 7. 9. 11.
// FILES: error: has 3 operands, got 1 files
// FILL: error: 'tile.load' op uninitialised read: byte 256 of 'workspace' has not been written

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 1]>
!t = !tile.reg<1x64xf32, #d>
!v = !tile.view<1x64xf32, strides [64, 1], align 16>

module {
  plan.program @program target "sm_90:any" engine <30000, "nvptx.pointwise", 1> workspace <shared = affine_map<() -> (512)>, private = affine_map<() -> (0)>, max_workers = 1> {
    plan.operand "x" uid 1 in f32 extents affine_map<() -> (64)> strides affine_map<() -> (1)>
    plan.operand "s" uid 2 in f64 extents affine_map<() -> ()> strides affine_map<() -> ()> {by_value}
    plan.operand "y" uid 3 out f32 extents affine_map<() -> (64)> strides affine_map<() -> (1)>
    plan.fill offset affine_map<() -> (256)> size affine_map<() -> (256)> value 0
    plan.launch @double grid affine_map<() -> (1)> args [#plan.pointer<0>, #plan.scratch<affine_map<() -> (0)>>]
    plan.launch @add grid affine_map<() -> (1)> args [#plan.scratch<affine_map<() -> (0)>>, #plan.scratch<affine_map<() -> (256)>>, #plan.pointer<2>, #plan.scalar<1, f32>]
  }
  tile.kernel @double(%xp: !tile.ptr<f32, align 16>, %yp: !tile.ptr<f32, align 16>) warps(1) targets [sm_90a] {
    %x = tile.view %xp : !tile.ptr<f32, align 16> -> !v
    %y = tile.view %yp : !tile.ptr<f32, align 16> -> !v
    %c0 = arith.constant 0 : i32
    %t = tile.load %x[%c0, %c0] : !v -> !t
    %u = tile.map (%a = %t) : (!t) -> !t {
      %b = arith.addf %a, %a : f32
      tile.yield %b : f32
    }
    tile.store %u, %y[%c0, %c0] : !t, !v
  }
  tile.kernel @add(%xp: !tile.ptr<f32, align 16>, %zp: !tile.ptr<f32, align 16>, %yp: !tile.ptr<f32, align 16>, %s: f32) warps(1) targets [sm_90a] {
    %x = tile.view %xp : !tile.ptr<f32, align 16> -> !v
    %z = tile.view %zp : !tile.ptr<f32, align 16> -> !v
    %y = tile.view %yp : !tile.ptr<f32, align 16> -> !v
    %c0 = arith.constant 0 : i32
    %t = tile.load %x[%c0, %c0] : !v -> !t
    %w = tile.load %z[%c0, %c0] : !v -> !t
    %u = tile.map (%a = %t, %b = %w) : (!t, !t) -> !t {
      %c = arith.addf %a, %b : f32
      %e = arith.addf %c, %s : f32
      tile.yield %e : f32
    }
    tile.store %u, %y[%c0, %c0] : !t, !v
  }
}
