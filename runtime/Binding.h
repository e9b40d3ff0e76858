//===- Binding.h - Operands and symbols of one execution --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// Normalises a variant pack into one descriptor per operand, in plan order,
/// inside a frame on the caller's stack. Nothing here allocates.
///
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_BINDING_H
#define OPGRAPH_RUNTIME_BINDING_H

#include "runtime/Plan.h"

namespace opgraph::runtime {

/// What is known of an operand beyond its descriptor.
struct BoundOperand {
  /// Null when the pack does not have it.
  const og_buffer *buffer;
  /// Null when its shape is not overridden.
  const og_override *override_;
  /// What it touches, relative to its address.
  Span span;
};

/// The storage of one execution, carved from `plan.frameBytes` bytes aligned
/// to 16.
class Frame {
public:
  Frame(const og_plan &plan, void *storage);

  /// Gives every operand its descriptor's place; returns the frame's bytes.
  static size_t layOut(og_plan &plan);

  /// The packed arguments, the workspace's descriptor last.
  void **args() const { return arguments; }
  int64_t *symbols() const { return symbolValues; }
  BoundOperand &bound(size_t operand) const { return operands[operand]; }
  Descriptor *descriptor(const OperandRecord &operand) const {
    return reinterpret_cast<Descriptor *>(base + operand.descriptorOffset);
  }
  /// The 16 bytes that hold a by-value operand.
  void *valueOf(size_t operand) const { return values + 16 * operand; }
  /// The bound layout of an operand.
  LayoutView layout(const OperandRecord &operand) const {
    Descriptor *d = descriptor(operand);
    return {d->sizes(), d->strides(operand.rank), operand.rank, operand.bits};
  }
  void setWorkspace(void *pointer, size_t bytes) const;

private:
  unsigned char *base;
  int64_t *symbolValues;
  BoundOperand *operands;
  unsigned char *values;
  void **arguments;
  Descriptor *workspace;
};

/// Checks the pack's struct sizes and arrays.
og_status checkPack(const og_plan &plan, const og_variant_pack &pack);

/// Finds each operand's buffer and override.
og_status matchPack(const og_plan &plan, const og_variant_pack &pack,
                    const Frame &frame);

/// Gives the symbols their values. With `lenient`, one that has none is left
/// OG_DYNAMIC.
og_status bindSymbols(const og_plan &plan, const Frame &frame, bool lenient);

/// Checks each operand's buffer and writes its descriptor.
og_status bindOperands(const og_plan &plan, const Frame &frame);

/// Refuses overlaps other than the plan's aliases, and a workspace that
/// overlaps an operand.
og_status checkOverlaps(const og_plan &plan, const Frame &frame,
                        const og_variant_pack &pack);

/// All of the above, and the workspace's descriptor: everything that is known
/// without the device. `workspace`: the bytes of it that the plan needs.
og_status bindPack(const og_plan &plan, const Frame &frame,
                   const og_variant_pack &pack, int64_t &workspace);

/// The index of the operand with `uid`, or -1. `hint` is tried first.
int64_t findOperand(const og_plan &plan, int64_t uid, size_t hint);

/// The bytes of workspace for bound symbols. `status` is that of a negative
/// or overflowing size.
og_status workspaceBytes(const og_plan &plan, const int64_t *symbols,
                         int64_t &bytes);

} // namespace opgraph::runtime

#endif // OPGRAPH_RUNTIME_BINDING_H
