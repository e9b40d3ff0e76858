//===- Library.cpp - cuDNN, opened at run time ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cudnn/Library.h"

#include "opgraph-c/cudnn.h"
#include "runtime/Error.h"
#include "runtime/Log.h"

#include <cstdio>
#include <cstring>
#include <dlfcn.h>
#include <mutex>

using namespace opgraph::runtime;
using namespace opgraph::runtime::cudnn;

namespace {

/// What opening the library came to: told again to every later caller.
struct Opened {
  Library library;
  og_status status = OG_OK;
  std::string text;
  /// "OPGRAPH_CUDNN (/a/libcudnn.so.9), ...".
  std::string searched;
};

void refuse(Opened &opened, og_status status, std::string text) {
  opened.status = status;
  opened.text = std::move(text);
}

/// Fills the table; the name of the first function that is missing, or null.
const char *lookUp(void *object, Library &library) {
#define OPGRAPH_LOOK_UP(field, name, ...)                                      \
  library.field =                                                              \
      reinterpret_cast<decltype(library.field)>(dlsym(object, name));          \
  if (!library.field)                                                          \
    return name;
  OPGRAPH_CUDNN_FUNCTIONS(OPGRAPH_LOOK_UP)
#undef OPGRAPH_LOOK_UP
  return nullptr;
}

/// Opens the first file that there is; null where there is none.
void *openFirst(Opened &opened, std::string &reason) {
  for (const Place &place : libraryPlaces()) {
    opened.searched += opened.searched.empty() ? "" : ", ";
    opened.searched += place.name + " (";
    for (const std::string &file : place.files) {
      if (&file != place.files.data())
        opened.searched += ", ";
      opened.searched += file;
      // Never closed: handles and plans live as long as the process.
      void *object = dlopen(file.c_str(), RTLD_NOW | RTLD_LOCAL);
      if (object) {
        opened.library.path = file;
        opened.searched += ")";
        return object;
      }
      if (reason.empty())
        reason = dlerror();
    }
    opened.searched += ")";
  }
  return nullptr;
}

/// The file that the loader has taken for a name.
void resolvePath(Library &library) {
  Dl_info info;
  if (dladdr(reinterpret_cast<void *>(library.getVersion), &info) &&
      info.dli_fname)
    library.path = info.dli_fname;
}

void open(Opened &opened) {
  Library &library = opened.library;
  std::string reason;
  void *object = openFirst(opened, reason);
  if (!object)
    return refuse(opened, OG_LIBRARY_MISSING,
                  "no cuDNN: " + reason + "; looked in " + opened.searched);
  const char *missing = lookUp(object, library);
  if (library.getVersion) {
    library.version = static_cast<int>(library.getVersion());
    resolvePath(library);
  }
  std::string name = "'" + library.path + "'";
  if (library.version == 0)
    return refuse(opened, OG_LIBRARY_MISSING,
                  name +
                      " is no cuDNN, or a stub of it: expected 9.8 or later");
  if (library.version < minVersion || library.version >= versionLimit)
    return refuse(opened, OG_UNSUPPORTED,
                  name + " is cuDNN " + versionText(library.version) +
                      ", expected 9.8 or a later 9");
  if (missing)
    return refuse(opened, OG_UNSUPPORTED,
                  name + " (cuDNN " + versionText(library.version) +
                      ") has no function " + missing);
  int code = library.versionCheck();
  if (code != StatusSuccess)
    return refuse(
        opened,
        code == StatusSublibraryMissing ? OG_LIBRARY_MISSING
                                        : OG_VERSION_MISMATCH,
        name + " is cuDNN " + versionText(library.version) +
            ", its other parts are not: " + library.getErrorString(code));
  logf(OG_LOG_DEBUG, "opened '%s': cuDNN %s", library.path.c_str(),
       versionText(library.version).c_str());
}

Opened &instance() {
  // Never destroyed: threads may execute while the process ends.
  static Opened *opened = new Opened;
  return *opened;
}

Opened &openOnce() {
  Opened &opened = instance();
  static std::once_flag once;
  std::call_once(once, [&] { open(opened); });
  return opened;
}

og_status statusOf(int code) {
  switch (code / 1000) {
  case 0:
    return OG_OK;
  // Also what fails inside of the library, such as the compilation of a
  // kernel: that is of one engine, and another plan may do.
  case 2:
  case 3:
  case 4:
    // Allocations, of the host and the device.
    return code == 4003 || code == 4004 ? OG_RESOURCE : OG_UNSUPPORTED;
  case 5:
    return OG_UNAVAILABLE;
  default:
    break;
  }
  if (code == StatusSerializationMismatch || code == StatusSublibraryMismatch)
    return OG_VERSION_MISMATCH;
  if (code == StatusSublibraryMissing)
    return OG_LIBRARY_MISSING;
  return OG_INTERNAL;
}

} // namespace

std::string opgraph::runtime::cudnn::versionText(int version) {
  int patch = version % 100, minor = version / 100 % 100,
      major = version / 10000;
  // Up to version 8 it was major * 1000.
  if (version < 90000)
    major = version / 1000, minor = version / 100 % 10;
  return std::to_string(major) + "." + std::to_string(minor) + "." +
         std::to_string(patch);
}

og_status opgraph::runtime::cudnn::getLibrary(const Library **out) {
  Opened &opened = openOnce();
  if (opened.status)
    return fail(opened.status, "%s", opened.text.c_str());
  *out = &opened.library;
  return OG_OK;
}

const Library &opgraph::runtime::cudnn::openedLibrary() {
  return instance().library;
}

void opgraph::runtime::cudnn::keepParts(const Library &library) {
  static std::once_flag once;
  std::call_once(once, [&] {
    size_t folder = library.path.rfind('/');
    if (folder == std::string::npos)
      return;
    for (const char *part : {"graph", "heuristic", "engines_precompiled",
                             "engines_runtime_compiled", "engines_tensor_ir",
                             "ops", "cnn", "adv", "ext"}) {
      // Versions differ in the parts that they have.
      std::string file = library.path.substr(0, folder) + "/libcudnn_" + part +
                         ".so." + std::to_string(majorVersion);
      dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE);
    }
  });
}

og_status opgraph::runtime::cudnn::failCudnn(const Library &library, int code,
                                             const char *what, ...) {
  char text[512], reason[384] = "";
  va_list args;
  va_start(args, what);
  std::vsnprintf(text, sizeof(text), what, args);
  va_end(args);
  library.getLastErrorString(reason, sizeof(reason));
  reason[sizeof(reason) - 1] = 0;
  // It may hold a report of several lines; what matters comes first.
  reason[std::strcspn(reason, "\n")] = 0;
  const char *name = library.getErrorString(code);
  return fail(statusOf(code), "%s: %s (%d)%s%s", text, name ? name : "error",
              code, *reason ? ": " : "", reason);
}

extern "C" {

og_status og_cudnn_version(int32_t *version) {
  if (!version)
    return fail(OG_INVALID_ARGUMENT, "og_cudnn_version: version is null");
  *version = 0;
  return guarded([&] {
    const Library *library = nullptr;
    if (og_status status = getLibrary(&library))
      return status;
    *version = library->version;
    return OG_OK;
  });
}

og_status og_cudnn_describe(char *text, size_t capacity, size_t *length) {
  if (!length || (!text && capacity))
    return fail(OG_INVALID_ARGUMENT, "og_cudnn_describe: %s is null",
                length ? "text" : "length");
  return guarded([&] {
    const Opened &opened = openOnce();
    std::string result = opened.status
                             ? opened.text
                             : "cuDNN " + versionText(opened.library.version) +
                                   " of '" + opened.library.path +
                                   "'; looked in " + opened.searched;
    *length = result.size();
    if (capacity)
      std::snprintf(text, capacity, "%s", result.c_str());
    return OG_OK;
  });
}
}
