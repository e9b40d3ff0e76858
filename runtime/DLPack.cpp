//===- DLPack.cpp - DLPack tensors as buffers -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "opgraph-c/runtime.h"
#include "runtime/Error.h"

#include <dlpack/dlpack.h>

using namespace opgraph::runtime;

// DLPack's device numbers are ours.
static_assert(int(kDLCPU) == OG_DEVICE_HOST && int(kDLCUDA) == OG_DEVICE_CUDA &&
              int(kDLCUDAHost) == OG_DEVICE_CUDA_HOST &&
              int(kDLCUDAManaged) == OG_DEVICE_CUDA_MANAGED);

namespace {

struct DtypePair {
  uint8_t code;
  uint8_t bits;
  uint16_t lanes;
  og_dtype dtype;
};

constexpr DtypePair dtypePairs[] = {
    {kDLFloat, 32, 1, OG_DTYPE_FLOAT},
    {kDLFloat, 64, 1, OG_DTYPE_DOUBLE},
    {kDLFloat, 16, 1, OG_DTYPE_HALF},
    {kDLBfloat, 16, 1, OG_DTYPE_BFLOAT16},
    {kDLInt, 8, 1, OG_DTYPE_INT8},
    {kDLInt, 32, 1, OG_DTYPE_INT32},
    {kDLInt, 64, 1, OG_DTYPE_INT64},
    {kDLInt, 4, 1, OG_DTYPE_INT4},
    {kDLInt, 8, 4, OG_DTYPE_INT8X4},
    {kDLInt, 8, 32, OG_DTYPE_INT8X32},
    {kDLUInt, 8, 1, OG_DTYPE_UINT8},
    {kDLUInt, 8, 4, OG_DTYPE_UINT8X4},
    {kDLBool, 8, 1, OG_DTYPE_BOOLEAN},
    {kDLFloat8_e4m3fn, 8, 1, OG_DTYPE_FP8_E4M3},
    {kDLFloat8_e5m2, 8, 1, OG_DTYPE_FP8_E5M2},
    {kDLFloat8_e8m0fnu, 8, 1, OG_DTYPE_FP8_E8M0},
    {kDLFloat4_e2m1fn, 4, 1, OG_DTYPE_FP4_E2M1},
    // Pairs, which extents count: bytes, as 4-bit operands take them.
    {kDLFloat4_e2m1fn, 4, 2, OG_DTYPE_UINT8},
    {kDLInt, 4, 2, OG_DTYPE_UINT8},
    {kDLComplex, 64, 1, OG_DTYPE_COMPLEX_FP32},
    {kDLComplex, 128, 1, OG_DTYPE_COMPLEX_FP64}};

og_dtype findDtype(const DLDataType &type) {
  for (const DtypePair &pair : dtypePairs)
    if (pair.code == type.code && pair.bits == type.bits &&
        pair.lanes == type.lanes)
      return pair.dtype;
  return OG_DTYPE_NOT_SET;
}

} // namespace

extern "C" {

og_status og_buffer_from_dltensor(const void *dltensor, int64_t uid,
                                  og_buffer *out) {
  const auto *tensor = static_cast<const DLTensor *>(dltensor);
  long long id = uid;
  if (!tensor || !out)
    return fail(OG_INVALID_ARGUMENT, "og_buffer_from_dltensor: %s is null",
                tensor ? "out" : "tensor");
  og_dtype dtype = findDtype(tensor->dtype);
  if (dtype == OG_DTYPE_NOT_SET)
    return fail(OG_UNSUPPORTED,
                "operand with uid %lld: DLPack dtype with code %u, %u bits, %u "
                "lanes has no number here",
                id, tensor->dtype.code, tensor->dtype.bits,
                tensor->dtype.lanes);
  int device = tensor->device.device_type;
  if (device != kDLCPU && device != kDLCUDA && device != kDLCUDAHost &&
      device != kDLCUDAManaged)
    return fail(OG_UNSUPPORTED,
                "operand with uid %lld: DLPack device type %d, expected CPU or "
                "CUDA",
                id, device);
  if (tensor->ndim < 0 || (tensor->ndim > 0 && !tensor->shape))
    return fail(OG_INVALID_ARGUMENT,
                "operand with uid %lld: DLPack tensor of rank %d%s", id,
                tensor->ndim, tensor->ndim < 0 ? "" : " with a null shape");
  *out = og_buffer();
  out->struct_size = sizeof(og_buffer);
  out->uid = uid;
  // Null stays null: an empty tensor may have an offset.
  out->data = tensor->data
                  ? static_cast<char *>(tensor->data) + tensor->byte_offset
                  : nullptr;
  out->dtype = dtype;
  out->ndim = tensor->ndim;
  out->shape = tensor->shape;
  out->strides = tensor->strides;
  out->device = {device, tensor->device.device_id};
  return OG_OK;
}

og_status
og_buffer_from_dlmanaged(const struct DLManagedTensorVersioned *tensor,
                         int64_t uid, int will_write, og_buffer *out) {
  long long id = uid;
  if (!tensor)
    return fail(OG_INVALID_ARGUMENT,
                "og_buffer_from_dlmanaged: tensor is null");
  if (tensor->version.major != DLPACK_MAJOR_VERSION)
    return fail(OG_VERSION_MISMATCH,
                "operand with uid %lld: DLPack version %u.%u, expected %d.x",
                id, tensor->version.major, tensor->version.minor,
                DLPACK_MAJOR_VERSION);
  if (will_write && (tensor->flags & DLPACK_FLAG_BITMASK_READ_ONLY))
    return fail(OG_INVALID_VARIANT_PACK,
                "output with uid %lld is a read-only DLPack tensor", id);
  og_status status = og_buffer_from_dltensor(&tensor->dl_tensor, uid, out);
  if (status == OG_OK && og_dtype_bits(og_dtype(out->dtype)) < 8 &&
      (tensor->flags & DLPACK_FLAG_BITMASK_IS_SUBBYTE_TYPE_PADDED))
    return fail(OG_UNSUPPORTED,
                "operand with uid %lld: 4-bit elements padded to bytes, "
                "expected packed",
                id);
  return status;
}
}
