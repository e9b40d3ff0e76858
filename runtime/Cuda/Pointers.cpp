//===- Pointers.cpp - Where the operands are ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cuda/Pointers.h"

#include "runtime/Cuda/Devices.h"
#include "runtime/Error.h"

#include <cstdio>

using namespace opgraph::runtime;
using namespace opgraph::runtime::cuda;

namespace {

/// Collects the device of all addresses. Texts are made for refusals only.
class DeviceFinder {
public:
  DeviceFinder(const og_plan &plan, const Driver &driver)
      : plan(plan), driver(driver) {}

  /// `operand` is null for the workspace.
  og_status add(const OperandRecord *operand, og_device declared,
                const void *address);

  /// -1 for none.
  int ordinal() const { return device; }

private:
  og_status settle(const OperandRecord *operand, og_device declared,
                   const void *address, int ordinal);
  bool isManaged(const void *address) const;

  const og_plan &plan;
  const Driver &driver;
  int device = -1;
  /// What told the device.
  const OperandRecord *first = nullptr;
  const void *firstAddress = nullptr;
};

/// "operand 'x' (uid 1)", for a message.
class Named {
public:
  explicit Named(const OperandRecord *operand) {
    if (operand)
      std::snprintf(text, sizeof(text), "%s '%.60s' (uid %lld)",
                    operand->isOutput ? "output" : "operand", operand->name,
                    static_cast<long long>(operand->uid));
  }
  const char *str() const { return text; }

private:
  char text[128] = "the workspace";
};

unsigned long long hex(const void *address) {
  return reinterpret_cast<uintptr_t>(address);
}

} // namespace

/// Managed memory is every device's, whichever the driver names.
bool DeviceFinder::isManaged(const void *address) const {
  unsigned managed = 0;
  int attribute = PointerIsManaged;
  void *value = &managed;
  return driver.pointerGetAttributes(1, &attribute, &value,
                                     reinterpret_cast<uintptr_t>(address)) ==
             Success &&
         managed;
}

/// Two devices are named: refuses that, unless one of them is of managed
/// memory.
og_status DeviceFinder::settle(const OperandRecord *operand, og_device declared,
                               const void *address, int ordinal) {
  if (isManaged(address))
    return OG_OK;
  if (declared.type == OG_DEVICE_CUDA && declared.id >= 0 &&
      declared.id != ordinal)
    return fail(OG_INVALID_VARIANT_PACK,
                "%s is given as on CUDA device %d, but its address is on "
                "device %d",
                Named(operand).str(), declared.id, ordinal);
  if (!isManaged(firstAddress))
    return fail(OG_INVALID_VARIANT_PACK,
                "%s is on CUDA device %d, but %s is on device %d",
                Named(operand).str(), ordinal, Named(first).str(), device);
  device = ordinal;
  first = operand;
  firstAddress = address;
  return OG_OK;
}

og_status DeviceFinder::add(const OperandRecord *operand, og_device declared,
                            const void *address) {
  // Each attribute costs time: those two alone when all is well, and one where
  // there is one device only.
  unsigned memoryType = 0;
  int ordinal = 0;
  int attributes[] = {PointerMemoryType, PointerDeviceOrdinal};
  void *values[] = {&memoryType, &ordinal};
  int result =
      driver.pointerGetAttributes(driver.deviceCount == 1 ? 1 : 2, attributes,
                                  values, reinterpret_cast<uintptr_t>(address));
  if (result)
    return failCuda(driver, result, "plan '%s': %s at address 0x%llx%s",
                    plan.name(), Named(operand).str(), hex(address),
                    faultHint(result));
  if (memoryType != MemoryDevice)
    return fail(
        OG_INVALID_VARIANT_PACK,
        "%s is at address 0x%llx, which is memory of the host, expected "
        "memory of a CUDA device",
        Named(operand).str(), hex(address));
  if (device < 0) {
    device = ordinal;
    first = operand;
    firstAddress = address;
  }
  bool asDeclared = declared.type != OG_DEVICE_CUDA || declared.id < 0 ||
                    declared.id == ordinal;
  if (device == ordinal && asDeclared)
    return OG_OK;
  return settle(operand, declared, address, ordinal);
}

og_status opgraph::runtime::cuda::findDevice(const og_plan &plan,
                                             const Driver &driver,
                                             const Frame &frame,
                                             const og_variant_pack &pack,
                                             int64_t workspace, int &ordinal) {
  DeviceFinder finder(plan, driver);
  for (size_t i = 0; i < plan.operands.size(); ++i) {
    const OperandRecord &operand = plan.operands[i];
    const BoundOperand &bound = frame.bound(i);
    if (operand.byValue || bound.span.elements == 0)
      continue;
    if (og_status status = finder.add(&operand, bound.buffer->device,
                                      frame.descriptor(operand)->aligned))
      return status;
  }
  if (workspace)
    if (og_status status = finder.add(nullptr, {}, pack.workspace))
      return status;
  ordinal = finder.ordinal();
  return OG_OK;
}
