//===- Interpreter.cpp - Run a tile kernel on the CPU ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Interpreter.h"
#include "codegen/TileInterpreter/Machine.h"

#include <numeric>

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

namespace {
/// One schedule: its memory, and where its components begin.
class ScheduleRun {
public:
  ScheduleRun(const KernelProgram &program, const Launch &launch,
              const Options &options, unsigned schedule)
      : program(program), launch(launch), options(options), schedule(schedule) {
  }

  std::optional<Fault> run();
  std::vector<std::vector<uint8_t>> outputs() const;
  std::vector<std::vector<bool>> written() const;
  uint64_t steps = 0;

private:
  void addBuffers();
  SmallVector<interp::Value> makeArguments();
  std::optional<Fault> runWorld(ArrayRef<int64_t> clusters);
  std::optional<Fault> checkOutputs();

  const KernelProgram &program;
  const Launch &launch;
  const Options &options;
  unsigned schedule;
  std::vector<std::unique_ptr<GlobalBuffer>> buffers;
  SmallVector<interp::Value> arguments;
  uint32_t nextComponent = 0;
  uint64_t worlds = 0;
};
} // namespace

static Policy policyOf(unsigned schedule) {
  using Order = Policy::Order;
  using Pace = Policy::Pace;
  switch (schedule) {
  case 0:
    return {Order::RoundRobin, Pace::AtOnce, Pace::AtOnce, Pace::AtOnce,
            Pace::AtOnce};
  case 1:
    return {Order::Forward, Pace::AtOnce, Pace::Late, Pace::AtOnce, Pace::Late};
  case 2:
    return {Order::Backward, Pace::Late, Pace::Late, Pace::Late, Pace::Late};
  case 3:
    return {Order::RoundRobin, Pace::AtOnce, Pace::AtOnce, Pace::Late,
            Pace::Late};
  default:
    return {Order::Random, Pace::Random, Pace::Random, Pace::Random,
            Pace::Random};
  }
}

/// Bytes of the elements that a parameter's type speaks of.
static int64_t elementBytes(Type type) {
  Type element;
  if (auto pointer = dyn_cast<PtrType>(type))
    element = pointer.getElementType();
  if (auto map = dyn_cast<TensorMapType>(type))
    element = map.getElementType();
  std::optional<Format> format =
      element ? formatOf(element) : std::optional<Format>();
  return format ? bytesOf(*format) : 1;
}

/// Whether a kernel may write through a parameter.
static bool mayWrite(BlockArgument parameter) {
  if (auto pointer = dyn_cast<PtrType>(parameter.getType()))
    return !pointer.getReadonly();
  return llvm::any_of(parameter.getUsers(), [](Operation *user) {
    return !isa<TensorLoadOp, PrefetchMapOp>(user);
  });
}

void ScheduleRun::addBuffers() {
  KernelOp kernel = program.op;
  Block &body = kernel.getBody().front();
  for (auto [index, buffer] : llvm::enumerate(launch.buffers)) {
    int64_t granularity = 0;
    bool isWritten = false;
    for (auto [argument, parameter] :
         llvm::zip(launch.arguments, body.getArguments())) {
      if (argument.kind == Argument::Kind::Scalar || argument.buffer != index)
        continue;
      int64_t bytes = elementBytes(parameter.getType());
      // Arguments of several types share cells of their common size.
      granularity = std::gcd(std::gcd(granularity, bytes), argument.offset);
      isWritten |= mayWrite(parameter);
    }
    auto made = std::make_unique<GlobalBuffer>(
        buffer.name, int64_t(buffer.bytes.size()),
        std::max<int64_t>(1, granularity), buffer.islands);
    made->isReadonly = !isWritten;
    bool hasContents = buffer.isInitialised || !buffer.written.empty();
    if (hasContents && !buffer.bytes.empty())
      std::copy(buffer.bytes.begin(), buffer.bytes.end(), made->at(0));
    for (int64_t at = 0; at < made->size(); at += made->getGranularity())
      if (buffer.written.empty() ? buffer.isInitialised : buffer.written[at])
        made->setWritten(buffer.islands.offsetOf(at), 1);
    buffers.push_back(std::move(made));
  }
}

static std::shared_ptr<TensorMapModel>
makeMap(const Argument &argument, TensorMapType type, GlobalBuffer &buffer) {
  auto map = std::make_shared<TensorMapModel>();
  map->buffer = &buffer;
  map->offset = argument.offset;
  map->format = *formatOf(type.getElementType());
  map->extents.assign(argument.extents.begin(), argument.extents.end());
  for (int64_t stride : argument.strides)
    map->strides.push_back(stride * int64_t(bytesOf(map->format)));
  map->box.assign(type.getBox().begin(), type.getBox().end());
  map->lower.assign(argument.lower.begin(), argument.lower.end());
  map->upper.assign(argument.upper.begin(), argument.upper.end());
  map->steps.assign(argument.steps.begin(), argument.steps.end());
  return map;
}

SmallVector<interp::Value> ScheduleRun::makeArguments() {
  KernelOp kernel = program.op;
  SmallVector<interp::Value> values;
  for (auto [argument, parameter] :
       llvm::zip(launch.arguments, kernel.getBody().front().getArguments())) {
    switch (argument.kind) {
    case Argument::Kind::Scalar:
      values.push_back(argument.scalar);
      break;
    case Argument::Kind::Pointer:
      values.push_back(
          PointerValue{buffers[argument.buffer].get(), argument.offset});
      break;
    case Argument::Kind::TensorMap:
      values.push_back(
          MapValue{makeMap(argument, cast<TensorMapType>(parameter.getType()),
                           *buffers[argument.buffer])});
      break;
    }
  }
  return values;
}

/// Runs the CTAs of some clusters together.
std::optional<Fault> ScheduleRun::runWorld(ArrayRef<int64_t> clusters) {
  World world(program, policyOf(schedule),
              options.seed * 1000 + schedule * 100 + ++worlds, nextComponent);
  const int64_t *shape = program.cluster;
  int64_t along[3];
  for (unsigned axis = 0; axis < 3; ++axis) {
    world.grid[axis] = launch.grid[axis];
    along[axis] = launch.grid[axis] / shape[axis];
  }
  for (int64_t cluster : clusters) {
    int64_t corner[3] = {cluster % along[0] * shape[0],
                         cluster / along[0] % along[1] * shape[1],
                         cluster / along[0] / along[1] * shape[2]};
    auto first = uint32_t(world.ctas.size());
    for (int64_t rank = 0; rank < shape[0] * shape[1] * shape[2]; ++rank) {
      int64_t in[3] = {rank % shape[0], rank / shape[0] % shape[1],
                       rank / shape[0] / shape[1]};
      int64_t id[3] = {corner[0] + in[0], corner[1] + in[1], corner[2] + in[2]};
      world.addCta(id, first, uint32_t(rank), in);
    }
  }
  world.addAgents(arguments);
  world.run(options.maxSteps - steps);
  steps += world.steps;
  nextComponent += world.components;
  return std::move(world.fault);
}

/// Every byte of an output that must be written.
std::optional<Fault> ScheduleRun::checkOutputs() {
  for (auto [buffer, made] : llvm::zip(launch.buffers, buffers)) {
    for (int64_t at = 0; buffer.mustBeWritten && at < made->size();
         at += made->getGranularity()) {
      if (made->isWritten(at))
        continue;
      return Fault{FaultKind::UninitialisedRead,
                   program.op,
                   "byte " + std::to_string(at) + " of output '" + buffer.name +
                       "' has not been written at the end",
                   {},
                   schedule};
    }
  }
  return std::nullopt;
}

std::optional<Fault> ScheduleRun::run() {
  addBuffers();
  arguments = makeArguments();
  int64_t total = 1;
  for (unsigned axis = 0; axis < 3; ++axis)
    total *= launch.grid[axis] / program.cluster[axis];
  std::vector<int64_t> clusters(total);
  std::iota(clusters.begin(), clusters.end(), 0);
  // Schedules take the clusters in other orders, which no kernel may notice.
  if (schedule % 2 == 1)
    std::reverse(clusters.begin(), clusters.end());
  std::optional<Fault> fault;
  if (program.needsWholeGrid)
    fault = runWorld(clusters);
  for (int64_t i = 0; i < total && !program.needsWholeGrid && !fault; ++i)
    fault = runWorld(clusters[i]);
  if (!fault)
    fault = checkOutputs();
  if (fault)
    fault->schedule = schedule;
  return fault;
}

std::vector<std::vector<uint8_t>> ScheduleRun::outputs() const {
  std::vector<std::vector<uint8_t>> contents;
  for (const std::unique_ptr<GlobalBuffer> &buffer : buffers)
    contents.push_back(buffer->getBytes());
  return contents;
}

std::vector<std::vector<bool>> ScheduleRun::written() const {
  std::vector<std::vector<bool>> masks;
  for (const std::unique_ptr<GlobalBuffer> &buffer : buffers) {
    std::vector<bool> &mask = masks.emplace_back(buffer->size());
    for (int64_t at = 0; at < buffer->size(); ++at)
      mask[at] = buffer->isWritten(buffer->getIslands().offsetOf(at));
  }
  return masks;
}

//===----------------------------------------------------------------------===//
// Entry
//===----------------------------------------------------------------------===//

/// A tensor map's tensor has the box's rank, and its corners and steps if and
/// only if the copies are im2col.
static LogicalResult checkMap(KernelOp kernel, size_t index,
                              const Argument &argument, TensorMapType map) {
  size_t rank = map.getBox().size();
  if (argument.extents.size() != rank || argument.strides.size() != rank)
    return kernel.emitOpError("argument ")
           << index << ": expected a tensor of rank " << rank << ", got "
           << argument.extents.size();
  size_t walked = map.getIm2col() ? rank - 2 : 0;
  if (argument.lower.size() != walked || argument.upper.size() != walked ||
      argument.steps.size() != walked || llvm::is_contained(argument.steps, 0))
    return kernel.emitOpError("argument ")
           << index << ": expected " << walked
           << " lower corners, upper corners and steps, got "
           << argument.lower.size() << ", " << argument.upper.size() << " and "
           << argument.steps.size();
  return success();
}

/// Whether the launch fits the kernel.
static LogicalResult checkLaunch(KernelOp kernel, const KernelProgram &program,
                                 const Launch &launch) {
  Block &body = kernel.getBody().front();
  if (launch.arguments.size() != body.getNumArguments())
    return kernel.emitOpError("takes ")
           << body.getNumArguments() << " arguments, got "
           << launch.arguments.size();
  for (unsigned axis = 0; axis < 3; ++axis)
    if (launch.grid[axis] < 1 || launch.grid[axis] % program.cluster[axis] != 0)
      return kernel.emitOpError("expected the grid's axis ")
             << axis << " (" << launch.grid[axis] << ") to be a multiple of "
             << program.cluster[axis];
  for (auto [index, argument] : llvm::enumerate(launch.arguments)) {
    Type type = body.getArgument(index).getType();
    auto kind = isa<PtrType>(type)         ? Argument::Kind::Pointer
                : isa<TensorMapType>(type) ? Argument::Kind::TensorMap
                                           : Argument::Kind::Scalar;
    if (argument.kind != kind || (kind != Argument::Kind::Scalar &&
                                  argument.buffer >= launch.buffers.size()))
      return kernel.emitOpError("argument ")
             << index << " does not fit its type, " << type;
    if (auto map = dyn_cast<TensorMapType>(type);
        map && failed(checkMap(kernel, index, argument, map)))
      return failure();
  }
  return success();
}

/// Whether sums of floats are made in the order that elements come.
static bool hasFloatAtomics(KernelOp kernel) {
  auto combinesFloats = [](std::optional<Combine> combine, Type element) {
    return combine && isa<FloatType>(element) &&
           (*combine == Combine::add || *combine == Combine::mul);
  };
  WalkResult result = kernel.walk([&](Operation *op) {
    bool found = false;
    if (auto scatter = dyn_cast<ScatterOp>(op))
      found = combinesFloats(scatter.getCombine(),
                             scatter.getTile().getType().getElementType());
    if (auto store = dyn_cast<TensorStoreOp>(op))
      found = combinesFloats(store.getCombine(),
                             store.getFrom().getType().getElementType());
    if (auto store = dyn_cast<BulkStoreOp>(op))
      found = combinesFloats(store.getCombine(),
                             store.getFrom().getType().getElementType());
    return found ? WalkResult::interrupt() : WalkResult::advance();
  });
  return result.wasInterrupted();
}

/// A fault where `outputs` are not the first schedule's.
static std::optional<Fault>
compare(KernelOp kernel, const Launch &launch,
        const std::vector<std::vector<uint8_t>> &first,
        const std::vector<std::vector<uint8_t>> &outputs, unsigned schedule) {
  for (size_t i = 0; i < outputs.size(); ++i) {
    if (first[i] == outputs[i])
      continue;
    size_t at =
        std::mismatch(first[i].begin(), first[i].end(), outputs[i].begin())
            .first -
        first[i].begin();
    return Fault{FaultKind::DependsOnSchedule,
                 kernel,
                 "byte " + std::to_string(at) + " of '" +
                     launch.buffers[i].name + "'",
                 {},
                 schedule};
  }
  return std::nullopt;
}

FailureOr<Report> opgraph::tile::interp::interpret(KernelOp kernel,
                                                   const Launch &launch,
                                                   const Options &options) {
  FailureOr<std::unique_ptr<KernelProgram>> program = compileKernel(kernel);
  if (failed(program) || failed(checkLaunch(kernel, **program, launch)))
    return failure();
  Report report;
  bool isExact = !hasFloatAtomics(kernel);
  for (unsigned schedule = 0; schedule < options.schedules; ++schedule) {
    ScheduleRun run(**program, launch, options, schedule);
    std::optional<Fault> fault = run.run();
    report.steps += run.steps;
    std::vector<std::vector<uint8_t>> outputs = run.outputs();
    if (!fault && schedule > 0 && isExact)
      fault = compare(kernel, launch, report.outputs, outputs, schedule);
    if (schedule == 0) {
      report.outputs = std::move(outputs);
      report.written = run.written();
    }
    if (fault) {
      report.faults.push_back(std::move(*fault));
      break;
    }
  }
  return report;
}
