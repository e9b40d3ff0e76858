//===- PlanOps.cpp - Verifiers of plan ops --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "dialects/Plan/ProgramChecks.h"
#include "mlir/IR/Builders.h"
#include "llvm/ADT/StringSet.h"

#include <set>

using namespace mlir;
using namespace opgraph::plan;

#define GET_OP_CLASSES
#include "dialects/Plan/PlanOps.cpp.inc"

//===----------------------------------------------------------------------===//
// SymbolOp, OperandOp
//===----------------------------------------------------------------------===//

LogicalResult SymbolOp::verify() {
  int64_t operand = getOperandIndex(), axis = getAxis();
  int64_t min = getMin(), max = getMax(), divisor = getDivisor();
  if (getName().empty())
    return emitOpError("name must not be empty");
  if (operand < 0 || axis < 0)
    return emitOpError() << "operand and axis must not be negative, got "
                         << operand << " and " << axis;
  if (min < 0 || min > max)
    return emitOpError() << "range must satisfy 0 <= min <= max, got [" << min
                         << ", " << max << "]";
  if (divisor < 1)
    return emitOpError() << "divisor must be at least 1, got " << divisor;
  if (!getDefaultValue())
    return success();
  int64_t value = *getDefaultValue();
  if (value < min || value > max || value % divisor != 0)
    return emitOpError() << "default " << value << " must lie in [" << min
                         << ", " << max << "] and be a multiple of " << divisor;
  return success();
}

LogicalResult OperandOp::verify() {
  if (getExtents().getNumResults() != getStrides().getNumResults())
    return emitOpError() << "rank of extents (" << getExtents().getNumResults()
                         << ") must equal rank of strides ("
                         << getStrides().getNumResults() << ")";
  int64_t alignment = getAlignment();
  if (alignment < 1 || alignment > 4096 || (alignment & (alignment - 1)) != 0)
    return emitOpError() << "alignment must be a power of two up to 4096, got "
                         << alignment;
  if (getByValue() && getRole() == Role::Out)
    return emitOpError("a by-value operand must be an input (P6)");
  if (TypedAttr value = getDefaultValueAttr()) {
    if (!getByValue())
      return emitOpError("only a by-value operand has a default value");
    if (value.getType() != getElementType())
      return emitOpError() << "default value must be of type "
                           << getElementType() << ", got " << value.getType();
  }
  if (std::optional<AffineMap> bytes = getStorageBytes())
    if (getStorage() != Storage::Ragged || bytes->getNumResults() != 1)
      return emitOpError("storage_bytes is one expression of a ragged operand");
  return success();
}

//===----------------------------------------------------------------------===//
// ProgramOp
//===----------------------------------------------------------------------===//

template <typename OpT>
static std::vector<OpT> collect(ProgramOp program) {
  auto ops = program.getBody().getOps<OpT>();
  return std::vector<OpT>(ops.begin(), ops.end());
}

std::vector<SymbolOp> ProgramOp::getSymbols() {
  return collect<SymbolOp>(*this);
}
std::vector<OperandOp> ProgramOp::getOperandDecls() {
  return collect<OperandOp>(*this);
}
std::vector<AliasOp> ProgramOp::getAliases() { return collect<AliasOp>(*this); }
std::vector<EncodeMapOp> ProgramOp::getTensorMaps() {
  return collect<EncodeMapOp>(*this);
}

/// Checks (P1).
static LogicalResult verifyOrder(ProgramOp program) {
  bool seenStep = false;
  for (Operation &op : program.getBody().front()) {
    if (isa<HostCallOp, LaunchOp, CudnnExecuteOp, FillOp>(op)) {
      seenStep = true;
      continue;
    }
    if (!isa<SymbolOp, OperandOp, AliasOp, EncodeMapOp>(op))
      return op.emitOpError("does not belong into a plan.program (P1)");
    if (seenStep)
      return op.emitOpError("must come before the first step (P1)");
  }
  return success();
}

LogicalResult opgraph::plan::verifyProgramMap(Operation *op, StringRef name,
                                              AffineMap map,
                                              unsigned numSymbols) {
  if (map.getNumDims() != 0)
    return op->emitOpError() << name << " must not have dimensions, got "
                             << AffineMapAttr::get(map) << " (P4)";
  if (map.getNumSymbols() > numSymbols)
    return op->emitOpError()
           << name << " uses " << map.getNumSymbols()
           << " symbols, the program declares " << numSymbols << " (P4)";
  return success();
}

/// Checks (P2) and (P3).
static LogicalResult verifySymbols(const std::vector<SymbolOp> &symbols,
                                   const std::vector<OperandOp> &operands) {
  llvm::StringSet<> names;
  for (unsigned index = 0; index < symbols.size(); ++index) {
    SymbolOp symbol = symbols[index];
    if (!names.insert(symbol.getName()).second)
      return symbol.emitOpError()
             << "repeats the name '" << symbol.getName() << "' (P2)";
    uint64_t number = symbol.getOperandIndex();
    if (number >= operands.size())
      return symbol.emitOpError()
             << "names operand " << number << ", the program has "
             << operands.size() << " (P3)";
    OperandOp operand = operands[number];
    uint64_t axis = symbol.getAxis();
    bool isExtent = symbol.getSource() == SymbolSource::Extent;
    AffineMap map = isExtent ? operand.getExtents() : operand.getStrides();
    if (axis >= map.getNumResults())
      return symbol.emitOpError()
             << "names axis " << axis << " of operand '" << operand.getName()
             << "' of rank " << map.getNumResults() << " (P3)";
    auto expr = dyn_cast<AffineSymbolExpr>(map.getResult(axis));
    if (!expr || expr.getPosition() != index)
      return symbol.emitOpError()
             << "expected the " << stringifySymbolSource(symbol.getSource())
             << " of operand '" << operand.getName() << "' at axis " << axis
             << " to be just this symbol (P3)";
  }
  return success();
}

/// Checks (P2) and (P4).
static LogicalResult verifyOperands(const std::vector<OperandOp> &operands,
                                    unsigned numSymbols) {
  // Any 64-bit number is a uid: no DenseSet, which reserves two.
  std::set<int64_t> uids;
  for (OperandOp operand : operands) {
    if (!uids.insert(operand.getUid()).second)
      return operand.emitOpError()
             << "repeats the uid " << operand.getUid() << " (P2)";
    if (failed(verifyProgramMap(operand, "extents", operand.getExtents(),
                                numSymbols)) ||
        failed(verifyProgramMap(operand, "strides", operand.getStrides(),
                                numSymbols)))
      return failure();
    if (std::optional<AffineMap> bytes = operand.getStorageBytes())
      if (failed(
              verifyProgramMap(operand, "storage_bytes", *bytes, numSymbols)))
        return failure();
  }
  return success();
}

/// Checks (P5).
static LogicalResult verifyAlias(AliasOp alias,
                                 const std::vector<OperandOp> &operands) {
  int64_t input = alias.getInput(), output = alias.getOutput();
  int64_t count = operands.size();
  if (input < 0 || input >= count || output < 0 || output >= count)
    return alias.emitOpError()
           << "pair (" << input << ", " << output << ") exceeds the program's "
           << count << " operands (P5)";
  OperandOp in = operands[input], out = operands[output];
  if (in.getRole() != Role::In || out.getRole() != Role::Out)
    return alias.emitOpError()
           << "expected an input and an output, got '" << in.getName()
           << "' and '" << out.getName() << "' (P5)";
  if (in.getRank() != out.getRank() ||
      in.getElementType() != out.getElementType())
    return alias.emitOpError()
           << "operands '" << in.getName() << "' and '" << out.getName()
           << "' must have equal rank and element type (P5)";
  return success();
}

LogicalResult ProgramOp::verifyRegions() {
  if (failed(verifyOrder(*this)))
    return failure();
  std::vector<SymbolOp> symbols = getSymbols();
  std::vector<OperandOp> operands = getOperandDecls();
  if (failed(verifyOperands(operands, symbols.size())) ||
      failed(verifySymbols(symbols, operands)))
    return failure();
  for (AliasOp alias : getAliases())
    if (failed(verifyAlias(alias, operands)))
      return failure();
  if (WorkspaceAttr workspace = getWorkspaceAttr())
    if (failed(verifyProgramMap(*this, "shared workspace",
                                workspace.getSharedSize(), symbols.size())) ||
        failed(verifyProgramMap(*this, "private workspace",
                                workspace.getPrivateSize(), symbols.size())))
      return failure();
  for (FillOp fill : getBody().getOps<FillOp>()) {
    for (auto [name, map] :
         {std::pair<StringRef, AffineMap>("offset", fill.getOffset()),
          {"size", fill.getSize()}}) {
      if (failed(verifyProgramMap(fill, name, map, symbols.size())))
        return failure();
      if (map.getNumResults() != 1)
        return fill.emitOpError()
               << name << " must have one result, got " << map.getNumResults();
    }
  }
  return verifyDeviceOps(*this);
}
