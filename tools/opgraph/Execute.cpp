//===- Execute.cpp - One execution of a plan ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Failure.h"
#include "Run.h"
#include "opgraph-c/device.h"

#include <chrono>
#include <cstdlib>
#include <utility>

using namespace opgraph::cli;

namespace {

/// Memory of a device.
class DeviceMemory {
public:
  DeviceMemory(og_device device, size_t bytes) : device(device) {
    check(og_device_alloc(device, bytes, &memory));
  }
  ~DeviceMemory() { og_device_free(device, memory); }
  DeviceMemory(DeviceMemory &&other) noexcept
      : device(other.device), memory(std::exchange(other.memory, nullptr)) {}
  DeviceMemory &operator=(DeviceMemory &&) = delete;

  void *data() const { return memory; }

private:
  og_device device;
  void *memory = nullptr;
};

/// The operands on the device of one execution: there are copies of those that
/// the plan reads or writes in its memory.
class DeviceOperands {
public:
  DeviceOperands(std::vector<HostTensor> &operands, og_device device)
      : device(device) {
    for (HostTensor &operand : operands)
      add(operand);
  }

  const std::vector<og_buffer> &buffers() const { return list; }

  /// Copies the results back.
  void download() const {
    for (size_t i = 0; i < copies.size(); ++i)
      if (copied[i]->isOutput)
        check(og_device_download(device, copied[i]->data(), copies[i].data(),
                                 copied[i]->sizeInBytes()));
  }

private:
  void add(HostTensor &operand) {
    // An operand with a default that nobody gave takes the default.
    if (operand.hasDefault)
      return;
    og_buffer buffer = operand.buffer();
    if (device.type != OG_DEVICE_HOST && !operand.byValue) {
      copies.emplace_back(device, operand.sizeInBytes());
      copied.push_back(&operand);
      buffer.data = copies.back().data();
      buffer.device = device;
      check(og_device_upload(device, buffer.data, operand.data(),
                             operand.sizeInBytes()));
    }
    list.push_back(buffer);
  }

  og_device device;
  std::vector<og_buffer> list;
  std::vector<DeviceMemory> copies;
  std::vector<HostTensor *> copied;
};

} // namespace

int opgraph::cli::ordinalOf(const std::string &device) {
  if (device.compare(0, 5, "cuda:") != 0)
    return 0;
  return std::atoi(device.c_str() + 5);
}

int64_t opgraph::cli::execute(og_plan *plan, std::vector<HostTensor> &operands,
                              int ordinal, size_t &workspaceBytes) {
  og_device device = {OG_DEVICE_HOST, 0};
  if (og_plan_device_type(plan) == OG_DEVICE_CUDA) {
    checkHasGpu();
    device = {OG_DEVICE_CUDA, ordinal};
  }
  check(og_plan_prepare(plan, device));
  DeviceOperands bound(operands, device);
  og_variant_pack pack = {};
  pack.struct_size = sizeof(pack);
  pack.buffers = bound.buffers().data();
  pack.num_buffers = bound.buffers().size();
  check(og_plan_workspace_size(plan, &pack, &workspaceBytes));
  DeviceMemory workspace(device, workspaceBytes);
  pack.workspace = workspace.data();
  pack.workspace_size = workspaceBytes;
  auto start = std::chrono::steady_clock::now();
  check(og_plan_execute(plan, &pack, nullptr));
  check(og_device_synchronize(device));
  auto time = std::chrono::steady_clock::now() - start;
  bound.download();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(time).count();
}
