/*===- opgraph-c/status.h - Status codes, error texts and logging --------===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   */
/*===---------------------------------------------------------------------===*/
/*
 * Every function of the C API that can fail returns an og_status. The text
 * that goes with it is kept per thread and read with og_last_error(). The
 * compiler library and the runtime share one such text, because one
 * libopgraph_runtime serves a process.
 *
 * General rules of the C API:
 *  - Structs begin with their size in bytes (`struct_size`), set by the
 *    caller; fields are only ever appended.
 *  - Functions are only ever appended; none changes its meaning.
 *  - No function throws, prints, exits or installs a signal handler. Logging
 *    (below) is the only output.
 *  - A `const char *` returned by a function belongs to the library.
 */

#ifndef OPGRAPH_C_STATUS_H
#define OPGRAPH_C_STATUS_H

#include "opgraph-c/export.h"

OG_BEGIN_DECLS

/** The closed set of outcomes. New codes are only appended. */
typedef enum og_status {
  /** The call did what it says. */
  OG_OK = 0,
  /** An argument of the call itself is wrong (null handle, struct size). */
  OG_INVALID_ARGUMENT = 1,
  /** A required attribute or value was never set. */
  OG_ATTRIBUTE_NOT_SET = 2,
  /** A shape, stride or dtype could not be deduced. */
  OG_SHAPE_DEDUCTION = 3,
  /** A value breaks a rule of an operation or of a setting. */
  OG_INVALID_VALUE = 4,
  /** Every engine declined the graph. */
  OG_GRAPH_NOT_SUPPORTED = 5,
  /** Operands, overrides or workspace do not fit the plan. */
  OG_INVALID_VARIANT_PACK = 6,
  /** This engine, plan or machine cannot do it; another may. */
  OG_UNSUPPORTED = 7,
  /** A library opened at run time is not there. */
  OG_LIBRARY_MISSING = 8,
  /** A resource limit was met (threads, mappings, device memory). */
  OG_RESOURCE = 9,
  /** The device or service exists but cannot be used now. */
  OG_UNAVAILABLE = 10,
  /** A plan file is truncated, altered or inconsistent. */
  OG_DATA_LOSS = 11,
  /** A plan file or a recorded engine has another version. */
  OG_VERSION_MISMATCH = 12,
  /** The plan needs og_plan_prepare() first. */
  OG_NOT_PREPARED = 13,
  /** The graph is frozen: planning has started. */
  OG_FROZEN = 14,
  /** A file could not be opened, read, written or renamed. */
  OG_IO_ERROR = 15,
  /** A defect of opgraph; please report it. */
  OG_INTERNAL = 16,
  /** Host memory ran out. */
  OG_OUT_OF_MEMORY = 17,
  /** Nothing has that name, uid or key. */
  OG_NOT_FOUND = 18,
  /** An index is not below its count. */
  OG_OUT_OF_RANGE = 19,
  /** A name, uid or key is taken. */
  OG_ALREADY_EXISTS = 20,
  /** The call is not allowed in the object's present state. */
  OG_FAILED_PRECONDITION = 21,
  /** The caller, or a setting of the caller's, stopped the work. */
  OG_CANCELLED = 22,
  /** The text could not be parsed. */
  OG_PARSE_ERROR = 23
} og_status;

/**
 * The name of a status without its prefix, for example "DATA_LOSS";
 * "UNKNOWN" for a number that is no status. Never null; static storage.
 */
OG_API const char *og_status_name(og_status status);

/**
 * The text of the last call that failed on this thread; "" when none did.
 * A call that succeeds leaves it as it is. Owned by the library, valid until
 * the next failing call on the same thread. Never null.
 */
OG_API const char *og_last_error(void);

/** The status that belongs to og_last_error(); OG_OK when none failed. */
OG_API og_status og_last_status(void);

/**
 * Records `text` (copied, cut at 4095 bytes; null counts as "") as this
 * thread's last error and returns `status`. For libraries built on this one.
 */
OG_API og_status og_set_last_error(og_status status, const char *text);

/*===---------------------------------------------------------------------===*/
/* Logging                                                                   */
/*===---------------------------------------------------------------------===*/

/** Severity of a log message, the most severe first. */
typedef enum og_log_level {
  /** As a threshold: nothing is logged. */
  OG_LOG_OFF = 0,
  OG_LOG_ERROR = 1,
  OG_LOG_WARNING = 2,
  OG_LOG_INFO = 3,
  OG_LOG_DEBUG = 4
} og_log_level;

/**
 * Receives a log message. Called on the thread that logs, at most one call at
 * a time in the process; both strings live only for the call. It must not
 * throw. A message that it logs itself is dropped.
 */
typedef void (*og_log_callback)(og_log_level level, const char *component,
                                const char *text, void *user);

/**
 * Sends messages to `callback` instead of where OPGRAPH_LOG says; null goes
 * back to OPGRAPH_LOG. `user` is passed through. On return, no earlier
 * callback is running (except one that is the caller).
 *
 * OPGRAPH_LOG=level[:file]: level is off, error, warning, info or debug; lines
 * go to `file` (appended to) or to stderr. Unset means off. Read once.
 */
OG_API void og_set_log_callback(og_log_callback callback, void *user);

/** Sets the threshold; OPGRAPH_LOG gives the first one ("warning" for a
 * callback that is set while OPGRAPH_LOG is unset). */
OG_API void og_set_log_level(og_log_level level);

/** The threshold in force: a message above it goes nowhere. */
OG_API og_log_level og_get_log_level(void);

/**
 * Logs one message (one line, no newline at its end) of `component`, for
 * example "runtime". Cheap when `level` is above the threshold. Any thread.
 */
OG_API void og_log(og_log_level level, const char *component, const char *text);

OG_END_DECLS

#endif /* OPGRAPH_C_STATUS_H */
