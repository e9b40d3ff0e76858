//===- LowerToLoops.cpp - linalg on memrefs to scf.for --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Differs from the upstream lowering in two ways that decide whether LLVM can
// vectorise: loops are ordered by the memory of what they walk, and a reduction
// along the innermost loop is carried in registers.
//===----------------------------------------------------------------------===//
#include "codegen/Host/Tensor/TensorPasses.h"
#include "mlir/Dialect/Affine/IR/AffineOps.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/Linalg/Transforms/Transforms.h"
#include "mlir/Dialect/Linalg/Utils/Utils.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/IRMapping.h"

using namespace mlir;
using namespace opgraph::codegen;

/// The operand whose memory order the loops should follow: of those that vary
/// with the most loops, the last (results come after inputs).
static OpOperand *chooseLeader(linalg::GenericOp op) {
  OpOperand *leader = nullptr;
  unsigned most = 0;
  for (OpOperand &operand : op->getOpOperands()) {
    AffineMap map = op.getMatchingIndexingMap(&operand);
    unsigned dims =
        llvm::count_if(map.getResults(), llvm::IsaPred<AffineDimExpr>);
    if (isa<MemRefType>(operand.get().getType()) && dims > 0 && dims >= most) {
      leader = &operand;
      most = dims;
    }
  }
  return leader;
}

/// Loops by descending stride of the leader; the given order where unknown.
static SmallVector<unsigned> chooseOrder(linalg::GenericOp op) {
  unsigned loops = op.getNumLoops();
  SmallVector<unsigned> order = llvm::to_vector(llvm::seq<unsigned>(0, loops));
  OpOperand *leader = chooseLeader(op);
  if (!leader)
    return order;
  auto type = cast<MemRefType>(leader->get().getType());
  SmallVector<int64_t> strides;
  int64_t offset;
  if (failed(type.getStridesAndOffset(strides, offset)))
    return order;
  // A loop that the leader does not vary with repeats it: outermost.
  SmallVector<int64_t> loopStride(loops, std::numeric_limits<int64_t>::max());
  AffineMap map = op.getMatchingIndexingMap(leader);
  for (auto [axis, expr] : llvm::enumerate(map.getResults())) {
    auto dim = dyn_cast<AffineDimExpr>(expr);
    if (!dim)
      continue;
    if (ShapedType::isDynamic(strides[axis])) {
      // Packed except for an unknown extent, or not known at all: only a unit
      // stride may then move, and it is innermost already.
      return order;
    }
    loopStride[dim.getPosition()] = strides[axis];
  }
  llvm::sort(order, [&](unsigned a, unsigned b) {
    return std::make_pair(-loopStride[a], a) <
           std::make_pair(-loopStride[b], b);
  });
  return order;
}

namespace {
/// Emits the loops of one op.
class LoopBuilder {
public:
  LoopBuilder(IRRewriter &rewriter, linalg::GenericOp op)
      : rewriter(rewriter), op(op), loc(op.getLoc()), order(chooseOrder(op)),
        ivs(op.getNumLoops()) {}

  void run() {
    rewriter.setInsertionPoint(op);
    ranges = cast<linalg::LinalgOp>(op.getOperation())
                 .createLoopRanges(rewriter, loc);
    emit(0);
    rewriter.eraseOp(op);
  }

private:
  Value value(OpFoldResult fold) {
    return getValueOrCreateConstantIndexOp(rewriter, loc, fold);
  }

  SmallVector<Value> indices(OpOperand &operand) {
    SmallVector<Value> result;
    for (AffineExpr expr : op.getMatchingIndexingMap(&operand).getResults()) {
      if (auto dim = dyn_cast<AffineDimExpr>(expr)) {
        result.push_back(ivs[dim.getPosition()]);
        continue;
      }
      AffineMap map = AffineMap::get(op.getNumLoops(), 0, expr);
      SmallVector<Value> dims;
      for (Value iv : ivs)
        dims.push_back(iv ? iv : value(rewriter.getIndexAttr(0)));
      result.push_back(affine::AffineApplyOp::create(rewriter, loc, map, dims));
    }
    return result;
  }

  Value load(OpOperand &operand) {
    if (!isa<MemRefType>(operand.get().getType()))
      return operand.get();
    return memref::LoadOp::create(rewriter, loc, operand.get(),
                                  indices(operand));
  }

  /// Whether the results are accumulated along the innermost loop.
  bool isCarried() {
    unsigned last = order.back();
    return linalg::isReductionIterator(op.getIteratorTypesArray()[last]);
  }

  /// The scalar body at the current position; `carried` are the accumulators.
  SmallVector<Value> emitBody(ValueRange carried) {
    IRMapping mapping;
    Block &body = op.getRegion().front();
    unsigned inputs = op.getNumDpsInputs();
    for (OpOperand &operand : op->getOpOperands()) {
      BlockArgument argument = body.getArgument(operand.getOperandNumber());
      if (argument.use_empty())
        continue;
      bool isInit = operand.getOperandNumber() >= inputs;
      mapping.map(argument, isInit && !carried.empty()
                                ? carried[operand.getOperandNumber() - inputs]
                                : load(operand));
    }
    for (Operation &inner : body.without_terminator()) {
      if (auto index = dyn_cast<linalg::IndexOp>(inner))
        mapping.map(index.getResult(), ivs[index.getDim()]);
      else
        rewriter.clone(inner, mapping);
    }
    return llvm::map_to_vector(
        body.getTerminator()->getOperands(),
        [&](Value result) { return mapping.lookupOrDefault(result); });
  }

  void store(ValueRange results) {
    for (auto [init, result] : llvm::zip(op.getDpsInitsMutable(), results))
      memref::StoreOp::create(rewriter, loc, result, init.get(), indices(init));
  }

  scf::ForOp makeLoop(unsigned loop, ValueRange carried) {
    Range range = ranges[loop];
    return scf::ForOp::create(rewriter, loc, value(range.offset),
                              value(range.size), value(range.stride), carried);
  }

  void emit(unsigned level) {
    if (level == order.size())
      return store(emitBody({}));
    OpBuilder::InsertionGuard guard(rewriter);
    unsigned loop = order[level];
    if (level + 1 < order.size() || !isCarried()) {
      scf::ForOp forOp = makeLoop(loop, {});
      ivs[loop] = forOp.getInductionVar();
      rewriter.setInsertionPointToStart(forOp.getBody());
      return emit(level + 1);
    }
    SmallVector<Value> initial;
    for (OpOperand &init : op.getDpsInitsMutable())
      initial.push_back(load(init));
    scf::ForOp forOp = makeLoop(loop, initial);
    ivs[loop] = forOp.getInductionVar();
    rewriter.setInsertionPointToStart(forOp.getBody());
    scf::YieldOp::create(rewriter, loc, emitBody(forOp.getRegionIterArgs()));
    rewriter.setInsertionPointAfter(forOp);
    store(forOp.getResults());
  }

  IRRewriter &rewriter;
  linalg::GenericOp op;
  Location loc;
  SmallVector<unsigned> order;
  SmallVector<Range> ranges;
  SmallVector<Value> ivs;
};

class LowerToLoopsPass
    : public PassWrapper<LowerToLoopsPass, OperationPass<func::FuncOp>> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(LowerToLoopsPass)
  StringRef getArgument() const override { return "host-lower-to-loops"; }
  StringRef getDescription() const override {
    return "Lower linalg on memrefs, and copies, to loops along memory";
  }
  void getDependentDialects(DialectRegistry &registry) const override {
    registry.insert<affine::AffineDialect, arith::ArithDialect,
                    memref::MemRefDialect, scf::SCFDialect>();
  }

  void runOnOperation() override {
    IRRewriter rewriter(&getContext());
    // memref.copy of strided data would call a runtime function.
    getOperation().walk([&](memref::CopyOp copy) {
      rewriter.setInsertionPoint(copy);
      linalg::makeMemRefCopyOp(rewriter, copy.getLoc(), copy.getSource(),
                               copy.getTarget());
      rewriter.eraseOp(copy);
    });
    SmallVector<linalg::LinalgOp> ops;
    getOperation().walk([&](linalg::LinalgOp op) { ops.push_back(op); });
    for (linalg::LinalgOp op : ops) {
      auto generic = dyn_cast<linalg::GenericOp>(op.getOperation());
      if (!generic) {
        rewriter.setInsertionPoint(op);
        FailureOr<linalg::GenericOp> made =
            linalg::generalizeNamedOp(rewriter, op);
        if (failed(made)) {
          op.emitOpError("has no generic form");
          return signalPassFailure();
        }
        generic = *made;
      }
      LoopBuilder(rewriter, generic).run();
    }
  }
};
} // namespace

std::unique_ptr<Pass> opgraph::codegen::createLowerToLoopsPass() {
  return std::make_unique<LowerToLoopsPass>();
}
