//===- cudnn_cost.cpp - What a call of the bare backend API costs ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
//
// A library for cudnn_cases.py: executes a serialised plan through cuDNN's
// backend API alone, as a C++ program without opgraph would.
//
//===----------------------------------------------------------------------===//

#include <chrono>
#include <cstdint>
#include <dlfcn.h>

namespace {
// As the table has them.
enum Kind : int {
#define OG_CUDNN_KIND(NAME, NUMBER, ...) KIND_##NAME = NUMBER,
#include "opgraph-c/cudnn.def"
};
enum Attr : int {
#define OG_CUDNN_ATTR(KIND, NAME, NUMBER, ...) ATTR_##NAME = NUMBER,
#include "opgraph-c/cudnn.def"
};
enum Type : int {
#define OG_CUDNN_TYPE(NAME, NUMBER, ...) TYPE_##NAME = NUMBER,
#include "opgraph-c/cudnn.def"
};

using Desc = void *;
int (*make)(int, Desc *);
int (*drop)(Desc);
int (*finish)(Desc);
int (*set)(Desc, int, int, int64_t, const void *);
int (*execute)(void *, Desc, Desc);
int (*setStream)(void *, void *);
void *handle;
Desc plan;

template <typename T>
bool find(void *library, const char *name, T &out) {
  out = reinterpret_cast<T>(dlsym(library, name));
  return out != nullptr;
}

int makePack(const int64_t *uids, void *const *data, int64_t count,
             void *workspace, Desc &pack) {
  if (int code = make(KIND_VARIANT_PACK, &pack))
    return code;
  if (int code =
          set(pack, ATTR_VARIANT_PACK_UNIQUE_IDS, TYPE_INT64, count, uids))
    return code;
  if (int code = set(pack, ATTR_VARIANT_PACK_DATA_POINTERS, TYPE_VOID_PTR,
                     count, data))
    return code;
  if (int code =
          set(pack, ATTR_VARIANT_PACK_WORKSPACE, TYPE_VOID_PTR, 1, &workspace))
    return code;
  return finish(pack);
}
} // namespace

/// Restores the plan for device 0; the library's code, -1 for what is missing.
extern "C" int cost_open(const char *library, const char *json,
                         int64_t length) {
  void *opened = dlopen(library, RTLD_NOW);
  int (*create)(void **);
  if (!opened || !find(opened, "cudnnCreate", create) ||
      !find(opened, "cudnnSetStream", setStream) ||
      !find(opened, "cudnnBackendCreateDescriptor", make) ||
      !find(opened, "cudnnBackendDestroyDescriptor", drop) ||
      !find(opened, "cudnnBackendFinalize", finish) ||
      !find(opened, "cudnnBackendSetAttribute", set) ||
      !find(opened, "cudnnBackendExecute", execute))
    return -1;
  if (int code = create(&handle))
    return code;
  Desc device;
  int32_t ordinal = 0;
  if (int code = make(KIND_DEVICEPROP, &device))
    return code;
  if (int code =
          set(device, ATTR_DEVICEPROP_DEVICE_ID, TYPE_INT32, 1, &ordinal))
    return code;
  if (int code = finish(device))
    return code;
  if (int code = make(KIND_EXECUTION_PLAN, &plan))
    return code;
  if (int code = set(plan, ATTR_EXECUTION_PLAN_DEVICEPROP,
                     TYPE_BACKEND_DESCRIPTOR, 1, &device))
    return code;
  if (int code = set(plan, ATTR_EXECUTION_PLAN_JSON_REPRESENTATION, TYPE_CHAR,
                     length, json))
    return code;
  return finish(plan);
}

/// Microseconds of one of `calls` executions, each with a variant pack of its
/// own, or all with one; negative: the library's code.
extern "C" double cost_run(const int64_t *uids, void *const *data,
                           int64_t count, void *workspace, void *stream,
                           int calls, int makesPacks) {
  Desc pack = nullptr;
  if (int code = makePack(uids, data, count, workspace, pack))
    return -code;
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i) {
    Desc own = pack;
    if (makesPacks)
      if (int code = makePack(uids, data, count, workspace, own))
        return -code;
    if (int code = setStream(handle, stream))
      return -code;
    if (int code = execute(handle, plan, own))
      return -code;
    if (makesPacks)
      drop(own);
  }
  std::chrono::duration<double, std::micro> time =
      std::chrono::steady_clock::now() - start;
  drop(pack);
  return time.count() / calls;
}
