//===- Formulas.cpp - Numbers that stand for formulas ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Legalize/NVPTX/Pointwise/Formulas.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/Sequence.h"
#include "llvm/Support/MathExtras.h"

#include <numeric>

using namespace mlir;
using namespace opgraph::legalize::nvptx;

//===----------------------------------------------------------------------===//
// Stand-ins
//===----------------------------------------------------------------------===//

void Formulas::avoid(int64_t number) {
  if (number > 1)
    avoided.insert(number);
}

void Formulas::avoidPrimesOf(const Formulas &other) {
  for (const StandIn &standIn : other.standIns)
    avoided.insert(standIn.prime);
}

static bool isOddPrime(int64_t number) {
  if (number < 3 || number % 2 == 0)
    return false;
  for (int64_t factor = 3; factor * factor <= number; factor += 2)
    if (number % factor == 0)
      return false;
  return true;
}

bool Formulas::isFree(int64_t prime) const {
  auto isDivided = [&](int64_t number) { return number % prime == 0; };
  return isOddPrime(prime) && llvm::none_of(avoided, isDivided) &&
         llvm::none_of(standIns, [&](const StandIn &other) {
           return other.prime == prime;
         });
}

/// The free prime nearest to `about` and, if there is one, at most `most`; or
/// the first one from `about` on.
int64_t Formulas::findPrime(int64_t about, bool isLeast, int64_t most) const {
  for (int64_t distance = 0;; ++distance) {
    if (!isLeast && isFree(about - distance))
      return about - distance;
    bool isBelow = isLeast || about + distance <= most || distance > about;
    if (isBelow && isFree(about + distance))
      return about + distance;
  }
}

int64_t Formulas::add(AffineExpr formula, int64_t about, int64_t divisor,
                      int64_t most, bool isLeast) {
  int64_t prime =
      findPrime(llvm::divideCeil(about, divisor), isLeast, most / divisor);
  standIns.push_back({prime, divisor, most, formula});
  return prime * divisor;
}

int64_t Formulas::addOnce(AffineExpr formula, int64_t about, int64_t divisor) {
  auto found = known.find(formula);
  if (found != known.end())
    return found->second;
  return known[formula] = add(formula, about, divisor);
}

int64_t Formulas::keep(int64_t number) {
  return isDynamic(number)
             ? addOnce(getAffineConstantExpr(number, context), number)
             : number;
}

bool Formulas::isDynamic(int64_t number) const {
  return number != 0 && llvm::any_of(standIns, [&](const StandIn &standIn) {
           return number % standIn.prime == 0;
         });
}

AffineExpr Formulas::get(int64_t number) const {
  AffineExpr product = getAffineConstantExpr(1, context);
  int64_t divisor = 1;
  if (number != 0)
    for (const StandIn &standIn : standIns)
      for (; number % standIn.prime == 0; number /= standIn.prime) {
        product = product * standIn.formula;
        divisor *= standIn.divisor;
      }
  int64_t common = std::gcd(number, divisor);
  return (product * (number / common)).floorDiv(divisor / common);
}

//===----------------------------------------------------------------------===//
// Arithmetic
//===----------------------------------------------------------------------===//

int64_t Formulas::divideUp(int64_t number, int64_t by) {
  int64_t quotient = by == 0 ? 0 : llvm::divideCeil(number, by);
  if (!isDynamic(number) && !isDynamic(by))
    return keep(quotient);
  return addOnce(get(number).ceilDiv(get(by)), quotient);
}

int64_t Formulas::divideUpTo(int64_t number, int64_t by, int64_t most) {
  if (!isDynamic(number) && !isDynamic(by))
    return divideUp(number, by);
  return add(get(number).ceilDiv(get(by)), most, /*divisor=*/1, most,
             /*isLeast=*/true);
}

int64_t Formulas::alignUp(int64_t number, int64_t by) {
  auto aligned = static_cast<int64_t>(llvm::alignTo(number, by));
  if (!isDynamic(number))
    return keep(aligned);
  return addOnce(get(number).ceilDiv(by) * by, aligned, by);
}

int64_t Formulas::sum(int64_t a, int64_t b) {
  if (!isDynamic(a) && !isDynamic(b))
    return keep(a + b);
  // A power of two that both are a multiple of.
  int64_t common = std::gcd(a, b);
  return addOnce(get(a) + get(b), a + b, common & -common);
}

int64_t Formulas::atLeastOne(int64_t number) {
  if (!isDynamic(number))
    return std::max<int64_t>(number, 1);
  AffineExpr formula = get(number);
  return addOnce(formula + 1 - formula.ceilDiv(formula + 1), number);
}

std::optional<Formulas::Offset>
Formulas::getOffset(int64_t offset, ArrayRef<int64_t> shape,
                    ArrayRef<int64_t> strides) const {
  SmallVector<size_t> order =
      llvm::to_vector(llvm::seq<size_t>(0, shape.size()));
  llvm::sort(order, [&](size_t a, size_t b) {
    return std::pair(-strides[a], a) < std::pair(-strides[b], b);
  });
  Offset found = {getAffineConstantExpr(0, context), int64_t(1) << 32};
  for (size_t axis : order) {
    if (strides[axis] == 0 || shape[axis] == 1)
      continue;
    int64_t at = offset / strides[axis];
    if (at >= shape[axis])
      return std::nullopt;
    int64_t part = at * strides[axis];
    offset -= part;
    if (part == 0)
      continue;
    found.formula = found.formula + get(strides[axis]) * at;
    found.divisor = std::min(found.divisor, part & -part);
  }
  return offset == 0 ? std::optional(found) : std::nullopt;
}

void Formulas::require(int64_t number, int64_t most) {
  if (!isDynamic(number))
    return;
  for (const StandIn &standIn : standIns)
    if (number == standIn.prime * standIn.divisor && standIn.most <= most)
      return;
  limits.push_back({get(number), most});
}
