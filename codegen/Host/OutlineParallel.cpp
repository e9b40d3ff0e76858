//===- OutlineParallel.cpp - Parallel loops become body functions ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/Host/Passes.h"
#include "codegen/Host/SizeBounds.h"
#include "dialects/Plan/PlanDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/SCF/Transforms/Transforms.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/IRMapping.h"
#include "mlir/Transforms/RegionUtils.h"

namespace opgraph::codegen {
#define GEN_PASS_DEF_HOSTOUTLINEPARALLEL
#include "codegen/Host/Passes.h.inc"
} // namespace opgraph::codegen

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

namespace {
/// What a parallel loop needs from outside.
struct Captures {
  /// Pure ops to clone, in program order.
  SetVector<Operation *> slice;
  /// Scalars to pass by value.
  SetVector<Value> scalars;
};

/// A parallel loop's iteration space.
struct Space {
  SmallVector<OpFoldResult> lower, upper, step;
  SmallVector<Value> ivs;
};

/// Outlines the parallel loops of one entry.
class ParallelOutliner {
public:
  ParallelOutliner(func::FuncOp entry, plan::ProgramOp program)
      : entry(entry), program(program) {}

  void run();

private:
  void outline(Operation *loop);
  void makeSequential(Operation *loop);
  bool findCaptures(Operation *loop, Captures &captures);
  bool addCapture(Value value, Captures &captures);
  func::FuncOp createBody(Operation *loop, const Captures &captures);
  void fillBody(Operation *loop, func::FuncOp body, const Captures &captures);
  void replacePrivateMemory(Operation *root, Value workspace, Value worker,
                            ValueRange arguments);

  func::FuncOp entry;
  plan::ProgramOp program;
  unsigned numBodies = 0;
};
} // namespace

static Space getSpace(Operation *loop) {
  auto like = cast<LoopLikeOpInterface>(loop);
  return {*like.getLoopLowerBounds(), *like.getLoopUpperBounds(),
          *like.getLoopSteps(), *like.getLoopInductionVars()};
}

static Value asIndex(OpBuilder &builder, Location loc, OpFoldResult value) {
  return getValueOrCreateConstantIndexOp(builder, loc, value);
}

/// Iterations along each axis of `space`; values are looked up in `mapping`.
static SmallVector<Value> tripCounts(OpBuilder &builder, Location loc,
                                     const Space &space,
                                     const IRMapping &mapping) {
  auto get = [&](OpFoldResult value) {
    if (auto ssa = dyn_cast<Value>(value))
      return mapping.lookupOrDefault(ssa);
    return asIndex(builder, loc, value);
  };
  Value zero = arith::ConstantIndexOp::create(builder, loc, 0);
  SmallVector<Value> counts;
  for (auto [lower, upper, step] :
       llvm::zip_equal(space.lower, space.upper, space.step)) {
    Value span = arith::SubIOp::create(builder, loc, get(upper), get(lower));
    Value count = arith::CeilDivSIOp::create(builder, loc, span, get(step));
    counts.push_back(arith::MaxSIOp::create(builder, loc, count, zero));
  }
  return counts;
}

//===----------------------------------------------------------------------===//
// Captures
//===----------------------------------------------------------------------===//

/// Ops that give the same value wherever they run within one execution, and
/// cost next to nothing.
static bool isCloneable(Operation *op) {
  if (op->getNumRegions() != 0)
    return false;
  return isPure(op) ||
         isa<memref::DimOp, memref::ViewOp, memref::GetGlobalOp>(op);
}

/// Whether a scalar of `type` fits in the 64 bits that a capture has.
static bool isSmallScalar(Type type) {
  if (type.isIndex())
    return true;
  return type.isIntOrFloat() && type.getIntOrFloatBitWidth() <= 64;
}

bool ParallelOutliner::addCapture(Value value, Captures &captures) {
  Operation *op = value.getDefiningOp();
  if (!op) {
    if (cast<BlockArgument>(value).getOwner()->getParentOp() == entry)
      return true;
    return isSmallScalar(value.getType()) &&
           (captures.scalars.insert(value), true);
  }
  if (captures.slice.contains(op))
    return true;
  Captures trial = captures;
  bool cloned =
      isCloneable(op) && llvm::all_of(op->getOperands(), [&](Value operand) {
        return addCapture(operand, trial);
      });
  if (cloned) {
    captures = std::move(trial);
    captures.slice.insert(op);
    return true;
  }
  if (!isSmallScalar(value.getType()))
    return false;
  captures.scalars.insert(value);
  return true;
}

bool ParallelOutliner::findCaptures(Operation *loop, Captures &captures) {
  SetVector<Value> used;
  getUsedValuesDefinedAbove(loop->getRegions(), used);
  used.insert(loop->operand_begin(), loop->operand_end());
  return llvm::all_of(used,
                      [&](Value value) { return addCapture(value, captures); });
}

//===----------------------------------------------------------------------===//
// Body functions
//===----------------------------------------------------------------------===//

func::FuncOp ParallelOutliner::createBody(Operation *loop,
                                          const Captures &captures) {
  OpBuilder builder(entry.getContext());
  builder.setInsertionPoint(entry);
  Type i64 = builder.getI64Type();
  SmallVector<Type> inputs(entry.getArgumentTypes());
  inputs.append({i64, i64, i64});
  for (Value scalar : captures.scalars)
    inputs.push_back(scalar.getType().isIndex() ? i64 : scalar.getType());
  std::string name = (entry.getName() + "_body" + Twine(numBodies++)).str();
  auto body = func::FuncOp::create(builder, loop->getLoc(), name,
                                   builder.getFunctionType(inputs, {}));
  body.setPrivate();
  body->setAttr(plan::hostBodyAttrName, FlatSymbolRefAttr::get(entry));
  body.addEntryBlock();
  return body;
}

void ParallelOutliner::replacePrivateMemory(Operation *root, Value workspace,
                                            Value worker,
                                            ValueRange arguments) {
  SmallVector<plan::PrivateMemoryOp> ops;
  root->walk([&](plan::PrivateMemoryOp op) { ops.push_back(op); });
  plan::WorkspaceAttr sizes = program.getWorkspaceAttr();
  for (plan::PrivateMemoryOp op : ops) {
    OpBuilder builder(op);
    Location loc = op.getLoc();
    Value bytes = materializeSize(
        builder, loc, sizes.getPrivateSize().getResult(0), program, arguments);
    Value offset = materializeSize(
        builder, loc, sizes.getSharedSize().getResult(0), program, arguments);
    if (worker) {
      Value index = arith::IndexCastOp::create(builder, loc,
                                               builder.getIndexType(), worker);
      Value skipped = arith::MulIOp::create(builder, loc, index, bytes);
      offset = arith::AddIOp::create(builder, loc, offset, skipped);
    }
    auto view = memref::ViewOp::create(builder, loc, op.getMemory().getType(),
                                       workspace, offset, bytes);
    op.getMemory().replaceAllUsesWith(view);
    op.erase();
  }
}

/// Emits the loop over [begin, end) that splits its index into one per axis.
void ParallelOutliner::fillBody(Operation *loop, func::FuncOp body,
                                const Captures &captures) {
  Location loc = loop->getLoc();
  OpBuilder builder = OpBuilder::atBlockBegin(&body.getBody().front());
  unsigned numArguments = entry.getNumArguments();
  IRMapping mapping;
  for (auto [from, to] :
       llvm::zip_first(entry.getArguments(), body.getArguments()))
    mapping.map(from, to);
  for (auto [index, scalar] : llvm::enumerate(captures.scalars)) {
    Value value = body.getArgument(numArguments + 3 + index);
    if (scalar.getType().isIndex())
      value = arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                         value);
    mapping.map(scalar, value);
  }
  for (Operation *op : captures.slice)
    builder.clone(*op, mapping);

  Space space = getSpace(loop);
  SmallVector<Value> counts = tripCounts(builder, loc, space, mapping);
  auto toIndex = [&](unsigned number) -> Value {
    return arith::IndexCastOp::create(builder, loc, builder.getIndexType(),
                                      body.getArgument(number));
  };
  Value begin = toIndex(numArguments), end = toIndex(numArguments + 1);
  Value one = arith::ConstantIndexOp::create(builder, loc, 1);
  auto loopOverChunk = scf::ForOp::create(builder, loc, begin, end, one);
  func::ReturnOp::create(builder, loc);

  builder.setInsertionPointToStart(loopOverChunk.getBody());
  Value rest = loopOverChunk.getInductionVar();
  for (unsigned axis = counts.size(); axis-- > 0;) {
    Value index = rest;
    if (axis > 0) {
      index = arith::RemUIOp::create(builder, loc, rest, counts[axis]);
      rest = arith::DivUIOp::create(builder, loc, rest, counts[axis]);
    }
    auto get = [&](OpFoldResult value) {
      if (auto ssa = dyn_cast<Value>(value))
        return mapping.lookup(ssa);
      return asIndex(builder, loc, value);
    };
    Value scaled =
        arith::MulIOp::create(builder, loc, index, get(space.step[axis]));
    mapping.map(
        space.ivs[axis],
        arith::AddIOp::create(builder, loc, get(space.lower[axis]), scaled)
            .getResult());
  }
  for (Operation &op : loop->getRegion(0).front().without_terminator())
    builder.clone(op, mapping);
}

//===----------------------------------------------------------------------===//
// Driver
//===----------------------------------------------------------------------===//

void ParallelOutliner::makeSequential(Operation *loop) {
  IRRewriter rewriter(loop->getContext());
  if (auto forall = dyn_cast<scf::ForallOp>(loop)) {
    (void)scf::forallToForLoop(rewriter, forall);
    return;
  }
  auto parallel = cast<scf::ParallelOp>(loop);
  rewriter.setInsertionPoint(parallel);
  scf::LoopNest nest = scf::buildLoopNest(
      rewriter, parallel.getLoc(), parallel.getLowerBound(),
      parallel.getUpperBound(), parallel.getStep(), parallel.getInitVals(),
      [&](OpBuilder &builder, Location loc, ValueRange ivs,
          ValueRange carried) -> scf::ValueVector {
        IRMapping mapping;
        mapping.map(parallel.getInductionVars(), ivs);
        Block *body = parallel.getBody();
        for (Operation &op : body->without_terminator())
          builder.clone(op, mapping);
        scf::ValueVector results;
        auto reduce = cast<scf::ReduceOp>(body->getTerminator());
        for (auto [index, operand] : llvm::enumerate(reduce.getOperands())) {
          Block &combiner = reduce.getReductions()[index].front();
          IRMapping inner = mapping;
          inner.map(combiner.getArgument(0), carried[index]);
          inner.map(combiner.getArgument(1), mapping.lookupOrDefault(operand));
          for (Operation &op : combiner.without_terminator())
            builder.clone(op, inner);
          results.push_back(
              inner.lookupOrDefault(combiner.getTerminator()->getOperand(0)));
        }
        return results;
      });
  rewriter.replaceOp(parallel, nest.results);
}

void ParallelOutliner::outline(Operation *loop) {
  Captures captures;
  if (loop->getNumResults() != 0 || !findCaptures(loop, captures))
    return makeSequential(loop);
  func::FuncOp body = createBody(loop, captures);
  fillBody(loop, body, captures);
  ValueRange arguments = body.getArguments();
  unsigned numOperands = entry.getNumArguments() - 1;
  replacePrivateMemory(body, arguments[numOperands], arguments[numOperands + 3],
                       arguments.take_front(numOperands));

  OpBuilder builder(loop);
  Location loc = loop->getLoc();
  Value count;
  for (Value trips : tripCounts(builder, loc, getSpace(loop), IRMapping()))
    count = count
                ? arith::MulIOp::create(builder, loc, count, trips).getResult()
                : trips;
  Type i64 = builder.getI64Type();
  auto asI64 = [&](Value value) -> Value {
    if (!value.getType().isIndex())
      return value;
    return arith::IndexCastOp::create(builder, loc, i64, value);
  };
  SmallVector<Value> scalars;
  for (Value scalar : captures.scalars)
    scalars.push_back(asI64(scalar));
  plan::ParallelForOp::create(builder, loc, body.getName(), asI64(count),
                              scalars);
  loop->erase();
}

void ParallelOutliner::run() {
  SmallVector<Operation *> outermost;
  entry.walk<WalkOrder::PreOrder>([&](Operation *op) {
    if (!isa<scf::ForallOp, scf::ParallelOp>(op))
      return WalkResult::advance();
    outermost.push_back(op);
    return WalkResult::skip();
  });
  // Inner ones first, so that only sequential loops are cloned.
  for (Operation *loop : outermost) {
    SmallVector<Operation *> inner;
    loop->walk([&](Operation *op) {
      if (op != loop && isa<scf::ForallOp, scf::ParallelOp>(op))
        inner.push_back(op);
    });
    for (Operation *op : inner)
      makeSequential(op);
    outline(loop);
  }
  replacePrivateMemory(entry, entry.getArguments().back(), nullptr,
                       entry.getArguments().drop_back());
}

namespace {
class OutlineParallelPass
    : public codegen::impl::HostOutlineParallelBase<OutlineParallelPass> {
public:
  void runOnOperation() override {
    SmallVector<func::FuncOp> entries;
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(plan::hostEntryAttrName))
        entries.push_back(function);
    for (func::FuncOp entry : entries) {
      plan::ProgramOp program = findProgram(getOperation(), entry.getName());
      if (!program || !program.getWorkspaceAttr() ||
          entry.getNumArguments() != program.getOperandDecls().size() + 1) {
        entry.emitOpError("has no workspace argument; run "
                          "host-assign-workspace first");
        return signalPassFailure();
      }
      ParallelOutliner(entry, program).run();
    }
  }
};
} // namespace
