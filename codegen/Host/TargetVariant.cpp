//===- TargetVariant.cpp - Instruction sets of host code ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/Host/TargetVariant.h"
#include "llvm/MC/TargetRegistry.h"
#include "llvm/Support/TargetSelect.h"
#include "llvm/Target/TargetMachine.h"
#include "llvm/Target/TargetOptions.h"
#include "llvm/TargetParser/Triple.h"

#include <mutex>
#include <vector>

using namespace llvm;
using namespace opgraph::codegen;

static constexpr StringLiteral hostTriple = "x86_64-unknown-linux-gnu";

ArrayRef<TargetVariant> opgraph::codegen::targetVariants() {
  // LLVM's x86-64-vN are fixed feature lists. Machines with AVX512_BF16 run
  // 512-bit vectors at full clock, so that variant does not avoid them.
  static constexpr TargetVariant variants[] = {
      {"x86-64-v2", "x86-64-v2", "", false},
      {"x86-64-v3", "x86-64-v3", "", false},
      {"x86-64-v4", "x86-64-v4", "", false},
      {"x86-64-v4-bf16", "x86-64-v4", "+avx512bf16,+avx512vnni,-prefer-256-bit",
       true}};
  return variants;
}

const TargetVariant *opgraph::codegen::findTargetVariant(StringRef name) {
  for (const TargetVariant &variant : targetVariants())
    if (variant.name == name)
      return &variant;
  return nullptr;
}

namespace {
/// Idle target machines with what they were made for.
struct Pool {
  struct Entry {
    const TargetVariant *variant;
    bool fuse;
    std::unique_ptr<TargetMachine> machine;
  };

  std::mutex mutex;
  std::vector<Entry> idle;

  /// Never destroyed: a thread may still compile while the process exits.
  static Pool &get() {
    static Pool *pool = new Pool;
    return *pool;
  }

  std::unique_ptr<TargetMachine> take(const TargetVariant *variant, bool fuse) {
    std::lock_guard<std::mutex> lock(mutex);
    for (Entry &entry : idle) {
      if (entry.variant != variant || entry.fuse != fuse)
        continue;
      std::unique_ptr<TargetMachine> machine = std::move(entry.machine);
      entry = std::move(idle.back());
      idle.pop_back();
      return machine;
    }
    return nullptr;
  }

  void put(Entry entry) {
    std::lock_guard<std::mutex> lock(mutex);
    idle.push_back(std::move(entry));
  }
};
} // namespace

static Expected<std::unique_ptr<TargetMachine>>
createMachine(const TargetVariant &variant, bool fuse) {
  static std::once_flag once;
  std::call_once(once, [] {
    LLVMInitializeX86TargetInfo();
    LLVMInitializeX86Target();
    LLVMInitializeX86TargetMC();
    LLVMInitializeX86AsmPrinter();
    LLVMInitializeX86AsmParser();
  });
  std::string error;
  Triple triple(hostTriple);
  const Target *target = TargetRegistry::lookupTarget(triple, error);
  if (!target)
    return createStringError("no code generator for %s: %s", hostTriple.data(),
                             error.c_str());
  TargetOptions options;
  options.AllowFPOpFusion = fuse ? FPOpFusion::Fast : FPOpFusion::Standard;
  options.EmitAddrsig = false;
  return std::unique_ptr<TargetMachine>(target->createTargetMachine(
      triple, variant.cpu, variant.features, options, Reloc::PIC_,
      CodeModel::Small, CodeGenOptLevel::Default));
}

Expected<BorrowedTargetMachine>
BorrowedTargetMachine::borrow(const TargetVariant &variant, bool fuse) {
  std::unique_ptr<TargetMachine> machine = Pool::get().take(&variant, fuse);
  if (!machine) {
    Expected<std::unique_ptr<TargetMachine>> made =
        createMachine(variant, fuse);
    if (!made)
      return made.takeError();
    machine = std::move(*made);
  }
  return BorrowedTargetMachine(variant, fuse, std::move(machine));
}

BorrowedTargetMachine::BorrowedTargetMachine(
    const TargetVariant &variant, bool fuse,
    std::unique_ptr<TargetMachine> machine)
    : variant(&variant), fuse(fuse), machine(std::move(machine)) {}

BorrowedTargetMachine::BorrowedTargetMachine(BorrowedTargetMachine &&other) =
    default;

BorrowedTargetMachine::~BorrowedTargetMachine() {
  if (machine)
    Pool::get().put({variant, fuse, std::move(machine)});
}
