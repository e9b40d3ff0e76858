//===- PlanMutator.cpp - Structured mutations of plans --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/fuzz/PlanMutator.h"

#include <random>

using namespace opgraph::planfile;

namespace {

/// Applies mutations; every draw comes from the seed.
class Mutator {
public:
  Mutator(PlanContents &plan, unsigned seed) : plan(plan), engine(seed) {}

  void mutateOnce();

private:
  unsigned below(unsigned bound) { return bound ? engine() % bound : 0; }
  bool oneIn(unsigned n) { return below(n) == 0; }

  /// A number that is likely to matter.
  int64_t interesting() {
    static const int64_t values[] = {0,         1,         -1,
                                     2,         3,         4,
                                     7,         8,         16,
                                     31,        64,        128,
                                     255,       4095,      4096,
                                     8192,      INT32_MAX, INT32_MIN,
                                     INT64_MAX, INT64_MIN, int64_t(1) << 40};
    if (oneIn(4))
      return static_cast<int64_t>(engine()) >> below(63);
    return values[below(sizeof(values) / sizeof(values[0]))];
  }
  template <typename T>
  void nudge(T &value) {
    if (oneIn(3))
      value = static_cast<T>(static_cast<uint64_t>(value) + 1 - 2 * below(2));
    else
      value = static_cast<T>(interesting());
  }
  template <typename T>
  T *pick(std::vector<T> &list) {
    return list.empty() ? nullptr : &list[below(list.size())];
  }
  /// Drops, repeats or swaps elements.
  template <typename T>
  void shuffle(std::vector<T> &list) {
    if (list.empty())
      return;
    size_t at = below(list.size());
    if (oneIn(3))
      list.erase(list.begin() + at);
    else if (oneIn(2) && list.size() < 40)
      list.insert(list.begin() + at, T(list[at]));
    else
      std::swap(list[at], list[below(list.size())]);
  }

  void mutateText(std::string &text);
  void mutateExpr(Expr &expr);
  void mutateHead();
  void mutateOperand(Operand &operand);
  void mutateSymbol(Symbol &symbol);
  void mutateStep(Step &step);
  void mutateArgument(LaunchArg &arg);
  void mutateLaunch(Launch &launch);
  void mutateTensorMap(TensorMap &map);
  void mutateKernel(DeviceKernel &kernel);
  void mutateDeviceVariant(DeviceVariant &variant);
  void mutateDevice();
  void mutateVariant(Variant &variant);
  void mutateCodeSymbol(ImageSymbol &symbol);

  PlanContents &plan;
  std::mt19937_64 engine;
};

} // namespace

void Mutator::mutateText(std::string &text) {
  if (oneIn(3))
    text.clear();
  else if (oneIn(2))
    text += static_cast<char>(below(256));
  else
    text.assign(1 + below(5000), 'n');
}

void Mutator::mutateExpr(Expr &expr) {
  switch (below(5)) {
  case 0:
    expr = Expr(interesting());
    break;
  case 1:
    expr = Expr::symbol(below(plan.symbols.size() + 1));
    break;
  case 2:
    expr = Expr::binary(ExprOp(2 + below(9)), expr, Expr(interesting()));
    break;
  case 3:
    shuffle(expr.tokens);
    break;
  default:
    if (ExprToken *token = pick(expr.tokens)) {
      if (oneIn(2))
        nudge(token->value);
      else
        token->op = ExprOp(below(12));
    }
  }
}

void Mutator::mutateHead() {
  switch (below(8)) {
  case 0:
    return mutateText(plan.name);
  case 1:
    return mutateText(plan.engineName);
  case 2:
    return nudge(plan.maxWorkers);
  case 3:
    return mutateExpr(plan.workspaceShared);
  case 4:
    return mutateExpr(plan.workspacePrivate);
  case 5:
    plan.aliases.emplace_back(below(5), below(5));
    return;
  case 6:
    plan.notes.emplace_back("note");
    return mutateText(plan.notes.back());
  default:
    return mutateText(plan.target);
  }
}

void Mutator::mutateOperand(Operand &operand) {
  switch (below(12)) {
  case 0:
    return nudge(operand.uid);
  case 1:
    return mutateText(operand.name);
  case 2:
    operand.dtype = og_dtype(below(25));
    return;
  case 3:
    operand.isOutput = !operand.isOutput;
    return;
  case 4:
    operand.byValue = !operand.byValue;
    return;
  case 5:
    operand.defaultValue.resize(below(18));
    return;
  case 6:
    return nudge(operand.alignment);
  case 7:
    operand.storage = og_storage(below(6));
    return;
  case 8:
    operand.storageBytes = Expr(interesting());
    return;
  case 9:
    operand.strideRule = og_stride_rule(below(5));
    return;
  case 10:
    operand.extents.resize(below(20));
    operand.strides.resize(operand.extents.size());
    return;
  default:
    if (Expr *expr = pick(oneIn(2) ? operand.extents : operand.strides))
      mutateExpr(*expr);
  }
}

void Mutator::mutateSymbol(Symbol &symbol) {
  switch (below(8)) {
  case 0:
    return mutateText(symbol.name);
  case 1:
    symbol.isStride = !symbol.isStride;
    return;
  case 2:
    return nudge(symbol.operand);
  case 3:
    return nudge(symbol.axis);
  case 4:
    return nudge(symbol.min);
  case 5:
    return nudge(symbol.max);
  case 6:
    return nudge(symbol.divisor);
  default:
    symbol.defaultValue = interesting();
  }
}

void Mutator::mutateArgument(LaunchArg &arg) {
  switch (below(5)) {
  case 0:
    arg.kind = ArgKind(below(9));
    return;
  case 1:
    arg.type = ArgType(below(7));
    return;
  case 2:
    return nudge(arg.index);
  case 3:
    return nudge(arg.axis);
  default:
    mutateExpr(arg.expr);
  }
}

void Mutator::mutateLaunch(Launch &launch) {
  switch (below(4)) {
  case 0:
    return nudge(launch.kernel);
  case 1:
    return mutateExpr(launch.grid[below(3)]);
  case 2:
    return shuffle(launch.args);
  default:
    if (LaunchArg *arg = pick(launch.args))
      mutateArgument(*arg);
  }
}

void Mutator::mutateTensorMap(TensorMap &map) {
  switch (below(6)) {
  case 0:
    return mutateArgument(map.base);
  case 1:
    map.dtype = og_dtype(below(25));
    return;
  case 2:
    map.swizzle = Swizzle(below(6));
    return;
  case 3:
    return shuffle(map.box);
  case 4:
    if (uint32_t *extent = pick(map.box))
      nudge(*extent);
    return;
  default:
    if (Expr *expr = pick(oneIn(2) ? map.extents : map.strides))
      mutateExpr(*expr);
  }
}

void Mutator::mutateKernel(DeviceKernel &kernel) {
  switch (below(4)) {
  case 0:
    return mutateText(kernel.name);
  case 1:
    return nudge(kernel.threads);
  case 2:
    return nudge(kernel.cluster[below(3)]);
  default:
    return nudge(kernel.dynamicShared);
  }
}

void Mutator::mutateDeviceVariant(DeviceVariant &variant) {
  switch (below(5)) {
  case 0:
    return mutateText(variant.target);
  case 1:
    return mutateText(variant.ptx);
  case 2:
    if (uint8_t *byte = pick(variant.cubin))
      nudge(*byte);
    return;
  case 3:
    variant.cubin.resize(below(200));
    return;
  default:
    if (DeviceKernel *kernel = pick(variant.kernels))
      mutateKernel(*kernel);
  }
}

void Mutator::mutateDevice() {
  switch (below(5)) {
  case 0:
    plan.device = DeviceKind(below(3));
    return;
  case 1:
    return shuffle(plan.tensorMaps);
  case 2:
    return shuffle(plan.deviceVariants);
  case 3:
    if (TensorMap *map = pick(plan.tensorMaps))
      mutateTensorMap(*map);
    return;
  default:
    if (DeviceVariant *variant = pick(plan.deviceVariants))
      mutateDeviceVariant(*variant);
  }
}

void Mutator::mutateStep(Step &step) {
  if (auto *launch = std::get_if<Launch>(&step))
    return mutateLaunch(*launch);
  if (auto *call = std::get_if<HostCall>(&step))
    return nudge(call->entry);
  Fill &fill = std::get<Fill>(step);
  mutateExpr(oneIn(2) ? fill.offset : fill.size);
}

void Mutator::mutateCodeSymbol(ImageSymbol &symbol) {
  if (oneIn(4))
    mutateText(symbol.name);
  else
    nudge(oneIn(2) ? symbol.offset : symbol.size);
}

void Mutator::mutateVariant(Variant &variant) {
  switch (below(9)) {
  case 0:
    return mutateText(variant.target);
  case 1:
    return shuffle(variant.segments);
  case 2:
    if (Segment *segment = pick(variant.segments)) {
      if (oneIn(3))
        segment->kind = SegmentKind(below(5));
      else
        nudge(oneIn(2) ? segment->offset : segment->memSize);
    }
    return;
  case 3:
    if (Relocation *relocation = pick(variant.relocations)) {
      if (oneIn(3))
        nudge(relocation->import);
      else if (oneIn(2))
        nudge(relocation->offset);
      else
        nudge(relocation->addend);
    }
    return;
  case 4:
    if (std::string *import = pick(variant.imports))
      mutateText(*import);
    return;
  case 5:
    return shuffle(variant.imports);
  case 6:
    return shuffle(variant.entries);
  case 7:
    if (ImageSymbol *symbol = pick(variant.functions))
      mutateCodeSymbol(*symbol);
    return;
  default:
    if (ImageSymbol *symbol = pick(variant.entries))
      mutateCodeSymbol(*symbol);
  }
}

void Mutator::mutateOnce() {
  if (plan.device == DeviceKind::Cuda && oneIn(3))
    return mutateDevice();
  switch (below(9)) {
  case 0:
    return mutateHead();
  case 1:
    return shuffle(plan.operands);
  case 2:
    return shuffle(plan.steps);
  case 3:
    return shuffle(plan.symbols);
  case 4:
    if (Symbol *symbol = pick(plan.symbols))
      mutateSymbol(*symbol);
    return;
  case 5:
    if (Step *step = pick(plan.steps))
      mutateStep(*step);
    return;
  case 6:
  case 7:
    if (Variant *variant = pick(plan.variants))
      mutateVariant(*variant);
    return;
  default:
    if (Operand *operand = pick(plan.operands))
      mutateOperand(*operand);
  }
}

void opgraph::fuzz::mutatePlan(PlanContents &contents, unsigned seed) {
  Mutator mutator(contents, seed);
  for (unsigned count = 1 + seed % 3; count > 0; --count)
    mutator.mutateOnce();
}
