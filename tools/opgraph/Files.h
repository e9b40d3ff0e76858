//===- Files.h - Reading files, and writing them whole ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TOOLS_OPGRAPH_FILES_H
#define OPGRAPH_TOOLS_OPGRAPH_FILES_H

#include <string>
#include <string_view>
#include <vector>

namespace opgraph::cli {

/// The whole file; a Failure that names it otherwise.
std::string readFile(const std::string &path);

/// Writes several files so that all appear, each whole, or (as far as the
/// system lets us) none: all are written beside their places first, then
/// renamed. "-" is standard output; devices and pipes are written to directly.
class OutputFiles {
public:
  OutputFiles() = default;
  ~OutputFiles();
  OutputFiles(const OutputFiles &) = delete;
  OutputFiles &operator=(const OutputFiles &) = delete;

  /// Writes the temporary file; nothing is visible yet.
  void add(const std::string &path, std::string_view data);
  /// Renames all of them.
  void commit();

private:
  struct File {
    std::string path, temporary;
  };
  std::vector<File> files;
};

} // namespace opgraph::cli

#endif // OPGRAPH_TOOLS_OPGRAPH_FILES_H
