//===- OperationGraph.cpp - Programs given to cuDNN -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cudnn/OperationGraph.h"

#include "runtime/Error.h"

#include <cstring>

using namespace opgraph::runtime;
using namespace opgraph::runtime::cudnn;

og_status opgraph::runtime::cudnn::makeDevice(const Library &library,
                                              int32_t ordinal, const char *json,
                                              BackendDescriptor &device) {
  if (og_status status = device.create(library, KIND_DEVICEPROP))
    return status;
  og_status status =
      ordinal >= 0
          ? device.setNumber(ATTR_DEVICEPROP_DEVICE_ID, TYPE_INT32, ordinal)
          // With the null at its end.
          : device.set(ATTR_DEVICEPROP_JSON_REPRESENTATION, TYPE_CHAR,
                       int64_t(std::strlen(json) + 1), json);
  return status ? status : device.finalize();
}

og_status OperationGraph::setRecord(BackendDescriptor &descriptor,
                                    const og_cudnn_record &record,
                                    const uint64_t *words) {
  // Elements are written in the library's width; the widest takes two words.
  size_t bytes = elementBytes(record.type), step = elementWords(record.type);
  std::vector<unsigned char> elements(record.count * bytes);
  for (uint32_t i = 0; i < record.count; ++i) {
    const uint64_t *word = words + record.first + i * step;
    unsigned char *element = elements.data() + i * bytes;
    if (record.type == TYPE_BACKEND_DESCRIPTOR) {
      Desc target = descriptors[*word].get();
      std::memcpy(element, &target, sizeof(target));
    } else {
      // Little-endian: the low bytes of a word are the narrower number.
      std::memcpy(element, word, bytes);
    }
  }
  return descriptor.set(int32_t(record.attribute), int32_t(record.type),
                        record.count, elements.data());
}

og_status OperationGraph::build(const Library &library,
                                const ProgramView &program) {
  descriptors.clear();
  descriptors.reserve(program.numKinds);
  size_t next = 0;
  for (size_t i = 0; i < program.numKinds; ++i) {
    BackendDescriptor descriptor;
    if (og_status status =
            descriptor.create(library, int32_t(program.kinds[i])))
      return status;
    for (; next < program.numRecords && program.records[next].descriptor == i;
         ++next)
      if (og_status status =
              setRecord(descriptor, program.records[next], program.words))
        return status;
    if (og_status status = descriptor.finalize())
      return status;
    descriptors.push_back(std::move(descriptor));
  }
  return OG_OK;
}

og_status opgraph::runtime::cudnn::makeEngine(const Library &library,
                                              const BackendDescriptor &graph,
                                              const BackendDescriptor &device,
                                              int64_t index,
                                              BackendDescriptor &engine) {
  if (og_status status = engine.create(library, KIND_ENGINE))
    return status;
  if (og_status status =
          engine.setDescriptor(ATTR_ENGINE_OPERATION_GRAPH, graph))
    return status;
  if (og_status status = engine.setInteger(ATTR_ENGINE_GLOBAL_INDEX, index))
    return status;
  if (og_status status = engine.setDescriptor(ATTR_ENGINE_DEVICEPROP, device))
    return status;
  return engine.finalize();
}

static og_status makeChoice(const Library &library, const og_knob &knob,
                            BackendDescriptor &choice) {
  if (knob.type < 0 || knob.type > INT32_MAX)
    return fail(OG_NOT_FOUND, "cuDNN has no knob %lld",
                static_cast<long long>(knob.type));
  if (og_status status = choice.create(library, KIND_KNOB_CHOICE))
    return status;
  if (og_status status = choice.setNumber(ATTR_KNOB_CHOICE_KNOB_TYPE,
                                          TYPE_KNOB_TYPE, int32_t(knob.type)))
    return status;
  if (og_status status =
          choice.setInteger(ATTR_KNOB_CHOICE_KNOB_VALUE, knob.value))
    return status;
  return choice.finalize();
}

og_status opgraph::runtime::cudnn::makeConfig(
    const Library &library, const BackendDescriptor &graph,
    const BackendDescriptor &device, int64_t index, const og_knob *knobs,
    size_t numKnobs, EngineConfig &config) {
  if (og_status status =
          makeEngine(library, graph, device, index, config.engine))
    return status;
  std::vector<Desc> choices;
  for (size_t i = 0; i < numKnobs; ++i) {
    BackendDescriptor choice;
    if (og_status status = makeChoice(library, knobs[i], choice))
      return status;
    choices.push_back(choice.get());
    config.choices.push_back(std::move(choice));
  }
  if (og_status status = config.config.create(library, KIND_ENGINECFG))
    return status;
  if (og_status status =
          config.config.setDescriptor(ATTR_ENGINECFG_ENGINE, config.engine))
    return status;
  if (!choices.empty())
    if (og_status status = config.config.set(
            ATTR_ENGINECFG_KNOB_CHOICES, TYPE_BACKEND_DESCRIPTOR,
            int64_t(choices.size()), choices.data()))
      return status;
  return config.config.finalize();
}

og_status opgraph::runtime::cudnn::makePlan(const Library &library,
                                            const BackendDescriptor &device,
                                            const EngineConfig &config,
                                            BackendDescriptor &plan) {
  if (og_status status = plan.create(library, KIND_EXECUTION_PLAN))
    return status;
  if (og_status status =
          plan.setDescriptor(ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config.config))
    return status;
  if (og_status status =
          plan.setDescriptor(ATTR_EXECUTION_PLAN_DEVICEPROP, device))
    return status;
  return plan.finalize();
}

og_status opgraph::runtime::cudnn::restorePlan(const Library &library,
                                               const BackendDescriptor &device,
                                               const char *serialized,
                                               size_t length,
                                               BackendDescriptor &plan) {
  if (og_status status = plan.create(library, KIND_EXECUTION_PLAN))
    return status;
  if (og_status status =
          plan.setDescriptor(ATTR_EXECUTION_PLAN_DEVICEPROP, device))
    return status;
  if (og_status status = plan.set(ATTR_EXECUTION_PLAN_JSON_REPRESENTATION,
                                  TYPE_CHAR, int64_t(length), serialized))
    return status;
  return plan.finalize();
}
