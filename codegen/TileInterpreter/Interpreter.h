//===- Interpreter.h - Run a tile kernel on the CPU -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// Runs a kernel under several interleavings of its agents and copies,
/// computing real numbers with the rounding of the hardware's formats, and
/// checks its synchronisation by happens-before.
///
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_INTERPRETER_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_INTERPRETER_H

#include "codegen/TileInterpreter/Fault.h"
#include "codegen/TileInterpreter/Values.h"
#include "dialects/Tile/TileDialect.h"

namespace opgraph::tile::interp {

/// Global memory that arguments point to.
struct Buffer {
  std::string name;
  /// Contents before and after. One that is not initialised must be written
  /// before it is read.
  std::vector<uint8_t> bytes;
  bool isInitialised = true;
  /// Which bytes are initialised; empty where all or none are.
  std::vector<bool> written = {};
  /// Every byte must have been written at the end.
  bool mustBeWritten = false;
  /// Where `bytes` lie.
  Islands islands = {};
};

/// A value for a parameter of the kernel.
struct Argument {
  enum class Kind : uint8_t { Scalar, Pointer, TensorMap };
  Kind kind = Kind::Scalar;
  /// Scalar: a value of the parameter's type.
  NumbersPtr scalar;
  /// Pointer, TensorMap: index of the buffer, and where in it (bytes).
  size_t buffer = 0;
  int64_t offset = 0;
  /// TensorMap: the tensor's extents, outermost first, and strides in elements.
  std::vector<int64_t> extents, strides;
  /// Of im2col: the corners and steps of `plan.encode_map`.
  std::vector<int64_t> lower, upper, steps;
};

/// How a kernel is launched.
struct Launch {
  /// CTAs along x, y, z.
  int64_t grid[3] = {1, 1, 1};
  std::vector<Argument> arguments;
  std::vector<Buffer> buffers;
};

struct Options {
  unsigned schedules = 8;
  uint64_t seed = 1;
  /// Instructions of a schedule, all CTAs together.
  uint64_t maxSteps = 100'000'000;
};

struct Report {
  /// The first fault of a schedule; the schedules end with it.
  std::vector<Fault> faults;
  /// The buffers' contents after schedule 0.
  std::vector<std::vector<uint8_t>> outputs;
  /// Which of their bytes are initialised then.
  std::vector<std::vector<bool>> written;
  uint64_t steps = 0;
};

/// Runs `kernel`. Failure, with an error on the op, where the kernel cannot be
/// interpreted or the launch does not fit it; faults are in the report.
mlir::FailureOr<Report> interpret(KernelOp kernel, const Launch &launch,
                                  const Options &options = {});

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_INTERPRETER_H
