//===- TestCuda.h - Plans for CUDA devices, without a GPU -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_TEST_UNIT_RUNTIME_CUDA_TESTCUDA_H
#define OPGRAPH_TEST_UNIT_RUNTIME_CUDA_TESTCUDA_H

#include "test/unit/runtime/Cuda/StubCuda.h"
#include "test/unit/runtime/TestPlans.h"

#include <cstdlib>

namespace opgraph::test {

inline constexpr const char *addKernel = "opgraph_add_f32";

/// What the stub takes for a cubin: an ELF header, then the kernels.
inline std::vector<uint8_t> makeCubin(const std::string &kernels) {
  std::vector<uint8_t> bytes(64);
  const uint8_t ident[] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
  std::copy(std::begin(ident), std::end(ident), bytes.begin());
  bytes.insert(bytes.end(), kernels.begin(), kernels.end());
  bytes.push_back(0);
  return bytes;
}

inline planfile::DeviceKernel makeKernel(const std::string &name) {
  planfile::DeviceKernel kernel;
  kernel.name = name;
  kernel.threads = 256;
  kernel.registers = 16;
  return kernel;
}

inline planfile::DeviceVariant makeDeviceVariant(
    const std::string &target = "sm_90a",
    const std::string &kernels = std::string(addKernel) + ": 8 8 8 4\n") {
  planfile::DeviceVariant variant;
  variant.target = target;
  variant.cubin = makeCubin(kernels);
  variant.kernels = {makeKernel(kernels.substr(0, kernels.find(':')))};
  return variant;
}

inline planfile::LaunchArg makePointerArg(uint32_t operand,
                                          planfile::Expr offset = 0) {
  planfile::LaunchArg arg;
  arg.kind = planfile::ArgKind::Pointer;
  arg.index = operand;
  arg.expr = std::move(offset);
  return arg;
}

inline planfile::LaunchArg
makeIntegerArg(planfile::Expr value,
               planfile::ArgType type = planfile::ArgType::I32) {
  planfile::LaunchArg arg;
  arg.kind = planfile::ArgKind::Integer;
  arg.type = type;
  arg.expr = std::move(value);
  return arg;
}

inline planfile::LaunchArg makeArg(planfile::ArgKind kind,
                                   planfile::ArgType type, uint32_t index = 0) {
  planfile::LaunchArg arg;
  arg.kind = kind;
  arg.type = type;
  arg.index = index;
  return arg;
}

/// out = x + y over `n` f32 values, on a CUDA device.
inline planfile::PlanContents makeAddPlan(int64_t n = 8) {
  planfile::PlanContents contents = makeEmptyPlan();
  contents.name = "sum";
  contents.target = "sm_90:Stub";
  contents.engineId = 30000;
  contents.engineName = "nvptx.pointwise";
  contents.device = planfile::DeviceKind::Cuda;
  contents.variants.clear();
  contents.operands = {makeOperand(1, "x", OG_DTYPE_FLOAT, {n}),
                       makeOperand(2, "y", OG_DTYPE_FLOAT, {n}),
                       makeOperand(3, "out", OG_DTYPE_FLOAT, {n}, true)};
  planfile::Launch launch;
  launch.grid[0] =
      planfile::Expr::binary(planfile::ExprOp::CeilDiv, planfile::Expr(n), 256);
  launch.args = {makePointerArg(0), makePointerArg(1), makePointerArg(2),
                 makeIntegerArg(n)};
  contents.steps = {launch};
  contents.deviceVariants = {makeDeviceVariant()};
  return contents;
}

/// makeAddPlan over a symbolic number of values.
inline planfile::PlanContents
makeDynamicAddPlan(std::optional<int64_t> defaultValue = std::nullopt) {
  planfile::PlanContents contents = makeAddPlan(1);
  planfile::Expr n = planfile::Expr::symbol(0);
  for (planfile::Operand &operand : contents.operands)
    operand.extents = {n};
  planfile::Symbol symbol;
  symbol.name = "N";
  symbol.max = int64_t(1) << 40;
  symbol.defaultValue = defaultValue;
  contents.symbols = {symbol};
  auto &launch = std::get<planfile::Launch>(contents.steps[0]);
  launch.grid[0] = planfile::Expr::binary(planfile::ExprOp::CeilDiv, n, 256);
  launch.args[3] = makeIntegerArg(n);
  return contents;
}

/// makeDynamicAddPlan with two kernels: one where 4 divides N, one for all
/// others; 8 is declared. Launches pass N * N as an i32.
inline planfile::PlanContents makeVersionedAddPlan() {
  using planfile::Expr;
  using planfile::ExprOp;
  planfile::PlanContents contents = makeDynamicAddPlan(8);
  Expr n = Expr::symbol(0);
  Expr rest = Expr::binary(ExprOp::Mod, n, 4);
  Expr fails =
      Expr::binary(ExprOp::CeilDiv, rest, Expr::binary(ExprOp::Add, rest, 1));
  auto launch = std::get<planfile::Launch>(contents.steps[0]);
  Expr blocks = launch.grid[0];
  launch.args[3] = makeIntegerArg(Expr::binary(ExprOp::Mul, n, n));
  launch.grid[0] =
      Expr::binary(ExprOp::Mul, blocks, Expr::binary(ExprOp::Sub, 1, fails));
  contents.steps = {launch};
  launch.kernel = 1;
  launch.grid[0] = Expr::binary(ExprOp::Mul, blocks, fails);
  contents.steps.push_back(launch);
  contents.deviceVariants = {
      makeDeviceVariant("sm_90a", std::string(addKernel) +
                                      ": 8 8 8 4\nopgraph_any_f32: 8 8 8 4\n")};
  contents.deviceVariants[0].kernels.push_back(makeKernel("opgraph_any_f32"));
  return contents;
}

/// Memory of the stub's device; of the host, as the driver knows it, where
/// `device` is negative.
template <typename T>
class DeviceArray {
public:
  explicit DeviceArray(size_t count, int device = 0, bool managed = false)
      : memory(static_cast<T *>(
            stub_cuda_malloc(device, count * sizeof(T), managed))) {}
  ~DeviceArray() { stub_cuda_free(memory); }
  DeviceArray(const DeviceArray &) = delete;
  DeviceArray &operator=(const DeviceArray &) = delete;

  T *get() const { return memory; }
  T &operator[](size_t index) const { return memory[index]; }

private:
  T *memory;
};

inline og_buffer makeDeviceBuffer(int64_t uid, const void *data,
                                  const std::vector<int64_t> &shape,
                                  int device = 0) {
  og_buffer buffer = makeBuffer(uid, data, shape);
  buffer.device = {OG_DEVICE_CUDA, device};
  return buffer;
}

/// The operands of makeAddPlan, on the stub's device 0.
class CudaTest : public ::testing::Test {
protected:
  CudaTest() {
    stub_cuda_reset();
    for (int i = 0; i < 8; ++i) {
      x[i] = float(i);
      y[i] = 10;
      out[i] = -1;
    }
  }
  ~CudaTest() override { stub_cuda_reset(); }

  std::vector<og_buffer> buffers() const {
    return {makeDeviceBuffer(1, x.get(), eight),
            makeDeviceBuffer(2, y.get(), eight),
            makeDeviceBuffer(3, out.get(), eight)};
  }
  static og_status run(const PlanPtr &plan, const std::vector<og_buffer> &list,
                       void *stream = nullptr, void *workspace = nullptr,
                       size_t bytes = 0) {
    Pack pack(list, workspace, bytes);
    return og_plan_execute(plan.get(), &pack, stream);
  }
  template <typename T>
  static T param(int launch, int index) {
    T value;
    std::memcpy(&value, stub_cuda_launch(launch)->params[index], sizeof(T));
    return value;
  }

  std::vector<int64_t> eight = {8};
  DeviceArray<float> x{8}, y{8}, out{8};
};

} // namespace opgraph::test

#endif // OPGRAPH_TEST_UNIT_RUNTIME_CUDA_TESTCUDA_H
