//===- Tensors.cpp - Declaring tensors: the C API -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Layout.h"
#include "lib/Graph/GraphImpl.h"
#include "lib/Support/CApi.h"
#include "lib/Support/Dtypes.h"
#include "llvm/Support/MathExtras.h"

using namespace opgraph;
using namespace opgraph::lib;
using llvm::Twine;

static_assert(OG_MAX_RANK == graph::maxRank,
              "what the API declares, the dialect accepts");

//===----------------------------------------------------------------------===//
// Checks of one field
//===----------------------------------------------------------------------===//

/// Rank and pointer of an array of `ndim` numbers of tensor `what`.
static og_status checkArray(const std::string &what, const char *field,
                            int32_t ndim, const void *values) {
  if (ndim < 0 || ndim > OG_MAX_RANK)
    return fail(OG_INVALID_VALUE, what + ": expected the rank of its " + field +
                                      " to be in [0, " + Twine(OG_MAX_RANK) +
                                      "], got " + Twine(ndim));
  if (ndim && !values)
    return fail(OG_INVALID_ARGUMENT, what + ": " + field + " is null");
  return OG_OK;
}

/// Each value at least 0, or OG_DYNAMIC.
static og_status checkExtents(const std::string &what, const char *field,
                              int32_t ndim, const int64_t *values) {
  OG_TRY(checkArray(what, field, ndim, values));
  for (int32_t axis = 0; axis < ndim; ++axis)
    if (values[axis] < 0 && values[axis] != OG_DYNAMIC)
      return fail(OG_INVALID_VALUE,
                  what + ": expected the " + field + " of axis " + Twine(axis) +
                      " to be at least 0, got " + Twine(values[axis]));
  return OG_OK;
}

static og_status checkOrder(const std::string &what, int32_t ndim,
                            const int64_t *order) {
  OG_TRY(checkArray(what, "order", ndim, order));
  llvm::SmallVector<bool> seen(ndim, false);
  for (int32_t axis = 0; axis < ndim; ++axis) {
    int64_t value = order[axis];
    if (value < 0 || value >= ndim || seen[value])
      return fail(OG_INVALID_VALUE,
                  what + ": expected its order to be a permutation of the " +
                      Twine(ndim) + " axes, got " + Twine(value) +
                      " at position " + Twine(axis));
    seen[value] = true;
  }
  return OG_OK;
}

static og_status checkTensorDtype(const std::string &what, int32_t dtype) {
  if (dtype == OG_DTYPE_NOT_SET || isElementDtype(dtype))
    return OG_OK;
  if (!isDtype(dtype))
    return fail(OG_INVALID_VALUE,
                what + ": expected an og_dtype, got " + Twine(dtype));
  return fail(OG_UNSUPPORTED, what + ": dtype " +
                                  og_dtype_name(og_dtype(dtype)) +
                                  " is not supported for tensors");
}

/// Extents are stored with MLIR's mark of a dynamic one, which is OG_DYNAMIC.
static_assert(OG_DYNAMIC == mlir::ShapedType::kDynamic);

static std::vector<std::string> copySymbols(int32_t ndim,
                                            const char *const *symbols) {
  std::vector<std::string> result;
  for (int32_t axis = 0; symbols && axis < ndim; ++axis)
    result.push_back(symbols[axis] ? symbols[axis] : "");
  return result;
}

//===----------------------------------------------------------------------===//
// Creation
//===----------------------------------------------------------------------===//

og_status og_graph_tensor(og_graph *graph, const og_tensor_desc *desc,
                          og_tensor *out) {
  OG_TRY(checkNotNull(out, "out"));
  *out = OG_NO_TENSOR;
  OG_TRY(checkNotNull(graph, "graph"));
  og_tensor_desc given;
  OG_TRY(readStruct(desc, given, "og_tensor_desc"));
  TensorRecord record;
  record.name = given.name ? given.name : "";
  std::string what = "tensor '" + record.name + "'";
  OG_TRY(checkTensorDtype(what, given.dtype));
  record.declared.dtype = given.dtype;
  if (given.dims) {
    OG_TRY(checkExtents(what, "extent", given.ndim, given.dims));
    record.declared.dims.emplace(given.dims, given.dims + given.ndim);
    record.declared.symbols = copySymbols(given.ndim, given.symbols);
  }
  if (given.strides) {
    OG_TRY(checkExtents(what, "stride", given.ndim, given.strides));
    record.declared.strides.emplace(given.strides, given.strides + given.ndim);
  }
  OG_TRY(graph->beginChange("og_graph_tensor"));
  *out = graph->addTensor(std::move(record));
  return OG_OK;
}

og_status og_graph_scalar(og_graph *graph, const og_value *value, int32_t dtype,
                          int32_t constant, const char *name, og_tensor *out) {
  OG_TRY(checkNotNull(out, "out"));
  *out = OG_NO_TENSOR;
  OG_TRY(checkNotNull(graph, "graph"));
  OG_TRY(checkNotNull(value, "value"));
  TensorRecord record;
  record.name = name ? name : "";
  std::string what = "scalar '" + record.name + "'";
  OG_TRY(checkTensorDtype(what, dtype));
  OG_TRY(readScalar(value, what, record.value));
  if (record.value.kind == OG_VALUE_NONE)
    return fail(OG_ATTRIBUTE_NOT_SET, what + " has no value");
  record.declared.dtype = dtype ? dtype : defaultScalarDtype(*value);
  record.declared.dims.emplace(1, 1);
  record.declared.strides.emplace(1, 1);
  record.byValue = !constant;
  record.isConstant = constant != 0;
  OG_TRY(graph->beginChange("og_graph_scalar"));
  *out = graph->addTensor(std::move(record));
  return OG_OK;
}

//===----------------------------------------------------------------------===//
// Setters
//===----------------------------------------------------------------------===//

/// What all setters begin with; gives the record to change.
static og_status begin(og_graph *graph, og_tensor tensor, const char *call,
                       TensorRecord *&record) {
  OG_TRY(checkNotNull(graph, "graph"));
  OG_TRY(graph->beginTensorChange(call, tensor));
  record = &graph->tensors[tensor];
  return OG_OK;
}

og_status og_tensor_set_name(og_graph *graph, og_tensor tensor,
                             const char *name) {
  OG_TRY(checkNotNull(name, "name"));
  TensorRecord *record;
  OG_TRY(begin(graph, tensor, "og_tensor_set_name", record));
  record->name = name;
  return OG_OK;
}

og_status og_tensor_set_dtype(og_graph *graph, og_tensor tensor,
                              int32_t dtype) {
  TensorRecord *record;
  OG_TRY(begin(graph, tensor, "og_tensor_set_dtype", record));
  OG_TRY(checkTensorDtype(graph->describe(tensor), dtype));
  record->declared.dtype = dtype;
  return OG_OK;
}

og_status og_tensor_set_dims(og_graph *graph, og_tensor tensor, int32_t ndim,
                             const int64_t *dims) {
  TensorRecord *record;
  OG_TRY(begin(graph, tensor, "og_tensor_set_dims", record));
  OG_TRY(checkExtents(graph->describe(tensor), "extent", ndim, dims));
  record->declared.dims.emplace(dims, dims + ndim);
  return OG_OK;
}

og_status og_tensor_set_strides(og_graph *graph, og_tensor tensor, int32_t ndim,
                                const int64_t *strides) {
  TensorRecord *record;
  OG_TRY(begin(graph, tensor, "og_tensor_set_strides", record));
  OG_TRY(checkExtents(graph->describe(tensor), "stride", ndim, strides));
  record->declared.strides.emplace(strides, strides + ndim);
  record->declared.order.reset();
  return OG_OK;
}

og_status og_tensor_set_order(og_graph *graph, og_tensor tensor, int32_t ndim,
                              const int64_t *order) {
  TensorRecord *record;
  OG_TRY(begin(graph, tensor, "og_tensor_set_order", record));
  OG_TRY(checkOrder(graph->describe(tensor), ndim, order));
  record->declared.order.emplace(order, order + ndim);
  record->declared.strides.reset();
  return OG_OK;
}

og_status og_tensor_set_symbols(og_graph *graph, og_tensor tensor, int32_t ndim,
                                const char *const *symbols) {
  TensorRecord *record;
  OG_TRY(begin(graph, tensor, "og_tensor_set_symbols", record));
  OG_TRY(checkArray(graph->describe(tensor), "symbols", ndim, symbols));
  record->declared.symbols = copySymbols(ndim, symbols);
  return OG_OK;
}

og_status og_tensor_set_uid(og_graph *graph, og_tensor tensor, int64_t uid) {
  TensorRecord *record;
  OG_TRY(begin(graph, tensor, "og_tensor_set_uid", record));
  return graph->chooseUid(tensor, uid);
}

og_status og_tensor_set_virtual(og_graph *graph, og_tensor tensor,
                                int32_t isVirtual) {
  TensorRecord *record;
  OG_TRY(begin(graph, tensor, "og_tensor_set_virtual", record));
  if (!isVirtual && record->region)
    return fail(OG_INVALID_VALUE,
                graph->describe(tensor) + " is inside region " +
                    Twine(record->region) + " and cannot be an output");
  record->isVirtual = isVirtual != 0;
  return OG_OK;
}

og_status og_tensor_set_by_value(og_graph *graph, og_tensor tensor,
                                 int32_t byValue) {
  TensorRecord *record;
  OG_TRY(begin(graph, tensor, "og_tensor_set_by_value", record));
  record->byValue = byValue != 0;
  return OG_OK;
}

og_status og_tensor_set_default(og_graph *graph, og_tensor tensor,
                                const og_value *value) {
  TensorRecord *record;
  OG_TRY(begin(graph, tensor, "og_tensor_set_default", record));
  return readScalar(value, "default of " + graph->describe(tensor),
                    record->value);
}

og_status og_tensor_set_alignment(og_graph *graph, og_tensor tensor,
                                  int64_t bytes) {
  TensorRecord *record;
  OG_TRY(begin(graph, tensor, "og_tensor_set_alignment", record));
  if (bytes < 1 || bytes > OG_MAX_ALIGNMENT || !llvm::isPowerOf2_64(bytes))
    return fail(OG_INVALID_VALUE,
                graph->describe(tensor) +
                    ": expected its alignment to be a power of two up to " +
                    Twine(OG_MAX_ALIGNMENT) + ", got " + Twine(bytes));
  record->alignment = bytes;
  return OG_OK;
}

og_status og_tensor_set_reordering(og_graph *graph, og_tensor tensor,
                                   int32_t reordering) {
  TensorRecord *record;
  OG_TRY(begin(graph, tensor, "og_tensor_set_reordering", record));
  if (!graph::symbolizeReordering(reordering))
    return fail(OG_INVALID_VALUE,
                graph->describe(tensor) +
                    ": expected its reordering to be in [0, 3], got " +
                    Twine(reordering));
  record->reordering = reordering;
  return OG_OK;
}

og_status og_tensor_set_ragged_offset(og_graph *graph, og_tensor tensor,
                                      og_tensor offset, int64_t multiplier) {
  TensorRecord *record;
  OG_TRY(begin(graph, tensor, "og_tensor_set_ragged_offset", record));
  if (offset != OG_NO_TENSOR)
    OG_TRY(graph->checkTensor(offset));
  if (multiplier < 1)
    return fail(OG_INVALID_VALUE, graph->describe(tensor) +
                                      ": expected the multiplier of its "
                                      "ragged offset to be at least 1, "
                                      "got " +
                                      Twine(multiplier));
  record->raggedOffset = offset;
  record->raggedMultiplier = multiplier;
  return OG_OK;
}
