//===- Fault.cpp - What can be wrong with a kernel ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Fault.h"
#include "mlir/IR/Diagnostics.h"

using namespace mlir;
using namespace opgraph::tile::interp;

llvm::StringRef opgraph::tile::interp::nameOf(FaultKind kind) {
  switch (kind) {
  case FaultKind::Deadlock:
    return "deadlock";
  case FaultKind::ReadBeforeArrival:
    return "read before arrival";
  case FaultKind::OverwriteBeforeRelease:
    return "overwrite before release";
  case FaultKind::PhaseMisuse:
    return "phase misuse";
  case FaultKind::MissingProxyFence:
    return "missing proxy fence";
  case FaultKind::Race:
    return "race";
  case FaultKind::OutOfBounds:
    return "out of bounds";
  case FaultKind::UninitialisedRead:
    return "uninitialised read";
  case FaultKind::ExitHazard:
    return "exit hazard";
  case FaultKind::Overlap:
    return "overlap";
  case FaultKind::DependsOnSchedule:
    return "result depends on the interleaving";
  case FaultKind::StepLimit:
    return "step limit";
  case FaultKind::Unsupported:
    return "not served by the interpreter";
  }
  return "";
}

void opgraph::tile::interp::emitFault(const Fault &fault, uint64_t seed) {
  // At the location: the op itself may be a whole kernel, too long to print.
  InFlightDiagnostic error = emitError(fault.op->getLoc());
  error << "'" << fault.op->getName().getStringRef() << "' op "
        << nameOf(fault.kind) << ": " << fault.text;
  for (const FaultNote &note : fault.notes)
    error.attachNote(note.op ? note.op->getLoc() : fault.op->getLoc())
        << note.text;
  if (fault.kind != FaultKind::Unsupported)
    error.attachNote() << "in schedule " << fault.schedule << " of seed "
                       << seed;
}
