//===- Toolkit.cpp - Where files of the CUDA toolkit lie ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/NVPTX/Toolkit.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/Program.h"

#include <cstdlib>
#include <dlfcn.h>

using namespace llvm;
using namespace opgraph::codegen;

static SmallVector<std::string> findToolkits() {
  SmallVector<std::string> roots;
  if (ErrorOr<std::string> ptxas = sys::findProgramByName("ptxas"))
    roots.push_back(
        sys::path::parent_path(sys::path::parent_path(*ptxas)).str());
  for (const char *root : {std::getenv("CUDA_HOME"), std::getenv("CUDA_PATH")})
    if (root)
      roots.push_back(root);
  roots.push_back("/usr/local/cuda");
  return roots;
}

/// The site-packages above the file that this code was loaded from.
static std::optional<std::string> findOwnPackages() {
  static const char here = 0;
  Dl_info info;
  if (!dladdr(&here, &info) || !info.dli_fname)
    return std::nullopt;
  StringRef path = info.dli_fname;
  while (!path.empty() && sys::path::filename(path) != "site-packages")
    path = sys::path::parent_path(path);
  return path.empty() ? std::nullopt : std::optional<std::string>(path.str());
}

/// lib/python3.X/site-packages of the active virtual environment.
static std::optional<std::string> findActivePackages() {
  const char *root = std::getenv("VIRTUAL_ENV");
  if (!root)
    return std::nullopt;
  SmallString<128> libraries(root);
  sys::path::append(libraries, "lib");
  std::error_code error;
  for (sys::fs::directory_iterator it(libraries, error), end;
       !error && it != end; it.increment(error)) {
    SmallString<128> packages(it->path());
    sys::path::append(packages, "site-packages");
    if (sys::path::filename(it->path()).starts_with("python") &&
        sys::fs::is_directory(packages))
      return packages.str().str();
  }
  return std::nullopt;
}

static std::optional<std::string> findBelow(StringRef root,
                                            ArrayRef<const char *> names) {
  for (const char *name : names) {
    SmallString<128> path(root);
    sys::path::append(path, name);
    if (sys::fs::exists(path))
      return path.str().str();
  }
  return std::nullopt;
}

std::optional<std::string>
opgraph::codegen::findToolkitFile(const ToolkitFile &file) {
  if (file.given)
    return file.given == StringRef("none")
               ? std::nullopt
               : std::optional<std::string>(file.given);
  for (const std::string &root : findToolkits())
    if (std::optional<std::string> found = findBelow(root, file.inToolkit))
      return found;
  for (const std::optional<std::string> &root :
       {findOwnPackages(), findActivePackages()})
    if (root)
      if (std::optional<std::string> found = findBelow(*root, file.inPackages))
        return found;
  return std::nullopt;
}
