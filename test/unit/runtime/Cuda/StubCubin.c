/*===- StubCubin.c - What the stub driver reads of a real cubin ----------===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   */
/*===---------------------------------------------------------------------===*/
/*
 * An assembler writes a section ".nv.info.<kernel>" of records {format, kind,
 * size or value}; format 4 has `size` bytes after it. Kind 0x17 is a parameter:
 * {index, ordinal and offset, bytes << 18 and flags}.
 */

#include "StubParts.h"

#include <elf.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

enum { MACHINE_CUDA = 190, FORMAT_SIZED = 4, KIND_PARAMETER = 0x17 };

int stub_is_cubin(const void *image) {
  const Elf64_Ehdr *header = image;
  return memcmp(header->e_ident, ELFMAG, SELFMAG) == 0 &&
         header->e_machine == MACHINE_CUDA;
}

/* Returns 0 where the kernel has more parameters than the stub keeps. */
static int read_parameters(const char *at, const char *end, Kernel *kernel) {
  while (at + 4 <= end) {
    uint16_t size;
    memcpy(&size, at + 2, sizeof(size));
    int sized = at[0] == FORMAT_SIZED;
    if (sized && at[1] == KIND_PARAMETER) {
      uint16_t ordinal;
      uint32_t flags;
      memcpy(&ordinal, at + 8, sizeof(ordinal));
      memcpy(&flags, at + 12, sizeof(flags));
      if (ordinal >= STUB_MAX_PARAMS || flags >> 18 > STUB_PARAM_BYTES)
        return 0;
      kernel->sizes[ordinal] = flags >> 18;
      if (kernel->num_params <= ordinal)
        kernel->num_params = ordinal + 1;
    }
    at += 4 + (sized ? size : 0);
  }
  return 1;
}

int stub_read_cubin(const void *image, Kernel *kernels, int most) {
  static const char prefix[] = ".nv.info.";
  const char *bytes = image;
  const Elf64_Ehdr *header = image;
  const Elf64_Shdr *sections = (const Elf64_Shdr *)(bytes + header->e_shoff);
  const char *names = bytes + sections[header->e_shstrndx].sh_offset;
  int count = 0;
  for (int i = 0; i < header->e_shnum; ++i) {
    const char *name = names + sections[i].sh_name;
    if (strncmp(name, prefix, strlen(prefix)) != 0)
      continue;
    if (count == most)
      return -1;
    Kernel *kernel = &kernels[count++];
    snprintf(kernel->name, sizeof(kernel->name), "%s", name + strlen(prefix));
    kernel->is_real = 1;
    const char *info = bytes + sections[i].sh_offset;
    if (!read_parameters(info, info + sections[i].sh_size, kernel))
      return -1;
  }
  return count;
}
