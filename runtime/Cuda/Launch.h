//===- Launch.h - Enqueuing the steps of a plan -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_CUDA_LAUNCH_H
#define OPGRAPH_RUNTIME_CUDA_LAUNCH_H

#include "runtime/Binding.h"
#include "runtime/Cuda/Program.h"

#include <optional>

namespace opgraph::runtime::cuda {

/// One execution, checked: all that is left is to enqueue the steps.
struct Execution {
  std::optional<Frame> frame;
  const Driver *driver = nullptr;
  /// Null when there is nothing to do.
  const PreparedDevice *prepared = nullptr;
  std::optional<Block> block;
  int64_t workspace = 0;
};

/// Checks everything and makes the parameters of all kernels (Execute.cpp).
/// `storage` has plan.frameBytes, `memory` cudaBlockBytes bytes.
og_status makeExecution(const og_plan &plan, const og_variant_pack &pack,
                        Stream stream, void *storage, void *memory,
                        Execution &execution);

/// Refuses grids that no cluster divides, and fills beyond the workspace.
og_status checkSteps(const og_plan &plan, const Execution &execution);

/// Enqueues all steps on `stream` of the device's context.
og_status launchSteps(const og_plan &plan, const Execution &execution,
                      const og_variant_pack &pack, Stream stream);

/// Fills the elements of the outputs (those that lie in runs of whole bytes)
/// and the workspace with one-bits, as poisonOutputs does on the host.
og_status poisonDevice(const og_plan &plan, const Driver &driver,
                       const Frame &frame, const og_variant_pack &pack,
                       Stream stream);

} // namespace opgraph::runtime::cuda

#endif // OPGRAPH_RUNTIME_CUDA_LAUNCH_H
