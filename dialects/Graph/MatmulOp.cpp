//===- MatmulOp.cpp - Inference of matmul and matmul_fp8 ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Extents.h"
#include "dialects/Graph/GraphDialect.h"

using namespace mlir;
using namespace opgraph::graph;

/// Checks one of the true-size operands against the batch extents.
static LogicalResult checkOverride(Inference &inference, Value value,
                                   StringRef name, ArrayRef<Extent> batch) {
  if (!value)
    return success();
  // matmul_c4, matmul_fp8_c4
  Extents target(batch);
  target.append(2, Extent());
  Extents extents = getExtents(value);
  if (!broadcastsTo(extents, target))
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected '" << name << "' to broadcast to "
           << printExtents(target) << ", got " << printExtents(extents);
  // matmul_c5, matmul_fp8_c5
  return requireIndexType(inference, {{name, value}});
}

/// What both matmuls share: checks the operands and sets result 0.
template <typename OpTy>
static LogicalResult inferProduct(OpTy op, Inference &inference) {
  Extents a = getExtents(op.getA()), b = getExtents(op.getB());
  int64_t rank = a.size();
  // matmul_c1, matmul_fp8_c1
  if (rank < 2 || b.size() != a.size())
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected 'A' and 'B' to have one rank of at least 2, got "
           << rank << " and " << b.size();
  // matmul_c2, matmul_fp8_c2
  if (a[rank - 1] != b[rank - 2])
    return inference.error(ErrorKind::ShapeDeduction)
           << "expected dim " << rank - 1 << " of 'A' ("
           << printExtent(a[rank - 1]) << ") to match dim " << rank - 2
           << " of 'B' (" << printExtent(b[rank - 2]) << ")";
  // matmul_c3, matmul_fp8_c3
  Extents c;
  for (int64_t axis = 0; axis < rank - 2; ++axis) {
    if (a[axis] != b[axis] && !a[axis].isOne() && !b[axis].isOne())
      return inference.error(ErrorKind::ShapeDeduction)
             << "expected batch dim " << axis << " of 'A' ("
             << printExtent(a[axis]) << ") and of 'B' (" << printExtent(b[axis])
             << ") to match or be 1";
    c.push_back(a[axis].isOne() ? b[axis] : a[axis]);
  }
  Extents batch = c;
  if (failed(
          checkOverride(inference, op.getMOverride(), "M_override", batch)) ||
      failed(
          checkOverride(inference, op.getNOverride(), "N_override", batch)) ||
      failed(checkOverride(inference, op.getKOverride(), "K_override", batch)))
    return failure();

  c.push_back(a[rank - 2]);
  c.push_back(b[rank - 1]);
  if (failed(setExtents(inference, 0, c)))
    return failure();
  inference.setPacked(0, rowMajorOrder(rank));
  return success();
}

LogicalResult MatmulOp::inferResults(Inference &inference) {
  // matmul_c6
  if (failed(requireNumericCompute(inference, getEffectiveComputeType())))
    return failure();
  return inferProduct(*this, inference);
}

/// Checks one of the scalars of a matmul of scaled matrices.
static LogicalResult checkScale(Inference &inference, Value value,
                                StringRef name) {
  // matmul_fp8_c7
  if (failed(requireSingle(inference, {{name, value}})))
    return failure();
  // matmul_fp8_c8
  Type type = typeOf(value).getElementType();
  if (!type.isF32())
    return inference.error(ErrorKind::NotSupported)
           << "expected '" << name << "' to be f32, got " << type;
  return success();
}

LogicalResult MatmulFp8Op::inferResults(Inference &inference) {
  // matmul_fp8_c6
  if (failed(requireFloatCompute(inference, getEffectiveComputeType())) ||
      failed(checkScale(inference, getDescaleA(), "Descale_A")) ||
      failed(checkScale(inference, getDescaleB(), "Descale_B")) ||
      failed(checkScale(inference, getScaleC(), "Scale_C")) ||
      failed(inferProduct(*this, inference)))
    return failure();
  int64_t rank = typeOf(getA()).getRank();
  if (failed(setExtents(inference, 1, Extents(rank))))
    return failure();
  inference.setPacked(1, rowMajorOrder(rank));
  inference.setElementType(1, Float32Type::get(getContext()));
  return success();
}
