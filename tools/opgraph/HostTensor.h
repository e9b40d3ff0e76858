//===- HostTensor.h - A buffer for one operand ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TOOLS_OPGRAPH_HOSTTENSOR_H
#define OPGRAPH_TOOLS_OPGRAPH_HOSTTENSOR_H

#include "Npy.h"
#include "opgraph-c/runtime.h"

#include <memory>
#include <string>
#include <vector>

namespace opgraph::cli {

/// Memory for an operand of a plan, with the extents and strides of one run.
class HostTensor {
public:
  /// `shape` holds no dynamic extent; dynamic strides become packed ones.
  HostTensor(const og_operand_info &info, std::vector<int64_t> shape);

  /// Values from `seed` and the uid alone: floats in [-1, 1), small integers.
  void fillRandom(uint64_t seed);
  /// Values of an array of the same extents and element size.
  void fillFrom(const NpyArray &array, const std::string &path);
  /// All bytes 0xff: NaN for floats, so that an element not written shows.
  void poison();

  /// Elements in row-major order, without gaps.
  std::string packed() const;
  /// The index-th element in row-major order.
  double at(int64_t index) const;

  og_buffer buffer();
  /// The memory from the element with index 0 on.
  char *data() const { return memory.get(); }
  size_t sizeInBytes() const { return bytes; }

  int64_t uid;
  std::string name;
  int32_t dtype;
  bool isOutput;
  bool byValue;
  /// A by-value operand that may be left out.
  bool hasDefault;
  std::vector<int64_t> shape, strides;
  int64_t numElements = 1;

private:
  /// Offset in elements from the one with index 0.
  size_t elementOffset(int64_t index) const;
  /// Moves the index-th element in row-major order to or from bytes of its own.
  void load(int64_t index, char *element) const;
  void store(int64_t index, const char *element);

  struct Free {
    void operator()(char *memory) const;
  };
  std::unique_ptr<char, Free> memory;
  size_t bytes = 0;
};

} // namespace opgraph::cli

#endif // OPGRAPH_TOOLS_OPGRAPH_HOSTTENSOR_H
