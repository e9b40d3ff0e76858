/*===- StubSettings.h - Settings of the stub libraries ------------*- C -*-===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef OPGRAPH_TEST_UNIT_RUNTIME_CUDA_STUBSETTINGS_H
#define OPGRAPH_TEST_UNIT_RUNTIME_CUDA_STUBSETTINGS_H

#include <stdlib.h>
#include <string.h>

/* The number of `name` in a text "name=1,other=2", which may be null;
   `standard` where it is not there. */
static long read_setting(const char *text, const char *name, long standard) {
  size_t length = strlen(name);
  while (text && *text) {
    if (strncmp(text, name, length) == 0 && text[length] == '=')
      return atol(text + length + 1);
    text = strchr(text, ',');
    text = text ? text + 1 : NULL;
  }
  return standard;
}

#endif
