//===- Dtypes.cpp - Element types between C ABI and MLIR ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Support/Dtypes.h"
#include "mlir/IR/BuiltinTypes.h"

using namespace mlir;

Type opgraph::lib::toMlirType(MLIRContext *context, int32_t dtype) {
  switch (dtype) {
  case OG_DTYPE_FLOAT:
    return Float32Type::get(context);
  case OG_DTYPE_DOUBLE:
    return Float64Type::get(context);
  case OG_DTYPE_HALF:
    return Float16Type::get(context);
  case OG_DTYPE_BFLOAT16:
    return BFloat16Type::get(context);
  case OG_DTYPE_FP8_E4M3:
    return Float8E4M3FNType::get(context);
  case OG_DTYPE_FP8_E5M2:
    return Float8E5M2Type::get(context);
  case OG_DTYPE_FP8_E8M0:
    return Float8E8M0FNUType::get(context);
  case OG_DTYPE_FP4_E2M1:
    return Float4E2M1FNType::get(context);
  case OG_DTYPE_INT4:
    return IntegerType::get(context, 4);
  case OG_DTYPE_INT8:
    return IntegerType::get(context, 8);
  case OG_DTYPE_UINT8:
    return IntegerType::get(context, 8, IntegerType::Unsigned);
  case OG_DTYPE_INT32:
    return IntegerType::get(context, 32);
  case OG_DTYPE_INT64:
    return IntegerType::get(context, 64);
  case OG_DTYPE_BOOLEAN:
  case OG_DTYPE_BYTE_BOOLEAN:
    return IntegerType::get(context, 1);
  default:
    return {};
  }
}

og_dtype opgraph::lib::toDtype(Type type) {
  if (type.isF32())
    return OG_DTYPE_FLOAT;
  if (type.isF64())
    return OG_DTYPE_DOUBLE;
  if (type.isF16())
    return OG_DTYPE_HALF;
  if (type.isBF16())
    return OG_DTYPE_BFLOAT16;
  if (isa<Float8E4M3FNType>(type))
    return OG_DTYPE_FP8_E4M3;
  if (isa<Float8E5M2Type>(type))
    return OG_DTYPE_FP8_E5M2;
  if (isa<Float8E8M0FNUType>(type))
    return OG_DTYPE_FP8_E8M0;
  if (isa<Float4E2M1FNType>(type))
    return OG_DTYPE_FP4_E2M1;
  if (type.isSignlessInteger(4))
    return OG_DTYPE_INT4;
  if (type.isUnsignedInteger(8))
    return OG_DTYPE_UINT8;
  if (type.isSignlessInteger(8))
    return OG_DTYPE_INT8;
  if (type.isSignlessInteger(32))
    return OG_DTYPE_INT32;
  if (type.isSignlessInteger(64))
    return OG_DTYPE_INT64;
  if (type.isSignlessInteger(1))
    return OG_DTYPE_BOOLEAN;
  return OG_DTYPE_NOT_SET;
}

bool opgraph::lib::isDtype(int32_t dtype) {
  return dtype >= OG_DTYPE_NOT_SET && dtype <= OG_DTYPE_COMPLEX_FP64;
}

bool opgraph::lib::isElementDtype(int32_t dtype) {
  switch (dtype) {
  case OG_DTYPE_FLOAT:
  case OG_DTYPE_DOUBLE:
  case OG_DTYPE_HALF:
  case OG_DTYPE_BFLOAT16:
  case OG_DTYPE_FP8_E4M3:
  case OG_DTYPE_FP8_E5M2:
  case OG_DTYPE_FP8_E8M0:
  case OG_DTYPE_FP4_E2M1:
  case OG_DTYPE_INT4:
  case OG_DTYPE_INT8:
  case OG_DTYPE_UINT8:
  case OG_DTYPE_INT32:
  case OG_DTYPE_INT64:
  case OG_DTYPE_BOOLEAN:
  case OG_DTYPE_BYTE_BOOLEAN:
    return true;
  default:
    return false;
  }
}
