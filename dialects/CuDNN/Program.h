//===- Program.h - A cudnn.graph as flat records ----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What the plan file and the runtime take (opgraph-c/cudnn.h): no MLIR in it.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_CUDNN_PROGRAM_H
#define OPGRAPH_DIALECTS_CUDNN_PROGRAM_H

#include <cstdint>
#include <string>
#include <vector>

namespace opgraph::cudnn {
class GraphOp;

/// One attribute of one descriptor: its words begin at `first`.
struct Record {
  uint32_t descriptor = 0;
  uint32_t attribute = 0;
  uint32_t type = 0;
  uint32_t count = 0;
  uint32_t first = 0;
};

/// Descriptors in the order of their making; words of descriptor type are
/// positions in `kinds`.
struct Program {
  std::vector<uint32_t> kinds;
  std::vector<Record> records;
  std::vector<uint64_t> words;
};

/// The records of a valid graph.
Program toProgram(GraphOp graph);

/// The first version of the library that has all that `program` uses, as far as
/// the table tells: 91300 for 9.13.
int64_t oldestVersion(const Program &program);

/// "9.13.0" of 91300.
std::string printVersion(int64_t version);

} // namespace opgraph::cudnn

#endif // OPGRAPH_DIALECTS_CUDNN_PROGRAM_H
