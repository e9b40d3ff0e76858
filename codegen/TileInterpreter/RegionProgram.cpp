//===- RegionProgram.cpp - Regions of scalars over arrays -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Compiler.h"
#include "codegen/TileInterpreter/Machine.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

/// A tile of one scalar.
static NumbersPtr spread(const Numbers &scalar, int64_t rows, int64_t cols) {
  auto tile = std::make_shared<Numbers>(scalar.format, rows, cols);
  switch (holderOf(scalar.format)) {
  case Holder::Float:
    tile->floats.assign(rows * cols, scalar.floats[0]);
    break;
  case Holder::Double:
    tile->doubles.assign(rows * cols, scalar.doubles[0]);
    break;
  case Holder::Integer:
    tile->integers.assign(rows * cols, scalar.integers[0]);
    break;
  }
  return tile;
}

static NumbersPtr coordinate(Axis axis, int64_t rows, int64_t cols) {
  auto tile = std::make_shared<Numbers>(Format::I32, rows, cols);
  for (int64_t r = 0, i = 0; r < rows; ++r)
    for (int64_t c = 0; c < cols; ++c, ++i)
      tile->integers[i] = axis == Axis::rows ? r : c;
  return tile;
}

SmallVector<NumbersPtr> RegionProgram::run(const Agent &agent,
                                           ArrayRef<NumbersPtr> arguments,
                                           int64_t rows, int64_t cols) const {
  std::vector<NumbersPtr> table(values);
  std::copy(arguments.begin(), arguments.end(), table.begin());
  for (auto [value, slot] : captures)
    table[value] = spread(agent.numbers(slot), rows, cols);
  for (const auto &[value, constant] : constants)
    table[value] = spread(*constant, rows, cols);
  for (auto [value, axis] : coordinates)
    table[value] = coordinate(axis, rows, cols);
  SmallVector<const Numbers *> operands;
  SmallVector<Numbers *> results;
  for (const Operation &operation : operations) {
    operands.clear();
    results.clear();
    for (uint32_t operand : operation.operands)
      operands.push_back(table[operand].get());
    for (auto [value, format] : operation.results) {
      auto tile = std::make_shared<Numbers>(format, rows, cols);
      results.push_back(tile.get());
      table[value] = std::move(tile);
    }
    operation.function(operands, results);
  }
  SmallVector<NumbersPtr> yielded;
  for (uint32_t value : yields)
    yielded.push_back(table[value]);
  return yielded;
}

std::shared_ptr<const RegionProgram> Compiler::region(Region &region) {
  auto made = std::make_shared<RegionProgram>();
  Block &block = region.front();
  DenseMap<mlir::Value, uint32_t> numbers;
  for (BlockArgument argument : block.getArguments())
    numbers[argument] = made->values++;
  auto numberOf = [&](mlir::Value value) {
    auto [it, isNew] = numbers.try_emplace(value, made->values);
    if (isNew) {
      ++made->values;
      made->captures.push_back({it->second, slotOf(value)});
    }
    return it->second;
  };
  for (mlir::Operation &op : block.without_terminator()) {
    RegionProgram::Operation operation;
    for (mlir::Value operand : op.getOperands())
      operation.operands.push_back(numberOf(operand));
    for (mlir::Value result : op.getResults())
      numbers[result] = made->values++;
    if (auto coord = dyn_cast<CoordOp>(op)) {
      made->coordinates.push_back({numbers[coord.getIndex()], coord.getAxis()});
      continue;
    }
    if (auto constant = dyn_cast<arith::ConstantOp>(op)) {
      made->constants.push_back(
          {numbers[constant.getResult()], getConstant(constant.getValue())});
      if (!made->constants.back().second)
        refuse(&op, "a constant that is no number");
      continue;
    }
    operation.function = getArrayFunction(&op);
    if (!operation.function) {
      refuse(&op, "no such operation on elements");
      return made;
    }
    for (mlir::Value result : op.getResults())
      operation.results.push_back(
          {numbers[result], *formatOf(result.getType())});
    made->operations.push_back(std::move(operation));
  }
  for (mlir::Value yielded : block.getTerminator()->getOperands())
    made->yields.push_back(numberOf(yielded));
  return made;
}
