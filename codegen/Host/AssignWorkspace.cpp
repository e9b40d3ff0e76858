//===- AssignWorkspace.cpp - Temporaries become workspace views -----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/Host/Passes.h"
#include "codegen/Host/SizeBounds.h"
#include "codegen/Host/WorkspaceLayout.h"
#include "dialects/Plan/PlanDialect.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Bufferization/Transforms/BufferViewFlowAnalysis.h"
#include "mlir/Dialect/Func/IR/FuncOps.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "mlir/Dialect/Utils/StaticValueUtils.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/Interfaces/DataLayoutInterfaces.h"
#include "mlir/Interfaces/LoopLikeInterface.h"
#include "llvm/ADT/MapVector.h"
#include "llvm/Support/MathExtras.h"

namespace opgraph::codegen {
#define GEN_PASS_DEF_HOSTASSIGNWORKSPACE
#include "codegen/Host/Passes.h.inc"
} // namespace opgraph::codegen

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

/// Above this a stack buffer moves into the workspace.
static constexpr int64_t maxStackBytes = 4096;

/// No machine has so much memory for one buffer; the sizes of thousands of
/// smaller ones add up without overflow.
static constexpr int64_t maxBufferBytes = int64_t(1) << 48;

/// Bytes of one element as memory holds it: a bool takes a byte.
static int64_t elementBytes(MemRefType type) {
  Type element = type.getElementType();
  if (element.isIndex())
    return 8;
  if (auto vector = dyn_cast<VectorType>(element))
    return llvm::divideCeil(
        vector.getNumElements() * vector.getElementTypeBitWidth(), 8);
  return llvm::divideCeil(element.getIntOrFloatBitWidth(), 8);
}

static bool staysOnStack(memref::AllocaOp op) {
  MemRefType type = op.getType();
  return type.hasStaticShape() &&
         type.getNumElements() * elementBytes(type) <= maxStackBytes;
}

/// The outermost parallel loop around `op` within `function`, or null.
static Operation *outermostParallel(Operation *op, Operation *function) {
  Operation *found = nullptr;
  for (Operation *parent = op->getParentOp(); parent && parent != function;
       parent = parent->getParentOp())
    if (isa<scf::ForallOp, scf::ParallelOp>(parent))
      found = parent;
  return found;
}

namespace {
/// Assigns one entry's temporaries.
class WorkspaceAssigner {
public:
  WorkspaceAssigner(func::FuncOp function, plan::ProgramOp program)
      : function(function), program(program), bounds(program, function),
        flow(function), context(function.getContext()) {}

  /// Rewrites the function. Sizes go into `sharedBytes`, to whose value on
  /// entry they are added, and `privateBytes`.
  LogicalResult run(AffineExpr &sharedBytes, AffineExpr &privateBytes);

  /// The most workers that any parallel loop can use, up to `limit`; 1 without
  /// such loops.
  unsigned countWorkers(unsigned limit);

private:
  /// The allocations that belong to one block's memory.
  struct Scope {
    Block *block;
    SmallVector<Operation *> allocations;
  };

  LogicalResult collect();
  FailureOr<TemporaryBuffer> describe(Operation *allocation, Block *block);
  FailureOr<AffineExpr> byteSize(Operation *allocation);
  LogicalResult liveRange(Operation *allocation, Block *block,
                          TemporaryBuffer &buffer);
  FailureOr<SmallVector<TemporaryBuffer>> describeAll(Scope &scope);
  void replace(Operation *allocation, Value memory, AffineExpr offset);

  func::FuncOp function;
  plan::ProgramOp program;
  SizeBounds bounds;
  BufferViewFlowAnalysis flow;
  MLIRContext *context;
  /// Keyed by the parallel loop; null for the function's own.
  llvm::MapVector<Operation *, Scope> scopes;
  DenseMap<Block *, DenseMap<Operation *, int64_t>> positions;
};
} // namespace

LogicalResult WorkspaceAssigner::collect() {
  SmallVector<Operation *> deallocations;
  scopes[nullptr] = {&function.getBody().front(), {}};
  WalkResult result = function.walk([&](Operation *op) {
    if (isa<memref::DeallocOp>(op))
      deallocations.push_back(op);
    if (isa<memref::ReallocOp>(op)) {
      op->emitOpError("cannot be placed in the workspace");
      return WalkResult::interrupt();
    }
    auto alloca = dyn_cast<memref::AllocaOp>(op);
    if (!isa<memref::AllocOp>(op) && (!alloca || staysOnStack(alloca)))
      return WalkResult::advance();
    Operation *loop = outermostParallel(op, function);
    Scope &scope = scopes[loop];
    if (loop)
      scope.block = &loop->getRegion(0).front();
    scope.allocations.push_back(op);
    return WalkResult::advance();
  });
  if (result.wasInterrupted())
    return failure();
  for (Operation *op : deallocations)
    op->erase();
  return success();
}

/// Iterations of a parallel loop, when constant.
static std::optional<int64_t> constantTripCount(LoopLikeOpInterface loop) {
  int64_t product = 1;
  for (auto [lower, upper, step] :
       llvm::zip_equal(*loop.getLoopLowerBounds(), *loop.getLoopUpperBounds(),
                       *loop.getLoopSteps())) {
    std::optional<int64_t> begin = getConstantIntValue(lower);
    std::optional<int64_t> end = getConstantIntValue(upper);
    std::optional<int64_t> stride = getConstantIntValue(step);
    if (!begin || !end || !stride || *stride <= 0)
      return std::nullopt;
    int64_t span = std::max<int64_t>(*end - *begin, 0);
    if (llvm::MulOverflow<int64_t>(product, llvm::divideCeil(span, *stride),
                                   product))
      return std::nullopt;
  }
  return product;
}

unsigned WorkspaceAssigner::countWorkers(unsigned limit) {
  int64_t workers = 1;
  function.walk([&](Operation *op) {
    if (!isa<scf::ForallOp, scf::ParallelOp>(op) ||
        outermostParallel(op, function))
      return;
    std::optional<int64_t> count =
        constantTripCount(cast<LoopLikeOpInterface>(op));
    workers = std::max(workers, count.value_or(limit));
  });
  return std::min<int64_t>(workers, limit);
}

FailureOr<AffineExpr> WorkspaceAssigner::byteSize(Operation *allocation) {
  auto type = cast<MemRefType>(allocation->getResult(0).getType());
  if (!type.getLayout().isIdentity())
    return allocation->emitOpError()
           << "cannot be placed in the workspace: expected a packed buffer, "
              "got "
           << type;
  // Constant extents apart, so that their product is seen to overflow.
  int64_t constant = elementBytes(type);
  bool isEmpty = false, isTooLarge = false;
  AffineExpr bytes = getAffineConstantExpr(constant, context);
  for (int64_t axis = 0; axis < type.getRank(); ++axis) {
    std::optional<AffineExpr> extent =
        bounds.boundExtent(allocation->getResult(0), axis, BoundKind::Upper);
    if (!extent)
      return allocation->emitOpError()
             << "cannot be placed in the workspace: no bound of its extent at "
                "axis "
             << axis << " follows from the operands' shapes";
    if (auto fixed = dyn_cast<AffineConstantExpr>(*extent)) {
      isEmpty |= fixed.getValue() == 0;
      isTooLarge |= llvm::MulOverflow(constant, fixed.getValue(), constant) ||
                    constant > maxBufferBytes;
    }
    bytes = simplifyAffineExpr(
        getAffineBinaryOpExpr(AffineExprKind::Mul, bytes, *extent), 0,
        bounds.getNumSymbols());
  }
  if (isEmpty)
    return getAffineConstantExpr(0, context);
  if (isTooLarge)
    return allocation->emitOpError()
           << "cannot be placed in the workspace: expected at most "
           << maxBufferBytes << " bytes, got more in " << type;
  return bytes;
}

/// From the allocation to the last use of any of its views, in positions of
/// `block`.
LogicalResult WorkspaceAssigner::liveRange(Operation *allocation, Block *block,
                                           TemporaryBuffer &buffer) {
  DenseMap<Operation *, int64_t> &position = positions[block];
  if (position.empty())
    for (auto [index, op] : llvm::enumerate(*block))
      position[&op] = index;
  buffer.begin = position[block->findAncestorOpInBlock(*allocation)];
  buffer.end = buffer.begin;
  for (Value alias : flow.resolve(allocation->getResult(0))) {
    Operation *owner = alias.getDefiningOp();
    if (auto argument = dyn_cast<BlockArgument>(alias))
      owner = argument.getOwner()->getParentOp();
    if (isa<LoopLikeOpInterface>(owner) && owner->isProperAncestor(allocation))
      return allocation->emitOpError("cannot be placed in the workspace: it "
                                     "is carried from one iteration to the "
                                     "next");
    for (Operation *user : alias.getUsers())
      if (Operation *ancestor = block->findAncestorOpInBlock(*user))
        buffer.end = std::max(buffer.end, position[ancestor]);
  }
  return success();
}

FailureOr<TemporaryBuffer> WorkspaceAssigner::describe(Operation *allocation,
                                                       Block *block) {
  TemporaryBuffer buffer;
  FailureOr<AffineExpr> bytes = byteSize(allocation);
  if (failed(bytes) || failed(liveRange(allocation, block, buffer)))
    return failure();
  buffer.bytes = *bytes;
  return buffer;
}

FailureOr<SmallVector<TemporaryBuffer>>
WorkspaceAssigner::describeAll(Scope &scope) {
  SmallVector<TemporaryBuffer> buffers;
  for (Operation *allocation : scope.allocations) {
    FailureOr<TemporaryBuffer> buffer = describe(allocation, scope.block);
    if (failed(buffer))
      return failure();
    buffers.push_back(*buffer);
  }
  return buffers;
}

void WorkspaceAssigner::replace(Operation *allocation, Value memory,
                                AffineExpr offset) {
  OpBuilder builder(allocation);
  Location loc = allocation->getLoc();
  Value bytes =
      materializeSize(builder, loc, offset, program, function.getArguments());
  ValueRange sizes =
      isa<memref::AllocOp>(allocation)
          ? ValueRange(cast<memref::AllocOp>(allocation).getDynamicSizes())
          : ValueRange(cast<memref::AllocaOp>(allocation).getDynamicSizes());
  auto view = memref::ViewOp::create(
      builder, loc, cast<MemRefType>(allocation->getResult(0).getType()),
      memory, bytes, sizes);
  allocation->getResult(0).replaceAllUsesWith(view);
  allocation->erase();
}

LogicalResult WorkspaceAssigner::run(AffineExpr &sharedBytes,
                                     AffineExpr &privateBytes) {
  if (failed(collect()))
    return failure();
  unsigned numSymbols = bounds.getNumSymbols();
  SmallVector<SmallVector<TemporaryBuffer>> all;
  for (auto &[loop, scope] : scopes) {
    FailureOr<SmallVector<TemporaryBuffer>> buffers = describeAll(scope);
    if (failed(buffers))
      return failure();
    all.push_back(std::move(*buffers));
  }

  auto bytesType =
      MemRefType::get({ShapedType::kDynamic}, IntegerType::get(context, 8));
  if (failed(function.insertArgument(function.getNumArguments(), bytesType, {},
                                     function.getLoc())))
    return failure();
  Value workspace = function.getArguments().back();
  SmallVector<AffineExpr> privateSizes;
  for (auto [entry, buffers] : llvm::zip_equal(scopes, all)) {
    auto &[loop, scope] = entry;
    if (buffers.empty())
      continue;
    AffineExpr base = getAffineConstantExpr(0, context);
    AffineExpr total = layOut(buffers, numSymbols, context);
    Value memory = workspace;
    if (loop) {
      OpBuilder builder = OpBuilder::atBlockBegin(scope.block);
      memory =
          plan::PrivateMemoryOp::create(builder, loop->getLoc(), bytesType);
      if (!llvm::is_contained(privateSizes, total))
        privateSizes.push_back(total);
    } else {
      base = sharedBytes;
      sharedBytes = simplifyAffineExpr(sharedBytes + total, 0, numSymbols);
    }
    for (auto [allocation, buffer] :
         llvm::zip_equal(scope.allocations, buffers))
      replace(allocation, memory,
              simplifyAffineExpr(base + buffer.offset, 0, numSymbols));
  }

  // Loops run one after the other and reuse the private part: the largest
  // counts, bounded by the sum where sizes are symbolic.
  int64_t largest = 0;
  AffineExpr symbolic = getAffineConstantExpr(0, context);
  for (AffineExpr size : privateSizes) {
    if (auto constant = dyn_cast<AffineConstantExpr>(size))
      largest = std::max(largest, constant.getValue());
    else
      symbolic = symbolic + size;
  }
  privateBytes =
      simplifyAffineExpr(privateBytes + symbolic + largest, 0, numSymbols);
  return success();
}

namespace {
class AssignWorkspacePass
    : public codegen::impl::HostAssignWorkspaceBase<AssignWorkspacePass> {
public:
  using HostAssignWorkspaceBase::HostAssignWorkspaceBase;

  void runOnOperation() override {
    for (auto function : getOperation().getOps<func::FuncOp>())
      if (function->hasAttr(plan::hostEntryAttrName))
        if (failed(assign(function)))
          return signalPassFailure();
    WalkResult left = getOperation().walk([](memref::AllocOp alloc) {
      alloc.emitOpError("is left outside a host entry");
      return WalkResult::interrupt();
    });
    if (left.wasInterrupted())
      signalPassFailure();
  }

private:
  LogicalResult assign(func::FuncOp function);
};
} // namespace

LogicalResult AssignWorkspacePass::assign(func::FuncOp function) {
  plan::ProgramOp program = findProgram(getOperation(), function.getName());
  if (!program)
    return function.emitOpError("is called by no plan.program");
  size_t expected = program.getOperandDecls().size();
  if (function.getNumArguments() != expected || function.getNumResults() != 0)
    return function.emitOpError()
           << "must take the plan's " << expected
           << " operands and return nothing, has " << function.getNumArguments()
           << " arguments and " << function.getNumResults() << " results";

  MLIRContext *context = &getContext();
  AffineExpr sharedBytes = getAffineConstantExpr(0, context);
  AffineExpr privateBytes = sharedBytes;
  unsigned workers = 1;
  if (plan::WorkspaceAttr workspace = program.getWorkspaceAttr()) {
    sharedBytes = workspace.getSharedSize().getResult(0);
    privateBytes = workspace.getPrivateSize().getResult(0);
    workers = workspace.getMaxWorkers();
  }
  WorkspaceAssigner assigner(function, program);
  if (failed(assigner.run(sharedBytes, privateBytes)))
    return failure();
  workers = std::max(workers, assigner.countWorkers(maxWorkers));
  unsigned numSymbols = program.getSymbols().size();
  auto toMap = [&](AffineExpr expr) {
    // A constant needs no symbols; without them it prints shorter.
    return AffineMap::get(0, isa<AffineConstantExpr>(expr) ? 0 : numSymbols,
                          expr);
  };
  program.setWorkspaceAttr(plan::WorkspaceAttr::get(
      context, toMap(sharedBytes), toMap(privateBytes), workers));
  return success();
}
