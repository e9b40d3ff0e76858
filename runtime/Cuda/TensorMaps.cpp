//===- TensorMaps.cpp - TMA descriptors of one execution ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cuda/Program.h"
#include "runtime/Error.h"
#include "runtime/Plan.h"

using namespace opgraph::runtime;
using namespace opgraph::runtime::cuda;

namespace {

constexpr uint32_t maxMapRank = 5;
constexpr int64_t maxMapExtent = int64_t(1) << 32;
constexpr int64_t maxMapStride = int64_t(1) << 40;

/// A tensor map's numbers as the driver takes them: innermost first, strides in
/// bytes without that of the innermost axis. The steps of a tiled map are 1.
struct MapShape {
  uint64_t extents[maxMapRank];
  uint64_t strides[maxMapRank];
  uint32_t box[maxMapRank];
  uint32_t steps[maxMapRank];
};

} // namespace

/// The one place that makes the text of a refusal.
static og_status refuse(const og_plan &plan, size_t number, const char *what,
                        uint32_t axis, int64_t value, const char *expected) {
  return fail(OG_INVALID_VARIANT_PACK,
              "plan '%s', tensor map %zu for these shapes: %s of axis %u is "
              "%lld, expected %s",
              plan.name(), number, what, axis, static_cast<long long>(value),
              expected);
}

/// Evaluates and checks what the hardware can encode. `empty`: some extent is
/// 0.
static og_status evaluateShape(const og_plan &plan, const MapRecord &record,
                               size_t number, const int64_t *symbols,
                               MapShape &shape, bool &empty) {
  empty = false;
  for (uint32_t axis = 0; axis < record.rank; ++axis) {
    uint32_t inner = record.rank - 1 - axis;
    int64_t extent, stride;
    const char *error =
        plan.exprs.evaluate(record.extents[axis], symbols, extent);
    if (!error)
      error = plan.exprs.evaluate(record.strides[axis], symbols, stride);
    if (error)
      return fail(OG_INVALID_VARIANT_PACK,
                  "plan '%s', tensor map %zu for these shapes: axis %u: %s",
                  plan.name(), number, axis, error);
    if (extent < 0 || extent > maxMapExtent)
      return refuse(plan, number, "the extent", axis, extent, "0 to 2^32");
    empty |= extent == 0;
    shape.extents[inner] = uint64_t(extent);
    shape.box[inner] = record.box[axis];
    shape.steps[inner] = 1;
    if (inner == 0)
      continue;
    int64_t bytes;
    if (__builtin_mul_overflow(stride, int64_t(record.elementBytes), &bytes) ||
        bytes < 0 || bytes >= maxMapStride || bytes % 16)
      return refuse(plan, number, "the stride", axis, stride,
                    "a multiple of 16 bytes below 2^40 bytes");
    shape.strides[inner - 1] = uint64_t(bytes);
  }
  return OG_OK;
}

/// Innermost first, as the rest; only the axes of the images are walked.
static int encodeIm2col(const Driver &driver, const MapRecord &record,
                        void *address, MapShape &shape, TensorMapBytes &out) {
  int lower[maxMapRank], upper[maxMapRank];
  uint32_t inner = record.rank - 2;
  for (uint32_t axis = 0; axis < inner; ++axis) {
    lower[inner - 1 - axis] = record.lower[axis];
    upper[inner - 1 - axis] = record.upper[axis];
    shape.steps[inner - axis] = record.steps[axis];
  }
  uint32_t channels = shape.box[0], pixels = shape.box[record.rank - 1];
  return driver.tensorMapEncodeIm2col(
      &out, record.dtype, record.rank, address, shape.extents, shape.strides,
      lower, upper, channels, pixels, shape.steps, InterleaveNone,
      record.swizzle, Promote128, record.fillNan ? FillNan : FillZero);
}

og_status opgraph::runtime::cuda::encodeMap(const og_plan &plan,
                                            const MapRecord &record,
                                            size_t number, const Driver &driver,
                                            const int64_t *symbols,
                                            uintptr_t address,
                                            TensorMapBytes &out) {
  MapShape shape;
  bool empty;
  if (og_status status =
          evaluateShape(plan, record, number, symbols, shape, empty))
    return status;
  // The driver refuses a map without elements, and no kernel reads it.
  out = TensorMapBytes();
  if (empty)
    return OG_OK;
  if (address % 16)
    return fail(OG_INVALID_VARIANT_PACK,
                "plan '%s': tensor map %zu is at address 0x%llx, expected "
                "alignment to 16 bytes",
                plan.name(), number, static_cast<unsigned long long>(address));
  void *base = reinterpret_cast<void *>(address);
  int result = record.steps
                   ? encodeIm2col(driver, record, base, shape, out)
                   : driver.tensorMapEncodeTiled(
                         &out, record.dtype, record.rank, base, shape.extents,
                         shape.strides, shape.box, shape.steps, InterleaveNone,
                         record.swizzle, Promote128,
                         record.fillNan ? FillNan : FillZero);
  if (result)
    return failCuda(driver, result, "plan '%s': tensor map %zu", plan.name(),
                    number);
  return OG_OK;
}
