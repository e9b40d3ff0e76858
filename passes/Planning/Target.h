//===- Target.h - What a graph is planned for -------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A graph is planned for exactly one target: the host, or one CUDA device that
// a description (lib/Devices/*.json) stands for. Nothing here asks the machine.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_TARGET_H
#define OPGRAPH_PASSES_PLANNING_TARGET_H

#include "llvm/ADT/StringRef.h"
#include <cstdint>
#include <optional>
#include <string>

namespace opgraph::planning {

enum class TargetKind : uint8_t { Host, Cuda };

struct Target {
  TargetKind kind = TargetKind::Host;
  /// As printed after '@' in a plan's name: "host", "sm_90:NVIDIA_H200",
  /// "sm_90a".
  std::string name = "host";
  /// Host only: the workers that the cost model counts on. No part of a plan.
  int64_t workers = 1;
  /// Host only: the most workers that a plan may have scratch memory for.
  int64_t maxWorkers = 32;

  // CUDA only, as the device description has them.
  /// Compute capability: 90 for sm_90.
  int64_t arch = 0;
  int64_t multiprocessors = 0;
  int64_t sharedMemoryPerBlock = 0;
  int64_t l2Bytes = 0;
  int64_t memoryBytes = 0;
  int64_t clockKHz = 0;
  int64_t memoryClockKHz = 0;
  /// The CUDA driver, 12040 for 12.4; 0 where the description does not tell.
  int64_t driver = 0;
  /// Where code is shipped as PTX to a driver that is known: the PTX version
  /// that it needs and the newest that the driver compiles, 86 for 8.6.
  int64_t shippedPtx = 0;
  int64_t newestPtx = 0;
  /// Whether NVIDIA's library of f64 functions is at hand.
  bool hasDeviceLibrary = true;
  /// The description that it was read from; "" for an architecture.
  std::string json;

  static Target host(int64_t workers = 1);

  /// "host", an architecture ("sm_90a", with the figures of a large device of
  /// it), the JSON text of a device description, or the path of a file that
  /// holds one. On failure returns nullopt and sets `error`.
  static std::optional<Target> parse(llvm::StringRef text, std::string &error);

  /// From the JSON text of a device description.
  static std::optional<Target> fromJson(llvm::StringRef json,
                                        std::string &error);
};

} // namespace opgraph::planning

#endif // OPGRAPH_PASSES_PLANNING_TARGET_H
