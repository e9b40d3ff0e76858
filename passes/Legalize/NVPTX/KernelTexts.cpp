//===- KernelTexts.cpp - The text of kernels, printed once ----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/KernelTexts.h"
#include "mlir/IR/DialectInterface.h"
#include "llvm/Support/xxhash.h"

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
  kernel.print(stream, OpPrintingFlags().useLocalScope().assumeVerified());
  return text;
}

//===----------------------------------------------------------------------===//
// Comparing
//===----------------------------------------------------------------------===//

namespace {
/// A kernel as words: two kernels of one context whose words are equal print
/// the same but for the operations' properties. Types and attributes are unique
/// in a context, so that their addresses stand for them.
class Flattener {
public:
  explicit Flattener(tile::KernelOp kernel) { add(kernel); }

  SmallVector<uintptr_t, 0> words;

private:
  void add(const void *address) {
    words.push_back(reinterpret_cast<uintptr_t>(address));
  }

  void define(Value value) {
    numbers.try_emplace(value, numbers.size());
    add(value.getType().getAsOpaquePointer());
  }

  void add(Operation *op) {
    add(op->getName().getAsOpaquePointer());
    add(op->getDiscardableAttrDictionary().getAsOpaquePointer());
    words.push_back(op->getNumOperands());
    for (Value operand : op->getOperands())
      words.push_back(numbers.lookup(operand));
    words.push_back(op->getNumResults());
    for (Value result : op->getResults())
      define(result);
    // Tile kernels have none; one that had would equal no other.
    if (op->getNumSuccessors() != 0)
      add(static_cast<const void *>(op));
    words.push_back(op->getNumRegions());
    for (Region &region : op->getRegions())
      add(region);
  }

  void add(Region &region) {
    words.push_back(std::distance(region.begin(), region.end()));
    for (Block &block : region) {
      words.push_back(block.getNumArguments());
      for (BlockArgument argument : block.getArguments())
        define(argument);
      for (Operation &op : block)
        add(&op);
      words.push_back(0);
    }
  }

  llvm::DenseMap<Value, unsigned> numbers;
};
} // namespace

/// Of kernels whose words are equal: whether the properties are.
static bool haveEqualProperties(Operation *lhs, Operation *rhs) {
  if (!lhs->getName().compareOpProperties(lhs->getPropertiesStorage(),
                                          rhs->getPropertiesStorage()))
    return false;
  for (auto [left, right] :
       llvm::zip_equal(lhs->getRegions(), rhs->getRegions()))
    for (auto [of, other] : llvm::zip_equal(left, right))
      for (auto [a, b] : llvm::zip_equal(of, other))
        if (!haveEqualProperties(&a, &b))
          return false;
  return true;
}

StringRef KernelTexts::find(tile::KernelOp kernel) {
  SmallVector<uintptr_t, 0> words = Flattener(kernel).words;
  uint64_t code = llvm::xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(words.data()),
               words.size() * sizeof(uintptr_t)));
  auto [first, last] = entries.equal_range(code);
  for (auto entry = first; entry != last; ++entry)
    if (entry->second.words == words &&
        haveEqualProperties(*entry->second.kernel, kernel))
      return entry->second.text;
  if (entries.size() >= kMostTexts)
    entries.clear();
  return entries
      .emplace(code, Entry{kernel.clone(), std::move(words), print(kernel)})
      ->second.text;
}

//===----------------------------------------------------------------------===//
// Names
//===----------------------------------------------------------------------===//

void KernelTexts::setName(StringRef name, StringRef text) {
  if (named.size() >= kMostTexts)
    named.clear();
  std::string &known = named.try_emplace(name, text).first->second;
  // The name of two texts stands for none.
  if (known != text)
    known.clear();
}

std::optional<StringRef> KernelTexts::findNamed(StringRef name) const {
  auto known = named.find(name);
  if (known == named.end() || known->second.empty())
    return std::nullopt;
  return known->second;
}

//===----------------------------------------------------------------------===//
// Classes
//===----------------------------------------------------------------------===//

/// Kernels of a class that are written before one is left out.
static constexpr unsigned kMostWritten = 3;

static uint64_t hash(const KernelClassWords &words) {
  return llvm::xxh3_64bits(
      ArrayRef(reinterpret_cast<const uint8_t *>(words.words.data()),
               words.words.size() * sizeof(uint64_t)));
}

const KernelTexts::Class *KernelTexts::findClass(const KernelClassWords &words,
                                                 graph::GraphOp graph) const {
  auto [first, last] = classes.equal_range(hash(words));
  for (auto entry = first; entry != last; ++entry) {
    const Class &known = entry->second;
    // Equal words are of equal operations.
    auto areEqual = [](auto pair) {
      return haveEqualProperties(&std::get<0>(pair), &std::get<1>(pair));
    };
    graph::GraphOp other = const_cast<Class &>(known).graph.get();
    if (known.words == words.words &&
        llvm::all_of(
            llvm::zip_equal(graph.getBody().front(), other.getBody().front()),
            areEqual))
      return &known;
  }
  return nullptr;
}

std::optional<StringRef> KernelTexts::findOfClass(const KernelClassWords &words,
                                                  graph::GraphOp graph,
                                                  TypeRange parameters) const {
  const Class *known = findClass(words, graph);
  if (!known || known->isGivenUp || known->written < kMostWritten ||
      TypeRange(known->parameters) != parameters)
    return std::nullopt;
  return StringRef(known->name);
}

void KernelTexts::confirm(const KernelClassWords &words, graph::GraphOp graph,
                          tile::KernelOp kernel) {
  auto parameters = kernel.getBody().front().getArgumentTypes();
  auto *known = const_cast<Class *>(findClass(words, graph));
  if (!known) {
    if (classes.size() >= kMostTexts)
      classes.clear();
    Class added;
    added.words = words.words;
    added.graph = graph.clone();
    added.parameters.assign(parameters.begin(), parameters.end());
    added.name = kernel.getSymName().str();
    known = &classes.emplace(hash(words), std::move(added))->second;
  }
  ++known->written;
  if (known->name == kernel.getSymName())
    return;
  known->isGivenUp = true;
  contradiction = known->name + " and " + kernel.getSymName().str();
}

void opgraph::legalize::nvptx::keepKernelTexts(MLIRContext *context,
                                               KernelTexts &texts) {
  context->getOrLoadDialect<tile::TileDialect>()
      ->addInterface<KernelTextsInterface>(texts);
}

static KernelTexts *findTexts(tile::KernelOp kernel) {
  auto *dialect = kernel.getContext()->getLoadedDialect<tile::TileDialect>();
  auto *kept = dialect->getRegisteredInterface<KernelTextsInterface>();
  return kept ? &kept->texts : nullptr;
}

std::string opgraph::legalize::nvptx::getKernelText(tile::KernelOp kernel) {
  if (KernelTexts *texts = findTexts(kernel))
    return texts->find(kernel).str();
  return print(kernel);
}

void opgraph::legalize::nvptx::nameKernel(tile::KernelOp kernel, StringRef name,
                                          StringRef text) {
  kernel.setSymName(name);
  if (KernelTexts *texts = findTexts(kernel))
    texts->setName(name, text);
}

bool opgraph::legalize::nvptx::isLeftOut(tile::KernelOp kernel) {
  return kernel.getBody().front().empty();
}

bool opgraph::legalize::nvptx::leaveOut(tile::KernelOp kernel,
                                        const KernelClassWords &words,
                                        graph::GraphOp graph) {
  KernelTexts *texts = findTexts(kernel);
  if (!texts || !texts->leavesOut)
    return false;
  Block &body = kernel.getBody().front();
  std::optional<StringRef> name =
      texts->findOfClass(words, graph, body.getArgumentTypes());
  if (!name)
    return false;
  kernel.setSymName(*name);
  return true;
}

void opgraph::legalize::nvptx::confirmClass(tile::KernelOp kernel,
                                            const KernelClassWords &words,
                                            graph::GraphOp graph) {
  if (KernelTexts *texts = findTexts(kernel))
    texts->confirm(words, graph, kernel);
}

std::optional<std::string>
opgraph::legalize::nvptx::getKernelKey(tile::KernelOp kernel) {
  std::string key = kernel.getSymName().str() + "\n";
  KernelTexts *texts = findTexts(kernel);
  if (std::optional<StringRef> text =
          texts ? texts->findNamed(kernel.getSymName()) : std::nullopt)
    return key + text->str();
  if (isLeftOut(kernel))
    return std::nullopt;
  return key + print(kernel);
}
