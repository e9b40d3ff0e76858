//===- OpTable.h - What the builder knows of each operation -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A table that opgraph-tblgen generates from the graph dialect's definitions.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_GRAPH_OPTABLE_H
#define OPGRAPH_LIB_GRAPH_OPTABLE_H

#include "mlir/IR/Attributes.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"

namespace opgraph::lib {

enum class Arity { Required, Optional, Variadic };
enum class AttributeKind { I64, F64, Unit, Bool, String, I64Array, Type, Enum };

/// A member of an enumeration: as in .mlir text, as the peers spell it.
struct EnumCaseInfo {
  const char *text;
  const char *symbol;
  int64_t value;
};

struct OperandInfo {
  const char *name;
  const char *port;
  Arity arity;
  /// Filled in by the builder (captures, ragged offsets), never given.
  bool implicit;
};

struct ResultInfo {
  const char *name;
  const char *port;
  bool optional;
};

struct AttributeInfo {
  const char *name;
  AttributeKind kind;
  bool optional;
  /// As OperandInfo::implicit.
  bool implicit;
  llvm::ArrayRef<EnumCaseInfo> cases;
  /// The attribute of a member, by its value; null when not an enumeration.
  mlir::Attribute (*makeEnum)(mlir::MLIRContext *, int64_t);
};

struct OpInfo {
  const char *name;
  llvm::ArrayRef<OperandInfo> operands;
  llvm::ArrayRef<ResultInfo> results;
  llvm::ArrayRef<AttributeInfo> attributes;
  bool sizedOperands;
  bool sizedResults;
  bool hasRegion;

  /// Index by argument or result name, or port; -1 when there is none.
  int findOperand(llvm::StringRef name) const;
  int findResult(llvm::StringRef name) const;
  int findAttribute(llvm::StringRef name) const;
};

/// All operations, ascending by name.
llvm::ArrayRef<OpInfo> getOpTable();

/// The operation `name` (without "graph."), or null.
const OpInfo *findOp(llvm::StringRef name);

} // namespace opgraph::lib

#endif // OPGRAPH_LIB_GRAPH_OPTABLE_H
