//===- Tensors.cpp - Tensor descriptors of graph values -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Layout.h"
#include "passes/Legalize/CuDNN/Lowering.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::cudnn_lowering;

/// Alignment of a tensor that has no memory of the caller's.
static constexpr int64_t kAlignment = 16;

static mlir::Type elementOf(Value value) {
  return cast<RankedTensorType>(value.getType()).getElementType();
}

//===----------------------------------------------------------------------===//
// Tensors
//===----------------------------------------------------------------------===//

std::optional<cudnn::DataType> Lowering::elementType(Value value) {
  return cudnn::dataTypeOf(elementOf(value));
}

/// A uid that no port of the graph has.
static int64_t takeUid(graph::GraphOp graph, int64_t &next) {
  auto isTaken = [&](int64_t uid) {
    for (unsigned i = 0; i < graph.getNumArguments(); ++i)
      if (graph.getArgumentUid(i) == uid)
        return true;
    for (unsigned i = 0; i < graph.getNumResults(); ++i)
      if (graph.getResultUid(i) == uid)
        return true;
    return false;
  };
  while (isTaken(next))
    ++next;
  return next++;
}

/// The number of result `value` of the graph; nullopt if it is none.
static std::optional<unsigned> findResult(graph::GraphOp graph, Value value) {
  for (mlir::OpOperand &operand :
       graph.getBody().front().getTerminator()->getOpOperands())
    if (operand.get() == value)
      return operand.getOperandNumber();
  return std::nullopt;
}

const TensorShape &Lowering::shape(Value value, TensorRole role) const {
  auto found = memories.find(makeKey(value, role));
  return found->second.shape;
}

bool Lowering::hasTensor(Value value, TensorRole role) const {
  return memories.contains(makeKey(value, role));
}

bool Lowering::isView(Value value) const { return views.contains(value); }

Value Lowering::tensor(Value value, TensorRole role) {
  TensorKey key = makeKey(value, role);
  Value &known = tensors[key];
  if (!known) {
    Value made = makeTensor(value, memories.find(key)->second,
                            /*isAlias=*/false);
    tensors[key] = made;
    return made;
  }
  return known;
}

Value Lowering::alias(Value value, const TensorShape &shape) {
  ValueMemory memory = memories.find(makeKey(value))->second;
  memory.shape = shape;
  return makeTensor(value, memory, /*isAlias=*/true);
}

bool Lowering::isMemory(Value value) {
  auto found = memories.find(makeKey(value));
  return found != memories.end() && found->second.argument &&
         !isByValue(found->second.argument);
}

/// A by-value argument: a float unless it is an integer.
Value Lowering::makeScalar(mlir::BlockArgument argument, int64_t rank) {
  mlir::Type element = elementOf(argument);
  mlir::Builder types(graph.getContext());
  mlir::Type type = types.getF32Type();
  if (element.isF64())
    type = element;
  else if (element.isInteger())
    type = element.isInteger(64) ? types.getI64Type() : types.getI32Type();
  CudnnBinding binding;
  binding.uid = graph.getArgumentUid(argument.getArgNumber());
  binding.operand = argument.getArgNumber();
  binding.scalarType = type;
  bindings.push_back(binding);
  cudnn::TensorSpec spec;
  spec.uid = binding.uid;
  spec.type = *cudnn::dataTypeOf(type);
  spec.dims.assign(rank, 1);
  spec.strides.assign(rank, 1);
  spec.isByValue = true;
  return b.tensor(spec);
}

Value Lowering::makeTensor(Value value, const ValueMemory &memory,
                           bool isAlias) {
  if (auto op = value.getDefiningOp<graph::ConstantOp>())
    return constant(cast<mlir::TypedAttr>(op.getValue()),
                    memory.shape.dims.size());
  if (auto argument = dyn_cast<mlir::BlockArgument>(value))
    if (graph.isByValue(argument.getArgNumber()))
      return makeScalar(argument, memory.shape.dims.size());
  auto type = cast<RankedTensorType>(value.getType());
  int64_t bytes =
      llvm::divideCeil(graph::getStorageBits(type.getElementType()), 8);
  cudnn::TensorSpec spec;
  spec.type = *elementType(value);
  if (spec.type == cudnn::DataType::BOOLEAN && !memory.isFree)
    spec.type = cudnn::DataType::BYTE_BOOLEAN;
  spec.dims.assign(memory.shape.dims.begin(), memory.shape.dims.end());
  spec.strides.assign(memory.shape.strides.begin(), memory.shape.strides.end());
  spec.alignment = kAlignment;
  spec.reordering =
      static_cast<cudnn::TensorReordering>(graph::getReordering(type));
  spec.isVirtual = memory.isFree;
  spec.raggedOffset = raggedOffsets.lookup(value);
  CudnnBinding binding;
  if (mlir::BlockArgument argument = memory.argument) {
    unsigned number = argument.getArgNumber();
    spec.uid = argument == value && !isAlias ? graph.getArgumentUid(number)
                                             : takeUid(graph, nextUid);
    binding.operand = number;
    binding.offset = memory.offset * bytes;
    spec.alignment = graph.getArgumentAlignment(number);
    if (binding.offset != 0)
      spec.alignment =
          std::min(spec.alignment, binding.offset & -binding.offset);
  } else if (std::optional<unsigned> result = findResult(graph, value)) {
    spec.uid = graph.getResultUid(*result);
    binding.operand = graph.getNumArguments() + *result;
    spec.alignment = graph.getResultAlignment(*result);
  } else {
    spec.uid = takeUid(graph, nextUid);
  }
  spec.alignment = std::max(spec.alignment, bytes);
  if (binding.operand >= 0) {
    binding.uid = spec.uid;
    bindings.push_back(binding);
  }
  return b.tensor(spec);
}

Value Lowering::temporary(const TensorShape &shape, cudnn::DataType type,
                          Value raggedOffset) {
  cudnn::TensorSpec spec;
  spec.uid = takeUid(graph, nextUid);
  spec.type = type;
  spec.dims.assign(shape.dims.begin(), shape.dims.end());
  spec.strides.assign(shape.strides.begin(), shape.strides.end());
  spec.alignment = kAlignment;
  spec.isVirtual = true;
  spec.raggedOffset = raggedOffset;
  return b.tensor(spec);
}

Value Lowering::scratch(ArrayRef<int64_t> dims, cudnn::DataType type,
                        int64_t elementBytes) {
  constexpr int64_t kLine = 256;
  CudnnBinding binding;
  binding.uid = takeUid(graph, nextUid);
  binding.offset = scratchBytes;
  binding.isScratch = true;
  bindings.push_back(binding);
  cudnn::TensorSpec spec;
  spec.uid = binding.uid;
  spec.type = type;
  spec.dims.assign(dims.begin(), dims.end());
  SmallVector<int64_t, 6> strides = packRowMajor(dims);
  spec.strides.assign(strides.begin(), strides.end());
  spec.alignment = kAlignment;
  int64_t bytes = elementBytes;
  for (int64_t extent : dims)
    bytes *= extent;
  scratchBytes = llvm::alignTo(scratchBytes + bytes, kLine);
  return b.tensor(spec);
}

Value Lowering::resultOrScratch(Value result) {
  if (findResult(graph, result))
    return tensor(result);
  auto type = cast<RankedTensorType>(result.getType());
  int64_t bytes =
      llvm::divideCeil(graph::getStorageBits(type.getElementType()), 8);
  return scratch(shape(result).dims, *elementType(result), bytes);
}

TensorShape Lowering::reduceLast(const TensorShape &shape) const {
  TensorShape reduced = shape;
  reduced.dims[axes.getLast()] = 1;
  // Packed in the order that `shape` is packed in.
  SmallVector<int64_t> order =
      llvm::to_vector(llvm::seq<int64_t>(0, int64_t(shape.dims.size())));
  llvm::sort(order, [&](int64_t a, int64_t b) {
    return std::tuple(-shape.strides[a], a) < std::tuple(-shape.strides[b], b);
  });
  int64_t stride = 1;
  for (int64_t axis : llvm::reverse(order)) {
    reduced.strides[axis] = stride;
    stride *= reduced.dims[axis];
  }
  return reduced;
}

Value Lowering::constant(mlir::TypedAttr value, int64_t rank) {
  mlir::Builder types(graph.getContext());
  if (auto number = dyn_cast<mlir::FloatAttr>(value))
    value = number.getType().isF64()
                ? number
                : types.getF32FloatAttr(number.getValueAsDouble());
  else if (auto integer = dyn_cast<mlir::IntegerAttr>(value);
           integer && !integer.getType().isInteger(64))
    value = types.getI32IntegerAttr(integer.getType().isUnsignedInteger()
                                        ? integer.getValue().getZExtValue()
                                        : integer.getValue().getSExtValue());
  CudnnBinding binding;
  binding.uid = takeUid(graph, nextUid);
  binding.constant = value;
  bindings.push_back(binding);
  cudnn::TensorSpec spec;
  spec.uid = binding.uid;
  spec.type = *cudnn::dataTypeOf(value.getType());
  spec.dims.assign(rank, 1);
  spec.strides.assign(rank, 1);
  spec.alignment = kAlignment;
  spec.isByValue = true;
  return b.tensor(spec);
}

Value Lowering::constant(double value, int64_t rank) {
  return constant(mlir::Builder(graph.getContext()).getF32FloatAttr(value),
                  rank);
}

bool Lowering::isByValue(Value value) {
  if (auto argument = dyn_cast<mlir::BlockArgument>(value))
    return graph.isByValue(argument.getArgNumber());
  return value.getDefiningOp<graph::ConstantOp>() != nullptr;
}

bool Lowering::isAnyF32(Value a, Value b) {
  return elementOf(a).isF32() || elementOf(b).isF32();
}

std::optional<double> Lowering::findConstant(Value value) const {
  auto op = value.getDefiningOp<graph::ConstantOp>();
  if (!op)
    return std::nullopt;
  if (auto number = dyn_cast<mlir::FloatAttr>(op.getValue()))
    return number.getValueAsDouble();
  if (auto integer = dyn_cast<mlir::IntegerAttr>(op.getValue()))
    return integer.getValue().getSExtValue();
  return std::nullopt;
}
