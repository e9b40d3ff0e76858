//===- Aot.cpp - Plans as object files: the C API -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/Object/AotObject.h"
#include "codegen/PlanFile/PlanContents.h"
#include "lib/Support/Bytes.h"
#include "lib/Support/CApi.h"
#include <memory>

using namespace opgraph;
using namespace opgraph::lib;
using llvm::Twine;

og_status og_aot_object(const void *plan, size_t size, const char *name,
                        og_bytes **object, og_bytes **header) {
  OG_TRY(checkNotNull(object, "object"));
  *object = nullptr;
  OG_TRY(checkNotNull(header, "header"));
  *header = nullptr;
  OG_TRY(checkNotNull(plan, "plan"));
  OG_TRY(checkNotNull(name, "name"));
  if (!codegen::isCIdentifier(name))
    return fail(OG_INVALID_VALUE,
                "expected the name of C functions to be an identifier, got '" +
                    Twine(name) + "'");
  planfile::PlanContents contents;
  std::string error;
  if (!planfile::readPlanFile(plan, size, contents, error))
    return fail(OG_DATA_LOSS, "the plan cannot be wrapped: " + error);
  llvm::ArrayRef<uint8_t> bytes(static_cast<const uint8_t *>(plan), size);
  auto code = codegen::emitAotObject(bytes, name);
  if (!code)
    return fail(OG_INTERNAL, "writing the object failed: " +
                                 llvm::toString(code.takeError()));
  auto text = codegen::emitAotHeader(bytes, name);
  if (!text)
    return fail(OG_INTERNAL, "writing the header failed: " +
                                 llvm::toString(text.takeError()));
  *object = new og_bytes{std::move(*code)};
  *header = new og_bytes{std::move(*text)};
  return OG_OK;
}
