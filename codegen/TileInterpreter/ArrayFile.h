//===- ArrayFile.h - NumPy's array files ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_ARRAYFILE_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_ARRAYFILE_H

#include "codegen/TileInterpreter/Formats.h"
#include "llvm/Support/Error.h"

#include <vector>

namespace opgraph::tile::interp {

/// A .npy file in C order.
struct ArrayFile {
  /// Bytes of one element.
  int64_t itemBytes = 1;
  std::vector<int64_t> shape;
  std::vector<uint8_t> bytes;
};

llvm::Expected<ArrayFile> readArrayFile(llvm::StringRef path);

/// Types that NumPy lacks are written as bytes ("|V2" for bf16), as ml_dtypes
/// does.
llvm::Error writeArrayFile(llvm::StringRef path, Format format,
                           llvm::ArrayRef<int64_t> shape,
                           llvm::ArrayRef<uint8_t> bytes);

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_ARRAYFILE_H
