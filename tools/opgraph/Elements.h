//===- Elements.h - Elements of every dtype as numbers ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TOOLS_OPGRAPH_ELEMENTS_H
#define OPGRAPH_TOOLS_OPGRAPH_ELEMENTS_H

#include "opgraph-c/types.h"

#include <cstddef>
#include <string>

namespace opgraph::cli {

/// Bits of one element in an operand's memory; a Failure for a dtype that no
/// tensor here has.
unsigned elementBits(int32_t dtype);

/// Bytes of one element by itself: a 4-bit one is the low half of a byte.
size_t elementBytes(int32_t dtype);

bool isFloat(int32_t dtype);

/// The element at `from` as a double (exact but for large 64-bit integers).
double readElement(int32_t dtype, const void *from);

/// Stores the value of `dtype` nearest to `value`.
void writeElement(int32_t dtype, double value, void *to);

/// How far a result may be from the reference, relative to the reference's
/// largest magnitude, when values round to `dtype` on the way. 0 for integers.
double relativeTolerance(int32_t dtype);

/// "float32", "bfloat16", ...
std::string dtypeText(int32_t dtype);

} // namespace opgraph::cli

#endif // OPGRAPH_TOOLS_OPGRAPH_ELEMENTS_H
