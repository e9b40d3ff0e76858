//===- Search.cpp - Where cuDNN is looked for -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// The order that opgraph-c/cudnn.h documents.
///
//===----------------------------------------------------------------------===//

#include "runtime/Cudnn/Library.h"

#include <cstdlib>
#include <dirent.h>
#include <dlfcn.h>
#include <sys/stat.h>

using namespace opgraph::runtime::cudnn;

static constexpr const char *soname = "libcudnn.so.9";

static bool isFolder(const std::string &path) {
  struct stat status;
  return stat(path.c_str(), &status) == 0 && S_ISDIR(status.st_mode);
}

static std::string inPackages(const std::string &packages) {
  return packages + "/nvidia/cudnn/lib/" + soname;
}

/// The site-packages above the file that this code was loaded from; "".
static std::string ownPackages() {
  static const char here = 0;
  Dl_info info;
  if (!dladdr(&here, &info) || !info.dli_fname)
    return "";
  std::string path = info.dli_fname;
  const std::string folder = "/site-packages";
  size_t end = path.rfind(folder + "/");
  return end == std::string::npos ? "" : path.substr(0, end + folder.size());
}

/// lib/python3.X/site-packages of the active virtual environment.
static std::vector<std::string> activePackages() {
  std::vector<std::string> found;
  const char *root = std::getenv("VIRTUAL_ENV");
  if (!root || !*root)
    return found;
  std::string libraries = std::string(root) + "/lib";
  DIR *folder = opendir(libraries.c_str());
  if (!folder)
    return found;
  while (const dirent *entry = readdir(folder)) {
    std::string name = entry->d_name;
    std::string packages = libraries + "/" + name + "/site-packages";
    if (name.rfind("python", 0) == 0 && isFolder(packages))
      found.push_back(packages);
  }
  closedir(folder);
  return found;
}

static Place packages() {
  Place place{"the wheel nvidia-cudnn-cu13", {}};
  std::string own = ownPackages();
  if (!own.empty())
    place.files.push_back(inPackages(own));
  for (const std::string &folder : activePackages())
    place.files.push_back(inPackages(folder));
  return place;
}

static Place toolkits() {
  Place place{"the CUDA toolkit", {}};
  std::vector<std::string> roots;
  for (const char *root : {std::getenv("CUDA_HOME"), std::getenv("CUDA_PATH")})
    if (root && *root)
      roots.push_back(root);
  roots.push_back("/usr/local/cuda");
  for (const std::string &root : roots)
    for (const char *folder : {"/lib64/", "/lib/"})
      place.files.push_back(root + folder + soname);
  return place;
}

std::vector<Place> opgraph::runtime::cudnn::libraryPlaces() {
  if (const char *given = std::getenv("OPGRAPH_CUDNN"); given && *given) {
    std::string path = given;
    if (isFolder(path))
      path += std::string("/") + soname;
    return {{"OPGRAPH_CUDNN", {path}}};
  }
  return {{"the loader's path", {soname}}, packages(), toolkits()};
}
