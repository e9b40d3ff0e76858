//===- OperationGraph.h - Programs given to cuDNN ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_CUDNN_OPERATIONGRAPH_H
#define OPGRAPH_RUNTIME_CUDNN_OPERATIONGRAPH_H

#include "runtime/Cudnn/Descriptor.h"

namespace opgraph::runtime::cudnn {

/// The device that is planned for: number `ordinal`, whose context is current,
/// or that of a description.
og_status makeDevice(const Library &library, int32_t ordinal, const char *json,
                     BackendDescriptor &device);

/// An operation graph, finalised, with all that it is made of.
class OperationGraph {
public:
  /// Makes the descriptors of a program that checkProgram has passed.
  og_status build(const Library &library, const ProgramView &program);

  const BackendDescriptor &graph() const { return descriptors.back(); }

private:
  og_status setRecord(BackendDescriptor &descriptor,
                      const og_cudnn_record &record, const uint64_t *words);

  std::vector<BackendDescriptor> descriptors;
};

/// A configuration of an engine: the descriptors that it consists of.
struct EngineConfig {
  BackendDescriptor engine;
  std::vector<BackendDescriptor> choices;
  BackendDescriptor config;
};

/// Finalises the engine with number `index` for a graph.
og_status makeEngine(const Library &library, const BackendDescriptor &graph,
                     const BackendDescriptor &device, int64_t index,
                     BackendDescriptor &engine);

/// Finalises a configuration. Knobs that are not named are the library's.
og_status makeConfig(const Library &library, const BackendDescriptor &graph,
                     const BackendDescriptor &device, int64_t index,
                     const og_knob *knobs, size_t numKnobs,
                     EngineConfig &config);

/// Finalises the plan of a configuration, which may compile.
og_status makePlan(const Library &library, const BackendDescriptor &device,
                   const EngineConfig &config, BackendDescriptor &plan);

/// A plan from its serialised form.
og_status restorePlan(const Library &library, const BackendDescriptor &device,
                      const char *serialized, size_t length,
                      BackendDescriptor &plan);

} // namespace opgraph::runtime::cudnn

#endif // OPGRAPH_RUNTIME_CUDNN_OPERATIONGRAPH_H
