//===- ArgumentText.h - Arguments of a kernel as text -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_ARGUMENTTEXT_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_ARGUMENTTEXT_H

#include "codegen/TileInterpreter/Interpreter.h"
#include "llvm/Support/Error.h"

namespace opgraph::tile::interp {

/// What becomes of a buffer after the run.
struct BufferUse {
  Format format = Format::F32;
  std::vector<int64_t> shape;
  /// File to write; empty for none.
  std::string out;
  bool isPrinted = false;
};

/// Makes the launch's arguments and buffers from texts as Passes.td has them,
/// one for each parameter.
llvm::Error parseArguments(llvm::ArrayRef<std::string> texts,
                           mlir::TypeRange parameters, Launch &launch,
                           std::vector<BufferUse> &uses);

/// Elements of `bytes` as text: "1 2.5 nan".
std::string printElements(Format format, llvm::ArrayRef<uint8_t> bytes);

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_ARGUMENTTEXT_H
