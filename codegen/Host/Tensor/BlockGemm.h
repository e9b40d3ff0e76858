//===- BlockGemm.h - Register-tiled product of a block ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_HOST_TENSOR_BLOCKGEMM_H
#define OPGRAPH_CODEGEN_HOST_TENSOR_BLOCKGEMM_H

#include "mlir/IR/Builders.h"
#include <functional>
#include <optional>

namespace opgraph::codegen {

/// Emits acc[.., row, column] += sum_k A(row, k) * B(k, column) for a block
/// held in a tensor whose columns are contiguous. The innermost loop, over k,
/// keeps `tileRows` vectors of `lanes` columns in registers: per step one
/// vector of B and `tileRows` broadcast scalars of A.
class BlockGemm {
public:
  /// Registers: 6 rows of two 8-lane f32 vectors is what AVX2 holds best
  /// (measured; 8 rows of 4 spill).
  static constexpr int64_t kTileRows = 6;
  /// Steps of k after which a block of B has left the first-level cache.
  static constexpr int64_t kDepth = 256;
  /// Columns that one register tile covers for elements of `type`.
  static int64_t getLanes(mlir::Type type) {
    return type.getIntOrFloatBitWidth() == 64 ? 8 : 16;
  }

  using LoadA = std::function<mlir::Value(mlir::OpBuilder &, mlir::Value row,
                                          mlir::Value k)>;
  using LoadB = std::function<mlir::Value(mlir::OpBuilder &, mlir::Value panel,
                                          mlir::Value k)>;

  BlockGemm(mlir::OpBuilder &builder, mlir::Location loc, mlir::Type type,
            LoadA loadA, LoadB loadB)
      : builder(builder), loc(loc), type(type), loadA(std::move(loadA)),
        loadB(std::move(loadB)) {}

  /// Accumulates whole register tiles of rows [0, tiles * kTileRows) and, row
  /// by row, [tiles * kTileRows, rows); pass no `rows` where there are none.
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
  mlir::Value loop(mlir::Value begin, mlir::Value end, int64_t step,
                   mlir::Value acc,
                   llvm::function_ref<mlir::Value(mlir::Value, mlir::Value)> body);

  mlir::OpBuilder &builder;
  mlir::Location loc;
  mlir::Type type;
  LoadA loadA;
  LoadB loadB;
  mlir::Value tiles;
  std::optional<mlir::OpFoldResult> rows;
};

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_HOST_TENSOR_BLOCKGEMM_H
