// What nvptx-emit refuses, by name.
// RUN: not graph-opt %s --nvptx-emit=target=sm_70 -o %t.none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=TARGET
// RUN: env OPGRAPH_PTXAS=none OPGRAPH_NVJITLINK=none \
// RUN:   not graph-opt %s --nvptx-emit="cubin=%t.cubin" -o %t.none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=ASSEMBLER
// RUN: env OPGRAPH_PTXAS=/nowhere/ptxas not graph-opt %s --nvptx-emit \
// RUN:   -o %t.none 2>&1 | FileCheck %s --check-prefix=PTXAS
// RUN: not graph-opt %s --nvptx-emit="target=sm_80 ptx=%t.folder/absent/k.ptx" \
// RUN:   -o %t.none 2>&1 | FileCheck %s --check-prefix=FILE
// Without an assembler PTX is still made, and says which PTX the driver needs.
// RUN: env OPGRAPH_PTXAS=none OPGRAPH_NVJITLINK=none \
// RUN:   graph-opt %s --nvptx-emit="target=sm_120a ptx=%t.ptx resources=%t.json" -o %t.none
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// RUN: FileCheck %s --check-prefix=JSON < %t.json

// TARGET: expected a target, sm_80 to sm_120a, got 'sm_70'
// ASSEMBLER: neither ptxas nor nvJitLink was found to make a cubin
// PTXAS: ptxas (/nowhere/ptxas) failed for sm_90a
// FILE: cannot write {{.*}}k.ptx
// PTX: .version 8.7
// PTX: .target sm_120a
// JSON: "name": "opgraph_one"
// JSON: "assembler": "the driver"
// JSON: "registers": 0
tile.kernel @opgraph_one(%out: !tile.ptr<i32, align 4>, %n: i32) warps(1)
    targets [sm_80, sm_90a, sm_120a] {
  %y = tile.view %out sizes [%n] : !tile.ptr<i32, align 4> -> !tile.view<?xi32, strides [1], align 4>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tile.store_scalar %c1, %y[%c0] : i32, !tile.view<?xi32, strides [1], align 4>
}
