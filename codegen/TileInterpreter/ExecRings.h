//===- ExecRings.h - Barriers of slots and semaphores -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_EXECRINGS_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_EXECRINGS_H

#include "codegen/TileInterpreter/Machine.h"

namespace opgraph::tile::interp {

/// The mbarrier that what fills a slot, or a semaphore, arrives at.
uint32_t fullBarrier(const Agent &agent, const Value &slot);

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_EXECRINGS_H
