//===- TypeRules.cpp - What types of tile must be -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Tile/Verify/Local.h"

using namespace mlir;
using namespace opgraph::tile;

using EmitErrorFn = function_ref<InFlightDiagnostic()>;

static bool isPowerOfTwo(int64_t value) {
  return value > 0 && llvm::isPowerOf2_64(value);
}

/// R2. What packs elements into halves of a byte is an i8 here, and what no
/// instruction tells apart has one name: only MMAs ask for a sign.
static bool isElement(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type))
    return integer.isUnsigned()
               ? integer.getWidth() == 8
               : integer.isSignless() &&
                     llvm::is_contained({1u, 8u, 16u, 32u, 64u},
                                        integer.getWidth());
  return isa<Float64Type, Float32Type, FloatTF32Type, Float16Type, BFloat16Type,
             Float8E4M3FNType, Float8E5M2Type, Float8E8M0FNUType>(type);
}

static LogicalResult checkElement(EmitErrorFn emitError, Type type) {
  if (isElement(type))
    return success();
  return emitError()
         << "expected elements of f64, f32, tf32, f16, bf16, f8E4M3FN, f8E5M2, "
            "f8E8M0FNU, i1, i8, ui8, i16, i32 or i64 (R2), got "
         << type;
}

static LogicalResult checkAlignment(EmitErrorFn emitError, int64_t align) {
  if (isPowerOfTwo(align))
    return success();
  return emitError() << "expected an alignment that is a power of two, got "
                     << align;
}

LogicalResult PtrType::verify(EmitErrorFn emitError, Type elementType,
                              int64_t align, bool readonly) {
  return failure(failed(checkElement(emitError, elementType)) ||
                 failed(checkAlignment(emitError, align)));
}

LogicalResult ViewType::verify(EmitErrorFn emitError, ArrayRef<int64_t> shape,
                               ArrayRef<int64_t> extentDivisors,
                               Type elementType, ArrayRef<int64_t> strides,
                               ArrayRef<int64_t> strideDivisors, int64_t align,
                               bool readonly) {
  if (failed(checkElement(emitError, elementType)) ||
      failed(checkAlignment(emitError, align)))
    return failure();
  if (shape.empty() || shape.size() > 8)
    return emitError() << "expected a view of rank 1 to 8, got "
                       << shape.size();
  if (strides.size() != shape.size())
    return emitError() << "expected one stride for each of " << shape.size()
                       << " axes, got " << strides.size();
  if (extentDivisors.size() != shape.size() ||
      strideDivisors.size() != shape.size())
    return emitError() << "expected one divisor for each axis";
  for (int64_t extent : shape)
    if (!ShapedType::isDynamic(extent) && extent < 0)
      return emitError() << "expected extents of at least 0, got " << extent;
  for (int64_t divisor :
       llvm::concat<const int64_t>(extentDivisors, strideDivisors))
    if (divisor < 1)
      return emitError() << "expected divisors of at least 1, got " << divisor;
  return success();
}

static int64_t spanOf(Swizzle swizzle) {
  return swizzle == Swizzle::none ? 0 : 16 << static_cast<uint32_t>(swizzle);
}

/// M1, M3 of im2col: pixels x 1 ... x channels.
static LogicalResult checkImageBox(EmitErrorFn emitError, ArrayRef<int64_t> box,
                                   bool inMemory) {
  if (box.size() < 3 || box.size() > 5)
    return emitError() << "expected rank 3 to 5 with im2col (M3), got "
                       << box.size();
  if (box.front() < 1 || box.front() > 1024 || box.back() < 1 ||
      box.back() > 256)
    return emitError() << "expected 1 to 1024 pixels of 1 to 256 channels with "
                          "im2col (M1), got "
                       << box.front() << " and " << box.back();
  if (!llvm::all_equal(box.drop_front().drop_back()) || box[1] != 1)
    return emitError() << "expected extents of 1 between pixels and channels "
                          "with im2col (M3), got ["
                       << box << "]";
  if (inMemory)
    return emitError() << "expected a grid constant with im2col (M3), got a "
                          "map in memory";
  return success();
}

static LogicalResult checkTiledBox(EmitErrorFn emitError,
                                   ArrayRef<int64_t> box) {
  if (box.empty() || box.size() > 5)
    return emitError() << "expected a box of rank 1 to 5 (M1), got "
                       << box.size();
  for (int64_t extent : box)
    if (extent < 1 || extent > 256)
      return emitError() << "expected box extents of 1 to 256 (M1), got "
                         << extent;
  return success();
}

LogicalResult TensorMapType::verify(EmitErrorFn emitError,
                                    ArrayRef<int64_t> box, Type elementType,
                                    Swizzle swizzle, bool im2col,
                                    bool inMemory) {
  if (failed(checkElement(emitError, elementType)))
    return failure();
  if (failed(im2col ? checkImageBox(emitError, box, inMemory)
                    : checkTiledBox(emitError, box)))
    return failure();
  int64_t bytes = box.back() * getStorageBits(elementType) / 8;
  if (bytes % 16 != 0)
    return emitError()
           << "expected box columns that are a multiple of 16 bytes "
              "(M2), got "
           << bytes << " bytes";
  if (int64_t span = spanOf(swizzle); span && bytes > span)
    return emitError() << "expected box columns of at most " << span
                       << " bytes, the swizzle's span (M2), got " << bytes;
  return success();
}

LogicalResult SharedType::verify(EmitErrorFn emitError, ArrayRef<int64_t> shape,
                                 Type elementType, Swizzle swizzle,
                                 int64_t planeRows, int64_t pad, bool peer) {
  if (failed(checkElement(emitError, elementType)))
    return failure();
  if (shape.empty())
    return emitError() << "expected a shared tile of rank 1 or more (T2)";
  int64_t bytes = getStorageBits(elementType);
  for (int64_t extent : shape) {
    if (extent < 1)
      return emitError() << "expected extents of at least 1 (T2), got "
                         << extent;
    if (llvm::MulOverflow(bytes, extent, bytes) || bytes > (int64_t(1) << 31))
      return emitError() << "expected a shared tile below 256 MiB (T2)";
  }
  if (planeRows < 0 || pad < 0)
    return emitError() << "expected plane_rows and pad of at least 0 (T2)";
  int64_t span = spanOf(swizzle);
  if (!span)
    return success();
  if (pad)
    return emitError() << "expected no pad with a swizzle (T2), got " << pad;
  if (shape.size() < 2)
    return emitError() << "expected rows and columns with a swizzle (T1)";
  int64_t rows = shape[shape.size() - 2];
  int64_t columns = shape.back() * getStorageBits(elementType) / 8;
  if (rows % 8 != 0 || columns % span != 0)
    return emitError()
           << "expected rows that are a multiple of 8 and columns of " << span
           << " bytes (T1), got " << rows << " rows of " << columns << " bytes";
  return success();
}

static LogicalResult checkReg(EmitErrorFn emitError, int64_t rows, int64_t cols,
                              Type elementType, Attribute distribution) {
  if (failed(checkElement(emitError, elementType)))
    return failure();
  if (rows < 1 || cols < 1 || rows > (1 << 20) || cols > (1 << 20))
    return emitError() << "expected 1 to 2^20 rows and columns (R1), got "
                       << rows << 'x' << cols;
  auto layout = dyn_cast<DistributionAttrInterface>(distribution);
  if (!layout)
    return emitError() << "expected a distribution of tile (R1), got "
                       << distribution;
  for (unsigned axis : {0u, 1u})
    if (failed(layout.getFactors(axis, {rows, cols}, emitError)))
      return failure();
  return success();
}

LogicalResult RegType::verify(EmitErrorFn emitError, int64_t rows, int64_t cols,
                              Type elementType, Attribute distribution) {
  return checkReg(emitError, rows, cols, elementType, distribution);
}

LogicalResult PendingType::verify(EmitErrorFn emitError, int64_t rows,
                                  int64_t cols, Type elementType,
                                  Attribute distribution) {
  return checkReg(emitError, rows, cols, elementType, distribution);
}

LogicalResult RingType::verify(EmitErrorFn emitError, int64_t stages,
                               ArrayRef<Type> fields) {
  if (stages < 1 || stages > 64)
    return emitError() << "expected 1 to 64 stages, got " << stages;
  for (Type field : fields)
    if (!isa<SharedType>(field))
      return emitError() << "expected shared tiles as fields, got " << field;
  return success();
}

LogicalResult SemaphoreType::verify(EmitErrorFn emitError, int64_t count) {
  if (count >= 1 && count < (1 << 20))
    return success();
  return emitError() << "expected a count of 1 to 2^20 - 1, got " << count;
}

LogicalResult BarrierType::verify(EmitErrorFn emitError, int64_t threads,
                                  int64_t count) {
  if (threads < 32 || threads > 1024 || threads % 32 != 0)
    return emitError() << "expected a multiple of 32 threads up to 1024, got "
                       << threads;
  if (count >= 1 && count <= 16)
    return success();
  return emitError() << "expected 1 to 16 barriers, got " << count;
}
