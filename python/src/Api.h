//===- Api.h - The C API as the extension calls it --------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The runtime is linked; the compiler library is opened at first use, so that
// `import opgraph` and running finished plans never load LLVM.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PYTHON_API_H
#define OPGRAPH_PYTHON_API_H

#include "opgraph-c/compiler.h"
#include "opgraph-c/graph.h"
#include "opgraph-c/runtime.h"
#include "opgraph-c/status.h"

#include <string>

namespace opgraph::python {

/// A failed C call on its way to becoming a Python exception
/// (opgraph._errors.make_error).
struct ApiError {
  og_status status;
  std::string text;
};

/// Throws ApiError with this thread's last error unless `status` is OG_OK.
void check(og_status status);

/// Throws ApiError with a text of the extension's own.
[[noreturn]] void fail(og_status status, std::string text);

/// Every function of the compiler library that the extension calls.
#define OPGRAPH_COMPILER_FUNCTIONS(X)                                          \
  X(opgraph_version)                                                           \
  X(og_compiler_create)                                                        \
  X(og_bytes_data)                                                             \
  X(og_bytes_size)                                                             \
  X(og_bytes_release)                                                          \
  X(og_graph_create)                                                           \
  X(og_graph_parse)                                                            \
  X(og_graph_release)                                                          \
  X(og_graph_name)                                                             \
  X(og_graph_get_options)                                                      \
  X(og_graph_set_default_dtypes)                                               \
  X(og_graph_is_frozen)                                                        \
  X(og_graph_validate)                                                         \
  X(og_graph_print)                                                            \
  X(og_graph_tensor)                                                           \
  X(og_graph_scalar)                                                           \
  X(og_tensor_set_name)                                                        \
  X(og_tensor_set_dtype)                                                       \
  X(og_tensor_set_dims)                                                        \
  X(og_tensor_set_strides)                                                     \
  X(og_tensor_set_uid)                                                         \
  X(og_tensor_set_virtual)                                                     \
  X(og_tensor_set_by_value)                                                    \
  X(og_tensor_set_alignment)                                                   \
  X(og_tensor_set_reordering)                                                  \
  X(og_tensor_set_ragged_offset)                                               \
  X(og_graph_num_tensors)                                                      \
  X(og_tensor_get)                                                             \
  X(og_graph_find_uid)                                                         \
  X(og_graph_op)                                                               \
  X(og_graph_begin_region)                                                     \
  X(og_graph_end_region)                                                       \
  X(og_graph_abandon_region)                                                   \
  X(og_graph_region)                                                           \
  X(og_graph_num_nodes)                                                        \
  X(og_graph_node)                                                             \
  X(og_graph_node_operand)                                                     \
  X(og_graph_node_result)                                                      \
  X(og_graph_node_attribute)                                                   \
  X(og_op_num_results)                                                         \
  X(og_graph_create_plans)                                                     \
  X(og_graph_create_plan)                                                      \
  X(og_graph_num_plans)                                                        \
  X(og_graph_plan_info)                                                        \
  X(og_knob_name)                                                              \
  X(og_knob_type)                                                              \
  X(og_graph_select)                                                           \
  X(og_graph_deselect_engines)                                                 \
  X(og_graph_deselect_workspace)                                               \
  X(og_graph_deselect_shared_memory)                                           \
  X(og_graph_filter_behavior)                                                  \
  X(og_graph_filter_numeric)                                                   \
  X(og_graph_explain)                                                          \
  X(og_graph_build)                                                            \
  X(og_graph_build_all)                                                        \
  X(og_graph_build_at)                                                         \
  X(og_graph_candidate)                                                        \
  X(og_graph_plan)                                                             \
  X(og_graph_num_stages)                                                       \
  X(og_graph_stage)

/// The compiler library's functions.
struct CompilerApi {
#define OPGRAPH_MEMBER(name) decltype(&::name) name = nullptr;
  OPGRAPH_COMPILER_FUNCTIONS(OPGRAPH_MEMBER)
#undef OPGRAPH_MEMBER
  /// The process's one compiler.
  og_compiler *compiler = nullptr;
};

/// Opens the compiler library on the first call; thread-safe. Throws ApiError
/// (OG_LIBRARY_MISSING) naming the file tried.
const CompilerApi &compilerApi();

/// Whether compilerApi() has been called with success.
bool isCompilerLoaded();

} // namespace opgraph::python

#endif // OPGRAPH_PYTHON_API_H
