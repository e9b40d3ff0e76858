//===- opgraph/OpCall.h - Arguments of one operation ------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_OPCALL_H
#define OPGRAPH_OPCALL_H

#include "opgraph/Tensor.h"

#include <optional>
#include <type_traits>
#include <utility>

namespace opgraph {

namespace detail {

/// A number as the C API takes it.
template <typename T>
inline og_value toValue(T value) {
  og_value result = {};
  if constexpr (std::is_same_v<T, bool>) {
    result.kind = OG_VALUE_BOOL;
    result.i64 = value;
  } else if constexpr (std::is_floating_point_v<T>) {
    result.kind = OG_VALUE_F64;
    result.f64 = value;
  } else {
    static_assert(std::is_integral_v<T> || std::is_enum_v<T>);
    result.kind = OG_VALUE_I64;
    result.i64 = static_cast<int64_t>(value);
  }
  return result;
}

/// The arguments of one operation, as the generated methods collect them.
class OpCall {
public:
  OpCall(const char *op, const std::string &name) : op(op), name(name) {}

  void operand(const char *port, Tensor tensor, bool optional = false) {
    // An invalid tensor where one is required follows an earlier error, or
    // is a result that does not exist: the C API then reports it missing.
    if (tensor.valid() || !optional)
      operands.push_back({port, tensor.get()});
  }
  void operand(const char *port, const std::vector<Tensor> &tensors) {
    for (Tensor tensor : tensors)
      operands.push_back({port, tensor.get()});
  }
  template <typename T>
  void attribute(const char *attr, const T &value) {
    attributes.push_back({attr, toValue(value)});
  }
  template <typename T>
  void attribute(const char *attr, const std::optional<T> &value) {
    if (value)
      attribute(attr, *value);
  }
  void attribute(const char *attr, DataType value) {
    og_value c = toValue(value);
    c.kind = OG_VALUE_DTYPE;
    attributes.push_back({attr, c});
  }
  void attribute(const char *attr, const std::vector<int64_t> &value) {
    og_value c = {};
    c.kind = OG_VALUE_I64_ARRAY;
    c.array = value.data();
    c.size = value.size();
    attributes.push_back({attr, c});
  }

  /// Tensors that become results.
  void output(const std::vector<std::pair<std::string, Tensor>> &tensors) {
    for (const auto &[port, tensor] : tensors)
      outputs.push_back({port.c_str(), tensor.get()});
  }

  const char *op;
  const std::string &name;
  int32_t region = 0;
  std::vector<og_named_tensor> operands;
  std::vector<og_named_tensor> outputs;
  std::vector<og_named_value> attributes;
};

} // namespace detail

} // namespace opgraph

#endif // OPGRAPH_OPCALL_H
