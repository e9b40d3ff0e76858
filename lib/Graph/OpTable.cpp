//===- OpTable.cpp - What the builder knows of each operation -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Graph/OpTable.h"
#include "dialects/Graph/GraphDialect.h"
#include "opgraph-c/graph.h"
#include "llvm/ADT/STLExtras.h"

using namespace opgraph;
using namespace opgraph::lib;

namespace opgraph::lib {
#include "lib/Graph/GraphOpTable.inc"
} // namespace opgraph::lib

/// Index of the entry with this name, else of the one with this port.
template <typename Info>
static int findNameOrPort(llvm::ArrayRef<Info> infos, llvm::StringRef wanted) {
  for (auto [index, info] : llvm::enumerate(infos))
    if (wanted == info.name)
      return index;
  for (auto [index, info] : llvm::enumerate(infos))
    if (wanted == info.port)
      return index;
  return -1;
}

int OpInfo::findOperand(llvm::StringRef wanted) const {
  return findNameOrPort(operands, wanted);
}

int OpInfo::findResult(llvm::StringRef wanted) const {
  return findNameOrPort(results, wanted);
}

int OpInfo::findAttribute(llvm::StringRef wanted) const {
  for (auto [index, attribute] : llvm::enumerate(attributes))
    if (wanted == attribute.name)
      return index;
  return -1;
}

llvm::ArrayRef<OpInfo> opgraph::lib::getOpTable() { return opTable; }

const OpInfo *opgraph::lib::findOp(llvm::StringRef name) {
  const OpInfo *op = llvm::lower_bound(
      getOpTable(), name, [](const OpInfo &info, llvm::StringRef key) {
        return llvm::StringRef(info.name) < key;
      });
  return op != getOpTable().end() && name == op->name ? op : nullptr;
}

//===----------------------------------------------------------------------===//
// C API
//===----------------------------------------------------------------------===//

int32_t og_num_ops(void) { return getOpTable().size(); }

const char *og_op_name(int32_t index) {
  if (index < 0 || size_t(index) >= getOpTable().size())
    return nullptr;
  return getOpTable()[index].name;
}

int32_t og_op_num_results(const char *op) {
  const OpInfo *info = op ? findOp(op) : nullptr;
  return info ? int32_t(info->results.size()) : -1;
}
