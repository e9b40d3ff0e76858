//===- Blas.cpp - The cuBLASLt that cuDNN needs ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// cuDNN opens cuBLASLt by itself when it ranks or makes plans, and ends the
/// process where that fails: so it is opened here first.
///
//===----------------------------------------------------------------------===//

#include "runtime/Cudnn/Library.h"
#include "runtime/Error.h"
#include "runtime/Log.h"

#include <dlfcn.h>
#include <mutex>

using namespace opgraph::runtime;
using namespace opgraph::runtime::cudnn;

/// The files to try, the loader's path first: beside cuDNN, as in a toolkit,
/// and where the wheels that it comes with put it.
static std::vector<std::string> filesOf(const Library &library,
                                        const std::string &soname) {
  std::vector<std::string> files = {soname};
  size_t end = library.path.rfind('/');
  if (end == std::string::npos)
    return files;
  std::string folder = library.path.substr(0, end + 1);
  for (const char *place : {"", "../../cu13/lib/", "../../cublas/lib/"})
    files.push_back(folder + place + soname);
  return files;
}

og_status opgraph::runtime::cudnn::openBlas(const Library &library) {
  static std::once_flag once;
  static std::string missing;
  std::call_once(once, [&] {
    // 13000 for a library of CUDA 13.0; one that tells none asks for none.
    size_t cuda = library.getCudartVersion();
    if (cuda == 0)
      return;
    std::string soname = "libcublasLt.so." + std::to_string(cuda / 1000);
    std::string reason;
    for (const std::string &file : filesOf(library, soname)) {
      if (dlopen(file.c_str(), RTLD_LAZY | RTLD_LOCAL | RTLD_NODELETE)) {
        logf(OG_LOG_DEBUG, "opened '%s' for cuDNN", file.c_str());
        return;
      }
      if (reason.empty())
        reason = dlerror();
    }
    missing = "'" + library.path + "' (cuDNN " + versionText(library.version) +
              ") needs " + soname + ": " + reason;
  });
  return missing.empty() ? OG_OK
                         : fail(OG_LIBRARY_MISSING, "%s", missing.c_str());
}
