//===- PlanIO.cpp - Plan files on disk ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Error.h"
#include "runtime/Loader.h"
#include "runtime/PlanFormat.h"

#include <atomic>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <sys/stat.h>
#include <unistd.h>

using namespace opgraph::runtime;
using namespace opgraph;

namespace {

/// A file descriptor, closed when destroyed.
struct File {
  int fd;
  explicit File(int fd) : fd(fd) {}
  ~File() {
    if (fd >= 0)
      close(fd);
  }
  File(const File &) = delete;
  File &operator=(const File &) = delete;
};

og_status ioError(const char *what, const char *path) {
  return fail(OG_IO_ERROR, "cannot %s '%s': %s", what, path,
              std::strerror(errno));
}

og_status readAll(int fd, const char *path, unsigned char *bytes, size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t count = read(fd, bytes + done, size - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return ioError("read", path);
    if (count == 0)
      return fail(OG_IO_ERROR, "cannot read '%s': it shrank to %zu bytes", path,
                  done);
    done += count;
  }
  return OG_OK;
}

og_status loadFile(const char *path, og_plan **out) {
  if (!out)
    return fail(OG_INVALID_ARGUMENT, "og_plan_load_file: out is null");
  *out = nullptr;
  if (!path)
    return fail(OG_INVALID_ARGUMENT, "og_plan_load_file: path is null");
  File file(open(path, O_RDONLY | O_CLOEXEC));
  struct stat info;
  if (file.fd < 0 || fstat(file.fd, &info) != 0)
    return ioError("open", path);
  if (!S_ISREG(info.st_mode))
    return fail(OG_IO_ERROR, "cannot read '%s': not a regular file", path);
  if (uint64_t(info.st_size) >= planfile::maxFileBytes)
    return fail(OG_DATA_LOSS,
                "'%s' has %lld bytes, a plan file fewer than "
                "%llu",
                path, static_cast<long long>(info.st_size),
                static_cast<unsigned long long>(planfile::maxFileBytes));
  size_t size = info.st_size;
  void *memory = nullptr;
  if (posix_memalign(&memory, 64, size ? size : 1))
    return fail(OG_OUT_OF_MEMORY, "cannot allocate %zu bytes for '%s'", size,
                path);
  std::unique_ptr<unsigned char, FreeDeleter> bytes(
      static_cast<unsigned char *>(memory));
  if (og_status status = readAll(file.fd, path, bytes.get(), size))
    return status;
  // Aligned already, so the plan can take these bytes over.
  og_plan *plan = nullptr;
  if (og_status status = loadPlan(bytes.get(), size, /*copy=*/false, &plan)) {
    std::string text = og_last_error();
    return fail(status, "'%s': %s", path, text.c_str());
  }
  plan->owned = std::move(bytes);
  *out = plan;
  return OG_OK;
}

og_status writeAll(int fd, const char *path, const unsigned char *bytes,
                   size_t size) {
  for (size_t done = 0; done < size;) {
    ssize_t count = write(fd, bytes + done, size - done);
    if (count < 0 && errno == EINTR)
      continue;
    if (count < 0)
      return ioError("write", path);
    done += count;
  }
  // Also finds out, on some file systems, that the disk is full.
  if (fsync(fd) != 0 && errno != EINVAL && errno != EROFS)
    return ioError("write", path);
  return OG_OK;
}

/// Opens a new file beside `path`; its name is put into `temporary`.
int openTemporary(const char *path, std::string &temporary) {
  static std::atomic<unsigned> counter{0};
  for (int attempt = 0; attempt < 100; ++attempt) {
    char suffix[64];
    std::snprintf(suffix, sizeof(suffix), ".tmp-%d-%u", int(getpid()),
                  counter.fetch_add(1));
    temporary = std::string(path) + suffix;
    int fd = open(temporary.c_str(),
                  O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC | O_NOFOLLOW, 0644);
    if (fd >= 0 || errno != EEXIST)
      return fd;
  }
  return -1;
}

/// Devices and pipes are written to; a file is replaced by a whole one.
bool isSpecial(const char *path) {
  struct stat info;
  return stat(path, &info) == 0 && !S_ISREG(info.st_mode);
}

og_status savePlan(const og_plan *plan, const char *path) {
  if (!plan || !path)
    return fail(OG_INVALID_ARGUMENT, "og_plan_save: %s is null",
                plan ? "path" : "plan");
  if (isSpecial(path)) {
    File file(open(path, O_WRONLY | O_CLOEXEC));
    return file.fd < 0 ? ioError("create", path)
                       : writeAll(file.fd, path, plan->bytes, plan->size);
  }
  std::string temporary;
  File file(openTemporary(path, temporary));
  if (file.fd < 0)
    return ioError("create", path);
  og_status status = writeAll(file.fd, path, plan->bytes, plan->size);
  if (status == OG_OK && std::rename(temporary.c_str(), path) != 0)
    status = ioError("rename to", path);
  if (status != OG_OK)
    unlink(temporary.c_str());
  return status;
}

} // namespace

extern "C" {

og_status og_plan_load_file(const char *path, og_plan **out) {
  return guarded([&] { return loadFile(path, out); });
}

og_status og_plan_save(const og_plan *plan, const char *path) {
  return guarded([&] { return savePlan(plan, path); });
}

og_status og_plan_serialize(const og_plan *plan, const void **data,
                            size_t *size) {
  if (!plan || !data || !size)
    return fail(OG_INVALID_ARGUMENT, "og_plan_serialize: %s is null",
                !plan   ? "plan"
                : !data ? "data"
                        : "size");
  *data = plan->bytes;
  *size = plan->size;
  return OG_OK;
}
}
