//===- TileAttrs.cpp - Distributions of register tiles --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/TileDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph::tile;

using EmitErrorFn = function_ref<InFlightDiagnostic()>;
using Axes = std::array<SmallVector<Factor>, 2>;

namespace {
/// Builds both axes of a tile. A digit of `kRest` registers takes what is left
/// of the axis's extent.
class AxesBuilder {
public:
  static constexpr int32_t kRest = 0;

  AxesBuilder(ArrayRef<int64_t> shape, EmitErrorFn emitError)
      : shape(shape), emitError(emitError) {}

  /// Digits of an axis, most significant first. `order` of a register digit
  /// says where it stands in the register's number (0 varies fastest); it is
  /// kept in `stride` until the axes are finished.
  LogicalResult set(unsigned axis, ArrayRef<Factor> digits) {
    if (shape[axis] == 1)
      return success();
    int64_t fixed = 1;
    for (const Factor &digit : digits)
      fixed *= digit.extent == kRest ? 1 : digit.extent;
    if (shape[axis] % fixed != 0)
      return emitError() << "expected " << (axis == 0 ? "rows" : "columns")
                         << " that are 1 or a multiple of " << fixed << ", got "
                         << shape[axis];
    int64_t rest = shape[axis] / fixed;
    for (Factor digit : digits) {
      if (digit.extent == kRest) {
        digit.extent = static_cast<int32_t>(rest);
        rest = 1;
      }
      if (digit.extent != 1)
        axes[axis].push_back(digit);
    }
    if (rest != 1)
      return emitError() << "expected " << (axis == 0 ? "rows" : "columns")
                         << " of 1 or " << fixed << ", got " << shape[axis];
    return success();
  }

  SmallVector<Factor> finish(unsigned axis) {
    renumberRegisters(axes);
    return axes[axis];
  }

private:
  ArrayRef<int64_t> shape;
  EmitErrorFn emitError;
  Axes axes;
};
} // namespace

static constexpr int32_t kRest = AxesBuilder::kRest;

static Factor inRegisters(int64_t extent, int32_t order) {
  return {Owner::Register, static_cast<int32_t>(extent), order};
}
static Factor inLanes(int64_t extent, int64_t stride) {
  return {Owner::Lane, static_cast<int32_t>(extent),
          static_cast<int32_t>(stride)};
}
static Factor inWarps(int64_t extent, int64_t stride) {
  return {Owner::Warp, static_cast<int32_t>(extent),
          static_cast<int32_t>(stride)};
}

static int64_t product(ArrayRef<int64_t> values) {
  int64_t result = 1;
  for (int64_t value : values)
    result *= value;
  return result;
}

static LogicalResult checkWarps(EmitErrorFn emitError,
                                ArrayRef<int64_t> warps) {
  if (warps.size() == 2 && warps[0] >= 1 && warps[1] >= 1 && warps[0] <= 32 &&
      warps[1] <= 32 && warps[0] * warps[1] <= 32)
    return success();
  return emitError() << "expected warps of rows and columns, 1 to 32 in all, "
                        "got ["
                     << warps << "]";
}

//===----------------------------------------------------------------------===//
// blocked
//===----------------------------------------------------------------------===//

LogicalResult BlockedAttr::verify(EmitErrorFn emitError, int64_t vector,
                                  ArrayRef<int64_t> lanes,
                                  ArrayRef<int64_t> warps) {
  if (vector < 1 || vector > 256)
    return emitError() << "expected a vector of 1 to 256 elements (B1), got "
                       << vector;
  if (lanes.size() != 2 || lanes[0] < 1 || lanes[1] < 1 || lanes[0] > 32 ||
      lanes[0] * lanes[1] != 32)
    return emitError() << "expected 32 lanes of rows and columns (B1), got ["
                       << lanes << "]";
  return checkWarps(emitError, warps);
}

FailureOr<SmallVector<Factor>>
BlockedAttr::getFactors(unsigned axis, ArrayRef<int64_t> shape,
                        EmitErrorFn emitError) const {
  ArrayRef<int64_t> l = getLanes(), w = getWarps();
  AxesBuilder builder(shape, emitError);
  if (failed(builder.set(0, {inRegisters(kRest, 2), inWarps(w[0], w[1]),
                             inLanes(l[0], l[1])})) ||
      failed(builder.set(1, {inRegisters(kRest, 1), inWarps(w[1], 1),
                             inLanes(l[1], 1), inRegisters(getVector(), 0)})))
    return failure();
  return builder.finish(axis);
}

//===----------------------------------------------------------------------===//
// MMA fragments
//===----------------------------------------------------------------------===//

/// Of wgmma where none are given.
static constexpr int64_t kWarpgroup[] = {4, 1};

/// The rows that accumulators and operand A share: [rest][warp] of a warpgroup,
/// whose instruction has 64 rows; else each warp's blocks of 16 are contiguous.
static SmallVector<Factor> getRowDigits(ArrayRef<int64_t> warps,
                                        int32_t restOrder) {
  if (warps.empty())
    return {inRegisters(kRest, restOrder), inWarps(4, 1), inRegisters(2, 1),
            inLanes(8, 4)};
  return {inWarps(warps[0], warps[1]), inRegisters(kRest, restOrder),
          inRegisters(2, 1), inLanes(8, 4)};
}

LogicalResult AccAttr::verify(EmitErrorFn emitError, ArrayRef<int64_t> warps) {
  return warps.empty() ? success() : checkWarps(emitError, warps);
}

FailureOr<SmallVector<Factor>>
AccAttr::getFactors(unsigned axis, ArrayRef<int64_t> shape,
                    EmitErrorFn emitError) const {
  int64_t columnWarps = getWarps().empty() ? 1 : getWarps()[1];
  AxesBuilder builder(shape, emitError);
  if (failed(builder.set(0, getRowDigits(getWarps(), 3))) ||
      failed(builder.set(1, {inWarps(columnWarps, 1), inRegisters(kRest, 2),
                             inLanes(4, 1), inRegisters(2, 0)})))
    return failure();
  return builder.finish(axis);
}

LogicalResult OperandAttr::verify(EmitErrorFn emitError, unsigned index,
                                  unsigned bits, ArrayRef<int64_t> warps) {
  if (index > 1)
    return emitError() << "expected operand 0 or 1, got " << index;
  if (bits != 8 && bits != 16 && bits != 32)
    return emitError() << "expected elements of 8, 16 or 32 bits, got " << bits;
  return warps.empty() ? success() : checkWarps(emitError, warps);
}

FailureOr<SmallVector<Factor>>
OperandAttr::getFactors(unsigned axis, ArrayRef<int64_t> shape,
                        EmitErrorFn emitError) const {
  ArrayRef<int64_t> warps = getWarps();
  int64_t packed = 32 / getBits();
  AxesBuilder builder(shape, emitError);
  // Along K: [rest][half][lane 4][elements of one register].
  if (getIndex() == 0) {
    if (failed(builder.set(0, getRowDigits(warps, 4))) ||
        failed(builder.set(1, {inRegisters(kRest, 3), inRegisters(2, 2),
                               inLanes(4, 1), inRegisters(packed, 0)})))
      return failure();
    return builder.finish(axis);
  }
  int64_t columnWarps = warps.empty() ? 1 : warps[1];
  if (failed(builder.set(0, {inRegisters(kRest, 2), inRegisters(2, 1),
                             inLanes(4, 1), inRegisters(packed, 0)})) ||
      failed(builder.set(
          1, {inWarps(columnWarps, 1), inRegisters(kRest, 3), inLanes(8, 4)})))
    return failure();
  return builder.finish(axis);
}

//===----------------------------------------------------------------------===//
// partial
//===----------------------------------------------------------------------===//

LogicalResult PartialAttr::verify(EmitErrorFn emitError, Attribute of,
                                  Axis axis, int64_t block, ReduceLevel level) {
  if (!isa<DistributionAttrInterface>(of))
    return emitError() << "expected a distribution of tile, got " << of;
  if (block < 0)
    return emitError() << "expected a block of at least 0, got " << block;
  return success();
}

/// The digits that a reduction leaves.
static SmallVector<Factor> keepDigits(ArrayRef<Factor> digits, int64_t block,
                                      ReduceLevel level) {
  SmallVector<Factor> kept;
  int64_t weight = 1;
  for (const Factor &digit : digits)
    weight *= digit.extent;
  for (Factor digit : digits) {
    int64_t whole = weight;
    weight /= digit.extent;
    bool isAbove =
        static_cast<uint32_t>(digit.owner) > static_cast<uint32_t>(level);
    if (isAbove || (block && weight >= block)) {
      kept.push_back(digit);
    } else if (block && whole > block) {
      // The block ends within the digit.
      int64_t inside = block / weight;
      kept.push_back({digit.owner, static_cast<int32_t>(digit.extent / inside),
                      static_cast<int32_t>(digit.stride * inside)});
    }
  }
  return kept;
}

FailureOr<SmallVector<Factor>>
PartialAttr::getFactors(unsigned axis, ArrayRef<int64_t> shape,
                        EmitErrorFn emitError) const {
  auto of = cast<DistributionAttrInterface>(getOf());
  unsigned reduced = static_cast<unsigned>(getAxis());
  // Numbers of elements that one stands for, until one fits. What registers
  // hold more than that leaves no digit, so the least is as good as any.
  constexpr int64_t kMost = 8192;
  auto silent = []() { return InFlightDiagnostic(); };
  for (int64_t count = 1; count <= kMost && shape[reduced] != 1; ++count) {
    SmallVector<int64_t> whole(shape);
    whole[reduced] *= count;
    Axes axes;
    bool fits = true;
    for (unsigned each : {0u, 1u}) {
      FailureOr<SmallVector<Factor>> digits =
          of.getFactors(each, whole, silent);
      fits = fits && succeeded(digits);
      if (fits)
        axes[each] = std::move(*digits);
    }
    if (!fits)
      continue;
    axes[reduced] = keepDigits(axes[reduced], getBlock(), getLevel());
    int64_t extent = 1;
    for (const Factor &digit : axes[reduced])
      extent *= digit.extent;
    if (extent != shape[reduced])
      continue;
    renumberRegisters(axes);
    return axes[axis];
  }
  if (shape[reduced] == 1)
    return of.getFactors(axis, shape, emitError);
  return emitError() << "expected " << stringifyAxis(getAxis())
                     << " that a reduction of " << getOf() << " leaves, got "
                     << shape[reduced];
}

//===----------------------------------------------------------------------===//
// factors
//===----------------------------------------------------------------------===//

LogicalResult FactorsAttr::verify(EmitErrorFn emitError, ArrayRef<int64_t> rows,
                                  ArrayRef<int64_t> cols, int64_t warps) {
  if (warps < 1 || warps > 32)
    return emitError() << "expected 1 to 32 warps, got " << warps;
  for (ArrayRef<int64_t> triples : {rows, cols}) {
    if (triples.size() % 3 != 0)
      return emitError() << "expected triples of owner, extent and stride, got "
                         << triples.size() << " numbers";
    for (; !triples.empty(); triples = triples.drop_front(3)) {
      int64_t limit = triples[0] == 0 ? 1 << 16 : triples[0] == 1 ? 32 : warps;
      if (triples[0] < 0 || triples[0] > 2 || triples[1] < 1 ||
          triples[2] < 0 || triples[1] > limit || triples[2] > limit ||
          (triples[1] - 1) * triples[2] >= limit)
        return emitError()
               << "expected an owner of 0 to 2 whose index is below " << limit
               << ", got " << triples.take_front(3);
    }
  }
  return success();
}

FailureOr<SmallVector<Factor>>
FactorsAttr::getFactors(unsigned axis, ArrayRef<int64_t> shape,
                        EmitErrorFn emitError) const {
  SmallVector<Factor> factors;
  int64_t extent = 1;
  for (ArrayRef<int64_t> triples = axis == 0 ? getRows() : getCols();
       !triples.empty(); triples = triples.drop_front(3)) {
    factors.push_back({static_cast<Owner>(triples[0]),
                       static_cast<int32_t>(triples[1]),
                       static_cast<int32_t>(triples[2])});
    extent *= triples[1];
  }
  if (extent != shape[axis])
    return emitError() << "expected " << extent
                       << (axis == 0 ? " rows" : " columns") << ", got "
                       << shape[axis];
  return factors;
}

//===----------------------------------------------------------------------===//
// Warps
//===----------------------------------------------------------------------===//

int64_t BlockedAttr::getNumWarps() const { return product(getWarps()); }

int64_t AccAttr::getNumWarps() const {
  return product(getWarps().empty() ? ArrayRef(kWarpgroup) : getWarps());
}

int64_t OperandAttr::getNumWarps() const {
  return product(getWarps().empty() ? ArrayRef(kWarpgroup) : getWarps());
}

int64_t PartialAttr::getNumWarps() const {
  return cast<DistributionAttrInterface>(getOf()).getNumWarps();
}

int64_t FactorsAttr::getNumWarps() const { return getWarps(); }

#include "dialects/Tile/TileEnums.cpp.inc"

#include "dialects/Tile/TileAttrInterfaces.cpp.inc"

#define GET_ATTRDEF_CLASSES
#include "dialects/Tile/TileAttrs.cpp.inc"

void TileDialect::registerAttributes() {
  addAttributes<
#define GET_ATTRDEF_LIST
#include "dialects/Tile/TileAttrs.cpp.inc"
      >();
}
