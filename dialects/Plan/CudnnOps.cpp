//===- CudnnOps.cpp - Verifier of cuDNN steps -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Plan/ProgramChecks.h"

#include <set>

using namespace mlir;
using namespace opgraph::plan;

/// Checks (X1).
static LogicalResult verifyUids(CudnnExecuteOp op) {
  if (op.getUids().size() != op.getArgs().size())
    return op.emitOpError() << "has " << op.getUids().size() << " uids and "
                            << op.getArgs().size() << " args (X1)";
  std::set<int64_t> seen;
  for (int64_t uid : op.getUids())
    if (!seen.insert(uid).second)
      return op.emitOpError() << "repeats the uid " << uid << " (X1)";
  return success();
}

/// Checks (X2).
static LogicalResult verifyArguments(CudnnExecuteOp op) {
  for (auto [number, arg] : llvm::enumerate(op.getArgs())) {
    if (isa<PointerAttr, ScratchAttr>(arg))
      continue;
    auto scalar = dyn_cast<ScalarAttr>(arg);
    auto constant = dyn_cast<TypedAttr>(arg);
    if (!scalar && !(constant && isa<IntegerAttr, FloatAttr>(arg)))
      return op.emitOpError() << "argument " << number
                              << " is no data of a tensor: " << arg << " (X2)";
    Type type = scalar ? scalar.getType() : constant.getType();
    if (!isScalarArg(type))
      return op.emitOpError()
             << "argument " << number << " must be i32, i64, f32 or f64, got "
             << type << " (X2)";
  }
  return success();
}

/// Checks (X3).
static LogicalResult verifyNumbers(CudnnExecuteOp op) {
  ArrayRef<int64_t> knobs = op.getKnobs();
  if (knobs.size() % 2 != 0)
    return op.emitOpError() << "knobs are (type, value) pairs, got "
                            << knobs.size() << " numbers (X3)";
  for (size_t i = 2; i < knobs.size(); i += 2)
    if (knobs[i] <= knobs[i - 2])
      return op.emitOpError() << "knob types must ascend, got " << knobs[i - 2]
                              << " before " << knobs[i] << " (X3)";
  auto offset = static_cast<int64_t>(op.getWorkspace());
  auto bytes = static_cast<int64_t>(op.getBytes());
  if (static_cast<int64_t>(op.getConfig()) < 0 || bytes < 0)
    return op.emitOpError() << "config and bytes must not be negative, got "
                            << static_cast<int64_t>(op.getConfig()) << " and "
                            << bytes << " (X3)";
  if (offset < 0 || offset % 64 != 0)
    return op.emitOpError()
           << "the workspace must start at a multiple of 64, got " << offset
           << " (X3)";
  return success();
}

LogicalResult CudnnExecuteOp::verify() {
  if (failed(verifyUids(*this)) || failed(verifyArguments(*this)) ||
      failed(verifyNumbers(*this)))
    return failure();
  if (getSerialized().has_value() != getLibrary().has_value())
    return emitOpError() << "a serialised plan and the version of the library "
                            "that made it come together (X4)";
  return success();
}
