//===- OpModel.h - What the generators know of an operation -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// One reading of the graph dialect's definitions, shared by all generators, so
// that table, C++ and Python never disagree about an operation.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TOOLS_OPGRAPH_TBLGEN_OPMODEL_H
#define OPGRAPH_TOOLS_OPGRAPH_TBLGEN_OPMODEL_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <string>
#include <vector>

namespace llvm {
class RecordKeeper;
class raw_ostream;
} // namespace llvm

namespace opgraph::tblgen {

/// One member of an enumeration: as in .mlir text and as the peers spell it.
struct EnumCaseModel {
  std::string text;
  std::string symbol;
  int64_t value;
};

/// An enumeration of the dialect that some attribute uses.
struct EnumModel {
  std::string name;
  std::string attrName;
  std::string summary;
  std::vector<EnumCaseModel> cases;
};

enum class Arity { Required, Optional, Variadic };

struct OperandModel {
  std::string name;
  std::string port;
  Arity arity;
  /// Filled in by the builder, not by users: captures and ragged offsets.
  bool implicit;
};

struct ResultModel {
  std::string name;
  std::string port;
  bool optional;
};

enum class AttrKind { I64, F64, Unit, Bool, String, I64Array, Type, Enum };

struct AttrModel {
  std::string name;
  AttrKind kind;
  /// Not required: it has a default, or its absence has a meaning.
  bool optional;
  /// As OperandModel::implicit.
  bool implicit = false;
  /// The default where there is one: a number, "inf" or "-inf", or an enum's
  /// symbol.
  std::string defaultValue;
  /// Index into Model::enums for AttrKind::Enum, else -1.
  int enumIndex = -1;
};

struct OpModel {
  /// "layernorm", "Layernorm".
  std::string name;
  std::string className;
  std::string summary;
  std::string group;
  std::vector<OperandModel> operands;
  std::vector<ResultModel> results;
  std::vector<AttrModel> attributes;
  bool sizedOperands = false;
  bool sizedResults = false;
  bool hasRegion = false;
};

/// Everything, ops in ascending order of their names.
struct Model {
  std::vector<OpModel> ops;
  std::vector<EnumModel> enums;
};

/// Reads all operations that users can add; ends the process with a message at
/// the record for a definition that no generator covers.
Model readModel(const llvm::RecordKeeper &records);

/// "negative_slope" -> "negativeSlope", "A" -> "a", "INV_VARIANCE" ->
/// "invVariance".
std::string toCamel(llvm::StringRef name);
/// "add_square" -> "AddSquare".
std::string toPascal(llvm::StringRef name);

/// The generators; each returns true on failure, as TableGen wants.
bool emitOpTable(const llvm::RecordKeeper &records, llvm::raw_ostream &os);
bool emitTypedCpp(const llvm::RecordKeeper &records, llvm::raw_ostream &os);
bool emitTypedPython(const llvm::RecordKeeper &records, llvm::raw_ostream &os);

} // namespace opgraph::tblgen

#endif // OPGRAPH_TOOLS_OPGRAPH_TBLGEN_OPMODEL_H
