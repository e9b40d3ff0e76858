//===- HostTensor.cpp - A buffer for one operand --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "HostTensor.h"
#include "Elements.h"
#include "Failure.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>

using namespace opgraph::cli;

void HostTensor::Free::operator()(char *memory) const { std::free(memory); }

static std::string extentsText(const std::vector<int64_t> &shape) {
  std::string text;
  for (int64_t extent : shape)
    text += (text.empty() ? "" : "x") + std::to_string(extent);
  return text.empty() ? "scalar" : text;
}

HostTensor::HostTensor(const og_operand_info &info,
                       std::vector<int64_t> extents)
    : uid(info.uid), name(info.name ? info.name : ""), dtype(info.dtype),
      isOutput(info.is_output), byValue(info.by_value),
      hasDefault(info.has_default), shape(std::move(extents)),
      strides(info.strides, info.strides + info.ndim) {
  int64_t stride = 1, span = 1;
  for (size_t i = shape.size(); i-- > 0;) {
    if (strides[i] == OG_DYNAMIC)
      strides[i] = stride;
    int64_t extent = std::max<int64_t>(shape[i], 1), reach = 0;
    if (__builtin_mul_overflow(stride, extent, &stride) ||
        __builtin_mul_overflow(numElements, shape[i], &numElements) ||
        __builtin_mul_overflow(extent - 1, strides[i], &reach) ||
        __builtin_add_overflow(span, reach, &span))
      throw Failure(ExitUserError, "operand '" + name + "' of extents " +
                                       extentsText(shape) + " is too large");
  }
  if (__builtin_mul_overflow(size_t(span), size_t(elementBits(dtype)), &bytes))
    throw Failure(ExitUserError, "operand '" + name + "' is too large");
  bytes = (bytes + 7) / 8;
  size_t alignment = std::max<size_t>(64, info.alignment);
  size_t rounded = (bytes + alignment - 1) / alignment * alignment;
  memory.reset(static_cast<char *>(std::aligned_alloc(alignment, rounded)));
  if (!memory)
    throw Failure(ExitUserError, "no memory for operand '" + name + "' (" +
                                     std::to_string(bytes) + " bytes)");
  std::memset(memory.get(), 0, rounded);
}

size_t HostTensor::elementOffset(int64_t index) const {
  int64_t offset = 0;
  for (size_t axis = shape.size(); axis-- > 0;) {
    offset += index % shape[axis] * strides[axis];
    index /= shape[axis];
  }
  return size_t(offset);
}

void HostTensor::load(int64_t index, char *element) const {
  size_t offset = elementOffset(index), size = elementBytes(dtype);
  if (elementBits(dtype) != 4) {
    std::memcpy(element, memory.get() + offset * size, size);
    return;
  }
  auto both = static_cast<unsigned char>(memory.get()[offset / 2]);
  *element = static_cast<char>(offset % 2 ? both >> 4 : both & 15);
}

void HostTensor::store(int64_t index, const char *element) {
  size_t offset = elementOffset(index), size = elementBytes(dtype);
  if (elementBits(dtype) != 4) {
    std::memcpy(memory.get() + offset * size, element, size);
    return;
  }
  char &both = memory.get()[offset / 2];
  both = static_cast<char>(offset % 2 ? (both & 15) | (*element << 4)
                                      : (both & 0xf0) | (*element & 15));
}

double HostTensor::at(int64_t index) const {
  char element[8];
  load(index, element);
  return readElement(dtype, element);
}

/// The next number of the splitmix64 sequence.
static uint64_t nextRandom(uint64_t &state) {
  uint64_t z = state += 0x9e3779b97f4a7c15;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9;
  z = (z ^ (z >> 27)) * 0x94d049bb133111eb;
  return z ^ (z >> 31);
}

void HostTensor::fillRandom(uint64_t seed) {
  uint64_t state = seed * 0x2545f4914f6cdd1d + uint64_t(uid);
  for (int64_t i = 0; i < numElements; ++i) {
    // 2^-53 times the upper 53 bits: uniform in [0, 1).
    double unit = double(nextRandom(state) >> 11) * 0x1p-53;
    double value = unit < 0.5;
    if (dtype == OG_DTYPE_FP8_E8M0)
      value = std::ldexp(1.0, int(unit * 8) - 4);
    else if (isFloat(dtype))
      value = 2 * unit - 1;
    else if (dtype == OG_DTYPE_UINT8)
      value = double(int64_t(unit * 16));
    else if (dtype != OG_DTYPE_BOOLEAN && dtype != OG_DTYPE_BYTE_BOOLEAN)
      value = double(int64_t(unit * 16)) - 8;
    char element[8];
    writeElement(dtype, value, element);
    store(i, element);
  }
}

void HostTensor::fillFrom(const NpyArray &array, const std::string &path) {
  auto mismatch = [&](const std::string &what, const std::string &expected,
                      const std::string &actual) {
    throw Failure(ExitUserError, "operand '" + name + "' from '" + path +
                                     "': expected " + what + " " + expected +
                                     ", got " + actual);
  };
  std::string descr = npyDescr(dtype);
  // ml_dtypes arrays are saved as raw bytes of their size, in several
  // spellings; other types must be exactly the operand's.
  bool isRaw = descr[1] == 'V' && array.descr.size() > 2 &&
               (array.descr[1] == 'V' || array.descr[1] == 'f') &&
               array.descr.substr(2) == descr.substr(2);
  if (array.descr != descr && !isRaw)
    mismatch("elements", "'" + descr + "' (" + dtypeText(dtype) + ")",
             "'" + array.descr + "'");
  if (array.shape != shape)
    mismatch("extents", extentsText(shape), extentsText(array.shape));
  size_t size = elementBytes(dtype);
  if (array.data.size() < size_t(numElements) * size)
    mismatch("bytes", std::to_string(size_t(numElements) * size),
             std::to_string(array.data.size()));
  for (int64_t i = 0; i < numElements; ++i) {
    int64_t from = i;
    if (array.fortranOrder) {
      // The same coordinates, counted with the first axis fastest.
      int64_t rest = i, inner = numElements;
      from = 0;
      for (size_t axis = shape.size(); axis-- > 0;) {
        inner /= shape[axis];
        from += rest % shape[axis] * inner;
        rest /= shape[axis];
      }
    }
    store(i, array.data.data() + from * size);
  }
}

void HostTensor::poison() { std::memset(memory.get(), 0xff, bytes); }

std::string HostTensor::packed() const {
  size_t size = elementBytes(dtype);
  std::string data(size_t(numElements) * size, '\0');
  for (int64_t i = 0; i < numElements; ++i)
    load(i, &data[i * size]);
  return data;
}

og_buffer HostTensor::buffer() {
  og_buffer buffer = {};
  buffer.struct_size = sizeof(buffer);
  buffer.uid = uid;
  buffer.data = memory.get();
  buffer.dtype = dtype;
  buffer.ndim = int32_t(shape.size());
  buffer.shape = shape.data();
  buffer.strides = strides.data();
  buffer.device = {OG_DEVICE_HOST, 0};
  return buffer;
}
