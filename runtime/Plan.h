//===- Plan.h - A loaded plan -----------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_PLAN_H
#define OPGRAPH_RUNTIME_PLAN_H

#include "opgraph-c/runtime.h"
#include "runtime/Expression.h"
#include "runtime/HostImage.h"
#include "runtime/Layout.h"

#include <atomic>
#include <memory>
#include <vector>

namespace opgraph::planfile::fb {
struct Plan;
} // namespace opgraph::planfile::fb

namespace opgraph::runtime {

/// What generated code reads of an operand (opgraph-c/host_abi.h); `rank`
/// extents and as many strides follow.
struct Descriptor {
  void *allocated;
  void *aligned;
  int64_t offset;

  int64_t *sizes() { return reinterpret_cast<int64_t *>(this + 1); }
  int64_t *strides(size_t rank) { return sizes() + rank; }
  static constexpr size_t bytes(size_t rank) {
    return sizeof(Descriptor) + 2 * rank * sizeof(int64_t);
  }
};

/// An operand with all that can be known when the plan is loaded.
struct OperandRecord {
  int64_t uid = 0;
  const char *name = nullptr;
  og_dtype dtype = OG_DTYPE_NOT_SET;
  unsigned bits = 0;
  uint32_t rank = 0;
  bool isOutput = false;
  bool byValue = false;
  /// Extents or strides read symbols.
  bool isDynamic = false;
  uint32_t alignment = 1;
  og_storage storage = OG_STORAGE_DENSE;
  og_stride_rule strideRule = OG_STRIDES_EXACT;
  /// Null when there is none.
  const uint8_t *defaultValue = nullptr;
  /// Expression indices, `rank` of each, in the file's body.
  const uint32_t *extentExprs = nullptr;
  const uint32_t *strideExprs = nullptr;
  int64_t storageBytesExpr = -1;
  /// Offset of its Descriptor in an execution's frame.
  size_t descriptorOffset = 0;
  /// Declared values, OG_DYNAMIC where execution tells: og_plan::declared.
  const int64_t *extents = nullptr;
  const int64_t *strides = nullptr;
  /// The declared span of a static operand.
  Span span;
};

/// A symbol's record.
struct SymbolRecord {
  const char *name = nullptr;
  uint32_t operand = 0;
  uint32_t axis = 0;
  bool isStride = false;
  int64_t min = 0;
  int64_t max = 0;
  int64_t divisor = 1;
  /// OG_DYNAMIC when there is none.
  int64_t defaultValue = OG_DYNAMIC;
};

/// One step of the program.
struct StepRecord {
  /// Null for a fill.
  og_host_entry entry = nullptr;
  uint32_t offsetExpr = 0;
  uint32_t sizeExpr = 0;
  uint8_t value = 0;
};

/// Sorted by uid, to find operands.
struct UidIndex {
  int64_t uid;
  uint32_t operand;
};

struct AliasRecord {
  uint32_t input;
  uint32_t output;
};

struct FreeDeleter {
  void operator()(void *pointer) const;
};

namespace cuda {
struct Program;
} // namespace cuda

/// Cuda/Prepare.cpp.
struct ProgramDeleter {
  void operator()(cuda::Program *program) const;
};

} // namespace opgraph::runtime

/// The plan behind the C API's handle. Immutable after loading.
struct og_plan {
  std::atomic<int64_t> references{1};

  /// The whole file; `owned` holds it unless it is the caller's.
  std::unique_ptr<unsigned char, opgraph::runtime::FreeDeleter> owned;
  const unsigned char *bytes = nullptr;
  size_t size = 0;
  const opgraph::planfile::fb::Plan *body = nullptr;
  uint16_t formatMinor = 0;

  opgraph::runtime::ExprPool exprs;
  std::vector<opgraph::runtime::OperandRecord> operands;
  std::vector<opgraph::runtime::UidIndex> byUid;
  std::vector<opgraph::runtime::SymbolRecord> symbols;
  /// Their defaults alone.
  std::vector<int64_t> symbolDefaults;
  std::vector<opgraph::runtime::AliasRecord> aliases;
  std::vector<opgraph::runtime::StepRecord> steps;
  /// Extents and strides of all operands.
  std::vector<int64_t> declared;
  uint32_t sharedExpr = 0;
  uint32_t privateExpr = 0;
  int64_t maxWorkers = 1;
  /// Bytes of workspace when no symbol is involved, else OG_DYNAMIC.
  int64_t staticWorkspace = OG_DYNAMIC;
  /// Bytes of an execution's frame (Binding.h).
  size_t frameBytes = 0;
  /// OPGRAPH_DEBUG_POISON was 1 when the plan was loaded.
  bool poison = false;

  /// The variant in use, "" when the plan calls no code.
  const char *variantName = "";
  opgraph::runtime::HostImage image;
  /// The steps of a plan for a CUDA device; null for a host plan. What a device
  /// has loaded of it is added there, the one thing that changes.
  std::unique_ptr<opgraph::runtime::cuda::Program,
                  opgraph::runtime::ProgramDeleter>
      program;

  bool isCuda() const { return program != nullptr; }
  const char *name() const;
};

#endif // OPGRAPH_RUNTIME_PLAN_H
