//===- Groups.h - Rows that offsets cut into groups --------------*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offsets are read at run time and hold anything; the rows of a group never
// leave [0, rows].
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_GROUPS_H
#define OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_GROUPS_H

#include "passes/Legalize/Host/Reference/Loops.h"

namespace opgraph::legalize {

/// Rows `begin` to `begin + length`.
struct RowRange {
  mlir::Value begin;
  mlir::Value length;

  /// Whether `row` is in the range.
  mlir::Value contains(LoopEmitter &e, mlir::Value row) const;
};

/// The groups that an operand of offsets makes.
class Groups {
public:
  /// `count` groups of `rows` (an index). With `hasEnd` there are `count` + 1
  /// boundaries; else `count` starts, and the last group ends with the rows.
  Groups(LoopEmitter &emitter, mlir::Value offsets, int64_t count, bool hasEnd,
         mlir::Value rows)
      : e(emitter), offsets(offsets), count(count), hasEnd(hasEnd), rows(rows) {
  }

  mlir::Value getCount() const { return e.index(count); }
  mlir::Value getRows() const { return rows; }
  /// The rows of `group`, an index below the count.
  RowRange get(mlir::Value group) const;

  /// Memory with the group of each row as an i64, -1 for none; the last group
  /// where several have the row.
  mlir::Value emitOwners() const;

private:
  mlir::Value loadBound(mlir::Value number) const;

  LoopEmitter &e;
  mlir::Value offsets;
  int64_t count;
  bool hasEnd;
  mlir::Value rows;
};

} // namespace opgraph::legalize

#endif // OPGRAPH_PASSES_LEGALIZE_HOST_REFERENCE_GROUPS_H
