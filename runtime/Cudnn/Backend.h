//===- Backend.h - cuDNN's numbers and checks of programs -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// The rows of opgraph-c/cudnn.def as constants, and what the library itself
/// does not survive: a descriptor of another kind than an attribute takes.
///
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_CUDNN_BACKEND_H
#define OPGRAPH_RUNTIME_CUDNN_BACKEND_H

#include "opgraph-c/cudnn.h"

#include <cstddef>
#include <cstdint>

namespace opgraph::runtime::cudnn {

enum Kind : int32_t {
#define OG_CUDNN_KIND(NAME, NUMBER, ...) KIND_##NAME = NUMBER,
#include "opgraph-c/cudnn.def"
};

enum Attr : int32_t {
#define OG_CUDNN_ATTR(KIND, NAME, NUMBER, ...) ATTR_##NAME = NUMBER,
#include "opgraph-c/cudnn.def"
};

enum Type : int32_t {
  TYPE_NONE = -1,
#define OG_CUDNN_TYPE(NAME, NUMBER, ...) TYPE_##NAME = NUMBER,
#include "opgraph-c/cudnn.def"
};

/// An operation graph as records, wherever they lie.
struct ProgramView {
  const uint32_t *kinds;
  size_t numKinds;
  const og_cudnn_record *records;
  size_t numRecords;
  const uint64_t *words;
  size_t numWords;
};

/// The library's name of a kind, attribute or type, for messages; "?" for a
/// number that the table lacks.
const char *kindName(int64_t kind);
const char *attrName(int64_t attr);

/// Bytes that an element of a type takes in the library's arrays; 0 for types
/// that programs do not have.
size_t elementBytes(int64_t type);

/// Words that it takes in a record.
size_t elementWords(int64_t type);

/// Bounds of a program.
inline constexpr size_t maxDescriptors = 4096;
inline constexpr size_t maxRecords = 65536;

/// Null for a program that may be given to the library; else what is wrong, in
/// `text`.
const char *checkProgram(const ProgramView &program, char *text,
                         size_t capacity);

} // namespace opgraph::runtime::cudnn

#endif // OPGRAPH_RUNTIME_CUDNN_BACKEND_H
