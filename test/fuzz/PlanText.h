//===- PlanText.h - Text of the plan dialect to the verifiers ---*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TEST_FUZZ_PLANTEXT_H
#define OPGRAPH_TEST_FUZZ_PLANTEXT_H

#include "llvm/ADT/StringRef.h"

namespace opgraph::fuzz {

/// What became of a text.
enum class TextResult { Malformed, Refused, Accepted };

/// Whether `text` holds plan programs and no graph.
bool isPlanText(llvm::StringRef text);

/// Parses and verifies a module of plan programs, which the C API does not
/// read. What is accepted must also print, and parse again: else aborts.
TextResult checkPlanText(llvm::StringRef text);

} // namespace opgraph::fuzz

#endif // OPGRAPH_TEST_FUZZ_PLANTEXT_H
