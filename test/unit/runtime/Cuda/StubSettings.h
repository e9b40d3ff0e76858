/*===- StubSettings.h - Settings of the stub libraries ------------*- C -*-===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
#ifndef OPGRAPH_TEST_UNIT_RUNTIME_CUDA_STUBSETTINGS_H
#define OPGRAPH_TEST_UNIT_RUNTIME_CUDA_STUBSETTINGS_H

#include <stdlib.h>
#include <string.h>

/* The number of `name` in an environment variable "name=1,other=2"; `standard`
   where it is not set. */
static long read_setting(const char *variable, const char *name,
                         long standard) {
  const char *text = getenv(variable);
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
