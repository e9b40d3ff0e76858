//===- QueryApi.cpp - The C API of questions to cuDNN ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cudnn/Query.h"
#include "runtime/Error.h"

#include <algorithm>
#include <memory>

using namespace opgraph::runtime;
using namespace opgraph::runtime::cudnn;

namespace {

og_status openDevice(og_cudnn_graph &graph, int32_t ordinal) {
  if (ordinal < 0)
    return OG_OK;
  const cuda::DeviceState *state = nullptr;
  if (og_status status = cuda::getDriver(&graph.driver))
    return status;
  if (og_status status = cuda::getDevice(*graph.driver, ordinal, &state))
    return status;
  graph.context = state->context;
  return OG_OK;
}

og_status createGraph(const og_cudnn_program &program, int32_t ordinal,
                      const char *json, og_cudnn_graph **out) {
  ProgramView view = {program.kinds,   program.num_kinds,
                      program.records, program.num_records,
                      program.words,   program.num_words};
  char text[256];
  if (const char *error = checkProgram(view, text, sizeof(text)))
    return fail(OG_INVALID_ARGUMENT, "og_cudnn_graph_create: %s", error);
  auto graph = std::make_unique<og_cudnn_graph>();
  if (og_status status = getLibrary(&graph->library))
    return status;
  keepParts(*graph->library);
  if (og_status status = openDevice(*graph, ordinal))
    return status;
  DeviceScope scope(*graph);
  if (og_status status =
          makeDevice(*graph->library, ordinal, json, graph->device))
    return status;
  if (og_status status = graph->graph.build(*graph->library, view))
    return status;
  *out = graph.release();
  return OG_OK;
}

/// The C form of a record.
void write(const ConfigRecord &record, og_cudnn_config &out) {
  out.engine = record.engine;
  out.knobs = record.knobs.data();
  out.num_knobs = record.knobs.size();
  out.workspace = record.workspace;
  out.shared_memory = record.sharedMemory;
  out.numerical_notes = record.numericalNotes.data();
  out.num_numerical_notes = record.numericalNotes.size();
  out.behavior_notes = record.behaviorNotes.data();
  out.num_behavior_notes = record.behaviorNotes.size();
}

og_status checkCall(const char *function, const og_cudnn_graph *graph,
                    const void *out, size_t given, size_t expected) {
  if (!graph || !out)
    return fail(OG_INVALID_ARGUMENT, "%s: %s is null", function,
                graph ? "out" : "graph");
  if (given < expected)
    return fail(OG_INVALID_ARGUMENT,
                "%s: struct_size is %zu, expected at least %zu", function,
                given, expected);
  return OG_OK;
}

} // namespace

extern "C" {

og_status og_cudnn_graph_create(const og_cudnn_program *program,
                                int32_t ordinal, const char *device_json,
                                og_cudnn_graph **out) {
  if (!program || !out || (ordinal < 0 && !device_json))
    return fail(OG_INVALID_ARGUMENT, "og_cudnn_graph_create: %s is null",
                !program ? "program"
                : !out   ? "out"
                         : "device_json");
  *out = nullptr;
  if (program->struct_size < sizeof(*program))
    return fail(OG_INVALID_ARGUMENT,
                "og_cudnn_graph_create: struct_size is %zu, expected at least "
                "%zu",
                program->struct_size, sizeof(*program));
  return guarded(
      [&] { return createGraph(*program, ordinal, device_json, out); });
}

void og_cudnn_graph_destroy(og_cudnn_graph *graph) {
  if (!graph)
    return;
  DeviceScope scope(*graph);
  delete graph;
}

og_status og_cudnn_graph_num_engines(og_cudnn_graph *graph, int64_t *count) {
  if (og_status status =
          checkCall("og_cudnn_graph_num_engines", graph, count, 0, 0))
    return status;
  return graph->graph.graph().getInteger(
      ATTR_OPERATIONGRAPH_ENGINE_GLOBAL_COUNT, count);
}

og_status og_cudnn_graph_engine(og_cudnn_graph *graph, int64_t engine,
                                og_cudnn_engine_info *out) {
  if (og_status status = checkCall("og_cudnn_graph_engine", graph, out,
                                   out ? out->struct_size : 0, sizeof(*out)))
    return status;
  return guarded([&] {
    DeviceScope scope(*graph);
    if (og_status status = checkEngine(*graph, engine))
      return status;
    BackendDescriptor descriptor;
    if (og_status status = makeEngine(*graph->library, graph->graph.graph(),
                                      graph->device, engine, descriptor))
      return status;
    graph->knobs.clear();
    if (og_status status =
            readKnobInfo(*graph->library, descriptor, graph->knobs))
      return status;
    ConfigRecord &notes = graph->chosen;
    if (og_status status =
            readNotes(descriptor, notes.numericalNotes, notes.behaviorNotes))
      return status;
    out->knobs = graph->knobs.data();
    out->num_knobs = graph->knobs.size();
    out->numerical_notes = notes.numericalNotes.data();
    out->num_numerical_notes = notes.numericalNotes.size();
    out->behavior_notes = notes.behaviorNotes.data();
    out->num_behavior_notes = notes.behaviorNotes.size();
    return OG_OK;
  });
}

og_status og_cudnn_graph_query(og_cudnn_graph *graph, int32_t mode,
                               size_t *count) {
  if (og_status status = checkCall("og_cudnn_graph_query", graph, count, 0, 0))
    return status;
  return guarded([&] {
    DeviceScope scope(*graph);
    graph->configs.clear();
    *count = 0;
    og_status status = query(*graph, mode);
    *count = graph->configs.size();
    return status;
  });
}

og_status og_cudnn_graph_config(og_cudnn_graph *graph, size_t index,
                                og_cudnn_config *out) {
  if (og_status status = checkCall("og_cudnn_graph_config", graph, out,
                                   out ? out->struct_size : 0, sizeof(*out)))
    return status;
  if (index >= graph->configs.size())
    return fail(OG_OUT_OF_RANGE,
                "og_cudnn_graph_config: expected an index below %zu, got %zu",
                graph->configs.size(), index);
  write(graph->configs[index], *out);
  return OG_OK;
}

og_status og_cudnn_graph_choose(og_cudnn_graph *graph, int64_t engine,
                                const og_knob *knobs, size_t num_knobs,
                                og_cudnn_config *out) {
  if (og_status status = checkCall("og_cudnn_graph_choose", graph, out,
                                   out ? out->struct_size : 0, sizeof(*out)))
    return status;
  return guarded([&] {
    DeviceScope scope(*graph);
    if (og_status status = checkEngine(*graph, engine))
      return status;
    if (og_status status = checkKnobs(*graph, engine, knobs, num_knobs))
      return status;
    EngineConfig config;
    if (og_status status = choose(*graph, engine, knobs, num_knobs, config))
      return status;
    graph->chosen = {};
    graph->chosen.engine = engine;
    graph->chosen.knobs.assign(knobs, knobs + num_knobs);
    if (og_status status =
            readCosts(config.engine, config.config, graph->chosen))
      return status;
    write(graph->chosen, *out);
    return OG_OK;
  });
}

og_status og_cudnn_graph_build(og_cudnn_graph *graph, int64_t engine,
                               const og_knob *knobs, size_t num_knobs,
                               og_cudnn_plan *out) {
  if (og_status status = checkCall("og_cudnn_graph_build", graph, out,
                                   out ? out->struct_size : 0, sizeof(*out)))
    return status;
  return guarded([&] {
    DeviceScope scope(*graph);
    EngineConfig config;
    if (og_status status = choose(*graph, engine, knobs, num_knobs, config))
      return status;
    BackendDescriptor plan;
    if (og_status status =
            makePlan(*graph->library, graph->device, config, plan))
      return status;
    if (og_status status = plan.getInteger(ATTR_EXECUTION_PLAN_WORKSPACE_SIZE,
                                           &out->workspace))
      return status;
    int64_t length = 0;
    if (og_status status = plan.get(ATTR_EXECUTION_PLAN_JSON_REPRESENTATION,
                                    TYPE_CHAR, 0, &length, nullptr))
      return status;
    graph->serialized.assign(size_t(std::max<int64_t>(length, 0)), 0);
    if (og_status status =
            plan.get(ATTR_EXECUTION_PLAN_JSON_REPRESENTATION, TYPE_CHAR, length,
                     &length, graph->serialized.data()))
      return status;
    out->serialized = graph->serialized.data();
    out->serialized_length = graph->serialized.size();
    out->version = graph->library->version;
    return OG_OK;
  });
}
}
