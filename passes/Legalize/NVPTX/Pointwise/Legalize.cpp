//===- Legalize.cpp - Engine nvptx.pointwise ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Layout.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"
#include "passes/Legalize/NVPTX/NvptxLegalize.h"
#include "passes/Legalize/NVPTX/Pointwise/RowKernel.h"
#include "passes/Legalize/NVPTX/Pointwise/Views.h"
#include "passes/Legalize/PlanProgram.h"
#include "passes/Transforms/Expansion.h"
#include "llvm/ADT/SetVector.h"
#include "llvm/Support/MathExtras.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;

/// The engine's row in the manifest (passes/Planning), for null plans.
static constexpr int64_t kEngineId = 30000;
static constexpr int64_t kVectorsPerThread = 4;
/// Alignment of what the workspace holds; its base has that of a device
/// allocation.
static constexpr int64_t kWorkspaceAlignment = 256;

static RankedTensorType typeOf(Value value) {
  return cast<RankedTensorType>(value.getType());
}

namespace {
class PointwiseLegalizer {
public:
  PointwiseLegalizer(graph::GraphOp graph, plan::ProgramOp program,
                     int64_t vectorsPerThread, ModuleOp into)
      : graph(graph), program(program), vectorsPerThread(vectorsPerThread),
        into(into), partition(partitionGraph(graph)) {}

  void run() {
    placeTemporaries();
    for (unsigned number = 0; number < partition.kernels.size(); ++number)
      writeKernel(number);
    if (workspaceBytes == 0)
      return;
    MLIRContext *context = graph.getContext();
    program.setWorkspaceAttr(plan::WorkspaceAttr::get(
        context, AffineMap::getConstantMap(workspaceBytes, context),
        AffineMap::getConstantMap(0, context), /*max_workers=*/1));
  }

private:
  void placeTemporaries();
  void visitInputs(unsigned kernel, Value value, llvm::SetVector<Value> &inputs,
                   llvm::DenseSet<Value> &visited);
  llvm::SetVector<Value> getInputs(unsigned kernel);
  void readArgument(Buffer &buffer, const ArgumentView &view);
  Buffer makeBuffer(Value value, const Shape &kernelShape);
  KernelBuffers collectBuffers(unsigned kernel);
  void writeKernel(unsigned number);
  tile::KernelOp nameKernel(tile::KernelOp kernel, const KernelSpec &spec,
                            const Space &space, Type element);

  graph::GraphOp graph;
  plan::ProgramOp program;
  int64_t vectorsPerThread;
  ModuleOp into;
  Partition partition;
  /// Results of reductions that later kernels read: bytes into the workspace.
  llvm::MapVector<Value, int64_t> temporaries;
  int64_t workspaceBytes = 0;
};
} // namespace

/// What the kernel reads: graph arguments and results of earlier kernels.
void PointwiseLegalizer::visitInputs(unsigned kernel, Value value,
                                     llvm::SetVector<Value> &inputs,
                                     llvm::DenseSet<Value> &visited) {
  if (!visited.insert(value).second)
    return;
  if (findView(value)) {
    inputs.insert(value);
    return;
  }
  Operation *op = value.getDefiningOp();
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
  Operation *terminator = graph.getBody().front().getTerminator();
  for (unsigned result : spec.results)
    visitInputs(kernel, terminator->getOperand(result), inputs, visited);
  return inputs;
}

void PointwiseLegalizer::placeTemporaries() {
  for (unsigned kernel = 0; kernel < partition.kernels.size(); ++kernel)
    for (Value input : getInputs(kernel)) {
      if (findView(input) || !temporaries.insert({input, 0}).second)
        continue;
      temporaries[input] = workspaceBytes;
      RankedTensorType type = typeOf(input);
      int64_t bytes =
          type.getNumElements() *
          getStorageType(type.getElementType()).getIntOrFloatBitWidth() / 8;
      workspaceBytes += llvm::alignTo(bytes, kWorkspaceAlignment);
    }
}

void PointwiseLegalizer::readArgument(Buffer &buffer,
                                      const ArgumentView &view) {
  unsigned number = view.argument.getArgNumber();
  buffer.operand = number;
  buffer.operandOffset =
      view.offset * getStorageType(buffer.elementType).getIntOrFloatBitWidth() /
      8;
  buffer.alignment = graph.getArgumentAlignment(number);
  if (buffer.operandOffset != 0)
    buffer.alignment = std::min(buffer.alignment,
                                buffer.operandOffset & -buffer.operandOffset);
}

/// Of the kernel's axes; temporaries are packed.
Buffer PointwiseLegalizer::makeBuffer(Value value, const Shape &kernelShape) {
  RankedTensorType type = typeOf(value);
  Buffer buffer;
  buffer.value = value;
  buffer.elementType = type.getElementType();
  graph::Dims strides;
  if (auto temporary = temporaries.find(value);
      temporary != temporaries.end()) {
    buffer.workspaceOffset = temporary->second;
    buffer.alignment = kWorkspaceAlignment;
    strides = graph::packedStrides(type.getShape(),
                                   graph::rowMajorOrder(type.getRank()));
  } else if (std::optional<ArgumentView> view = findView(value)) {
    readArgument(buffer, *view);
    strides = view->strides;
  } else {
    strides = graph::getStrides(type);
  }
  size_t missing = kernelShape.size() - type.getRank();
  buffer.strides.assign(kernelShape.size(), 0);
  for (auto [axis, stride] : llvm::enumerate(strides))
    if (type.getDimSize(axis) != 1)
      buffer.strides[missing + axis] = stride;
  return buffer;
}

KernelBuffers PointwiseLegalizer::collectBuffers(unsigned kernel) {
  const KernelSpec &spec = partition.kernels[kernel];
  KernelBuffers buffers;
  for (Value input : getInputs(kernel)) {
    auto argument = dyn_cast<BlockArgument>(input);
    if (argument && graph.isByValue(argument.getArgNumber())) {
      buffers.scalars[input] = argument.getArgNumber();
      continue;
    }
    buffers.inputs[input] = buffers.list.size();
    buffers.list.push_back(makeBuffer(input, spec.shape));
  }
  auto addOutput = [&](Value value, Buffer buffer) {
    buffer.isWritten = true;
    buffers.outputs.push_back({value, buffers.list.size()});
    buffers.list.push_back(buffer);
  };
  for (graph::ReductionOp op : spec.reductions)
    if (temporaries.contains(op.getY()))
      addOutput(op.getY(), makeBuffer(op.getY(), spec.shape));
  Operation *terminator = graph.getBody().front().getTerminator();
  for (unsigned result : spec.results) {
    Value value = terminator->getOperand(result);
    Buffer buffer = makeBuffer(value, spec.shape);
    // A result lies as the graph declares it, temporary or not.
    auto type = cast<RankedTensorType>(graph.getResultTypes()[result]);
    size_t missing = spec.shape.size() - type.getRank();
    for (auto [axis, stride] : llvm::enumerate(graph::getStrides(type)))
      buffer.strides[missing + axis] = type.getDimSize(axis) == 1 ? 0 : stride;
    buffer.operand = graph.getNumArguments() + result;
    buffer.operandOffset = 0;
    buffer.alignment = graph.getResultAlignment(result);
    addOutput(value, buffer);
  }
  return buffers;
}

/// Blocks that an SM shall hold of a kernel that keeps rows in registers: less
/// than 1024 threads hide too little of the memory's latency.
static IntegerAttr getMinBlocks(const KernelSpec &spec, const Space &space,
                                Builder builder) {
  constexpr int64_t kThreads = 1024;
  int64_t blocks = kThreads / (space.numWarps() * 32);
  return spec.isElementwise() || blocks < 2 ? IntegerAttr()
                                            : builder.getI32IntegerAttr(blocks);
}

/// Names the kernel by what it is and a hash of its text, or finds an equal
/// one.
tile::KernelOp PointwiseLegalizer::nameKernel(tile::KernelOp kernel,
                                              const KernelSpec &spec,
                                              const Space &space,
                                              Type element) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  kernel.print(stream, OpPrintingFlags().useLocalScope());
  std::string name;
  llvm::raw_string_ostream symbol(name);
  symbol << "opgraph_" << (spec.isElementwise() ? "map" : "rows") << '_'
         << getStorageType(element) << '_' << space.tileRows << 'x'
         << space.tileColumns << '_'
         << llvm::format_hex_no_prefix(llvm::xxh3_64bits(text), 16);
  if (auto known = into.lookupSymbol<tile::KernelOp>(name)) {
    kernel.erase();
    return known;
  }
  kernel.setSymName(name);
  return kernel;
}

static ArrayAttr getAllTargets(MLIRContext *context) {
  SmallVector<Attribute> targets;
  for (uint32_t target = 0; target <= tile::getMaxEnumValForTarget(); ++target)
    targets.push_back(
        tile::TargetAttr::get(context, static_cast<tile::Target>(target)));
  return ArrayAttr::get(context, targets);
}

void PointwiseLegalizer::writeKernel(unsigned number) {
  const KernelSpec &spec = partition.kernels[number];
  KernelBuffers buffers = collectBuffers(number);
  Space space = makeSpace(spec, buffers.list, vectorsPerThread);
  MLIRContext *context = graph.getContext();
  OpBuilder builder = OpBuilder::atBlockEnd(into.getBody());
  auto kernel = tile::KernelOp::create(
      builder, graph.getLoc(), "kernel",
      static_cast<uint32_t>(space.numWarps()), getAllTargets(context),
      /*cluster=*/nullptr, getMinBlocks(spec, space, builder),
      /*shared_bytes=*/nullptr);
  kernel.getBody().emplaceBlock();
  ArrayAttr arguments =
      RowKernel(spec, buffers, space, partition.rank, kernel).write();
  kernel = nameKernel(kernel, spec, space, buffers.list.back().elementType);
  builder.setInsertionPointToEnd(&program.getBody().front());
  plan::LaunchOp::create(builder, graph.getLoc(),
                         FlatSymbolRefAttr::get(context, kernel.getSymName()),
                         AffineMapAttr::get(AffineMap::getConstantMap(
                             space.numBlocks(spec), context)),
                         /*at_most=*/nullptr, /*dependent=*/nullptr, arguments);
}

/// A reshape that only drops or adds leading axes of extent 1.
static bool isOfLeadingAxes(graph::ReshapeOp op) {
  auto strip = [](RankedTensorType type) {
    return type.getShape().drop_while(
        [](int64_t extent) { return extent == 1; });
  };
  return strip(typeOf(op.getInput())) == strip(typeOf(op.getY()));
}

static bool isServed(Operation &op) {
  if (isa<graph::GenIndexOp>(op))
    return false;
  if (auto reduction = dyn_cast<graph::ReductionOp>(op))
    return !reduction.getGroupOffset();
  if (auto reshape = dyn_cast<graph::ReshapeOp>(op);
      reshape && isOfLeadingAxes(reshape))
    return true;
  if (isa<graph::ReshapeOp, graph::TransposeOp, graph::SliceOp>(op))
    return findView(op.getResult(0)).has_value();
  return isa<graph::PointwiseOpInterface, graph::ConstantOp>(op);
}

/// What planning has judged, for graphs that come to the pass without a plan.
static LogicalResult checkServed(graph::GraphOp graph) {
  for (Operation &op : graph.getBody().front().without_terminator()) {
    if (!isServed(op))
      return op.emitOpError("is not served by engine nvptx.pointwise");
    for (Value value :
         llvm::concat<Value>(llvm::to_vector(op.getOperands()),
                             llvm::to_vector_of<Value>(op.getResults())))
      if (!typeOf(value).hasStaticShape())
        return op.emitOpError("has dynamic extents, which engine "
                              "nvptx.pointwise does not serve");
  }
  return success();
}

LogicalResult legalize::legalizeNvptxPointwise(graph::GraphOp graph,
                                               graph::PlanAttr plan,
                                               ModuleOp into) {
  ProgramSpec spec;
  spec.engineId = kEngineId;
  spec.engineName = "nvptx.pointwise";
  OwningOpRef<graph::GraphOp> expanded = expandAll(graph);
  if (failed(checkServed(expanded ? *expanded : graph)))
    return failure();
  FailureOr<plan::ProgramOp> program =
      buildDeviceProgram(graph, plan, spec, into);
  if (failed(program))
    return failure();
  int64_t vectorsPerThread = kVectorsPerThread;
  if (plan && !plan.getKnobs().empty())
    vectorsPerThread = plan.getKnobs().front().value;
  PointwiseLegalizer(expanded ? *expanded : graph, *program, vectorsPerThread,
                     into)
      .run();
  return success();
}
