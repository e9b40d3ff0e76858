//===- Factors.h - Who holds which element of a register tile ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Distributions as mixed-radix numbers. Verifiers, lowering and interpreter
// read these and nothing else.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_TILE_FACTORS_H
#define OPGRAPH_DIALECTS_TILE_FACTORS_H

#include "mlir/Support/LLVM.h"
#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/SmallVector.h"
#include <array>
#include <cstdint>

namespace mlir {
class InFlightDiagnostic;
} // namespace mlir

namespace opgraph::tile {

enum class Axis : uint32_t;
class FactorsAttr;
class RegType;

enum class Owner : uint8_t { Register, Lane, Warp };

/// One digit of an axis: `extent` values, each `stride` apart in its owner's
/// index. Digits are listed most significant first; the product of their
/// extents is the axis's extent.
struct Factor {
  Owner owner;
  int32_t extent;
  int32_t stride;
};

/// Where an element lives.
struct Place {
  int32_t warp, lane, reg;
};

/// Numbers the registers of a tile's remaining digits anew, in their old order.
void renumberRegisters(std::array<llvm::SmallVector<Factor>, 2> &axes);

/// Reports why; a null one keeps silent.
using EmitError = llvm::function_ref<mlir::InFlightDiagnostic()>;

/// Both axes of a tile, checked.
class Distribution {
public:
  /// Fails, with a reason, where the shape does not fit.
  static mlir::FailureOr<Distribution> get(RegType type, EmitError emitError);

  /// Of axis 0 (rows) or 1 (columns), most significant first. An axis of extent
  /// 1 has none: its value is replicated.
  llvm::ArrayRef<Factor> factors(unsigned axis) const { return axes[axis]; }
  int64_t warps() const { return numWarps; }

  /// The first holder of an element.
  Place placeOf(int64_t row, int64_t col) const;
  int64_t registersPerThread() const;
  /// Length of the run of neighbouring columns in neighbouring registers.
  int64_t vectorWidth() const;
  /// Whether every thread holds the same elements in the same registers.
  bool equalsPerThread(const Distribution &other) const;
  /// Whether both spread `axis` alike.
  bool matchesAxis(const Distribution &other, unsigned axis) const;
  /// The distribution of a static part, in which every thread keeps what it
  /// holds, with its registers renumbered; fails where the part cuts a digit
  /// that lanes or warps own.
  mlir::FailureOr<FactorsAttr> extract(mlir::MLIRContext *context, int64_t row,
                                       int64_t col, int64_t rows,
                                       int64_t cols) const;
  /// The distribution of a tile of which each column is two, both in its
  /// holder, in neighbouring registers.
  FactorsAttr splitColumns(mlir::MLIRContext *context) const;

private:
  std::array<llvm::SmallVector<Factor>, 2> axes;
  int64_t numWarps = 1;
};

} // namespace opgraph::tile

#endif // OPGRAPH_DIALECTS_TILE_FACTORS_H
