//===- Query.cpp - cuDNN's answers about an operation graph ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cudnn/Query.h"

#include "runtime/Error.h"

#include <algorithm>
#include <string_view>

using namespace opgraph::runtime;
using namespace opgraph::runtime::cudnn;

/// More than any engine has.
static constexpr size_t maxKnobs = 64;
static constexpr int64_t maxConfigs = 1024;

/// Makes `count` empty descriptors for the library to fill.
static og_status makeEmpty(const Library &library, int32_t kind, size_t count,
                           std::vector<BackendDescriptor> &descriptors,
                           std::vector<Desc> &handles) {
  descriptors.resize(count);
  for (BackendDescriptor &descriptor : descriptors) {
    if (og_status status = descriptor.create(library, kind))
      return status;
    handles.push_back(descriptor.get());
  }
  return OG_OK;
}

/// Reads a list of descriptors that the library fills; `descriptors` is cut to
/// as many as there are.
static og_status getList(const Library &library, const BackendDescriptor &from,
                         int32_t attr, int32_t kind, size_t most,
                         std::vector<BackendDescriptor> &descriptors) {
  std::vector<Desc> handles;
  if (og_status status = makeEmpty(library, kind, most, descriptors, handles))
    return status;
  int64_t count = 0;
  if (og_status status = from.get(attr, TYPE_BACKEND_DESCRIPTOR, int64_t(most),
                                  &count, handles.data()))
    return status;
  descriptors.resize(std::min(size_t(std::max<int64_t>(count, 0)), most));
  return OG_OK;
}

static og_status readKnobs(const Library &library,
                           const BackendDescriptor &config,
                           std::vector<og_knob> &knobs) {
  std::vector<BackendDescriptor> choices;
  if (og_status status = getList(library, config, ATTR_ENGINECFG_KNOB_CHOICES,
                                 KIND_KNOB_CHOICE, maxKnobs, choices))
    return status;
  for (const BackendDescriptor &choice : choices) {
    int32_t type = -1;
    og_knob knob = {};
    if (og_status status =
            choice.getNumber(ATTR_KNOB_CHOICE_KNOB_TYPE, TYPE_KNOB_TYPE, &type))
      return status;
    if (og_status status =
            choice.getInteger(ATTR_KNOB_CHOICE_KNOB_VALUE, &knob.value))
      return status;
    knob.type = type;
    knobs.push_back(knob);
  }
  std::sort(knobs.begin(), knobs.end(),
            [](const og_knob &a, const og_knob &b) { return a.type < b.type; });
  return OG_OK;
}

og_status opgraph::runtime::cudnn::readNotes(const BackendDescriptor &engine,
                                             std::vector<int32_t> &numerical,
                                             std::vector<int32_t> &behavior) {
  if (og_status status = engine.getNumbers(ATTR_ENGINE_NUMERICAL_NOTE,
                                           TYPE_NUMERICAL_NOTE, numerical))
    return status;
  return engine.getNumbers(ATTR_ENGINE_BEHAVIOR_NOTE, TYPE_BEHAVIOR_NOTE,
                           behavior);
}

og_status opgraph::runtime::cudnn::readCosts(const BackendDescriptor &engine,
                                             const BackendDescriptor &config,
                                             ConfigRecord &record) {
  if (og_status status =
          config.getInteger(ATTR_ENGINECFG_WORKSPACE_SIZE, &record.workspace))
    return status;
  // Engines that compile later do not know it.
  int32_t shared = 0;
  if (config.getNumber(ATTR_ENGINECFG_SHARED_MEMORY_USED, TYPE_INT32,
                       &shared) == OG_OK)
    record.sharedMemory = shared;
  return readNotes(engine, record.numericalNotes, record.behaviorNotes);
}

/// Reads a configuration that the heuristics have given.
static og_status readConfig(const Library &library,
                            const BackendDescriptor &config,
                            ConfigRecord &record) {
  std::vector<BackendDescriptor> engines;
  if (og_status status = getList(library, config, ATTR_ENGINECFG_ENGINE,
                                 KIND_ENGINE, 1, engines))
    return status;
  if (engines.empty())
    return fail(OG_INTERNAL, "cuDNN tells no engine of a configuration");
  if (og_status status =
          engines.front().getInteger(ATTR_ENGINE_GLOBAL_INDEX, &record.engine))
    return status;
  if (og_status status = readKnobs(library, config, record.knobs))
    return status;
  return readCosts(engines.front(), config, record);
}

og_status opgraph::runtime::cudnn::query(og_cudnn_graph &graph, int32_t mode) {
  const Library &library = *graph.library;
  if (og_status status = openBlas(library))
    return status;
  BackendDescriptor heuristics;
  if (og_status status = heuristics.create(library, KIND_ENGINEHEUR))
    return status;
  if (og_status status = heuristics.setDescriptor(
          ATTR_ENGINEHEUR_OPERATION_GRAPH, graph.graph.graph()))
    return status;
  if (og_status status =
          heuristics.setNumber(ATTR_ENGINEHEUR_MODE, TYPE_HEUR_MODE, mode))
    return status;
  if (og_status status =
          heuristics.setDescriptor(ATTR_ENGINEHEUR_DEVICEPROP, graph.device))
    return status;
  if (og_status status = heuristics.finalize())
    return status;
  // The count told before is an upper bound of what comes.
  int64_t most = 0;
  if (og_status status = heuristics.get(
          ATTR_ENGINEHEUR_RESULTS, TYPE_BACKEND_DESCRIPTOR, 0, &most, nullptr))
    return status;
  std::vector<BackendDescriptor> results;
  most = std::clamp<int64_t>(most, 0, maxConfigs);
  if (most == 0)
    return OG_OK;
  if (og_status status = getList(library, heuristics, ATTR_ENGINEHEUR_RESULTS,
                                 KIND_ENGINECFG, size_t(most), results))
    return status;
  for (const BackendDescriptor &result : results) {
    ConfigRecord record;
    if (og_status status = readConfig(library, result, record))
      return status;
    graph.configs.push_back(std::move(record));
  }
  return OG_OK;
}

og_status opgraph::runtime::cudnn::checkEngine(const og_cudnn_graph &graph,
                                               int64_t engine) {
  int64_t count = 0;
  if (og_status status = graph.graph.graph().getInteger(
          ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT, &count))
    return status;
  if (engine >= 0 && engine < count)
    return OG_OK;
  return fail(OG_NOT_FOUND,
              "cuDNN %s has no engine %lld for this graph: expected 0 to %lld",
              versionText(graph.library->version).c_str(),
              static_cast<long long>(engine),
              static_cast<long long>(count - 1));
}

og_status
opgraph::runtime::cudnn::readKnobInfo(const Library &library,
                                      const BackendDescriptor &engine,
                                      std::vector<og_cudnn_knob> &knobs) {
  std::vector<BackendDescriptor> infos;
  if (og_status status = getList(library, engine, ATTR_ENGINE_KNOB_INFO,
                                 KIND_KNOB_INFO, maxKnobs, infos))
    return status;
  for (const BackendDescriptor &info : infos) {
    int32_t type = -1;
    og_cudnn_knob knob = {};
    if (og_status status =
            info.getNumber(ATTR_KNOB_INFO_TYPE, TYPE_KNOB_TYPE, &type))
      return status;
    knob.type = type;
    for (auto [attr, value] : {std::pair<int32_t, int64_t *>(
                                   ATTR_KNOB_INFO_MINIMUM_VALUE, &knob.minimum),
                               {ATTR_KNOB_INFO_MAXIMUM_VALUE, &knob.maximum},
                               {ATTR_KNOB_INFO_STRIDE, &knob.stride}})
      if (og_status status = info.getInteger(attr, value))
        return status;
    knobs.push_back(knob);
  }
  std::sort(knobs.begin(), knobs.end(),
            [](const og_cudnn_knob &a, const og_cudnn_knob &b) {
              return a.type < b.type;
            });
  return OG_OK;
}

static const char *knobName(int64_t number) {
#define OG_CUDNN_VALUE(ENUM, NAME, NUMBER, ...)                                \
  if (number == NUMBER && std::string_view(#ENUM) == "LibraryKnob")            \
    return #NAME;
#include "opgraph-c/cudnn.def"
  return "?";
}

og_status opgraph::runtime::cudnn::checkKnobs(og_cudnn_graph &graph,
                                              int64_t engine,
                                              const og_knob *knobs,
                                              size_t numKnobs) {
  BackendDescriptor probe;
  if (og_status status = makeEngine(*graph.library, graph.graph.graph(),
                                    graph.device, engine, probe))
    return status;
  graph.knobs.clear();
  if (og_status status = readKnobInfo(*graph.library, probe, graph.knobs))
    return status;
  std::string version = versionText(graph.library->version);
  for (size_t i = 0; i < numKnobs; ++i) {
    long long type = knobs[i].type, value = knobs[i].value, number = engine;
    auto found = std::find_if(
        graph.knobs.begin(), graph.knobs.end(),
        [&](const og_cudnn_knob &knob) { return knob.type == type; });
    if (found == graph.knobs.end())
      return fail(OG_NOT_FOUND,
                  "engine %lld of cuDNN %s has no knob %lld (%s) for this "
                  "graph",
                  number, version.c_str(), type, knobName(type));
    int64_t step = std::max<int64_t>(found->stride, 1);
    if (value < found->minimum || value > found->maximum ||
        (value - found->minimum) % step != 0)
      return fail(OG_INVALID_VALUE,
                  "expected knob %lld (%s) of engine %lld of cuDNN %s to be "
                  "from %lld to %lld in steps of %lld, got %lld",
                  type, knobName(type), number, version.c_str(),
                  static_cast<long long>(found->minimum),
                  static_cast<long long>(found->maximum),
                  static_cast<long long>(step), value);
  }
  return OG_OK;
}

og_status opgraph::runtime::cudnn::choose(og_cudnn_graph &graph, int64_t engine,
                                          const og_knob *knobs, size_t numKnobs,
                                          EngineConfig &config) {
  if (og_status status = openBlas(*graph.library))
    return status;
  if (og_status status = checkEngine(graph, engine))
    return status;
  return makeConfig(*graph.library, graph.graph.graph(), graph.device, engine,
                    knobs, numKnobs, config);
}
