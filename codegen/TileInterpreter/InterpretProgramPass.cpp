//===- InterpretProgramPass.cpp - Plans of kernels as a pass --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Passes.h"
#include "codegen/TileInterpreter/ProgramRun.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::tile::interp;

namespace opgraph::tile::interp {
#define GEN_PASS_DEF_TILEINTERPRETPROGRAM
#include "codegen/TileInterpreter/Passes.h.inc"
} // namespace opgraph::tile::interp

namespace {
class TileInterpretProgramPass
    : public opgraph::tile::interp::impl::TileInterpretProgramBase<
          TileInterpretProgramPass> {
public:
  using TileInterpretProgramBase::TileInterpretProgramBase;

  void runOnOperation() override {
    auto programs = llvm::to_vector(getOperation().getOps<plan::ProgramOp>());
    if (programs.size() != 1) {
      getOperation().emitError("expected one plan.program, got ")
          << programs.size();
      return signalPassFailure();
    }
    if (failed(run(programs[0])))
      signalPassFailure();
    markAllAnalysesPreserved();
  }

private:
  LogicalResult run(plan::ProgramOp program) {
    auto described =
        llvm::to_vector(program.getBody().front().getOps<plan::OperandOp>());
    if (described.size() != operands.size())
      return program.emitError("has ") << described.size() << " operands, got "
                                       << operands.size() << " files";
    FailureOr<SmallVector<int64_t>> values = getSymbolValues(program);
    if (failed(values))
      return failure();
    if (islands.size() != pitches.size() ||
        (!islands.empty() && islands.size() != operands.size()))
      return program.emitError("expected islands and pitches of ")
             << operands.size() << " operands, got " << islands.size()
             << " and " << pitches.size();
    std::vector<Buffer> buffers;
    for (auto [path, operand] : llvm::zip(operands, described)) {
      llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> file =
          llvm::MemoryBuffer::getFile(path, /*IsText=*/false,
                                      /*RequiresNullTerminator=*/false);
      if (!file)
        return program.emitError("cannot read '")
               << path << "': " << file.getError().message();
      Buffer buffer;
      buffer.name = operand.getName().str();
      llvm::StringRef bytes = (*file)->getBuffer();
      buffer.bytes.assign(bytes.bytes_begin(), bytes.bytes_end());
      if (!islands.empty())
        buffer.islands = {islands[buffers.size()], pitches[buffers.size()]};
      if (operand.getRole() == plan::Role::Out)
        buffer.written.assign(buffer.bytes.size(), false);
      buffers.push_back(std::move(buffer));
    }
    Options options;
    options.schedules = schedules;
    options.seed = seed;
    FailureOr<Report> report =
        interpretProgram(program, buffers, options, *values);
    if (failed(report))
      return failure();
    for (const Fault &fault : report->faults)
      emitFault(fault, seed);
    for (auto [path, operand, buffer] : llvm::zip(operands, described, buffers))
      if (operand.getRole() == plan::Role::Out &&
          failed(write(program, path, buffer.bytes)))
        return failure();
    return success(report->faults.empty());
  }

  /// What the options give, then defaults, within the symbols' ranges.
  FailureOr<SmallVector<int64_t>> getSymbolValues(plan::ProgramOp program) {
    SmallVector<int64_t> values(symbols.begin(), symbols.end());
    std::vector<plan::SymbolOp> declared = program.getSymbols();
    for (size_t number = values.size(); number < declared.size(); ++number) {
      std::optional<uint64_t> value = declared[number].getDefaultValue();
      if (!value)
        return declared[number].emitError("has no value: ")
               << values.size() << " given, expected " << declared.size();
      values.push_back(static_cast<int64_t>(*value));
    }
    if (values.size() > declared.size())
      return program.emitError("has ") << declared.size() << " symbols, got "
                                       << values.size() << " values";
    for (auto [symbol, value] : llvm::zip_equal(declared, values))
      if (value < static_cast<int64_t>(symbol.getMin()) ||
          value > static_cast<int64_t>(symbol.getMax()) ||
          value % static_cast<int64_t>(symbol.getDivisor()) != 0)
        return symbol.emitError("is out of range: ") << value;
    return values;
  }

  LogicalResult write(plan::ProgramOp program, llvm::StringRef path,
                      llvm::ArrayRef<uint8_t> bytes) {
    std::error_code error;
    llvm::raw_fd_ostream stream(path, error, llvm::sys::fs::OF_None);
    if (!error) {
      stream.write(reinterpret_cast<const char *>(bytes.data()), bytes.size());
      stream.close();
      error = stream.error();
      stream.clear_error();
    }
    if (error)
      return program.emitError("cannot write '")
             << path << "': " << error.message();
    return success();
  }
};
} // namespace
