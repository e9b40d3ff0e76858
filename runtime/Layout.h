//===- Layout.h - Extents, strides and the bytes they touch -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_LAYOUT_H
#define OPGRAPH_RUNTIME_LAYOUT_H

#include <cstddef>
#include <cstdint>

namespace opgraph::runtime {

/// Extents and strides (in elements) of `rank` axes.
struct LayoutView {
  const int64_t *extents = nullptr;
  const int64_t *strides = nullptr;
  uint32_t rank = 0;
  unsigned bits = 0;
};

/// What a layout touches, relative to the element with index 0.
struct Span {
  int64_t elements = 0;
  /// Bytes [lowByte, highByte); both 0 without elements.
  int64_t lowByte = 0;
  int64_t highByte = 0;
};

/// No layout may span more bytes than this, so that sums never overflow.
inline constexpr int64_t maxSpanBytes = int64_t(1) << 60;

/// Computes the span; null on success, else what is wrong (a negative extent,
/// an overflow). Null strides mean packed row-major.
const char *computeSpan(const LayoutView &layout, Span &span);

/// True when the elements fill their span without gap or overlap, in any
/// order of axes.
bool isDense(const LayoutView &layout);

/// True when two layouts place all elements equally: axes of extent 1 do not
/// count.
bool sameLayout(const LayoutView &a, const LayoutView &b);

/// The layout of what one index of the first axis leaves: of one batch of a
/// ragged operand, whose offsets say where batches start.
inline LayoutView withoutFirstAxis(const LayoutView &layout) {
  if (layout.rank == 0)
    return layout;
  return {layout.extents + 1, layout.strides + 1, layout.rank - 1, layout.bits};
}

/// True when no two elements share memory. Exact, except that odd cases beyond
/// a fixed amount of work, and negative strides, count as sharing.
bool isInjective(const LayoutView &layout);

/// False only when no element of `a` at address `addressA` shares a byte with
/// one of `b` at `addressB`. Exact, interleaved views included, except that
/// odd cases beyond a fixed amount of work count as overlapping.
bool mayOverlap(const LayoutView &a, uintptr_t addressA, const Span &spanA,
                const LayoutView &b, uintptr_t addressB, const Span &spanB);

/// Packed row-major strides for `extents`.
void packedStrides(const int64_t *extents, size_t rank, int64_t *strides);

} // namespace opgraph::runtime

#endif // OPGRAPH_RUNTIME_LAYOUT_H
