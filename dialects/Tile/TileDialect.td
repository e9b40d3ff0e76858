//===- TileDialect.td - The tile dialect -------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TILE_DIALECT_TD
#define OPGRAPH_TILE_DIALECT_TD

include "mlir/IR/OpBase.td"

def Tile_Dialect : Dialect {
  let name = "tile";
  let cppNamespace = "::opgraph::tile";
  let summary = "How one GPU kernel computes";
  let description = [{
    The `tile` dialect is a kernel at the granularity of a *group*: the warps
    that run one text together (the whole CTA, or one instance of a role).
    Scalars are `arith`/`math`/`scf` on i32, i64 and floats and are equal on
    every thread of the group; there is no thread id. What differs between
    threads is a register tile, a value whose type says which thread holds
    which element. Copies, waits, barriers and register budgets are each one
    op, and each op states its PTX counterpart.

    Coordinates are i32 and logical (row before column); strides and byte
    offsets are i64. A function of `math` without `afn` has the accuracy that
    docs/dialects/DeviceMath.md states; with `afn` it is the hardware's
    approximation. Nothing is contracted: a fused multiply-add is `math.fma`.
  }];
  let dependentDialects = [
    "::mlir::arith::ArithDialect", "::mlir::math::MathDialect",
    "::mlir::scf::SCFDialect"];
  let useDefaultAttributePrinterParser = 1;
  let useDefaultTypePrinterParser = 1;
  let extraClassDeclaration = [{
    void registerAttributes();
    void registerTypes();
  }];
}

#endif // OPGRAPH_TILE_DIALECT_TD
