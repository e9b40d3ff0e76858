//===- Launches.cpp - Kernels of nvptx.pointwise and their launches -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/Targets.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"
#include "passes/Legalize/NVPTX/KernelTexts.h"
#include "passes/Legalize/NVPTX/Pointwise/PointwiseLegalizer.h"
#include "llvm/Support/xxhash.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;

void PointwiseLegalizer::run() {
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
  std::string text = getKernelText(kernel);
  std::string name;
  llvm::raw_string_ostream symbol(name);
  StringRef kind = spec.isElementwise() ? "map"
                   : space.portion      ? "portions"
                                        : "rows";
  symbol << "opgraph_" << kind << '_' << getStorageType(element) << '_'
         << space.tileRows << 'x' << space.tileColumns << '_'
         << llvm::format_hex_no_prefix(llvm::xxh3_64bits(text), 16);
  if (auto known = into.lookupSymbol<tile::KernelOp>(name)) {
    kernel.erase();
    return known;
  }
  kernel.setSymName(name);
  return kernel;
}

static ArrayAttr getTargets(MLIRContext *context, tile::FeatureSet features) {
  SmallVector<Attribute> targets;
  for (uint32_t number = 0; number <= tile::getMaxEnumValForTarget();
       ++number) {
    auto target = static_cast<tile::Target>(number);
    if ((tile::getTargetInfo(target).features & features) == features)
      targets.push_back(tile::TargetAttr::get(context, target));
  }
  return ArrayAttr::get(context, targets);
}

void PointwiseLegalizer::writeKernel(unsigned number) {
  const KernelSpec &spec = partition.kernels[number];
  if (spec.splits > 1)
    return writeSplitKernel(number);
  KernelBuffers buffers;
  addInputs(buffers, getInputs(number).getArrayRef(), spec.shape);
  addOutputs(buffers, spec);
  launch(spec, buffers, makeSpace(spec, buffers.list, vectorsPerThread),
         partition.rank, number + 1 == partition.kernels.size());
}

/// One kernel for the portions, one that combines them.
void PointwiseLegalizer::writeSplitKernel(unsigned number) {
  KernelSpec spec = partition.kernels[number];
  spec.stores.clear();
  llvm::SetVector<Value> inputs;
  llvm::DenseSet<Value> visited;
  for (graph::ReductionOp op : spec.reductions)
    visitInputs(number, op.getY(), inputs, visited);
  KernelBuffers buffers;
  addInputs(buffers, inputs.getArrayRef(), spec.shape);
  Space space = makeSpace(spec, buffers.list, vectorsPerThread);
  for (graph::ReductionOp op : spec.reductions) {
    Buffer portions;
    portions.elementType = getReductionType(op);
    portions.workspaceOffset = workspaceBytes;
    portions.alignment = kWorkspaceAlignment;
    portions.isWritten = true;
    workspaceBytes += split.countBytes(op);
    buffers.portions.push_back(portions);
  }
  launch(spec, buffers, space, partition.rank, /*isLast=*/false);
  writeCombining(number, space, buffers.portions);
}

/// The portions are the columns of a kernel of their own, along an axis that
/// goes before all others.
void PointwiseLegalizer::writeCombining(unsigned number, const Space &space,
                                        ArrayRef<Buffer> portions) {
  KernelSpec spec = partition.kernels[number];
  for (auto [extent, isReduced] : llvm::zip_equal(spec.shape, spec.reduced))
    if (isReduced)
      extent = 1;
  Shape strides = space.getRowStrides(partition.kernels[number]);
  strides.insert(strides.begin(), ReductionSplit::getPitch(space.numRows));
  spec.shape.insert(spec.shape.begin(), space.splits);
  spec.reduced.assign(spec.shape.size(), false);
  spec.reduced.front() = true;
  spec.splits = 1;
  KernelBuffers buffers;
  buffers.count = space.numColumns;
  for (auto [op, buffer] : llvm::zip_equal(spec.reductions, portions)) {
    buffers.portionsOf[op] = buffers.list.size();
    buffers.list.push_back(buffer);
    buffers.list.back().isWritten = false;
    buffers.list.back().strides = strides;
  }
  addInputs(buffers, getInputsOfStores(number).getArrayRef(), spec.shape);
  addOutputs(buffers, spec);
  launch(spec, buffers, makeSpace(spec, buffers.list, vectorsPerThread),
         partition.rank + 1, number + 1 == partition.kernels.size());
}

/// Whether kernels start while the ones before them end, on GPUs that can: a
/// kernel that combines portions takes no longer than a launch.
bool PointwiseLegalizer::isChained() {
  int64_t arch = 0;
  // "sm_90a", or of a device "sm_90:NVIDIA_H200".
  StringRef target = program.getTarget().split(':').first.rtrim('a');
  return llvm::any_of(partition.kernels,
                      [](const KernelSpec &spec) { return spec.splits > 1; }) &&
         target.consume_front("sm_") && !target.getAsInteger(10, arch) &&
         arch >= 90;
}

void PointwiseLegalizer::launch(const KernelSpec &spec, KernelBuffers &buffers,
                                const Space &space, int64_t rank, bool isLast) {
  bool isFirst = program.getBody().getOps<plan::LaunchOp>().empty();
  buffers.startsEarly = isChained() && !isFirst;
  buffers.letsNextStart = isChained() && !isLast;
  MLIRContext *context = graph.getContext();
  OpBuilder builder = OpBuilder::atBlockEnd(into.getBody());
  tile::FeatureSet features = buffers.startsEarly || buffers.letsNextStart
                                  ? tile::FeatureSet(tile::DependentLaunch)
                                  : 0;
  auto kernel = tile::KernelOp::create(
      builder, graph.getLoc(), "kernel",
      static_cast<uint32_t>(space.numWarps()), getTargets(context, features),
      /*cluster=*/nullptr, getMinBlocks(spec, space, builder),
      /*shared_bytes=*/nullptr);
  kernel.getBody().emplaceBlock();
  ArrayAttr arguments = RowKernel(spec, buffers, space, rank, kernel).write();
  kernel = nameKernel(kernel, spec, space, buffers.list.back().elementType);
  builder.setInsertionPointToEnd(&program.getBody().front());
  plan::LaunchOp::create(
      builder, graph.getLoc(),
      FlatSymbolRefAttr::get(context, kernel.getSymName()),
      AffineMapAttr::get(
          AffineMap::getConstantMap(space.numBlocks(spec), context)),
      /*at_most=*/nullptr,
      buffers.startsEarly ? builder.getUnitAttr() : UnitAttr(), arguments);
}
