//===- Imports.cpp - Resolving the imports of host images -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Imports.h"

#include "runtime/ImportTable.h"

#include <algorithm>
#include <cstring>

const void *opgraph::runtime::findImport(const char *name) {
  const ogImport *end = ogImportTable + ogImportTableSize;
  const ogImport *found = std::lower_bound(
      ogImportTable, end, name, [](const ogImport &import, const char *key) {
        return std::strcmp(import.name, key) < 0;
      });
  if (found == end || std::strcmp(found->name, name) != 0)
    return nullptr;
  return found->address;
}

extern "C" {

size_t og_host_import_count(void) { return ogImportTableSize; }

const char *og_host_import_name(size_t index) {
  return index < ogImportTableSize ? ogImportTable[index].name : nullptr;
}

int og_host_import_allowed(const char *name) {
  return name && opgraph::runtime::findImport(name) != nullptr;
}
}
