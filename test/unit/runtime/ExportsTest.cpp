//===- ExportsTest.cpp - The list of exported symbols ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "gtest/gtest.h"

#include <cctype>
#include <dlfcn.h>
#include <fstream>
#include <set>
#include <sstream>
#include <string>

namespace {

const std::string sourceFolder = OPGRAPH_SOURCE_DIR;

std::string readText(const std::string &path) {
  std::stringstream text;
  text << std::ifstream(path).rdbuf();
  EXPECT_FALSE(text.str().empty()) << path;
  return text.str();
}

/// Names after OG_API in the runtime's headers.
std::set<std::string> declaredNames() {
  std::set<std::string> names;
  for (const char *header : {"status.h", "types.h", "runtime.h", "device.h",
                             "cudnn.h", "host_abi.h"}) {
    std::string text = readText(sourceFolder + "/include/opgraph-c/" + header);
    for (size_t at = 0; (at = text.find("OG_API ", at)) != std::string::npos;
         ++at) {
      size_t end = text.find('(', at), begin = end;
      while (std::isalnum(text[begin - 1]) || text[begin - 1] == '_')
        --begin;
      names.insert(text.substr(begin, end - begin));
    }
  }
  return names;
}

std::set<std::string> listedNames() {
  std::set<std::string> names;
  std::istringstream lines(readText(sourceFolder + "/runtime/exports.txt"));
  for (std::string line; std::getline(lines, line);)
    if (line.rfind("og_", 0) == 0)
      names.insert(line);
  return names;
}

TEST(Exports, HeadersListAndLibraryAgree) {
  std::set<std::string> listed = listedNames();
  EXPECT_EQ(declaredNames(), listed);
  void *library = dlopen(OPGRAPH_RUNTIME_LIBRARY, RTLD_NOW | RTLD_LOCAL);
  ASSERT_NE(library, nullptr) << dlerror();
  for (const std::string &name : listed)
    EXPECT_NE(dlsym(library, name.c_str()), nullptr) << name;
  for (const char *hidden : {"ogParallelFor", "ogTruncDfBf", "ogImportTable"})
    EXPECT_EQ(dlsym(library, hidden), nullptr) << hidden;
  dlclose(library);
}

} // namespace
