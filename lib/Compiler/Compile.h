//===- Compile.h - One plan of a graph to code ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_COMPILER_COMPILE_H
#define OPGRAPH_LIB_COMPILER_COMPILE_H

#include "codegen/Host/HostCodegen.h"
#include "codegen/PlanFile/PlanContents.h"
#include "lib/Compiler/PlanState.h"

namespace opgraph::lib {

/// What to compile a plan to.
struct CompileRequest {
  llvm::SmallVector<std::string> variants;
  /// Stop after legalization, with `programText` filled.
  bool onlyLegalize = false;
  /// Forms of the code to keep besides the image, see HostOptions.
  bool emitImage = true;
  bool keepObject = false;
  bool keepAssembly = false;
  bool keepLLVM = false;
  /// What the plan file shall say besides, for example what was passed over.
  std::vector<std::string> notes;
};

struct CompileResult {
  /// The legalised program as .mlir text.
  std::string programText;
  codegen::HostCode code;
  /// The code of a plan for a CUDA device.
  std::vector<planfile::DeviceVariant> deviceCode;
  /// The plan file, when an image was asked for.
  std::vector<uint8_t> planFile;
};

/// The code variants that `text` (og_build_options::variants) names.
og_status readVariants(const char *text,
                       llvm::SmallVectorImpl<std::string> &variants);

/// Legalizes entry `index` with its engine and generates code. OG_INTERNAL for
/// a defect of ours, OG_UNSUPPORTED where the engine or machine cannot do it.
og_status compileEntry(GraphImpl &graph, int64_t index,
                       const CompileRequest &request, CompileResult &result);

/// Whether OPGRAPH_STRICT=1 is set.
bool isStrict();

} // namespace opgraph::lib

#endif // OPGRAPH_LIB_COMPILER_COMPILE_H
