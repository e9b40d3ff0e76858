//===- RowClusters.cpp - Rows in the shared memory of several CTAs --------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A row that is too long for registers is read once: the first walk keeps its
// chunks in shared memory, where later walks find them. A thread finds what it
// has written itself, so that nobody waits. Of the CTAs that share a row each
// walks its own chunks; what they have of all of a walk's reductions changes
// hands at once, since an exchange takes longer than a chunk.
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/SCF/IR/SCF.h"
#include "passes/Legalize/NVPTX/Pointwise/Arithmetic.h"
#include "passes/Legalize/NVPTX/Pointwise/RowKernel.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;

//===----------------------------------------------------------------------===//
// Kept inputs
//===----------------------------------------------------------------------===//

/// Whether the input has elements of its own for each row.
bool RowKernel::isKept(unsigned index) {
  const Buffer &buffer = buffers.list[index];
  return !buffer.isWritten && hasRows(buffer) && hasColumns(buffer) &&
         accesses[index].shape[0] == 1;
}

Type RowKernel::getStoredType(unsigned index) {
  return cast<tile::ViewType>(accesses[index].view.getType()).getElementType();
}

void RowKernel::makeKeptTile(unsigned index) {
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPoint(loop);
  auto type = tile::SharedType::get(
      b.getContext(), {space.chunks, space.tileColumns}, getStoredType(index),
      tile::Swizzle::none, 0, 0, /*peer=*/false);
  keptTiles[index] =
      tile::AllocSharedOp::create(b, type, ValueRange(), nullptr);
}

/// The current chunk's part.
Value RowKernel::sliceKept(unsigned index) {
  auto type = tile::SharedType::get(b.getContext(), {1, space.tileColumns},
                                    getStoredType(index), tile::Swizzle::none,
                                    0, 0, /*peer=*/false);
  Value chunk = arith::DivUIOp::create(
      b, arith::SubIOp::create(b, column, firstColumn), i32(space.tileColumns));
  return tile::SliceOp::create(b, type, keptTiles[index],
                               ValueRange{chunk, i32(0)});
}

//===----------------------------------------------------------------------===//
// Exchange
//===----------------------------------------------------------------------===//

/// What the cluster's CTAs have of each of `own`, in their order.
SmallVector<SmallVector<Value>> RowKernel::exchange(ArrayRef<Value> own) {
  SmallVector<SmallVector<Value>> all;
  if (space.cluster == 1) {
    for (Value tile : own)
      all.push_back({tile});
    return all;
  }
  auto wordsOf = [&](Value tile, bool isPeer) {
    auto type = cast<tile::RegType>(tile.getType());
    return tile::SharedType::get(
        b.getContext(), {type.getRows(), type.getCols()}, type.getElementType(),
        tile::Swizzle::none, 0, 0, isPeer);
  };
  SmallVector<Value> words;
  for (Value tile : own) {
    words.push_back(tile::AllocSharedOp::create(b, wordsOf(tile, false),
                                                ValueRange(), nullptr));
    tile::StoreSharedOp::create(b, tile, words.back(), tile::SharedPath::plain,
                                /*transposed=*/false);
  }
  tile::ClusterArriveOp::create(b);
  tile::ClusterWaitOp::create(b);
  for (auto [tile, word] : llvm::zip_equal(own, words)) {
    SmallVector<Value> &parts = all.emplace_back();
    for (int64_t rank = 0; rank < space.cluster; ++rank) {
      Value peer =
          tile::PeerOp::create(b, wordsOf(tile, true), word, i32(rank));
      parts.push_back(tile::LoadSharedOp::create(b, tile.getType(), peer,
                                                 tile::SharedPath::plain,
                                                 /*transposed=*/false));
    }
  }
  return all;
}

Value RowKernel::combine(graph::ReductionOp op, ArrayRef<Value> parts) {
  if (parts.size() == 1)
    return parts.front();
  Combination how = getCombination(op.getMode());
  return map(parts, cast<tile::RegType>(parts.front().getType()),
             [&](OpBuilder &builder, ValueRange args) {
               Value all = args[0];
               for (Value other : args.drop_front())
                 all = emitCombination(builder, b.getLoc(), how, all, other);
               return all;
             });
}

/// Of a row that several CTAs share the first one writes what is one number.
void RowKernel::storeRows(Value tile, unsigned index) {
  if (space.cluster == 1)
    return store(tile, index);
  Value isFirst =
      arith::CmpIOp::create(b, arith::CmpIPredicate::eq,
                            tile::ClusterIdOp::create(b, tile::Dim::x), i32(0));
  auto branch = scf::IfOp::create(b, isFirst, /*withElseRegion=*/false);
  OpBuilder::InsertionGuard guard(b);
  b.setInsertionPointToStart(&branch.getThenRegion().front());
  store(tile, index);
}

/// Brings the CTAs' parts of a pair to the row's mean or maximum.
void RowKernel::joinPair(ReductionPair pair, ArrayRef<Value> firsts,
                         ArrayRef<Value> seconds) {
  keepReduced(pair.first, combine(pair.first, firsts));
  if (firsts.size() == 1)
    keepReduced(pair.second, seconds.front());
  else if (pair.kind == ReductionPair::Kind::Moments)
    keepReduced(pair.second, joinMoments(pair, firsts, seconds));
  else
    keepReduced(pair.second, joinExponentials(pair, firsts, seconds));
}

Value RowKernel::joinMoments(ReductionPair pair, ArrayRef<Value> firsts,
                             ArrayRef<Value> seconds) {
  SmallVector<Value> inputs(firsts), lengths;
  llvm::append_range(inputs, seconds);
  inputs.push_back(rowTiles[pair.first.getY()]);
  int64_t own = space.chunks * space.tileColumns;
  for (size_t rank = 0; rank < firsts.size(); ++rank) {
    Value left = arith::SubIOp::create(b, numColumns, i32(rank * own));
    left = arith::MaxSIOp::create(b, left, i32(0));
    lengths.push_back(arith::MinSIOp::create(b, left, i32(own)));
  }
  return map(
      inputs, cast<tile::RegType>(seconds.front().getType()),
      [&](OpBuilder &builder, ValueRange args) {
        Value mean = args.back();
        Arithmetic a{builder, b.getLoc(), mean.getType()};
        Value all = a.constant(0);
        for (auto [rank, length] : llvm::enumerate(lengths)) {
          Value count = a.fromInteger(length);
          Value d = a.sub(a.div(args[rank], a.max(count, a.constant(1))), mean);
          Value about = a.fma(a.mul(count, d), d, args[lengths.size() + rank]);
          all = a.add(all, about);
        }
        return all;
      });
}

Value RowKernel::joinExponentials(ReductionPair pair, ArrayRef<Value> firsts,
                                  ArrayRef<Value> seconds) {
  SmallVector<Value> inputs(firsts);
  llvm::append_range(inputs, seconds);
  inputs.push_back(evaluate(pair.shift));
  return map(inputs, cast<tile::RegType>(seconds.front().getType()),
             [&](OpBuilder &builder, ValueRange args) {
               Value all;
               for (size_t rank = 0; rank < firsts.size(); ++rank) {
                 Value part = rescale(
                     builder, pair,
                     {args[rank], args[firsts.size() + rank], args.back()});
                 all =
                     all ? arith::AddFOp::create(builder, b.getLoc(), all, part)
                               .getResult()
                         : part;
               }
               return all;
             });
}
