//===- NvJitLink.cpp - PTX to a cubin by nvJitLink ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/NVPTX/NvJitLink.h"
#include "codegen/NVPTX/Toolkit.h"
#include "llvm/ADT/ScopeExit.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace llvm;
using namespace opgraph::codegen;

std::optional<std::string> opgraph::codegen::findNvJitLink() {
  static constexpr const char *kInToolkit[] = {"lib64/libnvJitLink.so.13",
                                               "lib64/libnvJitLink.so.12"};
  static constexpr const char *kInPackages[] = {
      "nvidia/cu13/lib/libnvJitLink.so.13",
      "nvidia/nvjitlink/lib/libnvJitLink.so.12"};
  return findToolkitFile(
      {std::getenv("OPGRAPH_NVJITLINK"), kInToolkit, kInPackages});
}

namespace {
/// What nvJitLink.h declares; handles are opaque, results 0 on success.
struct Functions {
  int (*create)(void **, uint32_t, const char **);
  int (*destroy)(void **);
  int (*addData)(void *, int, const void *, size_t, const char *);
  int (*complete)(void *);
  int (*getCubinSize)(void *, size_t *);
  int (*getCubin)(void *, void *);
  int (*getErrorSize)(void *, size_t *);
  int (*getError)(void *, char *);
  int (*getInfoSize)(void *, size_t *);
  int (*getInfo)(void *, char *);
};
} // namespace

static Expected<Functions> loadFunctions(StringRef path) {
  void *library = dlopen(path.str().c_str(), RTLD_NOW | RTLD_LOCAL);
  if (!library)
    return createStringError("cannot load nvJitLink: " +
                             std::string(dlerror()));
  Functions functions;
  auto find = [&](auto &function, const char *name) {
    void *symbol = dlsym(library, name);
    function =
        reinterpret_cast<std::remove_reference_t<decltype(function)>>(symbol);
    return symbol != nullptr;
  };
  if (find(functions.create, "nvJitLinkCreate") &&
      find(functions.destroy, "nvJitLinkDestroy") &&
      find(functions.addData, "nvJitLinkAddData") &&
      find(functions.complete, "nvJitLinkComplete") &&
      find(functions.getCubinSize, "nvJitLinkGetLinkedCubinSize") &&
      find(functions.getCubin, "nvJitLinkGetLinkedCubin") &&
      find(functions.getErrorSize, "nvJitLinkGetErrorLogSize") &&
      find(functions.getError, "nvJitLinkGetErrorLog") &&
      find(functions.getInfoSize, "nvJitLinkGetInfoLogSize") &&
      find(functions.getInfo, "nvJitLinkGetInfoLog"))
    return functions;
  dlclose(library);
  return createStringError(path + " is no nvJitLink");
}

static std::string readLog(void *handle, int (*getSize)(void *, size_t *),
                           int (*get)(void *, char *)) {
  size_t size = 0;
  if (getSize(handle, &size) || size == 0)
    return "";
  std::string text(size, '\0');
  if (get(handle, text.data()))
    return "";
  return StringRef(text.c_str()).str();
}

Expected<Cubin> opgraph::codegen::runNvJitLink(StringRef library,
                                               const std::string &ptx,
                                               StringRef cpu) {
  Expected<Functions> loaded = loadFunctions(library);
  if (!loaded)
    return loaded.takeError();
  const Functions &call = *loaded;
  std::string arch = ("-arch=" + cpu).str();
  const char *options[] = {arch.c_str(), "-verbose", "-O3"};
  void *handle = nullptr;
  if (int result = call.create(&handle, std::size(options), options))
    return createStringError("nvJitLink (" + library + ") refuses " + cpu +
                             ": result " + Twine(result));
  scope_exit destroy([&] { call.destroy(&handle); });
  constexpr int kPtx = 2;
  Cubin cubin;
  size_t size = 0;
  int result =
      call.addData(handle, kPtx, ptx.data(), ptx.size(), "opgraph.ptx");
  if (result == 0)
    result = call.complete(handle);
  if (result == 0)
    result = call.getCubinSize(handle, &size);
  cubin.bytes.resize(size);
  if (result == 0)
    result = call.getCubin(handle, cubin.bytes.data());
  if (result != 0)
    return createStringError("nvJitLink (" + library + ") failed for " + cpu +
                             ": result " + Twine(result) + ": " +
                             readLog(handle, call.getErrorSize, call.getError));
  cubin.report =
      parsePtxasReport(readLog(handle, call.getInfoSize, call.getInfo));
  return cubin;
}
