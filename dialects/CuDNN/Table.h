//===- Table.h - cuDNN's backend descriptors, looked up ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The rows of include/opgraph-c/cudnn.def as C++ enums and as tables.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_CUDNN_TABLE_H
#define OPGRAPH_DIALECTS_CUDNN_TABLE_H

#include "llvm/ADT/STLFunctionalExtras.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace opgraph::cudnn {

/// Kinds of descriptors; the numbers are the library's.
enum class Kind : int32_t {
#define OG_CUDNN_KIND(NAME, NUMBER, ...) NAME = NUMBER,
#include "opgraph-c/cudnn.def"
};

/// Attributes of all kinds.
enum class Attr : int32_t {
#define OG_CUDNN_ATTR(KIND, NAME, NUMBER, ...) NAME = NUMBER,
#include "opgraph-c/cudnn.def"
};

/// Types of attributes.
enum class ValueType : int32_t {
  NONE = -1,
#define OG_CUDNN_TYPE(NAME, NUMBER, ...) NAME = NUMBER,
#include "opgraph-c/cudnn.def"
};

// DataType, PointwiseMode and the other enumerations.
#define OG_CUDNN_ENUM(ENUM) enum class ENUM : int32_t {
#define OG_CUDNN_VALUE(ENUM, NAME, NUMBER, ...) NAME = NUMBER,
#define OG_CUDNN_ENUM_END(ENUM)                                                \
  }                                                                            \
  ;
#include "opgraph-c/cudnn.def"

/// What a descriptor is for.
enum class Role : uint8_t { Config, Tensor, Operation, Graph, Library };

/// A kind of descriptor.
struct KindRow {
  Kind kind;
  /// As in the table: OPERATION_MATMUL.
  llvm::StringLiteral name;
  Role role;
  llvm::StringLiteral prefix;
  int64_t since;
};

/// An attribute of a kind.
struct AttrRow {
  Kind kind;
  Attr attr;
  llvm::StringLiteral name;
  ValueType type;
  /// The second type that it takes; NONE for most.
  ValueType other;
  /// How many elements, both ends included; `most` is 0 where programs do not
  /// set it.
  int64_t least, most;
  /// The kind of the descriptors that it takes; see `takes`.
  int32_t referent;
  int64_t since;

  bool takes(const KindRow &row) const;
  bool takes(ValueType given) const { return given == type || given == other; }
};

/// A type of attributes.
struct TypeRow {
  ValueType type;
  llvm::StringLiteral name;
  /// Words of one element in a record.
  int64_t words;
  /// Name of its enumeration; "None" where it is none.
  llvm::StringLiteral enumeration;

  bool isEnum() const { return enumeration != "None"; }
};

/// Null where the table has no such row.
const KindRow *findKind(int64_t number);
const KindRow *findKind(llvm::StringRef printed);
const AttrRow *findAttr(Kind kind, int64_t number);
const AttrRow *findAttr(Kind kind, llvm::StringRef printed);
const TypeRow *findType(int64_t number);
const TypeRow *findType(llvm::StringRef printed);

/// Calls `body` with each attribute of a kind.
void forEachAttr(Kind kind, llvm::function_ref<void(const AttrRow &)> body);

/// How kinds, attributes, types and enumerators are printed.
std::string printedName(const KindRow &row);
std::string printedName(const AttrRow &row);
std::string printedName(const TypeRow &row);
/// Empty for a value that the enumeration lacks.
std::string printedValue(const TypeRow &type, int64_t value);
std::optional<int64_t> findValue(const TypeRow &type, llvm::StringRef printed);
/// The version of the library that has an enumerator first; 0 where the table
/// lacks it.
int64_t valueSince(const TypeRow &type, int64_t value);

} // namespace opgraph::cudnn

#endif // OPGRAPH_DIALECTS_CUDNN_TABLE_H
