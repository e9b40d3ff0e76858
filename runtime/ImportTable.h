/*===- ImportTable.h - What a host image may import -----------------------===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   */
/*===---------------------------------------------------------------------===*/

#ifndef OPGRAPH_RUNTIME_IMPORTTABLE_H
#define OPGRAPH_RUNTIME_IMPORTTABLE_H

#include "opgraph-c/host_abi.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct ogImport {
  const char *name;
  const void *address;
} ogImport;

/** Sorted by name. */
extern const ogImport ogImportTable[];
extern const size_t ogImportTableSize;

/** The import `opgraph_parallel_for` (ThreadPool.cpp). */
void ogParallelFor(og_parallel_body body, void **args, int64_t count);

/**
 * Conversions that the code generator calls where the instruction set lacks
 * them. Names of our own: the C library's compiler support may define the
 * public ones too, or lack them (libgcc 12 has no __truncdfbf2). All round to
 * nearest even. A bfloat16 is returned as _Float16, which the ABI passes in
 * the same register.
 */
_Float16 ogTruncSfHf(float value);
_Float16 ogTruncDfHf(double value);
float ogExtendHfSf(_Float16 value);
_Float16 ogTruncDfBf(double value);
_Float16 ogTruncSfBf(float value);

#ifdef __cplusplus
}
#endif

#endif /* OPGRAPH_RUNTIME_IMPORTTABLE_H */
