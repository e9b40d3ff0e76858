//===- Graph.cpp - Plans in CUDA graphs -----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// A plan becomes a chain of nodes, one for each step that does something, in a
/// graph that the caller made; an update finds them again by walking the chain.
///
//===----------------------------------------------------------------------===//

#include "runtime/Cuda/Cuda.h"
#include "runtime/Cuda/Launch.h"
#include "runtime/Cudnn/Steps.h"
#include "runtime/Error.h"

#include <alloca.h>

using namespace opgraph::runtime;
using namespace opgraph::runtime::cuda;

namespace {

/// Writes the steps of one execution into a graph.
class GraphWriter {
public:
  GraphWriter(const og_plan &plan, const og_variant_pack &pack,
              const Execution &execution, Graph graph)
      : plan(plan), pack(pack), execution(execution), driver(*execution.driver),
        graph(graph) {}

  og_status populate();
  og_status update();
  /// Keeps the plan while the graph, or a copy of it, lives.
  og_status retain();

private:
  bool isIdle(size_t step) const;
  KernelNode kernelNode(size_t step) const;
  MemsetNode memsetNode(size_t step) const;
  og_status writeCudnn(size_t step, Graph child, bool update) const;
  og_status addCudnn(size_t step);
  og_status setCudnn(size_t step, GraphNode node) const;
  int add(size_t step);
  int set(size_t step, GraphNode node) const;
  og_status cannot(size_t step, const char *what, int result) const;
  /// The node after `node`, or the root for null; an error unless it is one.
  og_status next(GraphNode &node, bool &found) const;
  og_status mismatch(const char *what) const;

  const og_plan &plan;
  const og_variant_pack &pack;
  const Execution &execution;
  const Driver &driver;
  Graph graph;
  GraphNode last = nullptr;
};

void releasePlan(void *plan) { og_plan_release(static_cast<og_plan *>(plan)); }

} // namespace

/// Steps that do nothing have no node.
bool GraphWriter::isIdle(size_t step) const {
  const int64_t (&numbers)[3] = execution.block->steps[step];
  if (plan.program->steps[step].cudnn >= 0)
    return false;
  if (plan.program->steps[step].kernel < 0)
    return numbers[1] == 0;
  return isIdleLaunch(plan.program->steps[step], numbers);
}

KernelNode GraphWriter::kernelNode(size_t index) const {
  const StepPlan &step = plan.program->steps[index];
  const KernelLaunch &kernel = execution.prepared->kernels[step.kernel];
  const int64_t (&grid)[3] = execution.block->steps[index];
  return {kernel.function,
          unsigned(grid[0]),
          unsigned(grid[1]),
          unsigned(grid[2]),
          kernel.threads,
          1,
          1,
          kernel.sharedBytes,
          execution.block->params + step.firstArg,
          nullptr,
          nullptr,
          execution.prepared->device->context};
}

MemsetNode GraphWriter::memsetNode(size_t index) const {
  const int64_t (&range)[3] = execution.block->steps[index];
  size_t bytes = size_t(range[1]);
  return {reinterpret_cast<uintptr_t>(pack.workspace) + uint64_t(range[0]),
          bytes,
          plan.program->steps[index].fillValue,
          1,
          bytes,
          1};
}

/// Adds a node after the last one; the driver's code.
int GraphWriter::add(size_t index) {
  const StepPlan &step = plan.program->steps[index];
  GraphNode node = nullptr;
  size_t dependencies = last ? 1 : 0;
  if (step.kernel < 0) {
    MemsetNode memset = memsetNode(index);
    int result =
        driver.graphAddMemset(&node, graph, &last, dependencies, &memset,
                              execution.prepared->device->context);
    last = node;
    return result;
  }
  KernelNode kernel = kernelNode(index);
  int result =
      driver.graphAddKernel(&node, graph, &last, dependencies, &kernel);
  last = node;
  const KernelLaunch &launch = execution.prepared->kernels[step.kernel];
  if (result || !launch.hasCluster)
    return result;
  LaunchAttribute::Value value = {};
  value.cluster = {launch.cluster[0], launch.cluster[1], launch.cluster[2]};
  return driver.graphSetKernelAttribute(node, LaunchAttribute::ClusterDimension,
                                        &value);
}

int GraphWriter::set(size_t index, GraphNode node) const {
  if (plan.program->steps[index].kernel < 0) {
    MemsetNode memset = memsetNode(index);
    return driver.graphSetMemset(node, &memset);
  }
  KernelNode kernel = kernelNode(index);
  return driver.graphSetKernel(node, &kernel);
}

og_status GraphWriter::cannot(size_t step, const char *what, int result) const {
  return failCuda(driver, result,
                  "plan '%s': cannot %s step %zu of the CUDA graph",
                  plan.name(), what, step);
}

og_status GraphWriter::writeCudnn(size_t index, Graph child,
                                  bool update) const {
  const StepPlan &step = plan.program->steps[index];
  return cudnn::writeStepGraph(
      plan, *execution.prepared->cudnn, size_t(step.cudnn),
      execution.block->params + step.firstArg,
      static_cast<char *>(pack.workspace) + execution.block->steps[index][0],
      child, update);
}

/// Adds what cuDNN makes of a step as a graph of its own.
og_status GraphWriter::addCudnn(size_t index) {
  Graph child = nullptr;
  if (int result = driver.graphCreate(&child, 0))
    return cannot(index, "add", result);
  og_status status = writeCudnn(index, child, /*update=*/false);
  GraphNode node = nullptr;
  int result = 0;
  if (status == OG_OK)
    result = driver.graphAddChild(&node, graph, &last, last ? 1 : 0, child);
  // The node holds a copy.
  driver.graphDestroy(child);
  last = node;
  return status == OG_OK && result ? cannot(index, "add", result) : status;
}

og_status GraphWriter::setCudnn(size_t index, GraphNode node) const {
  Graph child = nullptr;
  if (int result = driver.graphGetChild(node, &child))
    return cannot(index, "update", result);
  return writeCudnn(index, child, /*update=*/true);
}

og_status GraphWriter::mismatch(const char *what) const {
  return fail(OG_INVALID_ARGUMENT,
              "plan '%s': the CUDA graph is not one that was populated with "
              "it: %s",
              plan.name(), what);
}

og_status GraphWriter::next(GraphNode &node, bool &found) const {
  // Room for two tells a chain from what is none.
  GraphNode nodes[2] = {};
  size_t count = 2;
  int result = node ? driver.graphGetDependents(node, nodes, &count)
                    : driver.graphGetRootNodes(graph, nodes, &count);
  if (result)
    return failCuda(driver, result, "plan '%s': the CUDA graph", plan.name());
  found = count > 0 && nodes[0];
  if (count > 1 && nodes[1])
    return mismatch("it has several nodes side by side");
  node = nodes[0];
  return OG_OK;
}

og_status GraphWriter::populate() {
  size_t roots = 0;
  if (int result = driver.graphGetRootNodes(graph, nullptr, &roots))
    return failCuda(driver, result, "plan '%s': the CUDA graph", plan.name());
  if (roots)
    return fail(OG_INVALID_ARGUMENT,
                "plan '%s': expected an empty CUDA graph, got one of %zu roots",
                plan.name(), roots);
  for (size_t i = 0; i < plan.program->steps.size(); ++i) {
    if (isIdle(i))
      continue;
    if (plan.program->steps[i].cudnn >= 0) {
      if (og_status status = addCudnn(i))
        return status;
    } else if (int result = add(i)) {
      return cannot(i, "add", result);
    }
  }
  return OG_OK;
}

og_status GraphWriter::update() {
  GraphNode node = nullptr;
  bool found = false;
  for (size_t i = 0; i < plan.program->steps.size(); ++i) {
    if (isIdle(i))
      continue;
    if (og_status status = next(node, found))
      return status;
    int type = -1;
    int expected = plan.program->steps[i].kernel >= 0  ? NodeKernel
                   : plan.program->steps[i].cudnn >= 0 ? NodeGraph
                                                       : NodeMemset;
    if (!found || driver.graphGetNodeType(node, &type) || type != expected)
      return mismatch(found ? "a node is of another kind"
                            : "it has too few nodes");
    if (expected == NodeGraph) {
      if (og_status status = setCudnn(i, node))
        return status;
    } else if (int result = set(i, node)) {
      return cannot(i, "update", result);
    }
  }
  if (og_status status = next(node, found))
    return status;
  return found ? mismatch("it has too many nodes") : OG_OK;
}

og_status GraphWriter::retain() {
  UserObject object = nullptr;
  auto *handle = const_cast<og_plan *>(&plan);
  og_plan_retain(handle);
  int result = driver.userObjectCreate(&object, handle, releasePlan, 1,
                                       UserObjectNoSync);
  if (result)
    og_plan_release(handle);
  else
    result = driver.graphRetainUserObject(graph, object, 1, RetainMove);
  if (result)
    return failCuda(driver, result, "plan '%s': the CUDA graph cannot keep it",
                    plan.name());
  return OG_OK;
}

static og_status checkCall(const og_plan *plan, const og_variant_pack *pack,
                           void *graph, const char *function) {
  if (!plan || !pack || !graph)
    return fail(OG_INVALID_ARGUMENT, "%s: %s is null", function,
                !plan   ? "plan"
                : !pack ? "pack"
                        : "graph");
  if (!plan->isCuda())
    return fail(OG_UNSUPPORTED, "%s: plan '%s' runs on the host", function,
                plan->name());
  return checkPack(*plan, *pack);
}

/// Makes the execution and gives it to `body(writer)`.
template <typename Body>
static og_status withWriter(const og_plan &plan, const og_variant_pack &pack,
                            void *graph, void *storage, void *memory,
                            Body &&body) {
  Execution execution;
  if (og_status status = makeExecution(plan, pack, /*stream=*/nullptr, storage,
                                       memory, execution))
    return status;
  if (!execution.prepared)
    return OG_OK;
  const Driver &driver = *execution.driver;
  if (!driver.graphAddKernel || !driver.graphSetKernel ||
      !driver.graphGetDependents ||
      (!plan.program->cudnn.empty() &&
       (!driver.graphCreate || !driver.graphDestroy || !driver.graphAddChild ||
        !driver.graphGetChild)))
    return fail(OG_UNSUPPORTED,
                "plan '%s': the CUDA driver %d.%d has no graphs of this form: "
                "expected at least 12.0",
                plan.name(), driver.version / 1000, driver.version % 1000 / 10);
  ContextScope scope(driver, execution.prepared->device->context);
  GraphWriter writer(plan, pack, execution, static_cast<Graph>(graph));
  return body(writer);
}

extern "C" {

og_status og_plan_populate_graph(og_plan *plan, const og_variant_pack *pack,
                                 void *graph, int32_t retain) {
  if (og_status status = checkCall(plan, pack, graph, "og_plan_populate_graph"))
    return status;
  void *storage = alloca(plan->frameBytes);
  void *memory = alloca(cudaBlockBytes(*plan));
  return withWriter(
      *plan, *pack, graph, storage, memory, [&](GraphWriter &writer) {
        og_status status = writer.populate();
        return status == OG_OK && retain ? writer.retain() : status;
      });
}

og_status og_plan_update_graph(og_plan *plan, const og_variant_pack *pack,
                               void *graph) {
  if (og_status status = checkCall(plan, pack, graph, "og_plan_update_graph"))
    return status;
  void *storage = alloca(plan->frameBytes);
  void *memory = alloca(cudaBlockBytes(*plan));
  return withWriter(*plan, *pack, graph, storage, memory,
                    [](GraphWriter &writer) { return writer.update(); });
}
}
