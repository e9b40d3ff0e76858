//===- BlockGemm.h - Register-tiled product of a block ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_HOST_TENSOR_BLOCKGEMM_H
#define OPGRAPH_CODEGEN_HOST_TENSOR_BLOCKGEMM_H

#include "mlir/IR/Builders.h"
#include <functional>
#include <optional>

namespace opgraph::codegen {

/// The part of the result that the innermost loop holds in registers.
struct RegisterTile {
  int64_t rows;
  /// Columns: the length of one vector value.
  int64_t lanes;

  /// 6 rows of two 8-lane f32 vectors are what AVX2 holds best (measured; 8
  /// rows of 4 spill).
  static RegisterTile get(mlir::Type type) {
    return {6, type.getIntOrFloatBitWidth() == 64 ? 8 : 16};
  }
  /// For a result of at most 8 rows: the fewer rows, the more columns, so that
  /// B is read in long pieces.
  static RegisterTile getForRows(mlir::Type type, int64_t rows) {
    RegisterTile tile = get(type);
    if (rows <= 3)
      return {rows, tile.lanes * (rows == 1 ? 4 : 2)};
    return {rows <= 6 ? rows : 4, tile.lanes};
  }
};

/// Emits acc[.., row, column] += sum_k A(row, k) * B(k, column) for a block
/// held in a tensor whose columns are contiguous. The innermost loop, over k,
/// keeps a register tile: per step one vector of B and a broadcast scalar of A
/// for each row.
class BlockGemm {
public:
  /// Steps of k after which a block of B has left the first-level cache.
  static constexpr int64_t kDepth = 256;

  using LoadA = std::function<mlir::Value(mlir::OpBuilder &, mlir::Value row,
                                          mlir::Value k)>;
  using LoadB = std::function<mlir::Value(mlir::OpBuilder &, mlir::Value panel,
                                          mlir::Value k)>;

  BlockGemm(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
            RegisterTile tile, LoadA loadA, LoadB loadB)
      : builder(builder), loc(loc), type(type), tile(tile),
        loadA(std::move(loadA)), loadB(std::move(loadB)) {}

  /// Accumulates `tiles` register tiles of rows and the rows after them up to
  /// `rows`, row by row; pass no `rows` where there are none.
  /// Returns the new accumulator tensor, whose leading axes have extent 1.
  mlir::Value run(mlir::Value acc, mlir::Value tiles,
                  std::optional<mlir::OpFoldResult> rows, mlir::Value panels,
                  mlir::OpFoldResult depth);

private:
  mlir::Value index(int64_t value);
  mlir::Value emitPanel(mlir::Value acc, mlir::Value panel, mlir::Value kBegin,
                        mlir::Value kEnd);
  mlir::Value emitTile(mlir::Value acc, mlir::Value firstRow, int64_t tileRows,
                       mlir::Value panel, mlir::Value kBegin, mlir::Value kEnd);
  mlir::Value multiplyAdd(mlir::Value a, mlir::Value b, mlir::Value acc);
  /// A loop carrying the accumulator tensor.
  mlir::Value
  loop(mlir::Value begin, mlir::Value end, int64_t step, mlir::Value acc,
       llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> body);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
  RegisterTile tile;
  LoadA loadA;
  LoadB loadB;
  mlir::Value tiles;
  std::optional<mlir::OpFoldResult> rows;
};

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_HOST_TENSOR_BLOCKGEMM_H
