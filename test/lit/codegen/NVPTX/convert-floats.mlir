// 8-bit floats: instructions from sm_89 on, else arithmetic on their bits.
// RUN: graph-opt %s --nvptx-emit="target=sm_89 refuse-spills=true ptx=%t.89.ptx cubin=%t.cubin" -o %t.none
// RUN: FileCheck %s --check-prefix=SM89 < %t.89.ptx
// RUN: graph-opt %s --nvptx-emit="target=sm_80 refuse-spills=true ptx=%t.80.ptx cubin=%t.cubin" -o %t.none
// RUN: FileCheck %s --check-prefix=SM80 < %t.80.ptx

#d = #tile.blocked<vector = 4, lanes = [1, 32], warps = [1, 1]>
!f32 = !tile.reg<1x128xf32, #d>
!e4m3 = !tile.reg<1x128xf8E4M3FN, #d>
!e5m2 = !tile.reg<1x128xf8E5M2, #d>
!e8m0 = !tile.reg<1x128xf8E8M0FNU, #d>
!bf16 = !tile.reg<1x128xbf16, #d>
!in = !tile.view<1x128xf8E4M3FN, strides [128, 1], align 16>
!out = !tile.view<1x128xf8E5M2, strides [128, 1], align 16>
!outs = !tile.view<1x128xf8E8M0FNU, strides [128, 1], align 16>
!outb = !tile.view<1x128xbf16, strides [128, 1], align 16>

// Two to an instruction, four to a word.
// SM89-LABEL: .entry opgraph_convert(
// SM89: ld.global.v2.b16
// SM89: cvt.rn.f16x2.e4m3x2
// SM89: cvt.rn.f16x2.e4m3x2
// SM89: cvt.rn.satfinite.e5m2x2.f32
// SM89: cvt.rn.bf16x2.f32

// SM80-LABEL: .entry opgraph_convert(
// SM80-NOT: {{e4m3|e5m2}}
// SM80: cvt.rn.bf16x2.f32
// SM80-NOT: {{e4m3|e5m2}}
tile.kernel @opgraph_convert(%xp: !tile.ptr<f8E4M3FN, align 16>,
    %yp: !tile.ptr<f8E5M2, align 16>, %sp: !tile.ptr<f8E8M0FNU, align 16>,
    %bp: !tile.ptr<bf16, align 16>) warps(1) targets [sm_80, sm_89] {
  %x = tile.view %xp : !tile.ptr<f8E4M3FN, align 16> -> !in
  %y = tile.view %yp : !tile.ptr<f8E5M2, align 16> -> !out
  %s = tile.view %sp : !tile.ptr<f8E8M0FNU, align 16> -> !outs
  %b = tile.view %bp : !tile.ptr<bf16, align 16> -> !outb
  %c0 = arith.constant 0 : i32
  %v = tile.load %x[%c0, %c0] : !in -> !e4m3
  %o, %e, %h = tile.map (%a = %v) : (!e4m3) -> (!e5m2, !e8m0, !bf16) {
    %f = arith.extf %a : f8E4M3FN to f32
    %g = arith.addf %f, %f : f32
    %p = arith.truncf %g : f32 to f8E5M2
    %q = arith.truncf %g : f32 to f8E8M0FNU
    %r = arith.truncf %g : f32 to bf16
    tile.yield %p, %q, %r : f8E5M2, f8E8M0FNU, bf16
  }
  tile.store %o, %y[%c0, %c0] : !e5m2, !out
  tile.store %e, %s[%c0, %c0] : !e8m0, !outs
  tile.store %h, %b[%c0, %c0] : !bf16, !outb
}
