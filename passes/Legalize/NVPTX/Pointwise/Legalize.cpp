//===- Legalize.cpp - Engine nvptx.pointwise ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Layout.h"
#include "passes/Legalize/GeneralizeExtents.h"
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
  for (Value value : spec.rowValues)
    visitInputs(kernel, value, inputs, visited);
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
  for (const ReductionPair &pair : spec.pairs)
    if (pair.shift)
      visitInputs(kernel, pair.shift, inputs, visited);
  for (Value value : spec.rowValues)
    visitInputs(kernel, value, inputs, visited);
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
  workspaceBytes = formulas.sum(workspaceBytes,
                                formulas.alignUp(bytes, kWorkspaceAlignment));
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

/// Sets where the buffer begins: `offset` elements into memory that lies as
/// `type` says, or packed row-major where it holds a stored value.
void PointwiseLegalizer::setOffset(Buffer &buffer, int64_t offset, Value stored,
                                   RankedTensorType type) {
  if (!formulas.isStatic() && offset != 0) {
    graph::Dims strides =
        stored ? packedView(stored).strides : graph::getStrides(type);
    std::optional<Formulas::Offset> found =
        formulas.getOffset(offset, type.getShape(), strides);
    if (!found) {
      isUnserved = true;
      return;
    }
    int64_t bytes = buffer.getElementBytes();
    buffer.offset = found->formula * bytes;
    buffer.alignment = std::min(buffer.alignment, found->divisor * bytes);
    return;
  }
  int64_t bytes = buffer.getBytes(offset);
  if (buffer.operand >= 0)
    buffer.operandOffset = bytes;
  else
    buffer.workspaceOffset += bytes;
  if (bytes != 0)
    buffer.alignment = std::min(buffer.alignment, bytes & -bytes);
}

Shape opgraph::legalize::nvptx::alignStrides(ArrayRef<int64_t> strides,
                                             RankedTensorType type,
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
    placeOperand(buffer, argument.getArgNumber(),
                 graph.getArgumentAlignment(argument.getArgNumber()),
                 memory.offset);
  } else {
    buffer.workspaceOffset = temporaries.lookup(memory.base);
    buffer.alignment = kWorkspaceAlignment;
  }
  bool isStored = !isa<BlockArgument>(memory.base);
  setOffset(buffer, memory.offset, isStored ? memory.base : Value(),
            graph::typeOf(memory.base));
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
  placeOperand(buffer, graph.getNumArguments() + store.result,
               graph.getResultAlignment(store.result), store.offset);
  setOffset(buffer, store.offset, /*stored=*/Value(),
            getOperandType(graph.getNumArguments() + store.result));
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
  for (Value value : spec.rowValues)
    if (temporaries.contains(value))
      addOutput(value, makeBuffer(value, packedView(value), spec.shape));
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
                             llvm::to_vector_of<Value>(op.getResults())))
      if (!graph::typeOf(value).hasStaticShape())
        return op.emitOpError("has dynamic extents, which engine "
                              "nvptx.pointwise does not serve");
  }
  return success();
}

LogicalResult legalize::nvptx::legalizeStatic(graph::GraphOp graph,
                                              plan::ProgramOp program,
                                              int64_t vectorsPerThread,
                                              bool isAtomic, ModuleOp into,
                                              Formulas &formulas) {
  // Laying out rewrites the graph.
  OwningOpRef<graph::GraphOp> basic = expandAll(graph);
  if (!basic)
    basic = graph.clone();
  if (failed(checkServed(*basic)))
    return failure();
  return PointwiseLegalizer(*basic, program, vectorsPerThread, isAtomic, into,
                            formulas)
      .run();
}

/// What an op is written as must not hold numbers that a symbol changes.
static LogicalResult checkExpandable(graph::GraphOp graph) {
  for (Operation &op : graph.getBody().front().without_terminator()) {
    auto reduction = dyn_cast<graph::ReductionOp>(op);
    bool isOfNumbers =
        (reduction && reduction.getGroupOffset()) ||
        (isa<graph::BatchnormOp, graph::BatchnormBackwardOp>(op) &&
         !isExpandable(&op)) ||
        isa<graph::DbnWeightOp, graph::BlockScaleQuantizeOp,
            graph::BlockScaleDequantizeOp>(op);
    isOfNumbers &= llvm::any_of(op.getOperands(), [](Value operand) {
      return !graph::typeOf(operand).hasStaticShape();
    });
    auto isPacked = [](Type type) {
      return graph::isPackedInHalves(
          cast<RankedTensorType>(type).getElementType());
    };
    if (isOfNumbers || llvm::any_of(op.getOperandTypes(), isPacked) ||
        llvm::any_of(op.getResultTypes(), isPacked))
      return op.emitOpError("has dynamic extents, which engine "
                            "nvptx.pointwise does not serve");
  }
  return success();
}

LogicalResult legalize::legalizeNvptxPointwise(graph::GraphOp graph,
                                               graph::PlanAttr plan,
                                               ModuleOp into) {
  ProgramSpec spec;
  spec.engineId = kPointwiseEngine;
  spec.engineName = kPointwiseName;
  OwningOpRef<graph::GraphOp> general;
  if (graph.getDynamic()) {
    general = generalizeExtents(graph);
    if (!general)
      return failure();
    spec.declared = graph;
    graph = *general;
  }
  FailureOr<plan::ProgramOp> program =
      buildDeviceProgram(graph, plan, spec, into);
  if (failed(program))
    return failure();
  int64_t vectorsPerThread = kVectorsPerThread;
  bool isAtomic = false;
  for (const graph::Knob &knob :
       plan ? plan.getKnobs() : ArrayRef<graph::Knob>()) {
    if (knob.key == static_cast<int64_t>(graph::KnobType::TILE_SIZE))
      vectorsPerThread = knob.value;
    if (knob.key == static_cast<int64_t>(graph::KnobType::REDUCTION_MODE))
      isAtomic = knob.value == 1;
  }
  if (!program->getSymbols().empty())
    return failed(checkExpandable(graph))
               ? failure()
               : legalizeVersions(graph, *program, vectorsPerThread, into);
  if (general)
    general->setDynamic(false);
  Formulas formulas(graph.getContext());
  return legalizeStatic(graph, *program, vectorsPerThread, isAtomic, into,
                        formulas);
}
