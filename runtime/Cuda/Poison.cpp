//===- Poison.cpp - Making unwritten results visible on a device ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Poison.h"
#include "runtime/Cuda/Launch.h"
#include "runtime/Error.h"

using namespace opgraph::runtime;
using namespace opgraph::runtime::cuda;

namespace {

/// Enqueues fills of one output's elements.
class Filler {
public:
  Filler(const Driver &driver, const LayoutView &layout, Stream stream)
      : driver(driver), layout(layout), bytes(layout.bits / 8), stream(stream) {
  }

  /// Fills the elements of axes `axis` and up; the driver's code.
  int fill(DevicePtr address, uint32_t axis) const;

private:
  int64_t stepOf(uint32_t axis) const {
    // The stride of an axis of one element may be anything.
    return layout.extents[axis] > 1 ? layout.strides[axis] * bytes : bytes;
  }
  int fillRows(DevicePtr address, int64_t step, int64_t width,
               int64_t rows) const {
    return driver.memsetD2D8Async(address, step, 0xff, width, rows, stream);
  }

  const Driver &driver;
  LayoutView layout;
  int64_t bytes;
  Stream stream;
};

} // namespace

int Filler::fill(DevicePtr address, uint32_t axis) const {
  uint32_t left = layout.rank - axis;
  if (left == 0)
    return driver.memsetD8Async(address, 0xff, bytes, stream);
  int64_t extent = layout.extents[axis], step = stepOf(axis);
  if (left == 1 && step == bytes)
    return driver.memsetD8Async(address, 0xff, extent * bytes, stream);
  if (left == 1)
    return fillRows(address, step, bytes, extent);
  int64_t columns = layout.extents[axis + 1];
  if (left == 2 && stepOf(axis + 1) == bytes && step >= columns * bytes)
    return fillRows(address, step, columns * bytes, extent);
  for (int64_t i = 0; i < extent; ++i)
    if (int result = fill(address + uint64_t(i * step), axis + 1))
      return result;
  return Success;
}

/// True when the elements are to be filled: whole bytes whose place is known,
/// and not an input too.
static bool isPoisoned(const og_plan &plan, const Frame &frame, size_t index) {
  const OperandRecord &operand = plan.operands[index];
  if (!operand.isOutput || frame.bound(index).span.elements == 0 ||
      operand.storage == OG_STORAGE_RAGGED)
    return false;
  for (const AliasRecord &alias : plan.aliases)
    if (alias.output == index &&
        frame.descriptor(plan.operands[alias.input])->aligned ==
            frame.descriptor(operand)->aligned)
      return false;
  return true;
}

static int poisonOutput(const Driver &driver, const Frame &frame,
                        const OperandRecord &operand, const Span &span,
                        Stream stream) {
  auto address =
      reinterpret_cast<uintptr_t>(frame.descriptor(operand)->aligned);
  LayoutView layout = frame.layout(operand);
  bool endsInByte = span.elements * int64_t(layout.bits) % 8 == 0;
  if (isDense(layout) && endsInByte)
    return driver.memsetD8Async(address, 0xff, span.highByte, stream);
  // A 4-bit element with gaps, or alone, shares its byte with what is not ours.
  if (layout.bits % 8)
    return Success;
  return Filler(driver, layout, stream).fill(address, 0);
}

og_status opgraph::runtime::cuda::poisonDevice(const og_plan &plan,
                                               const Driver &driver,
                                               const Frame &frame,
                                               const og_variant_pack &pack,
                                               Stream stream) {
  int result = Success;
  for (size_t i = 0; i < plan.operands.size() && !result; ++i)
    if (isPoisoned(plan, frame, i))
      result = poisonOutput(driver, frame, plan.operands[i],
                            frame.bound(i).span, stream);
  int64_t workspace = 0;
  if (!result && !workspaceBytes(plan, frame.symbols(), workspace) && workspace)
    result = driver.memsetD8Async(reinterpret_cast<uintptr_t>(pack.workspace),
                                  0xff, workspace, stream);
  if (result)
    return failCuda(driver, result, "plan '%s': cannot poison its outputs",
                    plan.name());
  return OG_OK;
}
