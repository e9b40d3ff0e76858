//===- Matmul.cpp - Matrix products as contractions -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/Tensor/IR/Tensor.h"
#include "passes/Legalize/Host/Fused/Emitter.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::fused;

namespace {
/// Emits one matmul. Loops are (batch..., m, n, k).
class MatmulEmitter {
public:
  MatmulEmitter(Emitter &e, graph::MatmulOp op)
      : e(e), op(op), resultType(Emitter::getType(op.getC())),
        rank(resultType.getRank()), batch(rank - 2),
        compute(op.getEffectiveComputeType()), work(getWorkType(compute)) {}

  void run() {
    Value init =
        e.fill(e.empty(e.getExtents(op.getC()), work), e.constant(work, 0));
    if (Emitter::getType(op.getA()).getShape().back() == 0)
      return e.defineRounded(op.getC(), init);
    Value a = operand(op.getA(), batch, op.getMOverride(), batch + 1,
                      op.getKOverride());
    Value b = operand(op.getB(), batch, op.getKOverride(), batch + 1,
                      op.getNOverride());
    SmallVector<utils::IteratorType> iterators(rank,
                                               utils::IteratorType::parallel);
    iterators.push_back(utils::IteratorType::reduction);
    AffineMap mapA = operandMap(a, batch, batch + 2);
    AffineMap mapB = operandMap(b, batch + 2, batch + 1);
    AffineMap mapC = e.identity(rank + 1).dropResult(rank);
    Value product =
        e.generic({{a, mapA}, {b, mapB}}, {init, mapC}, iterators,
                  [&](OpBuilder &builder, Location loc, ValueRange args) {
                    return multiplyAdd(builder, loc, args);
                  });
    e.defineRounded(op.getC(), product);
  }

private:
  /// The index of an operand with rows along loop `row`, columns along
  /// `column`.
  AffineMap operandMap(Value tensor, unsigned row, unsigned column) {
    auto type = cast<RankedTensorType>(tensor.getType());
    SmallVector<AffineExpr> exprs;
    for (int64_t axis = 0; axis < batch; ++axis) {
      bool repeats =
          type.getDimSize(axis) == 1 && resultType.getDimSize(axis) != 1;
      exprs.push_back(repeats ? e.b.getAffineConstantExpr(0)
                              : e.b.getAffineDimExpr(axis));
    }
    exprs.append({e.b.getAffineDimExpr(row), e.b.getAffineDimExpr(column)});
    return AffineMap::get(rank + 1, 0, exprs, e.b.getContext());
  }

  Value multiplyAdd(OpBuilder &b, Location loc, ValueRange args) {
    if (isa<FloatType>(work)) {
      Value product = arith::MulFOp::create(b, loc, args[0], args[1]);
      return arith::AddFOp::create(b, loc, args[2], product);
    }
    Value product = arith::MulIOp::create(b, loc, args[0], args[1]);
    return arith::AddIOp::create(b, loc, args[2], product);
  }

  /// `value` in the work type; where an override bounds one of its last two
  /// axes, one copy per batch of the result, with padding past the bounds.
  Value operand(Value value, int64_t rowAxis, Value rowBound,
                int64_t columnAxis, Value columnBound) {
    if (!rowBound && !columnBound)
      return e.toWork(value, compute);
    RankedTensorType type = Emitter::getType(value);
    SmallVector<int64_t> shape(resultType.getShape().take_front(batch));
    shape.append(type.getShape().take_back(2).begin(),
                 type.getShape().take_back(2).end());
    Extents extents = e.getExtents(op.getC());
    Extents own = e.getExtents(value);
    extents[rowAxis] = own[rowAxis];
    extents[columnAxis] = own[columnAxis];
    auto full = RankedTensorType::get(shape, work);

    SmallVector<Operand> operands{
        {e.lookup(value), e.broadcastMap(type, full)}};
    SmallVector<std::pair<int64_t, Type>> bounds;
    for (auto [axis, bound] :
         {std::make_pair(rowAxis, rowBound), {columnAxis, columnBound}}) {
      if (!bound)
        continue;
      RankedTensorType boundType = Emitter::getType(bound);
      operands.push_back({e.lookup(bound), boundMap(boundType)});
      bounds.push_back({axis, boundType.getElementType()});
    }
    Value padding =
        e.constant(e.b.getF64Type(), roundAttribute(op.getPadding(), compute));
    padding = convertFromStorage(e.b, e.loc, padding, e.b.getF64Type(), work);
    return e.elementwise(
        operands, e.empty(extents, work),
        [&](OpBuilder &b, Location loc, ValueRange args) {
          Value element = convertOperand(b, loc, args[0], type.getElementType(),
                                         compute, work);
          for (auto [number, bound] : llvm::enumerate(bounds)) {
            Value position = linalg::IndexOp::create(b, loc, bound.first);
            Value limit = arith::IndexCastOp::create(b, loc, b.getIndexType(),
                                                     args[number + 1]);
            Value inside = arith::CmpIOp::create(
                b, loc, arith::CmpIPredicate::slt, position, limit);
            element = arith::SelectOp::create(b, loc, inside, element, padding);
          }
          return element;
        });
  }

  /// An override broadcasts to the batch extents followed by 1, 1.
  AffineMap boundMap(RankedTensorType type) {
    SmallVector<AffineExpr> exprs;
    int64_t lead = rank - type.getRank();
    for (int64_t axis = 0; axis < type.getRank(); ++axis)
      exprs.push_back(type.getDimSize(axis) == 1
                          ? e.b.getAffineConstantExpr(0)
                          : e.b.getAffineDimExpr(lead + axis));
    return AffineMap::get(rank, 0, exprs, e.b.getContext());
  }

  Emitter &e;
  graph::MatmulOp op;
  RankedTensorType resultType;
  int64_t rank;
  int64_t batch;
  Type compute, work;
};
} // namespace

void fused::emit(Emitter &e, graph::MatmulOp op) { MatmulEmitter(e, op).run(); }
