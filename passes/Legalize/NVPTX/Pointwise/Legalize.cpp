//===- Legalize.cpp - Engine nvptx.pointwise ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Layout.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"
#include "passes/Legalize/NVPTX/NvptxLegalize.h"
#include "passes/Legalize/NVPTX/Pointwise/PointwiseLegalizer.h"
#include "passes/Legalize/PlanProgram.h"
#include "passes/Transforms/Expansion.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;

/// The engine's row in the manifest (passes/Planning), for null plans.
static constexpr int64_t kEngineId = 30000;
static constexpr int64_t kVectorsPerThread = 4;

/// What the kernel reads: graph arguments, and what earlier kernels wrote.
void PointwiseLegalizer::visitInputs(unsigned kernel, Value value,
                                     llvm::SetVector<Value> &inputs,
                                     llvm::DenseSet<Value> &visited) {
  if (!visited.insert(value).second)
    return;
  if (layouts.findView(value)) {
    inputs.insert(value);
    return;
  }
  Operation *op = value.getDefiningOp();
  // Only the extents of its operand count.
  if (isa<graph::GenIndexOp>(op))
    return;
  if (auto found = partition.kernelOf.find(op);
      found != partition.kernelOf.end() && found->second != kernel) {
    inputs.insert(value);
    return;
  }
  for (Value operand : op->getOperands())
    visitInputs(kernel, operand, inputs, visited);
}

llvm::SetVector<Value> PointwiseLegalizer::getInputs(unsigned kernel) {
  llvm::SetVector<Value> inputs;
  llvm::DenseSet<Value> visited;
  const KernelSpec &spec = partition.kernels[kernel];
  for (graph::ReductionOp op : spec.reductions)
    visitInputs(kernel, op.getY(), inputs, visited);
  for (unsigned number : spec.stores)
    visitInputs(kernel, layouts.getStores()[number].value, inputs, visited);
  return inputs;
}

/// Beside the kernel's own reductions.
llvm::SetVector<Value> PointwiseLegalizer::getInputsOfStores(unsigned kernel) {
  llvm::SetVector<Value> inputs;
  llvm::DenseSet<Value> visited;
  const KernelSpec &spec = partition.kernels[kernel];
  for (graph::ReductionOp op : spec.reductions)
    visited.insert(op.getY());
  for (unsigned number : spec.stores)
    visitInputs(kernel, layouts.getStores()[number].value, inputs, visited);
  return inputs;
}

void PointwiseLegalizer::placeTemporary(Value value) {
  if (!temporaries.insert({value, workspaceBytes}).second)
    return;
  RankedTensorType type = graph::typeOf(value);
  int64_t bytes =
      type.getNumElements() *
      getStorageType(type.getElementType()).getIntOrFloatBitWidth() / 8;
  workspaceBytes += llvm::alignTo(bytes, kWorkspaceAlignment);
}

void PointwiseLegalizer::placeTemporaries() {
  for (unsigned kernel = 0; kernel < partition.kernels.size(); ++kernel)
    for (Value input : getInputs(kernel)) {
      std::optional<MemoryView> view = layouts.findView(input);
      Value base = view ? view->base : input;
      if (!isa<BlockArgument>(base))
        placeTemporary(base);
    }
}

static MemoryView packedView(Value value) {
  return {value,
          graph::packedStrides(
              graph::typeOf(value).getShape(),
              graph::rowMajorOrder(graph::typeOf(value).getRank())),
          0};
}

/// Sets where the buffer begins: `offset` elements into its memory.
static void setOffset(Buffer &buffer, int64_t offset) {
  int64_t bytes = offset * buffer.getElementBytes();
  if (buffer.operand >= 0)
    buffer.operandOffset = bytes;
  else
    buffer.workspaceOffset += bytes;
  if (bytes != 0)
    buffer.alignment = std::min(buffer.alignment, bytes & -bytes);
}

/// Strides along the axes of a kernel of those of a value that it computes.
static Shape alignStrides(ArrayRef<int64_t> strides, RankedTensorType type,
                          const Shape &kernelShape) {
  size_t missing = kernelShape.size() - type.getRank();
  Shape aligned(kernelShape.size(), 0);
  for (auto [axis, stride] : llvm::enumerate(strides))
    if (type.getDimSize(axis) != 1)
      aligned[missing + axis] = stride;
  return aligned;
}

Buffer PointwiseLegalizer::makeBuffer(Value value, const MemoryView &memory,
                                      const Shape &kernelShape) {
  Buffer buffer;
  buffer.value = value;
  buffer.elementType = graph::typeOf(value).getElementType();
  if (auto argument = dyn_cast<BlockArgument>(memory.base)) {
    buffer.operand = argument.getArgNumber();
    buffer.alignment = graph.getArgumentAlignment(argument.getArgNumber());
  } else {
    buffer.workspaceOffset = temporaries.lookup(memory.base);
    buffer.alignment = kWorkspaceAlignment;
  }
  setOffset(buffer, memory.offset);
  buffer.strides =
      alignStrides(memory.strides, graph::typeOf(value), kernelShape);
  return buffer;
}

/// A result lies as the graph declares it.
Buffer PointwiseLegalizer::makeResultBuffer(const LayoutStore &store,
                                            const Shape &kernelShape) {
  Buffer buffer;
  buffer.value = store.value;
  buffer.elementType = graph::typeOf(store.value).getElementType();
  buffer.operand = graph.getNumArguments() + store.result;
  buffer.alignment = graph.getResultAlignment(store.result);
  setOffset(buffer, store.offset);
  buffer.strides =
      alignStrides(store.strides, graph::typeOf(store.value), kernelShape);
  return buffer;
}

void PointwiseLegalizer::addInputs(KernelBuffers &buffers, ValueRange inputs,
                                   const Shape &shape) {
  for (Value input : inputs) {
    MemoryView view = layouts.findView(input).value_or(packedView(input));
    auto argument = dyn_cast<BlockArgument>(view.base);
    if (argument && graph.isByValue(argument.getArgNumber())) {
      buffers.scalars[input] = argument.getArgNumber();
      continue;
    }
    buffers.inputs[input] = buffers.list.size();
    buffers.list.push_back(makeBuffer(input, view, shape));
  }
}

void PointwiseLegalizer::addOutputs(KernelBuffers &buffers,
                                    const KernelSpec &spec) {
  auto addOutput = [&](Value value, Buffer buffer) {
    buffer.isWritten = true;
    buffers.outputs.push_back({value, buffers.list.size()});
    buffers.list.push_back(buffer);
  };
  for (graph::ReductionOp op : spec.reductions)
    if (temporaries.contains(op.getY()))
      addOutput(op.getY(),
                makeBuffer(op.getY(), packedView(op.getY()), spec.shape));
  for (unsigned number : spec.stores) {
    const LayoutStore &store = layouts.getStores()[number];
    addOutput(store.value,
              store.result >= 0
                  ? makeResultBuffer(store, spec.shape)
                  : makeBuffer(store.value,
                               {store.whole, store.strides, store.offset},
                               spec.shape));
  }
}

static bool isServed(Operation &op) {
  if (auto reduction = dyn_cast<graph::ReductionOp>(op))
    return !reduction.getGroupOffset();
  return isa<graph::PointwiseOpInterface, graph::ConstantOp, graph::RngOp,
             graph::ReshapeOp, graph::TransposeOp, graph::SliceOp,
             graph::ConcatenateOp>(op);
}

/// What planning has judged, for graphs that come to the pass without a plan.
static LogicalResult checkServed(graph::GraphOp graph) {
  for (Operation &op : graph.getBody().front().without_terminator()) {
    if (!isServed(op))
      return op.emitOpError("is not served by engine nvptx.pointwise");
    for (Value value :
         llvm::concat<Value>(llvm::to_vector(op.getOperands()),
                             llvm::to_vector_of<Value>(op.getResults()))) {
      if (!graph::typeOf(value).hasStaticShape())
        return op.emitOpError("has dynamic extents, which engine "
                              "nvptx.pointwise does not serve");
      if (graph::isPackedInHalves(graph::typeOf(value).getElementType()))
        return op.emitOpError("has 4-bit elements, which engine "
                              "nvptx.pointwise does not serve");
    }
  }
  return success();
}

LogicalResult legalize::legalizeNvptxPointwise(graph::GraphOp graph,
                                               graph::PlanAttr plan,
                                               ModuleOp into) {
  ProgramSpec spec;
  spec.engineId = kEngineId;
  spec.engineName = "nvptx.pointwise";
  // Laying out rewrites the graph.
  OwningOpRef<graph::GraphOp> basic = expandAll(graph);
  if (!basic)
    basic = graph.clone();
  if (failed(checkServed(*basic)))
    return failure();
  FailureOr<plan::ProgramOp> program =
      buildDeviceProgram(graph, plan, spec, into);
  if (failed(program))
    return failure();
  int64_t vectorsPerThread = kVectorsPerThread;
  if (plan && !plan.getKnobs().empty())
    vectorsPerThread = plan.getKnobs().front().value;
  PointwiseLegalizer(*basic, *program, vectorsPerThread, into).run();
  return success();
}
