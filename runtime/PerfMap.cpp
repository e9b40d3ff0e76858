//===- PerfMap.cpp - Names of host functions for perf ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/PerfMap.h"

#include "runtime/Log.h"
#include "runtime/plan_generated.h"

#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fcntl.h>
#include <string>
#include <unistd.h>

namespace fb = opgraph::planfile::fb;

void opgraph::runtime::writePerfMap(const fb::Variant &variant,
                                    const unsigned char *base) {
  const char *enabled = std::getenv("OPGRAPH_PERF_MAP");
  if (!enabled || std::strcmp(enabled, "1") != 0)
    return;
  const auto *functions = variant.functions();
  if (!functions || functions->size() == 0)
    functions = variant.entries();
  std::string lines;
  for (const fb::ImageSymbol *function : *functions) {
    char address[64];
    std::snprintf(address, sizeof(address), "%llx %llx ",
                  static_cast<unsigned long long>(
                      reinterpret_cast<uintptr_t>(base) + function->offset()),
                  static_cast<unsigned long long>(function->size()));
    lines += address;
    lines.append(function->name()->data(), function->name()->size());
    lines += '\n';
  }
  char path[64];
  std::snprintf(path, sizeof(path), "/tmp/perf-%d.map", int(getpid()));
  // The name is guessable and the folder is everybody's: follow no link.
  int fd =
      open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600);
  if (fd < 0) {
    logf(OG_LOG_WARNING, "OPGRAPH_PERF_MAP: cannot open '%s': %s", path,
         std::strerror(errno));
    return;
  }
  // One call, so that the lines of two threads do not mix.
  if (write(fd, lines.data(), lines.size()) != ssize_t(lines.size()))
    logf(OG_LOG_WARNING, "OPGRAPH_PERF_MAP: cannot write '%s'", path);
  close(fd);
}
