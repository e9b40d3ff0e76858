//===- Composite.cpp - Planning of a graph in groups ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Engines/Engines.h"
#include "passes/Planning/Partition.h"
#include "passes/Planning/Planner.h"
#include "llvm/Support/MathExtras.h"

using namespace llvm;
using namespace opgraph;
using namespace opgraph::planning;

static constexpr int64_t kPartitionKey =
    static_cast<int64_t>(graph::KnobType::PARTITION);

namespace {
/// An engine that can run a group, and what it was asked about.
struct Candidate {
  const EngineSlot *slot;
  graph::Knobs knobs;
  Config config;
};
} // namespace

/// The engines on `side` that take a group, in manifest order.
static SmallVector<const EngineSlot *> enginesFor(const EngineQuery &query,
                                                  const GraphFacts &group) {
  SmallVector<const EngineSlot *> slots;
  for (const EngineSlot &slot : query.request.getManifest().getSlots())
    if (!slot.engine().isComposite() && slot.side == query.slot.side &&
        judgeEngine(slot, group, query.request).empty())
      slots.push_back(&slot);
  return slots;
}

/// The candidate of least predicted time; for FALLBACK the first engine's,
/// since a manifest lists the most general engine of a side first.
static std::optional<Candidate> choose(const EngineQuery &query,
                                       const GraphFacts &group,
                                       graph::HeurMode mode) {
  std::optional<Candidate> best;
  for (const EngineSlot *slot : enginesFor(query, group)) {
    EngineQuery inner{*slot, group, query.request};
    for (const graph::Knobs &knobs : slot->engine().propose(inner, mode)) {
      Config config = slot->engine().evaluate(inner, knobs);
      if (!best || config.timeNs < best->config.timeNs)
        best = Candidate{slot, knobs, std::move(config)};
    }
    if (best && mode == graph::HeurMode::FALLBACK)
      return best;
  }
  return best;
}

/// Appends `candidate` to `knobs` as the setting of group `index`.
static void addGroup(graph::Knobs &knobs, int64_t index,
                     const Candidate &candidate) {
  knobs.push_back({graph::Knob::groupKey(index), candidate.slot->id});
  for (const graph::Knob &knob : candidate.knobs)
    knobs.push_back({graph::Knob::groupKey(index, knob.key), knob.value});
}

/// The plan knobs of `partition`; nullopt where a group has no engine.
static std::optional<graph::Knobs> proposePartition(const EngineQuery &query,
                                                    const Partition &partition,
                                                    int64_t index,
                                                    graph::HeurMode mode) {
  graph::Knobs knobs{{kPartitionKey, index}};
  for (auto [group, ops] : llvm::enumerate(partition)) {
    std::optional<Candidate> candidate =
        choose(query, factsOfGroup(query.facts, ops), mode);
    if (!candidate)
      return std::nullopt;
    addGroup(knobs, group, *candidate);
  }
  return knobs;
}

/// Index and groups of every partition that has at least two groups.
static SmallVector<std::pair<int64_t, Partition>>
usablePartitions(const GraphFacts &facts) {
  SmallVector<std::pair<int64_t, Partition>> usable;
  for (auto [index, partition] : llvm::enumerate(listPartitions(facts)))
    if (partition.size() >= 2)
      usable.emplace_back(index, partition);
  return usable;
}

/// The settings of group `index` in a composite's `knobs`, as its own knobs.
static graph::Knobs knobsOfGroup(ArrayRef<graph::Knob> knobs, int64_t index) {
  graph::Knobs inner;
  int64_t base = graph::Knob::groupKey(index);
  for (const graph::Knob &knob : knobs)
    if (knob.key > base && knob.key < base + graph::Knob::kGroupStride)
      inner.push_back({knob.key - base, knob.value});
  return inner;
}

static std::optional<int64_t> valueOf(ArrayRef<graph::Knob> knobs,
                                      int64_t key) {
  for (const graph::Knob &knob : knobs)
    if (knob.key == key)
      return knob.value;
  return std::nullopt;
}

/// The partition that `knobs` names, else the first usable one.
static std::pair<int64_t, Partition> partitionOf(const GraphFacts &facts,
                                                 ArrayRef<graph::Knob> knobs) {
  SmallVector<std::pair<int64_t, Partition>> usable = usablePartitions(facts);
  std::optional<int64_t> index = valueOf(knobs, kPartitionKey);
  for (auto &entry : usable)
    if (entry.first == index)
      return entry;
  return usable.empty() ? std::pair<int64_t, Partition>() : usable.front();
}

void CompositeEngine::judgeMore(const EngineQuery &query,
                                SmallVectorImpl<Decline> &declines) const {
  SmallVector<std::pair<int64_t, Partition>> usable =
      usablePartitions(query.facts);
  if (usable.empty())
    return; // The row on groups says so.
  for (auto &[index, partition] : usable)
    if (proposePartition(query, partition, index, graph::HeurMode::FALLBACK))
      return;
  declines.push_back(makeDecline(
      query.slot, "group_engines", "an engine for each group of some partition",
      "none for " + std::to_string(usable.size()) + " partitions"));
}

SmallVector<KnobSpec>
CompositeEngine::getKnobSpecs(const EngineQuery &query,
                              ArrayRef<graph::Knob> given) const {
  SmallVector<KnobSpec> specs(1);
  specs.front().key = kPartitionKey;
  for (auto &[index, partition] : usablePartitions(query.facts))
    specs.front().choices.push_back(index);
  Partition partition = partitionOf(query.facts, given).second;
  for (auto [index, ops] : llvm::enumerate(partition)) {
    GraphFacts group = factsOfGroup(query.facts, ops);
    SmallVector<const EngineSlot *> slots = enginesFor(query, group);
    KnobSpec engines{graph::Knob::groupKey(index), {}};
    for (const EngineSlot *slot : slots)
      engines.choices.push_back(slot->id);
    std::optional<int64_t> chosen = valueOf(given, engines.key);
    specs.push_back(std::move(engines));
    // The knobs of an engine not chosen yet are not settled either.
    for (const EngineSlot *slot : slots) {
      if (slot->id != chosen)
        continue;
      for (KnobSpec spec : slot->engine().getKnobSpecs(
               {*slot, group, query.request}, knobsOfGroup(given, index))) {
        spec.key = graph::Knob::groupKey(index, spec.key);
        specs.push_back(std::move(spec));
      }
    }
  }
  return specs;
}

SmallVector<graph::Knobs> CompositeEngine::propose(const EngineQuery &query,
                                                   graph::HeurMode mode) const {
  SmallVector<graph::Knobs> proposals;
  for (auto &[index, partition] : usablePartitions(query.facts))
    if (std::optional<graph::Knobs> knobs =
            proposePartition(query, partition, index, mode))
      proposals.push_back(*knobs);
  if (mode == graph::HeurMode::FALLBACK)
    proposals.truncate(1);
  return proposals;
}

graph::Knobs CompositeEngine::complete(const EngineQuery &query,
                                       ArrayRef<graph::Knob> given) const {
  auto [partitionIndex, partition] = partitionOf(query.facts, given);
  graph::Knobs knobs{{kPartitionKey, partitionIndex}};
  for (auto [index, ops] : llvm::enumerate(partition)) {
    GraphFacts group = factsOfGroup(query.facts, ops);
    std::optional<int64_t> engine =
        valueOf(given, graph::Knob::groupKey(index));
    if (!engine) {
      if (auto candidate = choose(query, group, graph::HeurMode::A))
        addGroup(knobs, index, *candidate);
      continue;
    }
    const EngineSlot &slot = *query.request.getManifest().find(*engine);
    EngineQuery inner{slot, group, query.request};
    addGroup(
        knobs, index,
        {&slot, slot.engine().complete(inner, knobsOfGroup(given, index)), {}});
  }
  llvm::sort(knobs);
  return knobs;
}

/// Bytes of the temporaries that one group hands to another, each rounded up to
/// 64; -1 if some extents are unknown.
static int64_t joinedBytes(const GraphFacts &facts,
                           const Partition &partition) {
  SmallVector<unsigned> groupOfOp(facts.ops.size());
  for (auto [group, ops] : llvm::enumerate(partition))
    for (unsigned op : ops)
      groupOfOp[op] = group;
  SmallVector<int64_t> producer(facts.values.size(), -1);
  SmallVector<bool> isJoined(facts.values.size(), false);
  for (auto [index, op] : llvm::enumerate(facts.ops)) {
    for (unsigned value : op.operands)
      isJoined[value] |= producer[value] != groupOfOp[index];
    for (unsigned value : op.results)
      producer[value] = groupOfOp[index];
  }
  uint64_t bytes = 0;
  for (auto [value, joined] : llvm::zip_equal(facts.values, isJoined)) {
    if (!joined || !value.isTemporary())
      continue;
    if (value.isDynamic)
      return -1;
    bytes = SaturatingAdd<uint64_t>(bytes, alignTo(value.bytes, 64));
  }
  return std::min<uint64_t>(bytes, INT64_MAX);
}

/// The sum of two counts that are not negative; INT64_MAX where it is greater.
static int64_t addSaturating(int64_t a, int64_t b) {
  return std::min<uint64_t>(SaturatingAdd<uint64_t>(a, b), INT64_MAX);
}

Config CompositeEngine::evaluate(const EngineQuery &query,
                                 ArrayRef<graph::Knob> knobs) const {
  Config config;
  config.knobs.assign(knobs.begin(), knobs.end());
  Partition partition = partitionOf(query.facts, knobs).second;
  int64_t scratch = 0;
  for (auto [index, ops] : llvm::enumerate(partition)) {
    GraphFacts group = factsOfGroup(query.facts, ops);
    const EngineSlot &slot = *query.request.getManifest().find(
        *valueOf(knobs, graph::Knob::groupKey(index)));
    Config inner = slot.engine().evaluate({slot, group, query.request},
                                          knobsOfGroup(knobs, index));
    config.timeNs = addSaturating(config.timeNs, inner.timeNs);
    // Groups run one after the other and share their scratch.
    scratch = scratch < 0 || inner.workspace < 0
                  ? -1
                  : std::max(scratch, inner.workspace);
    for (graph::BehaviorNote note : inner.behaviorNotes)
      if (!is_contained(config.behaviorNotes, note))
        config.behaviorNotes.push_back(note);
  }
  int64_t joined = joinedBytes(query.facts, partition);
  config.workspace =
      scratch < 0 || joined < 0 ? -1 : addSaturating(scratch, joined);
  return config;
}

/// What the host's plan program cannot do yet is a limit like any other: it
/// runs one function per plan.
static constexpr CapabilityRow kHostRows[] = {CapabilityRow::minGroups(2),
                                              CapabilityRow::maxGroups(1)};

const Engine &opgraph::planning::getHostCompositeEngine() {
  static const CompositeEngine engine(kHostRows);
  return engine;
}
