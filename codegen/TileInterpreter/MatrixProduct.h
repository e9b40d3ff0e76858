//===- MatrixProduct.h - What a tensor core computes ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_MATRIXPRODUCT_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_MATRIXPRODUCT_H

#include "codegen/TileInterpreter/Values.h"

namespace opgraph::tile::interp {

/// The instruction: of a warpgroup, or of a warp.
enum class MmaKind : uint8_t { Async, Sync };

/// `d += a * b`, a of m x k, b of k x n, bit by bit as an H200 computes it
/// (test/gpu/mma.py; test/gpu/mma_digests.json has what it gave). One
/// instruction takes a k-step: its products and its accumulator are cut,
/// towards zero, to 25 bits (13 of 8-bit floats) behind the largest one's
/// leading bit, then added exactly, and the sum is cut to the accumulator's
/// mantissa (13 bits of it for 8-bit floats), or rounded to f16. `mma.sync`
/// adds 8-bit floats up as 16-bit ones, without the accumulator, to which a
/// rounded addition adds the sum. Integers wrap. f32 operands are cut to tf32.
void multiplyInto(Numbers &d, const Numbers &a, const Numbers &b, MmaKind kind);

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_MATRIXPRODUCT_H
