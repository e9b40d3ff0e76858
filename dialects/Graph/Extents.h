//===- Extents.h - Comparing extents that may be symbols --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Extents as the constraints of ops compare them: a number equals itself, a
// symbol equals only the same symbol.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_GRAPH_EXTENTS_H
#define OPGRAPH_DIALECTS_GRAPH_EXTENTS_H

#include "dialects/Graph/Inference.h"

namespace opgraph::graph {

/// One axis of a shape: a number, or kDynamic and the symbol that names it.
struct Extent {
  int64_t size = 1;
  mlir::StringAttr symbol;

  bool isStatic() const { return !mlir::ShapedType::isDynamic(size); }
  bool isOne() const { return size == 1; }
  friend bool operator==(const Extent &a, const Extent &b) {
    return a.size == b.size && a.symbol == b.symbol;
  }
  friend bool operator!=(const Extent &a, const Extent &b) { return !(a == b); }
};

using Extents = llvm::SmallVector<Extent, 6>;

/// The type of a graph value.
inline mlir::RankedTensorType typeOf(mlir::Value value) {
  return llvm::cast<mlir::RankedTensorType>(value.getType());
}

/// Every axis of `type`.
Extents getExtents(mlir::RankedTensorType type);
inline Extents getExtents(mlir::Value value) {
  return getExtents(typeOf(value));
}

/// The axes of a declared result; its dims are set.
Extents getExtents(const ResultSpec &spec);

/// "8", or "?(M)".
std::string printExtent(const Extent &extent);
/// "4x?(M)x8".
std::string printExtents(llvm::ArrayRef<Extent> extents);

/// Sets or compares the extents of result `index`.
llvm::LogicalResult setExtents(Inference &inference, unsigned index,
                               llvm::ArrayRef<Extent> extents);

/// Whether `from`, right-aligned, broadcasts to `to`: its rank is no larger and
/// each of its axes is 1 or the same.
bool broadcastsTo(llvm::ArrayRef<Extent> from, llvm::ArrayRef<Extent> to);

/// Whether a value has exactly one element.
bool isSingleElement(mlir::RankedTensorType type);

/// One operand and its name in messages.
struct NamedValue {
  llvm::StringRef name;
  /// Null where absent.
  mlir::Value value;
};

/// Fails unless each of `values` that is given has one element.
llvm::LogicalResult requireSingle(Inference &inference,
                                  llvm::ArrayRef<NamedValue> values);

/// Fails with NotSupported unless each of `values` that is given is i32 or i64.
llvm::LogicalResult requireIndexType(Inference &inference,
                                     llvm::ArrayRef<NamedValue> values);

/// Fails with InvalidValue unless result `index` has element type `type`, which
/// it takes where unset. `what` says whose type that is.
llvm::LogicalResult requireElementType(Inference &inference, unsigned index,
                                       mlir::Type type, llvm::StringRef what);

/// Fails with NotSupported unless the op's compute type is one that numbers are
/// computed in.
llvm::LogicalResult requireNumericCompute(Inference &inference,
                                          mlir::Type computeType);

/// Fails with NotSupported unless the op's compute type is a float.
llvm::LogicalResult requireFloatCompute(Inference &inference,
                                        mlir::Type computeType);

/// Whether `value` is named by a graph.return. Such a value may not be replaced
/// by its op's operand: a graph returns no argument and nothing twice.
bool isReturned(mlir::Value value);

} // namespace opgraph::graph

#endif // OPGRAPH_DIALECTS_GRAPH_EXTENTS_H
