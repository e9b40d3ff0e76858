//===- CudnnLibrary.h - What planning asks the cuDNN library ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Planning opens no library. Who plans for a CUDA device may give it one; what
// it answers is part of the request, so that equal answers give equal plans.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_CUDNNLIBRARY_H
#define OPGRAPH_PASSES_PLANNING_CUDNNLIBRARY_H

#include "dialects/CuDNN/Program.h"
#include "dialects/Graph/GraphDialect.h"
#include "opgraph-c/status.h"
#include <memory>

namespace opgraph::planning {

struct Target;

/// A setting of one of the library's engines. Numbers of knobs and notes are
/// ours (PlanAttrs.td).
struct CudnnConfig {
  /// The library's global index.
  int64_t engine = 0;
  graph::Knobs knobs;
  int64_t workspace = 0;
  /// Bytes of a block; -1 where the library does not say.
  int64_t sharedMemory = -1;
  llvm::SmallVector<graph::BehaviorNote, 2> behaviorNotes;
  llvm::SmallVector<graph::NumericalNote, 2> numericalNotes;
};

/// A knob of an engine: minimum, minimum + stride, ... up to maximum.
struct CudnnKnob {
  int64_t type = 0;
  int64_t minimum = 0;
  int64_t maximum = 0;
  int64_t stride = 1;
};

/// One of the library's engines, asked about a graph.
struct CudnnEngine {
  int64_t index = 0;
  /// False where it does not run the graph; `reason` is then the library's.
  bool usable = false;
  std::string reason;
  llvm::SmallVector<CudnnKnob> knobs;
};

/// An operation graph that the library holds.
class CudnnQuery {
public:
  virtual ~CudnnQuery() = default;

  /// Engines have the indices below this.
  virtual int64_t engineCount() = 0;
  /// The settings that the heuristic `mode` lists, in its order. On failure
  /// sets `error`.
  virtual bool configs(graph::HeurMode mode,
                       llvm::SmallVectorImpl<CudnnConfig> &configs,
                       std::string &error) = 0;
  virtual CudnnEngine engine(int64_t index) = 0;
  /// A setting of our own: knobs that are not given have the library's values.
  /// OG_NOT_FOUND for a knob that the engine lacks, OG_INVALID_VALUE for a
  /// value that it does not take, OG_UNSUPPORTED where it does not run the
  /// graph so, with `error` set.
  virtual og_status config(int64_t engine, llvm::ArrayRef<graph::Knob> knobs,
                           CudnnConfig &config, std::string &error) = 0;
};

class CudnnLibrary {
public:
  virtual ~CudnnLibrary() = default;

  /// 91900 for 9.19.0; 0 where no library is usable.
  virtual int64_t version() const = 0;
  /// Why version() is 0, with the versions and paths that were found.
  virtual std::string unavailable() const = 0;
  /// Makes an operation graph. Null where the library refuses it; `error` is
  /// its text.
  virtual std::unique_ptr<CudnnQuery> open(const cudnn::Program &program,
                                           const Target &target,
                                           std::string &error) const = 0;
};

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_CUDNNLIBRARY_H
