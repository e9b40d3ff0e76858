//===- Reducer.h - Combines register tiles along an axis --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Registers in ascending order, lanes by butterfly from the nearest on, warps
// in ascending order through one word each: an order that is fixed by the
// tile's type, so that a result is too.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_REDUCER_H
#define OPGRAPH_CODEGEN_NVPTX_REDUCER_H

#include "codegen/NVPTX/KernelEmitter.h"

namespace opgraph::codegen {

/// One value of each tile that is reduced.
using Values = llvm::SmallVector<mlir::Value, 4>;

/// Reduces tiles of one shape together: what is combined is a tuple with one
/// value of each.
class Reducer {
public:
  using Combine = llvm::function_ref<mlir::FailureOr<Values>(const Values &,
                                                             const Values &)>;

  Reducer(KernelEmitter &emitter, tile::RegType from, tile::RegType to,
          tile::Axis axis, tile::ReduceLevel level, int64_t block,
          Combine combine, bool isOrdered)
      : emitter(emitter), b(emitter.b), from(from), to(to),
        axis(static_cast<unsigned>(axis)), level(level), block(block),
        combine(combine), isOrdered(isOrdered) {
    auto distribution = tile::Distribution::get(from, nullptr);
    assert(succeeded(distribution) && "a verified tile fits");
    llvm::append_range(factors, distribution->factors(this->axis));
  }

  /// Tuples by register of the result, from tuples by register of the source.
  mlir::FailureOr<llvm::SmallVector<Values>>
  run(llvm::ArrayRef<Values> registers, mlir::ValueRange through,
      llvm::ArrayRef<mlir::Type> elements);
  /// How many warps meet.
  int64_t countWarps() const;

private:
  mlir::FailureOr<llvm::SmallVector<Values>>
  combineRegisters(llvm::ArrayRef<Values> registers);
  mlir::LogicalResult combineLanes(Values &tuple);
  mlir::LogicalResult combineWarps(llvm::SmallVectorImpl<Values> &tuples,
                                   mlir::ValueRange through,
                                   llvm::ArrayRef<mlir::Type> elements);
  void orderLanes(int32_t mask, Values &own, Values &other);
  mlir::Value getWarpIndex();
  mlir::Value getWordAddress(const ThreadTile &lines, mlir::Value shared,
                             size_t reg, mlir::Value word);
  void storeWords(const ThreadTile &lines, llvm::ArrayRef<Values> tuples,
                  mlir::ValueRange through,
                  llvm::ArrayRef<mlir::Type> elements);
  llvm::SmallVector<mlir::Value> loadWords(const ThreadTile &lines, size_t reg,
                                           mlir::Value shared,
                                           mlir::Type element);
  int64_t getRun(const ThreadTile &lines, mlir::ValueRange through) const;
  mlir::Value getRunAddress(const ThreadTile &lines, mlir::Value shared,
                            size_t reg, int64_t word);
  void storeRuns(const ThreadTile &lines, llvm::ArrayRef<Values> tuples,
                 mlir::ValueRange through, llvm::ArrayRef<mlir::Type> elements,
                 int64_t run);
  mlir::LogicalResult combineRuns(const ThreadTile &lines,
                                  llvm::SmallVectorImpl<Values> &tuples,
                                  mlir::ValueRange through,
                                  llvm::ArrayRef<mlir::Type> elements,
                                  int64_t run);
  /// Factors of the axis that the reduction combines, of one owner.
  llvm::SmallVector<tile::Factor> getReduced(tile::Owner owner) const;

  KernelEmitter &emitter;
  mlir::ImplicitLocOpBuilder &b;
  tile::RegType from, to;
  unsigned axis;
  tile::ReduceLevel level;
  int64_t block; ///< 0: the whole axis
  Combine combine;
  bool isOrdered; ///< which operand of `combine` is first matters
  llvm::SmallVector<tile::Factor> factors;
};

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_NVPTX_REDUCER_H
