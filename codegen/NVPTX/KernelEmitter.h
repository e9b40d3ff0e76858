//===- KernelEmitter.h - Emits one tile kernel as an llvm.func --*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A kernel is walked once, in order. Every tile value becomes a list of scalar
// values (`lowerType` says which), every op is emitted by the handler that its
// chapter registered. Private to codegen/NVPTX.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_KERNELEMITTER_H
#define OPGRAPH_CODEGEN_NVPTX_KERNELEMITTER_H

#include "dialects/Tile/TileDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/ImplicitLocOpBuilder.h"

namespace mlir::NVVM {
enum class ShflKind : uint32_t;
} // namespace mlir::NVVM

namespace opgraph::codegen {

class KernelEmitter;

/// Address spaces of pointers in emitted code.
enum AddressSpace : unsigned {
  GenericSpace = 0,
  GlobalSpace = 1,
  SharedSpace = 3,
  ClusterSpace = 7
};

/// The functions that emit ops, by op class.
class Handlers {
public:
  using Handler = mlir::LogicalResult (*)(KernelEmitter &, mlir::Operation *);

  /// `add<tile::LoadOp, emitLoad>()`.
  template <typename OpT, mlir::LogicalResult (*function)(KernelEmitter &, OpT)>
  void add() {
    table[mlir::TypeID::get<OpT>()] = [](KernelEmitter &emitter,
                                         mlir::Operation *op) {
      return function(emitter, llvm::cast<OpT>(op));
    };
  }

  /// Null where no chapter emits such an op.
  Handler lookup(mlir::Operation *op) const;

  /// Those of all chapters.
  static const Handlers &get();

private:
  llvm::DenseMap<mlir::TypeID, Handler> table;
};

/// What each chapter (Emit*.cpp) registers.
void addStructureHandlers(Handlers &handlers);    // kernel, roles, scf, indices
void addMemoryHandlers(Handlers &handlers);       // views, load, store
void addScalarMemoryHandlers(Handlers &handlers); // scalars, counters
void addGatherHandlers(Handlers &handlers);       // gather, scatter
void addSharedHandlers(Handlers &handlers);       // shared tiles and registers
void addRegisterHandlers(Handlers &handlers);     // splat, extract, convert, …
void addMapHandlers(Handlers &handlers);          // map
void addReduceHandlers(Handlers &handlers);       // reduce, reduce_with
void addCopyHandlers(Handlers &handlers);      // cp_async, bulk, tensor copies
void addTensorMapHandlers(Handlers &handlers); // maps edited on the device
void addRingHandlers(Handlers &handlers);      // rings, slots, semaphores
void addSyncHandlers(Handlers &handlers);      // barriers, fences, clusters
void addMmaHandlers(Handlers &handlers);       // mma_async
void addMmaSyncHandlers(Handlers &handlers);   // mma_sync

/// The warps that run the text being emitted. Values dominate all of it.
struct GroupContext {
  int32_t firstWarp = 0; ///< of agent 0
  int32_t warps = 1;     ///< of one agent
  int32_t agents = 1;
  int32_t barrier = 0; ///< named barrier of agent 0; agent i has barrier + i
  bool single = false; ///< one elected thread runs the text
  mlir::Value thread;  ///< i32, within the group
  mlir::Value lane;    ///< i32
  mlir::Value warp;    ///< i32, within the group, warp-uniform
  mlir::Value agent;   ///< i32
};

class KernelEmitter {
public:
  KernelEmitter(tile::KernelOp kernel, tile::Target target);

  /// Emits the llvm.func before the kernel; diagnostics are on the ops.
  mlir::FailureOr<mlir::LLVM::LLVMFuncOp> run();

  /// Emits one op, or all of a block in order.
  mlir::LogicalResult emit(mlir::Operation *op);
  mlir::LogicalResult emitBlock(mlir::Block &block);

  tile::KernelOp kernel;
  tile::Target target;
  const tile::TargetInfo &info;
  /// Where ops go; its location is that of the op being emitted.
  mlir::ImplicitLocOpBuilder b;
  GroupContext group;
  /// The kernel started before the one before it ended: what nobody writes
  /// while this one runs may still have been written while it waited.
  bool hasWaitedForGrid = false;
  /// The 32-bit words of register tiles that the MMAs behind a fence read.
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value>> mmaWords;

  bool has(tile::Feature feature) const { return info.features & feature; }

  //===-- Values ----------------------------------------------------------===//

  /// The scalar types that a value of `type` is lowered to, in order:
  ///   scalar               itself; 8-bit floats and ui8 are i8, tf32 is f32
  ///   reg                  one scalar per register, in register order
  ///   pending              one struct of registers for each 64 rows; two f16
  ///                        share an i32
  ///   ptr                  ptr<1>
  ///   view                 ptr<1>, an i32 per extent, an i64 per stride
  ///   tensor_map           ptr (generic)
  ///   shared               ptr<3> (of a peer: ptr<7>)
  ///   ring                 ptr<3>, then both sides' cursors
  ///   semaphore            ptr<3>, then its phase
  ///   slot                 ptr<3> of its full and of its empty mbarrier
  ///   barrier, mma_group   nothing
  void lowerType(mlir::Type type, llvm::SmallVectorImpl<mlir::Type> &types);
  /// An element as a register holds it, and as memory does (i1 is a byte).
  mlir::Type scalarType(mlir::Type element);
  mlir::Type memoryType(mlir::Type element);

  /// What a tile value, or a scalar, was lowered to.
  llvm::ArrayRef<mlir::Value> get(mlir::Value value) const;
  mlir::Value scalar(mlir::Value value) const;
  void set(mlir::Value value, mlir::ValueRange lowered);

  mlir::Value i32(int64_t value);
  mlir::Value i64(int64_t value);
  mlir::Value constant(mlir::TypedAttr value);
  /// i32 arithmetic that folds constants and identities.
  mlir::Value add(mlir::Value lhs, mlir::Value rhs);
  mlir::Value mul(mlir::Value lhs, int64_t rhs);
  /// `(value / divisor) % modulus`; powers of two become shifts and masks.
  mlir::Value digit(mlir::Value value, int64_t divisor, int64_t modulus);

  mlir::LLVM::LLVMPointerType pointerType(unsigned space);
  /// `base` + bytes (i32 or i64), and with a constant.
  mlir::Value offset(mlir::Value base, mlir::Value bytes);
  mlir::Value offset(mlir::Value base, int64_t bytes);
  /// A slot of the thread's stack for a scalar, made at the function's entry;
  /// LLVM promotes it.
  mlir::Value entryAlloca(mlir::Type type);

  //===-- Threads ---------------------------------------------------------===//

  /// Emits `body` for one thread of the group (at once in a `single` role).
  /// Neighbours with only pure ops between share one branch, so address
  /// arithmetic may stand before the call.
  void elected(llvm::function_ref<void()> body);
  /// Emits `body` under a condition.
  void guarded(mlir::Value condition, llvm::function_ref<void()> body);
  /// Barrier of the group's threads (a warp's, for groups of one warp).
  void syncGroup();
  void syncWarp();
  /// The same i32 or float on all lanes as `lane` has.
  mlir::Value shuffle(mlir::Value value, mlir::Value lane);
  mlir::Value shuffleXor(mlir::Value value, int32_t mask);

  //===-- Prologue --------------------------------------------------------===//

  /// Address of byte `offset` of the kernel's shared memory.
  mlir::Value sharedAddress(int64_t offset);
  /// Thread 0 initialises the mbarrier; before any role starts, and with a
  /// cluster before any CTA of it does.
  void initialiseMbarrier(mlir::Value address, int64_t count);

private:
  mlir::LogicalResult emitUniformOp(mlir::Operation *op);
  mlir::LogicalResult emitKernelBody();
  mlir::LogicalResult emitRoles(llvm::ArrayRef<tile::RoleOp> roles);
  mlir::LogicalResult emitRole(tile::RoleOp role, mlir::Value warp);
  void emitBudget(llvm::ArrayRef<tile::RoleOp> roles);
  void finishPrologue();
  std::pair<mlir::Operation *, mlir::Block *> openElected();
  mlir::Value shuffleWith(mlir::NVVM::ShflKind kind, mlir::Value value,
                          mlir::Value from);

  mlir::LLVM::LLVMFuncOp function;
  llvm::DenseMap<mlir::Value, llvm::SmallVector<mlir::Value, 1>> values;
  llvm::DenseMap<mlir::Attribute, mlir::Value> constants;
  mlir::Value sharedBase;
  llvm::SmallVector<std::pair<mlir::Value, int64_t>> mbarriers;
  /// The last branch for the elected thread, and its innermost block.
  std::pair<mlir::Operation *, mlir::Block *> lastElected = {};
};

//===-- Coordinates of registers ------------------------------------------===//

/// The part of a register tile that one thread holds: the coordinate of
/// register r along an axis is `thread[axis] + parts[r][axis]`.
struct ThreadTile {
  std::array<mlir::Value, 2> thread;               ///< i32
  llvm::SmallVector<std::array<int32_t, 2>> parts; ///< by register
  /// Whether this thread is the first holder of its elements; null: always.
  mlir::Value isHolder;
  /// Neighbouring columns in neighbouring registers.
  int64_t vectorWidth = 1;
};
/// Which of the threads that hold an element `isHolder` picks: any (not
/// computed), one of each warp, one of the group.
enum class Holder { Any, OneOfWarp, OneOfGroup };
ThreadTile getThreadTile(KernelEmitter &emitter, tile::RegType type,
                         Holder holder = Holder::Any);

/// Largest power of two (at most 2^16) that is known to divide an i32 or i64
/// scalar of the kernel.
int64_t getKnownDivisor(mlir::Value value);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_NVPTX_KERNELEMITTER_H
