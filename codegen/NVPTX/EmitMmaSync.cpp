//===- EmitMmaSync.cpp - Matrix products of warps -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// `mma.sync` on fragments of 16 x 8 results by 32 bytes along K. Which register
// is which follows from the coordinates that registers add to their thread's.
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/ScalarOps.h"
#include "codegen/NVPTX/SharedLayout.h"
#include "codegen/NVPTX/TileParts.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

namespace {

/// A tile's registers by the place of their coordinates in ascending order.
class Fragments {
public:
  Fragments(KernelEmitter &emitter, Value tile) : emitter(emitter) {
    auto type = cast<tile::RegType>(tile.getType());
    element = type.getElementType();
    values.assign(emitter.get(tile).begin(), emitter.get(tile).end());
    Parts parts = getParts(type);
    for (unsigned axis : {0u, 1u}) {
      for (const auto &part : parts)
        places[axis].push_back(part[axis]);
      llvm::sort(places[axis]);
      places[axis].erase(llvm::unique(places[axis]), places[axis].end());
    }
    for (auto [number, part] : llvm::enumerate(parts))
      index[{part[0], part[1]}] = number;
  }

  size_t find(int64_t row, int64_t column) const {
    return index.lookup({places[0][row], places[1][column]});
  }
  int64_t count(unsigned axis) const {
    return static_cast<int64_t>(places[axis].size());
  }
  /// Neighbours along `axis` in one 32-bit register.
  Value getWord(unsigned axis, int64_t row, int64_t column) const {
    int64_t each = 4 / getElementBytes(element);
    SmallVector<Value> part;
    for (int64_t next = 0; next < each; ++next)
      part.push_back(values[find(row + (axis == 0 ? next : 0),
                                 column + (axis == 1 ? next : 0))]);
    Value word = packWords(emitter, part, element).front();
    Type i32 = emitter.b.getI32Type();
    return word.getType() == i32
               ? word
               : Value(LLVM::BitcastOp::create(emitter.b, i32, word));
  }

  KernelEmitter &emitter;
  Type element;
  SmallVector<Value> values;

private:
  std::array<SmallVector<int32_t>, 2> places;
  llvm::DenseMap<std::pair<int32_t, int32_t>, size_t> index;
};

} // namespace

static StringRef getTypeName(Type element) {
  if (element.isF16())
    return "f16";
  if (element.isBF16())
    return "bf16";
  if (isa<FloatTF32Type>(element) || element.isF32())
    return "tf32";
  if (isa<Float8E4M3FNType>(element))
    return "e4m3";
  if (isa<Float8E5M2Type>(element))
    return "e5m2";
  if (element.isInteger(8))
    return element.isUnsignedInteger() ? "u8" : "s8";
  llvm_unreachable("a verified product is of types that an MMA has");
}

namespace {

/// Emits one `tile.mma_sync`.
class SyncProduct {
public:
  SyncProduct(KernelEmitter &emitter, tile::MmaSyncOp op)
      : emitter(emitter), b(emitter.b), op(op), left(emitter, op.getA()),
        right(emitter, op.getB()), sum(emitter, op.getC()),
        isHalf(sum.element.isF16()), isInteger(sum.element.isInteger(32)) {}

  void run();

private:
  /// The instruction's text, and the constraints of its operands.
  std::pair<std::string, StringRef> getInstruction() const;
  /// One instruction: the two rows and columns of registers from here on.
  void emitStep(int64_t row, int64_t column, int64_t k);

  KernelEmitter &emitter;
  ImplicitLocOpBuilder &b;
  tile::MmaSyncOp op;
  Fragments left, right, sum;
  bool isHalf, isInteger;
};

} // namespace

/// `mma.sync.aligned.m16n8k16.row.col.f32.bf16.bf16.f32 {…}, {…}, {…}, {…};`
std::pair<std::string, StringRef> SyncProduct::getInstruction() const {
  StringRef type = isInteger ? "s32" : isHalf ? "f16" : "f32";
  int64_t depth = 32 / getElementBytes(left.element);
  std::string text = ("mma.sync.aligned.m16n8k" + Twine(depth) + ".row.col." +
                      type + "." + getTypeName(left.element) + "." +
                      getTypeName(right.element) + "." + type)
                         .str();
  // Two f16 share a register.
  if (isHalf)
    return {text + " {$0, $1}, {$2, $3, $4, $5}, {$6, $7}, {$8, $9};",
            "=r,=r,r,r,r,r,r,r,0,1"};
  return {text + " {$0, $1, $2, $3}, {$4, $5, $6, $7}, {$8, $9}, "
                 "{$10, $11, $12, $13};",
          isInteger ? "=r,=r,=r,=r,r,r,r,r,r,r,0,1,2,3"
                    : "=f,=f,=f,=f,r,r,r,r,r,r,0,1,2,3"};
}

void SyncProduct::emitStep(int64_t row, int64_t column, int64_t k) {
  int64_t per = 4 / getElementBytes(left.element);
  SmallVector<Value> operands, sums;
  for (int64_t half : {int64_t(0), per})
    for (int64_t lower : {0, 1})
      operands.push_back(left.getWord(1, row + lower, k + half));
  for (int64_t half : {int64_t(0), per})
    operands.push_back(right.getWord(0, k + half, column / 2));
  SmallVector<size_t> places;
  for (int64_t lower : {0, 1})
    for (int64_t next : {0, 1})
      places.push_back(sum.find(row + lower, column + next));
  for (size_t place : places)
    sums.push_back(sum.values[place]);
  sums = packWords(emitter, sums, sum.element);
  llvm::append_range(operands, sums);
  auto [text, constraints] = getInstruction();
  Type result = LLVM::LLVMStructType::getLiteral(
      b.getContext(), SmallVector<Type>(sums.size(), sums[0].getType()));
  // Side effects keep all lanes together.
  Value product = LLVM::InlineAsmOp::create(
                      b, TypeRange(result), operands, text, constraints,
                      /*has_side_effects=*/true,
                      /*is_align_stack=*/false, LLVM::TailCallKind::None,
                      LLVM::AsmDialectAttr(), ArrayAttr())
                      .getResult(0);
  SmallVector<Value> words;
  for (size_t number = 0; number < sums.size(); ++number)
    words.push_back(
        LLVM::ExtractValueOp::create(b, product, static_cast<int64_t>(number)));
  if (isHalf)
    words = unpackWords(emitter, words, sum.element, 4);
  for (auto [place, value] : llvm::zip(places, words))
    sum.values[place] = value;
}

void SyncProduct::run() {
  int64_t depth = 2 * 4 / getElementBytes(left.element);
  for (int64_t row = 0; row < sum.count(0); row += 2)
    for (int64_t column = 0; column < sum.count(1); column += 2)
      for (int64_t k = 0; k < left.count(1); k += depth)
        emitStep(row, column, k);
  emitter.set(op.getD(), sum.values);
}

static LogicalResult emitMmaSync(KernelEmitter &emitter, tile::MmaSyncOp op) {
  SyncProduct(emitter, op).run();
  return success();
}

void opgraph::codegen::addMmaSyncHandlers(Handlers &handlers) {
  handlers.add<tile::MmaSyncOp, emitMmaSync>();
}
