//===- Log.cpp - OPGRAPH_LOG and the log callback -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Log.h"

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <pthread.h>
#include <unistd.h>

using namespace opgraph::runtime;

namespace {

/// The sinks and their lock. A plain pthread mutex, because a child of fork()
/// must be able to take it whatever another thread of the parent was doing.
struct Logger {
  pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
  og_log_callback callback = nullptr;
  void *user = nullptr;
  int fd = -1;
  bool levelFromEnvironment = false;
};

Logger logger;
std::atomic<int> threshold{OG_LOG_OFF};
pthread_once_t once = PTHREAD_ONCE_INIT;
thread_local bool insideLog = false;

const char *const levelNames[] = {"off", "error", "warning", "info", "debug"};

/// A callback that forks holds the lock already.
void lockForFork() {
  if (!insideLog)
    pthread_mutex_lock(&logger.mutex);
}

void unlockAfterFork() {
  if (!insideLog)
    pthread_mutex_unlock(&logger.mutex);
}

/// Reads OPGRAPH_LOG=level[:file]. Something else than a level switches
/// warnings on, and the first warning says so.
void initialize() {
  pthread_atfork(lockForFork, unlockAfterFork, unlockAfterFork);
  const char *value = std::getenv("OPGRAPH_LOG");
  if (!value || !*value)
    return;
  logger.levelFromEnvironment = true;
  size_t length = std::strcspn(value, ":");
  int level = -1;
  for (int i = 0; i < 5; ++i)
    if (std::strlen(levelNames[i]) == length &&
        std::strncmp(levelNames[i], value, length) == 0)
      level = i;
  logger.fd = STDERR_FILENO;
  const char *path = value[length] ? value + length + 1 : "";
  bool opened = true;
  if (*path) {
    int fd = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0644);
    opened = fd >= 0;
    if (opened)
      logger.fd = fd;
  }
  threshold.store(level < 0 ? int(OG_LOG_WARNING) : level,
                  std::memory_order_relaxed);
  if (level < 0)
    dprintf(logger.fd,
            "opgraph warning runtime: OPGRAPH_LOG: expected "
            "off|error|warning|info|debug[:file], got '%s'\n",
            value);
  if (!opened && threshold.load(std::memory_order_relaxed) >= OG_LOG_WARNING)
    dprintf(logger.fd,
            "opgraph warning runtime: OPGRAPH_LOG: cannot open '%s', logging "
            "to stderr\n",
            path);
}

void ensureInitialized() { pthread_once(&once, initialize); }

/// Writes one line in one system call, so that lines of several processes do
/// not mix.
void writeLine(int fd, og_log_level level, const char *component,
               const char *text) {
  timespec now = {};
  clock_gettime(CLOCK_REALTIME, &now);
  tm utc = {};
  gmtime_r(&now.tv_sec, &utc);
  char line[2048];
  int used = std::snprintf(
      line, sizeof(line),
      "%04d-%02d-%02dT%02d:%02d:%02d.%03ldZ opgraph %s %s: %s",
      utc.tm_year + 1900, utc.tm_mon + 1, utc.tm_mday, utc.tm_hour, utc.tm_min,
      utc.tm_sec, now.tv_nsec / 1000000, levelNames[level], component, text);
  if (used < 0)
    return;
  size_t size = size_t(used) < sizeof(line) - 1 ? used : sizeof(line) - 2;
  line[size++] = '\n';
  // A log that cannot be written has nobody to be reported to.
  [[maybe_unused]] ssize_t written = write(fd, line, size);
}

} // namespace

extern "C" {

void og_set_log_callback(og_log_callback callback, void *user) {
  ensureInitialized();
  // A callback that sets another one runs under the lock already.
  bool nested = insideLog;
  if (!nested)
    pthread_mutex_lock(&logger.mutex);
  logger.callback = callback;
  logger.user = user;
  if (callback && !logger.levelFromEnvironment &&
      threshold.load(std::memory_order_relaxed) == OG_LOG_OFF)
    threshold.store(OG_LOG_WARNING, std::memory_order_relaxed);
  if (!nested)
    pthread_mutex_unlock(&logger.mutex);
}

void og_set_log_level(og_log_level level) {
  ensureInitialized();
  if (level < OG_LOG_OFF)
    level = OG_LOG_OFF;
  if (level > OG_LOG_DEBUG)
    level = OG_LOG_DEBUG;
  threshold.store(level, std::memory_order_relaxed);
}

og_log_level og_get_log_level(void) {
  ensureInitialized();
  return og_log_level(threshold.load(std::memory_order_relaxed));
}

void og_log(og_log_level level, const char *component, const char *text) {
  ensureInitialized();
  if (level <= OG_LOG_OFF || level > OG_LOG_DEBUG || insideLog ||
      level > threshold.load(std::memory_order_relaxed))
    return;
  if (!component)
    component = "";
  if (!text)
    text = "";
  insideLog = true;
  pthread_mutex_lock(&logger.mutex);
  if (logger.callback)
    logger.callback(level, component, text, logger.user);
  else if (logger.fd >= 0)
    writeLine(logger.fd, level, component, text);
  pthread_mutex_unlock(&logger.mutex);
  insideLog = false;
}
}

void opgraph::runtime::logf(og_log_level level, const char *format, ...) {
  if (level > og_get_log_level())
    return;
  char text[1024];
  va_list args;
  va_start(args, format);
  std::vsnprintf(text, sizeof(text), format, args);
  va_end(args);
  og_log(level, "runtime", text);
}
