//===- Backend.cpp - cuDNN's numbers and checks of programs ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cudnn/Backend.h"

#include <cstdarg>
#include <cstdio>

using namespace opgraph::runtime::cudnn;

namespace {

enum Role : uint8_t { Config, Tensor, Operation, Graph, Library };

/// What an attribute's descriptors may be: a kind, or one of these.
enum Referent : int32_t {
  REFERENT_ANY_OPERATION = -2,
  REFERENT_NONE = -1,
#define OG_CUDNN_KIND(NAME, NUMBER, ...) REFERENT_##NAME = NUMBER,
#include "opgraph-c/cudnn.def"
};

struct KindRow {
  int32_t kind;
  const char *name;
  Role role;
};

struct AttrRow {
  int32_t kind;
  int32_t attr;
  const char *name;
  int32_t type;
  int32_t other;
  uint32_t most;
  int32_t referent;
};

struct TypeRow {
  int32_t type;
  uint8_t bytes;
};

const KindRow kinds[] = {
#define OG_CUDNN_KIND(NAME, NUMBER, ROLE, ...) {NUMBER, #NAME, ROLE},
#include "opgraph-c/cudnn.def"
};

const AttrRow attrs[] = {
#define OG_CUDNN_ATTR(KIND, NAME, NUMBER, TYPE, OTHER, LEAST, MOST, REFERENT,  \
                      SINCE)                                                   \
  {KIND_##KIND,        NUMBER, #NAME, TYPE_##TYPE, TYPE_##OTHER, MOST,         \
   REFERENT_##REFERENT},
#include "opgraph-c/cudnn.def"
};

const TypeRow types[] = {
#define OG_CUDNN_TYPE(NAME, NUMBER, BYTES, ...) {NUMBER, BYTES},
#include "opgraph-c/cudnn.def"
};

const KindRow *findKind(int64_t kind) {
  for (const KindRow &row : kinds)
    if (row.kind == kind)
      return &row;
  return nullptr;
}

const AttrRow *findAttr(int64_t kind, int64_t attr) {
  for (const AttrRow &row : attrs)
    if (row.kind == kind && row.attr == attr)
      return &row;
  return nullptr;
}

/// Checks one program.
class ProgramChecker {
public:
  ProgramChecker(const ProgramView &program, char *text, size_t capacity)
      : program(program), text(text), capacity(capacity) {}

  const char *run();

private:
  const char *checkKinds();
  const char *checkRecord(size_t number);
  const char *checkReferences(size_t number, const AttrRow &row);
  [[gnu::format(printf, 2, 3)]] const char *refuse(const char *format, ...);

  const ProgramView &program;
  char *text;
  size_t capacity;
};

} // namespace

const char *opgraph::runtime::cudnn::kindName(int64_t kind) {
  const KindRow *row = findKind(kind);
  return row ? row->name : "?";
}

const char *opgraph::runtime::cudnn::attrName(int64_t attr) {
  for (const AttrRow &row : attrs)
    if (row.attr == attr)
      return row.name;
  return "?";
}

size_t opgraph::runtime::cudnn::elementBytes(int64_t type) {
  for (const TypeRow &row : types)
    if (row.type == type)
      return row.bytes;
  return 0;
}

size_t opgraph::runtime::cudnn::elementWords(int64_t type) {
  return type == TYPE_FRACTION ? 2 : 1;
}

const char *ProgramChecker::refuse(const char *format, ...) {
  va_list args;
  va_start(args, format);
  std::vsnprintf(text, capacity, format, args);
  va_end(args);
  return text;
}

const char *ProgramChecker::checkKinds() {
  if (program.numKinds == 0 || program.numKinds > maxDescriptors)
    return refuse("%zu descriptors, expected 1 to %zu", program.numKinds,
                  maxDescriptors);
  for (size_t i = 0; i < program.numKinds; ++i) {
    const KindRow *row = findKind(program.kinds[i]);
    if (!row || row->role == Library)
      return refuse("descriptor %zu is of kind %u, which no program has", i,
                    program.kinds[i]);
    if ((row->role == Graph) != (i + 1 == program.numKinds))
      return refuse("descriptor %zu of %zu is a %s: the last one, and no "
                    "other, is an operation graph",
                    i, program.numKinds, row->name);
  }
  return nullptr;
}

const char *ProgramChecker::checkReferences(size_t number, const AttrRow &row) {
  const og_cudnn_record &record = program.records[number];
  for (uint32_t i = 0; i < record.count; ++i) {
    uint64_t target = program.words[record.first + i];
    if (target >= record.descriptor)
      return refuse("%s of descriptor %u is descriptor %llu, which is made "
                    "later",
                    row.name, record.descriptor,
                    static_cast<unsigned long long>(target));
    const KindRow *kind = findKind(program.kinds[target]);
    bool fits = row.referent == REFERENT_ANY_OPERATION
                    ? kind->role == Operation
                    : row.referent == kind->kind;
    if (!fits)
      return refuse("%s of descriptor %u is a %s", row.name, record.descriptor,
                    kind->name);
  }
  return nullptr;
}

const char *ProgramChecker::checkRecord(size_t number) {
  const og_cudnn_record &record = program.records[number];
  if (record.descriptor >= program.numKinds ||
      (number && record.descriptor < program.records[number - 1].descriptor))
    return refuse("record %zu is of descriptor %u of %zu, out of order", number,
                  record.descriptor, program.numKinds);
  uint32_t kind = program.kinds[record.descriptor];
  const AttrRow *row = findAttr(kind, record.attribute);
  if (!row || row->most == 0)
    return refuse("record %zu sets attribute %u of a %s, which has none that "
                  "programs set",
                  number, record.attribute, kindName(kind));
  if (record.type > INT32_MAX ||
      (int32_t(record.type) != row->type && int32_t(record.type) != row->other))
    return refuse("%s of descriptor %u has type %u, expected %d", row->name,
                  record.descriptor, record.type, row->type);
  if (record.count == 0 || record.count > row->most)
    return refuse("%s of descriptor %u has %u elements, expected 1 to %u",
                  row->name, record.descriptor, record.count, row->most);
  size_t words = size_t(record.count) * elementWords(record.type);
  if (record.first > program.numWords ||
      words > program.numWords - record.first)
    return refuse("%s of descriptor %u takes words %u to %zu of %zu", row->name,
                  record.descriptor, record.first, record.first + words,
                  program.numWords);
  return record.type == TYPE_BACKEND_DESCRIPTOR ? checkReferences(number, *row)
                                                : nullptr;
}

const char *ProgramChecker::run() {
  if (const char *error = checkKinds())
    return error;
  if (program.numRecords > maxRecords)
    return refuse("%zu records, expected at most %zu", program.numRecords,
                  maxRecords);
  for (size_t i = 0; i < program.numRecords; ++i)
    if (const char *error = checkRecord(i))
      return error;
  return nullptr;
}

const char *opgraph::runtime::cudnn::checkProgram(const ProgramView &program,
                                                  char *text, size_t capacity) {
  return ProgramChecker(program, text, capacity).run();
}
