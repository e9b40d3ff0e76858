//===- Program.h - The steps of a CUDA plan, resolved -----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// What an execution needs to know of a CUDA plan's steps, made when the plan
/// is loaded, and the block of memory in which it makes their parameters.
///
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_CUDA_PROGRAM_H
#define OPGRAPH_RUNTIME_CUDA_PROGRAM_H

#include "runtime/Cuda/ModuleCache.h"
#include "runtime/plan_generated.h"

#include <atomic>
#include <memory>
#include <mutex>
#include <vector>

struct og_plan;

namespace opgraph::runtime {
class Frame;
namespace cudnn {
struct PreparedSteps;
} // namespace cudnn
} // namespace opgraph::runtime

namespace opgraph::runtime::cuda {

/// A kernel's parameter.
struct ArgumentRecord {
  planfile::fb::ArgKind kind;
  planfile::fb::ArgType type;
  uint32_t index;
  uint32_t axis;
  uint32_t expr;
  uint64_t bits;
  /// What is passed is the slot's address (false), or the address in it.
  bool isDirect = false;
};

/// A step: a launch, an execution of cuDNN, or else a fill.
struct StepPlan {
  /// The kernel's index in the variant; -1 for others.
  int32_t kernel = -1;
  /// The number among the program's cuDNN steps; -1 for others.
  int32_t cudnn = -1;
  bool dependent = false;
  uint8_t fillValue = 0;
  /// Grid of a launch; offset and size of a fill. (Those of cuDNN's part of the
  /// workspace are numbers in the file.)
  uint32_t exprs[3] = {};
  /// Arguments [firstArg, firstArg + numArgs) of the program.
  uint32_t firstArg = 0;
  uint32_t numArgs = 0;
};

/// Whether a step, of which these are the numbers, launches nothing: its
/// parameters are not made then.
inline bool isIdleLaunch(const StepPlan &step, const int64_t (&grid)[3]) {
  return step.kernel >= 0 && (grid[0] == 0 || grid[1] == 0 || grid[2] == 0);
}

/// A tensor map.
struct MapRecord {
  ArgumentRecord base;
  int dtype;
  unsigned elementBytes;
  uint32_t rank;
  /// Outermost first, as the file has them.
  const uint32_t *extents;
  const uint32_t *strides;
  const uint32_t *box;
  int swizzle;
  bool fillNan;
  /// Of im2col, rank - 2 each; null of a tiled map.
  const int32_t *lower;
  const int32_t *upper;
  const uint32_t *steps;
};

/// The memory of one execution: tensor maps, then for each step three numbers,
/// then each argument's eight bytes, then the launches' lists of addresses.
class Block {
public:
  Block(const struct Program &program, unsigned char *base);

  TensorMapBytes *maps;
  int64_t (*steps)[3];
  uint64_t *slots;
  void **params;
};

/// How a kernel is launched.
struct KernelLaunch {
  Function function;
  unsigned threads;
  unsigned cluster[3];
  unsigned sharedBytes;
  bool hasCluster;
};

/// What one device needs to run a plan.
struct PreparedDevice {
  const DeviceState *device = nullptr;
  LoadedModule *module = nullptr;
  const planfile::fb::DeviceVariant *variant = nullptr;
  bool usedPtx = false;
  /// By the kernel's index in the variant.
  std::vector<KernelLaunch> kernels;
  /// Null for a plan without cuDNN steps.
  std::shared_ptr<const cudnn::PreparedSteps> cudnn;
};

/// The steps of a plan and what devices have loaded of it.
struct Program {
  ~Program();

  std::vector<StepPlan> steps;
  std::vector<ArgumentRecord> args;
  std::vector<MapRecord> maps;
  std::vector<const planfile::fb::CudnnExecute *> cudnn;
  /// Bytes of a Block, which is aligned as a tensor map is.
  size_t blockBytes = 0;
  /// The steps and slots for the declared shapes; null when no shapes are
  /// declared.
  std::unique_ptr<unsigned char, void (*)(void *)> declared{nullptr, nullptr};
  size_t declaredBytes = 0;
  /// OPGRAPH_DEBUG_SYNC was 1 when the plan was loaded: execution waits for
  /// each kernel, so that a fault is told of the one that made it.
  bool sync = false;

  std::mutex mutex;
  std::atomic<PreparedDevice *> prepared[maxDevices] = {};
};

/// The records of a verified plan.
std::unique_ptr<Program> makeProgram(const og_plan &plan);

/// Writes what follows from the symbols alone: grids, fills, integers, and the
/// offsets of pointers. OG_INVALID_VARIANT_PACK names what does not fit.
og_status evaluateProgram(const og_plan &plan, const Program &program,
                          const int64_t *symbols, Block &block);

/// Adds what depends on the operands: addresses, scalars, strides and tensor
/// maps. The block holds the evaluated numbers.
og_status bindArguments(const og_plan &plan, const Program &program,
                        const Driver &driver, const Frame &frame,
                        uintptr_t workspace, int64_t workspaceBytes,
                        Block &block);

/// Makes one tensor map (TensorMaps.cpp).
og_status encodeMap(const og_plan &plan, const MapRecord &record, size_t number,
                    const Driver &driver, const int64_t *symbols,
                    uintptr_t address, TensorMapBytes &out);

/// Loads the plan's code into a device, unless that has happened (Prepare.cpp).
og_status prepareDevice(const og_plan &plan, Program &program,
                        const Driver &driver, int ordinal,
                        const PreparedDevice **out);

} // namespace opgraph::runtime::cuda

#endif // OPGRAPH_RUNTIME_CUDA_PROGRAM_H
