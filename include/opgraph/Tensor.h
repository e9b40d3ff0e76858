//===- opgraph/Tensor.h - Tensors of a graph --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TENSOR_H
#define OPGRAPH_TENSOR_H

#include "opgraph-c/graph.h"
#include "opgraph/Plan.h"
#include "opgraph/Result.h"

#include <string>
#include <vector>

namespace opgraph {

/// An extent that is known only at execution.
constexpr int64_t dynamic = OG_DYNAMIC;

/// How blocks of elements are ordered in memory.
enum class Reordering : int32_t {
  None = 0,
  Int8x32 = 1,
  F16x16 = 2,
  F8_128x4 = 3,
};

namespace detail {
/// What a graph and its tensors share: the handle and the first error.
struct GraphState {
  og_graph *handle = nullptr;
  Error error;

  ~GraphState() { og_graph_release(handle); }
  /// Records a failure; true when there was none.
  bool check(og_status status) {
    if (status != OG_OK && error.status == OG_OK)
      error = Error::last(status);
    return status == OG_OK;
  }
};
} // namespace detail

/// A tensor of a graph; cheap to copy. Setters return the tensor and record
/// errors on the graph. It must not outlive the graph.
class Tensor {
public:
  Tensor() = default;
  Tensor(detail::GraphState *state, og_tensor id) : state(state), id(id) {}

  /// False for a result that an operation does not have, and after an error.
  bool valid() const { return state && id != OG_NO_TENSOR; }
  /// The tensor's number in the C API.
  og_tensor get() const { return id; }

  /// The label; need not be unique.
  Tensor setName(const std::string &name) const {
    return set(
        [&](og_graph *g) { return og_tensor_set_name(g, id, name.c_str()); });
  }
  /// NotSet takes the graph's default.
  Tensor setDataType(DataType type) const {
    return set([&](og_graph *g) {
      return og_tensor_set_dtype(g, id, static_cast<int32_t>(type));
    });
  }
  /// Extents, `dynamic` for those known only at execution.
  Tensor setDim(const std::vector<int64_t> &dims) const {
    return set([&](og_graph *g) {
      return og_tensor_set_dims(g, id, int32_t(dims.size()), dims.data());
    });
  }
  /// Strides in elements, one per extent.
  Tensor setStride(const std::vector<int64_t> &strides) const {
    return set([&](og_graph *g) {
      return og_tensor_set_strides(g, id, int32_t(strides.size()),
                                   strides.data());
    });
  }
  /// Names of the dynamic extents, "" on static axes.
  Tensor setSymbols(const std::vector<std::string> &names) const {
    std::vector<const char *> pointers;
    for (const std::string &name : names)
      pointers.push_back(name.c_str());
    return set([&](og_graph *g) {
      return og_tensor_set_symbols(g, id, int32_t(pointers.size()),
                                   pointers.data());
    });
  }
  /// The key in a variant pack, at least 0; unset it is chosen.
  Tensor setUid(int64_t uid) const {
    return set([&](og_graph *g) { return og_tensor_set_uid(g, id, uid); });
  }
  /// Makes a result an output of the graph (or takes that back).
  Tensor setOutput(bool output = true) const {
    return set(
        [&](og_graph *g) { return og_tensor_set_virtual(g, id, !output); });
  }
  /// A scalar in host memory, read at each call.
  Tensor setByValue(bool byValue = true) const {
    return set(
        [&](og_graph *g) { return og_tensor_set_by_value(g, id, byValue); });
  }
  /// Bytes of pointer alignment promised: a power of two, 16 unless set.
  Tensor setAlignment(int64_t bytes) const {
    return set(
        [&](og_graph *g) { return og_tensor_set_alignment(g, id, bytes); });
  }

  /// The order of blocks in memory; None unless set.
  Tensor setReordering(Reordering reordering) const {
    return set([&](og_graph *g) {
      return og_tensor_set_reordering(g, id, static_cast<int32_t>(reordering));
    });
  }
  /// Packed sequences: `offset` holds where each starts, times `multiplier`.
  Tensor setRaggedOffset(Tensor offset, int64_t multiplier = 1) const {
    return set([&](og_graph *g) {
      return og_tensor_set_ragged_offset(g, id, offset.get(), multiplier);
    });
  }

  /// The key in a variant pack.
  int64_t uid() const { return info().uid; }
  /// NotSet while unknown.
  DataType dataType() const { return static_cast<DataType>(info().dtype); }
  std::string name() const {
    og_tensor_info i = info();
    return i.name ? i.name : "";
  }
  /// Extents; empty while unset.
  std::vector<int64_t> dim() const {
    og_tensor_info i = info();
    return i.dims ? std::vector<int64_t>(i.dims, i.dims + i.ndim)
                  : std::vector<int64_t>();
  }
  /// Strides in elements; empty while unset.
  std::vector<int64_t> stride() const {
    og_tensor_info i = info();
    return i.strides ? std::vector<int64_t>(i.strides, i.strides + i.ndim)
                     : std::vector<int64_t>();
  }

private:
  template <typename Setter>
  Tensor set(Setter setter) const {
    if (valid())
      state->check(setter(state->handle));
    return *this;
  }
  og_tensor_info info() const {
    og_tensor_info result = {};
    result.struct_size = sizeof(result);
    if (valid())
      state->check(og_tensor_get(state->handle, id, &result));
    return result;
  }

  detail::GraphState *state = nullptr;
  og_tensor id = OG_NO_TENSOR;
};

} // namespace opgraph

#endif // OPGRAPH_TENSOR_H
