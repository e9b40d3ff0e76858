//===- Buffers.cpp - Python operands as the runtime's buffers -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Buffers.h"
#include "Exchange.h"

#include <dlpack/dlpack.h>

#include <cstring>

namespace nb = nanobind;
using namespace opgraph::python;

namespace {
/// Strings that every call needs, made once.
struct Names {
  nb::str dlpack{"__dlpack__"}, dlpackDevice{"__dlpack_device__"};
  nb::str arrayInterface{"__array_interface__"};
  nb::tuple versionKeyword = nb::make_tuple("max_version");
  nb::tuple bothKeywords = nb::make_tuple("max_version", "stream");
  nb::tuple version = nb::make_tuple(1, 0);
  nb::int_ noStream{-1};
};
} // namespace

static const Names &names() {
  // Leaked: the interpreter may be gone when static destructors run.
  static const Names *instance = new Names;
  return *instance;
}

std::string opgraph::python::textOf(nb::handle object) {
  Py_ssize_t size = 0;
  const char *text = PyUnicode_AsUTF8AndSize(object.ptr(), &size);
  if (!text)
    throw nb::python_error();
  return std::string(text, static_cast<size_t>(size));
}

static std::string typeName(nb::handle object) {
  return Py_TYPE(object.ptr())->tp_name;
}

static std::string operandText(int64_t uid) {
  return "operand with uid " + std::to_string(uid) + ": ";
}

/// Whether the producer's memory is a CUDA device's, where DLPack must be told
/// not to order streams for us.
static bool isCuda(nb::handle object) {
  nb::object device = nb::steal(
      PyObject_CallMethodNoArgs(object.ptr(), names().dlpackDevice.ptr()));
  if (!device.is_valid()) {
    PyErr_Clear();
    return false;
  }
  return nb::cast<int>(device[0]) == kDLCUDA;
}

/// Calls `object.__dlpack__` with the newest form that the producer takes.
/// Null (no exception set) when it refuses to export at all.
static nb::object makeCapsule(nb::handle object) {
  const Names &n = names();
  bool isNumPy =
      std::strcmp(Py_TYPE(object.ptr())->tp_name, "numpy.ndarray") == 0;
  bool cuda = !isNumPy && isCuda(object);
  PyObject *args[3] = {object.ptr(), n.version.ptr(), n.noStream.ptr()};
  PyObject *capsule = PyObject_VectorcallMethod(
      n.dlpack.ptr(), args, 1 | PY_VECTORCALL_ARGUMENTS_OFFSET,
      cuda ? n.bothKeywords.ptr() : n.versionKeyword.ptr());
  if (!capsule && PyErr_ExceptionMatches(PyExc_TypeError)) {
    // A producer from before DLPack 1.0.
    PyErr_Clear();
    capsule = PyObject_CallMethodNoArgs(object.ptr(), n.dlpack.ptr());
  }
  if (!capsule && PyErr_ExceptionMatches(PyExc_BufferError)) {
    PyErr_Clear();
    return {};
  }
  if (!capsule)
    throw nb::python_error();
  return nb::steal(capsule);
}

bool Operands::addDLPack(int64_t uid, nb::handle object, bool willWrite) {
  if (!PyObject_HasAttr(object.ptr(), names().dlpack.ptr()))
    return false;
  nb::object capsule = makeCapsule(object);
  if (!capsule.is_valid())
    return false;
  og_buffer buffer;
  if (auto *versioned = static_cast<DLManagedTensorVersioned *>(
          PyCapsule_GetPointer(capsule.ptr(), "dltensor_versioned"))) {
    check(og_buffer_from_dlmanaged(versioned, uid, willWrite, &buffer));
  } else {
    PyErr_Clear();
    auto *managed = static_cast<DLManagedTensor *>(
        PyCapsule_GetPointer(capsule.ptr(), "dltensor"));
    if (!managed)
      throw nb::python_error();
    check(og_buffer_from_dltensor(&managed->dl_tensor, uid, &buffer));
  }
  buffers.push_back(buffer);
  owners.push_back(std::move(capsule));
  return true;
}

/// The dtype number of a NumPy dtype, by its name: ml_dtypes types have no
/// code of their own in the array interface.
static og_dtype dtypeFromName(const std::string &name) {
  static constexpr struct {
    const char *name;
    og_dtype dtype;
  } table[] = {
      {"bfloat16", OG_DTYPE_BFLOAT16},    {"float8_e4m3fn", OG_DTYPE_FP8_E4M3},
      {"float8_e5m2", OG_DTYPE_FP8_E5M2}, {"float8_e8m0fnu", OG_DTYPE_FP8_E8M0},
      {"float32", OG_DTYPE_FLOAT},        {"float64", OG_DTYPE_DOUBLE},
      {"float16", OG_DTYPE_HALF},         {"int8", OG_DTYPE_INT8},
      {"uint8", OG_DTYPE_UINT8},          {"int32", OG_DTYPE_INT32},
      {"int64", OG_DTYPE_INT64},          {"bool", OG_DTYPE_BOOLEAN}};
  for (const auto &row : table)
    if (name == row.name)
      return row.dtype;
  return OG_DTYPE_NOT_SET;
}

/// The function that packs a NumPy dtype which spends a byte on 4 bits; null
/// for other dtypes.
static const char *packerOf(const std::string &name) {
  if (name == "float4_e2m1fn")
    return "opgraph.pack_fp4";
  if (name == "int4" || name == "uint4")
    return "opgraph.pack_int4";
  return nullptr;
}

void Operands::addArrayInterface(int64_t uid, nb::handle object,
                                 bool willWrite) {
  if (!PyObject_HasAttr(object.ptr(), names().arrayInterface.ptr()))
    fail(OG_INVALID_VARIANT_PACK,
         operandText(uid) +
             "expected a DLPack producer, a NumPy array or an address, got " +
             typeName(object));
  nb::dict interface =
      nb::cast<nb::dict>(nb::getattr(object, names().arrayInterface));
  std::string name = textOf(object.attr("dtype").attr("name"));
  if (const char *packer = packerOf(name))
    fail(OG_INVALID_VARIANT_PACK,
         operandText(uid) + "a NumPy array of '" + name +
             "' has one element per byte, expected two: bytes as " + packer +
             " makes them");
  og_dtype dtype = dtypeFromName(name);
  if (dtype == OG_DTYPE_NOT_SET)
    fail(OG_INVALID_VARIANT_PACK,
         operandText(uid) + "dtype '" + name + "' has no counterpart");
  nb::tuple data = nb::cast<nb::tuple>(interface["data"]);
  if (willWrite && nb::cast<bool>(data[1]))
    fail(OG_INVALID_VARIANT_PACK,
         operandText(uid) + "an output needs writable memory, got a read-only "
                            "array");
  nb::tuple shape = nb::cast<nb::tuple>(interface["shape"]);
  size_t rank = shape.size();
  auto extents = std::make_unique<int64_t[]>(2 * rank + 1);
  int64_t itemSize = nb::cast<int64_t>(object.attr("dtype").attr("itemsize"));
  nb::object strides = nb::borrow(interface["strides"]);
  for (size_t i = 0; i < rank; ++i) {
    extents[i] = nb::cast<int64_t>(shape[i]);
    if (!strides.is_none()) {
      int64_t bytes = nb::cast<int64_t>(strides[i]);
      if (bytes % itemSize != 0)
        fail(OG_INVALID_VARIANT_PACK,
             operandText(uid) + "expected strides in whole elements of " +
                 std::to_string(itemSize) + " bytes, got " +
                 std::to_string(bytes));
      extents[rank + i] = bytes / itemSize;
    }
  }
  og_buffer buffer{};
  buffer.struct_size = sizeof(buffer);
  buffer.uid = uid;
  buffer.data = reinterpret_cast<void *>(nb::cast<uintptr_t>(data[0]));
  buffer.dtype = dtype;
  buffer.ndim = static_cast<int32_t>(rank);
  buffer.shape = extents.get();
  buffer.strides = strides.is_none() ? nullptr : extents.get() + rank;
  buffer.device = {OG_DEVICE_HOST, 0};
  buffers.push_back(buffer);
  shapes.push_back(std::move(extents));
}

bool Operands::addOnDevice(int64_t uid, nb::handle object, bool willWrite) {
  og_buffer buffer;
  std::unique_ptr<int64_t[]> shape;
  if (!readExchanged(uid, object, willWrite, buffer)) {
    if (PyObject_HasAttr(object.ptr(), names().dlpack.ptr()) ||
        !readCudaArray(uid, object, willWrite, buffer, shape))
      return false;
    shapes.push_back(std::move(shape));
  }
  buffers.push_back(buffer);
  owners.push_back(nb::borrow(object));
  return true;
}

void Operands::add(int64_t uid, nb::handle object, bool willWrite) {
  if (PyLong_Check(object.ptr()) && !PyBool_Check(object.ptr())) {
    og_buffer buffer{};
    buffer.struct_size = sizeof(buffer);
    buffer.uid = uid;
    buffer.data = PyLong_AsVoidPtr(object.ptr());
    if (PyErr_Occurred())
      throw nb::python_error();
    buffer.ndim = OG_BARE_POINTER;
    // Where the plan runs.
    buffer.device = {0, 0};
    buffers.push_back(buffer);
    return;
  }
  if (addOnDevice(uid, object, willWrite))
    return;
  if (!addDLPack(uid, object, willWrite))
    addArrayInterface(uid, object, willWrite);
}

/// a * b of counts; INT64_MAX where that is less.
static int64_t multiply(int64_t a, int64_t b) {
  int64_t product;
  return __builtin_mul_overflow(a, b, &product) ? INT64_MAX : product;
}

/// Bytes of a contiguous buffer; throws when it has gaps.
static size_t contiguousBytes(const og_buffer &buffer) {
  int64_t expected = 1;
  for (int32_t i = buffer.ndim - 1; i >= 0; --i) {
    if (buffer.strides && buffer.shape[i] != 1 &&
        buffer.strides[i] != expected && buffer.shape[i] != 0)
      fail(OG_INVALID_VARIANT_PACK,
           "workspace: expected contiguous memory, got stride " +
               std::to_string(buffer.strides[i]) + " on axis " +
               std::to_string(i));
    expected = multiply(expected, buffer.shape[i]);
  }
  return multiply(expected,
                  og_dtype_bits(static_cast<og_dtype>(buffer.dtype))) /
         8;
}

Workspace opgraph::python::readWorkspace(nb::handle object, size_t alignment) {
  Workspace workspace;
  if (object.is_none())
    return workspace;
  Operands one;
  one.add(0, object, /*willWrite=*/true);
  const og_buffer &buffer = one.data()[0];
  workspace.owner = nb::borrow(object);
  workspace.device = buffer.device;
  workspace.data = buffer.data;
  workspace.isBare = buffer.ndim == OG_BARE_POINTER;
  workspace.size = workspace.isBare ? 0 : contiguousBytes(buffer);
  // The runtime wants the base aligned; a size from get_workspace_size() has
  // the slack for it.
  auto address = reinterpret_cast<uintptr_t>(workspace.data);
  size_t skip = (alignment - address % alignment) % alignment;
  if (address && (workspace.isBare || workspace.size >= skip)) {
    workspace.data = reinterpret_cast<void *>(address + skip);
    workspace.size -= workspace.isBare ? 0 : skip;
  }
  return workspace;
}

/// Whether the elements of an array are a framework's pairs of FP4_E2M1.
static bool holdsPairs(nb::handle object) {
  nb::object dtype = nb::steal(PyObject_GetAttrString(object.ptr(), "dtype"));
  if (!dtype.is_valid()) {
    PyErr_Clear();
    return false;
  }
  std::string text = textOf(nb::str(dtype));
  constexpr std::string_view suffix = "float4_e2m1fn_x2";
  return text.size() >= suffix.size() &&
         text.compare(text.size() - suffix.size(), suffix.size(), suffix) == 0;
}

nb::tuple opgraph::python::describeArray(nb::handle object) {
  Operands one;
  one.add(0, object, /*willWrite=*/false);
  const og_buffer &buffer = one.data()[0];
  nb::list dims, strides;
  int64_t packed = 1;
  std::vector<int64_t> packedStrides(std::max<int32_t>(buffer.ndim, 0));
  for (int32_t i = buffer.ndim - 1; i >= 0; --i) {
    packedStrides[i] = packed;
    packed = multiply(packed, std::max<int64_t>(buffer.shape[i], 1));
  }
  // Extents count pairs, which lie along the axis of stride 1.
  bool pairs = holdsPairs(object), found = false;
  for (int32_t i = 0; i < buffer.ndim; ++i) {
    int64_t stride = buffer.strides ? buffer.strides[i] : packedStrides[i];
    bool isPaired = pairs && !found && stride == 1;
    found |= isPaired;
    dims.append(multiply(buffer.shape[i], isPaired ? 2 : 1));
    strides.append(multiply(stride, pairs && !isPaired ? 2 : 1));
  }
  int32_t dtype = pairs ? int32_t(OG_DTYPE_FP4_E2M1) : buffer.dtype;
  return nb::make_tuple(dtype, dims, strides, buffer.device.type,
                        buffer.device.id);
}
