//===- VerifyDevice.cpp - Checks of a plan for a CUDA device --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "opgraph-c/types.h"
#include "runtime/Cuda/Scalars.h"
#include "runtime/Expression.h"
#include "runtime/Verifier.h"
#include "runtime/VerifierContext.h"

#include <climits>
#include <cstdio>

using namespace opgraph::runtime;
namespace fb = opgraph::planfile::fb;

namespace {

constexpr size_t maxTensorMaps = 64;
/// A kernel has at most 4 KiB of parameters.
constexpr size_t maxArguments = 512;
/// Bounds the stack that an execution takes for its parameters.
constexpr size_t maxProgramSteps = 1024;
constexpr size_t maxProgramArguments = 4096;

unsigned long long ull(uint64_t value) { return value; }

/// Checks launches, tensor maps and device code of one plan.
class DeviceVerifier {
public:
  DeviceVerifier(const fb::Plan &plan, const ExprPool &exprs)
      : plan(plan), exprs(exprs) {}

  og_status run();

private:
  og_status verifyHost();
  og_status verifyTensorMaps();
  og_status verifyTensorMap(size_t number, const fb::TensorMap &map);
  og_status verifyWalk(size_t number, const fb::TensorMap &map);
  og_status verifyBox(size_t number, const fb::TensorMap &map, unsigned bytes);
  og_status verifySteps();
  og_status verifyLaunch(size_t step, const fb::Launch &launch);
  og_status verifyCudnnExecute(size_t step, const fb::CudnnExecute &execute);
  og_status
  verifyArguments(size_t step,
                  const flatbuffers::Vector<const fb::LaunchArg *> *args);
  og_status verifyGrid(size_t step, const fb::Launch &launch);
  og_status verifyArgument(const char *what, size_t number,
                           const fb::LaunchArg &arg);
  og_status verifyOperand(const char *what, size_t number,
                          const fb::LaunchArg &arg);

  const fb::Plan &plan;
  const ExprPool &exprs;
  size_t numKernels = 0;
};

} // namespace

og_status DeviceVerifier::run() {
  if (plan.device() > fb::DeviceKind_MAX)
    return fail(OG_VERSION_MISMATCH,
                "plan file is for device kind %d, this runtime knows 0..%d",
                plan.device(), fb::DeviceKind_MAX);
  if (plan.device() == fb::DeviceKind_Host)
    return verifyHost();
  if (length(plan.variants()))
    return corrupt("a plan for a CUDA device has host code");
  if (og_status status = verifyDeviceCode(plan))
    return status;
  if (length(plan.device_variants()))
    numKernels = plan.device_variants()->Get(0)->kernels()->size();
  if (og_status status = verifyTensorMaps())
    return status;
  return verifySteps();
}

og_status DeviceVerifier::verifyHost() {
  if (length(plan.device_variants()) || length(plan.tensor_maps()))
    return corrupt("a host plan has device code or tensor maps");
  for (const fb::Step *step : *plan.steps())
    if (step->body_as_CudnnExecute())
      return corrupt("a host plan executes cuDNN");
    else if (step->body_as_Launch())
      return corrupt("a host plan launches a kernel");
  return OG_OK;
}

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

/// The operand that an argument names.
og_status DeviceVerifier::verifyOperand(const char *what, size_t number,
                                        const fb::LaunchArg &arg) {
  if (arg.index() >= plan.operands()->size())
    return corrupt("%s %zu names operand %u of %u", what, number, arg.index(),
                   plan.operands()->size());
  const fb::Operand &operand = *plan.operands()->Get(arg.index());
  bool isScalar = arg.kind() == fb::ArgKind_Scalar;
  if (operand.by_value() != isScalar)
    return corrupt("%s %zu takes operand '%s' %s", what, number,
                   operand.name()->c_str(),
                   isScalar ? "by value, which it is not"
                            : "in memory, but it is by value");
  if (isScalar && !cuda::isScalarDtype(og_dtype(operand.dtype())))
    return corrupt("%s %zu takes operand '%s' of dtype %s by value", what,
                   number, operand.name()->c_str(),
                   og_dtype_name(og_dtype(operand.dtype())));
  if (arg.kind() == fb::ArgKind_Stride &&
      arg.axis() >= operand.extents()->size())
    return corrupt("%s %zu names axis %u of operand '%s' of rank %u", what,
                   number, arg.axis(), operand.name()->c_str(),
                   operand.extents()->size());
  return OG_OK;
}

og_status DeviceVerifier::verifyArgument(const char *what, size_t number,
                                         const fb::LaunchArg &arg) {
  if (arg.kind() > fb::ArgKind_MAX || arg.type() > fb::ArgType_MAX)
    return corrupt("%s %zu has kind %d and type %d", what, number, arg.kind(),
                   arg.type());
  bool isInteger =
      arg.kind() == fb::ArgKind_Integer || arg.kind() == fb::ArgKind_Stride;
  if (isInteger && arg.type() > fb::ArgType_I64)
    return corrupt("%s %zu is an integer passed as type %d", what, number,
                   arg.type());
  switch (arg.kind()) {
  case fb::ArgKind_Pointer:
  case fb::ArgKind_Scratch:
  case fb::ArgKind_Integer:
    if (arg.expr() >= exprs.size())
      return corrupt("%s %zu is expression %u of %zu", what, number, arg.expr(),
                     exprs.size());
    break;
  case fb::ArgKind_Scalar:
    if (arg.type() == fb::ArgType_U32)
      return corrupt("%s %zu is a scalar passed as type %d", what, number,
                     arg.type());
    break;
  case fb::ArgKind_TensorMap:
    if (arg.index() >= length(plan.tensor_maps()))
      return corrupt("%s %zu names tensor map %u of %zu", what, number,
                     arg.index(), length(plan.tensor_maps()));
    break;
  default:
    break;
  }
  if (arg.kind() == fb::ArgKind_Pointer || arg.kind() == fb::ArgKind_Stride ||
      arg.kind() == fb::ArgKind_Scalar)
    return verifyOperand(what, number, arg);
  return OG_OK;
}

//===----------------------------------------------------------------------===//
// Tensor maps
//===----------------------------------------------------------------------===//

/// Bytes of an element of a tensor map; 0 for a dtype that none has.
static unsigned elementBytes(uint32_t dtype) {
  bool isByte = dtype == OG_DTYPE_FP8_E4M3 || dtype == OG_DTYPE_FP8_E5M2 ||
                dtype == OG_DTYPE_FP8_E8M0;
  if (!isByte && !cuda::isScalarDtype(og_dtype(dtype)))
    return 0;
  return og_dtype_bits(og_dtype(dtype)) / 8;
}

/// Corners and steps of im2col: all, or none.
og_status DeviceVerifier::verifyWalk(size_t number, const fb::TensorMap &map) {
  size_t rank = map.box()->size(), steps = length(map.steps());
  if (!map.steps() && !map.lower() && !map.upper())
    return OG_OK;
  if (rank < 3 || steps != rank - 2 || length(map.lower()) != steps ||
      length(map.upper()) != steps)
    return corrupt(
        "tensor map %zu of rank %zu has %zu lower corners, %zu upper "
        "corners and %zu steps",
        number, rank, length(map.lower()), length(map.upper()), steps);
  int limit = rank == 3 ? 1 << 15 : rank == 4 ? 1 << 7 : 1 << 4;
  auto isOutside = [&](int at) { return at < -limit || at >= limit; };
  for (size_t i = 0; i < steps; ++i)
    if (isOutside(map.lower()->Get(i)) || isOutside(map.upper()->Get(i)) ||
        map.steps()->Get(i) < 1 || map.steps()->Get(i) > 8)
      return corrupt("tensor map %zu walks from %d to %d in steps of %u",
                     number, map.lower()->Get(i), map.upper()->Get(i),
                     map.steps()->Get(i));
  return OG_OK;
}

og_status DeviceVerifier::verifyBox(size_t number, const fb::TensorMap &map,
                                    unsigned bytes) {
  if (og_status status = verifyWalk(number, map))
    return status;
  for (size_t i = 0; i < map.box()->size(); ++i) {
    // Pixels of im2col; what lies between them and the channels is 1.
    unsigned most = !map.steps()                 ? 256
                    : i == 0                     ? 1024
                    : i + 1 == map.box()->size() ? 256
                                                 : 1;
    unsigned extent = map.box()->Get(i);
    if (extent < 1 || extent > most)
      return corrupt("tensor map %zu has a box extent of %u, expected 1 to %u",
                     number, extent, most);
  }
  unsigned row = map.box()->Get(map.box()->size() - 1) * bytes;
  unsigned span = map.swizzle() == fb::Swizzle_None ? 0 : 16u << map.swizzle();
  if (row % 16 || (span && row > span))
    return corrupt("tensor map %zu has box rows of %u bytes, expected a "
                   "multiple of 16%s",
                   number, row, span ? ", within the swizzle's span" : "");
  return OG_OK;
}

og_status DeviceVerifier::verifyTensorMap(size_t number,
                                          const fb::TensorMap &map) {
  const fb::LaunchArg *base = map.base();
  if (!base || (base->kind() != fb::ArgKind_Pointer &&
                base->kind() != fb::ArgKind_Scratch))
    return corrupt("tensor map %zu has no address", number);
  if (og_status status = verifyArgument("tensor map", number, *base))
    return status;
  if (base->kind() == fb::ArgKind_Pointer &&
      plan.operands()->Get(base->index())->stride_rule() !=
          fb::StrideRule_Exact)
    return corrupt("tensor map %zu is of operand '%s', whose strides are not "
                   "exact",
                   number,
                   plan.operands()->Get(base->index())->name()->c_str());
  size_t rank = map.extents()->size();
  if (rank < 1 || rank > 5 || map.strides()->size() != rank ||
      map.box()->size() != rank)
    return corrupt("tensor map %zu has %zu extents, %u strides and a box of "
                   "%u, expected one rank from 1 to 5",
                   number, rank, map.strides()->size(), map.box()->size());
  for (size_t i = 0; i < rank; ++i)
    if (map.extents()->Get(i) >= exprs.size() ||
        map.strides()->Get(i) >= exprs.size())
      return corrupt("tensor map %zu: axis %zu names expressions %u and %u of "
                     "%zu",
                     number, i, map.extents()->Get(i), map.strides()->Get(i),
                     exprs.size());
  int64_t last = 0;
  uint32_t lastExpr = map.strides()->Get(rank - 1);
  if (exprs.isDynamic(lastExpr) || exprs.evaluate(lastExpr, nullptr, last) ||
      last != 1)
    return corrupt("tensor map %zu: its last stride is not 1", number);
  unsigned bytes = elementBytes(map.dtype());
  if (bytes == 0 || map.swizzle() > fb::Swizzle_MAX)
    return corrupt("tensor map %zu has dtype %u and swizzle %d", number,
                   map.dtype(), map.swizzle());
  return verifyBox(number, map, bytes);
}

og_status DeviceVerifier::verifyTensorMaps() {
  size_t count = length(plan.tensor_maps());
  if (count > maxTensorMaps)
    return corrupt("%zu tensor maps, expected at most %zu", count,
                   maxTensorMaps);
  for (size_t i = 0; i < count; ++i)
    if (og_status status = verifyTensorMap(i, *plan.tensor_maps()->Get(i)))
      return status;
  return OG_OK;
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

og_status DeviceVerifier::verifyGrid(size_t step, const fb::Launch &launch) {
  if (launch.grid()->size() != 3)
    return corrupt("step %zu has a grid of %u extents, expected 3", step,
                   launch.grid()->size());
  for (uint32_t axis = 0; axis < 3; ++axis) {
    uint32_t expr = launch.grid()->Get(axis);
    if (expr >= exprs.size())
      return corrupt("step %zu: a grid extent is expression %u of %zu", step,
                     expr, exprs.size());
    int64_t value = 0, limit = axis == 0 ? INT32_MAX : 65535;
    if (!exprs.isDynamic(expr) &&
        (exprs.evaluate(expr, nullptr, value) || value < 0 || value > limit))
      return corrupt("step %zu: grid axis %u is %lld, expected 0 to %lld", step,
                     axis, static_cast<long long>(value),
                     static_cast<long long>(limit));
  }
  return OG_OK;
}

og_status DeviceVerifier::verifyLaunch(size_t step, const fb::Launch &launch) {
  if (launch.kernel() >= numKernels)
    return corrupt("step %zu launches kernel %u of %zu", step, launch.kernel(),
                   numKernels);
  if (og_status status = verifyGrid(step, launch))
    return status;
  return verifyArguments(step, launch.args());
}

og_status DeviceVerifier::verifyArguments(
    size_t step, const flatbuffers::Vector<const fb::LaunchArg *> *args) {
  if (length(args) > maxArguments)
    return corrupt("step %zu has %zu arguments, expected at most %zu", step,
                   length(args), maxArguments);
  for (size_t i = 0; i < length(args); ++i) {
    char what[48];
    std::snprintf(what, sizeof(what), "step %llu: argument", ull(step));
    if (og_status status = verifyArgument(what, i, *args->Get(i)))
      return status;
  }
  return OG_OK;
}

og_status DeviceVerifier::verifyCudnnExecute(size_t step,
                                             const fb::CudnnExecute &execute) {
  if (og_status status = verifyCudnn(step, execute))
    return status;
  return verifyArguments(step, execute.args());
}

og_status DeviceVerifier::verifySteps() {
  size_t arguments = 0;
  if (plan.steps()->size() > maxProgramSteps)
    return corrupt("%u steps, expected at most %zu", plan.steps()->size(),
                   maxProgramSteps);
  for (size_t i = 0; i < plan.steps()->size(); ++i) {
    const fb::Step *step = plan.steps()->Get(i);
    if (step->body_as_HostCall())
      return corrupt("step %zu of a plan for a CUDA device calls host code", i);
    if (const fb::CudnnExecute *execute = step->body_as_CudnnExecute()) {
      if (og_status status = verifyCudnnExecute(i, *execute))
        return status;
      arguments += length(execute->args());
    }
    const fb::Launch *launch = step->body_as_Launch();
    if (!launch)
      continue;
    if (og_status status = verifyLaunch(i, *launch))
      return status;
    arguments += length(launch->args());
  }
  if (arguments > maxProgramArguments)
    return corrupt("%zu arguments, expected at most %zu", arguments,
                   maxProgramArguments);
  return OG_OK;
}

og_status opgraph::runtime::verifyDevice(const fb::Plan &plan,
                                         const ExprPool &exprs) {
  return DeviceVerifier(plan, exprs).run();
}
