//===- opgraph/Plan.h - Compiled plans --------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Needs libopgraph_runtime only.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PLAN_H
#define OPGRAPH_PLAN_H

#include "opgraph-c/runtime.h"
#include "opgraph/Result.h"

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <vector>

namespace opgraph {

/// Element types, with the numbers of og_dtype.
enum class DataType : int32_t {
  NotSet = OG_DTYPE_NOT_SET,
  Float = OG_DTYPE_FLOAT,
  Double = OG_DTYPE_DOUBLE,
  Half = OG_DTYPE_HALF,
  BFloat16 = OG_DTYPE_BFLOAT16,
  Int8 = OG_DTYPE_INT8,
  UInt8 = OG_DTYPE_UINT8,
  Int32 = OG_DTYPE_INT32,
  Int64 = OG_DTYPE_INT64,
  Boolean = OG_DTYPE_BOOLEAN,
  FP8E4M3 = OG_DTYPE_FP8_E4M3,
  FP8E5M2 = OG_DTYPE_FP8_E5M2,
  /// A scale: a power of two.
  FP8E8M0 = OG_DTYPE_FP8_E8M0,
  /// Two per byte, the first of them in the low half.
  FP4E2M1 = OG_DTYPE_FP4_E2M1,
  Int4 = OG_DTYPE_INT4,
  /// A compute type only.
  FastFloatForFP8 = OG_DTYPE_FAST_FLOAT_FOR_FP8,
};

/// What a call binds to an operand: its uid and an address. Without extents the
/// operand's declaration is taken on trust.
struct Buffer {
  int64_t uid = 0;
  void *data = nullptr;
  DataType dataType = DataType::NotSet;
  /// Empty for a bare address (or an operand of rank 0 with `isScalar`).
  std::vector<int64_t> shape;
  /// In elements; empty for packed row-major.
  std::vector<int64_t> strides;
  bool isScalar = false;

  Buffer(int64_t uid, const void *data)
      : uid(uid), data(const_cast<void *>(data)) {}
  Buffer(int64_t uid, const void *data, DataType type,
         std::vector<int64_t> shape, std::vector<int64_t> strides = {})
      : uid(uid), data(const_cast<void *>(data)), dataType(type),
        shape(std::move(shape)), strides(std::move(strides)) {}
};

/// Memory of the alignment that workspaces need.
class Workspace {
public:
  explicit Workspace(size_t bytes)
      : memory(bytes ? std::aligned_alloc(64, (bytes + 63) / 64 * 64)
                     : nullptr),
        bytes(bytes) {}
  void *data() const { return memory.get(); }
  size_t size() const { return bytes; }

private:
  struct Free {
    void operator()(void *pointer) const { std::free(pointer); }
  };
  std::unique_ptr<void, Free> memory;
  size_t bytes;
};

/// A compiled plan: immutable, shared by copies, usable from any number of
/// threads at once.
class Plan {
public:
  /// Takes over one reference of a C handle.
  explicit Plan(og_plan *handle) : handle(handle, og_plan_release) {}

  /// Loads a plan file. It is code: load trusted files only.
  static Result<Plan> load(const std::string &path) {
    og_plan *plan = nullptr;
    if (og_status status = og_plan_load_file(path.c_str(), &plan))
      return Error::last(status);
    return Plan(plan);
  }

  /// Writes the plan file whole or not at all.
  Result<void> save(const std::string &path) const {
    return Result<void>::of(og_plan_save(get(), path.c_str()));
  }

  /// The C handle; it stays this object's.
  og_plan *get() const { return handle.get(); }
  /// Who made the plan, for example "host.fused".
  std::string engineName() const { return og_plan_engine_name(get()); }
  /// The code variant that this machine runs, for example "x86-64-v3".
  std::string variant() const { return og_plan_variant(get()); }

  /// Bytes of workspace of a plan whose extents are all declared.
  Result<size_t> workspaceSize() const { return workspaceSize({}); }
  /// Bytes of workspace of a call with `buffers`, which say the extents.
  Result<size_t> workspaceSize(const std::vector<Buffer> &buffers) const {
    std::vector<og_buffer> bound = toC(buffers);
    og_variant_pack pack = makePack(bound);
    size_t size = 0;
    if (og_status status = og_plan_workspace_size(get(), &pack, &size))
      return Error::last(status);
    return size;
  }

  /// Whether the plan runs on a CUDA device, whose memory buffers and workspace
  /// are then.
  bool onCuda() const { return og_plan_device_type(get()) == OG_DEVICE_CUDA; }

  /// Does all lazy work for executing, on CUDA device `ordinal` or on the host.
  Result<void> prepare(int32_t ordinal = 0) const {
    og_device device = {onCuda() ? OG_DEVICE_CUDA : OG_DEVICE_HOST,
                        onCuda() ? ordinal : 0};
    return Result<void>::of(og_plan_prepare(get(), device));
  }

  /// Runs the plan on `buffers` (any order) with `workspace` of at least
  /// workspaceSize() bytes, aligned to 64 bytes, or to 256 on a CUDA device.
  /// `stream` is a CUstream or cudaStream_t; null for a host plan.
  Result<void> execute(const std::vector<Buffer> &buffers, void *workspace,
                       size_t workspaceBytes, void *stream = nullptr) const {
    std::vector<og_buffer> bound = toC(buffers);
    og_variant_pack pack = makePack(bound);
    pack.workspace = workspace;
    pack.workspace_size = workspaceBytes;
    return Result<void>::of(og_plan_execute(get(), &pack, stream));
  }

  /// As above, with a workspace of its own, on the host: convenient, not for a
  /// hot path. A plan for a device can be run so when it needs none.
  Result<void> execute(const std::vector<Buffer> &buffers) const {
    Result<size_t> size = workspaceSize(buffers);
    if (!size)
      return size.error();
    Workspace workspace(*size);
    return execute(buffers, workspace.data(), workspace.size());
  }

private:
  /// Without a workspace; refers to `buffers`.
  static og_variant_pack makePack(const std::vector<og_buffer> &buffers) {
    og_variant_pack pack = {};
    pack.struct_size = sizeof(pack);
    pack.buffers = buffers.data();
    pack.num_buffers = buffers.size();
    return pack;
  }

  static std::vector<og_buffer> toC(const std::vector<Buffer> &buffers) {
    std::vector<og_buffer> result;
    for (const Buffer &buffer : buffers)
      result.push_back(toC(buffer));
    return result;
  }

  static og_buffer toC(const Buffer &buffer) {
    og_buffer result = {};
    result.struct_size = sizeof(result);
    result.uid = buffer.uid;
    result.data = buffer.data;
    result.dtype = static_cast<int32_t>(buffer.dataType);
    bool isBare = buffer.shape.empty() && !buffer.isScalar;
    result.ndim =
        isBare ? OG_BARE_POINTER : static_cast<int32_t>(buffer.shape.size());
    result.shape = buffer.shape.data();
    result.strides = buffer.strides.empty() ? nullptr : buffer.strides.data();
    // Where the plan runs.
    result.device = {0, 0};
    return result;
  }

  std::shared_ptr<og_plan> handle;
};

} // namespace opgraph

#endif // OPGRAPH_PLAN_H
