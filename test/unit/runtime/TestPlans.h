//===- TestPlans.h - Small plans for the runtime's tests --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_TEST_UNIT_RUNTIME_TESTPLANS_H
#define OPGRAPH_TEST_UNIT_RUNTIME_TESTPLANS_H

#include "codegen/PlanFile/PlanContents.h"
#include "opgraph-c/runtime.h"

#include "gtest/gtest.h"

#include <cstring>
#include <memory>

namespace opgraph::test {

/// Entries of the image of makeVariant.
enum Entry : uint32_t {
  Ret,
  ScaleTwo,
  ScaleBy,
  ExpFirst,
  Parallel,
  CopyWorkspace,
  JumpTable
};

/// The test image (TestCode.cpp), which runs on every x86-64.
planfile::Variant makeVariant(const std::string &target = "x86-64-v2");

/// An operand with packed row-major strides.
inline planfile::Operand makeOperand(int64_t uid, const std::string &name,
                                     og_dtype dtype,
                                     std::vector<int64_t> extents,
                                     bool isOutput = false) {
  planfile::Operand operand;
  operand.uid = uid;
  operand.name = name;
  operand.dtype = dtype;
  operand.isOutput = isOutput;
  int64_t stride = 1;
  operand.strides.resize(extents.size());
  for (size_t i = extents.size(); i-- > 0;) {
    operand.strides[i] = stride;
    stride *= extents[i] > 1 ? extents[i] : 1;
  }
  operand.extents.assign(extents.begin(), extents.end());
  operand.alignment = 4;
  return operand;
}

/// A plan without operands or steps.
inline planfile::PlanContents makeEmptyPlan() {
  planfile::PlanContents contents;
  contents.name = "test";
  contents.compiler = "opgraph test";
  contents.target = "host";
  contents.engineId = 10000;
  contents.engineName = "host.reference";
  contents.engineVersion = 1;
  contents.variants = {makeVariant()};
  return contents;
}

/// y = x + x over `n` f32 values.
inline planfile::PlanContents makeScalePlan(int64_t n) {
  planfile::PlanContents contents = makeEmptyPlan();
  contents.operands = {makeOperand(1, "x", OG_DTYPE_FLOAT, {n}),
                       makeOperand(2, "y", OG_DTYPE_FLOAT, {n}, true)};
  contents.steps = {planfile::HostCall{ScaleTwo}};
  return contents;
}

/// makeScalePlan over a symbolic number of values.
inline planfile::PlanContents
makeDynamicPlan(std::optional<int64_t> defaultValue = std::nullopt) {
  planfile::PlanContents contents = makeScalePlan(1);
  for (planfile::Operand &operand : contents.operands)
    operand.extents = {planfile::Expr::symbol(0)};
  planfile::Symbol symbol;
  symbol.name = "N";
  symbol.max = 1024;
  symbol.divisor = 2;
  symbol.defaultValue = defaultValue;
  contents.symbols = {symbol};
  return contents;
}

inline std::vector<uint8_t> write(const planfile::PlanContents &contents) {
  std::vector<uint8_t> bytes;
  std::string error;
  EXPECT_TRUE(planfile::writePlanFile(contents, bytes, error)) << error;
  return bytes;
}

struct PlanReleaser {
  void operator()(og_plan *plan) const { og_plan_release(plan); }
};
using PlanPtr = std::unique_ptr<og_plan, PlanReleaser>;

/// Loads a plan that must load.
inline PlanPtr load(const planfile::PlanContents &contents) {
  std::vector<uint8_t> bytes = write(contents);
  og_plan *plan = nullptr;
  EXPECT_EQ(og_plan_load(bytes.data(), bytes.size(), &plan), OG_OK)
      << og_last_error();
  return PlanPtr(plan);
}

/// Expects that loading fails with `status` and a text that holds `text`.
inline void expectRefused(const planfile::PlanContents &contents,
                          og_status status, const std::string &text) {
  std::vector<uint8_t> bytes = write(contents);
  og_plan *plan = reinterpret_cast<og_plan *>(1);
  og_status actual = og_plan_load(bytes.data(), bytes.size(), &plan);
  EXPECT_EQ(plan, nullptr);
  EXPECT_EQ(actual, status)
      << og_status_name(actual) << ": " << og_last_error();
  EXPECT_NE(std::string(og_last_error()).find(text), std::string::npos)
      << "expected '" << text << "' in: " << og_last_error();
}

inline og_buffer makeBuffer(int64_t uid, const void *data,
                            const std::vector<int64_t> &shape,
                            const std::vector<int64_t> *strides = nullptr,
                            og_dtype dtype = OG_DTYPE_NOT_SET) {
  og_buffer buffer = {};
  buffer.struct_size = sizeof(buffer);
  buffer.uid = uid;
  buffer.data = const_cast<void *>(data);
  buffer.dtype = dtype;
  buffer.ndim = static_cast<int32_t>(shape.size());
  buffer.shape = shape.data();
  buffer.strides = strides ? strides->data() : nullptr;
  buffer.device = {OG_DEVICE_HOST, 0};
  return buffer;
}

inline og_buffer makePointer(int64_t uid, const void *data) {
  og_buffer buffer = makeBuffer(uid, data, {});
  buffer.ndim = OG_BARE_POINTER;
  buffer.shape = nullptr;
  return buffer;
}

/// A pack over arrays that it does not own.
struct Pack : og_variant_pack {
  explicit Pack(const std::vector<og_buffer> &list, void *space = nullptr,
                size_t spaceBytes = 0)
      : og_variant_pack() {
    struct_size = sizeof(og_variant_pack);
    buffers = list.data();
    num_buffers = list.size();
    workspace = space;
    workspace_size = spaceBytes;
  }
};

inline og_status execute(const PlanPtr &plan,
                         const std::vector<og_buffer> &buffers,
                         void *workspace = nullptr, size_t bytes = 0) {
  Pack pack(buffers, workspace, bytes);
  return og_plan_execute(plan.get(), &pack, nullptr);
}

/// Expects that an execution fails with `status`, naming each of `texts`.
inline void expectStatus(og_status actual, og_status status,
                         const std::vector<std::string> &texts) {
  EXPECT_EQ(actual, status)
      << og_status_name(actual) << ": " << og_last_error();
  for (const std::string &text : texts)
    EXPECT_NE(std::string(og_last_error()).find(text), std::string::npos)
        << "expected '" << text << "' in: " << og_last_error();
}

} // namespace opgraph::test

#endif // OPGRAPH_TEST_UNIT_RUNTIME_TESTPLANS_H
