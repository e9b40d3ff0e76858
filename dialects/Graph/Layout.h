//===- Layout.h - Strides, memory orders and symbols of tensors -*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Reading and making the layout of a graph tensor type. Everything that needs
// a stride asks here, so that the rule "no encoding means packed row-major"
// has one home.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_GRAPH_LAYOUT_H
#define OPGRAPH_DIALECTS_GRAPH_LAYOUT_H

#include "mlir/IR/BuiltinTypes.h"
#include "mlir/IR/Diagnostics.h"
#include "llvm/ADT/SmallVector.h"
#include <optional>
#include <string>

namespace opgraph::graph {

class LayoutAttr;
enum class Reordering : uint32_t;

using Dims = llvm::SmallVector<int64_t, 6>;
using Symbols = llvm::SmallVector<mlir::StringAttr, 6>;

/// The largest rank of a tensor: what a plan can hold (OG_MAX_RANK).
constexpr size_t maxRank = 16;

/// The encoding of `type`, or null for packed row-major.
LayoutAttr getLayout(mlir::RankedTensorType type);

/// [0, 1, ..., rank - 1]: row-major, slowest axis first.
Dims rowMajorOrder(int64_t rank);

/// Batch slowest, then the spatial axes, channel fastest: [0, 2, ..., n, 1].
/// Row-major below rank 3.
Dims channelsLastOrder(int64_t rank);

/// Elements between neighbours along each axis of a tensor packed in `order`
/// (slowest axis first); kDynamic where an extent inside is dynamic. Extents of
/// 0 count as 1, so that strides stay meaningful.
Dims packedStrides(llvm::ArrayRef<int64_t> shape,
                   llvm::ArrayRef<int64_t> order);

/// The strides of `type` in elements, kDynamic where unknown before run time.
Dims getStrides(mlir::RankedTensorType type);

/// The memory order of `type`, slowest axis first: its `order`, or its axes by
/// descending stride. Among equal strides an axis of extent 1 counts as slower,
/// and otherwise the earlier axis does.
Dims getMemoryOrder(mlir::RankedTensorType type);

/// Whether the elements of `type` fill their span without gaps, as far as is
/// known before run time (an `order` or an absent layout always do).
bool isPacked(mlir::RankedTensorType type);

/// The symbol of each axis; null StringAttr on static ones.
Symbols getSymbols(mlir::RankedTensorType type);

/// A tensor type with explicit `strides`. Static packed row-major strides are
/// spelled as no encoding, so that equal layouts are equal types.
mlir::RankedTensorType makeStrided(llvm::ArrayRef<int64_t> shape,
                                   mlir::Type elementType,
                                   llvm::ArrayRef<int64_t> strides,
                                   llvm::ArrayRef<mlir::StringAttr> symbols);

/// A packed tensor type in memory `order`. Static shapes get explicit strides,
/// unless row-major; dynamic ones get the order.
mlir::RankedTensorType makePacked(mlir::MLIRContext *context,
                                  llvm::ArrayRef<int64_t> shape,
                                  mlir::Type elementType,
                                  llvm::ArrayRef<int64_t> order,
                                  llvm::ArrayRef<mlir::StringAttr> symbols);

/// Whether a graph value may have this element type: f16, bf16, f32, f64,
/// fp8 e4m3, e5m2 and e8m0, fp4 e2m1, i4, i8, ui8, i32, i64, i1.
bool isElementType(mlir::Type type);

/// Whether arithmetic may happen in this type: f16, bf16, f32, f64, i32, i64,
/// and i1 for ops that only compare or choose.
bool isComputeType(mlir::Type type);

/// Bits that one element of `type` takes in the memory of a graph's argument or
/// result: a bool takes 8; i4 and fp4 take 4, two of them sharing a byte.
unsigned getStorageBits(mlir::Type elementType);

/// Whether elements of `type` are packed two per byte: element number `e` of
/// memory, counted by strides, is the low half of byte e / 2 where e is even,
/// else the high half.
inline bool isPackedInHalves(mlir::Type elementType) {
  return getStorageBits(elementType) == 4;
}

/// How the last two axes of a tensor with reordering f8_128x4 lie in memory:
/// tiles of 128 rows by 4 columns, the tiles of a row of tiles one after the
/// other. Leading axes keep their strides.
struct ScaleAxes {
  int64_t rowAxis, columnAxis;
  int64_t rows, columns;
};

/// The reordering of `type`, NONE without an encoding.
Reordering getReordering(mlir::RankedTensorType type);

/// The axes of a valid type with reordering f8_128x4.
ScaleAxes getScaleAxes(mlir::RankedTensorType type);

/// What is wrong with elements of `elementType` in this layout beyond what
/// holds for any element: the constraints C8 and C9 of #graph.layout. Empty
/// where nothing is. `strides` are kDynamic where not known; those that are
/// derived from extents are not `explicitStrides`.
std::string findStorageError(llvm::ArrayRef<int64_t> shape,
                             mlir::Type elementType,
                             llvm::ArrayRef<int64_t> strides,
                             bool hasExplicitStrides, Reordering reordering);

/// 1 + sum((extent - 1) * stride) in elements for a static layout, 0 with an
/// extent of 0; nullopt where dynamic or where it overflows 63 bits.
std::optional<int64_t> getSpan(llvm::ArrayRef<int64_t> shape,
                               llvm::ArrayRef<int64_t> strides);

/// Checks the extents of a graph value whatever its spelling: every `?` has a
/// symbol, the span is less than 2^60 bits, and an encoding is ours.
llvm::LogicalResult
verifyTensorType(mlir::RankedTensorType type,
                 llvm::function_ref<mlir::InFlightDiagnostic()> emitError);

/// Whether two elements of the (static) layout share an address; false where
/// it cannot be decided before run time, true where it takes too long to.
bool isSelfOverlapping(llvm::ArrayRef<int64_t> shape,
                       llvm::ArrayRef<int64_t> strides);

} // namespace opgraph::graph

#endif // OPGRAPH_DIALECTS_GRAPH_LAYOUT_H
