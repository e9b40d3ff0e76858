//===- WorkspaceLayoutTest.cpp - Offsets of temporaries -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/Host/WorkspaceLayout.h"
#include "mlir/IR/MLIRContext.h"
#include "gtest/gtest.h"

#include <random>
#include <vector>

using namespace mlir;
using namespace opgraph::codegen;

namespace {

int64_t constant(AffineExpr expr) {
  return cast<AffineConstantExpr>(expr).getValue();
}

/// The value of `expr` for s0 = `value`.
int64_t evaluate(AffineExpr expr, int64_t value) {
  AffineExpr symbol = getAffineConstantExpr(value, expr.getContext());
  return constant(simplifyAffineExpr(expr.replaceSymbols({symbol}), 0, 0));
}

/// Every two buffers that are in use at once lie apart, for each value of s0.
void expectApart(const std::vector<TemporaryBuffer> &buffers, AffineExpr total,
                 int64_t value) {
  for (const TemporaryBuffer &buffer : buffers) {
    int64_t offset = evaluate(buffer.offset, value);
    int64_t bytes = evaluate(buffer.bytes, value);
    EXPECT_EQ(offset % 64, 0);
    EXPECT_LE(offset + bytes, evaluate(total, value));
    for (const TemporaryBuffer &other : buffers) {
      if (&other == &buffer || other.end < buffer.begin ||
          buffer.end < other.begin)
        continue;
      int64_t otherOffset = evaluate(other.offset, value);
      EXPECT_TRUE(offset + bytes <= otherOffset ||
                  otherOffset + evaluate(other.bytes, value) <= offset);
    }
  }
}

TEST(WorkspaceLayoutTest, RandomBuffersNeverOverlap) {
  MLIRContext context;
  std::mt19937 random(7);
  for (int round = 0; round < 50; ++round) {
    std::vector<TemporaryBuffer> buffers(random() % 24);
    for (TemporaryBuffer &buffer : buffers) {
      buffer.begin = random() % 40;
      buffer.end = buffer.begin + random() % 10;
      buffer.bytes = getAffineConstantExpr(1 + random() % 1000, &context);
      if (random() % 3 == 0)
        buffer.bytes = getAffineSymbolExpr(0, &context) * (1 + random() % 4);
    }
    AffineExpr total = layOut(buffers, 1, &context);
    for (int64_t value : {0, 1, 63, 1000})
      expectApart(buffers, total, value);
  }
}

TEST(WorkspaceLayoutTest, ReusesDeadBytes) {
  MLIRContext context;
  std::vector<TemporaryBuffer> buffers(3);
  for (auto [index, buffer] : llvm::enumerate(buffers)) {
    buffer.bytes = getAffineConstantExpr(100, &context);
    buffer.begin = 2 * index;
    buffer.end = 2 * index + 1;
  }
  EXPECT_EQ(constant(layOut(buffers, 0, &context)), 128);
}

TEST(WorkspaceLayoutTest, NothingNeedsNothing) {
  MLIRContext context;
  EXPECT_EQ(constant(layOut({}, 0, &context)), 0);
}

} // namespace
