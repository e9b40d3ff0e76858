//===- TextMutator.h - Token-wise mutations of graph text -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TEST_FUZZ_TEXTMUTATOR_H
#define OPGRAPH_TEST_FUZZ_TEXTMUTATOR_H

#include <string>

namespace opgraph::fuzz {

/// `text` with one to three tokens changed, mostly to others of their kind, so
/// that a good part of the results still parses.
std::string mutateText(const std::string &text, unsigned seed);

/// Whether `c` may stand in a name, number or type.
bool isWordChar(char c);

} // namespace opgraph::fuzz

#endif // OPGRAPH_TEST_FUZZ_TEXTMUTATOR_H
