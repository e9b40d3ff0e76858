//===- Pointwise.cpp - Groups of pointwise ops as one loop ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// An op whose result is used by nothing but one other group of the same extents
// is computed inside that group's loop, however often it is used there. It
// still rounds to its own element type.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Layout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Legalize/Host/Fused/Emitter.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"
#include "llvm/ADT/SetVector.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::fused;

using Groups = llvm::DenseMap<Operation *, Operation *>;

static bool haveSameExtents(Operation *a, Operation *b) {
  RankedTensorType left = Emitter::getType(a->getResult(0));
  RankedTensorType right = Emitter::getType(b->getResult(0));
  return left.getShape() == right.getShape() &&
         graph::getSymbols(left) == graph::getSymbols(right);
}

Groups fused::groupPointwise(graph::GraphOp graph) {
  Groups groups;
  for (Operation &op : llvm::reverse(graph.getBody().front())) {
    if (!isa<graph::PointwiseOpInterface>(op))
      continue;
    Operation *root = nullptr;
    for (Operation *user : op.getUsers()) {
      Operation *usersRoot = groups.lookup(user);
      if (!isa<graph::PointwiseOpInterface>(user))
        usersRoot = nullptr;
      else if (!usersRoot)
        usersRoot = user;
      if (!usersRoot || (root && root != usersRoot)) {
        root = nullptr;
        break;
      }
      root = usersRoot;
    }
    if (root && haveSameExtents(&op, root))
      groups[&op] = root;
  }
  return groups;
}

namespace {
/// Emits the body of one group.
class GroupEmitter {
public:
  GroupEmitter(Emitter &e, Operation *root, const Groups &groups)
      : e(e), root(root), groups(groups) {
    collect(root);
  }

  void run() {
    Value result = root->getResult(0);
    RankedTensorType type = Emitter::getType(result);
    SmallVector<Operand> operands;
    for (Value input : inputs)
      operands.push_back(
          {e.lookup(input), e.broadcastMap(Emitter::getType(input), type)});
    Value init = e.emptyFor(result);
    e.define(result,
             e.elementwise(operands, init,
                           [&](OpBuilder &b, Location loc, ValueRange args) {
                             for (auto [input, arg] : llvm::zip(inputs, args))
                               elements[input] = arg;
                             return evaluate(b, loc, result);
                           }));
  }

private:
  bool isInside(Operation *op) {
    return op && (op == root || groups.lookup(op) == root);
  }

  /// Finds the values that the group reads from outside.
  void collect(Operation *op) {
    if (!visited.insert(op))
      return;
    if (isa<graph::GenIndexOp>(op))
      return;
    for (Value operand : op->getOperands()) {
      Operation *def = operand.getDefiningOp();
      if (isInside(def))
        collect(def);
      else if (!isa_and_nonnull<graph::ConstantOp>(def))
        inputs.insert(operand);
    }
  }

  /// The element of `value`, in its storage type, at the loops' position.
  Value evaluate(OpBuilder &b, Location loc, Value value) {
    if (Value known = elements.lookup(value))
      return known;
    Operation *op = value.getDefiningOp();
    Type elementType = Emitter::getType(value).getElementType();
    Value stored;
    if (auto constant = dyn_cast<graph::ConstantOp>(op)) {
      Type wide = isa<FloatType>(elementType) ? Type(b.getF64Type())
                                              : Type(b.getI64Type());
      stored = convertToStorage(b, loc, e.scalar(constant.getValue(), wide),
                                elementType);
    } else {
      stored = convertToStorage(b, loc, compute(b, loc, op), elementType);
    }
    return elements[value] = stored;
  }

  Value compute(OpBuilder &b, Location loc, Operation *op) {
    auto pointwise = cast<graph::PointwiseOpInterface>(op);
    Type computeType = getArithmeticType(pointwise);
    Type workType = getWorkType(computeType);
    graph::PointwiseMode mode = pointwise.getMode();
    if (auto index = dyn_cast<graph::GenIndexOp>(op)) {
      Value position = linalg::IndexOp::create(b, loc, index.getAxis());
      return legalize::emitPointwise(b, loc, mode, {}, {}, workType, position);
    }
    SmallVector<Value> operands;
    for (auto [number, operand] : llvm::enumerate(op->getOperands())) {
      Value stored = evaluate(b, loc, operand);
      Type elementType = Emitter::getType(operand).getElementType();
      bool isMask = mode == graph::PointwiseMode::BINARY_SELECT && number == 2;
      operands.push_back(isMask ? emitIsNonZero(b, loc, stored, elementType)
                                : convertOperand(b, loc, stored, elementType,
                                                 computeType, workType));
    }
    return legalize::emitPointwise(b, loc, mode, getPointwiseParams(op),
                                   operands, workType);
  }

  Emitter &e;
  Operation *root;
  const Groups &groups;
  llvm::SetVector<Operation *> visited;
  llvm::SetVector<Value> inputs;
  llvm::DenseMap<Value, Value> elements;
};
} // namespace

void fused::emitPointwise(Emitter &e, Operation *root, const Groups &groups) {
  GroupEmitter(e, root, groups).run();
}

void fused::emit(Emitter &e, graph::ConstantOp op) {
  Value result = op.getResult();
  Type elementType = Emitter::getType(result).getElementType();
  Type wide = isa<FloatType>(elementType) ? Type(e.b.getF64Type())
                                          : Type(e.b.getI64Type());
  Value stored =
      convertToStorage(e.b, e.loc, e.scalar(op.getValue(), wide), elementType);
  e.define(result, e.fill(e.emptyFor(result), stored));
}
