//===- host_cost.cpp - What an execution costs the host -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// usage: host_cost PLAN.ogplan [ROWS COLUMNS]... Prints JSON: microseconds
/// that og_plan_execute takes to enqueue a plan's one kernel (with these
/// extents of the operands, in order, as overrides), and that cuLaunchKernel
/// takes for an empty kernel with as many parameters; medians of interleaved
/// batches, short enough that the device's queue never fills.
///
//===----------------------------------------------------------------------===//

#include "opgraph-c/device.h"
#include "opgraph-c/runtime.h"

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstdlib>
#include <dlfcn.h>
#include <vector>

static void check(bool good, const char *what) {
  if (good)
    return;
  std::fprintf(stderr, "%s: %s\n", what, og_last_error());
  std::exit(1);
}

static std::vector<char> readFile(const char *path) {
  std::FILE *file = std::fopen(path, "rb");
  check(file != nullptr, path);
  std::vector<char> data;
  for (int c; (c = std::fgetc(file)) != EOF;)
    data.push_back(char(c));
  std::fclose(file);
  return data;
}

namespace {
/// The driver's own launch of a kernel that does nothing.
class BareLaunch {
public:
  BareLaunch() {
    void *driver = dlopen("libcuda.so.1", RTLD_NOW);
    check(driver != nullptr, "libcuda.so.1");
    auto retain = find<int(void **, int)>(driver, "cuDevicePrimaryCtxRetain");
    auto push = find<int(void *)>(driver, "cuCtxSetCurrent");
    auto load = find<int(void **, const void *)>(driver, "cuModuleLoadData");
    auto get =
        find<int(void **, void *, const char *)>(driver, "cuModuleGetFunction");
    launch = find<Launch>(driver, "cuLaunchKernel");
    void *context, *module;
    check(!retain(&context, 0) && !push(context) && !load(&module, ptx) &&
              !get(&function, module, "empty"),
          "the empty kernel");
  }
  void operator()() {
    long long values[4] = {};
    void *arguments[] = {&values[0], &values[1], &values[2], &values[3]};
    check(!launch(function, 1, 1, 1, 128, 1, 1, 0, nullptr, arguments, nullptr),
          "cuLaunchKernel");
  }

private:
  using Launch = int(void *, unsigned, unsigned, unsigned, unsigned, unsigned,
                     unsigned, unsigned, void *, void **, void **);
  template <typename T>
  static T *find(void *library, const char *name) {
    void *symbol = dlsym(library, name);
    check(symbol != nullptr, name);
    return reinterpret_cast<T *>(symbol);
  }
  static constexpr const char *ptx =
      ".version 7.0\n.target sm_80\n.address_size 64\n"
      ".visible .entry empty(.param .u64 a, .param .u64 b, .param .u64 c, "
      ".param .u64 d) { ret; }\n";
  Launch *launch;
  void *function;
};

/// One execution of a plan on memory of its own.
class Execution {
public:
  Execution(const std::vector<char> &file, std::vector<int64_t> extents)
      : extents(std::move(extents)) {
    check(!og_plan_load(file.data(), file.size(), &plan) &&
              !og_plan_prepare(plan, device),
          "the plan");
    buffers.resize(og_plan_num_operands(plan));
    for (size_t i = 0; i < buffers.size(); ++i) {
      og_operand_info info = {};
      info.struct_size = sizeof(info);
      check(!og_plan_operand(plan, i, &info), "an operand");
      size_t bytes = 1 << 20;
      buffers[i] = {};
      buffers[i].struct_size = sizeof(og_buffer);
      buffers[i].uid = info.uid;
      buffers[i].ndim = OG_BARE_POINTER;
      check(!og_device_alloc(device, bytes, &buffers[i].data), "memory");
      if (2 * i + 1 < this->extents.size())
        overrides.push_back(
            {sizeof(og_override), info.uid, 2, &this->extents[2 * i], nullptr});
    }
    pack.struct_size = sizeof(pack);
    pack.buffers = buffers.data();
    pack.num_buffers = buffers.size();
    pack.overrides = overrides.data();
    pack.num_overrides = overrides.size();
    check(!og_plan_workspace_size(plan, &pack, &pack.workspace_size) &&
              !og_device_alloc(device, pack.workspace_size, &pack.workspace),
          "the workspace");
  }
  void operator()() {
    check(!og_plan_execute(plan, &pack, nullptr), "execute");
  }

private:
  og_plan *plan = nullptr;
  og_device device = {OG_DEVICE_CUDA, 0};
  std::vector<int64_t> extents;
  std::vector<og_buffer> buffers;
  std::vector<og_override> overrides;
  og_variant_pack pack = {};
};
} // namespace

/// Microseconds a call.
template <typename T>
static double timeBatch(T &call) {
  constexpr int calls = 200;
  check(!og_device_synchronize({OG_DEVICE_CUDA, 0}), "synchronize");
  auto start = std::chrono::steady_clock::now();
  for (int i = 0; i < calls; ++i)
    call();
  std::chrono::duration<double, std::micro> time =
      std::chrono::steady_clock::now() - start;
  return time.count() / calls;
}

int main(int argc, char **argv) {
  check(argc >= 2, "usage: host_cost PLAN.ogplan [ROWS COLUMNS]...");
  std::vector<int64_t> extents;
  for (int i = 2; i < argc; ++i)
    extents.push_back(std::atoll(argv[i]));
  Execution ours(readFile(argv[1]), std::move(extents));
  BareLaunch bare;
  std::vector<double> a, b;
  for (int i = 0; i < 301; ++i) {
    a.push_back(timeBatch(ours));
    b.push_back(timeBatch(bare));
  }
  std::sort(a.begin(), a.end());
  std::sort(b.begin(), b.end());
  std::printf("{\"execute_us\": %.3f, \"bare_us\": %.3f}\n", a[a.size() / 2],
              b[b.size() / 2]);
  return 0;
}
