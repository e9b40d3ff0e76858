// RUN: graph-opt %S/../../codegen/TileInterpreter/row-softmax.mlir | FileCheck %s
// RUN: graph-opt %S/../../codegen/TileInterpreter/row-softmax.mlir | %python -c "import sys; n = len(sys.stdin.readlines()); print(n); sys.exit(n >= 60)"

// A kernel reads as its algorithm: docs/RowSoftmax.md walks through this text.
// Layouts and tile types have names.

// CHECK: #spread = #tile.blocked<vector = 8, lanes = [1, 32], warps = [1, 4]>
// CHECK: !reg1x2048xbf16 = !tile.reg<1x2048xbf16, #spread>
// CHECK: tile.load {{.*}} -> !reg1x2048xbf16
// CHECK: tile.map {{.*}} : (!reg1x2048xbf16) -> !reg1x2048xf32
// CHECK: tile.reduce {{.*}} : !reg1x2048xf32 -> !reg1x1xf32
