/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* The LLVM archives are not instrumented: their allocators' poisoning and the
 * containers that cross into them would be reported falsely. */
const char *__asan_default_options(void) {
  return "allow_user_poisoning=0:detect_container_overflow=0:"
         "alloc_dealloc_mismatch=0";
}
