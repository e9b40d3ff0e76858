//===- Formats.h - Element formats of a GPU, on the host --------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// How each element type of `tile` rounds and what its bytes are. Rounding is
/// to the nearest value, ties to even; fp8 saturates and keeps NaN, fp4
/// saturates and takes NaN to +6, e8m0 (a power of two) rounds up, as the
/// graph's numerics and the hardware's conversions do.
///
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_FORMATS_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_FORMATS_H

#include "mlir/IR/Types.h"

#include <cstdint>
#include <optional>

namespace opgraph::tile::interp {

enum class Format : uint8_t {
  F64,
  F32,
  TF32,
  F16,
  BF16,
  E4M3,
  E5M2,
  E8M0,
  E2M1,
  I1,
  I8,
  U8,
  I16,
  I32,
  I64
};

/// How values of a format are held: the C++ type of an array's element.
enum class Holder : uint8_t { Float, Double, Integer };

Holder holderOf(Format format);

/// Bytes of one element in memory (a bool and a 4-bit float take one).
unsigned bytesOf(Format format);

/// Bits of an integer format; 0 for a float.
unsigned integerBits(Format format);

/// The format of an element type; none where `tile` has no such type.
std::optional<Format> formatOf(mlir::Type type);

/// "bf16", "f8E4M3FN", ...
llvm::StringRef nameOf(Format format);

/// The value of `format`, a float, nearest to `value`.
double roundTo(Format format, double value);

/// Rounds each of `count` values in place.
void roundArray(Format format, float *values, int64_t count);

/// What a tensor core reads of an f32 that is passed as tf32: the low 13 bits
/// are not looked at.
float cutToTF32(float value);

/// Bits of a value of `format`, rounded where it is none yet.
uint64_t encode(Format format, double value);
double decode(Format format, uint64_t bits);

/// `value` as a two's-complement number of the format's width (a bool: 0 or 1,
/// an unsigned one: at least 0).
int64_t wrapInteger(Format format, int64_t value);

/// Element at `from` to a holder's array and back. Floats of a `Float` holder
/// come as float, an f64 as double, integers extended by their sign.
float loadFloat(Format format, const void *from);
double loadDouble(Format format, const void *from);
int64_t loadInteger(Format format, const void *from);
void storeFloat(Format format, float value, void *to);
void storeInteger(Format format, int64_t value, void *to);

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_FORMATS_H
