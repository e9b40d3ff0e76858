//===- ScalarOps.h - Scalar operations as the GPU has them ------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Private to codegen/NVPTX.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_SCALAROPS_H
#define OPGRAPH_CODEGEN_NVPTX_SCALAROPS_H

#include "codegen/NVPTX/KernelEmitter.h"

namespace opgraph::codegen {

/// Emits an arith or math op on lowered operands. Fails, with a diagnostic,
/// where the GPU path does not serve it. `largeAngles`: as of emitDeviceMath.
mlir::LogicalResult
emitScalarOp(KernelEmitter &emitter, mlir::Operation *op,
             mlir::ValueRange operands,
             llvm::SmallVectorImpl<mlir::Value> &results,
             llvm::SmallVectorImpl<mlir::Value> *largeAngles = nullptr);

/// Emits a region of scalar ops on lowered arguments; `yielded` is what its
/// terminator has. Captured values are scalars.
mlir::LogicalResult
emitScalarBlock(KernelEmitter &emitter, mlir::Block &block,
                mlir::ValueRange arguments,
                llvm::SmallVectorImpl<mlir::Value> &yielded);

/// Emits `op` for two neighbouring registers at once where an instruction does
/// both; else returns false and emits nothing.
bool emitScalarPair(KernelEmitter &emitter, mlir::Operation *op,
                    mlir::ValueRange first, mlir::ValueRange second,
                    std::array<mlir::Value, 2> &results);

/// `value` in `from`'s lowered form, as float type `to`: exact, or rounded once
/// to nearest even. To 8 bits it saturates and keeps NaN; e8m0 rounds up.
mlir::Value emitConvertFloat(KernelEmitter &emitter, mlir::Value value,
                             mlir::FloatType from, mlir::FloatType to);
/// Two at once: what the instruction set has in pairs; null values otherwise.
std::array<mlir::Value, 2> emitConvertFloatPair(KernelEmitter &emitter,
                                                mlir::Value first,
                                                mlir::Value second,
                                                mlir::FloatType from,
                                                mlir::FloatType to);

/// Two 16-bit floats as a vector, without instructions if they came from one.
mlir::Value packPair(KernelEmitter &emitter, mlir::Value first,
                     mlir::Value second);
std::array<mlir::Value, 2> unpackPair(KernelEmitter &emitter,
                                      mlir::Value vector);

/// How `bytes` neighbouring bytes of elements are held in registers: `count`
/// words of a type that one memory instruction moves.
struct WordType {
  mlir::Type type;
  int64_t count;
  int64_t bytes; ///< of one word
};
WordType getWordType(KernelEmitter &emitter, mlir::Type element, int64_t bytes);
/// Between elements in register form and words; the element count follows.
llvm::SmallVector<mlir::Value> packWords(KernelEmitter &emitter,
                                         mlir::ValueRange elements,
                                         mlir::Type element);
llvm::SmallVector<mlir::Value> unpackWords(KernelEmitter &emitter,
                                           mlir::ValueRange words,
                                           mlir::Type element, int64_t count);

/// A value of `element` in register form.
mlir::Value getFillValue(KernelEmitter &emitter, tile::Fill fill,
                         mlir::Type element);

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_NVPTX_SCALAROPS_H
