//===- TextLimits.cpp - What MLIR's parser must not see -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Nesting is counted before the parser runs. Affine expressions recurse at each
// operator, brackets or not; no graph contains one, so they are refused.
//===----------------------------------------------------------------------===//
#include "lib/Graph/GraphImpl.h"
#include "lib/Support/CApi.h"
#include "lib/Support/Nesting.h"

using namespace opgraph::lib;
using llvm::Twine;

og_status opgraph::lib::checkTextLimits(llvm::StringRef text) {
  if (text.size() > OG_MAX_GRAPH_TEXT)
    return fail(OG_PARSE_ERROR, "expected text of at most " +
                                    Twine(OG_MAX_GRAPH_TEXT) + " bytes, got " +
                                    Twine(text.size()));
  std::optional<TextProblem> problem =
      findTextProblem(text, OG_MAX_GRAPH_NESTING, /*allowAffine=*/false);
  if (!problem)
    return OG_OK;
  return fail(OG_PARSE_ERROR, "line " + Twine(problem->line) + ": " +
                                  describe(*problem, OG_MAX_GRAPH_NESTING));
}
