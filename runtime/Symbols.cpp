//===- Symbols.cpp - Matching a pack and binding its symbols --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "opgraph-c/host_abi.h"
#include "runtime/Binding.h"
#include "runtime/Error.h"

#include <algorithm>

using namespace opgraph::runtime;

namespace {

long long ll(int64_t value) { return value; }

/// The element of an array whose elements tell their own size.
template <typename T>
const T &elementAt(const T *array, size_t index) {
  const char *bytes = reinterpret_cast<const char *>(array);
  return *reinterpret_cast<const T *>(bytes + index * array->struct_size);
}

/// Checks that all elements of an array have one size, at least this
/// version's.
template <typename T>
og_status checkArray(const T *array, size_t count, const char *what) {
  if (count == 0)
    return OG_OK;
  if (!array)
    return fail(OG_INVALID_ARGUMENT, "%zu %ss but their array is null", count,
                what);
  size_t size = array->struct_size;
  if (size < sizeof(T) || size % alignof(T) || size > 4096)
    return fail(OG_INVALID_ARGUMENT,
                "%s has struct_size %zu, expected at least %zu", what, size,
                sizeof(T));
  for (size_t i = 1; i < count; ++i)
    if (elementAt(array, i).struct_size != size)
      return fail(OG_INVALID_ARGUMENT,
                  "%s %zu has struct_size %zu, the first has %zu", what, i,
                  elementAt(array, i).struct_size, size);
  return OG_OK;
}

} // namespace

og_status opgraph::runtime::checkPack(const og_plan &plan,
                                      const og_variant_pack &pack) {
  if (pack.struct_size < sizeof(og_variant_pack))
    return fail(OG_INVALID_ARGUMENT,
                "variant pack has struct_size %zu, expected at least %zu",
                pack.struct_size, sizeof(og_variant_pack));
  if (og_status status = checkArray(pack.buffers, pack.num_buffers, "buffer"))
    return status;
  if (og_status status =
          checkArray(pack.overrides, pack.num_overrides, "override"))
    return status;
  if (pack.num_overrides && plan.symbols.empty())
    return fail(OG_INVALID_VARIANT_PACK,
                "plan '%s' is static: it takes no overrides, got %zu",
                plan.name(), pack.num_overrides);
  return OG_OK;
}

int64_t opgraph::runtime::findOperand(const og_plan &plan, int64_t uid,
                                      size_t hint) {
  // Packs are mostly in plan order.
  if (hint < plan.operands.size() && plan.operands[hint].uid == uid)
    return static_cast<int64_t>(hint);
  auto found = std::lower_bound(
      plan.byUid.begin(), plan.byUid.end(), uid,
      [](const UidIndex &entry, int64_t key) { return entry.uid < key; });
  if (found == plan.byUid.end() || found->uid != uid)
    return -1;
  return found->operand;
}

static og_status matchOverride(const og_plan &plan, const og_override &item,
                               const Frame &frame) {
  int64_t index = findOperand(plan, item.uid, 0);
  if (index < 0)
    return fail(OG_INVALID_VARIANT_PACK,
                "override for uid %lld, which is no operand of plan '%s'",
                ll(item.uid), plan.name());
  const OperandRecord &operand = plan.operands[index];
  BoundOperand &bound = frame.bound(index);
  if (bound.override_)
    return fail(OG_INVALID_VARIANT_PACK,
                "two overrides for operand '%s' (uid %lld)", operand.name,
                ll(item.uid));
  if (item.ndim != int64_t(operand.rank) || (item.ndim > 0 && !item.shape))
    return fail(OG_INVALID_VARIANT_PACK,
                "override for operand '%s' (uid %lld) has %d extents%s, "
                "expected %u",
                operand.name, ll(item.uid), item.ndim,
                item.shape ? "" : " but a null shape", operand.rank);
  bound.override_ = &item;
  return OG_OK;
}

og_status opgraph::runtime::matchPack(const og_plan &plan,
                                      const og_variant_pack &pack,
                                      const Frame &frame) {
  for (size_t i = 0; i < pack.num_buffers; ++i) {
    const og_buffer &buffer = elementAt(pack.buffers, i);
    int64_t index = findOperand(plan, buffer.uid, i);
    if (index < 0)
      continue;
    BoundOperand &bound = frame.bound(index);
    if (bound.buffer)
      return fail(OG_INVALID_VARIANT_PACK,
                  "two buffers for operand '%s' (uid %lld)",
                  plan.operands[index].name, ll(buffer.uid));
    if (buffer.ndim < OG_BARE_POINTER || buffer.ndim > 64 ||
        (buffer.ndim > 0 && !buffer.shape))
      return fail(OG_INVALID_VARIANT_PACK,
                  "buffer of operand '%s' (uid %lld) has rank %d%s, expected "
                  "-1 to 64 with a shape",
                  plan.operands[index].name, ll(buffer.uid), buffer.ndim,
                  buffer.shape ? "" : " and a null shape");
    bound.buffer = &buffer;
  }
  for (size_t i = 0; i < pack.num_overrides; ++i)
    if (og_status status =
            matchOverride(plan, elementAt(pack.overrides, i), frame))
      return status;
  return OG_OK;
}

/// The value that a shape and strides give to a symbol.
static int64_t readSymbol(const SymbolRecord &symbol, const int64_t *shape,
                          const int64_t *strides, size_t rank) {
  if (!symbol.isStride)
    return shape[symbol.axis];
  // The stride of an axis with one index means nothing, and frameworks put
  // anything there.
  if (strides && shape[symbol.axis] > 1)
    return strides[symbol.axis];
  int64_t packed[OG_MAX_RANK];
  packedStrides(shape, rank, packed);
  return packed[symbol.axis];
}

/// Finds a symbol's value; OG_DYNAMIC when it has none.
static og_status findSymbolValue(const og_plan &plan,
                                 const SymbolRecord &symbol, const Frame &frame,
                                 bool lenient, int64_t &value) {
  const OperandRecord &operand = plan.operands[symbol.operand];
  const BoundOperand &bound = frame.bound(symbol.operand);
  value = symbol.defaultValue;
  if (const og_override *item = bound.override_) {
    if (!symbol.isStride || item->strides || value == OG_DYNAMIC)
      value = readSymbol(symbol, item->shape, item->strides, operand.rank);
    return OG_OK;
  }
  const og_buffer *buffer = bound.buffer;
  if (value != OG_DYNAMIC || !buffer)
    return OG_OK;
  if (buffer->ndim == int64_t(operand.rank)) {
    value = readSymbol(symbol, buffer->shape, buffer->strides, operand.rank);
    return OG_OK;
  }
  if (lenient)
    return OG_OK;
  if (buffer->ndim == OG_BARE_POINTER)
    return fail(OG_INVALID_VARIANT_PACK,
                "symbol '%s' is the %s of operand '%s' (uid %lld) axis %u, but "
                "its buffer is a bare pointer without shape or override",
                symbol.name, symbol.isStride ? "stride" : "extent",
                operand.name, ll(operand.uid), symbol.axis);
  return fail(OG_INVALID_VARIANT_PACK,
              "symbol '%s' is the %s of operand '%s' (uid %lld) axis %u, but "
              "its buffer has rank %d, expected %u",
              symbol.name, symbol.isStride ? "stride" : "extent", operand.name,
              ll(operand.uid), symbol.axis, buffer->ndim, operand.rank);
}

og_status opgraph::runtime::bindSymbols(const og_plan &plan, const Frame &frame,
                                        bool lenient) {
  for (size_t i = 0; i < plan.symbols.size(); ++i) {
    const SymbolRecord &symbol = plan.symbols[i];
    int64_t &value = frame.symbols()[i];
    if (og_status status = findSymbolValue(plan, symbol, frame, lenient, value))
      return status;
    const OperandRecord &operand = plan.operands[symbol.operand];
    if (value == OG_DYNAMIC) {
      if (lenient)
        continue;
      return fail(OG_INVALID_VARIANT_PACK,
                  "symbol '%s' of operand '%s' (uid %lld) axis %u has no value",
                  symbol.name, operand.name, ll(operand.uid), symbol.axis);
    }
    if (value < symbol.min || value > symbol.max)
      return fail(OG_INVALID_VARIANT_PACK,
                  "symbol '%s' is %lld from operand '%s' (uid %lld) axis %u, "
                  "expected %lld to %lld",
                  symbol.name, ll(value), operand.name, ll(operand.uid),
                  symbol.axis, ll(symbol.min), ll(symbol.max));
    if (value % symbol.divisor)
      return fail(OG_INVALID_VARIANT_PACK,
                  "symbol '%s' is %lld from operand '%s' (uid %lld) axis %u, "
                  "expected a multiple of %lld",
                  symbol.name, ll(value), operand.name, ll(operand.uid),
                  symbol.axis, ll(symbol.divisor));
  }
  return OG_OK;
}

og_status opgraph::runtime::workspaceBytes(const og_plan &plan,
                                           const int64_t *symbols,
                                           int64_t &bytes) {
  bytes = plan.staticWorkspace;
  if (bytes != OG_DYNAMIC)
    return OG_OK;
  for (uint32_t expr : {plan.sharedExpr, plan.privateExpr})
    if (int64_t unknown = plan.exprs.firstUnknown(expr, symbols); unknown >= 0)
      return fail(OG_ATTRIBUTE_NOT_SET,
                  "plan '%s': the workspace depends on symbol '%s', which has "
                  "no value",
                  plan.name(), plan.symbols[unknown].name);
  int64_t shared = 0, perWorker = 0;
  const char *error = plan.exprs.evaluate(plan.sharedExpr, symbols, shared);
  if (!error)
    error = plan.exprs.evaluate(plan.privateExpr, symbols, perWorker);
  if (!error && (shared < 0 || perWorker < 0))
    error = "a part is negative";
  if (!error &&
      (shared % OG_WORKSPACE_ALIGNMENT || perWorker % OG_WORKSPACE_ALIGNMENT))
    error = "a part is no multiple of 64";
  if (!error && (shared > maxSpanBytes || perWorker > maxSpanBytes / 1024))
    error = "overflow";
  if (error)
    return fail(OG_INVALID_VARIANT_PACK,
                "plan '%s': size of the workspace for these shapes: %s",
                plan.name(), error);
  bytes = shared + perWorker * plan.maxWorkers;
  return OG_OK;
}
