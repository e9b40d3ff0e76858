//===- Run.cpp - opgraph run ----------------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Run.h"
#include "Failure.h"
#include "Files.h"

#include <cctype>

using namespace opgraph::cli;

/// "DIR/y.npy", of the operand's name as far as a file can have it.
static std::string outputPath(const std::string &folder,
                              const HostTensor &operand) {
  std::string name;
  for (char c : operand.name)
    name += std::isalnum(static_cast<unsigned char>(c)) || c == '_' ? c : '_';
  if (name.empty())
    name = "output";
  return folder + "/" + name + "." + std::to_string(operand.uid) + ".npy";
}

static void saveOutputs(const RunOptions &options, const RunResult &result) {
  OutputFiles files;
  for (const HostTensor &operand : result.operands)
    if (operand.isOutput)
      files.add(
          outputPath(options.saveOutputs, operand),
          writeNpy(npyDescr(operand.dtype), operand.shape, operand.packed()));
  files.commit();
}

int opgraph::cli::run(const RunOptions &options) {
  Session session(options.plan);
  og_plan *plan = session.build();
  RunResult result;
  result.operands = makeOperands(session, plan, options);
  int ordinal = ordinalOf(options.plan.device);
  for (int i = 0; i < options.repeat; ++i)
    result.executions.push_back(
        execute(plan, result.operands, ordinal, result.workspaceBytes));
  if (options.verify)
    verifyRun(session, options, result);
  if (!options.saveOutputs.empty())
    saveOutputs(options, result);
  reportRun(session, plan, options, result);
  return isVerified(result) ? ExitOk : ExitVerifyFailed;
}
