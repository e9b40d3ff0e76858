//===- EmitGather.cpp - Elements at computed coordinates ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/MemoryAccess.h"
#include "codegen/NVPTX/ScalarOps.h"
#include "codegen/NVPTX/SharedLayout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

namespace {

/// Evaluates the region of a gather or scatter for vectors of a tile.
class Coordinates {
public:
  Coordinates(KernelEmitter &emitter, tile::RegType type, Value view,
              Block &body, bool isStore)
      : emitter(emitter), view(getViewParts(emitter, view)), body(body),
        thread(getThreadTile(emitter, type,
                             isStore ? Holder::OneOfGroup : Holder::Any)) {}

  int64_t countRegisters() const {
    return static_cast<int64_t>(thread.parts.size());
  }
  /// Of the vector whose first register is `reg`: address and predicate.
  FailureOr<std::pair<Value, Value>> evaluate(int64_t reg);

private:
  KernelEmitter &emitter;
  ViewParts view;
  Block &body;
  ThreadTile thread;
};

} // namespace

FailureOr<std::pair<Value, Value>> Coordinates::evaluate(int64_t reg) {
  llvm::DenseMap<Value, Value> local;
  for (unsigned axis : {0u, 1u})
    local[body.getArgument(axis)] =
        emitter.add(thread.thread[axis], emitter.i32(thread.parts[reg][axis]));
  auto lookup = [&](Value value) {
    auto found = local.find(value);
    return found == local.end() ? emitter.scalar(value) : found->second;
  };
  for (Operation &op : body.without_terminator()) {
    SmallVector<Value> operands, results;
    for (Value operand : op.getOperands())
      operands.push_back(lookup(operand));
    if (failed(emitScalarOp(emitter, &op, operands, results)))
      return failure();
    for (auto [result, value] : llvm::zip(op.getResults(), results))
      local[result] = value;
  }
  SmallVector<Value> yielded;
  for (Value value : body.getTerminator()->getOperands())
    yielded.push_back(lookup(value));
  Value isInside = yielded.pop_back_val();
  return std::pair(emitElementAddress(emitter, view, yielded),
                   conjunction(emitter, thread.isHolder, isInside));
}

/// Elements of one access: a vector of the op may take several.
static int64_t getWidth(Type element, int64_t vector) {
  return std::min<int64_t>(vector, 16 / getElementBytes(element));
}

static LogicalResult emitGather(KernelEmitter &emitter, tile::GatherOp op) {
  auto type = cast<tile::RegType>(op.getTile().getType());
  Type element = type.getElementType();
  auto view = cast<tile::ViewType>(op.getView().getType());
  AccessMode mode{element, tile::Cache::normal, view.getReadonly()};
  Coordinates coordinates(emitter, type, op.getView(), op.getBody().front(),
                          /*isStore=*/false);
  Value zero = getFillValue(emitter, tile::Fill::zero, element);
  int64_t vector = op.getVector(), width = getWidth(element, vector);
  SmallVector<Value> registers;
  for (int64_t reg = 0; reg < coordinates.countRegisters(); reg += vector) {
    auto place = coordinates.evaluate(reg);
    if (failed(place))
      return failure();
    for (int64_t first = 0; first < vector; first += width)
      llvm::append_range(
          registers,
          emitVectorLoad(
              emitter, mode,
              emitter.offset(place->first, first * getElementBytes(element)),
              width, place->second, zero));
  }
  emitter.set(op.getTile(), registers);
  return success();
}

static std::optional<LLVM::AtomicBinOp> getAtomic(tile::Combine combine,
                                                  Type element) {
  bool isFloat = isa<FloatType>(element);
  bool isUnsigned = element.isUnsignedInteger();
  switch (combine) {
  case tile::Combine::add:
    return isFloat ? LLVM::AtomicBinOp::fadd : LLVM::AtomicBinOp::add;
  case tile::Combine::min:
    if (isFloat)
      return LLVM::AtomicBinOp::fmin;
    return isUnsigned ? LLVM::AtomicBinOp::umin : LLVM::AtomicBinOp::min;
  case tile::Combine::max:
    if (isFloat)
      return LLVM::AtomicBinOp::fmax;
    return isUnsigned ? LLVM::AtomicBinOp::umax : LLVM::AtomicBinOp::max;
  case tile::Combine::bit_and:
    return LLVM::AtomicBinOp::_and;
  case tile::Combine::bit_or:
    return LLVM::AtomicBinOp::_or;
  case tile::Combine::bit_xor:
    return LLVM::AtomicBinOp::_xor;
  case tile::Combine::mul:
  case tile::Combine::amax:
  case tile::Combine::min_nan:
  case tile::Combine::max_nan:
    return std::nullopt;
  }
  llvm_unreachable("all combinations handled");
}

static LogicalResult emitScatter(KernelEmitter &emitter, tile::ScatterOp op) {
  auto type = cast<tile::RegType>(op.getTile().getType());
  Type element = type.getElementType();
  std::optional<LLVM::AtomicBinOp> atomic;
  if (op.getCombine()) {
    atomic = getAtomic(*op.getCombine(), element);
    if (!atomic || emitter.scalarType(element).getIntOrFloatBitWidth() < 16)
      return op.emitOpError("has no atomic ")
             << tile::stringifyCombine(*op.getCombine()) << " of " << element;
  }
  Coordinates coordinates(emitter, type, op.getView(), op.getBody().front(),
                          /*isStore=*/true);
  int64_t vector = op.getVector(), width = getWidth(element, vector);
  int64_t bytes = getElementBytes(element);
  SmallVector<Value> registers(emitter.get(op.getTile()));
  for (int64_t reg = 0; reg < coordinates.countRegisters(); reg += vector) {
    auto place = coordinates.evaluate(reg);
    if (failed(place))
      return failure();
    Value address = place->first, predicate = place->second;
    if (!atomic) {
      for (int64_t first = 0; first < vector; first += width)
        emitVectorStore(emitter, AccessMode{element},
                        emitter.offset(address, first * bytes),
                        ArrayRef(registers).slice(reg + first, width),
                        predicate);
      continue;
    }
    emitter.guarded(predicate, [&] {
      for (int64_t index = 0; index < vector; ++index)
        LLVM::AtomicRMWOp::create(
            emitter.b, *atomic, emitter.offset(address, index * bytes),
            registers[reg + index], LLVM::AtomicOrdering::monotonic, "device",
            static_cast<unsigned>(bytes));
    });
  }
  return success();
}

void opgraph::codegen::addGatherHandlers(Handlers &handlers) {
  handlers.add<tile::GatherOp, emitGather>();
  handlers.add<tile::ScatterOp, emitScatter>();
}
