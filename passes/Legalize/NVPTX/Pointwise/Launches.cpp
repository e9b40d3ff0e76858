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

LogicalResult PointwiseLegalizer::run() {
  placeTemporaries();
  placePacked();
  writePacking(/*ofResults=*/false);
  for (KernelSpec &kernel : partition.kernels)
    kernel.mostCtas = getMostCtas();
  for (unsigned number = 0; number < partition.kernels.size(); ++number)
    writeKernel(number);
  writePacking(/*ofResults=*/true);
  if (isUnserved)
    return failure();
  if (workspaceBytes == 0)
    return success();
  MLIRContext *context = graph.getContext();
  program.setWorkspaceAttr(plan::WorkspaceAttr::get(
      context, getMap(formulas.get(workspaceBytes)),
      AffineMap::getConstantMap(0, context), /*max_workers=*/1));
  return success();
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

static DenseI32ArrayAttr getCluster(const Space &space, Builder builder) {
  return space.cluster == 1 ? DenseI32ArrayAttr()
                            : builder.getDenseI32ArrayAttr(
                                  {static_cast<int32_t>(space.cluster), 1, 1});
}

/// The one of that name before `kernel`, which then goes, or `kernel`.
static tile::KernelOp findNamed(tile::KernelOp kernel, StringRef name) {
  auto module = kernel->getParentOfType<ModuleOp>();
  for (auto other : module.getOps<tile::KernelOp>())
    if (other != kernel && other.getSymName() == name) {
      kernel.erase();
      return other;
    }
  return kernel;
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
  tile::KernelOp found = findNamed(kernel, name);
  if (found == kernel)
    nvptx::nameKernel(kernel, name, text);
  return found;
}

/// GPUs with the features, and clusters of that many CTAs.
static ArrayAttr getTargets(MLIRContext *context, tile::FeatureSet features,
                            int64_t cluster) {
  SmallVector<Attribute> targets;
  for (uint32_t number = 0; number <= tile::getMaxEnumValForTarget();
       ++number) {
    auto target = static_cast<tile::Target>(number);
    const tile::TargetInfo &info = tile::getTargetInfo(target);
    if ((info.features & features) == features &&
        info.maxClusterSize >= cluster)
      targets.push_back(tile::TargetAttr::get(context, target));
  }
  return ArrayAttr::get(context, targets);
}

/// Finds along which axes elements of the kernel share what functions give.
void PointwiseLegalizer::shareAxes(KernelSpec &spec) {
  if (!spec.isElementwise())
    return;
  SmallVector<Value> stored;
  for (unsigned store : spec.stores)
    stored.push_back(layouts.getStores()[store].value);
  spec.shared = findSharedAxes(stored, spec.shape);
}

void PointwiseLegalizer::writeKernel(unsigned number) {
  KernelSpec &spec = partition.kernels[number];
  if (spec.splits > 1)
    return isAtomic ? writeAtomicKernel(number) : writeSplitKernel(number);
  shareAxes(spec);
  KernelBuffers buffers;
  addInputs(buffers, getInputs(number).getArrayRef(), spec.shape);
  addOutputs(buffers, spec);
  launch(spec, buffers, makeSpace(spec, buffers.list, vectorsPerThread),
         partition.rank);
}

/// Of the memory for the portions of a reduction.
int64_t PointwiseLegalizer::countBytes(graph::ReductionOp op,
                                       const Space &space) {
  int64_t pitch = space.getPitch(formulas);
  if (!formulas.isDynamic(pitch))
    return formulas.keep(split.countBytes(op));
  int64_t bytes =
      getStorageType(getReductionType(op)).getIntOrFloatBitWidth() / 8;
  return formulas.alignUp(formulas.keep(split.getSplits(op)) * pitch * bytes,
                          kWorkspaceAlignment);
}

/// Whether something depends on where an element is.
bool PointwiseLegalizer::hasPlaces() {
  return llvm::any_of(graph.getBody().front(), [](Operation &op) {
    return isa<graph::GenIndexOp, graph::RngOp>(op);
  });
}

/// How many numbers a reduction's portions may be; 0 for those that there are
/// with columns as they are.
int64_t PointwiseLegalizer::countPortions(const KernelSpec &spec) {
  if (!formulas.isStatic() || hasPlaces())
    return 0;
  int64_t least = split.countPortions(spec.reductions.front());
  for (graph::ReductionOp op : spec.reductions)
    least = std::min(least, split.countPortions(op));
  return least;
}

/// One kernel for the portions, one that combines them.
void PointwiseLegalizer::writeSplitKernel(unsigned number) {
  KernelSpec spec = partition.kernels[number];
  spec.stores.clear();
  llvm::SetVector<Value> inputs;
  llvm::DenseSet<Value> visited;
  // A pair's second reduction takes the elements of the first one.
  for (graph::ReductionOp op : spec.reductions)
    if (llvm::none_of(spec.pairs, [&](const ReductionPair &pair) {
          return pair.second == op;
        }))
      visitInputs(number, op.getInput(), inputs, visited);
  KernelBuffers buffers;
  addInputs(buffers, inputs.getArrayRef(), spec.shape);
  spec.mostPortions = countPortions(spec);
  Space space = makeSpace(spec, buffers.list, vectorsPerThread);
  setPortions(space, spec.splits, formulas);
  for (graph::ReductionOp op : spec.reductions) {
    Buffer portions;
    portions.elementType = getReductionType(op);
    portions.workspaceOffset = workspaceBytes;
    portions.alignment = kWorkspaceAlignment;
    portions.isWritten = true;
    workspaceBytes = formulas.sum(workspaceBytes, countBytes(op, space));
    buffers.portions.push_back(portions);
  }
  launch(spec, buffers, space, partition.rank);
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
  strides.insert(strides.begin(), space.fold > 1 ? space.numRows / space.fold
                                                 : space.getPitch(formulas));
  spec.shape.insert(spec.shape.begin(), space.splits * space.fold);
  spec.reduced.assign(spec.shape.size(), false);
  spec.reduced.front() = true;
  spec.splits = 1;
  KernelBuffers buffers;
  buffers.count = space.numColumns * space.fold;
  buffers.portion =
      space.fold > 1 && space.splits == 1 ? space.numColumns : space.portion;
  for (auto [op, buffer] : llvm::zip_equal(spec.reductions, portions)) {
    buffers.portionsOf[op] = buffers.list.size();
    buffers.list.push_back(buffer);
    buffers.list.back().isWritten = false;
    buffers.list.back().strides = strides;
  }
  addInputs(buffers, getInputsOfStores(number).getArrayRef(), spec.shape);
  addOutputs(buffers, spec);
  launch(spec, buffers, makeSpace(spec, buffers.list, vectorsPerThread),
         partition.rank + 1);
}

/// Whether kernels start while those before them end, on GPUs that can: a
/// launch behind another one costs a microsecond less.
bool PointwiseLegalizer::isChained() {
  int64_t arch = 0;
  // "sm_90a", or of a device "sm_90:NVIDIA_H200".
  StringRef target = program.getTarget().split(':').first.rtrim('a');
  return target.consume_front("sm_") && !target.getAsInteger(10, arch) &&
         arch >= 90;
}

/// CTAs of a cluster on the program's GPU.
int64_t PointwiseLegalizer::getMostCtas() {
  constexpr int64_t kPortable = 8;
  // "sm_90a", or of a device "sm_90:NVIDIA_H200".
  StringRef arch = program.getTarget().split(':').first.rtrim('a');
  for (uint32_t number = 0; number <= tile::getMaxEnumValForTarget();
       ++number) {
    const tile::TargetInfo &info =
        tile::getTargetInfo(static_cast<tile::Target>(number));
    if (info.cpu.rtrim('a') == arch)
      return std::min<int64_t>(info.maxClusterSize, kPortable);
  }
  return 1;
}

/// Whether a kernel whose operands have been read goes through them from the
/// end, where the last one that read them began at their start.
bool PointwiseLegalizer::turnAround(const KernelSpec &spec,
                                    const KernelBuffers &buffers) {
  auto isWhole = [&](const Buffer &buffer) {
    for (auto [extent, stride] : llvm::zip_equal(spec.shape, buffer.strides))
      if (extent != 1 && stride == 0)
        return false;
    return buffer.operand >= 0 && !buffer.isWritten;
  };
  bool isBackwards = llvm::any_of(buffers.list, [&](const Buffer &buffer) {
    auto found = wasBackwards.find(buffer.operand);
    return isWhole(buffer) && found != wasBackwards.end() && !found->second;
  });
  for (const Buffer &buffer : buffers.list)
    if (isWhole(buffer))
      wasBackwards[buffer.operand] = isBackwards;
  return isBackwards;
}

void PointwiseLegalizer::launch(const KernelSpec &spec, KernelBuffers &buffers,
                                const Space &space, int64_t rank) {
  buffers.isBackwards = turnAround(spec, buffers);
  buffers.isChained = isChained();
  MLIRContext *context = graph.getContext();
  OpBuilder builder = OpBuilder::atBlockEnd(into.getBody());
  tile::FeatureSet features =
      buffers.isChained ? tile::FeatureSet(tile::DependentLaunch) : 0;
  if (space.cluster > 1)
    features |= tile::Cluster;
  auto kernel = tile::KernelOp::create(
      builder, graph.getLoc(), "kernel",
      static_cast<uint32_t>(space.numWarps()),
      getTargets(context, features, space.cluster), getCluster(space, builder),
      getMinBlocks(spec, space, builder),
      /*shared_bytes=*/nullptr);
  kernel.getBody().emplaceBlock();
  if (!space.isLooped && !spec.isElementwise())
    formulas.require(space.numColumns,
                     space.tileColumns - (space.getSpan() - space.numColumns));
  if (space.chunks)
    formulas.require(space.numColumns,
                     space.chunks * space.tileColumns * space.cluster);
  RowKernel writer(spec, buffers, space, rank, kernel, formulas);
  ArrayAttr arguments = writer.writeParameters();
  std::optional<KernelClassWords> words;
  if (formulas.isStatic() && !isAtomic)
    words = classifier.describe(spec, buffers, space, rank);
  if (words && leaveOut(kernel, *words, graph)) {
    kernel = findNamed(kernel, kernel.getSymName());
  } else {
    arguments = writer.writeBody();
    kernel = nameKernel(kernel, spec, space, buffers.list.back().elementType);
    if (words)
      confirmClass(kernel, *words, graph);
  }
  builder.setInsertionPointToEnd(&program.getBody().front());
  plan::LaunchOp::create(
      builder, graph.getLoc(),
      FlatSymbolRefAttr::get(context, kernel.getSymName()),
      AffineMapAttr::get(getMap(formulas.get(space.numBlocks(spec, formulas)))),
      /*at_most=*/nullptr,
      buffers.isChained ? builder.getUnitAttr() : UnitAttr(), arguments);
}
