//===- TestCudnn.h - Plans that cuDNN runs, without a GPU -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_TEST_UNIT_RUNTIME_CUDNN_TESTCUDNN_H
#define OPGRAPH_TEST_UNIT_RUNTIME_CUDNN_TESTCUDNN_H

#include "opgraph-c/cudnn.h"
#include "runtime/Cudnn/Backend.h"
#include "test/unit/runtime/Cuda/TestCuda.h"
#include "test/unit/runtime/Cudnn/StubCudnn.h"

#include <cstring>

namespace opgraph::test {

/// Sets the stub's settings while it lives.
class StubSettings {
public:
  explicit StubSettings(const char *settings) {
    setenv("OPGRAPH_STUB_CUDNN", settings, 1);
  }
  ~StubSettings() { unsetenv("OPGRAPH_STUB_CUDNN"); }
};

/// Builds the records of a step.
struct StepMaker {
  planfile::CudnnExecute step;

  uint32_t add(int32_t kind) {
    step.kinds.push_back(uint32_t(kind));
    return uint32_t(step.kinds.size() - 1);
  }
  void set(int32_t attribute, int32_t type, std::vector<uint64_t> words) {
    step.records.push_back(
        {uint32_t(step.kinds.size() - 1), uint32_t(attribute), uint32_t(type),
         uint32_t(words.size()), uint32_t(step.words.size())});
    step.words.insert(step.words.end(), words.begin(), words.end());
  }
};

/// The operation graph of a step, which must outlive it.
inline og_cudnn_program programOf(const planfile::CudnnExecute &step) {
  og_cudnn_program program = {};
  program.struct_size = sizeof(program);
  program.kinds = step.kinds.data();
  program.num_kinds = step.kinds.size();
  program.records =
      reinterpret_cast<const og_cudnn_record *>(step.records.data());
  program.num_records = step.records.size();
  program.words = step.words.data();
  program.num_words = step.words.size();
  return program;
}

/// y = x, eight f32 values: uid 21 of operand 0 to uid 23 of operand 2, with
/// uid 22 the constant 2.5 (which the operation does not need).
inline planfile::CudnnExecute makeCopyStep() {
  using namespace runtime::cudnn;
  StepMaker maker;
  for (uint64_t uid : {21, 23}) {
    maker.add(KIND_TENSOR);
    maker.set(ATTR_TENSOR_UNIQUE_ID, TYPE_INT64, {uid});
    maker.set(ATTR_TENSOR_DATA_TYPE, TYPE_DATA_TYPE, {0});
    maker.set(ATTR_TENSOR_DIMENSIONS, TYPE_INT64, {8});
    maker.set(ATTR_TENSOR_STRIDES, TYPE_INT64, {1});
    maker.set(ATTR_TENSOR_BYTE_ALIGNMENT, TYPE_INT64, {16});
  }
  maker.add(KIND_OPERATION_RESHAPE);
  maker.set(ATTR_OPERATION_RESHAPE_XDESC, TYPE_BACKEND_DESCRIPTOR, {0});
  maker.set(ATTR_OPERATION_RESHAPE_YDESC, TYPE_BACKEND_DESCRIPTOR, {1});
  maker.add(KIND_OPERATIONGRAPH);
  maker.set(ATTR_OPERATIONGRAPH_OPS, TYPE_BACKEND_DESCRIPTOR, {2});
  planfile::CudnnExecute step = maker.step;
  step.engine = 7;
  step.knobs = {{24, 3}};
  step.uids = {21, 22, 23};
  planfile::LaunchArg constant;
  constant.kind = planfile::ArgKind::Constant;
  constant.type = planfile::ArgType::F32;
  float value = 2.5f;
  std::memcpy(&constant.bits, &value, sizeof(value));
  step.args = {makePointerArg(0), constant, makePointerArg(2, 4)};
  step.workspace = 64;
  step.bytes = 128;
  return step;
}

/// A plan of makeCopyStep over the operands of makeAddPlan.
inline planfile::PlanContents makeCudnnPlan() {
  planfile::PlanContents contents = makeAddPlan();
  contents.name = "copy";
  contents.engineId = 7;
  contents.engineName = "cudnn";
  contents.workspaceShared = 192;
  contents.deviceVariants.clear();
  contents.steps = {makeCopyStep()};
  return contents;
}

inline planfile::CudnnExecute &stepOf(planfile::PlanContents &contents) {
  return std::get<planfile::CudnnExecute>(contents.steps[0]);
}

/// The same with a serialised plan of the stub's.
inline planfile::PlanContents makeSerializedPlan(int version = 91900) {
  planfile::PlanContents contents = makeCudnnPlan();
  planfile::CudnnExecute &step = stepOf(contents);
  std::string text = "stub plan " + std::to_string(version) + " engine 7";
  step.serialized.assign(text.c_str(), text.c_str() + text.size() + 1);
  step.library = uint32_t(version);
  return contents;
}

class CudnnTest : public CudaTest {
protected:
  CudnnTest() { stub_cudnn_reset(); }

  og_status execute(const PlanPtr &plan, void *stream = nullptr) {
    return run(plan, buffers(), stream, workspace.get(), 192);
  }

  DeviceArray<uint8_t> workspace{192};
};

} // namespace opgraph::test

#endif // OPGRAPH_TEST_UNIT_RUNTIME_CUDNN_TESTCUDNN_H
