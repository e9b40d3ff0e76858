//===- Factors.cpp - Who holds which element of a register tile -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/Factors.h"
#include "dialects/Tile/TileDialect.h"

using namespace mlir;
using namespace opgraph::tile;

FailureOr<Distribution> Distribution::get(RegType type, EmitError emitError) {
  auto layout = dyn_cast<DistributionAttrInterface>(type.getDistribution());
  if (!layout)
    return failure();
  auto silent = [&]() -> InFlightDiagnostic { return InFlightDiagnostic(); };
  Distribution result;
  result.numWarps = layout.getNumWarps();
  int64_t shape[] = {type.getRows(), type.getCols()};
  for (unsigned axis : {0u, 1u}) {
    FailureOr<SmallVector<Factor>> factors = layout.getFactors(
        axis, shape, emitError ? emitError : EmitError(silent));
    if (failed(factors))
      return failure();
    result.axes[axis] = std::move(*factors);
  }
  return result;
}

Place Distribution::placeOf(int64_t row, int64_t col) const {
  int32_t index[3] = {0, 0, 0};
  for (auto [axis, rest] : llvm::enumerate(std::array<int64_t, 2>{row, col}))
    for (const Factor &factor : llvm::reverse(axes[axis])) {
      index[static_cast<int>(factor.owner)] +=
          static_cast<int32_t>(rest % factor.extent) * factor.stride;
      rest /= factor.extent;
    }
  return {index[static_cast<int>(Owner::Warp)],
          index[static_cast<int>(Owner::Lane)],
          index[static_cast<int>(Owner::Register)]};
}

int64_t Distribution::registersPerThread() const {
  int64_t count = 1;
  for (const auto &axis : axes)
    for (const Factor &factor : axis)
      if (factor.owner == Owner::Register)
        count *= factor.extent;
  return count;
}

int64_t Distribution::vectorWidth() const {
  int64_t width = 1;
  for (const Factor &factor : llvm::reverse(axes[1])) {
    if (factor.owner != Owner::Register || factor.stride != width)
      break;
    width *= factor.extent;
  }
  return width;
}

/// Neighbouring digits of one owner that count on are one digit.
static SmallVector<Factor> merge(ArrayRef<Factor> factors) {
  SmallVector<Factor> merged;
  for (const Factor &factor : factors) {
    if (factor.extent == 1)
      continue;
    if (!merged.empty() && merged.back().owner == factor.owner &&
        merged.back().stride == factor.stride * factor.extent)
      merged.back() = {factor.owner, merged.back().extent * factor.extent,
                       factor.stride};
    else
      merged.push_back(factor);
  }
  return merged;
}

static bool isSame(const Factor &a, const Factor &b) {
  return a.owner == b.owner && a.extent == b.extent && a.stride == b.stride;
}

bool Distribution::equalsPerThread(const Distribution &other) const {
  if (numWarps != other.numWarps)
    return false;
  for (unsigned axis : {0u, 1u})
    if (!llvm::equal(merge(axes[axis]), merge(other.axes[axis]), isSame))
      return false;
  return true;
}

/// The digits without the strides of registers, which depend on the other axis;
/// neighbouring registers are one digit.
static SmallVector<Factor> withoutRegisterStrides(ArrayRef<Factor> factors) {
  SmallVector<Factor> digits;
  for (const Factor &factor : merge(factors)) {
    bool isRegister = factor.owner == Owner::Register;
    if (isRegister && !digits.empty() && digits.back().owner == factor.owner)
      digits.back().extent *= factor.extent;
    else
      digits.push_back(
          {factor.owner, factor.extent, isRegister ? 0 : factor.stride});
  }
  return digits;
}

bool Distribution::matchesAxis(const Distribution &other, unsigned axis) const {
  return llvm::equal(withoutRegisterStrides(axes[axis]),
                     withoutRegisterStrides(other.axes[axis]), isSame);
}

/// The digits of [start, start + length); fails where digits that lanes or
/// warps own, or no whole digits, are cut.
static FailureOr<SmallVector<Factor>> cut(ArrayRef<Factor> factors,
                                          int64_t start, int64_t length) {
  int64_t weight = 1;
  for (const Factor &factor : factors)
    weight *= factor.extent;
  if (start < 0 || length < 1 || start + length > weight)
    return failure();
  SmallVector<Factor> kept;
  for (const Factor &factor : factors) {
    int64_t whole = weight;
    weight /= factor.extent;
    if (length >= whole) {
      if (start % whole != 0)
        return failure();
      kept.push_back(factor);
      continue;
    }
    int64_t first = start % whole / weight;
    int64_t count = std::max<int64_t>(length / weight, 1);
    bool isWhole = length < weight || length % weight == 0;
    if (factor.owner != Owner::Register || !isWhole ||
        first + count > factor.extent)
      return failure();
    if (count > 1)
      kept.push_back(
          {factor.owner, static_cast<int32_t>(count), factor.stride});
  }
  return kept;
}

static FactorsAttr makeFactors(MLIRContext *context,
                               const std::array<SmallVector<Factor>, 2> &axes,
                               int64_t numWarps) {
  std::array<SmallVector<int64_t>, 2> triples;
  for (unsigned axis : {0u, 1u})
    for (const Factor &factor : axes[axis])
      triples[axis].append(
          {static_cast<int64_t>(factor.owner), factor.extent, factor.stride});
  return FactorsAttr::get(context, triples[0], triples[1], numWarps);
}

FailureOr<FactorsAttr> Distribution::extract(MLIRContext *context, int64_t row,
                                             int64_t col, int64_t rows,
                                             int64_t cols) const {
  std::array<SmallVector<Factor>, 2> parts;
  int64_t starts[] = {row, col}, lengths[] = {rows, cols};
  for (unsigned axis : {0u, 1u}) {
    // A replicated axis has one element, which everybody holds.
    if (axes[axis].empty())
      continue;
    FailureOr<SmallVector<Factor>> part =
        cut(axes[axis], starts[axis], lengths[axis]);
    if (failed(part))
      return failure();
    parts[axis] = std::move(*part);
  }
  renumberRegisters(parts);
  return makeFactors(context, parts, numWarps);
}

FactorsAttr Distribution::splitColumns(MLIRContext *context) const {
  std::array<SmallVector<Factor>, 2> parts = axes;
  for (auto &axis : parts)
    for (Factor &factor : axis)
      if (factor.owner == Owner::Register)
        factor.stride *= 2;
  parts[1].push_back({Owner::Register, 2, 1});
  return makeFactors(context, parts, numWarps);
}

void opgraph::tile::renumberRegisters(
    std::array<SmallVector<Factor>, 2> &axes) {
  SmallVector<Factor *> registers;
  for (auto &axis : axes)
    for (Factor &factor : axis)
      if (factor.owner == Owner::Register)
        registers.push_back(&factor);
  llvm::stable_sort(registers, [](const Factor *a, const Factor *b) {
    return a->stride < b->stride;
  });
  int32_t stride = 1;
  for (Factor *factor : registers) {
    factor->stride = stride;
    stride *= factor->extent;
  }
}
