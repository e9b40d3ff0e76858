//===- GroupOffset.h - Rows cut into groups ----------------------*- C++ -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Offsets that say, at run time, which rows of a tensor are a group's.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_GRAPH_GROUPOFFSET_H
#define OPGRAPH_DIALECTS_GRAPH_GROUPOFFSET_H

#include "dialects/Graph/Extents.h"

namespace opgraph::graph {

/// How many offsets a tensor of `type` holds, along the one axis that may have
/// more than one; nullopt where several have, or where the number is dynamic.
std::optional<int64_t> countOffsets(mlir::RankedTensorType type);

/// The axis of the offsets: the one whose extent is not 1, else the last;
/// nullopt for a scalar.
std::optional<int64_t> getOffsetAxis(mlir::RankedTensorType type);

/// The number of groups that 'GROUP_OFFSET', their boundaries, makes; fails
/// where it is no list of at least one i32 or i64.
llvm::FailureOr<int64_t> checkGroupOffset(Inference &inference,
                                          mlir::Value offsets);

/// The groups of experts' rows.
struct ExpertGroups {
  int64_t count;
  /// The offsets are `count` + 1 boundaries, else `count` starts.
  bool hasEnd;
};

/// How the offsets of a grouped matmul of `experts` (at least 1) are read;
/// nullopt where they are neither boundaries nor starts.
std::optional<ExpertGroups> getExpertGroups(mlir::RankedTensorType offsets,
                                            int64_t experts);

} // namespace opgraph::graph

#endif // OPGRAPH_DIALECTS_GRAPH_GROUPOFFSET_H
