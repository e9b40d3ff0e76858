/*===- opgraph-c/export.h - Linkage macros of the C API ------------------===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   */
/*===---------------------------------------------------------------------===*/

#ifndef OPGRAPH_C_EXPORT_H
#define OPGRAPH_C_EXPORT_H

/** Marks a function that the shared libraries export. */
#if defined(__GNUC__)
#define OG_API __attribute__((visibility("default")))
#else
#define OG_API
#endif

#ifdef __cplusplus
#define OG_BEGIN_DECLS extern "C" {
#define OG_END_DECLS }
#else
#define OG_BEGIN_DECLS
#define OG_END_DECLS
#endif

#endif /* OPGRAPH_C_EXPORT_H */
