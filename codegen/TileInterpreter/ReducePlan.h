//===- ReducePlan.h - In which order elements are combined ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_REDUCEPLAN_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_REDUCEPLAN_H

#include "codegen/TileInterpreter/Owners.h"

namespace opgraph::tile::interp {

/// The elements of a line that are combined, grouped by who holds them: a
/// result takes `warps` x `lanes` x `registers` elements.
struct ReducePlan {
  int64_t results = 1, warps = 1, lanes = 1, registers = 1;
  /// Index along the axis of element (result, warp, lane, register).
  std::vector<int32_t> elements;

  int32_t at(int64_t result, int64_t warp, int64_t lane, int64_t reg) const {
    return elements[((result * warps + warp) * lanes + lane) * registers + reg];
  }

  /// `factors` of the axis, reduced up to `level`, below weight `block` (0:
  /// all). Failure where a factor is cut by the block.
  static mlir::FailureOr<ReducePlan> get(llvm::ArrayRef<Factor> factors,
                                         ReduceLevel level, int64_t block);
};

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_REDUCEPLAN_H
