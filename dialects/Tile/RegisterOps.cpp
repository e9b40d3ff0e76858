//===- RegisterOps.cpp - Computing on register tiles: rules ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/Verify/Local.h"

using namespace mlir;
using namespace opgraph::tile;

static std::array<int64_t, 2> shapeOf(RegType type) {
  return {type.getRows(), type.getCols()};
}

static Distribution spreadOf(RegType type) {
  // The type's own verifier has seen to it.
  return *Distribution::get(type, nullptr);
}

//===----------------------------------------------------------------------===//
// map
//===----------------------------------------------------------------------===//

/// Whether `input` has one element for each run of the result's along `axis`,
/// as a reduction by blocks leaves.
static bool isOnePerBlock(RegType input, RegType result, unsigned axis) {
  int64_t from = shapeOf(input)[axis], to = shapeOf(result)[axis];
  if (to % from != 0)
    return false;
  auto blocks =
      PartialAttr::get(input.getContext(), result.getDistribution(),
                       static_cast<Axis>(axis), to / from, ReduceLevel::group);
  auto silent = []() { return InFlightDiagnostic(); };
  std::array<int64_t, 2> shape = shapeOf(result);
  shape[axis] = from;
  for (unsigned each : {0u, 1u})
    if (failed(blocks.getFactors(each, shape, silent)))
      return false;
  auto want = RegType::get(input.getContext(), shape[0], shape[1],
                           input.getElementType(), Attribute(blocks));
  return spreadOf(input).matchesAxis(spreadOf(want), axis);
}

/// V1, V2: whether `input` broadcasts to `result`, axis by axis.
static LogicalResult verifyBroadcast(Operation *op, RegType input,
                                     RegType result) {
  for (unsigned axis : {0u, 1u}) {
    int64_t from = shapeOf(input)[axis], to = shapeOf(result)[axis];
    if (from == 1 || (from != to && isOnePerBlock(input, result, axis)))
      continue;
    if (from != to)
      return op->emitOpError("expected inputs of ")
             << to << " or 1 " << getAxisName(axis)
             << ", or one element per block (V1), got " << from;
    if (!spreadOf(input).matchesAxis(spreadOf(result), axis))
      return op->emitOpError("expected inputs spread as the result along ")
             << getAxisName(axis) << " (V2), got " << input << " for "
             << result;
  }
  if (spreadOf(input).warps() != spreadOf(result).warps())
    return op->emitOpError("expected inputs over the result's ")
           << spreadOf(result).warps() << " warps (V2), got "
           << spreadOf(input).warps();
  return success();
}

LogicalResult MapOp::verifyRegions() {
  Block &body = getBody().front();
  if (getTiles().empty())
    return emitOpError("expected at least one result");
  auto first = cast<RegType>(getTiles().front().getType());
  if (failed(verifyWarps(*this, first)))
    return failure();
  for (Value tile : getTiles()) {
    auto type = cast<RegType>(tile.getType());
    if (shapeOf(type) != shapeOf(first) ||
        type.getDistribution() != first.getDistribution())
      return emitOpError("expected results of one shape and distribution (V1), "
                         "got ")
             << type << " beside " << first;
  }
  if (body.getNumArguments() != getInputs().size())
    return emitOpError("expected one region argument for each of ")
           << getInputs().size() << " inputs, got " << body.getNumArguments();
  for (auto [input, argument] :
       llvm::zip_equal(getInputs(), body.getArguments())) {
    auto type = cast<RegType>(input.getType());
    if (argument.getType() != type.getElementType())
      return emitOpError("expected a region argument of ")
             << type.getElementType() << ", got " << argument.getType();
    if (failed(verifyBroadcast(*this, type, first)))
      return failure();
  }
  for (Operation &op : body.without_terminator())
    if (!isa<arith::ArithDialect, math::MathDialect>(op.getDialect()) &&
        !isa<CoordOp>(op))
      return op.emitOpError("is no scalar op of arith or math, and not "
                            "tile.coord (V3)");
  auto yield = dyn_cast<YieldOp>(body.back());
  if (!yield || yield.getValues().size() != getTiles().size())
    return emitOpError("expected the region to yield one value for each of ")
           << getTiles().size() << " results";
  for (auto [value, tile] : llvm::zip_equal(yield.getValues(), getTiles()))
    if (value.getType() != cast<RegType>(tile.getType()).getElementType())
      return emitOpError("expected the region to yield ")
             << cast<RegType>(tile.getType()).getElementType() << ", got "
             << value.getType();
  return success();
}

LogicalResult CoordOp::verify() {
  if (isa_and_nonnull<MapOp>((*this)->getParentOp()))
    return success();
  return emitOpError("expected to stand in a tile.map (V3)");
}

//===----------------------------------------------------------------------===//
// reduce
//===----------------------------------------------------------------------===//

/// V4: whether `result` is what reducing `tile` leaves.
static LogicalResult verifyReduced(Operation *op, RegType tile, RegType result,
                                   Axis axis, ReduceLevel level,
                                   int64_t block) {
  unsigned reduced = static_cast<unsigned>(axis), other = 1 - reduced;
  if (tile.getElementType() != result.getElementType())
    return op->emitOpError("expected a result of ")
           << tile.getElementType() << " (V4), got " << result.getElementType();
  Distribution from = spreadOf(tile), to = spreadOf(result);
  if (from.warps() != to.warps() ||
      shapeOf(tile)[other] != shapeOf(result)[other] ||
      !from.matchesAxis(to, other))
    return op->emitOpError("expected the result to keep the ")
           << getAxisName(other) << " of the tile (V4), got " << result
           << " for " << tile;
  if (shapeOf(result)[reduced] == 1) {
    // Everything above the level must be gone already.
    for (const Factor &factor : from.factors(reduced))
      if (static_cast<uint32_t>(factor.owner) > static_cast<uint32_t>(level))
        return op->emitOpError("expected a reduction within ")
               << (factor.owner == Owner::Lane ? "warp or group" : "group")
               << " to leave one of " << shapeOf(tile)[reduced] << ' '
               << getAxisName(reduced) << " (V4), got "
               << stringifyReduceLevel(level);
    return success();
  }
  auto want = RegType::getChecked(
      [&] { return op->emitOpError(); }, op->getContext(), result.getRows(),
      result.getCols(), tile.getElementType(),
      Attribute(PartialAttr::get(op->getContext(), tile.getDistribution(), axis,
                                 block, level)));
  if (!want)
    return failure();
  if (!spreadOf(want).matchesAxis(to, reduced))
    return op->emitOpError("expected a result spread as ")
           << want << " (V4), got " << result;
  return success();
}

/// Warps that hold parts of a line along `axis`.
static int64_t countWarps(RegType type, unsigned axis) {
  int64_t warps = 1;
  for (const Factor &factor : spreadOf(type).factors(axis))
    if (factor.owner == Owner::Warp)
      warps *= factor.extent;
  return warps;
}

/// V5 and G4.
static LogicalResult verifyThrough(Operation *op, RegType tile, RegType result,
                                   Axis axis, ReduceLevel level,
                                   Value through) {
  auto reduced = static_cast<unsigned>(axis);
  int64_t warps = countWarps(tile, reduced);
  bool needs = warps > 1 && level == ReduceLevel::group;
  if (needs != static_cast<bool>(through))
    return op->emitOpError("expected 'through' if and only if warps must meet "
                           "(V5)");
  if (!through)
    return verifyWarps(op, tile);
  auto shared = cast<SharedType>(through.getType());
  std::array<int64_t, 2> want = {result.getRows() * result.getCols(),
                                 warps / countWarps(result, reduced)};
  if (getMatrix(shared) != want ||
      shared.getElementType() != tile.getElementType())
    return op->emitOpError("expected to go through a word of each line and "
                           "warp, ")
           << want[0] << 'x' << want[1] << 'x' << tile.getElementType()
           << " (V5), got " << shared;
  return verifyWarps(op, tile);
}

LogicalResult ReduceOp::verify() {
  RegType tile = getTile().getType();
  if (failed(verifyThrough(*this, tile, getResult().getType(), getAxis(),
                           getLevel(), getThrough())))
    return failure();
  if (isa<FloatTF32Type>(tile.getElementType()) ||
      (isa<FloatType>(tile.getElementType()) &&
       getStorageBits(tile.getElementType()) == 8))
    return emitOpError("combines a float that has conversions only: expected "
                       "f16, bf16, f32 or f64 (V4), got ")
           << tile.getElementType();
  bool isInteger = isa<IntegerType>(tile.getElementType());
  bool isBits = llvm::is_contained(
      {Combine::bit_and, Combine::bit_or, Combine::bit_xor}, getCombine());
  if (isBits != isInteger && isBits)
    return emitOpError("expected integers for ")
           << stringifyCombine(getCombine()) << ", got "
           << tile.getElementType();
  if (getBlock() && *getBlock() == 0)
    return emitOpError("expected a block of at least 1, got 0");
  return verifyReduced(*this, tile, getResult().getType(), getAxis(),
                       getLevel(), getBlock().value_or(0));
}

LogicalResult ReduceWithOp::verifyRegions() {
  size_t count = getTiles().size();
  Block &body = getBody().front();
  if (count == 0 || getResults().size() != count)
    return emitOpError("expected one result for each of ")
           << count << " tiles, got " << getResults().size();
  bool hasThrough = !getThrough().empty();
  if (hasThrough && getThrough().size() != count)
    return emitOpError("expected one shared tile for each of ")
           << count << " tiles, got " << getThrough().size();
  if (body.getNumArguments() != 2 * count)
    return emitOpError("expected ")
           << 2 * count
           << " region arguments, two elements of each "
              "tile, got "
           << body.getNumArguments();
  auto yield = dyn_cast<YieldOp>(body.back());
  if (!yield || yield.getValues().size() != count)
    return emitOpError("expected the region to yield ") << count << " values";
  for (size_t index = 0; index < count; ++index) {
    auto tile = cast<RegType>(getTiles()[index].getType());
    Type element = tile.getElementType();
    if (body.getArgument(index).getType() != element ||
        body.getArgument(count + index).getType() != element ||
        yield.getValues()[index].getType() != element)
      return emitOpError("expected arguments and values of ")
             << element << " for tile " << index;
    auto result = cast<RegType>(getResults()[index].getType());
    if (failed(verifyThrough(*this, tile, result, getAxis(), getLevel(),
                             hasThrough ? getThrough()[index] : Value())) ||
        failed(verifyReduced(*this, tile, result, getAxis(), getLevel(), 0)))
      return failure();
  }
  return success();
}

//===----------------------------------------------------------------------===//
// The same registers, or through shared memory
//===----------------------------------------------------------------------===//

LogicalResult ExtractOp::verify() {
  RegType tile = getTile().getType(), part = getPart().getType();
  if (tile.getElementType() != part.getElementType())
    return emitOpError("expected elements of ")
           << tile.getElementType() << " (V6), got " << part.getElementType();
  FailureOr<FactorsAttr> want = spreadOf(tile).extract(
      getContext(), getRow(), getCol(), part.getRows(), part.getCols());
  if (failed(want))
    return emitOpError("expected a part that cuts whole registers of ")
           << tile << " (V6), got " << part << " at [" << getRow() << ", "
           << getCol() << "]";
  auto exact = RegType::get(getContext(), part.getRows(), part.getCols(),
                            part.getElementType(), *want);
  if (!spreadOf(exact).equalsPerThread(spreadOf(part)))
    return emitOpError("expected a part spread as ")
           << *want << " (V6), got " << part;
  return success();
}

LogicalResult RelabelOp::verify() {
  RegType from = getTile().getType(), to = getResult().getType();
  if (from.getElementType() != to.getElementType() ||
      shapeOf(from) != shapeOf(to) ||
      !spreadOf(from).equalsPerThread(spreadOf(to)))
    return emitOpError("expected a type that is thread by thread equal to ")
           << from << " (V6), got " << to;
  return success();
}

/// V7: `pairs` are the halves of `bytes`.
static LogicalResult verifyHalves(Operation *op, RegType bytes, RegType pairs) {
  for (RegType type : {bytes, pairs})
    if (!type.getElementType().isInteger(8))
      return op->emitOpError("expected elements of i8 (V7), got ") << type;
  auto want = RegType::get(op->getContext(), bytes.getRows(),
                           2 * bytes.getCols(), bytes.getElementType(),
                           spreadOf(bytes).splitColumns(op->getContext()));
  if (shapeOf(pairs) != shapeOf(want) ||
      !spreadOf(pairs).equalsPerThread(spreadOf(want)))
    return op->emitOpError("expected bytes of ")
           << bytes << " and pairs spread as " << want << " (V7), got "
           << pairs;
  return success();
}

LogicalResult UnpackOp::verify() {
  return verifyHalves(*this, getTile().getType(), getResult().getType());
}

LogicalResult PackOp::verify() {
  return verifyHalves(*this, getResult().getType(), getTile().getType());
}

LogicalResult ConvertOp::verify() {
  RegType from = getTile().getType(), to = getResult().getType();
  SharedType through = getThrough().getType();
  if (from.getElementType() != to.getElementType() ||
      shapeOf(from) != shapeOf(to))
    return emitOpError("expected a tile of the same shape and type, got ")
           << to << " for " << from;
  if (getMatrix(through) != shapeOf(from) ||
      through.getElementType() != from.getElementType())
    return emitOpError("expected to go through ")
           << from.getRows() << 'x' << from.getCols() << 'x'
           << from.getElementType() << ", got " << through;
  return verifyWarps(*this, from);
}

LogicalResult ScalarOp::verify() {
  RegType tile = getTile().getType();
  if (tile.getRows() != 1 || tile.getCols() != 1 ||
      tile.getElementType() != getValue().getType())
    return emitOpError("expected a 1x1 tile of the result's type, got ")
           << tile;
  return success();
}

LogicalResult AnyOp::verify() {
  if (getTile().getType().getElementType().isInteger(1))
    return success();
  return emitOpError("expected a tile of i1, got ") << getTile().getType();
}
