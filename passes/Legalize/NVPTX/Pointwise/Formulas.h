//===- Formulas.h - Numbers that stand for formulas -------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph whose extents are symbols is legalized as a graph of numbers, in
// which each symbol has a number of its own: an odd prime times what the symbol
// is assumed to be a multiple of. So all that compares, merges or divides
// extents and strides decides what holds for the symbols, and a product of them
// tells by its factors which formula it is. What is no product (a quotient, a
// rounded number, a sum) gets a number of its own in turn.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_FORMULAS_H
#define OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_FORMULAS_H

#include "mlir/IR/AffineExpr.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"

#include <limits>
#include <optional>

namespace opgraph::legalize::nvptx {

/// The most elements along rows, or columns, that symbols may make: coordinates
/// are i32, and a tile may reach past the last element.
inline constexpr int64_t kLongestSide = (int64_t(1) << 31) - (1 << 20);

class Formulas {
public:
  /// Of a graph without symbols: every number is itself.
  explicit Formulas(mlir::MLIRContext *context) : context(context) {}

  /// A number of the graph itself, or of its kernels: no stand-in divides it.
  void avoid(int64_t number);

  /// No stand-in has a prime that one of `other` has.
  void avoidPrimesOf(const Formulas &other);

  /// A number near `about`, or no less than that, that stands for `formula`,
  /// which is a multiple of `divisor` and at most `most`.
  int64_t add(mlir::AffineExpr formula, int64_t about, int64_t divisor = 1,
              int64_t most = std::numeric_limits<int64_t>::max(),
              bool isLeast = false);

  bool isStatic() const { return standIns.empty(); }
  /// Whether `number`, a product, holds a stand-in.
  bool isDynamic(int64_t number) const;
  /// What `number`, a product, stands for.
  mlir::AffineExpr get(int64_t number) const;

  /// `number`, which is no product of the graph's, as one.
  int64_t keep(int64_t number);

  // Of products, as products.
  int64_t divideUp(int64_t number, int64_t by);
  int64_t alignUp(int64_t number, int64_t by);
  int64_t sum(int64_t a, int64_t b);
  int64_t atLeastOne(int64_t number);
  /// As divideUp, where the result is known to be at most `most`: the number is
  /// no less than that.
  int64_t divideUpTo(int64_t number, int64_t by, int64_t most);

  /// Where something lies in a tensor.
  struct Offset {
    mlir::AffineExpr formula;
    /// A power of two that it is a multiple of.
    int64_t divisor;
  };
  /// What `offset` stands for: elements to an element of a tensor of these
  /// extents and strides, whose coordinates are numbers. Nullopt if there is no
  /// such element.
  std::optional<Offset> getOffset(int64_t offset, llvm::ArrayRef<int64_t> shape,
                                  llvm::ArrayRef<int64_t> strides) const;

  /// The kernels are right only where `number` is at most `most`.
  void require(int64_t number, int64_t most);
  struct Limit {
    mlir::AffineExpr formula;
    int64_t most;
  };
  llvm::ArrayRef<Limit> getLimits() const { return limits; }

private:
  struct StandIn {
    int64_t prime, divisor, most;
    mlir::AffineExpr formula;
  };
  int64_t findPrime(int64_t about, bool isLeast, int64_t most) const;
  bool isFree(int64_t prime) const;
  int64_t addOnce(mlir::AffineExpr formula, int64_t about, int64_t divisor = 1);

  mlir::MLIRContext *context;
  llvm::SmallVector<StandIn> standIns;
  llvm::DenseSet<int64_t> avoided;
  llvm::DenseMap<mlir::AffineExpr, int64_t> known;
  llvm::SmallVector<Limit> limits;
};

} // namespace opgraph::legalize::nvptx

#endif // OPGRAPH_PASSES_LEGALIZE_NVPTX_POINTWISE_FORMULAS_H
