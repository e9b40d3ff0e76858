//===- GeneralizeExtents.cpp - Symbols for what a call overrides ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Works on axes of values: ops tie axes whose extents they require to be
// equal, and pin axes whose extents they know. A class of tied axes without a
// pin becomes one symbol.
//===----------------------------------------------------------------------===//
#include "passes/Legalize/GeneralizeExtents.h"
#include "dialects/Graph/Attention.h"
#include "dialects/Graph/Extents.h"
#include "dialects/Graph/Layout.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph::graph;

/// Whether `op` takes all of its input along `axis`.
static bool isWhole(SliceOp op, int64_t axis) {
  int64_t extent = typeOf(op.getInput()).getDimSize(axis);
  return op.getStart()[axis] == 0 && op.getStep()[axis] == 1 &&
         (op.getStop()[axis] == extent || op.getStop()[axis] == -1);
}

namespace {
/// The classes of equal extents of one graph.
class ExtentClasses {
public:
  explicit ExtentClasses(GraphOp graph) {
    Block &body = graph.getBody().front();
    for (BlockArgument argument : body.getArguments())
      addValue(argument);
    for (Operation &op : body.without_terminator())
      for (Value result : op.getResults())
        addValue(result);
    for (Operation &op : body.without_terminator())
      visit(op);
  }

  /// The symbol of an axis, or null where its extent stays a number.
  StringAttr getSymbol(Value value, int64_t axis) {
    if (typeOf(value).getDimSize(axis) == 1 || typeOf(value).isDynamicDim(axis))
      return {};
    unsigned leader = find(getAxis(value, axis));
    if (pinned[leader])
      return {};
    auto [entry, isNew] = symbols.try_emplace(leader);
    if (isNew)
      entry->second = makeName(value.getContext());
    return entry->second;
  }

private:
  /// "extent.0", "extent.1", ..., but for the names that the user took.
  StringAttr makeName(MLIRContext *context) {
    StringAttr name;
    do
      name = StringAttr::get(context, "extent." + llvm::Twine(numNames++));
    while (taken.contains(name));
    return name;
  }

  void addValue(Value value) {
    firstAxis[value] = parents.size();
    for (StringAttr symbol : getSymbols(typeOf(value)))
      if (symbol)
        taken.insert(symbol);
    for (int64_t axis = 0; axis < typeOf(value).getRank(); ++axis) {
      parents.push_back(parents.size());
      pinned.push_back(false);
    }
    pinStorage(value);
  }
  /// Pins what the layout of `value` needs to know: all of one that is cut into
  /// tiles, and along which axis 4-bit elements lie two per byte.
  void pinStorage(Value value) {
    RankedTensorType type = typeOf(value);
    bool isTiled = getReordering(type) != Reordering::NONE;
    if (!isTiled && !isPackedInHalves(type.getElementType()))
      return;
    Dims strides = getStrides(type);
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      if (isTiled || !isPacked(type) || strides[axis] == 1)
        pin(value, axis);
  }
  unsigned getAxis(Value value, int64_t axis) {
    return firstAxis.lookup(value) + axis;
  }
  unsigned find(unsigned axis) {
    while (parents[axis] != axis)
      axis = parents[axis] = parents[parents[axis]];
    return axis;
  }

  /// Ties two axes, unless one of them only broadcasts.
  void tie(Value a, int64_t axisA, Value b, int64_t axisB) {
    if (typeOf(a).getDimSize(axisA) != typeOf(b).getDimSize(axisB))
      return;
    unsigned leaderA = find(getAxis(a, axisA));
    unsigned leaderB = find(getAxis(b, axisB));
    if (leaderA == leaderB)
      return;
    // The earlier axis leads, so that symbols are numbered in program order.
    if (leaderB < leaderA)
      std::swap(leaderA, leaderB);
    parents[leaderB] = leaderA;
    pinned[leaderA] = pinned[leaderA] || pinned[leaderB];
  }
  /// Ties all axes, counted from the last.
  void tieAligned(Value a, Value b) {
    if (!a || !b)
      return;
    int64_t rankA = typeOf(a).getRank(), rankB = typeOf(b).getRank();
    for (int64_t back = 1; back <= std::min(rankA, rankB); ++back)
      tie(a, rankA - back, b, rankB - back);
  }
  void pin(Value value, int64_t axis) {
    pinned[find(getAxis(value, axis))] = true;
  }

  void visit(Operation &op) {
    llvm::TypeSwitch<Operation *>(&op)
        .Case<MatmulOp, ReshapeOp, TransposeOp, SliceOp, ConcatenateOp, SdpaOp>(
            [&](auto op) { visitOp(op); })
        .Case<PointwiseOpInterface, LayernormOp, LayernormBackwardOp, RmsnormOp,
              RmsnormBackwardOp, AdalayernormOp, AdalayernormBackwardOp,
              InstancenormOp, InstancenormBackwardOp, BatchnormInferenceOp,
              GenstatsOp, BnFinalizeOp, SoftmaxOp>(
            [&](auto op) { tieOperands(op); })
        // A peer's three values are no extent of X.
        .Case<BatchnormOp, BatchnormBackwardOp>([&](auto op) {
          if (op.getPeerStats().empty())
            tieOperands(op);
          else
            pinAll(op);
        })
        .Case([&](DbnWeightOp op) {
          tieOperands(op);
          tieAligned(op.getGrad(), op.getInput());
        })
        .Case([&](ReductionOp op) {
          if (op.getGroupOffset())
            pinAll(op);
          else
            tieOperands(op);
        })
        .Case([&](ConvFpropOp op) {
          tieBatch(op, {op.getImage(), op.getY()});
          pin(op.getWeight(), 0);
        })
        .Case([&](ConvDgradOp op) {
          tieBatch(op, {op.getLoss(), op.getDX()});
          pin(op.getFilter(), 0);
        })
        .Case([&](ConvWgradOp op) {
          tieBatch(op, {op.getImage(), op.getLoss()});
        })
        .Case([&](ResampleOp op) {
          tieBatch(op, {op.getInput(), op.getY(), op.getIndex()});
        })
        .Case([&](ResampleBackwardOp op) {
          tieBatch(op,
                   {op.getLoss(), op.getInput(), op.getIndex(), op.getDX()});
        })
        .Case([&](RopeOp op) { visitRope(op.getInput(), op.getFreqs(), op); })
        .Case([&](RopeBackwardOp op) {
          visitRope(op.getDY(), op.getFreqs(), op);
        })
        // The rest compute with the extents that they were declared with.
        .Default([&](Operation *op) { pinAll(op); });
  }

  /// Equal axes stay at the same place from the right.
  void tieOperands(Operation *op) {
    for (Value operand : op->getOperands())
      for (Value result : op->getResults())
        tieAligned(operand, result);
  }
  void pinAll(Operation *op) {
    auto pinValue = [&](Value value) {
      for (int64_t axis = 0; axis < typeOf(value).getRank(); ++axis)
        pin(value, axis);
    };
    llvm::for_each(op->getOperands(), pinValue);
    llvm::for_each(op->getResults(), pinValue);
  }

  /// Ties the batch of the values in `batched`, some of which may be null, and
  /// pins every other axis of `op`. A filter may be the same value as an image,
  /// so that its first axis is the caller's to pin.
  void tieBatch(Operation *op, ArrayRef<Value> batched) {
    for (Value value : batched)
      if (value)
        tie(batched.front(), 0, value, 0);
    auto pinValue = [&](Value value) {
      int64_t first = llvm::is_contained(batched, value) ? 1 : 0;
      for (int64_t axis = first; axis < typeOf(value).getRank(); ++axis)
        pin(value, axis);
    };
    llvm::for_each(op->getOperands(), pinValue);
    llvm::for_each(op->getResults(), pinValue);
  }

  void visitRope(Value x, Value freqs, Operation *op) {
    tieAligned(x, op->getResult(0));
    tie(freqs, 0, x, 2);
    pin(x, 3);
    pin(freqs, 3);
  }

  void visitOp(MatmulOp op) {
    Value a = op.getA(), b = op.getB(), c = op.getC();
    int64_t rank = typeOf(c).getRank();
    for (int64_t axis = 0; axis < rank - 2; ++axis)
      for (Value operand : {a, b})
        tie(operand, axis, c, axis);
    tie(a, rank - 2, c, rank - 2);
    tie(b, rank - 1, c, rank - 1);
    tie(a, rank - 1, b, rank - 2);
    for (Value sizes :
         {op.getMOverride(), op.getNOverride(), op.getKOverride()})
      tieAligned(sizes, c);
  }

  /// Leading axes that a row-major reshape leaves alone vary with it.
  void visitOp(ReshapeOp op) {
    Value x = op.getInput(), y = op.getY();
    int64_t rankX = typeOf(x).getRank(), rankY = typeOf(y).getRank();
    int64_t axis = 0;
    if (op.getReshapeMode() == ReshapeMode::LOGICAL)
      for (; axis < std::min(rankX, rankY) &&
             typeOf(x).getDimSize(axis) == typeOf(y).getDimSize(axis);
           ++axis)
        tie(x, axis, y, axis);
    for (int64_t rest = axis; rest < rankX; ++rest)
      pin(x, rest);
    for (int64_t rest = axis; rest < rankY; ++rest)
      pin(y, rest);
  }

  void visitOp(TransposeOp op) {
    for (auto [to, from] : llvm::enumerate(op.getPermutation()))
      tie(op.getInput(), from, op.getY(), to);
  }

  void visitOp(SliceOp op) {
    for (int64_t axis = 0; axis < typeOf(op.getY()).getRank(); ++axis) {
      if (isWhole(op, axis)) {
        tie(op.getInput(), axis, op.getY(), axis);
        continue;
      }
      pin(op.getInput(), axis);
      pin(op.getY(), axis);
    }
  }

  void visitOp(ConcatenateOp op) {
    int64_t joined = op.getAxis();
    pin(op.getY(), joined);
    for (Value input : op.getInputs())
      for (int64_t axis = 0; axis < typeOf(input).getRank(); ++axis) {
        if (axis == joined)
          pin(input, axis);
        else
          tie(input, axis, op.getY(), axis);
      }
  }

  void visitOp(SdpaOp op) {
    // Offsets, pages, tiles and regions are made for the declared extents.
    if (!getAttentionFeatures(op).empty())
      return pinAll(op);
    Value q = op.getQ(), k = op.getK(), v = op.getV(), o = op.getO();
    for (Value other : {k, v, o})
      tie(q, 0, other, 0);
    tie(q, 1, o, 1);
    tie(q, 2, o, 2);
    tie(q, 3, k, 3);
    tie(k, 2, v, 2);
    tie(v, 3, o, 3);
    tieAligned(op.getStats(), o);
    for (Value lengths : {op.getSeqLenQ(), op.getSeqLenKv()})
      tieAligned(lengths, q);
    for (Value heads : {k, v}) {
      int64_t own = typeOf(heads).getDimSize(1);
      if (own == typeOf(q).getDimSize(1)) {
        tie(q, 1, heads, 1);
      } else if (own != 1) {
        pin(q, 1);
        pin(heads, 1);
      }
    }
    pin(q, 3);
    pin(v, 3);
    tieBias(op);
  }

  /// The bias has the scores' axes: Q's, and K's sequence last.
  void tieBias(SdpaOp op) {
    Value bias = op.getBias();
    if (!bias)
      return;
    int64_t rank = typeOf(bias).getRank();
    if (rank > 0)
      tie(bias, rank - 1, op.getK(), 2);
    for (int64_t back = 2; back <= rank; ++back)
      tie(bias, rank - back, op.getQ(), 4 - back);
  }

  DenseMap<Value, unsigned> firstAxis;
  SmallVector<unsigned> parents;
  SmallVector<bool> pinned;
  DenseMap<unsigned, StringAttr> symbols;
  DenseSet<StringAttr> taken;
  unsigned numNames = 0;
};
} // namespace

/// The type of `value` with symbols for what may vary. A packed layout stays
/// packed in its memory order; other strides of a varying operand are bound at
/// the call.
static RankedTensorType generalizeType(Value value, ExtentClasses &classes) {
  RankedTensorType type = typeOf(value);
  Dims shape(type.getShape());
  Symbols symbols = getSymbols(type);
  bool varies = false;
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    StringAttr symbol = classes.getSymbol(value, axis);
    if (!symbol)
      continue;
    varies = true;
    shape[axis] = ShapedType::kDynamic;
    symbols[axis] = symbol;
  }
  if (!varies)
    return type;
  if (isPacked(type))
    return makePacked(type.getContext(), shape, type.getElementType(),
                      getMemoryOrder(type), symbols);
  Dims strides = getStrides(type);
  for (auto [axis, stride] : llvm::enumerate(strides))
    if (stride > 1 && type.getDimSize(axis) != 1)
      stride = ShapedType::kDynamic;
  return makeStrided(shape, type.getElementType(), strides, symbols);
}

/// A slice spells the whole of a dynamic axis with stop -1.
static void generalizeSlice(SliceOp op, ArrayRef<bool> wholeAxes) {
  SmallVector<int64_t> stop(op.getStop());
  for (int64_t axis = 0; axis < static_cast<int64_t>(stop.size()); ++axis)
    if (typeOf(op.getInput()).isDynamicDim(axis) && wholeAxes[axis])
      stop[axis] = -1;
  op.setStop(stop);
}

OwningOpRef<GraphOp> opgraph::legalize::generalizeExtents(GraphOp graph) {
  OwningOpRef<GraphOp> copy = cast<GraphOp>(graph->clone());
  Block &body = copy->getBody().front();
  ExtentClasses classes(*copy);
  SmallVector<std::pair<Value, Type>> types;
  SmallVector<std::pair<SliceOp, SmallVector<bool>>> slices;
  for (BlockArgument argument : body.getArguments())
    types.push_back({argument, generalizeType(argument, classes)});
  for (Operation &op : body.without_terminator()) {
    for (Value result : op.getResults())
      types.push_back({result, generalizeType(result, classes)});
    if (auto slice = dyn_cast<SliceOp>(op)) {
      SmallVector<bool> &wholeAxes = slices.emplace_back(slice, 0).second;
      for (int64_t axis = 0; axis < typeOf(slice.getY()).getRank(); ++axis)
        wholeAxes.push_back(isWhole(slice, axis));
    }
  }
  for (auto [value, type] : types)
    value.setType(type);
  for (auto &[slice, wholeAxes] : slices)
    generalizeSlice(slice, wholeAxes);
  copy->setFunctionType(
      FunctionType::get(graph.getContext(), body.getArgumentTypes(),
                        body.getTerminator()->getOperandTypes()));
  if (succeeded(verify(*copy)))
    return copy;
  graph.emitOpError("has extents that cannot be overridden together");
  return {};
}
