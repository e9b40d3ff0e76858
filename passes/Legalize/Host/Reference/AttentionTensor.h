//===- AttentionTensor.h - An attention tensor in memory ---------*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Where the element (batch, head, row, column) of Q, K, V, O, Stats or a
// gradient lies: as declared, packed at ragged offsets, or in pages.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_ATTENTIONTENSOR_H
#define OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_ATTENTIONTENSOR_H

#include "dialects/Graph/Attention.h"
#include "passes/Legalize/Host/Reference/Loops.h"

namespace opgraph::legalize {

/// Number `index` of a list of i32 or i64 along the first axis, as i64. An
/// index beyond a list of unknown length takes its last number, and an empty
/// one has zeros.
mlir::Value emitListed(LoopEmitter &e, mlir::Value list, mlir::Value index);

/// One operand or result of an attention op. Made before the op's loops start.
class AttentionTensor {
public:
  /// `port` is the lower-case name in `ragged_offset_<port>`. A value that
  /// stays inside the graph is dense whatever its ragged offset says.
  AttentionTensor(LoopEmitter &e, const graph::Attention &attention,
                  mlir::Value value, llvm::StringRef port);

  explicit operator bool() const { return bool(value); }
  mlir::Value getValue() const { return value; }
  bool isRagged() const { return bool(flat); }

  /// The element at [batch, head, row, column] as it is stored, or converted to
  /// `computeType` as a wide value. Positions beyond the memory of a ragged
  /// tensor read its last element.
  mlir::Value loadStored(mlir::ValueRange position);
  mlir::Value load(mlir::ValueRange position, mlir::Type computeType);
  /// Stores a wide value. In a ragged tensor only rows below `length` exist;
  /// others, and positions beyond its memory, are not written.
  void store(mlir::Value wide, mlir::ValueRange position, mlir::Value length);

private:
  void makeFlat(std::optional<int64_t> totalRows);
  mlir::Value emitFlatIndex(mlir::ValueRange position);

  LoopEmitter &e;
  mlir::Value value;
  graph::RaggedOffset ragged;
  /// Ragged: all of the memory as one axis, its extent, and the strides.
  mlir::Value flat, capacity;
  llvm::SmallVector<mlir::Value, 4> strides;
};

/// K or V: its heads are shared by groups of query heads, and it may lie in
/// pages.
class AttentionCache {
public:
  /// `pageTable` is null unless paged; `port` is "k" or "v".
  AttentionCache(LoopEmitter &e, const graph::Attention &attention,
                 mlir::Value value, llvm::StringRef port,
                 mlir::Value pageTable);

  /// The head that query head `queryHead` reads.
  mlir::Value mapHead(mlir::Value queryHead);
  /// The position in memory's first and third axis of row `row` of `batch`: the
  /// same, or a page and a slot of it.
  std::pair<mlir::Value, mlir::Value> locate(mlir::Value batch,
                                             mlir::Value row);
  /// The element at [batch, own head, row, column].
  mlir::Value load(mlir::Value batch, mlir::Value head, mlir::Value row,
                   mlir::Value column, mlir::Type computeType);
  /// How many positions the pages of a table hold; null unless paged.
  mlir::Value emitCapacity();

private:
  LoopEmitter &e;
  mlir::Value value;
  int64_t queryHeads;
  AttentionTensor tensor;
  std::optional<AttentionTensor> table;
};

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_ATTENTIONTENSOR_H
