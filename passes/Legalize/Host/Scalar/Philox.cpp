//===- Philox.cpp - Random numbers from a counter -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/Host/Scalar/Philox.h"
#include "passes/Legalize/Host/Scalar/Emit.h"

#include <cmath>

using namespace mlir;
using namespace opgraph::legalize;
using namespace opgraph::legalize::scalar;

static constexpr unsigned kRounds = 10;
static constexpr uint32_t kMultipliers[2] = {0xD2511F53u, 0xCD9E8D57u};
/// What the key's words grow by each round: the golden ratio and sqrt(3) - 1.
static constexpr uint32_t kWeyl[2] = {0x9E3779B9u, 0xBB67AE85u};

/// A constant of type i32 with the bits of `value`.
static Value word32(Emit &e, uint32_t value) {
  return e.integer(e.b.getI32Type(), static_cast<int32_t>(value));
}

/// The high and low words of the 64-bit product of `value` and `factor`.
static std::pair<Value, Value> multiplyWide(Emit &e, Value value,
                                            uint32_t factor) {
  Type i32 = e.b.getI32Type(), i64 = e.b.getI64Type();
  Value product = e.make<arith::MulIOp>(e.make<arith::ExtUIOp>(i64, value),
                                        e.integer(i64, factor));
  Value high = e.make<arith::ShRUIOp>(product, e.integer(i64, 32));
  return {e.make<arith::TruncIOp>(i32, high),
          e.make<arith::TruncIOp>(i32, product)};
}

static Value exclusiveOr(Emit &e, Value a, Value b, Value c) {
  return e.make<arith::XOrIOp>(e.make<arith::XOrIOp>(a, b), c);
}

PhiloxWords opgraph::legalize::emitPhilox(OpBuilder &builder, Location loc,
                                          Value seed,
                                          const PhiloxWords &counter) {
  Emit e(builder, loc, builder.getI32Type());
  Value upper = e.make<arith::ShRUIOp>(seed, e.integer(seed.getType(), 32));
  Value key[2] = {e.make<arith::TruncIOp>(e.type, seed),
                  e.make<arith::TruncIOp>(e.type, upper)};
  PhiloxWords words = counter;
  for (unsigned round = 0; round < kRounds; ++round) {
    auto [high0, low0] = multiplyWide(e, words[0], kMultipliers[0]);
    auto [high1, low1] = multiplyWide(e, words[2], kMultipliers[1]);
    words = {exclusiveOr(e, high1, words[1], key[0]), low1,
             exclusiveOr(e, high0, words[3], key[1]), low0};
    for (int i = 0; i < 2; ++i)
      key[i] = e.make<arith::AddIOp>(key[i], word32(e, kWeyl[i]));
  }
  return words;
}

Value opgraph::legalize::emitPhiloxWord(OpBuilder &builder, Location loc,
                                        Value seed, const PhiloxWords &counter,
                                        Value word) {
  Emit e(builder, loc, builder.getI32Type());
  PhiloxWords words = emitPhilox(builder, loc, seed, counter);
  Value chosen = words[0];
  for (int i = 1; i < 4; ++i)
    chosen = e.select(e.cmp(arith::CmpIPredicate::eq, word, e.integer(i)),
                      words[i], chosen);
  return chosen;
}

Value opgraph::legalize::emitIsBelow(OpBuilder &builder, Location loc,
                                     Value word, double probability) {
  Emit e(builder, loc, builder.getI64Type());
  // A whole number is below x where it is below x rounded up.
  double threshold = std::ceil(std::ldexp(probability, 32));
  double limit = std::ldexp(1.0, 32);
  int64_t bound =
      threshold > 0 ? static_cast<int64_t>(std::fmin(threshold, limit)) : 0;
  return e.cmp(arith::CmpIPredicate::slt, e.make<arith::ExtUIOp>(e.type, word),
               e.integer(bound));
}

Value opgraph::legalize::emitDropoutKeep(OpBuilder &builder, Location loc,
                                         Value seed, Value offset, Value head,
                                         Value row, Value column,
                                         double probability) {
  Emit e(builder, loc, builder.getI32Type());
  auto narrow = [&](Value position) {
    return e.make<arith::IndexCastOp>(e.type, position);
  };
  Value word = e.make<arith::AndIOp>(narrow(column), e.integer(3));
  Value quad =
      narrow(e.make<arith::ShRUIOp>(column, e.integer(e.b.getIndexType(), 2)));
  PhiloxWords counter = {e.make<arith::TruncIOp>(e.type, offset), narrow(head),
                         narrow(row), quad};
  Value random = emitPhiloxWord(builder, loc, seed, counter, word);
  return emitIsBelow(builder, loc, random, 1.0 - probability);
}
