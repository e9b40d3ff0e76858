//===- Values.h - Values while a kernel is interpreted ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_VALUES_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_VALUES_H

#include "codegen/TileInterpreter/Formats.h"
#include "llvm/ADT/SmallVector.h"

#include <memory>
#include <variant>
#include <vector>

namespace opgraph::tile::interp {

class GlobalBuffer;

/// Memory of which parts of `bytes` bytes exist, `pitch` bytes from one to the
/// next, as an operand of huge strides touches it; all of it where `pitch` is
/// 0. Contents are those of the parts, one behind the other.
struct Islands {
  int64_t bytes = 0, pitch = 0;

  /// Where the byte at `offset` is among the contents.
  int64_t placeOf(int64_t offset) const {
    return pitch ? offset / pitch * bytes + offset % pitch : offset;
  }
  int64_t offsetOf(int64_t place) const {
    return pitch ? place / bytes * pitch + place % bytes : place;
  }
  /// Whether `count` bytes from `offset` on are in one part.
  bool holds(int64_t offset, int64_t count) const {
    return pitch == 0 || count <= bytes - offset % pitch;
  }
};
struct TensorMapModel;

/// A register tile in logical order, or (1 x 1) a scalar. One of the vectors is
/// in use: that of the format's holder.
struct Numbers {
  Format format = Format::I32;
  int64_t rows = 1, cols = 1;
  std::vector<float> floats;
  std::vector<double> doubles;
  std::vector<int64_t> integers;

  Numbers(Format format, int64_t rows, int64_t cols)
      : format(format), rows(rows), cols(cols) {
    switch (holderOf(format)) {
    case Holder::Float:
      floats.resize(rows * cols);
      break;
    case Holder::Double:
      doubles.resize(rows * cols);
      break;
    case Holder::Integer:
      integers.resize(rows * cols);
      break;
    }
  }
  int64_t count() const { return rows * cols; }
  bool isFloat() const { return holderOf(format) != Holder::Integer; }
  /// Element as a double; exact but for large 64-bit integers.
  double at(int64_t i) const {
    switch (holderOf(format)) {
    case Holder::Float:
      return floats[i];
    case Holder::Double:
      return doubles[i];
    case Holder::Integer:
      return double(integers[i]);
    }
    return 0;
  }
  void copy(int64_t to, const Numbers &other, int64_t from) {
    switch (holderOf(format)) {
    case Holder::Float:
      floats[to] = other.floats[from];
      break;
    case Holder::Double:
      doubles[to] = other.doubles[from];
      break;
    case Holder::Integer:
      integers[to] = other.integers[from];
      break;
    }
  }
  /// The element in memory and back.
  void load(int64_t i, const void *from) {
    switch (holderOf(format)) {
    case Holder::Float:
      floats[i] = loadFloat(format, from);
      break;
    case Holder::Double:
      doubles[i] = loadDouble(format, from);
      break;
    case Holder::Integer:
      integers[i] = loadInteger(format, from);
      break;
    }
  }
  void store(int64_t i, void *to) const {
    switch (holderOf(format)) {
    case Holder::Float:
      storeFloat(format, floats[i], to);
      break;
    case Holder::Double:
      storeInteger(Format::I64, int64_t(encode(format, doubles[i])), to);
      break;
    case Holder::Integer:
      storeInteger(format, integers[i], to);
      break;
    }
  }
};
using NumbersPtr = std::shared_ptr<const Numbers>;

inline NumbersPtr makeInteger(Format format, int64_t value) {
  auto numbers = std::make_shared<Numbers>(format, 1, 1);
  numbers->integers[0] = wrapInteger(format, value);
  return numbers;
}

/// A condition that is uniform per warp only: bit w for warp w of the group.
struct WarpMask {
  uint32_t bits = 0;
};

struct PointerValue {
  GlobalBuffer *buffer = nullptr;
  /// In bytes.
  int64_t offset = 0;
};

struct ViewValue {
  GlobalBuffer *buffer = nullptr;
  int64_t offset = 0;
  Format format = Format::F32;
  bool isReadonly = false;
  llvm::SmallVector<int64_t, 4> extents;
  /// In elements.
  llvm::SmallVector<int64_t, 4> strides;
};

/// A tensor map: an argument, or 128 bytes of workspace.
struct MapValue {
  std::shared_ptr<TensorMapModel> model;
};

/// Bytes of shared memory, seen through the layout of the value's type.
struct SharedValue {
  /// Rank in the cluster of the CTA that owns them.
  uint32_t cta = 0;
  int64_t base = 0;
  /// Of the kernel's: whose bytes they are.
  uint16_t allocation = 0;
};

/// A ring, semaphore or barrier: index among the kernel's.
struct ResourceValue {
  uint32_t index = 0;
};

/// A stage of a ring, held.
struct SlotValue {
  uint32_t ring = 0;
  uint32_t stage = 0;
};

/// An accumulator that MMA `sequence` of its agent's queue will hand over.
struct PendingValue {
  std::shared_ptr<NumbersPtr> result;
  uint32_t sequence = 0;
};

/// A committed group: all MMAs up to `sequence`.
struct GroupValue {
  uint32_t sequence = 0;
  uint32_t group = 0;
};

using Value = std::variant<std::monostate, NumbersPtr, WarpMask, PointerValue,
                           ViewValue, MapValue, SharedValue, ResourceValue,
                           SlotValue, PendingValue, GroupValue>;

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_VALUES_H
