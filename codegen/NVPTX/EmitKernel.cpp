//===- EmitKernel.cpp - Function, prologue and roles of a kernel ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/KernelEmitter.h"
#include "codegen/NVPTX/LowerTile.h"
#include "codegen/NVPTX/SharedLayout.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "mlir/Dialect/SCF/IR/SCF.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

static constexpr llvm::StringLiteral sharedName = "opgraph_shared";

//===-- Function ----------------------------------------------------------===//

static void setArgumentAttributes(LLVM::LLVMFuncOp function, unsigned index,
                                  Type type) {
  MLIRContext *context = function.getContext();
  auto i64 = IntegerType::get(context, 64);
  auto set = [&](StringRef name, Attribute value) {
    function.setArgAttr(index, name, value);
  };
  if (auto pointer = dyn_cast<tile::PtrType>(type)) {
    if (pointer.getAlign() > 1)
      set(LLVM::LLVMDialect::getAlignAttrName(),
          IntegerAttr::get(i64, pointer.getAlign()));
    return;
  }
  auto map = dyn_cast<tile::TensorMapType>(type);
  if (!map)
    return;
  auto bytes = LLVM::LLVMArrayType::get(IntegerType::get(context, 8), 128);
  set(LLVM::LLVMDialect::getByValAttrName(), TypeAttr::get(bytes));
  set(LLVM::LLVMDialect::getAlignAttrName(), IntegerAttr::get(i64, 64));
  set(NVVM::NVVMDialect::getGridConstantAttrName(), UnitAttr::get(context));
}

static LLVM::LLVMFuncOp createFunction(KernelEmitter &emitter) {
  tile::KernelOp kernel = emitter.kernel;
  MLIRContext *context = kernel.getContext();
  OpBuilder b(kernel);
  SmallVector<Type> arguments;
  for (Type type : kernel.getBody().getArgumentTypes())
    emitter.lowerType(type, arguments);
  auto function = LLVM::LLVMFuncOp::create(
      b, kernel.getLoc(), kernel.getSymName(),
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), arguments));
  for (auto [index, type] :
       llvm::enumerate(kernel.getBody().getArgumentTypes()))
    setArgumentAttributes(function, index, type);

  function->setAttr(NVVM::NVVMDialect::getKernelFuncAttrName(),
                    b.getUnitAttr());
  function->setAttr(
      NVVM::NVVMDialect::getReqntidAttrName(),
      b.getDenseI32ArrayAttr({static_cast<int32_t>(kernel.getWarps()) * 32}));
  if (auto ctas = kernel.getMinCtas())
    function->setAttr(NVVM::NVVMDialect::getMinctasmAttrName(),
                      b.getI32IntegerAttr(*ctas));
  if (auto cluster = kernel.getCluster())
    function->setAttr(NVVM::NVVMDialect::getClusterDimAttrName(),
                      b.getDenseI32ArrayAttr(*cluster));
  if (kernel.getSharedBytes().value_or(0))
    function->setAttr(sharedBytesAttrName,
                      b.getI32IntegerAttr(*kernel.getSharedBytes()));
  return function;
}

/// The module's name for dynamic shared memory.
static LLVM::GlobalOp getDynamicShared(KernelEmitter &emitter) {
  auto module = emitter.kernel->getParentOfType<ModuleOp>();
  if (auto global = module.lookupSymbol<LLVM::GlobalOp>(sharedName))
    return global;
  OpBuilder b = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMArrayType::get(b.getI8Type(), 0);
  return LLVM::GlobalOp::create(b, emitter.kernel.getLoc(), type,
                                /*isConstant=*/false, LLVM::Linkage::External,
                                sharedName, Attribute(), /*alignment=*/1024,
                                SharedSpace);
}

/// The base of the kernel's shared tiles, on the boundary that they need: the
/// driver promises 16 bytes only.
static Value createSharedBase(KernelEmitter &emitter) {
  ImplicitLocOpBuilder &b = emitter.b;
  Value base = LLVM::AddressOfOp::create(b, getDynamicShared(emitter));
  int64_t alignment = getSharedAlignment(emitter.kernel);
  if (alignment <= 16)
    return base;
  Value address = LLVM::PtrToIntOp::create(b, b.getI32Type(), base);
  // base + (-base & (alignment - 1)) keeps the pointer's origin.
  Value gap = arith::AndIOp::create(
      b, arith::SubIOp::create(b, emitter.i32(0), address),
      emitter.i32(alignment - 1));
  return emitter.offset(base, gap);
}

FailureOr<LLVM::LLVMFuncOp> KernelEmitter::run() {
  function = createFunction(*this);
  Block *entry = function.addEntryBlock(b);
  b.setInsertionPointToStart(entry);
  Block &body = kernel.getBody().front();
  for (auto [argument, lowered] :
       llvm::zip(body.getArguments(), entry->getArguments()))
    set(argument, lowered);

  group.warps = static_cast<int32_t>(kernel.getWarps());
  group.thread = NVVM::ThreadIdXOp::create(b, b.getI32Type());
  group.lane = digit(group.thread, 1, 32);
  group.warp = digit(group.thread, 32, 0);
  group.agent = i32(0);
  if (kernel.getSharedBytes().value_or(0))
    sharedBase = createSharedBase(*this);
  if (failed(emitKernelBody()))
    return failure();
  LLVM::ReturnOp::create(b, ValueRange());
  return function;
}

//===-- Prologue ----------------------------------------------------------===//

/// Thread 0 makes the mbarriers; nobody goes on before they are there.
void KernelEmitter::finishPrologue() {
  if (mbarriers.empty())
    return;
  bool isCluster = kernel.getCluster() &&
                   llvm::any_of(*kernel.getCluster(),
                                [](int32_t extent) { return extent > 1; });
  Value isFirst =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq, group.thread, i32(0));
  guarded(isFirst, [&] {
    for (auto [address, count] : mbarriers)
      NVVM::MBarrierInitOp::create(b, address, i32(count), Value());
    if (has(tile::Feature::Tma))
      NVVM::FenceMbarrierInitOp::create(b);
  });
  if (isCluster) {
    NVVM::ClusterArriveOp::create(b, b.getUnitAttr());
    NVVM::ClusterWaitOp::create(b, b.getUnitAttr());
  } else {
    NVVM::BarrierOp::create(b);
  }
  mbarriers.clear();
}

LogicalResult KernelEmitter::emitKernelBody() {
  Operation *lastBarrier = nullptr;
  SmallVector<tile::RoleOp> roles;
  for (Operation &op : kernel.getBody().front()) {
    if (isa<tile::MakeRingOp, tile::MakeSemaphoreOp>(op))
      lastBarrier = &op;
    if (auto role = dyn_cast<tile::RoleOp>(op))
      roles.push_back(role);
  }
  for (Operation &op : kernel.getBody().front()) {
    if (isa<tile::RoleOp>(op))
      continue;
    if (failed(emit(&op)))
      return failure();
    if (&op == lastBarrier)
      finishPrologue();
  }
  return roles.empty() ? success() : emitRoles(roles);
}

//===-- Roles -------------------------------------------------------------===//

namespace {
/// Neighbouring warpgroups that roles tie together, and their roles.
struct Segment {
  int32_t firstWarp, endWarp;
  SmallVector<tile::RoleOp> roles;
};
} // namespace

static int32_t getWarps(tile::RoleOp role) {
  return static_cast<int32_t>(role.getAgents() * role.getWarpsEach());
}

/// Cuts the CTA at boundaries of warpgroups that no role crosses: a budget is
/// set once per warpgroup, by all of its warps.
static SmallVector<Segment> getSegments(int32_t warps,
                                        ArrayRef<tile::RoleOp> roles) {
  SmallVector<tile::RoleOp> sorted(roles);
  llvm::sort(sorted, [](tile::RoleOp lhs, tile::RoleOp rhs) {
    return lhs.getFirstWarp() < rhs.getFirstWarp();
  });
  SmallVector<Segment> segments;
  for (int32_t warp = 0; warp < warps; warp += 4)
    segments.push_back({warp, std::min(warp + 4, warps), {}});
  for (tile::RoleOp role : sorted) {
    auto first = static_cast<int32_t>(role.getFirstWarp());
    int32_t end = first + getWarps(role);
    auto holds = [&](const Segment &segment) {
      return segment.firstWarp < end && first < segment.endWarp;
    };
    auto *from = llvm::find_if(segments, holds);
    auto *to = from;
    while (to != segments.end() && holds(*to))
      ++to;
    if (from == to)
      continue;
    from->endWarp = std::prev(to)->endWarp;
    for (auto *other = std::next(from); other != to; ++other)
      llvm::append_range(from->roles, other->roles);
    from->roles.push_back(role);
    segments.erase(std::next(from), to);
  }
  return segments;
}

void KernelEmitter::emitBudget(ArrayRef<tile::RoleOp> roles) {
  std::optional<uint32_t> budget;
  for (tile::RoleOp role : roles)
    if (role.getRegisters())
      budget = role.getRegisters();
  int32_t threads = static_cast<int32_t>(kernel.getWarps()) * 32;
  // What ptxas gives each thread at the entry.
  uint32_t entry = std::min(info.registersPerSm / threads / 8 * 8, 248);
  if (!budget || *budget == entry)
    return;
  NVVM::SetMaxRegisterOp::create(b, *budget,
                                 *budget > entry
                                     ? NVVM::SetMaxRegisterAction::increase
                                     : NVVM::SetMaxRegisterAction::decrease);
}

/// The first of its agents' barriers; 0 where none is needed.
static int32_t getBarrierId(tile::RoleOp role) {
  auto id = role->getAttrOfType<IntegerAttr>("barrier");
  return id ? static_cast<int32_t>(id.getInt()) : 0;
}

/// `tile.role` below the branch that picks its warps.
LogicalResult KernelEmitter::emitRole(tile::RoleOp role, Value warp) {
  GroupContext outer = group;
  auto first = static_cast<int32_t>(role.getFirstWarp());
  group.firstWarp = first;
  group.warps = static_cast<int32_t>(role.getWarpsEach());
  group.agents = static_cast<int32_t>(role.getAgents());
  group.barrier = getBarrierId(role);
  auto less = [&](Value value, int64_t by) -> Value {
    return by ? Value(arith::SubIOp::create(b, value, i32(by))) : value;
  };
  group.warp = less(warp, first);
  group.thread = less(outer.thread, int64_t(first) * 32);
  if (group.agents > 1) {
    group.agent = digit(group.warp, group.warps, 0);
    group.thread = digit(group.thread, 1, int64_t(group.warps) * 32);
    group.warp = digit(group.warp, 1, group.warps);
  }
  Block &body = role.getBody().front();
  for (BlockArgument argument : body.getArguments())
    set(argument, group.agent);

  LogicalResult result = success();
  auto emitText = [&] { result = emitBlock(body); };
  if (role.getSingle()) {
    elected([&] {
      group.single = true;
      emitText();
    });
  } else {
    emitText();
  }
  group = outer;
  lastElected = {};
  return result;
}

/// One chain of branches on the warp's index: segments, then their roles.
LogicalResult KernelEmitter::emitRoles(ArrayRef<tile::RoleOp> roles) {
  // A shuffle tells ptxas that the index is the same on all lanes.
  Value warp = shuffle(group.warp, i32(0));
  auto isBelow = [&](int32_t end) {
    return arith::CmpIOp::create(b, arith::CmpIPredicate::ult, warp, i32(end));
  };
  OpBuilder::InsertionGuard guard(b);
  SmallVector<Segment> segments =
      getSegments(static_cast<int32_t>(kernel.getWarps()), roles);
  for (auto [index, segment] : llvm::enumerate(segments)) {
    scf::IfOp branch;
    if (index + 1 < segments.size()) {
      branch = scf::IfOp::create(b, isBelow(segment.endWarp),
                                 /*withElseRegion=*/true);
      b.setInsertionPoint(branch.thenBlock()->getTerminator());
    }
    emitBudget(segment.roles);
    for (tile::RoleOp role : segment.roles) {
      OpBuilder::InsertionGuard inner(b);
      auto first = static_cast<int32_t>(role.getFirstWarp());
      if (getWarps(role) != segment.endWarp - segment.firstWarp) {
        Value inside = arith::CmpIOp::create(
            b, arith::CmpIPredicate::ult,
            arith::SubIOp::create(b, warp, i32(first)), i32(getWarps(role)));
        auto only = scf::IfOp::create(b, inside, /*withElseRegion=*/false);
        b.setInsertionPoint(only.thenBlock()->getTerminator());
      }
      if (failed(emitRole(role, warp)))
        return failure();
    }
    if (branch)
      b.setInsertionPoint(branch.elseBlock()->getTerminator());
  }
  return success();
}
