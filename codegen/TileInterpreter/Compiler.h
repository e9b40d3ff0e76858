//===- Compiler.h - From a kernel to its programs ---------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_COMPILER_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_COMPILER_H

#include "codegen/TileInterpreter/Evaluate.h"
#include "codegen/TileInterpreter/Owners.h"
#include "codegen/TileInterpreter/Program.h"

namespace opgraph::tile::interp {

/// A region of scalars (of a map, gather, scatter or reduction) as operations
/// on arrays.
class RegionProgram {
public:
  /// Runs over arrays of one extent: the region's arguments; captured scalars
  /// come from `agent`'s frame, coordinates from the extents.
  llvm::SmallVector<NumbersPtr> run(const Agent &agent,
                                    llvm::ArrayRef<NumbersPtr> arguments,
                                    int64_t rows, int64_t cols) const;

private:
  friend class Compiler;
  struct Operation {
    ArrayFunction function;
    llvm::SmallVector<uint32_t, 3> operands;
    llvm::SmallVector<std::pair<uint32_t, Format>, 1> results;
  };
  /// Values are numbered: arguments, captures, coordinates, then results.
  uint32_t values = 0;
  std::vector<std::pair<uint32_t, SlotIndex>> captures;
  std::vector<std::pair<uint32_t, NumbersPtr>> constants;
  std::vector<std::pair<uint32_t, Axis>> coordinates;
  std::vector<Operation> operations;
  llvm::SmallVector<uint32_t> yields;
};

class Compiler {
public:
  explicit Compiler(KernelProgram &program) : program(program) {}

  /// Fills `program`; failure, with an error, where an op is not served.
  mlir::LogicalResult run();

  KernelProgram &program;

  SlotIndex slotOf(mlir::Value value);
  /// Who holds what of a register tile.
  std::shared_ptr<const OwnerTable> owners(mlir::Type type);
  std::shared_ptr<const RegionProgram> region(mlir::Region &region);
  /// Says that `op` is not served, and why.
  void refuse(mlir::Operation *op, const llvm::Twine &why);

private:
  void addResources();
  void addShared();
  void placeShared(AllocSharedOp op);
  void placeOverlay(AllocSharedOp op);
  void addSemaphore(MakeSemaphoreOp op);
  int64_t place(mlir::Operation *op, int64_t bytes, int64_t alignment);
  uint16_t newAllocation();
  void addRing(MakeRingOp op);
  void compileBlock(mlir::Block &block);
  void compileOp(mlir::Operation &op);
  void compileFor(mlir::Operation &op);
  void compileIf(mlir::Operation &op);
  void compileWhile(mlir::Operation &op);
  Instruction &emit(mlir::Operation *op, Handler handler);
  void emitMove(mlir::Operation *op, mlir::ValueRange from,
                mlir::ValueRange to);
  bool bind(mlir::Operation &op, Instruction &instruction);
  void addRole(RoleProgram role, mlir::Block &prologue, mlir::Block *body);

  llvm::DenseMap<mlir::Value, SlotIndex> slots;
  llvm::DenseMap<mlir::Type, std::shared_ptr<const OwnerTable>> tables;
  llvm::DenseMap<mlir::Operation *, int64_t> sharedTiles;
  llvm::DenseMap<mlir::Operation *, uint16_t> allocations;
  uint16_t lastAllocation = 0;
  llvm::DenseMap<mlir::Operation *, uint32_t> indices;
  std::vector<Instruction> *instructions = nullptr;
  bool failed = false;

public:
  /// Base of a `tile.shared`'s bytes; index of a ring, semaphore or barrier.
  int64_t baseOf(mlir::Operation *op) const { return sharedTiles.at(op); }
  /// What tiles that an overlay ties together have in common.
  uint16_t allocationOf(mlir::Operation *op) const {
    return allocations.at(op);
  }
  uint32_t indexOf(mlir::Operation *op) const { return indices.at(op); }
};

/// Each serves some ops: true if `op` is one of them, with the handler and
/// payload set (or the op refused).
bool bindStructure(mlir::Operation *op, Instruction &to, Compiler &compiler);
bool bindMemory(mlir::Operation *op, Instruction &to, Compiler &compiler);
bool bindScalarMemory(mlir::Operation *op, Instruction &to, Compiler &compiler);
bool bindIndexedMemory(mlir::Operation *op, Instruction &to,
                       Compiler &compiler);
bool bindShared(mlir::Operation *op, Instruction &to, Compiler &compiler);
bool bindRegister(mlir::Operation *op, Instruction &to, Compiler &compiler);
bool bindReduce(mlir::Operation *op, Instruction &to, Compiler &compiler);
bool bindCopies(mlir::Operation *op, Instruction &to, Compiler &compiler);
bool bindStores(mlir::Operation *op, Instruction &to, Compiler &compiler);
bool bindMaps(mlir::Operation *op, Instruction &to, Compiler &compiler);
bool bindSync(mlir::Operation *op, Instruction &to, Compiler &compiler);
bool bindRings(mlir::Operation *op, Instruction &to, Compiler &compiler);
bool bindMma(mlir::Operation *op, Instruction &to, Compiler &compiler);

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_COMPILER_H
