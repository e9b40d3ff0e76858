//===- CApi.cpp - What every C entry point needs --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Support/CApi.h"

og_status opgraph::lib::fail(og_status status, const llvm::Twine &text) {
  return og_set_last_error(status, text.str().c_str());
}
