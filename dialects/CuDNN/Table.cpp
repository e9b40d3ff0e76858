//===- Table.cpp - cuDNN's backend descriptors, looked up -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/CuDNN/Table.h"
#include "llvm/ADT/ArrayRef.h"
#include "llvm/ADT/STLExtras.h"

using namespace opgraph::cudnn;
using llvm::StringLiteral;
using llvm::StringRef;

namespace {
/// What an attribute's descriptors may be: a kind, or one of these.
enum Referent : int32_t {
  REFERENT_ANY_OPERATION = -2,
  REFERENT_NONE = -1,
#define OG_CUDNN_KIND(NAME, NUMBER, ...) REFERENT_##NAME = NUMBER,
#include "opgraph-c/cudnn.def"
};

/// An enumerator.
struct ValueRow {
  StringLiteral enumeration;
  StringLiteral name;
  int64_t value;
  int64_t since;
};
} // namespace

static constexpr KindRow kKinds[] = {
#define OG_CUDNN_KIND(NAME, NUMBER, ROLE, PREFIX, SINCE)                       \
  {Kind::NAME, #NAME, Role::ROLE, PREFIX, SINCE},
#include "opgraph-c/cudnn.def"
};

static constexpr AttrRow kAttrs[] = {
#define OG_CUDNN_ATTR(KIND, NAME, NUMBER, TYPE, OTHER, LEAST, MOST, REFERENT,  \
                      SINCE)                                                   \
  {Kind::KIND,                                                                 \
   Attr::NAME,                                                                 \
   #NAME,                                                                      \
   ValueType::TYPE,                                                            \
   ValueType::OTHER,                                                           \
   LEAST,                                                                      \
   MOST,                                                                       \
   REFERENT_##REFERENT,                                                        \
   SINCE},
#include "opgraph-c/cudnn.def"
};

static constexpr TypeRow kTypes[] = {
#define OG_CUDNN_TYPE(NAME, NUMBER, BYTES, ENUM)                               \
  {ValueType::NAME, #NAME, BYTES == 16 ? 2 : 1, #ENUM},
#include "opgraph-c/cudnn.def"
};

static constexpr ValueRow kValues[] = {
#define OG_CUDNN_VALUE(ENUM, NAME, NUMBER, CONSTANT, SINCE)                    \
  {#ENUM, #NAME, NUMBER, SINCE},
#include "opgraph-c/cudnn.def"
};

bool AttrRow::takes(const KindRow &row) const {
  if (referent == REFERENT_ANY_OPERATION)
    return row.role == Role::Operation;
  return referent == static_cast<int32_t>(row.kind);
}

/// The row for which `test` holds; null where there is none.
template <typename Row, typename Test>
static const Row *findRow(llvm::ArrayRef<Row> rows, Test test) {
  auto found = llvm::find_if(rows, test);
  return found == rows.end() ? nullptr : found;
}

const KindRow *opgraph::cudnn::findKind(int64_t number) {
  return findRow(llvm::ArrayRef(kKinds), [&](const KindRow &row) {
    return static_cast<int64_t>(row.kind) == number;
  });
}

const KindRow *opgraph::cudnn::findKind(StringRef printed) {
  return findRow(llvm::ArrayRef(kKinds), [&](const KindRow &row) {
    return row.name.equals_insensitive(printed);
  });
}

const AttrRow *opgraph::cudnn::findAttr(Kind kind, int64_t number) {
  return findRow(llvm::ArrayRef(kAttrs), [&](const AttrRow &row) {
    return row.kind == kind && static_cast<int64_t>(row.attr) == number;
  });
}

const AttrRow *opgraph::cudnn::findAttr(Kind kind, StringRef printed) {
  return findRow(llvm::ArrayRef(kAttrs), [&](const AttrRow &row) {
    return row.kind == kind && printedName(row) == printed;
  });
}

const TypeRow *opgraph::cudnn::findType(int64_t number) {
  return findRow(llvm::ArrayRef(kTypes), [&](const TypeRow &row) {
    return static_cast<int64_t>(row.type) == number;
  });
}

const TypeRow *opgraph::cudnn::findType(StringRef printed) {
  return findRow(llvm::ArrayRef(kTypes), [&](const TypeRow &row) {
    return row.name.equals_insensitive(printed);
  });
}

void opgraph::cudnn::forEachAttr(
    Kind kind, llvm::function_ref<void(const AttrRow &)> body) {
  for (const AttrRow &row : kAttrs)
    if (row.kind == kind)
      body(row);
}

std::string opgraph::cudnn::printedName(const KindRow &row) {
  return row.name.lower();
}

std::string opgraph::cudnn::printedName(const AttrRow &row) {
  // The one attribute that does not begin as its kind's others stays whole.
  StringRef name = row.name;
  name.consume_front(findKind(static_cast<int64_t>(row.kind))->prefix);
  return name.lower();
}

std::string opgraph::cudnn::printedName(const TypeRow &row) {
  return row.name.lower();
}

std::string opgraph::cudnn::printedValue(const TypeRow &type, int64_t value) {
  for (const ValueRow &row : kValues)
    if (row.enumeration == type.enumeration && row.value == value)
      return row.name.lower();
  return "";
}

std::optional<int64_t> opgraph::cudnn::findValue(const TypeRow &type,
                                                 StringRef printed) {
  for (const ValueRow &row : kValues)
    if (row.enumeration == type.enumeration &&
        row.name.equals_insensitive(printed))
      return row.value;
  return std::nullopt;
}

int64_t opgraph::cudnn::valueSince(const TypeRow &type, int64_t value) {
  for (const ValueRow &row : kValues)
    if (row.enumeration == type.enumeration && row.value == value)
      return row.since;
  return 0;
}
