//===- Steps.h - The cuDNN steps of a plan ----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_CUDNN_STEPS_H
#define OPGRAPH_RUNTIME_CUDNN_STEPS_H

#include "runtime/Cuda/Devices.h"
#include "runtime/Cudnn/Pool.h"
#include "runtime/plan_generated.h"

#include <memory>

struct og_plan;

namespace opgraph::runtime::cudnn {

/// What one device needs to run the cuDNN steps of a plan.
struct PreparedSteps {
  const Library *library = nullptr;
  StatePool *pool = nullptr;
  /// By the step's number among the cuDNN steps.
  std::vector<BackendDescriptor> plans;
  /// Whether a step has operands that the library reads from the host.
  std::vector<bool> readsHost;
};

/// The operation graph of a step.
ProgramView programOf(const planfile::fb::CudnnExecute &execute);

/// Restores the plans of all steps where the library has the version that made
/// them, else makes them anew (and says so in the log), for the device, whose
/// context is current. May throw std::bad_alloc.
og_status
prepareSteps(const og_plan &plan,
             const std::vector<const planfile::fb::CudnnExecute *> &steps,
             const cuda::DeviceState &device,
             std::shared_ptr<const PreparedSteps> &out);

/// Enqueues step number `index`; `data` are what its uids are given.
og_status executeStep(const og_plan &plan, const PreparedSteps &prepared,
                      size_t index, void *stream, void *const *data,
                      void *workspace);

/// Adds the nodes of a step to an empty CUDA graph, or, with `update`, gives
/// nodes that it has added new data.
og_status writeStepGraph(const og_plan &plan, const PreparedSteps &prepared,
                         size_t index, void *const *data, void *workspace,
                         void *graph, bool update);

} // namespace opgraph::runtime::cudnn

#endif // OPGRAPH_RUNTIME_CUDNN_STEPS_H
