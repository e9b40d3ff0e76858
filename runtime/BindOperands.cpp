//===- BindOperands.cpp - One descriptor per operand ----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// The rules of what may be bound to an operand. The declaration is the
/// contract: a buffer of the declared extents keeps its own strides if the plan
/// serves them; any other dense buffer with enough bytes is read as declared;
/// the rest is refused by name.
///
//===----------------------------------------------------------------------===//

#include "runtime/Binding.h"
#include "runtime/Error.h"

#include <cstdio>
#include <cstring>

using namespace opgraph::runtime;

namespace {

long long ll(int64_t value) { return value; }

/// Binds one operand.
class OperandBinder {
public:
  OperandBinder(const og_plan &plan, const Frame &frame, size_t index)
      : plan(plan), frame(frame), index(index), operand(plan.operands[index]),
        bound(frame.bound(index)), descriptor(*frame.descriptor(operand)),
        extents(descriptor.sizes()), strides(descriptor.strides(operand.rank)) {
  }

  og_status run();

private:
  og_status declare();
  og_status bindByValue();
  og_status checkDevice(const og_buffer &buffer);
  og_status applyOverride(const og_override &item);
  og_status describe(const og_buffer &buffer);
  bool readAsHalves(const og_buffer &buffer, og_buffer &halves,
                    int64_t *layout);
  og_status keepOwnStrides(const og_buffer &buffer, bool &kept);
  og_status redescribe(const og_buffer &buffer);
  og_status checkFreeSymbols(const og_buffer &buffer);
  og_status requiredBytes(int64_t &bytes);
  og_status finish(const og_buffer &buffer);

  bool serves(uint32_t axis) const {
    return operand.strideRule == OG_STRIDES_ANY ||
           (operand.strideRule == OG_STRIDES_UNIT_INNER && strides[axis] != 1);
  }
  bool hasExtents(const og_buffer &buffer) const {
    if (buffer.ndim != int64_t(operand.rank))
      return false;
    for (uint32_t i = 0; i < operand.rank; ++i)
      if (buffer.shape[i] != extents[i])
        return false;
    return true;
  }
  unsigned bitsOf(const og_buffer &buffer) const {
    return buffer.dtype == OG_DTYPE_NOT_SET
               ? operand.bits
               : og_dtype_bits(static_cast<og_dtype>(buffer.dtype));
  }
  /// Refuses the operand: "operand 'x' (uid 1) ...".
  [[gnu::format(printf, 2, 3)]] og_status refuse(const char *format, ...);

  const og_plan &plan;
  const Frame &frame;
  size_t index;
  const OperandRecord &operand;
  BoundOperand &bound;
  Descriptor &descriptor;
  int64_t *extents;
  int64_t *strides;
};

} // namespace

og_status OperandBinder::refuse(const char *format, ...) {
  char text[1024];
  va_list args;
  va_start(args, format);
  std::vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  return fail(OG_INVALID_VARIANT_PACK, "%s '%s' (uid %lld) %s",
              operand.isOutput ? "output" : "operand", operand.name,
              ll(operand.uid), text);
}

og_status OperandBinder::run() {
  const og_buffer *buffer = bound.buffer;
  if (!buffer && !operand.defaultValue)
    return refuse("is missing from the variant pack");
  if (og_status status = declare())
    return status;
  if (operand.byValue)
    return bindByValue();
  if (og_status status = checkDevice(*buffer))
    return status;
  if (bound.override_)
    if (og_status status = applyOverride(*bound.override_))
      return status;
  if (og_status status = describe(*buffer))
    return status;
  return finish(*buffer);
}

/// Writes the declared extents and strides for the bound symbols.
og_status OperandBinder::declare() {
  size_t bytes = operand.rank * sizeof(int64_t);
  if (bytes) {
    std::memcpy(extents, operand.extents, bytes);
    std::memcpy(strides, operand.strides, bytes);
  }
  bound.span = operand.span;
  if (!operand.isDynamic)
    return OG_OK;
  for (uint32_t i = 0; i < operand.rank; ++i) {
    const char *error = nullptr;
    if (extents[i] == OG_DYNAMIC)
      error = plan.exprs.evaluate(operand.extentExprs[i], frame.symbols(),
                                  extents[i]);
    if (!error && strides[i] == OG_DYNAMIC)
      error = plan.exprs.evaluate(operand.strideExprs[i], frame.symbols(),
                                  strides[i]);
    if (error)
      return refuse("axis %u: extent or stride: %s", i, error);
  }
  LayoutView layout = frame.layout(operand);
  if (const char *error = computeSpan(layout, bound.span))
    return refuse("with extents %s and strides %s: %s",
                  ListText(extents, operand.rank).str(),
                  ListText(strides, operand.rank).str(), error);
  return OG_OK;
}

og_status OperandBinder::bindByValue() {
  size_t bytes = operand.bits / 8;
  const void *source = operand.defaultValue;
  if (const og_buffer *buffer = bound.buffer) {
    if (og_status status = checkDevice(*buffer))
      return status;
    if (!buffer->data)
      return refuse("is by value, but its data pointer is null");
    if (bitsOf(*buffer) != operand.bits)
      return refuse("is by value with %u bits (%s), expected %u (%s)",
                    bitsOf(*buffer),
                    og_dtype_name(static_cast<og_dtype>(buffer->dtype)),
                    operand.bits, og_dtype_name(operand.dtype));
    for (int32_t i = 0; i < buffer->ndim; ++i)
      if (buffer->shape[i] < 1)
        return refuse("is by value, but its buffer has no element");
    source = buffer->data;
  }
  // A copy: the caller's value may lie in memory that an output overwrites.
  void *value = frame.valueOf(index);
  std::memcpy(value, source, bytes);
  descriptor.allocated = descriptor.aligned = value;
  descriptor.offset = 0;
  return OG_OK;
}

og_status OperandBinder::checkDevice(const og_buffer &buffer) {
  bool onDevice = plan.isCuda() && !operand.byValue;
  switch (buffer.device.type) {
  case 0: // Not set: where the plan runs.
  case OG_DEVICE_CUDA_MANAGED:
    return OG_OK;
  case OG_DEVICE_HOST:
  case OG_DEVICE_CUDA_HOST:
    if (!onDevice)
      return OG_OK;
    break;
  case OG_DEVICE_CUDA:
    if (onDevice)
      return OG_OK;
    break;
  }
  return refuse("is on device type %d id %d, expected %s (type %d)",
                buffer.device.type, buffer.device.id,
                onDevice ? "a CUDA device" : "the host",
                onDevice ? OG_DEVICE_CUDA : OG_DEVICE_HOST);
}

og_status OperandBinder::applyOverride(const og_override &item) {
  for (uint32_t i = 0; i < operand.rank; ++i)
    if (item.shape[i] != extents[i])
      return refuse("is overridden to extents %s, but the plan derives %s",
                    ListText(item.shape, operand.rank).str(),
                    ListText(extents, operand.rank).str());
  // Strides of a tensor without elements mean nothing.
  if (!item.strides || bound.span.elements == 0)
    return OG_OK;
  for (uint32_t i = 0; i < operand.rank; ++i)
    if (extents[i] > 1 && item.strides[i] != strides[i] && !serves(i))
      return refuse("is overridden to strides %s, but the plan serves %s",
                    ListText(item.strides, operand.rank).str(),
                    ListText(strides, operand.rank).str());
  for (uint32_t i = 0; i < operand.rank; ++i)
    if (extents[i] > 1)
      strides[i] = item.strides[i];
  if (const char *error = computeSpan(frame.layout(operand), bound.span))
    return refuse("is overridden to strides %s: %s",
                  ListText(item.strides, operand.rank).str(), error);
  return OG_OK;
}

/// Settles strides and span from what the buffer is.
og_status OperandBinder::describe(const og_buffer &buffer) {
  // A bare pointer is taken on trust.
  if (buffer.ndim == OG_BARE_POINTER)
    return OG_OK;
  if (bitsOf(buffer) == 0)
    return refuse("has a buffer of the unknown dtype %d", buffer.dtype);
  og_buffer halves;
  int64_t layout[2 * OG_MAX_RANK];
  bool isHalves = readAsHalves(buffer, halves, layout);
  const og_buffer &own = isHalves ? halves : buffer;
  if (hasExtents(own) && bitsOf(own) == operand.bits) {
    bool kept = false;
    if (og_status status = keepOwnStrides(own, kept))
      return status;
    if (kept)
      return OG_OK;
  }
  return redescribe(buffer);
}

/// Where bytes stand for pairs of 4-bit elements along the declared axis of
/// stride 1, which then has half of the extent: the buffer as one of elements.
/// `layout` is memory for its extents and strides.
bool OperandBinder::readAsHalves(const og_buffer &buffer, og_buffer &halves,
                                 int64_t *layout) {
  if (operand.bits != 4 || bitsOf(buffer) != 8 ||
      buffer.ndim != int64_t(operand.rank))
    return false;
  uint32_t unit = 0;
  while (unit < operand.rank && (extents[unit] == 1 || strides[unit] != 1))
    ++unit;
  if (unit == operand.rank)
    return false;
  int64_t *shape = layout, *own = layout + operand.rank;
  packedStrides(buffer.shape, operand.rank, own);
  if (buffer.strides)
    std::memcpy(own, buffer.strides, operand.rank * sizeof(int64_t));
  if (buffer.shape[unit] != 1 && own[unit] != 1)
    return false;
  for (uint32_t i = 0; i < operand.rank; ++i) {
    shape[i] = buffer.shape[i];
    if (__builtin_mul_overflow(own[i], int64_t(2), &own[i]))
      return false;
  }
  own[unit] = 1;
  if (__builtin_mul_overflow(shape[unit], int64_t(2), &shape[unit]))
    return false;
  halves = buffer;
  halves.dtype = operand.dtype;
  halves.shape = shape;
  halves.strides = own;
  return hasExtents(halves);
}

/// For a buffer of the declared extents: `kept` tells whether its strides are
/// in the descriptor now. False only when an override gives other strides.
og_status OperandBinder::keepOwnStrides(const og_buffer &buffer, bool &kept) {
  int64_t packed[OG_MAX_RANK];
  const int64_t *own = buffer.strides;
  if (!own) {
    packedStrides(extents, operand.rank, packed);
    own = packed;
  }
  kept = true;
  bool same = true;
  if (bound.span.elements == 0)
    return OG_OK;
  for (uint32_t i = 0; i < operand.rank; ++i)
    same &= extents[i] <= 1 || own[i] == strides[i];
  if (same)
    return OG_OK;
  if (bound.override_ && bound.override_->strides) {
    kept = false;
    return OG_OK;
  }
  for (uint32_t i = 0; i < operand.rank; ++i)
    if (extents[i] > 1 && own[i] != strides[i] && !serves(i))
      return refuse("has strides %s, but the plan serves %s (%s)",
                    ListText(own, operand.rank).str(),
                    ListText(strides, operand.rank).str(),
                    operand.strideRule == OG_STRIDES_EXACT
                        ? "exactly"
                        : "with that unit stride");
  for (uint32_t i = 0; i < operand.rank; ++i)
    if (extents[i] > 1)
      strides[i] = own[i];
  if (const char *error = computeSpan(frame.layout(operand), bound.span))
    return refuse("has strides %s: %s", ListText(own, operand.rank).str(),
                  error);
  return OG_OK;
}

/// Reads a dense buffer as declared.
og_status OperandBinder::redescribe(const og_buffer &buffer) {
  if (og_status status = checkFreeSymbols(buffer))
    return status;
  LayoutView own{buffer.shape, buffer.strides, uint32_t(buffer.ndim),
                 bitsOf(buffer)};
  size_t rank = buffer.ndim;
  LayoutView packed = own;
  packed.strides = nullptr;
  Span span;
  if (const char *error = computeSpan(packed, span))
    return refuse("has a buffer with extents %s: %s",
                  ListText(own.extents, rank).str(), error);
  if (!isDense(own))
    return refuse("has a buffer with extents %s and strides %s, declared are "
                  "%s and %s; only a dense buffer can be read as declared",
                  ListText(own.extents, rank).str(),
                  ListText(own.strides, rank).str(),
                  ListText(extents, operand.rank).str(),
                  ListText(strides, operand.rank).str());
  if (bound.span.lowByte < 0)
    return refuse("has negative strides %s, so its buffer must have the "
                  "declared extents %s",
                  ListText(strides, operand.rank).str(),
                  ListText(extents, operand.rank).str());
  int64_t required;
  if (og_status status = requiredBytes(required))
    return status;
  if (span.highByte < required)
    return refuse("has a buffer of %lld bytes (extents %s), declared are %lld "
                  "bytes (extents %s)",
                  ll(span.highByte), ListText(own.extents, rank).str(),
                  ll(required), ListText(extents, operand.rank).str());
  // Ragged rows lie where the offsets say: all of the buffer.
  if (operand.storage == OG_STORAGE_RAGGED)
    bound.span.highByte = span.highByte;
  return OG_OK;
}

/// Refuses a buffer of the declared rank whose extent contradicts a symbol
/// that gets its value from buffers.
og_status OperandBinder::checkFreeSymbols(const og_buffer &buffer) {
  if (!operand.isDynamic || buffer.ndim != int64_t(operand.rank))
    return OG_OK;
  for (uint32_t i = 0; i < operand.rank; ++i) {
    if (buffer.shape[i] == extents[i])
      continue;
    int64_t unset = plan.exprs.firstUnknown(operand.extentExprs[i],
                                            plan.symbolDefaults.data());
    if (unset < 0)
      continue;
    const SymbolRecord &symbol = plan.symbols[unset];
    const OperandRecord &source = plan.operands[symbol.operand];
    if (frame.bound(symbol.operand).override_)
      continue;
    return refuse("axis %u has extent %lld, expected %lld: symbol '%s' is %lld "
                  "from operand '%s' (uid %lld) axis %u",
                  i, ll(buffer.shape[i]), ll(extents[i]), symbol.name,
                  ll(frame.symbols()[unset]), source.name, ll(source.uid),
                  symbol.axis);
  }
  return OG_OK;
}

/// The bytes that the storage rule asks for.
og_status OperandBinder::requiredBytes(int64_t &bytes) {
  bytes = bound.span.highByte;
  if (operand.storage != OG_STORAGE_RAGGED)
    return OG_OK;
  bytes = 0;
  if (operand.storageBytesExpr < 0)
    return OG_OK;
  const char *error = plan.exprs.evaluate(uint32_t(operand.storageBytesExpr),
                                          frame.symbols(), bytes);
  return error ? refuse("bytes of ragged storage: %s", error) : OG_OK;
}

/// Checks the address and writes the descriptor.
og_status OperandBinder::finish(const og_buffer &buffer) {
  LayoutView layout = frame.layout(operand);
  if (operand.storage == OG_STORAGE_RAGGED)
    layout = withoutFirstAxis(layout);
  if (operand.isOutput && !isInjective(layout))
    return refuse("with extents %s and strides %s overlaps itself",
                  ListText(extents, operand.rank).str(),
                  ListText(strides, operand.rank).str());
  descriptor.allocated = descriptor.aligned = buffer.data;
  descriptor.offset = 0;
  if (bound.span.elements == 0)
    return OG_OK;
  if (!buffer.data)
    return refuse("has a null data pointer, but %lld elements",
                  ll(bound.span.elements));
  uintptr_t address = reinterpret_cast<uintptr_t>(buffer.data);
  if (address % operand.alignment)
    return refuse("is at address 0x%llx, expected alignment to %u bytes",
                  static_cast<unsigned long long>(address), operand.alignment);
  uintptr_t end;
  if (__builtin_add_overflow(address, uintptr_t(bound.span.highByte), &end) ||
      address < uintptr_t(-bound.span.lowByte))
    return refuse("of %lld bytes at address 0x%llx leaves the address space",
                  ll(bound.span.highByte - bound.span.lowByte),
                  static_cast<unsigned long long>(address));
  return OG_OK;
}

og_status opgraph::runtime::bindOperands(const og_plan &plan,
                                         const Frame &frame) {
  for (size_t i = 0; i < plan.operands.size(); ++i)
    if (og_status status = OperandBinder(plan, frame, i).run())
      return status;
  return OG_OK;
}
