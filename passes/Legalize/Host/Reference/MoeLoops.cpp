//===- MoeLoops.cpp - The judge's grouped matmuls -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GroupOffset.h"
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "mlir/Dialect/MemRef/IR/MemRef.h"
#include "passes/Legalize/Host/Reference/Groups.h"
#include "passes/Legalize/Host/Scalar/Scalar.h"

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

using Indices = LoopEmitter::Indices;
using Predicate = arith::CmpIPredicate;

namespace {
/// The loops of a grouped matmul.
class MoeEmitter {
public:
  MoeEmitter(LoopEmitter &e, MoeGroupedMatmulOp op)
      : e(e), op(op), computeType(op.getEffectiveComputeType()) {}

  void run();

private:
  Value getRows() {
    return e.extent(op.getMode() == MoeGroupedMatmulMode::GATHER
                        ? op.getTokenIndex()
                        : op.getToken(),
                    1);
  }
  Value columns() { return e.extent(op.getOUT(), 2); }

  void clear();
  void emitOwnedRows(llvm::function_ref<void(Value row, Value expert)> body);
  /// Runs `body` with the value of an index operand for `row`, an index, where
  /// that is in [0, limit).
  void ifIndexed(Value indices, Value row, Value limit,
                 llvm::function_ref<void(Value)> body);
  Value emitSum(Value tokenRow, Value expert, Value column);
  /// Writes the row of `expert` that is made from `tokenRow` to `place`.
  void storeRow(Value tokenRow, Value expert, Value place);
  void emitScatter();
  void emitCombine();
  void addRow(Value row, Value expert, Value score, Value sums);

  LoopEmitter &e;
  MoeGroupedMatmulOp op;
  Type computeType;
  /// The group of each row.
  Value owners;
};
} // namespace

void MoeEmitter::clear() {
  e.forEach(e.extents(op.getOUT()), [&](ValueRange indices) {
    e.store(e.wrap(e.zero(computeType), computeType), op.getOUT(), indices);
  });
}

void MoeEmitter::emitOwnedRows(
    llvm::function_ref<void(Value row, Value expert)> body) {
  e.forEach({getRows()}, [&](ValueRange row) {
    Value group = e.make<memref::LoadOp>(owners, row);
    Value isOwned = e.make<arith::CmpIOp>(Predicate::sge, group, e.integer(0));
    e.ifThen(isOwned, [&] {
      int64_t experts = LoopEmitter::typeOf(op.getWeight()).getDimSize(0);
      Value expert = e.make<arith::RemSIOp>(group, e.integer(experts));
      body(row[0], e.make<arith::IndexCastOp>(e.b.getIndexType(), expert));
    });
  });
}

void MoeEmitter::ifIndexed(Value indices, Value row, Value limit,
                           llvm::function_ref<void(Value)> body) {
  Value stored = e.loadStored(indices, {e.index(0), row, e.index(0)});
  Value wide =
      convertFromStorage(e.b, e.loc, stored,
                         LoopEmitter::elementTypeOf(indices), e.b.getI64Type());
  Value index = e.make<arith::IndexCastOp>(e.b.getIndexType(), wide);
  Value isInside = e.make<arith::AndIOp>(
      e.make<arith::CmpIOp>(Predicate::sge, index, e.index(0)),
      e.make<arith::CmpIOp>(Predicate::slt, index, limit));
  e.ifThen(isInside, [&] { body(index); });
}

Value MoeEmitter::emitSum(Value tokenRow, Value expert, Value column) {
  return e.reduce(
      {e.extent(op.getWeight(), 1)}, e.zero(computeType),
      [&](ValueRange inner, Value sum) {
        Value token = e.load(op.getToken(), {e.index(0), tokenRow, inner[0]},
                             computeType);
        Value weight =
            e.load(op.getWeight(), {expert, inner[0], column}, computeType);
        return e.add(sum, e.multiply(token, weight));
      });
}

void MoeEmitter::storeRow(Value tokenRow, Value expert, Value place) {
  e.forEach({columns()}, [&](ValueRange column) {
    e.store(e.wrap(emitSum(tokenRow, expert, column[0]), computeType),
            op.getOUT(), {e.index(0), place, column[0]});
  });
}

void MoeEmitter::emitScatter() {
  Value slots = e.index(op.getTopK());
  Value tokens = e.make<arith::DivSIOp>(getRows(), slots);
  emitOwnedRows([&](Value row, Value expert) {
    ifIndexed(op.getTokenIndex(), row, tokens, [&](Value token) {
      ifIndexed(op.getTokenKs(), row, slots, [&](Value slot) {
        Value first = e.make<arith::MulIOp>(token, slots);
        storeRow(row, expert, e.make<arith::AddIOp>(first, slot));
      });
    });
  });
}

/// Adds score * result of `row` to a row of sums.
void MoeEmitter::addRow(Value row, Value expert, Value score, Value sums) {
  e.forEach({columns()}, [&](ValueRange column) {
    Value product = e.multiply(score, emitSum(row, expert, column[0]));
    Value sum = e.make<memref::LoadOp>(sums, column);
    memref::StoreOp::create(e.b, e.loc, e.add(sum, product), sums, column);
  });
}

void MoeEmitter::emitCombine() {
  auto type = MemRefType::get({ShapedType::kDynamic}, e.b.getF64Type());
  Value sums = e.make<memref::AllocOp>(type, ValueRange{columns()});
  Value scores = op.getTopKScores();
  e.forEach({e.extent(op.getOUT(), 1)}, [&](ValueRange out) {
    e.forEach({columns()}, [&](ValueRange column) {
      memref::StoreOp::create(e.b, e.loc, e.constant(0), sums, column);
    });
    emitOwnedRows([&](Value row, Value expert) {
      ifIndexed(op.getTokenIndex(), row, e.extent(scores, 1), [&](Value token) {
        Value isHere = e.make<arith::CmpIOp>(Predicate::eq, token, out[0]);
        e.ifThen(isHere, [&] {
          ifIndexed(op.getTokenKs(), row, e.extent(scores, 2), [&](Value slot) {
            Value score =
                e.load(scores, {e.index(0), token, slot}, computeType);
            addRow(row, expert, score, sums);
          });
        });
      });
    });
    e.forEach({columns()}, [&](ValueRange column) {
      e.store(e.wrap(e.make<memref::LoadOp>(sums, column), computeType),
              op.getOUT(), {e.index(0), out[0], column[0]});
    });
  });
}

void MoeEmitter::run() {
  ExpertGroups counted =
      *getExpertGroups(LoopEmitter::typeOf(op.getFirstTokenOffset()),
                       LoopEmitter::typeOf(op.getWeight()).getDimSize(0));
  owners = Groups(e, op.getFirstTokenOffset(), counted.count, counted.hasEnd,
                  getRows())
               .emitOwners();
  if (op.getMode() == MoeGroupedMatmulMode::COMBINE)
    return emitCombine();
  clear();
  switch (op.getMode()) {
  case MoeGroupedMatmulMode::NONE:
    return emitOwnedRows(
        [&](Value row, Value expert) { storeRow(row, expert, row); });
  case MoeGroupedMatmulMode::GATHER:
    return emitOwnedRows([&](Value row, Value expert) {
      ifIndexed(op.getTokenIndex(), row, e.extent(op.getToken(), 1),
                [&](Value token) { storeRow(token, expert, row); });
    });
  case MoeGroupedMatmulMode::SCATTER:
    return emitScatter();
  case MoeGroupedMatmulMode::COMBINE:
    return;
  }
}

void opgraph::legalize::emitLoops(LoopEmitter &e, MoeGroupedMatmulOp op) {
  MoeEmitter(e, op).run();
}

void opgraph::legalize::emitLoops(LoopEmitter &e, MoeGroupedMatmulBwdOp op) {
  Value doutput = op.getDoutput(), token = op.getToken();
  Type computeType = op.getEffectiveComputeType();
  int64_t experts = LoopEmitter::typeOf(op.getDWEIGHT()).getDimSize(0);
  ExpertGroups counted =
      *getExpertGroups(LoopEmitter::typeOf(op.getFirstTokenOffset()), experts);
  int64_t batches = counted.count / experts;
  Groups groups(e, op.getFirstTokenOffset(), counted.count, counted.hasEnd,
                e.extent(token, 1));
  Value owners = groups.emitOwners();
  e.forEach(e.extents(op.getDWEIGHT()), [&](ValueRange at) {
    Value zero = e.zero(computeType);
    Value sum =
        e.reduce({e.index(batches)}, zero, [&](ValueRange batch, Value before) {
          Value group = e.make<arith::AddIOp>(
              e.make<arith::MulIOp>(batch[0], e.index(experts)), at[0]);
          RowRange range = groups.get(group);
          return e.reduce(
              {range.length}, before,
              [&](ValueRange inner, Value current) -> Value {
                Value row = e.make<arith::AddIOp>(range.begin, inner[0]);
                Value product = e.multiply(
                    e.load(token, {e.index(0), row, at[1]}, computeType),
                    e.load(doutput, {e.index(0), row, at[2]}, computeType));
                // Not a row of a later group.
                Value owner = e.make<arith::IndexCastOp>(
                    e.b.getIndexType(),
                    e.make<memref::LoadOp>(owners, ValueRange{row}));
                Value isOwn =
                    e.make<arith::CmpIOp>(Predicate::eq, owner, group);
                return e.make<arith::SelectOp>(isOwn, e.add(current, product),
                                               current);
              });
        });
    e.store(e.wrap(sum, computeType), op.getDWEIGHT(), at);
  });
}
