// What the assembler says of a kernel, and what comes of it; in its place a
// script.
// RUN: cp %S/Inputs/ptxas-warns.sh %t.warns && chmod +x %t.warns
// RUN: cp %S/Inputs/ptxas-spills.sh %t.spills && chmod +x %t.spills
// RUN: env OPGRAPH_PTXAS=%t.warns not graph-opt %s --nvptx-emit -o %t.none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=WARNS
// WARNS: the assembler warns: {{.*}}(C7511) Potential Performance Loss

// Spills are reported, or refused where that is asked for.
// RUN: env OPGRAPH_PTXAS=%t.spills graph-opt %s \
// RUN:   --nvptx-emit="resources=%t.json ptx=%t.ptx" -o %t.none
// RUN: FileCheck %s --check-prefix=SPILLS < %t.json
// RUN: env OPGRAPH_PTXAS=%t.spills not graph-opt %s \
// RUN:   --nvptx-emit=refuse-spills=true -o %t.none 2>&1 \
// RUN:   | FileCheck %s --check-prefix=REFUSED
// SPILLS: "registers": 64
// SPILLS: "spill_stores": 0
// SPILLS: "stack": 24
// REFUSED: kernel opgraph_one spills: expected 0 bytes, got 0 bytes of spills and 24 of stack

// It was assembled twice: the wish for blocks goes where it costs spills.
// RUN: FileCheck %s --check-prefix=PTX < %t.ptx
// PTX: .entry opgraph_one(
// PTX-NOT: .minnctapersm
// RUN: env OPGRAPH_PTXAS=none OPGRAPH_NVJITLINK=none graph-opt %s \
// RUN:   --nvptx-emit=ptx=%t.wish.ptx -o %t.none
// RUN: FileCheck %s --check-prefix=WISH < %t.wish.ptx
// WISH: .minnctapersm 4
tile.kernel @opgraph_one(%out: !tile.ptr<i32, align 4>, %n: i32) warps(1)
    targets [sm_90a] min_ctas(4) {
  %y = tile.view %out sizes [%n] : !tile.ptr<i32, align 4> -> !tile.view<?xi32, strides [1], align 4>
  %c0 = arith.constant 0 : i32
  %c1 = arith.constant 1 : i32
  tile.store_scalar %c1, %y[%c0] : i32, !tile.view<?xi32, strides [1], align 4>
}
