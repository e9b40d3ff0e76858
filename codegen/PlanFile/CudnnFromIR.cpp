//===- CudnnFromIR.cpp - cuDNN steps to plan file -------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/PlanFile/CudnnFromIR.h"
#include "codegen/PlanFile/LaunchFromIR.h"
#include "dialects/CuDNN/CudnnDialect.h"
#include "dialects/CuDNN/Program.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::planfile;

llvm::Expected<CudnnExecute>
opgraph::planfile::convertCudnn(plan::CudnnExecuteOp op) {
  auto graph = SymbolTable::lookupNearestSymbolFrom<cudnn::GraphOp>(
      op->getParentOp(), op.getGraphAttr());
  if (!graph)
    return llvm::createStringError("there is no cudnn.graph @" + op.getGraph());
  cudnn::Program program = cudnn::toProgram(graph);
  CudnnExecute execute;
  execute.kinds = std::move(program.kinds);
  execute.words = std::move(program.words);
  for (const cudnn::Record &record : program.records)
    execute.records.push_back({record.descriptor, record.attribute, record.type,
                               record.count, record.first});
  execute.engine = static_cast<int64_t>(op.getConfig());
  ArrayRef<int64_t> knobs = op.getKnobs();
  for (size_t i = 0; i + 1 < knobs.size(); i += 2)
    execute.knobs.push_back({knobs[i], knobs[i + 1]});
  execute.uids.assign(op.getUids().begin(), op.getUids().end());
  for (Attribute arg : op.getArgs())
    execute.args.push_back(convertArgument(arg));
  execute.workspace = op.getWorkspace();
  execute.bytes = op.getBytes();
  if (std::optional<StringRef> serialized = op.getSerialized()) {
    execute.serialized.assign(serialized->begin(), serialized->end());
    execute.library = static_cast<uint32_t>(*op.getLibrary());
  }
  return execute;
}
