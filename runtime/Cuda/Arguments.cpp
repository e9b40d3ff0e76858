//===- Arguments.cpp - Kernel parameters from operands --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Binding.h"
#include "runtime/Cuda/Program.h"
#include "runtime/Cuda/Scalars.h"
#include "runtime/Error.h"

using namespace opgraph::runtime;
using namespace opgraph::runtime::cuda;
namespace fb = opgraph::planfile::fb;

namespace {

long long ll(int64_t value) { return value; }

/// Fills the slots of one execution.
class ArgumentBinder {
public:
  ArgumentBinder(const og_plan &plan, const Frame &frame, uintptr_t workspace,
                 int64_t workspaceBytes)
      : plan(plan), frame(frame), workspace(workspace),
        workspaceBytes(workspaceBytes) {}

  /// Fills slot `number` of the block, and says where the parameter is.
  og_status bind(const ArgumentRecord &record, Block &block,
                 size_t number) const {
    if (og_status status = bind(record, block.slots[number]))
      return status;
    if (record.isDirect)
      block.params[number] = reinterpret_cast<void *>(block.slots[number]);
    else
      block.params[number] =
          record.kind == fb::ArgKind_TensorMap
              ? static_cast<void *>(&block.maps[record.index])
              : &block.slots[number];
    return OG_OK;
  }

  /// Adds the operand's part to the number that evaluation has put into `slot`.
  og_status bind(const ArgumentRecord &record, uint64_t &slot) const {
    switch (record.kind) {
    case fb::ArgKind_Pointer:
      return bindPointer(record, slot);
    case fb::ArgKind_Scratch:
      return bindScratch(slot);
    case fb::ArgKind_Stride:
      return bindStride(record, slot);
    case fb::ArgKind_Scalar: {
      const OperandRecord &operand = plan.operands[record.index];
      slot = convertScalar(operand.dtype, frame.valueOf(record.index),
                           record.type);
      return OG_OK;
    }
    default:
      return OG_OK;
    }
  }

private:
  og_status bindPointer(const ArgumentRecord &record, uint64_t &slot) const;
  og_status bindScratch(uint64_t &slot) const;
  og_status bindStride(const ArgumentRecord &record, uint64_t &slot) const;

  const og_plan &plan;
  const Frame &frame;
  uintptr_t workspace;
  int64_t workspaceBytes;
};

} // namespace

og_status ArgumentBinder::bindPointer(const ArgumentRecord &record,
                                      uint64_t &slot) const {
  const OperandRecord &operand = plan.operands[record.index];
  const Span &span = frame.bound(record.index).span;
  int64_t offset = int64_t(slot);
  if (offset && (offset < span.lowByte || offset > span.highByte))
    return fail(OG_INVALID_VARIANT_PACK,
                "plan '%s' for these shapes: byte %lld of operand '%s' (uid "
                "%lld), which has bytes %lld to %lld",
                plan.name(), ll(offset), operand.name, ll(operand.uid),
                ll(span.lowByte), ll(span.highByte));
  slot += reinterpret_cast<uintptr_t>(frame.descriptor(operand)->aligned);
  return OG_OK;
}

og_status ArgumentBinder::bindScratch(uint64_t &slot) const {
  int64_t offset = int64_t(slot);
  if (offset < 0 || offset > workspaceBytes)
    return fail(OG_INVALID_VARIANT_PACK,
                "plan '%s' for these shapes: byte %lld of a workspace of %lld",
                plan.name(), ll(offset), ll(workspaceBytes));
  slot += workspace;
  return OG_OK;
}

og_status ArgumentBinder::bindStride(const ArgumentRecord &record,
                                     uint64_t &slot) const {
  const OperandRecord &operand = plan.operands[record.index];
  int64_t stride =
      frame.descriptor(operand)->strides(operand.rank)[record.axis];
  bool fits = record.type == fb::ArgType_I64 ||
              (record.type == fb::ArgType_I32
                   ? stride >= INT32_MIN && stride <= INT32_MAX
                   : stride >= 0 && stride <= int64_t(UINT32_MAX));
  if (!fits)
    return fail(OG_INVALID_VARIANT_PACK,
                "operand '%s' (uid %lld) has stride %lld on axis %u, which the "
                "kernel takes in 32 bits",
                operand.name, ll(operand.uid), ll(stride), record.axis);
  slot = uint64_t(stride);
  return OG_OK;
}

og_status opgraph::runtime::cuda::bindArguments(
    const og_plan &plan, const Program &program, const Driver &driver,
    const Frame &frame, uintptr_t workspace, int64_t workspaceBytes,
    Block &block) {
  ArgumentBinder binder(plan, frame, workspace, workspaceBytes);
  for (size_t number = 0; number < program.steps.size(); ++number) {
    const StepPlan &step = program.steps[number];
    if (isIdleLaunch(step, block.steps[number]))
      continue;
    for (size_t i = step.firstArg; i < step.firstArg + step.numArgs; ++i)
      if (og_status status = binder.bind(program.args[i], block, i))
        return status;
  }
  for (size_t i = 0; i < program.maps.size(); ++i) {
    const MapRecord &map = program.maps[i];
    int64_t offset = 0;
    if (plan.exprs.evaluate(map.base.expr, frame.symbols(), offset))
      offset = INT64_MAX;
    uint64_t address = uint64_t(offset);
    if (og_status status = binder.bind(map.base, address))
      return status;
    if (og_status status = encodeMap(plan, map, i, driver, frame.symbols(),
                                     address, block.maps[i]))
      return status;
  }
  return OG_OK;
}
