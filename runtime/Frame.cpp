//===- Frame.cpp - The stack storage of one execution ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Binding.h"

using namespace opgraph::runtime;

namespace {

/// Byte offsets of a frame's parts.
struct FrameOffsets {
  size_t symbols, operands, values, arguments, workspace, descriptors;

  explicit FrameOffsets(const og_plan &plan) {
    size_t count = plan.operands.size();
    values = 0;
    symbols = values + 16 * count;
    operands = symbols + sizeof(int64_t) * plan.symbols.size();
    arguments = operands + sizeof(BoundOperand) * count;
    workspace = arguments + sizeof(void *) * (count + 1);
    descriptors = workspace + Descriptor::bytes(1);
  }
};

} // namespace

size_t Frame::layOut(og_plan &plan) {
  size_t offset = FrameOffsets(plan).descriptors;
  for (OperandRecord &operand : plan.operands) {
    operand.descriptorOffset = offset;
    offset += Descriptor::bytes(operand.rank);
  }
  return offset;
}

Frame::Frame(const og_plan &plan, void *storage)
    : base(static_cast<unsigned char *>(storage)) {
  FrameOffsets offsets(plan);
  symbolValues = reinterpret_cast<int64_t *>(base + offsets.symbols);
  operands = reinterpret_cast<BoundOperand *>(base + offsets.operands);
  values = base + offsets.values;
  arguments = reinterpret_cast<void **>(base + offsets.arguments);
  workspace = reinterpret_cast<Descriptor *>(base + offsets.workspace);
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    operands[i] = BoundOperand();
    arguments[i] = base + plan.operands[i].descriptorOffset;
  }
  arguments[plan.operands.size()] = workspace;
}

void Frame::setWorkspace(void *pointer, size_t bytes) const {
  *workspace = {pointer, pointer, 0};
  workspace->sizes()[0] = static_cast<int64_t>(bytes);
  workspace->strides(1)[0] = 1;
}
