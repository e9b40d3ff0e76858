//===- Philox.h - Random numbers from a counter ------------------*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Philox4x32-10 (Salmon, Moraes, Dror, Shaw: "Parallel random numbers: as easy
// as 1, 2, 3", SC 2011), the generator behind rng and dropout. What the key and
// the counters are is docs/Random.md; its NumPy twin is
// test/conformance/philox.py.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_HOST_SCALAR_PHILOX_H
#define OPGRAPH_PASSES_LEGALIZE_HOST_SCALAR_PHILOX_H

#include "mlir/IR/Builders.h"
#include <array>

namespace opgraph::legalize {

/// Four values of type i32.
using PhiloxWords = std::array<mlir::Value, 4>;

/// The four words that `counter` gives under the key `seed` (i64; its low word
/// is the key's first).
PhiloxWords emitPhilox(mlir::OpBuilder &builder, mlir::Location loc,
                       mlir::Value seed, const PhiloxWords &counter);

/// Of those, the one whose number is `word` (i32, below 4).
mlir::Value emitPhiloxWord(mlir::OpBuilder &builder, mlir::Location loc,
                           mlir::Value seed, const PhiloxWords &counter,
                           mlir::Value word);

/// Whether `word` (i32) is below `probability * 2^32` as an unsigned number: an
/// i1 that is true with that probability. Below 0 counts as 0, above 1 as 1.
mlir::Value emitIsBelow(mlir::OpBuilder &builder, mlir::Location loc,
                        mlir::Value word, double probability);

/// Whether dropout keeps the score at (`row`, `column`) of matrix `head` = b *
/// heads + h: an i1. Counter (offset mod 2^32, head, row, column / 4), word
/// column % 4, kept where below (1 - probability) * 2^32. `seed` and `offset`
/// are i64, the positions of type index.
mlir::Value emitDropoutKeep(mlir::OpBuilder &builder, mlir::Location loc,
                            mlir::Value seed, mlir::Value offset,
                            mlir::Value head, mlir::Value row,
                            mlir::Value column, double probability);

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_SCALAR_PHILOX_H
