//===- Dtype.cpp - Names and sizes of element types -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "opgraph-c/types.h"

namespace {

struct DtypeRow {
  const char *name;
  int bits;
};

/// Indexed by og_dtype.
constexpr DtypeRow dtypeRows[] = {{"NOT_SET", 0},
                                  {"FLOAT", 32},
                                  {"DOUBLE", 64},
                                  {"HALF", 16},
                                  {"INT8", 8},
                                  {"INT32", 32},
                                  {"INT8X4", 32},
                                  {"UINT8", 8},
                                  {"UINT8X4", 32},
                                  {"INT8X32", 256},
                                  {"BFLOAT16", 16},
                                  {"INT64", 64},
                                  {"BOOLEAN", 8},
                                  {"BYTE_BOOLEAN", 8},
                                  {"FP8_E4M3", 8},
                                  {"FP8_E5M2", 8},
                                  {"FAST_FLOAT_FOR_FP8", 0},
                                  {"FP8_E8M0", 8},
                                  {"FP8_E5M3", 8},
                                  {"FP4_E2M1", 4},
                                  {"INT4", 4},
                                  {"COMPLEX_FP32", 64},
                                  {"COMPLEX_FP64", 128}};

const DtypeRow *find(og_dtype dtype) {
  unsigned index = static_cast<unsigned>(dtype);
  if (index >= sizeof(dtypeRows) / sizeof(dtypeRows[0]))
    return nullptr;
  return &dtypeRows[index];
}

} // namespace

extern "C" {

const char *og_dtype_name(og_dtype dtype) {
  const DtypeRow *row = find(dtype);
  return row ? row->name : "UNKNOWN";
}

int og_dtype_bits(og_dtype dtype) {
  const DtypeRow *row = find(dtype);
  return row ? row->bits : 0;
}
}
