//===- AotObjectTest.cpp - Plans as object files --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/Object/AotObject.h"
#include "codegen/PlanFile/PlanContents.h"
#include "gtest/gtest.h"

using namespace opgraph;

namespace {

std::vector<uint8_t>
planBytes(planfile::DeviceKind device = planfile::DeviceKind::Host) {
  planfile::PlanContents contents;
  contents.device = device;
  contents.name = "g";
  contents.compiler = "test";
  contents.target = "host";
  contents.engineName = "host.reference";
  planfile::Symbol symbol;
  symbol.name = "M */";
  contents.symbols.push_back(symbol);
  for (int64_t uid : {1, 2}) {
    planfile::Operand operand;
    operand.uid = uid;
    operand.name = "x.0";
    operand.dtype = OG_DTYPE_BFLOAT16;
    operand.isOutput = uid == 2;
    operand.extents = {planfile::Expr::symbol(0), 8};
    operand.strides = {8, 1};
    contents.operands.push_back(operand);
  }
  std::vector<uint8_t> bytes;
  std::string error;
  EXPECT_TRUE(planfile::writePlanFile(contents, bytes, error)) << error;
  return bytes;
}

bool contains(const std::string &text, const std::string &part) {
  return text.find(part) != std::string::npos;
}

TEST(AotObjectTest, HoldsTheBytesAndTheFunctions) {
  std::vector<uint8_t> bytes = planBytes();
  auto object = codegen::emitAotObject(bytes, "linear");
  ASSERT_TRUE(bool(object)) << llvm::toString(object.takeError());
  EXPECT_EQ(object->substr(1, 3), "ELF");
  for (const char *name :
       {"linear_execute", "linear_workspace_size", "linear_describe",
        "og_aot_execute", "og_aot_workspace_size", "og_aot_describe",
        ".note.GNU-stack"})
    EXPECT_TRUE(contains(*object, name)) << name;
  EXPECT_TRUE(contains(*object, std::string(bytes.begin(), bytes.end())));
  EXPECT_FALSE(contains(*object, "__tls_get_addr"));
}

TEST(AotObjectTest, HeaderNamesOperands) {
  auto header = codegen::emitAotHeader(planBytes(), "linear");
  ASSERT_TRUE(bool(header)) << llvm::toString(header.takeError());
  EXPECT_TRUE(contains(*header, "#define LINEAR_UID_X_0 INT64_C(1)\n"))
      << *header;
  EXPECT_TRUE(contains(*header, "x.0: output, BFLOAT16, extents [M _/, 8]"))
      << *header;
  EXPECT_TRUE(contains(
      *header,
      "og_status linear_execute(const og_variant_pack *pack, void *stream);"));
}

TEST(AotObjectTest, HeaderTellsWhatADeviceAsks) {
  auto header = codegen::emitAotHeader(planBytes(), "linear");
  ASSERT_TRUE(bool(header)) << llvm::toString(header.takeError());
  EXPECT_TRUE(contains(
      *header, "static inline og_status linear_prepare(og_device device) {"));
  EXPECT_FALSE(contains(*header, "CUDA"));
  header =
      codegen::emitAotHeader(planBytes(planfile::DeviceKind::Cuda), "linear");
  ASSERT_TRUE(bool(header)) << llvm::toString(header.takeError());
  EXPECT_TRUE(contains(*header, "`stream` is a CUDA stream"));
}

TEST(AotObjectTest, RefusesNamesThatAreNoIdentifiers) {
  for (const char *name : {"", "2x", "a-b", "a b"}) {
    auto object = codegen::emitAotObject(planBytes(), name);
    EXPECT_EQ(llvm::toString(object.takeError()),
              "object name '" + std::string(name) + "' is not a C identifier");
  }
}

TEST(AotObjectTest, RefusesDamagedPlans) {
  std::vector<uint8_t> bytes = planBytes();
  bytes.back() ^= 1;
  auto header = codegen::emitAotHeader(bytes, "linear");
  EXPECT_FALSE(bool(header));
  llvm::consumeError(header.takeError());
}

} // namespace
