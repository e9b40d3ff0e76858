//===- CodegenTest.cpp - Shared parts of the codegen tests ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "CodegenTest.h"
#include "opgraph-c/host_abi.h"

#include <cstdlib>

using namespace opgraph;
using namespace opgraph::test;

og_plan *CodegenTest::build(llvm::StringRef text) {
  mlir::OwningOpRef<mlir::ModuleOp> module = parse(text);
  if (!module) {
    ADD_FAILURE() << "the module does not parse";
    return nullptr;
  }
  llvm::Expected<codegen::HostCode> code = compile(*module);
  if (!code) {
    ADD_FAILURE() << llvm::toString(code.takeError());
    return nullptr;
  }
  auto program = *module->getOps<plan::ProgramOp>().begin();
  std::vector<planfile::Variant> images;
  for (codegen::HostVariantCode &variant : code->variants)
    images.push_back(std::move(variant.image));
  auto bytes = planfile::planFileFromIR(program, std::move(images));
  if (!bytes) {
    ADD_FAILURE() << llvm::toString(bytes.takeError());
    return nullptr;
  }
  og_plan *plan = nullptr;
  og_status status = og_plan_load(bytes->data(), bytes->size(), &plan);
  EXPECT_EQ(status, OG_OK) << og_last_error();
  return plan;
}

void opgraph::test::execute(og_plan *plan, std::vector<og_buffer> buffers) {
  og_variant_pack pack = {};
  pack.struct_size = sizeof(pack);
  pack.buffers = buffers.data();
  pack.num_buffers = buffers.size();
  ASSERT_EQ(og_plan_workspace_size(plan, &pack, &pack.workspace_size), OG_OK)
      << og_last_error();
  if (pack.workspace_size > 0)
    pack.workspace =
        std::aligned_alloc(OG_WORKSPACE_ALIGNMENT,
                           (pack.workspace_size + OG_WORKSPACE_ALIGNMENT - 1) /
                               OG_WORKSPACE_ALIGNMENT * OG_WORKSPACE_ALIGNMENT);
  EXPECT_EQ(og_plan_execute(plan, &pack, nullptr), OG_OK) << og_last_error();
  std::free(pack.workspace);
}
