//===- DType.cpp - Element types as a small closed set --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/DType.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace opgraph::planning;

namespace {
struct DTypeRow {
  StringLiteral name;
  int64_t bytes;
  bool isFloat;
  /// Wider types that hold every value, the narrowest first.
  DType wider[6];
  unsigned numWider;
};
} // namespace

// Indexed by DType.
static constexpr DTypeRow kRows[kNumDTypes] = {
    {"f32", 4, true, {DType::F64}, 1},
    {"f64", 8, true, {}, 0},
    {"f16", 2, true, {DType::F32, DType::F64}, 2},
    {"bf16", 2, true, {DType::F32, DType::F64}, 2},
    {"f8E4M3FN", 1, true, {DType::F16, DType::BF16, DType::F32, DType::F64}, 4},
    {"f8E5M2", 1, true, {DType::F16, DType::BF16, DType::F32, DType::F64}, 4},
    {"i8", 1, false, {DType::I32, DType::I64}, 2},
    {"ui8", 1, false, {DType::I32, DType::I64}, 2},
    {"i32", 4, false, {DType::I64}, 1},
    {"i64", 8, false, {}, 0},
    {"i1", 1, false, {DType::I8, DType::I32, DType::I64}, 3},
    {"f8E8M0FNU", 1, true, {DType::BF16, DType::F32, DType::F64}, 3},
    {"f4E2M1FN",
     1,
     true,
     {DType::F8E4M3, DType::F8E5M2, DType::F16, DType::BF16, DType::F32,
      DType::F64},
     6},
    {"i4", 1, false, {DType::I8, DType::I32, DType::I64}, 3},
};

static const DTypeRow &rowOf(DType type) {
  return kRows[static_cast<unsigned>(type)];
}

StringRef opgraph::planning::stringifyDType(DType type) {
  return rowOf(type).name;
}

std::optional<DType> opgraph::planning::dtypeOf(mlir::Type type) {
  if (isa<mlir::Float32Type>(type))
    return DType::F32;
  if (isa<mlir::Float64Type>(type))
    return DType::F64;
  if (isa<mlir::Float16Type>(type))
    return DType::F16;
  if (isa<mlir::BFloat16Type>(type))
    return DType::BF16;
  if (isa<mlir::Float8E4M3FNType>(type))
    return DType::F8E4M3;
  if (isa<mlir::Float8E5M2Type>(type))
    return DType::F8E5M2;
  if (isa<mlir::Float8E8M0FNUType>(type))
    return DType::F8E8M0;
  if (isa<mlir::Float4E2M1FNType>(type))
    return DType::F4E2M1;
  auto integer = dyn_cast<mlir::IntegerType>(type);
  if (!integer)
    return std::nullopt;
  switch (integer.getWidth()) {
  case 1:
    return DType::I1;
  case 4:
    return DType::I4;
  case 8:
    return integer.isUnsigned() ? DType::UI8 : DType::I8;
  case 32:
    return DType::I32;
  case 64:
    return DType::I64;
  default:
    return std::nullopt;
  }
}

int64_t opgraph::planning::storageBytes(DType type) {
  return rowOf(type).bytes;
}

bool opgraph::planning::isFloat(DType type) { return rowOf(type).isFloat; }

std::string DTypeSet::str() const {
  std::string text;
  raw_string_ostream os(text);
  os << '{';
  bool first = true;
  for (unsigned i = 0; i < kNumDTypes; ++i) {
    if (!contains(static_cast<DType>(i)))
      continue;
    os << (first ? "" : ", ") << kRows[i].name;
    first = false;
  }
  os << '}';
  return text;
}

std::optional<DType> DTypeSet::nearest(DType type) const {
  if (contains(type))
    return type;
  const DTypeRow &row = rowOf(type);
  for (unsigned i = 0; i < row.numWider; ++i)
    if (contains(row.wider[i]))
      return row.wider[i];
  return std::nullopt;
}
