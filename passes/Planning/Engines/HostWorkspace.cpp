//===- HostWorkspace.cpp - Bounds on scratch memory of host plans ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Engines/HostWorkspace.h"
#include "passes/Planning/Capability.h"
#include "passes/Planning/Work.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace opgraph::planning;

/// Every buffer starts on a cache line.
static constexpr int64_t kAlignment = 64;

/// Loops with less work run on the calling thread alone.
static constexpr int64_t kMinParallelWork = 65536;

/// More than a process can address (codegen/Host/AssignWorkspace.cpp).
static constexpr int64_t kMostWorkspace = int64_t(1) << 48;

namespace {
/// A sum of buffers, some of which every worker has one of.
struct Scratch {
  uint64_t shared = 0;
  uint64_t perWorker = 0;

  void add(uint64_t elements, int64_t width) {
    shared = SaturatingAdd(shared, bytes(elements, width));
  }
  void addPerWorker(uint64_t elements, int64_t width) {
    perWorker = SaturatingAdd(perWorker, bytes(elements, width));
  }
  /// Shared buffers follow the extents, a worker's do not.
  int64_t total(int64_t workers, bool hasUnknownExtents) const {
    if (hasUnknownExtents && shared > 0)
      return -1;
    uint64_t sum = SaturatingMultiplyAdd<uint64_t>(perWorker, workers, shared);
    return std::min<uint64_t>(sum, INT64_MAX);
  }

private:
  static uint64_t bytes(uint64_t elements, int64_t width) {
    uint64_t size = SaturatingMultiply<uint64_t>(elements, width);
    return size > UINT64_MAX - kAlignment ? size : alignTo(size, kAlignment);
  }
};

/// Adds up the buffers of host.fused.
class FusedBound {
public:
  explicit FusedBound(const GraphFacts &facts) : facts(facts) {}
  int64_t run(int64_t maxWorkers);

private:
  void findUsers();
  void findGroups();
  bool haveSameDims(unsigned a, unsigned b) const {
    return facts.values[a].dims == facts.values[b].dims;
  }
  bool staysInRegisters(unsigned op, unsigned value) const;
  void addTemporaries(unsigned index);
  void addMatmul(const OpFacts &op);
  void addSdpa(const OpFacts &op);
  void addTasks(uint64_t count) { tasks = std::max(tasks, count); }

  const GraphFacts &facts;
  Scratch scratch;
  /// No more workers take part than the most that one loop has tasks for.
  uint64_t tasks = 1;
  /// Ops that read each value.
  SmallVector<SmallVector<unsigned, 2>> users;
  /// The pointwise op that an op is computed inside of; itself if in none.
  SmallVector<unsigned> root;
};
} // namespace

/// Whether some extent is only known when a plan is executed.
static bool hasUnknownExtents(const GraphFacts &facts) {
  return facts.isDynamic() || facts.allowsOverrides;
}

/// Bytes of an element while it is computed with.
static int64_t workBytes(const OpFacts &op) {
  return op.compute == DType::F64 || op.compute == DType::I64 ? 8 : 4;
}

void FusedBound::findUsers() {
  users.resize(facts.values.size());
  for (auto [index, op] : llvm::enumerate(facts.ops))
    for (unsigned operand : op.operands)
      if (!is_contained(users[operand], index))
        users[operand].push_back(index);
}

/// A pointwise op joins its users where all of them are one group of its
/// extents; it then has no buffer.
void FusedBound::findGroups() {
  root.resize(facts.ops.size());
  for (unsigned index = facts.ops.size(); index-- > 0;) {
    const OpFacts &op = facts.ops[index];
    root[index] = index;
    if (!op.isPointwise || facts.values[op.results[0]].isOutput ||
        users[op.results[0]].empty())
      continue;
    unsigned candidate = root[users[op.results[0]].front()];
    bool isJoined = all_of(users[op.results[0]], [&](unsigned user) {
      return facts.ops[user].isPointwise && root[user] == candidate;
    });
    if (isJoined &&
        haveSameDims(op.results[0], facts.ops[candidate].results[0]))
      root[index] = candidate;
  }
}

/// Whether `value`, a result of op `index`, is handed to its reader tile by
/// tile.
bool FusedBound::staysInRegisters(unsigned index, unsigned value) const {
  const OpFacts &op = facts.ops[index];
  if (op.isPointwise)
    return root[index] != index;
  if (op.mnemonic != "matmul" || users[value].size() != 1)
    return false;
  const OpFacts &reader = facts.ops[users[value].front()];
  unsigned group = root[users[value].front()];
  return reader.isPointwise && count(reader.operands, value) == 1 &&
         haveSameDims(value, facts.ops[group].results[0]);
}

void FusedBound::addTemporaries(unsigned index) {
  const OpFacts &op = facts.ops[index];
  for (unsigned result : op.results) {
    const ValueFacts &value = facts.values[result];
    int64_t width = std::max(workBytes(op), storageBytes(value.type));
    // A reduction accumulates in a buffer of its own and may scale it into
    // another before the result is rounded.
    if (op.mnemonic == "reduction")
      for (int i = 0; i < 2; ++i)
        scratch.add(value.elements, workBytes(op));
    // With unknown extents a moved value may not be written in place.
    bool isCopied =
        hasUnknownExtents(facts) &&
        is_contained({"transpose", "concatenate", "reshape"}, op.mnemonic);
    bool isStored = value.isTemporary() && !staysInRegisters(index, result);
    if (isStored || isCopied)
      scratch.add(value.elements, width);
  }
  // Reshaping is free between packed row-major buffers only.
  if (op.mnemonic == "reshape")
    for (unsigned index : {op.operands[0], op.results[0]})
      if (facts.values[index].layout != LayoutClass::Contiguous)
        scratch.add(facts.values[index].elements,
                    storageBytes(facts.values[index].type));
  // Norms and softmax keep a few scalars per row.
  if (!is_contained({"layernorm", "rmsnorm", "softmax"}, op.mnemonic))
    return;
  for (size_t i = 0; i < op.results.size() + 3; ++i)
    scratch.addPerWorker(1, workBytes(op));
  addTasks(facts.values[op.operands[0]].elements);
}

void FusedBound::addMatmul(const OpFacts &op) {
  const ValueFacts &a = facts.values[op.operands[0]];
  const ValueFacts &b = facts.values[op.operands[1]];
  const ValueFacts &c = facts.values[op.results[0]];
  int64_t width = workBytes(op);
  int64_t lanes = width == 8 ? 8 : 16;
  int64_t m = extentFromEnd(c, 2), n = extentFromEnd(c, 1),
          k = extentFromEnd(a, 1);
  // B in panels of whole vectors.
  uint64_t batch = countMatrices(b);
  uint64_t panels = SaturatingMultiply<uint64_t>(batch, alignTo(n, lanes));
  scratch.add(SaturatingMultiply<uint64_t>(panels, k), width);
  // Operands of another type, or masked, are converted first.
  bool isMasked = op.operands.size() > 2;
  for (const ValueFacts *operand : {&a, &b})
    if (isMasked || operand->type != op.compute)
      scratch.add(operand->elements, width);
  // One block of the result, private to a worker where work is shared out.
  bool isOpen = hasUnknownExtents(facts);
  bool isWide = isOpen || SaturatingMultiply<uint64_t>(
                              divideCeil(m, 96), divideCeil(n, 256)) >= 16;
  uint64_t rows = isWide ? 96 : 48, columns = isWide ? 256 : 64;
  if (!isOpen) {
    rows = std::min<uint64_t>(rows, alignTo(std::max<int64_t>(m, 1), 6));
    columns =
        std::min<uint64_t>(columns, alignTo(std::max<int64_t>(n, 1), lanes));
  }
  if (!isOpen && op.work.matrixFlops < 2.0 * kMinParallelWork) {
    scratch.add(rows * columns, width);
    return;
  }
  scratch.addPerWorker(rows * columns, width);
  uint64_t tiles =
      SaturatingMultiply<uint64_t>(divideCeil(m, rows), divideCeil(n, columns));
  addTasks(SaturatingMultiply<uint64_t>(countMatrices(c), tiles));
  addTasks(SaturatingMultiply<uint64_t>(batch, divideCeil(n, lanes)));
}

void FusedBound::addSdpa(const OpFacts &op) {
  constexpr int64_t kQueries = 32, kKeys = 96;
  int64_t width = workBytes(op);
  int64_t d = extentFromEnd(facts.values[op.operands[0]], 1);
  int64_t dv = extentFromEnd(facts.values[op.operands[2]], 1);
  // Scores, keys, values, queries, and the output twice.
  const std::pair<int64_t, int64_t> tiles[] = {
      {kKeys, kQueries}, {kKeys, d},     {kKeys, dv},
      {kQueries, d},     {kQueries, dv}, {kQueries, dv}};
  for (auto [rows, columns] : tiles)
    scratch.addPerWorker(SaturatingMultiply<uint64_t>(rows, columns), width);
  uint64_t rows =
      divideCeil(extentFromEnd(facts.values[op.operands[0]], 2), kQueries);
  uint64_t heads = SaturatingMultiply<uint64_t>(
      extentFromEnd(facts.values[op.operands[0]], 3),
      extentFromEnd(facts.values[op.operands[0]], 4));
  addTasks(SaturatingMultiply(rows, heads));
  // Maxima, sums and factors of each query.
  for (int i = 0; i < 8; ++i)
    scratch.addPerWorker(kQueries, width);
}

int64_t FusedBound::run(int64_t maxWorkers) {
  findUsers();
  findGroups();
  for (auto [index, op] : llvm::enumerate(facts.ops)) {
    addTemporaries(index);
    if (op.mnemonic == "matmul")
      addMatmul(op);
    if (op.mnemonic == "sdpa")
      addSdpa(op);
  }
  // Loops over big values are cut too, into no more tasks than elements.
  for (const ValueFacts &value : facts.values)
    if (value.elements >= kMinParallelWork)
      addTasks(value.elements);
  bool isOpen = hasUnknownExtents(facts);
  int64_t workers = isOpen ? maxWorkers : std::min<uint64_t>(maxWorkers, tasks);
  return scratch.total(workers, isOpen);
}

int64_t opgraph::planning::fusedWorkspace(const GraphFacts &facts,
                                          int64_t maxWorkers) {
  return FusedBound(facts).run(maxWorkers);
}

/// The judge's grouped matmuls keep the group of each row, and combine a row of
/// sums.
static void addGroupedMatmul(const GraphFacts &facts, const OpFacts &op,
                             Scratch &scratch) {
  if (op.mnemonic != "moe_grouped_matmul" &&
      op.mnemonic != "moe_grouped_matmul_bwd")
    return;
  // Rows of the token indices, where given, or of the tokens.
  int64_t rows = 0;
  for (unsigned operand : op.operands)
    rows = std::max(rows, extentFromEnd(facts.values[operand], 2));
  scratch.add(rows, 8);
  if (op.mnemonic == "moe_grouped_matmul")
    scratch.add(extentFromEnd(facts.values[op.operands[1]], 1), 8);
}

/// The f64 sums of attention gradients: a row of dQ, a batch of dK and dV, and
/// all of what is summed over batches.
static void addGradientSums(const GraphFacts &facts, const OpFacts &op,
                            Scratch &scratch) {
  for (auto [index, result] : enumerate(op.results)) {
    const ValueFacts &value = facts.values[result];
    uint64_t elements = value.elements;
    if (index == 0)
      elements = extentFromEnd(value, 1);
    else if (index < 3)
      elements = countElements(ArrayRef(value.dims).drop_front());
    scratch.add(elements, 8);
  }
}

int64_t opgraph::planning::referenceWorkspace(const GraphFacts &facts) {
  Scratch scratch;
  for (const ValueFacts &value : facts.values)
    if (value.isTemporary())
      scratch.add(value.bytes, 1);
  // Attention keeps a row of scores and a row of the output in f64.
  for (const OpFacts &op : facts.ops) {
    if (is_contained(
            {"sdpa_backward", "sdpa_fp8_backward", "sdpa_mxfp8_backward"},
            op.mnemonic))
      addGradientSums(facts, op, scratch);
    // The gradient's sums, in f64 or i64.
    if (op.mnemonic == "resample_backward")
      scratch.add(facts.values[op.results[0]].elements, 8);
    if (!is_contained({"sdpa", "sdpa_fp8", "sdpa_mxfp8"}, op.mnemonic))
      continue;
    // Scores, sums, and the largest weight and output.
    scratch.add(countElements(op.scores[3]), 8);
    scratch.add(extentFromEnd(facts.values[op.operands[2]], 1), 8);
    for (int i = 0; i < 2; ++i)
      scratch.add(1, 8);
  }
  for (const OpFacts &op : facts.ops)
    addGroupedMatmul(facts, op, scratch);
  return scratch.total(1, hasUnknownExtents(facts));
}

void opgraph::planning::judgeWorkspace(const EngineQuery &query, int64_t bytes,
                                       SmallVectorImpl<Decline> &declines) {
  if (bytes > kMostWorkspace)
    declines.push_back(makeDecline(query.slot, "workspace",
                                   "<= " + std::to_string(kMostWorkspace),
                                   std::to_string(bytes)));
}
