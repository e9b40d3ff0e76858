//===- Exchange.cpp - Tensors through DLPack's C exchange API -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Exchange.h"
#include "Buffers.h"

#include <dlpack/dlpack.h>

#include <cstring>
#include <unordered_map>

namespace nb = nanobind;
using namespace opgraph::python;

//===----------------------------------------------------------------------===//
// DLPack's exchange API
//===----------------------------------------------------------------------===//

namespace {
/// What a type offers.
struct Exchange {
  DLPackDLTensorFromPyObjectNoSync read = nullptr;
  /// Its tensors are writable, whatever they are; only torch's are known to be.
  bool writable = false;
};

/// More types than programs have; beyond, they are asked each time.
constexpr size_t maxTypes = 256;
} // namespace

/// The table that a type offers, in the version that is read here; null.
static const DLPackExchangeAPI *tableOf(PyTypeObject *type) {
  static PyObject *name =
      PyUnicode_InternFromString("__dlpack_c_exchange_api__");
  nb::object capsule =
      nb::steal(PyObject_GetAttr(reinterpret_cast<PyObject *>(type), name));
  if (!capsule.is_valid() ||
      !PyCapsule_IsValid(capsule.ptr(), "dlpack_exchange_api")) {
    PyErr_Clear();
    return nullptr;
  }
  auto *header = static_cast<DLPackExchangeAPIHeader *>(
      PyCapsule_GetPointer(capsule.ptr(), "dlpack_exchange_api"));
  while (header && header->version.major != DLPACK_MAJOR_VERSION)
    header = header->prev_api;
  return reinterpret_cast<const DLPackExchangeAPI *>(header);
}

static bool isTorch(PyTypeObject *type) {
  nb::object name = nb::steal(
      PyObject_GetAttrString(reinterpret_cast<PyObject *>(type), "__module__"));
  if (!name.is_valid() || !PyUnicode_Check(name.ptr())) {
    PyErr_Clear();
    return false;
  }
  std::string text = textOf(name);
  return text == "torch" || text.rfind("torch.", 0) == 0;
}

static Exchange find(PyTypeObject *type) {
  // Guarded by the GIL. Types in it are kept alive, so that no other type can
  // take their address.
  static auto *known = new std::unordered_map<PyTypeObject *, Exchange>;
  auto found = known->find(type);
  if (found != known->end())
    return found->second;
  Exchange exchange;
  if (const DLPackExchangeAPI *table = tableOf(type)) {
    exchange.read = table->dltensor_from_py_object_no_sync;
    exchange.writable = isTorch(type);
  }
  if (known->size() < maxTypes) {
    Py_INCREF(reinterpret_cast<PyObject *>(type));
    known->emplace(type, exchange);
  }
  return exchange;
}

bool opgraph::python::readExchanged(int64_t uid, nb::handle object,
                                    bool willWrite, og_buffer &out) {
  Exchange exchange = find(Py_TYPE(object.ptr()));
  if (!exchange.read || (willWrite && !exchange.writable))
    return false;
  DLTensor tensor;
  if (exchange.read(object.ptr(), &tensor))
    throw nb::python_error();
  check(og_buffer_from_dltensor(&tensor, uid, &out));
  return true;
}

//===----------------------------------------------------------------------===//
// __cuda_array_interface__
//===----------------------------------------------------------------------===//

/// The dtype of a typestr such as "<f4"; `bytes` of one element.
static og_dtype dtypeOf(const std::string &text, int64_t &bytes) {
  static constexpr struct {
    const char *text;
    og_dtype dtype;
  } table[] = {{"f4", OG_DTYPE_FLOAT}, {"f8", OG_DTYPE_DOUBLE},
               {"f2", OG_DTYPE_HALF},  {"i1", OG_DTYPE_INT8},
               {"u1", OG_DTYPE_UINT8}, {"i4", OG_DTYPE_INT32},
               {"i8", OG_DTYPE_INT64}, {"b1", OG_DTYPE_BOOLEAN}};
  if (text.size() == 3 && text[0] != '>')
    for (const auto &row : table)
      if (text.compare(1, 2, row.text) == 0) {
        bytes = og_dtype_bits(row.dtype) / 8;
        return row.dtype;
      }
  return OG_DTYPE_NOT_SET;
}

/// Strides in elements; the interface has bytes.
static void readStrides(int64_t uid, nb::handle strides, size_t rank,
                        int64_t bytes, int64_t *out) {
  nb::tuple list = nb::cast<nb::tuple>(strides);
  for (size_t i = 0; i < rank; ++i) {
    int64_t stride = nb::cast<int64_t>(list[i]);
    if (stride % bytes)
      fail(OG_INVALID_VARIANT_PACK,
           "operand with uid " + std::to_string(uid) +
               ": expected strides in whole elements of " +
               std::to_string(bytes) + " bytes, got " + std::to_string(stride));
    out[i] = stride / bytes;
  }
}

bool opgraph::python::readCudaArray(int64_t uid, nb::handle object,
                                    bool willWrite, og_buffer &out,
                                    std::unique_ptr<int64_t[]> &shape) {
  nb::object attribute = nb::steal(
      PyObject_GetAttrString(object.ptr(), "__cuda_array_interface__"));
  if (!attribute.is_valid()) {
    PyErr_Clear();
    return false;
  }
  std::string what = "operand with uid " + std::to_string(uid) + ": ";
  nb::dict interface = nb::cast<nb::dict>(attribute);
  std::string type = textOf(interface["typestr"]);
  int64_t bytes = 0;
  og_dtype dtype = dtypeOf(type, bytes);
  if (dtype == OG_DTYPE_NOT_SET)
    fail(OG_INVALID_VARIANT_PACK,
         what + "dtype '" + type + "' has no counterpart");
  nb::tuple data = nb::cast<nb::tuple>(interface["data"]);
  if (willWrite && nb::cast<bool>(data[1]))
    fail(OG_INVALID_VARIANT_PACK,
         what + "an output needs writable memory, got a read-only array");
  nb::tuple extents = nb::cast<nb::tuple>(interface["shape"]);
  size_t rank = extents.size();
  shape = std::make_unique<int64_t[]>(2 * rank + 1);
  for (size_t i = 0; i < rank; ++i)
    shape[i] = nb::cast<int64_t>(extents[i]);
  nb::object strides = interface.attr("get")("strides");
  if (!strides.is_none())
    readStrides(uid, strides, rank, bytes, shape.get() + rank);
  out = og_buffer{};
  out.struct_size = sizeof(out);
  out.uid = uid;
  out.data = reinterpret_cast<void *>(nb::cast<uintptr_t>(data[0]));
  out.dtype = dtype;
  out.ndim = static_cast<int32_t>(rank);
  out.shape = shape.get();
  out.strides = strides.is_none() ? nullptr : shape.get() + rank;
  // The interface does not say which device.
  out.device = {OG_DEVICE_CUDA, -1};
  return true;
}
