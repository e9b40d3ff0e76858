//===- Files.cpp - Reading files, and writing them whole ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Files.h"
#include "Failure.h"

#include <cerrno>
#include <cstdio>
#include <cstring>
#include <sys/stat.h>
#include <unistd.h>

using namespace opgraph::cli;

static Failure ioFailure(const char *what, const std::string &path) {
  return Failure(ExitIoError, std::string("cannot ") + what + " '" + path +
                                  "': " + std::strerror(errno));
}

/// Whether `path` is there and no regular file: a device or a pipe is written
/// to, never replaced. (A folder fails when it is opened.)
static bool isSpecial(const std::string &path) {
  struct stat info;
  return stat(path.c_str(), &info) == 0 && !S_ISREG(info.st_mode);
}

/// A device may never end.
static constexpr size_t maxStreamBytes = size_t(1) << 31;

std::string opgraph::cli::readFile(const std::string &path) {
  std::FILE *file = std::fopen(path.c_str(), "rb");
  if (!file)
    throw ioFailure("read", path);
  std::string data;
  char buffer[1 << 16];
  while (size_t count = std::fread(buffer, 1, sizeof(buffer), file)) {
    data.append(buffer, count);
    if (data.size() < maxStreamBytes || !isSpecial(path))
      continue;
    std::fclose(file);
    throw Failure(ExitIoError, "cannot read '" + path +
                                   "': expected less than 2 GiB of a device "
                                   "or pipe, got more");
  }
  bool failed = std::ferror(file);
  std::fclose(file);
  if (failed)
    throw ioFailure("read", path);
  return data;
}

static bool writeAll(std::FILE *file, std::string_view data) {
  bool written = std::fwrite(data.data(), 1, data.size(), file) == data.size();
  return std::fflush(file) == 0 && written;
}

void OutputFiles::add(const std::string &path, std::string_view data) {
  if (path == "-") {
    if (!writeAll(stdout, data))
      throw ioFailure("write", "standard output");
    return;
  }
  bool special = isSpecial(path);
  std::string temporary =
      special ? path : path + ".tmp." + std::to_string(getpid());
  std::FILE *file = std::fopen(temporary.c_str(), "wb");
  if (!file)
    throw ioFailure("write", path);
  if (!special)
    files.push_back({path, temporary});
  bool written = writeAll(file, data);
  // A full disk may show only when the last bytes leave.
  written = (fsync(fileno(file)) == 0 || errno == EINVAL) && written;
  written = std::fclose(file) == 0 && written;
  if (!written)
    throw ioFailure("write", path);
}

void OutputFiles::commit() {
  while (!files.empty()) {
    const File &file = files.back();
    if (std::rename(file.temporary.c_str(), file.path.c_str()) != 0)
      throw ioFailure("write", file.path);
    files.pop_back();
  }
}

OutputFiles::~OutputFiles() {
  for (const File &file : files)
    std::remove(file.temporary.c_str());
}
