//===- ProgramRun.cpp - Run a plan of tile kernels on the CPU -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/ProgramRun.h"
#include "mlir/IR/SymbolTable.h"

#include <cmath>

using namespace mlir;
using namespace opgraph;
using namespace opgraph::tile::interp;

namespace {
class ProgramRun {
public:
  ProgramRun(plan::ProgramOp program, std::vector<Buffer> &buffers,
             const Options &options, ArrayRef<int64_t> values)
      : program(program), buffers(buffers), options(options) {
    for (int64_t value : values)
      symbols.push_back(getAffineConstantExpr(value, program.getContext()));
  }

  FailureOr<Report> run();

private:
  LogicalResult prepare();
  LogicalResult launch(plan::LaunchOp op);
  LogicalResult fill(plan::FillOp op);
  FailureOr<tile::interp::Argument>
  makeArgument(plan::LaunchOp op, Attribute attribute, Type type);
  FailureOr<tile::interp::Argument> makePointer(Operation *op,
                                                Attribute attribute);
  FailureOr<tile::interp::Argument> makeMap(plan::LaunchOp op, int64_t index);
  FailureOr<tile::interp::Argument> readScalar(plan::LaunchOp op,
                                               int64_t operand, Type type);
  LogicalResult evaluate(Operation *op, AffineMap map,
                         SmallVectorImpl<int64_t> &values);

  plan::ProgramOp program;
  std::vector<Buffer> &buffers;
  const Options &options;
  SmallVector<AffineExpr> symbols;
  SmallVector<plan::OperandOp> operands;
  SmallVector<plan::EncodeMapOp> maps;
  Report report;
};
} // namespace

//===----------------------------------------------------------------------===//
// Arguments
//===----------------------------------------------------------------------===//

LogicalResult ProgramRun::evaluate(Operation *op, AffineMap map,
                                   SmallVectorImpl<int64_t> &values) {
  for (AffineExpr expr : map.getResults()) {
    if (map.getNumSymbols() > symbols.size())
      return op->emitOpError("needs ")
             << map.getNumSymbols() << " symbols, got " << symbols.size()
             << " values";
    auto constant = dyn_cast<AffineConstantExpr>(expr.replaceSymbols(symbols));
    if (!constant)
      return op->emitOpError("has no value for these symbols: ")
             << AffineMapAttr::get(map);
    values.push_back(constant.getValue());
  }
  return success();
}

static tile::interp::Argument makeScalar(Type type, double number,
                                         int64_t integer) {
  tile::interp::Argument argument;
  Format format = formatOf(type).value_or(Format::I64);
  auto value = std::make_shared<Numbers>(format, 1, 1);
  switch (holderOf(format)) {
  case Holder::Float:
    value->floats[0] = float(roundTo(format, number));
    break;
  case Holder::Double:
    value->doubles[0] = number;
    break;
  case Holder::Integer:
    value->integers[0] = wrapInteger(format, integer);
    break;
  }
  argument.scalar = std::move(value);
  return argument;
}

FailureOr<tile::interp::Argument> ProgramRun::makePointer(Operation *op,
                                                          Attribute attribute) {
  tile::interp::Argument argument;
  argument.kind = tile::interp::Argument::Kind::Pointer;
  SmallVector<int64_t> offset;
  AffineMap map;
  if (auto pointer = dyn_cast<plan::PointerAttr>(attribute)) {
    argument.buffer = pointer.getOperand();
    map = pointer.getOffset();
  } else if (auto scratch = dyn_cast<plan::ScratchAttr>(attribute)) {
    // Workspace comes behind the operands.
    argument.buffer = operands.size();
    map = scratch.getOffset();
  } else {
    return op->emitOpError("expected a pointer or scratch, got ") << attribute;
  }
  if (map && failed(evaluate(op, map, offset)))
    return failure();
  argument.offset = offset.empty() ? 0 : offset[0];
  return argument;
}

FailureOr<tile::interp::Argument> ProgramRun::makeMap(plan::LaunchOp op,
                                                      int64_t index) {
  if (index < 0 || index >= int64_t(maps.size()))
    return op.emitOpError("names tensor map ")
           << index << " of " << maps.size();
  plan::EncodeMapOp map = maps[index];
  FailureOr<tile::interp::Argument> argument = makePointer(map, map.getBase());
  SmallVector<int64_t> extents, strides;
  if (failed(argument) || failed(evaluate(map, map.getExtents(), extents)) ||
      failed(evaluate(map, map.getStrides(), strides)))
    return failure();
  argument->kind = tile::interp::Argument::Kind::TensorMap;
  argument->extents.assign(extents.begin(), extents.end());
  argument->strides.assign(strides.begin(), strides.end());
  if (map.isIm2col()) {
    argument->lower.assign(map.getLower()->begin(), map.getLower()->end());
    argument->upper.assign(map.getUpper()->begin(), map.getUpper()->end());
    argument->steps.assign(map.getSteps()->begin(), map.getSteps()->end());
  }
  return argument;
}

/// The value of a by-value operand, in a parameter's type.
FailureOr<tile::interp::Argument>
ProgramRun::readScalar(plan::LaunchOp op, int64_t operand, Type type) {
  if (operand < 0 || operand >= int64_t(operands.size()))
    return op.emitOpError("names operand ") << operand;
  auto integer = dyn_cast<IntegerType>(operands[operand].getElementType());
  Type element = operands[operand].getElementType();
  if (integer)
    element = IntegerType::get(type.getContext(), integer.getWidth());
  std::optional<Format> format = formatOf(element);
  const std::vector<uint8_t> &bytes = buffers[operand].bytes;
  if (!format || bytes.size() < bytesOf(*format))
    return op.emitOpError("has no value of operand ") << operand;
  Numbers value(*format, 1, 1);
  value.load(0, bytes.data());
  if (!value.isFloat()) {
    int64_t number = value.integers[0];
    if (integer.isUnsigned() && integer.getWidth() < 64)
      number &= (int64_t(1) << integer.getWidth()) - 1;
    return makeScalar(type, double(number), number);
  }
  double number = value.at(0);
  double clamped = std::isnan(number) ? 0 : std::trunc(number);
  clamped = std::fmin(std::fmax(clamped, -0x1p63), 0x1.fffffffffffffp62);
  return makeScalar(type, number, int64_t(clamped));
}

FailureOr<tile::interp::Argument>
ProgramRun::makeArgument(plan::LaunchOp op, Attribute attribute, Type type) {
  if (auto map = dyn_cast<plan::MapAttr>(attribute))
    return makeMap(op, map.getIndex());
  if (auto scalar = dyn_cast<plan::ScalarAttr>(attribute))
    return readScalar(op, scalar.getOperand(), type);
  if (auto constant = dyn_cast<IntegerAttr>(attribute))
    return makeScalar(type, 0, constant.getValue().getSExtValue());
  if (auto constant = dyn_cast<FloatAttr>(attribute))
    return makeScalar(type, constant.getValueAsDouble(), 0);
  SmallVector<int64_t> values;
  if (auto integer = dyn_cast<plan::IntegerArgAttr>(attribute)) {
    if (failed(evaluate(op, integer.getValue(), values)))
      return failure();
    return makeScalar(type, 0, values[0]);
  }
  if (auto stride = dyn_cast<plan::StrideAttr>(attribute)) {
    if (failed(
            evaluate(op, operands[stride.getOperand()].getStrides(), values)))
      return failure();
    return makeScalar(type, 0, values[stride.getAxis()]);
  }
  return makePointer(op, attribute);
}

//===----------------------------------------------------------------------===//
// Steps
//===----------------------------------------------------------------------===//

LogicalResult ProgramRun::launch(plan::LaunchOp op) {
  auto kernel = SymbolTable::lookupNearestSymbolFrom<tile::KernelOp>(
      op, op.getKernelAttr());
  if (!kernel)
    return op.emitOpError("names no tile.kernel: ") << op.getKernel();
  Launch launch;
  SmallVector<int64_t> grid;
  if (failed(evaluate(op, op.getGrid(), grid)))
    return failure();
  for (auto [axis, extent] : llvm::enumerate(grid)) {
    if (extent == 0)
      return success();
    launch.grid[axis] = extent;
    if (std::optional<ArrayRef<int64_t>> most = op.getAtMost())
      launch.grid[axis] = std::min(extent, (*most)[axis]);
  }
  Block &body = kernel.getBody().front();
  if (op.getArgs().size() != body.getNumArguments())
    return op.emitOpError("has ")
           << op.getArgs().size() << " arguments, but the kernel takes "
           << body.getNumArguments();
  for (auto [attribute, parameter] :
       llvm::zip(op.getArgs(), body.getArguments())) {
    FailureOr<tile::interp::Argument> argument =
        makeArgument(op, attribute, parameter.getType());
    if (failed(argument))
      return failure();
    launch.arguments.push_back(std::move(*argument));
  }
  launch.buffers = buffers;
  FailureOr<Report> result = interpret(kernel, launch, options);
  if (failed(result))
    return failure();
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    buffer.bytes = std::move(result->outputs[index]);
    buffer.written = std::move(result->written[index]);
  }
  uint64_t steps = report.steps + result->steps;
  report = std::move(*result);
  report.steps = steps;
  return success();
}

LogicalResult ProgramRun::fill(plan::FillOp op) {
  SmallVector<int64_t> values;
  if (failed(evaluate(op, op.getOffset(), values)) ||
      failed(evaluate(op, op.getSize(), values)))
    return failure();
  Buffer &workspace = buffers.back();
  int64_t begin = values[0], end = values[0] + values[1];
  if (begin < 0 || end < begin || end > int64_t(workspace.bytes.size()))
    return op.emitOpError("fills bytes ")
           << begin << " to " << end << " of a workspace of "
           << workspace.bytes.size();
  std::fill(workspace.bytes.begin() + begin, workspace.bytes.begin() + end,
            uint8_t(op.getValue()));
  std::fill(workspace.written.begin() + begin, workspace.written.begin() + end,
            true);
  return success();
}

LogicalResult ProgramRun::prepare() {
  Block &body = program.getBody().front();
  operands = llvm::to_vector(body.getOps<plan::OperandOp>());
  maps = llvm::to_vector(body.getOps<plan::EncodeMapOp>());
  if (operands.size() != buffers.size())
    return program.emitOpError("has ")
           << operands.size() << " operands, got " << buffers.size();
  Buffer workspace;
  workspace.name = "workspace";
  workspace.isInitialised = false;
  if (plan::WorkspaceAttr wanted = program.getWorkspaceAttr()) {
    SmallVector<int64_t> bytes;
    if (failed(evaluate(program, wanted.getSharedSize(), bytes)))
      return failure();
    workspace.bytes.assign(bytes[0], 0xff);
  }
  workspace.written.assign(workspace.bytes.size(), false);
  buffers.push_back(std::move(workspace));
  return success();
}

FailureOr<Report> ProgramRun::run() {
  if (failed(prepare()))
    return failure();
  for (Operation &op : program.getBody().front()) {
    LogicalResult result = success();
    if (auto step = dyn_cast<plan::LaunchOp>(op))
      result = launch(step);
    else if (auto step = dyn_cast<plan::FillOp>(op))
      result = fill(step);
    else if (isa<plan::HostCallOp>(op))
      result = op.emitOpError("is no launch");
    if (failed(result))
      return failure();
    if (!report.faults.empty())
      break;
  }
  buffers.pop_back();
  return std::move(report);
}

FailureOr<Report> opgraph::tile::interp::interpretProgram(
    plan::ProgramOp program, std::vector<Buffer> &operands,
    const Options &options, ArrayRef<int64_t> symbols) {
  return ProgramRun(program, operands, options, symbols).run();
}
