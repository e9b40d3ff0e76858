//===- LaunchOps.cpp - Verifiers of a device's steps ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Plan/ProgramChecks.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph::plan;

//===----------------------------------------------------------------------===//
// One op
//===----------------------------------------------------------------------===//

/// The types of an integer argument.
static bool isIntegerArg(Type type) {
  return type.isSignlessInteger(32) || type.isSignlessInteger(64) ||
         type.isUnsignedInteger(32);
}

bool opgraph::plan::isScalarArg(Type type) {
  return type.isF32() || type.isF64() || type.isSignlessInteger(32) ||
         type.isSignlessInteger(64);
}

/// Checks (L1).
static LogicalResult verifyGrid(LaunchOp op) {
  unsigned count = op.getGrid().getNumResults();
  if (count < 1 || count > 3)
    return op.emitOpError()
           << "expected one to three grid extents, got " << count << " (L1)";
  std::optional<ArrayRef<int64_t>> limits = op.getAtMost();
  if (!limits)
    return success();
  if (limits->size() != count)
    return op.emitOpError() << "at_most has " << limits->size()
                            << " numbers for a grid of " << count << " (L1)";
  for (auto [axis, limit] : llvm::enumerate(*limits)) {
    int64_t greatest = axis == 0 ? maxGridX : maxGridYZ;
    if (limit < 1 || limit > greatest)
      return op.emitOpError()
             << "at_most of grid axis " << axis << " must be 1 to " << greatest
             << ", got " << limit << " (L1)";
  }
  return success();
}

/// Checks (L2) of one argument.
static LogicalResult verifyArgumentType(LaunchOp op, unsigned number,
                                        Attribute arg) {
  auto refuse = [&](StringRef expected, Type type) {
    return op.emitOpError() << "argument " << number << " must be " << expected
                            << ", got " << type << " (L2)";
  };
  if (isa<PointerAttr, ScratchAttr, MapAttr>(arg))
    return success();
  if (auto integer = dyn_cast<IntegerArgAttr>(arg))
    return isIntegerArg(integer.getType())
               ? success()
               : refuse("i32, ui32 or i64", integer.getType());
  if (auto stride = dyn_cast<StrideAttr>(arg))
    return isIntegerArg(stride.getType())
               ? success()
               : refuse("i32, ui32 or i64", stride.getType());
  if (auto scalar = dyn_cast<ScalarAttr>(arg))
    return isScalarArg(scalar.getType())
               ? success()
               : refuse("f32, f64, i32 or i64", scalar.getType());
  if (auto constant = dyn_cast<TypedAttr>(arg);
      constant && isa<IntegerAttr, FloatAttr>(arg))
    return isScalarArg(constant.getType())
               ? success()
               : refuse("f32, f64, i32 or i64", constant.getType());
  return op.emitOpError() << "argument " << number
                          << " is no argument of a launch: " << arg << " (L2)";
}

LogicalResult LaunchOp::verify() {
  if (failed(verifyGrid(*this)))
    return failure();
  for (auto [number, arg] : llvm::enumerate(getArgs()))
    if (failed(verifyArgumentType(*this, number, arg)))
      return failure();
  return success();
}

/// Bits of an element of a tensor map; 0 for a type that it cannot have (E2).
static unsigned tensorMapBits(Type type) {
  if (isa<Float64Type, Float32Type, Float16Type, BFloat16Type, Float8E4M3FNType,
          Float8E5M2Type, Float8E8M0FNUType>(type))
    return type.getIntOrFloatBitWidth();
  if (auto integer = dyn_cast<IntegerType>(type))
    switch (integer.getWidth()) {
    case 1: // A byte in memory.
    case 8:
      return 8;
    case 32:
    case 64:
      return integer.getWidth();
    }
  return 0;
}

/// Bytes of a box row that a swizzle can permute; 0 for none.
static int64_t swizzleSpan(Swizzle swizzle) {
  return swizzle == Swizzle::None ? 0 : int64_t(16) << int(swizzle);
}

/// Checks (E5): corners and steps.
static LogicalResult verifyWalk(EncodeMapOp op) {
  size_t rank = op.getBox().size();
  if (!op.getUpper() || !op.getSteps() || rank < 3 ||
      op.getLower()->size() != rank - 2 || op.getUpper()->size() != rank - 2 ||
      op.getSteps()->size() != rank - 2)
    return op.emitOpError()
           << "im2col needs rank 3 to 5 and a lower corner, an "
              "upper corner and a step for each axis between "
              "the outermost and the innermost (E5)";
  int32_t limit = rank == 3 ? 1 << 15 : rank == 4 ? 1 << 7 : 1 << 4;
  for (ArrayRef<int32_t> corner : {*op.getLower(), *op.getUpper()})
    for (int32_t at : corner)
      if (at < -limit || at >= limit)
        return op.emitOpError()
               << "im2col corners of rank " << rank << " must be " << -limit
               << " to " << limit - 1 << ", got " << at << " (E5)";
  for (int32_t step : *op.getSteps())
    if (step < 1 || step > 8)
      return op.emitOpError()
             << "im2col steps must be 1 to 8, got " << step << " (E5)";
  return success();
}

/// Checks (E3), and (E5) of the box.
static LogicalResult verifyBox(EncodeMapOp op, unsigned bits) {
  for (auto [axis, extent] : llvm::enumerate(op.getBox())) {
    bool isPixels = op.isIm2col() && axis == 0;
    bool isOne = op.isIm2col() && axis > 0 && axis + 1 < op.getBox().size();
    int32_t most = isPixels ? 1024 : isOne ? 1 : 256;
    if (extent < 1 || extent > most)
      return op.emitOpError() << "box extents must be 1 to " << most << ", got "
                              << extent << (op.isIm2col() ? " (E5)" : " (E3)");
  }
  int64_t bytes = int64_t(op.getBox().back()) * bits / 8;
  if (bytes % 16 != 0)
    return op.emitOpError() << "the box's innermost extent must take a "
                               "multiple of 16 bytes, got "
                            << bytes << " (E3)";
  int64_t span = swizzleSpan(op.getSwizzle());
  if (span && bytes > span)
    return op.emitOpError()
           << "the box's innermost extent must take at most " << span
           << " bytes with swizzle " << stringifySwizzle(op.getSwizzle())
           << ", got " << bytes << " (E3)";
  return success();
}

LogicalResult EncodeMapOp::verify() {
  if (!isa<PointerAttr, ScratchAttr>(getBase()))
    return emitOpError()
           << "base must be a #plan.pointer or #plan.scratch, got "
           << getBase();
  size_t rank = getExtents().getNumResults();
  if (rank < 1 || rank > 5 || getStrides().getNumResults() != rank ||
      getBox().size() != rank)
    return emitOpError() << "expected extents, strides and box of one rank "
                            "from 1 to 5, got "
                         << rank << ", " << getStrides().getNumResults()
                         << " and " << getBox().size() << " (E1)";
  unsigned bits = tensorMapBits(getElementType());
  if (bits == 0)
    return emitOpError() << "a tensor map has no elements of type "
                         << getElementType() << " (E2)";
  if (isIm2col() && failed(verifyWalk(*this)))
    return failure();
  if (failed(verifyBox(*this, bits)))
    return failure();
  auto last = dyn_cast<AffineConstantExpr>(getStrides().getResult(rank - 1));
  if (!last || last.getValue() != 1)
    return emitOpError() << "the last stride must be 1, got "
                         << AffineMapAttr::get(getStrides()) << " (E4)";
  if (getFillNan() && !isa<FloatType>(getElementType()))
    return emitOpError() << "fill_nan needs a float element type, got "
                         << getElementType();
  return success();
}

//===----------------------------------------------------------------------===//
// Inside of a program
//===----------------------------------------------------------------------===//

/// A map of one expression of the program's symbols.
static LogicalResult verifySingle(Operation *op, StringRef name, AffineMap map,
                                  unsigned numSymbols) {
  if (!map)
    return success();
  if (failed(verifyProgramMap(op, name, map, numSymbols)))
    return failure();
  if (map.getNumResults() != 1)
    return op->emitOpError()
           << name << " must have one result, got " << map.getNumResults();
  return success();
}

namespace {
/// Checks what launches and tensor maps of one program refer to.
class DeviceChecks {
public:
  explicit DeviceChecks(ProgramOp program)
      : operands(program.getOperandDecls()),
        numSymbols(program.getSymbols().size()),
        numMaps(program.getTensorMaps().size()) {}

  LogicalResult verify(EncodeMapOp map);
  LogicalResult verify(LaunchOp launch);
  LogicalResult verify(CudnnExecuteOp execute);

private:
  LogicalResult verifyArgument(Operation *op, const Twine &what, Attribute arg);
  /// The operand in memory, or by value; an error (P8) where there is none.
  FailureOr<OperandOp> find(Operation *op, const Twine &what, int64_t index,
                            bool byValue);

  std::vector<OperandOp> operands;
  unsigned numSymbols;
  int64_t numMaps;
};
} // namespace

FailureOr<OperandOp> DeviceChecks::find(Operation *op, const Twine &what,
                                        int64_t index, bool byValue) {
  if (index < 0 || index >= int64_t(operands.size())) {
    op->emitOpError() << what << " names operand " << index
                      << ", the program has " << operands.size() << " (P8)";
    return failure();
  }
  OperandOp operand = operands[index];
  if (operand.getByValue() == byValue)
    return operand;
  op->emitOpError() << what << ": operand '" << operand.getName() << "' is "
                    << (byValue ? "in memory, expected one by value"
                                : "by value, expected one in memory")
                    << " (P8)";
  return failure();
}

LogicalResult DeviceChecks::verifyArgument(Operation *op, const Twine &what,
                                           Attribute arg) {
  if (auto pointer = dyn_cast<PointerAttr>(arg)) {
    if (failed(find(op, what, pointer.getOperand(), /*byValue=*/false)))
      return failure();
    return verifySingle(op, "offset", pointer.getOffset(), numSymbols);
  }
  if (auto scratch = dyn_cast<ScratchAttr>(arg))
    return verifySingle(op, "offset", scratch.getOffset(), numSymbols);
  if (auto integer = dyn_cast<IntegerArgAttr>(arg))
    return verifySingle(op, "integer", integer.getValue(), numSymbols);
  if (auto scalar = dyn_cast<ScalarAttr>(arg))
    return LogicalResult(find(op, what, scalar.getOperand(), /*byValue=*/true));
  if (auto stride = dyn_cast<StrideAttr>(arg)) {
    FailureOr<OperandOp> operand =
        find(op, what, stride.getOperand(), /*byValue=*/false);
    if (failed(operand))
      return failure();
    if (stride.getAxis() < 0 || stride.getAxis() >= operand->getRank())
      return op->emitOpError() << what << " names axis " << stride.getAxis()
                               << " of operand '" << operand->getName()
                               << "' of rank " << operand->getRank() << " (P8)";
    return success();
  }
  if (auto map = dyn_cast<MapAttr>(arg))
    if (map.getIndex() < 0 || map.getIndex() >= numMaps)
      return op->emitOpError() << what << " names tensor map " << map.getIndex()
                               << ", the program has " << numMaps << " (P8)";
  return success();
}

LogicalResult DeviceChecks::verify(EncodeMapOp map) {
  if (failed(verifyProgramMap(map, "extents", map.getExtents(), numSymbols)) ||
      failed(verifyProgramMap(map, "strides", map.getStrides(), numSymbols)) ||
      failed(verifyArgument(map, "base", map.getBase())))
    return failure();
  auto pointer = dyn_cast<PointerAttr>(map.getBase());
  if (!pointer)
    return success();
  OperandOp operand = operands[pointer.getOperand()];
  if (operand.getStrideRule() != StrideRule::Exact)
    return map.emitOpError()
           << "operand '" << operand.getName() << "' has stride_rule "
           << stringifyStrideRule(operand.getStrideRule())
           << ", a tensor map needs exact (P9)";
  return success();
}

LogicalResult DeviceChecks::verify(LaunchOp launch) {
  if (failed(verifyProgramMap(launch, "grid", launch.getGrid(), numSymbols)))
    return failure();
  for (auto [number, arg] : llvm::enumerate(launch.getArgs()))
    if (failed(verifyArgument(launch, "argument " + Twine(number), arg)))
      return failure();
  return success();
}

LogicalResult DeviceChecks::verify(CudnnExecuteOp execute) {
  for (auto [number, arg] : llvm::enumerate(execute.getArgs()))
    if (failed(verifyArgument(execute, "argument " + Twine(number), arg)))
      return failure();
  return success();
}

/// Checks (P7).
static LogicalResult verifySides(Block &body) {
  if (body.getOps<HostCallOp>().empty())
    return success();
  for (Operation &op : body)
    if (isa<LaunchOp, CudnnExecuteOp>(op))
      return op.emitOpError(
          "stands beside a plan.host_call in one program (P7)");
  return success();
}

LogicalResult opgraph::plan::verifyDeviceOps(ProgramOp program) {
  Block &body = program.getBody().front();
  if (failed(verifySides(body)))
    return failure();
  DeviceChecks checks(program);
  for (EncodeMapOp map : body.getOps<EncodeMapOp>())
    if (failed(checks.verify(map)))
      return failure();
  for (LaunchOp launch : body.getOps<LaunchOp>())
    if (failed(checks.verify(launch)))
      return failure();
  for (CudnnExecuteOp execute : body.getOps<CudnnExecuteOp>())
    if (failed(checks.verify(execute)))
      return failure();
  return success();
}
