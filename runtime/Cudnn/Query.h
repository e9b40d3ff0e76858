//===- Query.h - cuDNN's answers about an operation graph -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_CUDNN_QUERY_H
#define OPGRAPH_RUNTIME_CUDNN_QUERY_H

#include "runtime/Cuda/Devices.h"
#include "runtime/Cudnn/OperationGraph.h"

#include <optional>

namespace opgraph::runtime::cudnn {

/// A configuration, read.
struct ConfigRecord {
  int64_t engine = 0;
  std::vector<og_knob> knobs;
  int64_t workspace = 0;
  int64_t sharedMemory = -1;
  std::vector<int32_t> numericalNotes;
  std::vector<int32_t> behaviorNotes;
};

} // namespace opgraph::runtime::cudnn

/// The graph behind the C API's handle.
struct og_cudnn_graph {
  const opgraph::runtime::cudnn::Library *library = nullptr;
  /// Null without a device.
  const opgraph::runtime::cuda::Driver *driver = nullptr;
  opgraph::runtime::cuda::Context context = nullptr;
  opgraph::runtime::cudnn::BackendDescriptor device;
  opgraph::runtime::cudnn::OperationGraph graph;
  std::vector<opgraph::runtime::cudnn::ConfigRecord> configs;
  opgraph::runtime::cudnn::ConfigRecord chosen;
  std::vector<og_cudnn_knob> knobs;
  std::vector<char> serialized;
};

namespace opgraph::runtime::cudnn {

/// Makes the graph's device current, where it has one.
class DeviceScope {
public:
  explicit DeviceScope(const og_cudnn_graph &graph) {
    if (graph.driver) {
      scope.emplace(*graph.driver, graph.context);
      relaxed.emplace(*graph.driver);
    }
  }

private:
  std::optional<cuda::ContextScope> scope;
  std::optional<cuda::RelaxedCapture> relaxed;
};

/// Asks the heuristics; the graph's configs are the answer.
og_status query(og_cudnn_graph &graph, int32_t mode);

/// Whether the library has an engine of this number for the graph.
og_status checkEngine(const og_cudnn_graph &graph, int64_t engine);

/// Reads the knobs, and the notes, of a finalised engine.
og_status readKnobInfo(const Library &library, const BackendDescriptor &engine,
                       std::vector<og_cudnn_knob> &knobs);
og_status readNotes(const BackendDescriptor &engine,
                    std::vector<int32_t> &numerical,
                    std::vector<int32_t> &behavior);

/// Reads a configuration but for its engine and knobs.
og_status readCosts(const BackendDescriptor &engine,
                    const BackendDescriptor &config, ConfigRecord &record);

/// Names the first knob that the engine lacks (OG_NOT_FOUND), or that does not
/// take its value (OG_INVALID_VALUE).
og_status checkKnobs(og_cudnn_graph &graph, int64_t engine,
                     const og_knob *knobs, size_t numKnobs);

/// Finalises the configuration that a caller names. What its knobs take is the
/// library's to judge, whose own lists go beyond what it tells of engines.
og_status choose(og_cudnn_graph &graph, int64_t engine, const og_knob *knobs,
                 size_t numKnobs, EngineConfig &config);

} // namespace opgraph::runtime::cudnn

#endif // OPGRAPH_RUNTIME_CUDNN_QUERY_H
