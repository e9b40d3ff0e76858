//===- EmitGather.cpp - Elements at computed coordinates ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/Combines.h"
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
  SmallVector<Value> place, yielded;
  for (unsigned axis : {0u, 1u})
    place.push_back(
        emitter.add(thread.thread[axis], emitter.i32(thread.parts[reg][axis])));
  if (failed(emitScalarBlock(emitter, body, place, yielded)))
    return failure();
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

static LogicalResult emitScatter(KernelEmitter &emitter, tile::ScatterOp op) {
  auto type = cast<tile::RegType>(op.getTile().getType());
  Type element = type.getElementType();
  std::optional<LLVM::AtomicBinOp> atomic;
  if (op.getCombine()) {
    atomic = getAtomic(*op.getCombine(), element);
    assert(atomic && "a verified atomic exists");
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
