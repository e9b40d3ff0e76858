//===- Buffers.h - Python operands as the runtime's buffers -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The one place that knows what kinds of objects a variant pack may hold:
// DLPack producers, NumPy arrays of ml_dtypes types, bare addresses.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PYTHON_BUFFERS_H
#define OPGRAPH_PYTHON_BUFFERS_H

#include "Api.h"

#include <memory>
#include <nanobind/nanobind.h>
#include <vector>

namespace opgraph::python {

/// The UTF-8 text of a str; anything else raises TypeError. (nanobind's own
/// cast to std::string refuses a str that is not an argument.)
std::string textOf(nanobind::handle object);

/// The buffers of one call, and what keeps their memory and their shape arrays
/// alive until it is over.
class Operands {
public:
  /// Reads `object` as the buffer of operand `uid`. `willWrite` refuses
  /// read-only memory. Throws ApiError or the producer's own exception.
  void add(int64_t uid, nanobind::handle object, bool willWrite);

  const og_buffer *data() const { return buffers.data(); }
  size_t size() const { return buffers.size(); }
  void reserve(size_t count) {
    buffers.reserve(count);
    owners.reserve(count);
  }

private:
  /// The fast way of a tensor on a device.
  bool addOnDevice(int64_t uid, nanobind::handle object, bool willWrite);
  bool addDLPack(int64_t uid, nanobind::handle object, bool willWrite);
  void addArrayInterface(int64_t uid, nanobind::handle object, bool willWrite);

  std::vector<og_buffer> buffers;
  /// DLPack capsules: their destructors release the producer's tensor.
  std::vector<nanobind::object> owners;
  /// Extents and strides of arrays that no capsule describes.
  std::vector<std::unique_ptr<int64_t[]>> shapes;
};

/// A contiguous block of memory for scratch. `object` may be None, a bare
/// address (its capacity is taken on trust) or an array.
struct Workspace {
  void *data = nullptr;
  size_t size = 0;
  og_device device = {0, 0};
  /// An address alone: `size` is not known.
  bool isBare = false;
  nanobind::object owner;
};
/// The base is moved up to `alignment`: a size from Plan::workspaceSize has the
/// slack for it, whatever the allocator did.
Workspace readWorkspace(nanobind::handle object, size_t alignment);

/// What a DLPack producer or NumPy array declares: (dtype, dims, strides,
/// device type, device id), for tensor_like. Strides are those of the buffer.
nanobind::tuple describeArray(nanobind::handle object);

} // namespace opgraph::python

#endif // OPGRAPH_PYTHON_BUFFERS_H
