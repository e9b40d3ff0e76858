//===- KernelTexts.cpp - The text of kernels, printed once ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/KernelTexts.h"
#include "mlir/IR/DialectInterface.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize::nvptx;

/// A context that has met more kernels than this starts over.
static constexpr size_t kMostTexts = 128;

namespace opgraph::legalize::nvptx {
/// Where a context has its kernels' texts.
class KernelTextsInterface
    : public DialectInterface::Base<KernelTextsInterface> {
public:
  MLIR_DEFINE_EXPLICIT_INTERNAL_INLINE_TYPE_ID(KernelTextsInterface)

  KernelTextsInterface(Dialect *dialect, KernelTexts &texts)
      : Base(dialect), texts(texts) {}

  KernelTexts &texts;
};
} // namespace opgraph::legalize::nvptx

static std::string print(tile::KernelOp kernel) {
  std::string text;
  llvm::raw_string_ostream stream(text);
  kernel.print(stream, OpPrintingFlags().useLocalScope());
  return text;
}

/// Equal for equal kernels: what each operation is, without who uses whom.
static size_t hash(tile::KernelOp kernel) {
  llvm::hash_code code(0);
  kernel->walk<WalkOrder::PreOrder>([&](Operation *op) {
    code =
        llvm::hash_combine(code, OperationEquivalence::computeHash(
                                     op, OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::ignoreHashValue,
                                     OperationEquivalence::IgnoreLocations));
  });
  return code;
}

/// Whether both print the same: operand by operand, also where operands may be
/// exchanged.
static bool areEqual(tile::KernelOp lhs, tile::KernelOp rhs) {
  llvm::DenseMap<Value, Value> partner;
  return OperationEquivalence::isEquivalentTo(
      lhs, rhs,
      [&](Value l, Value r) { return success(partner.lookup(l) == r); },
      [&](Value l, Value r) { partner[l] = r; },
      OperationEquivalence::IgnoreLocations);
}

StringRef KernelTexts::find(tile::KernelOp kernel) {
  size_t code = hash(kernel);
  auto [first, last] = entries.equal_range(code);
  for (auto entry = first; entry != last; ++entry)
    if (areEqual(*entry->second.kernel, kernel))
      return entry->second.text;
  if (entries.size() >= kMostTexts)
    entries.clear();
  return entries.emplace(code, Entry{kernel.clone(), print(kernel)})
      ->second.text;
}

void opgraph::legalize::nvptx::keepKernelTexts(MLIRContext *context,
                                               KernelTexts &texts) {
  context->getOrLoadDialect<tile::TileDialect>()
      ->addInterface<KernelTextsInterface>(texts);
}

std::string opgraph::legalize::nvptx::getKernelText(tile::KernelOp kernel) {
  auto *dialect = kernel.getContext()->getLoadedDialect<tile::TileDialect>();
  if (auto *kept = dialect->getRegisteredInterface<KernelTextsInterface>())
    return kept->texts.find(kernel).str();
  return print(kernel);
}
