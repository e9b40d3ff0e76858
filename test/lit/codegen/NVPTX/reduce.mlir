// Registers, then lanes, then warps: the order of combination is fixed.
// RUN: graph-opt %s --split-input-file --tile-lower=target=sm_90a --verify-diagnostics | FileCheck %s

#d = #tile.blocked<vector = 2, lanes = [1, 32], warps = [1, 4]>
!row = !tile.reg<1x512xf32, #d>
!one = !tile.reg<1x1xf32, #d>
!view = !tile.view<1x512xf32, strides [512, 1], align 16>

// CHECK-LABEL: llvm.func @opgraph_group
// CHECK-COUNT-3: arith.maximumf
// CHECK: nvvm.shfl.sync bfly {{.*}} %c1_i32
// CHECK: arith.maximumf
// CHECK: nvvm.shfl.sync bfly {{.*}} %c2_i32
// CHECK: nvvm.shfl.sync bfly {{.*}} %c4_i32
// CHECK: nvvm.shfl.sync bfly {{.*}} %c8_i32
// CHECK: nvvm.shfl.sync bfly {{.*}} %c16_i32
// One lane of each warp writes the warp's word.
// CHECK: %[[BIT:.+]] = arith.andi %{{.+}}, %c31_i32
// CHECK: %[[FIRST:.+]] = arith.cmpi eq, %[[BIT]], %c0_i32
// CHECK: scf.if %[[FIRST]]
// CHECK: llvm.store {{.*}} : f32, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-COUNT-3: arith.maximumf
tile.kernel @opgraph_group(%xp: !tile.ptr<f32, align 16>) warps(4)
    targets [sm_90a] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !view
  %s = tile.shared : !tile.shared<1x4xf32>
  %c0 = arith.constant 0 : i32
  %v = tile.load %x[%c0, %c0] : !view -> !row
  %m = tile.reduce max_nan %v along cols within group through %s
      : !tile.shared<1x4xf32> : !row -> !one
  %q = tile.scalar %m : !one -> f32
}

// -----

#d = #tile.blocked<vector = 4, lanes = [4, 8], warps = [1, 1]>
!t = !tile.reg<4x64xi32, #d>
!b = !tile.reg<4x4xi32, #tile.partial<#d, cols, warp, block = 16>>
!view = !tile.view<4x64xi32, strides [64, 1], align 16>

// 16 columns are 4 registers of 4 of the 8 lanes; two runs of registers stay.
// CHECK-LABEL: llvm.func @opgraph_block
// CHECK-COUNT-6: arith.addi {{.*}} : i32
// CHECK: nvvm.shfl.sync bfly {{.*}} %c1_i32
// CHECK: nvvm.shfl.sync bfly {{.*}} %c2_i32
// CHECK-NOT: bfly {{.*}} %c4_i32
tile.kernel @opgraph_block(%xp: !tile.ptr<i32, align 16>) warps(1)
    targets [sm_90a] {
  %x = tile.view %xp : !tile.ptr<i32, align 16> -> !view
  %c0 = arith.constant 0 : i32
  %v = tile.load %x[%c0, %c0] : !view -> !t
  %m = tile.reduce add %v along cols within warp block(16) : !t -> !b
}

// -----

#d = #tile.blocked<vector = 1, lanes = [1, 32], warps = [1, 2]>
!f = !tile.reg<1x64xf32, #d>
!i = !tile.reg<1x64xi32, #d>
!f1 = !tile.reg<1x1xf32, #d>
!i1 = !tile.reg<1x1xi32, #d>
!view = !tile.view<1x64xf32, strides [64, 1], align 16>

// The lower lane's tuple comes first on both lanes.
// CHECK-LABEL: llvm.func @opgraph_ordered
// CHECK: %[[OTHER:.+]] = nvvm.shfl.sync bfly {{.*}}, %[[OWN:.+]], %c1_i32
// CHECK: %[[BIT:.+]] = arith.andi %{{.+}}, %c1_i32
// CHECK: %[[UPPER:.+]] = arith.cmpi ne, %[[BIT]], %c0_i32
// CHECK: %[[A:.+]] = arith.select %[[UPPER]], %[[OTHER]], %[[OWN]] : f32
// CHECK: %[[B:.+]] = arith.select %[[UPPER]], %[[OWN]], %[[OTHER]] : f32
// CHECK: arith.cmpf oge, %[[A]], %[[B]]
// CHECK: nvvm.barrier
// CHECK-COUNT-2: llvm.load {{.*}} : !llvm.ptr<3>
tile.kernel @opgraph_ordered(%xp: !tile.ptr<f32, align 16>) warps(2)
    targets [sm_90a] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !view
  %s = tile.shared : !tile.shared<1x2xf32>
  %t = tile.shared : !tile.shared<1x2xi32>
  %c0 = arith.constant 0 : i32
  %v = tile.load %x[%c0, %c0] : !view -> !f
  %k = tile.map (%a = %v) : (!f) -> !i {
    %c = tile.coord cols
    tile.yield %c : i32
  }
  %m, %n = tile.reduce_with %v, %k along cols within group
      through (%s, %t : !tile.shared<1x2xf32>, !tile.shared<1x2xi32>)
      : !f, !i -> !f1, !i1 {
  ^bb0(%a: f32, %i: i32, %b: f32, %j: i32):
    %first = arith.cmpf oge, %a, %b : f32
    %value = arith.select %first, %a, %b : f32
    %index = arith.select %first, %i, %j : i32
    tile.yield %value, %index : f32, i32
  }
}

// -----

#d = #tile.blocked<vector = 2, lanes = [1, 32], warps = [1, 4]>
!row = !tile.reg<1x512xf32, #d>
!one = !tile.reg<1x1xf32, #d>
!view = !tile.view<1x512xf32, strides [512, 1], align 16>

tile.kernel @opgraph_through(%xp: !tile.ptr<f32, align 16>) warps(4)
    targets [sm_90a] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !view
  %s = tile.shared : !tile.shared<1x2xf32>
  %c0 = arith.constant 0 : i32
  %v = tile.load %x[%c0, %c0] : !view -> !row
  // expected-error @below {{expected to go through a word of each line and warp, 1x4x'f32' (V5), got '!tile.shared<1x2xf32>'}}
  %m = tile.reduce add %v along cols within group through %s
      : !tile.shared<1x2xf32> : !row -> !one
}

// -----

#d = #tile.blocked<vector = 4, lanes = [2, 16], warps = [4, 1]>
!t = !tile.reg<8x64xf32, #d>
!line = !tile.reg<1x64xf32, #d>
!view = !tile.view<8x64xf32, strides [64, 1], align 16>

// A thread's four neighbouring lines: the warps' words of neighbours lie side by
// side, 64 words a warp.
// CHECK-LABEL: llvm.func @opgraph_lines
// CHECK-COUNT-4: nvvm.shfl.sync bfly {{.*}} %c16_i32
// CHECK: llvm.store {{.*}} : vector<4xf32>, !llvm.ptr<3>
// CHECK: nvvm.barrier
// CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> vector<4xf32>
// CHECK: llvm.getelementptr {{.*}}[256]
// CHECK: llvm.load {{.*}} : !llvm.ptr<3> -> vector<4xf32>
// CHECK-COUNT-4: arith.addf
tile.kernel @opgraph_lines(%xp: !tile.ptr<f32, align 16>) warps(4)
    targets [sm_90a] {
  %x = tile.view %xp : !tile.ptr<f32, align 16> -> !view
  %s = tile.shared : !tile.shared<64x4xf32>
  %c0 = arith.constant 0 : i32
  %v = tile.load %x[%c0, %c0] : !view -> !t
  %m = tile.reduce add %v along rows within group through %s
      : !tile.shared<64x4xf32> : !t -> !line
  tile.store %m, %x[%c0, %c0] : !line, !view
}
