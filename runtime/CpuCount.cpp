//===- CpuCount.cpp - How many threads the process may keep busy ----------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/CpuCount.h"

#include "runtime/Log.h"

#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <sched.h>
#include <string>
#include <unistd.h>

using namespace opgraph::runtime;

static int affinityCount() {
  // The kernel refuses a mask smaller than its own; grow until it fits.
  for (int cpus = 1024; cpus <= 1 << 20; cpus *= 4) {
    cpu_set_t *set = CPU_ALLOC(cpus);
    if (!set)
      break;
    size_t size = CPU_ALLOC_SIZE(cpus);
    int count = 0;
    if (sched_getaffinity(0, size, set) == 0)
      count = CPU_COUNT_S(size, set);
    CPU_FREE(set);
    if (count > 0)
      return count;
  }
  long online = sysconf(_SC_NPROCESSORS_ONLN);
  return online > 0 ? int(online) : 1;
}

int opgraph::runtime::readCpuMax(const char *path, int limit) {
  std::FILE *file = std::fopen(path, "re");
  if (!file)
    return limit;
  long long quota = 0, period = 0;
  int fields = std::fscanf(file, "%lld %lld", &quota, &period);
  std::fclose(file);
  // "max 100000" does not scan: no quota.
  if (fields != 2 || quota <= 0 || period <= 0)
    return limit;
  long long cpus = (quota + period - 1) / period;
  return cpus < limit ? int(cpus) : limit;
}

/// The least quota of the process's cgroup and the groups above it.
static int cgroupCount(int limit) {
  std::FILE *file = std::fopen("/proc/self/cgroup", "re");
  if (!file)
    return limit;
  char line[4096];
  std::string group;
  while (std::fgets(line, sizeof(line), file)) {
    if (std::strncmp(line, "0::/", 4) != 0)
      continue;
    group.assign(line + 3, std::strcspn(line + 3, "\n"));
    break;
  }
  std::fclose(file);
  if (group.empty())
    return limit;
  // Inside a container the path may be that of the host; the mount point's
  // own file is read in any case.
  while (true) {
    std::string path = "/sys/fs/cgroup" + group + "/cpu.max";
    limit = readCpuMax(path.c_str(), limit);
    size_t slash = group.rfind('/');
    if (group.empty() || slash == std::string::npos)
      return limit;
    group.resize(slash);
  }
}

int opgraph::runtime::usableCpuCount() {
  const char *value = std::getenv("OPGRAPH_NUM_THREADS");
  if (value && *value) {
    char *end = nullptr;
    long count = std::strtol(value, &end, 10);
    if (*end == '\0' && count >= 1 && count <= maxThreads)
      return int(count);
    logf(OG_LOG_WARNING,
         "OPGRAPH_NUM_THREADS: expected a number in 1..%d, got '%s'; ignored",
         maxThreads, value);
  }
  int count = cgroupCount(affinityCount());
  return count < maxThreads ? count : maxThreads;
}
