//===- DType.h - Element types as a small closed set ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planning compares, prints and counts element types without a context.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_DTYPE_H
#define OPGRAPH_PASSES_PLANNING_DTYPE_H

#include "mlir/IR/Types.h"
#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace opgraph::planning {

/// Every element type that a graph value may have.
enum class DType : uint8_t {
  F32,
  F64,
  F16,
  BF16,
  F8E4M3,
  F8E5M2,
  I8,
  UI8,
  I32,
  I64,
  I1,
  F8E8M0,
  F4E2M1,
  I4
};
inline constexpr unsigned kNumDTypes = 14;

/// The builtin type's spelling: "f32", "f8E4M3FN", "i1".
llvm::StringRef stringifyDType(DType type);

/// Null for types that no graph value has.
std::optional<DType> dtypeOf(mlir::Type type);

/// Bytes of one stored element, rounded up: a bool takes one, and so does half
/// a byte, as it does in temporary memory.
int64_t storageBytes(DType type);

bool isFloat(DType type);

/// A set of element types.
class DTypeSet {
public:
  constexpr DTypeSet() = default;
  constexpr DTypeSet(std::initializer_list<DType> types) {
    for (DType type : types)
      bits |= bit(type);
  }
  static constexpr DTypeSet all() {
    DTypeSet set;
    set.bits = (1u << kNumDTypes) - 1;
    return set;
  }

  constexpr bool contains(DType type) const { return bits & bit(type); }
  void insert(DType type) { bits |= bit(type); }

  /// "{f32, bf16}".
  std::string str() const;

  /// The type of the set that `type` converts to with the least loss: the
  /// narrowest one that holds all its values, else none.
  std::optional<DType> nearest(DType type) const;

private:
  static constexpr uint32_t bit(DType type) {
    return 1u << static_cast<unsigned>(type);
  }
  uint32_t bits = 0;
};

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_DTYPE_H
