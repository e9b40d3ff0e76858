//===- Program.cpp - A cudnn.graph as flat records ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/CuDNN/Program.h"
#include "dialects/CuDNN/CudnnDialect.h"
#include "llvm/ADT/DenseMap.h"

using namespace mlir;
using namespace opgraph::cudnn;

Program opgraph::cudnn::toProgram(GraphOp graph) {
  Program program;
  llvm::DenseMap<Value, uint32_t> positions;
  for (DescriptorOp op : graph.getBody().getOps<DescriptorOp>()) {
    auto position = static_cast<uint32_t>(program.kinds.size());
    program.kinds.push_back(static_cast<uint32_t>(op.getKind()));
    positions[op.getResult()] = position;
    for (const RecordView &view : op.getRecordViews()) {
      program.records.push_back({position, static_cast<uint32_t>(view.attr),
                                 static_cast<uint32_t>(view.type),
                                 static_cast<uint32_t>(view.count),
                                 static_cast<uint32_t>(program.words.size())});
      bool isDescriptor =
          view.type == static_cast<int64_t>(ValueType::BACKEND_DESCRIPTOR);
      for (int64_t word : view.words)
        program.words.push_back(
            isDescriptor ? positions.lookup(op.getDescriptors()[word])
                         : static_cast<uint64_t>(word));
    }
  }
  return program;
}

int64_t opgraph::cudnn::oldestVersion(const Program &program) {
  int64_t version = 0;
  for (uint32_t kind : program.kinds)
    if (const KindRow *row = findKind(static_cast<int64_t>(kind)))
      version = std::max(version, row->since);
  for (const Record &record : program.records) {
    auto kind = static_cast<Kind>(program.kinds[record.descriptor]);
    if (const AttrRow *row =
            findAttr(kind, static_cast<int64_t>(record.attribute)))
      version = std::max(version, row->since);
    const TypeRow *type = findType(static_cast<int64_t>(record.type));
    if (!type || !type->isEnum())
      continue;
    for (uint32_t i = 0; i < record.count; ++i)
      version = std::max(
          version, valueSince(*type, static_cast<int64_t>(
                                         program.words[record.first + i])));
  }
  return version;
}

std::string opgraph::cudnn::printVersion(int64_t version) {
  return std::to_string(version / 10000) + "." +
         std::to_string(version / 100 % 100) + "." +
         std::to_string(version % 100);
}
