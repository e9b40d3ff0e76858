//===- KernelClass.cpp - Kernels that need not be written -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Pointwise/KernelClass.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize::nvptx;

/// Of an extent or a stride: whether it is 0 or 1, and by which power of two,
/// of those that vectors may have, it can be divided.
static uint64_t getFacts(int64_t number) {
  constexpr int kMostPower = 6;
  if (number == 0 || number == 1)
    return number;
  return 2 +
         std::min(llvm::countr_zero(static_cast<uint64_t>(number)), kMostPower);
}

//===----------------------------------------------------------------------===//
// The graph
//===----------------------------------------------------------------------===//

KernelClassifier::KernelClassifier(graph::GraphOp graph) {
  for (Type type : {graph.getComputeType().value_or(Type()),
                    graph.getIntermediateType().value_or(Type()),
                    graph.getIoType().value_or(Type())})
    graphWords.add(type.getAsOpaquePointer());
  addGraph(graph);
}

/// A value's extents count by which of them are 1.
static void addType(KernelClassWords &words, Value value) {
  RankedTensorType type = graph::typeOf(value);
  words.add(type.getElementType().getAsOpaquePointer());
  uint64_t ones = 1;
  for (int64_t extent : type.getShape())
    ones = 2 * ones + (extent == 1);
  words.add(ones);
}

void KernelClassifier::addGraph(graph::GraphOp graph) {
  auto define = [&](Value value) {
    numbers.try_emplace(value, numbers.size());
    addType(graphWords, value);
  };
  Block &body = graph.getBody().front();
  for (BlockArgument argument : body.getArguments())
    define(argument);
  for (Operation &op : body) {
    // Where an element is, is computed of extents.
    if (isa<graph::RngOp, graph::GenIndexOp>(op) || op.getNumRegions() != 0)
      isServed = false;
    graphWords.add(op.getName().getAsOpaquePointer());
    graphWords.add(op.getDiscardableAttrDictionary().getAsOpaquePointer());
    graphWords.add(op.getNumOperands());
    for (Value operand : op.getOperands())
      graphWords.add(numbers.lookup(operand));
    graphWords.add(op.getNumResults());
    for (Value result : op.getResults())
      define(result);
  }
}

//===----------------------------------------------------------------------===//
// Kernels
//===----------------------------------------------------------------------===//

/// Writes the words of one kernel. Every structure is taken apart by name, so
/// that a field that is new is one that does not compile here.
class KernelClassifier::Writer {
public:
  Writer(KernelClassifier &of) : numbers(of.numbers), words(of.graphWords) {}

  /// False where the kernel is of no class.
  bool add(const KernelSpec &spec);
  bool add(const KernelBuffers &buffers);
  bool add(const Space &space);

  /// How tiles lie on the extents.
  void addFit(const KernelSpec &spec, const Space &space, int64_t rank) {
    words.add(rank);
    words.add(space.numColumns % space.tileColumns == 0);
    words.add(space.numRows % space.tileRows == 0);
    words.add(spec.isElementwise() && space.numColumns > space.tileColumns);
  }

  /// None where a value is none of the graph's.
  std::optional<KernelClassWords> take() {
    return isUnknown ? std::nullopt : std::optional(std::move(words));
  }

private:
  void add(Value value) {
    auto found = numbers.find(value);
    isUnknown |= value && found == numbers.end();
    words.add(found == numbers.end() ? ~uint64_t(0) : found->second);
  }
  template <typename Range>
  void addAll(const Range &range) {
    words.add(std::size(range));
    for (auto word : range)
      words.add(static_cast<uint64_t>(word));
  }
  bool add(const Buffer &buffer);
  void add(ArrayRef<SpaceAxis> axes);

  const llvm::DenseMap<Value, unsigned> &numbers;
  KernelClassWords words;
  bool isUnknown = false;
};

bool KernelClassifier::Writer::add(const KernelSpec &spec) {
  const auto &[shape, reduced, reductions, pairs, rowValues, stores, shared,
               splits, mostPortions, mostCtas] = spec;
  uint64_t ones = 1;
  for (int64_t extent : shape)
    ones = 2 * ones + (extent == 1);
  words.add(ones);
  addAll(reduced);
  words.add(reductions.size());
  for (graph::ReductionOp op : reductions)
    add(op.getY());
  words.add(pairs.size());
  for (const ReductionPair &pair : pairs) {
    const auto &[kind, first, second, shift] = pair;
    words.add(static_cast<uint64_t>(kind));
    add(graph::ReductionOp(first).getY());
    add(graph::ReductionOp(second).getY());
    add(shift);
  }
  words.add(rowValues.size());
  for (Value value : rowValues)
    add(value);
  addAll(stores);
  addAll(shared);
  words.add(mostCtas);
  return splits == 1 && mostPortions == 0;
}

bool KernelClassifier::Writer::add(const Buffer &buffer) {
  // Strides are those of the space; addresses are arguments.
  const auto &[value, operand, workspaceOffset, operandOffset, offset,
               elementType, strides, alignment, isWritten, isPacked] = buffer;
  add(value);
  words.add(operand >= 0);
  words.add(elementType.getAsOpaquePointer());
  words.add(alignment);
  words.add(isWritten);
  return !isPacked && !offset;
}

bool KernelClassifier::Writer::add(const KernelBuffers &buffers) {
  const auto &[list, inputs, scalars, outputs, portions, portionsOf, atomics,
               count, portion, isChained, isBackwards] = buffers;
  words.add(list.size());
  for (const Buffer &buffer : list) {
    if (!add(buffer))
      return false;
    // A value that is read and written has two buffers.
    auto input = inputs.find(buffer.value);
    words.add(input == inputs.end() ? ~uint64_t(0) : input->second);
  }
  words.add(scalars.size());
  for (const auto &[value, operand] : scalars)
    add(value);
  words.add(outputs.size());
  for (const auto &[value, index] : outputs) {
    add(value);
    words.add(index);
  }
  words.add(isChained);
  words.add(isBackwards);
  return portions.empty() && portionsOf.empty() && atomics.empty() &&
         count == 0 && portion == 0;
}

void KernelClassifier::Writer::add(ArrayRef<SpaceAxis> axes) {
  words.add(axes.size());
  for (const SpaceAxis &axis : axes) {
    const auto &[extent, strides, ofKernel] = axis;
    words.add(getFacts(extent));
    addAll(ofKernel);
    for (int64_t stride : strides) {
      words.add(getFacts(stride));
      // Buffers that step alike share an argument.
      words.add(llvm::find(strides, stride) - strides.begin());
    }
  }
}

bool KernelClassifier::Writer::add(const Space &space) {
  const auto &[rows, columns, numRows, numColumns, isAcross, turned, isTiled,
               numBatches, vector, vectorsPerThread, lanes, warps, tileRows,
               tileColumns, cluster, chunks, isShifted, isLooped, splits,
               portion, fold] = space;
  add(rows);
  add(columns);
  for (int64_t extent : {numRows, numColumns, numBatches})
    words.add(getFacts(extent));
  for (int64_t word : {vector, vectorsPerThread, lanes[0], lanes[1], warps[0],
                       warps[1], tileRows, tileColumns, cluster, chunks})
    words.add(word);
  words.add(isAcross);
  words.add(isLooped);
  return turned.empty() && !isTiled && !isShifted && splits == 1 &&
         portion == 0 && fold == 1;
}

std::optional<KernelClassWords>
KernelClassifier::describe(const KernelSpec &spec, const KernelBuffers &buffers,
                           const Space &space, int64_t rank) {
  if (!isServed)
    return std::nullopt;
  Writer writer(*this);
  if (!writer.add(spec) || !writer.add(buffers) || !writer.add(space))
    return std::nullopt;
  writer.addFit(spec, space, rank);
  return writer.take();
}
