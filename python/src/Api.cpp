//===- Api.cpp - Opening the compiler library -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Api.h"

#include <atomic>
#include <dlfcn.h>
#include <mutex>

using namespace opgraph::python;

void opgraph::python::check(og_status status) {
  if (status != OG_OK)
    throw ApiError{status, og_last_error()};
}

void opgraph::python::fail(og_status status, std::string text) {
  throw ApiError{status, std::move(text)};
}

static std::atomic<const CompilerApi *> loaded{nullptr};

/// Opens the library by its soname: the extension's run path finds it, which a
/// path made here could not say for both a build tree and a wheel.
static const CompilerApi *load() {
  void *library = dlopen(OPGRAPH_COMPILER_SONAME, RTLD_NOW | RTLD_LOCAL);
  if (!library)
    fail(OG_LIBRARY_MISSING,
         std::string("cannot open the compiler library: ") + dlerror());
  // Never freed: plans and graphs of any age may call into it.
  auto *api = new CompilerApi;
#define OPGRAPH_LOOK_UP(name)                                                  \
  api->name = reinterpret_cast<decltype(api->name)>(dlsym(library, #name));    \
  if (!api->name)                                                              \
    fail(OG_VERSION_MISMATCH, "the compiler library " OPGRAPH_COMPILER_SONAME  \
                              " has no function '" #name "'");
  OPGRAPH_COMPILER_FUNCTIONS(OPGRAPH_LOOK_UP)
#undef OPGRAPH_LOOK_UP
  check(api->og_compiler_create(&api->compiler));
  return api;
}

const CompilerApi &opgraph::python::compilerApi() {
  if (const CompilerApi *api = loaded.load(std::memory_order_acquire))
    return *api;
  static std::mutex mutex;
  std::lock_guard<std::mutex> lock(mutex);
  if (!loaded.load(std::memory_order_relaxed))
    loaded.store(load(), std::memory_order_release);
  return *loaded.load(std::memory_order_relaxed);
}

bool opgraph::python::isCompilerLoaded() {
  return loaded.load(std::memory_order_acquire) != nullptr;
}
