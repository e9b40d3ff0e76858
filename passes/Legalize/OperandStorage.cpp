//===- OperandStorage.cpp - How operands of a graph lie in memory ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/OperandStorage.h"
#include "dialects/Graph/Attention.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;

/// Elements from the first to the last of `rows` rows of a packed tensor: whole
/// rows, and the axes that are further apart than rows are. Nothing where that
/// is not known or overflows.
static std::optional<int64_t> getRaggedSpan(RankedTensorType type,
                                            int64_t rows) {
  graph::Dims strides = graph::getStrides(type);
  // The stride of a sequence of one row says nothing; its row is the rest.
  bool isOneRow = type.getDimSize(2) == 1;
  int64_t step = isOneRow ? 1 : strides[2], across = 0;
  for (unsigned axis : {1u, 3u}) {
    int64_t extent = type.getDimSize(axis), reach;
    if (extent <= 1 && !ShapedType::isDynamic(extent))
      continue;
    if (ShapedType::isDynamic(extent) || ShapedType::isDynamic(strides[axis]) ||
        llvm::MulOverflow(extent - 1, strides[axis], reach))
      return std::nullopt;
    int64_t &sum = isOneRow ? step : across;
    if ((isOneRow || strides[axis] > step) &&
        llvm::AddOverflow(sum, reach, sum))
      return std::nullopt;
  }
  int64_t span;
  if (ShapedType::isDynamic(step) || llvm::MulOverflow(rows, step, span) ||
      llvm::AddOverflow(span, across, span))
    return std::nullopt;
  return span;
}

/// The bytes of a ragged value, where an op declares its rows in total.
static std::optional<int64_t> getDeclaredBytes(Value value) {
  SmallVector<Operation *> ops(value.getUsers());
  if (Operation *op = value.getDefiningOp())
    ops.push_back(op);
  auto type = cast<RankedTensorType>(value.getType());
  std::optional<int64_t> bytes;
  for (Operation *op : ops) {
    std::optional<int64_t> rows = graph::getTotalRows(op, value);
    if (!rows || type.getRank() != 4)
      continue;
    std::optional<int64_t> span = getRaggedSpan(type, *rows);
    int64_t bits = graph::getStorageBits(type.getElementType()), all;
    if (span && !llvm::MulOverflow(*span, bits, all))
      bytes = std::max(bytes.value_or(0), all / 8);
  }
  return bytes;
}

OperandStorage legalize::getOperandStorage(graph::GraphOp graph,
                                           unsigned index) {
  unsigned numArguments = graph.getNumArguments();
  Value value = index < numArguments
                    ? Value(graph.getBody().getArgument(index))
                    : graph.getReturn()->getOperand(index - numArguments);
  OperandStorage result;
  if (graph::isPackedInHalves(getElementTypeOrSelf(value.getType()))) {
    result.storage = plan::Storage::Packed4;
  } else if (graph::isPagedEverywhere(value)) {
    result.storage = plan::Storage::Paged;
  } else if (graph::isRaggedEverywhere(value)) {
    result.storage = plan::Storage::Ragged;
    result.bytes = getDeclaredBytes(value);
  }
  return result;
}
