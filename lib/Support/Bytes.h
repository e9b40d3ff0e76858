//===- Bytes.h - Bytes handed to a caller -----------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_SUPPORT_BYTES_H
#define OPGRAPH_LIB_SUPPORT_BYTES_H

#include "opgraph-c/compiler.h"
#include <string>

/// The C handle.
struct og_bytes {
  std::string data;
};

#endif // OPGRAPH_LIB_SUPPORT_BYTES_H
