//===- VerifierContext.h - Shared parts of the verifier ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_VERIFIERCONTEXT_H
#define OPGRAPH_RUNTIME_VERIFIERCONTEXT_H

#include "runtime/Error.h"
#include "runtime/plan_generated.h"

namespace opgraph::runtime {

/// Length of a vector that may be absent.
template <typename T>
size_t length(const flatbuffers::Vector<T> *vector) {
  return vector ? vector->size() : 0;
}

/// Refuses a string that is empty, longer than 4095 bytes, or holds a control
/// character: names go into one-line messages and perf's map.
og_status verifyText(const flatbuffers::String *text, const char *what);

/// Records OG_DATA_LOSS with the text "plan file: ...".
[[gnu::format(printf, 1, 2)]] og_status corrupt(const char *format, ...);

} // namespace opgraph::runtime

#endif // OPGRAPH_RUNTIME_VERIFIERCONTEXT_H
