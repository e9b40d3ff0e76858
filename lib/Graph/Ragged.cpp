//===- Ragged.cpp - Ragged offsets as operands ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A ragged offset belongs to a tensor for the user, and is an operand of every
// op on that tensor in the graph.
//===----------------------------------------------------------------------===//
#include "lib/Graph/GraphImpl.h"
#include "lib/Support/CApi.h"
#include "llvm/ADT/STLExtras.h"

using namespace opgraph::lib;
using llvm::StringRef;

/// Calls `visit(port, tensor, operand)` for the ragged tensors that `node`
/// reads and makes; `operand` is that of the offset, or -1.
template <typename Visitor>
static void visitRagged(const GraphImpl &graph, const NodeRecord &node,
                        Visitor visit) {
  auto visitPort = [&](StringRef port, og_tensor tensor) {
    if (tensor == OG_NO_TENSOR ||
        graph.tensors[tensor].raggedOffset == OG_NO_TENSOR)
      return;
    visit(port, tensor, node.op->findOperand("ragged_offset_" + port.lower()));
  };
  for (auto [index, tensor] : node.operands)
    visitPort(node.op->operands[index].port, tensor);
  for (auto [info, tensor] : llvm::zip_equal(node.op->results, node.results))
    visitPort(info.port, tensor);
}

/// Inserts `item` behind all that do not come after it.
template <typename T>
static void insertSorted(llvm::SmallVectorImpl<std::pair<int, T>> &list,
                         std::pair<int, T> item) {
  auto position = llvm::find_if(
      list, [&](const auto &other) { return other.first > item.first; });
  list.insert(position, item);
}

NodeOperands opgraph::lib::collectOperands(const GraphImpl &graph,
                                           const NodeRecord &node) {
  NodeOperands result;
  result.operands.append(node.operands.begin(), node.operands.end());
  // Text says its operands itself.
  if (graph.isParsed)
    return result;
  llvm::SmallVector<std::pair<int, int64_t>> multipliers;
  visitRagged(graph, node, [&](StringRef, og_tensor tensor, int operand) {
    if (operand < 0)
      return;
    const TensorRecord &record = graph.tensors[tensor];
    insertSorted(result.operands, {operand, record.raggedOffset});
    insertSorted(multipliers, {operand, record.raggedMultiplier});
  });
  llvm::append_range(result.multipliers, llvm::make_second_range(multipliers));
  return result;
}

og_status opgraph::lib::checkRaggedPorts(const GraphImpl &graph,
                                         const NodeRecord &node) {
  og_status status = OG_OK;
  visitRagged(graph, node, [&](StringRef port, og_tensor tensor, int operand) {
    if (operand < 0 && status == OG_OK)
      status = fail(OG_UNSUPPORTED,
                    GraphImpl::describe(node) + ": expected port '" + port +
                        "' to be dense, as the operation reads no ragged "
                        "offsets for it, got " +
                        graph.describe(tensor) + ", which has some");
  });
  return status;
}

bool GraphImpl::isRead(og_tensor tensor) const {
  return tensors[tensor].isUsed ||
         llvm::any_of(tensors, [&](const TensorRecord &record) {
           return record.raggedOffset == tensor &&
                  (record.isUsed || record.node >= 0 || record.region);
         });
}
