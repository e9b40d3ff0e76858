//===- Steps.cpp - The cuDNN steps of a plan ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cudnn/Steps.h"

#include "runtime/Cuda/Program.h"
#include "runtime/Cudnn/OperationGraph.h"
#include "runtime/Error.h"
#include "runtime/Log.h"
#include "runtime/Plan.h"
#include "runtime/VerifierContext.h"

#include <string>

using namespace opgraph::runtime;
using namespace opgraph::runtime::cudnn;
namespace fb = opgraph::planfile::fb;

static_assert(sizeof(fb::CudnnRecord) == sizeof(og_cudnn_record) &&
                  alignof(fb::CudnnRecord) == alignof(og_cudnn_record),
              "a record of a file is read in place");

ProgramView
opgraph::runtime::cudnn::programOf(const fb::CudnnExecute &execute) {
  return {execute.kinds()->data(),
          execute.kinds()->size(),
          reinterpret_cast<const og_cudnn_record *>(execute.records()->Data()),
          execute.records()->size(),
          execute.words()->data(),
          execute.words()->size()};
}

namespace {

/// Makes the plans of one program's steps.
class StepPreparer {
public:
  StepPreparer(const og_plan &plan, const Library &library,
               const cuda::DeviceState &device)
      : plan(plan), library(library), state(device) {}

  og_status prepare(size_t index, const fb::CudnnExecute &execute,
                    BackendDescriptor &out);

private:
  og_status restore(const fb::CudnnExecute &execute, BackendDescriptor &out);
  og_status replay(const fb::CudnnExecute &execute, BackendDescriptor &out);
  og_status checkWorkspace(const fb::CudnnExecute &execute,
                           const BackendDescriptor &made);

  const og_plan &plan;
  const Library &library;
  const cuda::DeviceState &state;
  BackendDescriptor device;
};

} // namespace

og_status StepPreparer::restore(const fb::CudnnExecute &execute,
                                BackendDescriptor &out) {
  // A copy with an end: the library reads it as text.
  std::string text(execute.serialized()->begin(), execute.serialized()->end());
  return restorePlan(library, device, text.c_str(), text.size(), out);
}

og_status StepPreparer::replay(const fb::CudnnExecute &execute,
                               BackendDescriptor &out) {
  std::vector<og_knob> knobs;
  if (execute.knobs())
    for (const fb::Knob *knob : *execute.knobs())
      knobs.push_back({knob->type(), knob->value()});
  OperationGraph graph;
  if (og_status status = graph.build(library, programOf(execute)))
    return status;
  EngineConfig config;
  if (og_status status =
          makeConfig(library, graph.graph(), device, execute.engine(),
                     knobs.data(), knobs.size(), config))
    return status;
  return makePlan(library, device, config, out);
}

og_status StepPreparer::checkWorkspace(const fb::CudnnExecute &execute,
                                       const BackendDescriptor &made) {
  int64_t bytes = 0;
  if (og_status status =
          made.getInteger(ATTR_EXECUTION_PLAN_WORKSPACE_SIZE, &bytes))
    return status;
  if (bytes >= 0 && uint64_t(bytes) <= execute.bytes())
    return OG_OK;
  return fail(
      OG_VERSION_MISMATCH,
      "plan '%s': engine %lld of cuDNN %s needs %lld bytes of workspace "
      "on CUDA device %d, the plan was made for %llu: make it anew",
      plan.name(), static_cast<long long>(execute.engine()),
      versionText(library.version).c_str(), static_cast<long long>(bytes),
      state.ordinal, static_cast<unsigned long long>(execute.bytes()));
}

og_status StepPreparer::prepare(size_t index, const fb::CudnnExecute &execute,
                                BackendDescriptor &out) {
  if (!device)
    if (og_status status = makeDevice(library, state.ordinal, nullptr, device))
      return status;
  bool isSerialized = length(execute.serialized()) > 0;
  bool isSame = isSerialized && int(execute.library()) == library.version;
  if (!isSame)
    logf(OG_LOG_INFO,
         "plan '%s': cuDNN step %zu is made anew by cuDNN %s: the file %s%s",
         plan.name(), index, versionText(library.version).c_str(),
         isSerialized ? "is of " : "holds no serialised plan",
         isSerialized ? versionText(int(execute.library())).c_str() : "");
  if (og_status status = isSame ? restore(execute, out) : replay(execute, out))
    return status;
  return checkWorkspace(execute, out);
}

static bool readsHost(const fb::CudnnExecute &execute) {
  for (const fb::LaunchArg *arg : *execute.args())
    if (arg->kind() != fb::ArgKind_Pointer &&
        arg->kind() != fb::ArgKind_Scratch)
      return true;
  return false;
}

og_status opgraph::runtime::cudnn::prepareSteps(
    const og_plan &plan, const std::vector<const fb::CudnnExecute *> &steps,
    const cuda::DeviceState &device,
    std::shared_ptr<const PreparedSteps> &out) {
  auto prepared = std::make_shared<PreparedSteps>();
  if (og_status status = getLibrary(&prepared->library))
    return status;
  if (og_status status = openBlas(*prepared->library))
    return status;
  if (og_status status =
          StatePool::get(*prepared->library, device.ordinal, &prepared->pool))
    return status;
  StepPreparer preparer(plan, *prepared->library, device);
  for (size_t i = 0; i < steps.size(); ++i) {
    BackendDescriptor made;
    if (og_status status = preparer.prepare(i, *steps[i], made))
      return status;
    prepared->plans.push_back(std::move(made));
    prepared->readsHost.push_back(readsHost(*steps[i]));
  }
  out = std::move(prepared);
  return OG_OK;
}

//===----------------------------------------------------------------------===//
// Execution
//===----------------------------------------------------------------------===//

static int setPack(const Library &library, Desc pack,
                   const fb::CudnnExecute &execute, void *const *data,
                   void *workspace) {
  // Lets a pack that an execution has finalised be set again.
  if (int code = library.initialize(pack))
    return code;
  int64_t count = execute.uids()->size();
  if (int code =
          library.setAttribute(pack, ATTR_VARIANT_PACK_UNIQUE_IDS, TYPE_INT64,
                               count, execute.uids()->data()))
    return code;
  if (int code = library.setAttribute(pack, ATTR_VARIANT_PACK_DATA_POINTERS,
                                      TYPE_VOID_PTR, count, data))
    return code;
  if (int code = library.setAttribute(pack, ATTR_VARIANT_PACK_WORKSPACE,
                                      TYPE_VOID_PTR, 1, &workspace))
    return code;
  return library.finalize(pack);
}

/// Fills a borrowed variant pack, unless it holds the same; the library's code.
static int fillPack(ExecutionState &state, const og_plan &plan,
                    const PreparedSteps &prepared, size_t index,
                    void *const *data, void *workspace) {
  const fb::CudnnExecute &execute = *plan.program->cudnn[index];
  const int64_t *uids = execute.uids()->data();
  size_t count = execute.uids()->size();
  bool mayStay = !prepared.readsHost[index];
  if (mayStay && state.contents.matches(uids, data, count, workspace))
    return StatusSuccess;
  state.contents.forget();
  int code = setPack(*prepared.library, state.pack, execute, data, workspace);
  if (code == StatusSuccess && mayStay)
    state.contents.remember(uids, data, count, workspace);
  return code;
}

static og_status failStep(const og_plan &plan, const PreparedSteps &prepared,
                          size_t index, int code, const char *what) {
  const fb::CudnnExecute &execute = *plan.program->cudnn[index];
  return failCudnn(
      *prepared.library, code,
      "plan '%s': cannot %s engine %lld of cuDNN %s (its step %zu)",
      plan.name(), what, static_cast<long long>(execute.engine()),
      versionText(prepared.library->version).c_str(), index);
}

og_status opgraph::runtime::cudnn::executeStep(const og_plan &plan,
                                               const PreparedSteps &prepared,
                                               size_t index, void *stream,
                                               void *const *data,
                                               void *workspace) {
  const Library &library = *prepared.library;
  StateLease state(*prepared.pool);
  int code = fillPack(*state, plan, prepared, index, data, workspace);
  if (code == StatusSuccess)
    code = library.setStream(state->handle, stream);
  if (code == StatusSuccess)
    code = library.execute(state->handle, prepared.plans[index].get(),
                           state->pack);
  return code ? failStep(plan, prepared, index, code, "execute") : OG_OK;
}

og_status opgraph::runtime::cudnn::writeStepGraph(
    const og_plan &plan, const PreparedSteps &prepared, size_t index,
    void *const *data, void *workspace, void *graph, bool update) {
  const Library &library = *prepared.library;
  StateLease state(*prepared.pool);
  int code = fillPack(*state, plan, prepared, index, data, workspace);
  auto write = update ? library.updateGraph : library.populateGraph;
  if (code == StatusSuccess)
    code =
        write(state->handle, prepared.plans[index].get(), state->pack, graph);
  return code ? failStep(plan, prepared, index, code, "write into a CUDA graph")
              : OG_OK;
}
