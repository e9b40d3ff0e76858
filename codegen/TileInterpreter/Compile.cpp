//===- Compile.cpp - From a kernel to its programs ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/Compiler.h"
#include "codegen/TileInterpreter/Machine.h"
#include "dialects/Tile/SharedLayout.h"
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

Payload::~Payload() = default;

//===----------------------------------------------------------------------===//
// Values
//===----------------------------------------------------------------------===//

SlotIndex Compiler::slotOf(mlir::Value value) {
  auto [it, isNew] = slots.try_emplace(value, program.slots);
  if (isNew)
    ++program.slots;
  return it->second;
}

std::shared_ptr<const OwnerTable> Compiler::owners(Type type) {
  std::shared_ptr<const OwnerTable> &table = tables[type];
  if (table)
    return table;
  FailureOr<OwnerTable> made = OwnerTable::get(cast<RegType>(type));
  if (mlir::failed(made)) {
    failed = true;
    emitError(UnknownLoc::get(type.getContext()))
        << "no owners of the elements of " << type;
    made.emplace();
  }
  table = std::make_shared<OwnerTable>(std::move(*made));
  return table;
}

void Compiler::refuse(Operation *op, const Twine &why) {
  failed = true;
  op->emitOpError() << "is not served by the interpreter: " << why;
}

//===----------------------------------------------------------------------===//
// Shared memory and barriers
//===----------------------------------------------------------------------===//

SharedLayout opgraph::tile::interp::layoutOf(SharedType type) {
  SharedLayout layout;
  layout.format = formatOf(type.getElementType()).value_or(Format::I8);
  ArrayRef<int64_t> shape = type.getShape();
  layout.cols = shape.back();
  if (shape.size() > 1)
    layout.rows = shape[shape.size() - 2];
  if (shape.size() > 2)
    layout.leading.assign(shape.begin(), shape.end() - 2);
  switch (type.getSwizzle()) {
  case Swizzle::none:
    break;
  case Swizzle::sw32:
    layout.span = 32;
    break;
  case Swizzle::sw64:
    layout.span = 64;
    break;
  case Swizzle::sw128:
    layout.span = 128;
    break;
  }
  layout.planeRows = type.getPlaneRows() ? type.getPlaneRows() : layout.rows;
  layout.pad = type.getPad();
  return layout;
}

/// Where `tile-assign-shared`, or somebody by hand, has put it; else behind
/// what there is.
int64_t Compiler::place(Operation *op, int64_t bytes, int64_t alignment) {
  Resources &resources = program.resources;
  int64_t base = llvm::alignTo(resources.sharedBytes, alignment);
  if (auto offset = op->getAttrOfType<IntegerAttr>("offset"))
    base = offset.getInt();
  resources.sharedBytes = std::max(resources.sharedBytes, base + bytes);
  return base;
}

uint16_t Compiler::newAllocation() { return ++lastAllocation; }

void Compiler::placeShared(AllocSharedOp op) {
  SharedLayout layout = layoutOf(op.getTile().getType());
  sharedTiles[op] = place(op, layout.bytes(), layout.alignment());
  allocations.try_emplace(op, newAllocation());
}

/// The tiles that an overlay covers lie one behind the other.
void Compiler::placeOverlay(AllocSharedOp op) {
  Resources &resources = program.resources;
  resources.sharedBytes = llvm::alignTo(resources.sharedBytes, 1024);
  int64_t base = INT64_MAX;
  for (mlir::Value tile : op.getOverlay()) {
    auto covered = tile.getDefiningOp<AllocSharedOp>();
    if (!covered || !covered.getOverlay().empty())
      return refuse(op, "an overlay of what is no tile.shared by itself");
    if (!sharedTiles.contains(covered))
      placeShared(covered);
    base = std::min(base, sharedTiles[covered]);
  }
  allocations[op] = newAllocation();
  for (mlir::Value tile : op.getOverlay()) {
    uint16_t joined = allocations.at(tile.getDefiningOp());
    for (auto &[other, allocation] : allocations)
      if (allocation == joined)
        allocation = allocations[op];
  }
  if (auto offset = op->getAttrOfType<IntegerAttr>("offset"))
    base = offset.getInt();
  sharedTiles[op] = base;
  int64_t end = base + layoutOf(op.getTile().getType()).bytes();
  resources.sharedBytes = std::max(resources.sharedBytes, end);
}

void Compiler::addShared() {
  Resources &resources = program.resources;
  Block &body = program.op.getBody().front();
  for (auto op : body.getOps<AllocSharedOp>()) {
    int64_t bytes = layoutOf(op.getTile().getType()).elementBytes();
    resources.granularity = std::min(resources.granularity, bytes);
    if (!op.getOverlay().empty())
      placeOverlay(op);
  }
  for (auto op : body.getOps<AllocSharedOp>()) {
    if (sharedTiles.contains(op))
      continue;
    resources.sharedBytes = llvm::alignTo(resources.sharedBytes, 1024);
    placeShared(op);
  }
}

void Compiler::addRing(MakeRingOp op) {
  Resources &resources = program.resources;
  RingInfo ring;
  ring.op = op;
  auto type = op.getRing().getType();
  ring.stages = type.getStages();
  for (Type field : type.getFields()) {
    SharedLayout layout = layoutOf(cast<SharedType>(field));
    resources.granularity =
        std::min(resources.granularity, layout.elementBytes());
  }
  RingLayout layout = getRingLayout(type);
  ring.stageBytes = layout.stageBytes;
  ring.fieldOffsets = layout.fieldOffsets;
  ring.base = place(op, layout.bytes, 1024);
  ring.allocation = newAllocation();
  resources.mbarrierBytes.emplace_back(ring.base + layout.fullOffset,
                                       ring.base + layout.bytes);
  ring.firstMbarrier = uint32_t(resources.mbarriers.size());
  resources.mbarriers.insert(resources.mbarriers.end(), ring.stages,
                             op.getFills());
  resources.mbarriers.insert(resources.mbarriers.end(), ring.stages,
                             op.getFrees());
  indices[op] = uint32_t(resources.rings.size());
  resources.rings.push_back(std::move(ring));
}

void Compiler::addSemaphore(MakeSemaphoreOp op) {
  Resources &resources = program.resources;
  int64_t base = place(op, 8, 8);
  resources.mbarrierBytes.emplace_back(base, base + 8);
  indices[op] = uint32_t(resources.semaphores.size());
  resources.semaphores.push_back({op, uint32_t(resources.mbarriers.size())});
  resources.mbarriers.push_back(op.getSemaphore().getType().getCount());
}

void Compiler::addResources() {
  Resources &resources = program.resources;
  addShared();
  for (Operation &op : program.op.getBody().front()) {
    if (auto ring = dyn_cast<MakeRingOp>(op))
      addRing(ring);
    if (auto semaphore = dyn_cast<MakeSemaphoreOp>(op))
      addSemaphore(semaphore);
    if (auto barrier = dyn_cast<MakeBarrierOp>(op)) {
      auto type = barrier.getBarrier().getType();
      indices[&op] = uint32_t(resources.barriers.size());
      resources.barriers.push_back({barrier, type.getThreads(), type.getCount(),
                                    resources.namedBarriers});
      resources.namedBarriers += uint32_t(type.getCount());
    }
  }
}

//===----------------------------------------------------------------------===//
// Roles
//===----------------------------------------------------------------------===//

/// The end of a role's text: where what is wrong at its exit is reported.
static Step runEnd(Agent &, const Instruction &) { return Step::Next; }

void Compiler::addRole(RoleProgram role, Block &prologue, Block *body) {
  instructions = &role.instructions;
  for (Operation &op : prologue)
    if (!isa<RoleOp>(op))
      compileOp(op);
  if (body)
    compileBlock(*body);
  emit(body ? body->getParentOp() : program.op, runEnd);
  program.roles.push_back(std::move(role));
}

LogicalResult Compiler::run() {
  KernelOp kernel = program.op;
  Block &body = kernel.getBody().front();
  program.warps = kernel.getWarps();
  if (std::optional<ArrayRef<int32_t>> cluster = kernel.getCluster())
    for (auto [axis, extent] : llvm::enumerate(cluster->take_front(3)))
      program.cluster[axis] = extent;
  for (BlockArgument argument : body.getArguments())
    program.arguments.push_back(slotOf(argument));
  kernel.walk([&](Operation *op) {
    program.needsWholeGrid |= isa<DrawOp, FetchAddOp>(op);
  });
  addResources();
  if (failed)
    return failure();
  for (RoleOp op : body.getOps<RoleOp>()) {
    RoleProgram role;
    role.name = op.getSymName().str();
    role.firstWarp = op.getFirstWarp();
    role.agents = op.getAgents();
    role.warpsEach = op.getWarpsEach();
    role.isSingle = op.getSingle();
    Block &text = op.getBody().front();
    if (text.getNumArguments() > 0)
      role.indexSlot = slotOf(text.getArgument(0));
    addRole(std::move(role), body, &text);
  }
  if (program.roles.empty()) {
    RoleProgram whole;
    whole.name = kernel.getSymName().str();
    whole.warpsEach = program.warps;
    addRole(std::move(whole), body, nullptr);
  }
  return failure(failed);
}

FailureOr<std::unique_ptr<KernelProgram>>
opgraph::tile::interp::compileKernel(KernelOp kernel) {
  auto program = std::make_unique<KernelProgram>();
  program->op = kernel;
  if (mlir::failed(Compiler(*program).run()))
    return failure();
  return program;
}

//===----------------------------------------------------------------------===//
// Blocks
//===----------------------------------------------------------------------===//

Instruction &Compiler::emit(Operation *op, Handler handler) {
  Instruction instruction;
  instruction.op = op;
  instruction.handler = handler;
  instructions->push_back(std::move(instruction));
  return instructions->back();
}

void Compiler::compileBlock(Block &block) {
  for (Operation &op : block)
    if (!op.hasTrait<OpTrait::IsTerminator>())
      compileOp(op);
}

bool Compiler::bind(Operation &op, Instruction &instruction) {
  for (auto binder :
       {bindStructure, bindMemory, bindScalarMemory, bindIndexedMemory,
        bindShared, bindRegister, bindReduce, bindCopies, bindStores, bindMaps,
        bindSync, bindRings, bindMma})
    if (binder(&op, instruction, *this))
      return true;
  return false;
}

void Compiler::compileOp(Operation &op) {
  if (isa<scf::ForOp>(op))
    return compileFor(op);
  if (isa<scf::IfOp>(op))
    return compileIf(op);
  if (isa<scf::WhileOp>(op))
    return compileWhile(op);
  Instruction instruction;
  instruction.op = &op;
  for (mlir::Value operand : op.getOperands())
    instruction.operands.push_back(slotOf(operand));
  for (mlir::Value result : op.getResults())
    instruction.results.push_back(slotOf(result));
  if (!bind(op, instruction))
    return refuse(&op, "no such operation");
  instructions->push_back(std::move(instruction));
}
