//===- MatrixProduct.h - What a tensor core computes ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_MATRIXPRODUCT_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_MATRIXPRODUCT_H

#include "codegen/TileInterpreter/Values.h"

namespace opgraph::tile::interp {

/// `d += a * b`, a of m x k, b of k x n. Products are exact; those of one
/// instruction (a k-step) are summed in f64, and the accumulator rounds once a
/// step. Integers wrap. f32 operands are cut to tf32.
void multiplyInto(Numbers &d, const Numbers &a, const Numbers &b);

/// Columns of A that one instruction takes.
int64_t kStep(Format format);

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_MATRIXPRODUCT_H
