//===- Descriptor.cpp - A backend descriptor of cuDNN ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cudnn/Descriptor.h"

using namespace opgraph::runtime::cudnn;

BackendDescriptor::~BackendDescriptor() {
  if (handle)
    library->destroyDescriptor(handle);
}

og_status BackendDescriptor::create(const Library &from, int32_t newKind) {
  library = &from;
  kind = newKind;
  if (int code = from.createDescriptor(newKind, &handle)) {
    handle = nullptr;
    return failCudnn(from, code, "cuDNN %s has no %s descriptor",
                     versionText(from.version).c_str(), kindName(newKind));
  }
  return OG_OK;
}

og_status BackendDescriptor::finalize() {
  if (int code = library->finalize(handle))
    return failCudnn(*library, code, "cuDNN refuses the %s", kindName(kind));
  return OG_OK;
}

og_status BackendDescriptor::set(int32_t attr, int32_t type, int64_t count,
                                 const void *elements) {
  if (int code = library->setAttribute(handle, attr, type, count, elements))
    return failCudnn(*library, code, "cuDNN refuses %s of the %s",
                     attrName(attr), kindName(kind));
  return OG_OK;
}

og_status BackendDescriptor::get(int32_t attr, int32_t type, int64_t capacity,
                                 int64_t *count, void *elements) const {
  *count = 0;
  if (int code =
          library->getAttribute(handle, attr, type, capacity, count, elements))
    return failCudnn(*library, code, "cuDNN does not tell %s of the %s",
                     attrName(attr), kindName(kind));
  return OG_OK;
}

og_status BackendDescriptor::getInteger(int32_t attr, int64_t *value) const {
  int64_t count = 0;
  *value = 0;
  return get(attr, TYPE_INT64, 1, &count, value);
}

og_status BackendDescriptor::getNumber(int32_t attr, int32_t type,
                                       int32_t *value) const {
  int64_t count = 0;
  *value = 0;
  return get(attr, type, 1, &count, value);
}

og_status BackendDescriptor::getNumbers(int32_t attr, int32_t type,
                                        std::vector<int32_t> &values) const {
  // More than any version has notes.
  values.assign(64, 0);
  int64_t count = 0;
  if (og_status status =
          get(attr, type, int64_t(values.size()), &count, values.data()))
    return status;
  if (count < int64_t(values.size()))
    values.resize(count < 0 ? 0 : size_t(count));
  return OG_OK;
}
