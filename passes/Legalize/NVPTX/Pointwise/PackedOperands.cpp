//===- PackedOperands.cpp - Operands of 4-bit elements --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Kernels whose threads hold whole bytes of an operand read or write it as it
// lies. For others its elements lie in workspace, one a byte, as far apart as
// in the operand, and a kernel of its own unpacks or packs them.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Layout.h"
#include "passes/Legalize/NVPTX/Pointwise/PointwiseLegalizer.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;

Value PointwiseLegalizer::getOperand(int64_t number) {
  int64_t arguments = graph.getNumArguments();
  return number < arguments ? Value(graph.getBody().getArgument(number))
                            : graph.getReturn()->getOperand(number - arguments);
}

RankedTensorType PointwiseLegalizer::getOperandType(int64_t number) {
  int64_t arguments = graph.getNumArguments();
  return cast<RankedTensorType>(
      number < arguments ? graph.getArgumentTypes()[number]
                         : graph.getResultTypes()[number - arguments]);
}

void PointwiseLegalizer::unpack(int64_t operand) {
  RankedTensorType type = getOperandType(operand);
  int64_t before = 0, behind = 1, largest = 1;
  for (auto [extent, stride] :
       llvm::zip_equal(type.getShape(), graph::getStrides(type))) {
    if (extent <= 1)
      continue;
    (stride < 0 ? before : behind) += (extent - 1) * std::abs(stride);
    largest = std::max(largest, extent * stride);
  }
  if (!unpacked.insert({operand, workspaceBytes + before}).second)
    return;
  // Of symbols a product: layouts of them lie axis in axis.
  int64_t bytes = formulas.isStatic() ? before + behind : largest;
  workspaceBytes = formulas.sum(workspaceBytes,
                                formulas.alignUp(bytes, kWorkspaceAlignment));
}

void PointwiseLegalizer::placeOperand(Buffer &buffer, int64_t operand,
                                      int64_t alignment, int64_t offset) {
  buffer.isPacked = graph::isPackedInHalves(buffer.elementType);
  if (buffer.isPacked && offset % 2 != 0)
    unpack(operand);
  auto found = unpacked.find(operand);
  if (found == unpacked.end()) {
    buffer.operand = operand;
    buffer.alignment = alignment;
    return;
  }
  buffer.isPacked = false;
  buffer.workspaceOffset = found->second;
  // Elements before the first are at even distances.
  buffer.alignment = found->second % kWorkspaceAlignment == 0
                         ? kWorkspaceAlignment
                         : int64_t(1);
}

/// Whether an operand that the kernel takes as it lies has got a place in
/// workspace, since threads hold parts of bytes.
bool PointwiseLegalizer::unpackWhereCut(const KernelBuffers &buffers,
                                        const Space *space) {
  bool isChanged = false;
  for (auto [index, buffer] : llvm::enumerate(buffers.list))
    if (buffer.isPacked && !(space && holdsWholeBytes(*space, index))) {
      unpack(buffer.operand);
      isChanged = true;
    }
  return isChanged;
}

bool PointwiseLegalizer::unpackFor(unsigned number) {
  KernelSpec spec = partition.kernels[number];
  shareAxes(spec);
  KernelBuffers buffers;
  addInputs(buffers, getInputs(number).getArrayRef(), spec.shape);
  addOutputs(buffers, spec);
  // Portions are laid out by more than what the kernels take.
  if (spec.splits > 1)
    return unpackWhereCut(buffers, /*space=*/nullptr);
  Space space = makeSpace(spec, buffers.list, vectorsPerThread);
  return unpackWhereCut(buffers, &space);
}

void PointwiseLegalizer::placePacked() {
  int64_t count = graph.getNumArguments() + graph.getReturn()->getNumOperands();
  if (llvm::none_of(llvm::seq(count), [&](int64_t operand) {
        return graph::isPackedInHalves(
            getOperandType(operand).getElementType());
      }))
    return;
  // An operand that moves changes how other kernels are laid out.
  bool isChanged = true;
  while (isChanged) {
    isChanged = false;
    for (unsigned number = 0; number < partition.kernels.size(); ++number)
      isChanged |= unpackFor(number);
  }
}

/// Unpacks the arguments, or packs the results.
void PointwiseLegalizer::writePacking(bool ofResults) {
  int64_t arguments = graph.getNumArguments();
  for (auto [operand, offset] : unpacked) {
    Value value = getOperand(operand);
    RankedTensorType type = getOperandType(operand);
    if ((operand >= arguments) != ofResults || type.getNumElements() == 0)
      continue;
    KernelSpec spec;
    spec.shape = getAlignedShape(value, partition.rank);
    spec.reduced.assign(spec.shape.size(), false);
    Buffer packed, bytes;
    for (Buffer *buffer : {&packed, &bytes}) {
      buffer->value = value;
      buffer->elementType = type.getElementType();
      buffer->strides = alignStrides(graph::getStrides(type), type, spec.shape);
    }
    placeOperand(bytes, operand, /*alignment=*/1, /*offset=*/0);
    packed.isPacked = true;
    packed.operand = operand;
    packed.alignment = ofResults ? graph.getResultAlignment(operand - arguments)
                                 : graph.getArgumentAlignment(operand);
    (ofResults ? packed : bytes).isWritten = true;
    KernelBuffers buffers;
    buffers.list = {ofResults ? bytes : packed, ofResults ? packed : bytes};
    buffers.inputs[value] = 0;
    buffers.outputs.push_back({value, 1});
    launch(spec, buffers, makeSpace(spec, buffers.list, vectorsPerThread),
           partition.rank);
  }
}
