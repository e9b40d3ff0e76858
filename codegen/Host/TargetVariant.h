//===- TargetVariant.h - Instruction sets of host code ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_HOST_TARGETVARIANT_H
#define OPGRAPH_CODEGEN_HOST_TARGETVARIANT_H

#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/StringRef.h"
#include "llvm/Support/Error.h"

#include <memory>

namespace llvm {
class TargetMachine;
} // namespace llvm

namespace opgraph::codegen {

/// A fixed set of instructions that code is made for; never the machine's own.
struct TargetVariant {
  llvm::StringLiteral name;
  /// LLVM's names.
  llvm::StringLiteral cpu;
  llvm::StringLiteral features;
  /// Has instructions that convert between f32 and bf16.
  bool convertsBF16;
};

/// All variants, the least first.
llvm::ArrayRef<TargetVariant> targetVariants();

/// The variant of that name, or null.
const TargetVariant *findTargetVariant(llvm::StringRef name);

/// A target machine borrowed from a process-wide pool: making one costs more
/// than compiling a small function, and two threads may not share one.
class BorrowedTargetMachine {
public:
  /// `fuse` lets a multiplication and an addition become one instruction.
  static llvm::Expected<BorrowedTargetMachine>
  borrow(const TargetVariant &variant, bool fuse);

  BorrowedTargetMachine(BorrowedTargetMachine &&other);
  /// Gives the machine back.
  ~BorrowedTargetMachine();

  llvm::TargetMachine &operator*() { return *machine; }
  llvm::TargetMachine *operator->() { return machine.get(); }

private:
  BorrowedTargetMachine(const TargetVariant &variant, bool fuse,
                        std::unique_ptr<llvm::TargetMachine> machine);

  const TargetVariant *variant;
  bool fuse;
  std::unique_ptr<llvm::TargetMachine> machine;
};

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_HOST_TARGETVARIANT_H
