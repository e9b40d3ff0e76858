//===- Overlaps.cpp - Which operands may share memory ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Binding.h"
#include "runtime/Error.h"

using namespace opgraph::runtime;

namespace {

uintptr_t addressOf(const Frame &frame, const OperandRecord &operand) {
  return reinterpret_cast<uintptr_t>(frame.descriptor(operand)->aligned);
}

bool isListed(const og_plan &plan, uint32_t input, uint32_t output) {
  for (const AliasRecord &alias : plan.aliases)
    if (alias.input == input && alias.output == output)
      return true;
  return false;
}

/// True when the operands may share a byte.
bool overlap(const og_plan &plan, const Frame &frame, uint32_t a, uint32_t b) {
  const OperandRecord &first = plan.operands[a], &second = plan.operands[b];
  LayoutView firstLayout = frame.layout(first);
  LayoutView secondLayout = frame.layout(second);
  // Where the rows of ragged storage lie only the device knows: all of it
  // counts, as one run of bytes.
  int64_t ones[2] = {1, 1}, bytes[2];
  auto widen = [&](const OperandRecord &operand, const Span &span,
                   LayoutView &layout, int64_t &extent) {
    if (operand.storage != OG_STORAGE_RAGGED)
      return;
    extent = span.highByte;
    layout = {&extent, &ones[0], 1, 8};
  };
  widen(first, frame.bound(a).span, firstLayout, bytes[0]);
  widen(second, frame.bound(b).span, secondLayout, bytes[1]);
  return mayOverlap(firstLayout, addressOf(frame, first), frame.bound(a).span,
                    secondLayout, addressOf(frame, second),
                    frame.bound(b).span);
}

og_status checkPair(const og_plan &plan, const Frame &frame, uint32_t other,
                    uint32_t output) {
  if (!overlap(plan, frame, other, output))
    return OG_OK;
  const OperandRecord &a = plan.operands[other], &b = plan.operands[output];
  if (a.isOutput)
    return fail(OG_INVALID_VARIANT_PACK,
                "outputs '%s' (uid %lld) and '%s' (uid %lld) overlap", a.name,
                static_cast<long long>(a.uid), b.name,
                static_cast<long long>(b.uid));
  bool exact = addressOf(frame, a) == addressOf(frame, b) &&
               sameLayout(frame.layout(a), frame.layout(b));
  bool listed = isListed(plan, other, output);
  if (exact && listed)
    return OG_OK;
  return fail(OG_INVALID_VARIANT_PACK,
              "output '%s' (uid %lld) %s operand '%s' (uid %lld); the plan "
              "%s",
              b.name, static_cast<long long>(b.uid),
              exact ? "is the same buffer as" : "partly overlaps", a.name,
              static_cast<long long>(a.uid),
              listed ? "allows them one buffer of one layout only"
                     : "does not allow them to share memory");
}

og_status checkWorkspace(const og_plan &plan, const Frame &frame,
                         const og_variant_pack &pack) {
  if (!pack.workspace || !pack.workspace_size)
    return OG_OK;
  uintptr_t begin = reinterpret_cast<uintptr_t>(pack.workspace);
  uintptr_t end = begin + pack.workspace_size;
  for (uint32_t i = 0; i < plan.operands.size(); ++i) {
    const OperandRecord &operand = plan.operands[i];
    const Span &span = frame.bound(i).span;
    uintptr_t address = addressOf(frame, operand);
    if (operand.byValue || span.elements == 0 ||
        address + span.highByte <= begin || address + span.lowByte >= end)
      continue;
    return fail(OG_INVALID_VARIANT_PACK,
                "the workspace overlaps operand '%s' (uid %lld)", operand.name,
                static_cast<long long>(operand.uid));
  }
  return OG_OK;
}

} // namespace

og_status opgraph::runtime::checkOverlaps(const og_plan &plan,
                                          const Frame &frame,
                                          const og_variant_pack &pack) {
  // Outputs come last: each is compared with all before it.
  for (uint32_t output = 0; output < plan.operands.size(); ++output) {
    if (!plan.operands[output].isOutput)
      continue;
    for (uint32_t other = 0; other < output; ++other)
      if (!plan.operands[other].byValue)
        if (og_status status = checkPair(plan, frame, other, output))
          return status;
  }
  return checkWorkspace(plan, frame, pack);
}
