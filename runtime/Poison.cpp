//===- Poison.cpp - Making unwritten results visible ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Poison.h"

#include <cstring>

using namespace opgraph::runtime;

/// Fills the elements of axes `axis` and up.
static void fill(unsigned char *address, const LayoutView &layout,
                 uint32_t axis) {
  size_t bytes = layout.bits / 8;
  if (axis == layout.rank) {
    std::memset(address, 0xff, bytes);
    return;
  }
  int64_t extent = layout.extents[axis];
  // The stride of an axis of one element may be anything.
  int64_t step = extent > 1 ? layout.strides[axis] * int64_t(bytes) : 0;
  if (axis + 1 == layout.rank && layout.strides[axis] == 1) {
    std::memset(address, 0xff, extent * bytes);
    return;
  }
  for (int64_t i = 0; i < extent; ++i)
    fill(address + i * step, layout, axis + 1);
}

static void poisonOutput(const OperandRecord &operand, const Frame &frame,
                         const Span &span) {
  auto *address =
      static_cast<unsigned char *>(frame.descriptor(operand)->aligned);
  LayoutView layout = frame.layout(operand);
  bool endsInByte = span.elements * int64_t(layout.bits) % 8 == 0;
  if (isDense(layout) && endsInByte) {
    std::memset(address, 0xff, span.highByte);
    return;
  }
  // A 4-bit element with gaps, or alone, shares its byte with what is not ours.
  if (layout.bits % 8 == 0)
    fill(address, layout, 0);
}

void opgraph::runtime::poisonOutputs(const og_plan &plan, const Frame &frame,
                                     const og_variant_pack &pack) {
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const OperandRecord &operand = plan.operands[i];
    const Span &span = frame.bound(i).span;
    // Which elements of ragged storage the plan writes is not known here.
    if (!operand.isOutput || span.elements == 0 ||
        operand.storage == OG_STORAGE_RAGGED)
      continue;
    bool inPlace = false;
    for (const AliasRecord &alias : plan.aliases)
      inPlace |= alias.output == i &&
                 frame.descriptor(plan.operands[alias.input])->aligned ==
                     frame.descriptor(operand)->aligned;
    if (!inPlace)
      poisonOutput(operand, frame, span);
  }
  if (pack.workspace && pack.workspace_size)
    std::memset(pack.workspace, 0xff, pack.workspace_size);
}
