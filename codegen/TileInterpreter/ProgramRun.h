//===- ProgramRun.h - Run a plan of tile kernels on the CPU -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_PROGRAMRUN_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_PROGRAMRUN_H

#include "codegen/TileInterpreter/Interpreter.h"
#include "dialects/Plan/PlanDialect.h"

namespace opgraph::tile::interp {

/// Runs the launches and fills of `program` in order, for these values of its
/// symbols. `operands`, one for each
/// of the program's, are buffers before and after; the kernels are found in the
/// module. Failure, with an error, where the program cannot be run; the report
/// is that of the first launch with a fault, or of the last one.
mlir::FailureOr<Report> interpretProgram(plan::ProgramOp program,
                                         std::vector<Buffer> &operands,
                                         const Options &options = {},
                                         llvm::ArrayRef<int64_t> symbols = {});

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_PROGRAMRUN_H
