//===- SharedMatrix.cpp - ldmatrix and stmatrix ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A fragment block is 8 x 8 units of 16 bits: lane 4i + j holds units 2j and
// 2j + 1 of row i in one 32-bit register. The instructions take the address of
// each row of four blocks from the 32 lanes, block by block.
//
// Where the instruction transposes, which rows make a block is free: a lane may
// have a run of neighbouring units in neighbouring registers, so that it has a
// vector to store. Block b is then units 2b and 2b + 1 of all lanes' runs.
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/ScalarOps.h"
#include "codegen/NVPTX/SharedAccess.h"
#include "codegen/NVPTX/SharedLayout.h"
#include "codegen/NVPTX/TileParts.h"
#include "dialects/Tile/MatrixFragment.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/LLVMIR/NVVMDialect.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

namespace {

/// How a register tile falls into blocks.
struct Fragments {
  unsigned pairAxis; ///< along which two units share a register
  int64_t perRun;    ///< neighbours along the pair axis that a lane holds
  Parts blocks;      ///< first element of each block, by 32-bit register
  /// Units of the tile's coordinates that lanes contribute within a block are
  /// left out of these: the warp's part.
  std::array<Value, 2> warp;
};

/// Elements in a 32-bit register.
constexpr int64_t kPerRegister = 2;

class MatrixAccess {
public:
  /// `type` is one that G6 admits.
  MatrixAccess(KernelEmitter &emitter, tile::RegType type, Value shared,
               bool transposed);

  /// How many blocks, from `first` on, one instruction can move: 4, 2 or 1.
  int64_t getRun(int64_t first) const;
  Value getAddress(int64_t first, int64_t run);
  NVVM::MMALayout getLayout() const {
    return isTransposing() ? NVVM::MMALayout::col : NVVM::MMALayout::row;
  }
  bool isTransposing() const { return (fragments.pairAxis == 0) != transposed; }
  bool hasRuns() const { return fragments.perRun > kPerRegister; }
  /// Puts words that were loaded to the places of their registers.
  void exchange(MutableArrayRef<Value> words);

  Fragments fragments;

private:
  Value getWarpPart(ArrayRef<tile::Factor> factors);
  Value getKey(Value row);

  KernelEmitter &emitter;
  ImplicitLocOpBuilder &b;
  tile::SharedType shared;
  Value base;
  bool transposed;
};

} // namespace

MatrixAccess::MatrixAccess(KernelEmitter &emitter, tile::RegType type,
                           Value shared, bool transposed)
    : emitter(emitter), b(emitter.b),
      shared(cast<tile::SharedType>(shared.getType())),
      base(emitter.scalar(shared)), transposed(transposed) {
  tile::MatrixFragment found = *tile::findMatrixFragment(type);
  fragments.pairAxis = found.pairAxis;
  fragments.perRun = found.run;
  Parts parts = getParts(type);
  for (size_t reg = 0; reg < parts.size(); reg += kPerRegister)
    fragments.blocks.push_back(parts[reg]);
  auto distribution = tile::Distribution::get(type, nullptr);
  for (unsigned axis : {0u, 1u})
    fragments.warp[axis] = getWarpPart(distribution->factors(axis));
}

Value MatrixAccess::getWarpPart(ArrayRef<tile::Factor> factors) {
  Value sum = emitter.i32(0);
  int64_t weight = 1, warps = emitter.group.warps;
  for (const tile::Factor &factor : llvm::reverse(factors)) {
    if (factor.owner == tile::Owner::Warp && factor.extent > 1) {
      bool isTop = int64_t(factor.stride) * factor.extent >= warps;
      Value digit = emitter.digit(emitter.group.warp, factor.stride,
                                  isTop ? 0 : factor.extent);
      sum = emitter.add(sum, emitter.mul(digit, weight));
    }
    weight *= factor.extent;
  }
  return sum;
}

/// Blocks of one instruction must be a lattice: block 3 is block 1 + block 2.
int64_t MatrixAccess::getRun(int64_t first) const {
  const Parts &blocks = fragments.blocks;
  int64_t left = static_cast<int64_t>(blocks.size()) - first;
  if (left >= 4) {
    bool isLattice = true;
    for (unsigned axis : {0u, 1u})
      isLattice &= blocks[first + 3][axis] - blocks[first + 2][axis] ==
                   blocks[first + 1][axis] - blocks[first][axis];
    if (isLattice)
      return 4;
  }
  return left >= 2 ? 2 : 1;
}

/// Of row `lane % 8` of block `lane / 8`.
Value MatrixAccess::getAddress(int64_t first, int64_t run) {
  const Parts &blocks = fragments.blocks;
  Value lane = emitter.group.lane;
  std::array<Value, 2> coordinate;
  for (unsigned axis : {0u, 1u}) {
    Value sum =
        emitter.add(fragments.warp[axis], emitter.i32(blocks[first][axis]));
    for (int64_t bit = 0; (int64_t(1) << bit) < run; ++bit) {
      int64_t step =
          blocks[first + (int64_t(1) << bit)][axis] - blocks[first][axis];
      if (step)
        sum = emitter.add(
            sum, emitter.mul(emitter.digit(lane, int64_t(8) << bit, 2), step));
    }
    coordinate[axis] = sum;
  }
  // A row of the block in memory runs along the tile's pair axis, or across
  // it where the instruction transposes.
  unsigned rowAxis =
      isTransposing() ? fragments.pairAxis : 1 - fragments.pairAxis;
  Value &row = coordinate[rowAxis];
  if (hasRuns()) {
    Value run = emitter.mul(emitter.digit(lane, 2, 4), fragments.perRun);
    row = emitter.add(row, emitter.add(run, emitter.digit(lane, 1, 2)));
    row = arith::XOrIOp::create(b, row, emitter.mul(getKey(run), kPerRegister));
  } else {
    row = emitter.add(row, emitter.digit(lane, 1, 8));
  }
  if (transposed)
    std::swap(coordinate[0], coordinate[1]);
  return emitSharedAddress(emitter, shared, base, coordinate[0], coordinate[1]);
}

/// Of the lane whose run starts at `row` of those of its four: how its pairs'
/// order is changed.
Value MatrixAccess::getKey(Value row) {
  int64_t pairs = fragments.perRun / kPerRegister;
  return emitter.digit(row, std::max<int64_t>(fragments.perRun, 8), pairs);
}

void MatrixAccess::exchange(MutableArrayRef<Value> words) {
  if (!hasRuns())
    return;
  size_t pairs = fragments.perRun / kPerRegister;
  Value key = getKey(
      emitter.mul(emitter.digit(emitter.group.lane, 1, 4), fragments.perRun));
  for (size_t first = 0; first < words.size(); first += pairs)
    exchangeByKey(emitter, words.slice(first, pairs), key);
}

static NVVM::LdStMatrixShapeAttr getShape(KernelEmitter &emitter) {
  return NVVM::LdStMatrixShapeAttr::get(emitter.b.getContext(), 8, 8);
}

static Value toWord(KernelEmitter &emitter, Value value) {
  Type word = emitter.b.getI32Type();
  return value.getType() == word
             ? value
             : Value(LLVM::BitcastOp::create(emitter.b, word, value));
}

SmallVector<Value> opgraph::codegen::loadSharedMatrix(KernelEmitter &emitter,
                                                      tile::RegType type,
                                                      Value shared,
                                                      bool transposed) {
  ImplicitLocOpBuilder &b = emitter.b;
  MatrixAccess access(emitter, type, shared, transposed);
  SmallVector<Value> words;
  auto count = static_cast<int64_t>(access.fragments.blocks.size());
  for (int64_t first = 0, run; first < count; first += run) {
    run = access.getRun(first);
    Type result = b.getI32Type();
    if (run > 1)
      result = LLVM::LLVMStructType::getLiteral(
          b.getContext(), SmallVector<Type>(run, b.getI32Type()));
    Value loaded = NVVM::LdMatrixOp::create(
        b, result, access.getAddress(first, run), static_cast<uint32_t>(run),
        access.getLayout(), getShape(emitter), NVVM::LdStMatrixEltType::B16);
    for (int64_t index = 0; index < run; ++index)
      words.push_back(
          run == 1 ? loaded
                   : Value(LLVM::ExtractValueOp::create(b, loaded, index)));
  }
  access.exchange(words);
  SmallVector<Value> registers;
  for (Value word : words)
    llvm::append_range(
        registers,
        unpackWords(emitter, word, type.getElementType(), kPerRegister));
  return registers;
}

void opgraph::codegen::storeSharedMatrix(KernelEmitter &emitter,
                                         tile::RegType type,
                                         ArrayRef<Value> registers,
                                         Value shared, bool transposed) {
  MatrixAccess access(emitter, type, shared, transposed);
  auto count = static_cast<int64_t>(access.fragments.blocks.size());
  for (int64_t first = 0, run; first < count; first += run) {
    run = access.getRun(first);
    SmallVector<Value> words;
    for (int64_t index = first; index < first + run; ++index)
      words.push_back(
          toWord(emitter,
                 packWords(emitter,
                           registers.slice(index * kPerRegister, kPerRegister),
                           type.getElementType())
                     .front()));
    NVVM::StMatrixOp::create(emitter.b, access.getAddress(first, run), words,
                             access.getLayout(), getShape(emitter),
                             NVVM::LdStMatrixEltType::B16);
  }
}
