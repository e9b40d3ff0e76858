//===- Fault.h - What can be wrong with a kernel ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_FAULT_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_FAULT_H

#include "mlir/IR/Operation.h"

#include <string>
#include <vector>

namespace opgraph::tile::interp {

enum class FaultKind : uint8_t {
  Deadlock,
  ReadBeforeArrival,
  OverwriteBeforeRelease,
  PhaseMisuse,
  MissingProxyFence,
  Race,
  OutOfBounds,
  UninitialisedRead,
  ExitHazard,
  /// Two allocations have the same bytes at the same time.
  Overlap,
  /// Two schedules gave different bits.
  DependsOnSchedule,
  /// More steps than allowed: a loop that does not end.
  StepLimit,
  /// What the interpreter does not serve; says nothing about the kernel.
  Unsupported
};

/// "deadlock", "read before arrival", ...
llvm::StringRef nameOf(FaultKind kind);

/// A second place that a fault is about.
struct FaultNote {
  mlir::Operation *op = nullptr;
  std::string text;
};

struct Fault {
  FaultKind kind;
  mlir::Operation *op = nullptr;
  std::string text;
  std::vector<FaultNote> notes;
  /// Schedule in which it was found.
  unsigned schedule = 0;
};

/// Reports `fault` on its op, with its notes and how to replay it.
void emitFault(const Fault &fault, uint64_t seed);

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_FAULT_H
