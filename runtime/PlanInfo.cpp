//===- PlanInfo.cpp - What a plan says of itself --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Binding.h"
#include "runtime/Cuda/Cuda.h"
#include "runtime/Error.h"
#include "runtime/PlanFormat.h"
#include "runtime/VerifierContext.h"

#include <algorithm>
#include <cstring>

using namespace opgraph::runtime;
using namespace opgraph;

#ifndef OPGRAPH_VERSION
#error "the build defines OPGRAPH_VERSION"
#endif

static const char *textOf(const flatbuffers::String *text) {
  return text ? text->c_str() : "";
}

/// Checks the handle, index and output of an accessor.
static og_status checkAccess(const og_plan *plan, size_t index, size_t count,
                             const void *out, const char *function) {
  if (!plan || !out)
    return fail(OG_INVALID_ARGUMENT, "%s: %s is null", function,
                plan ? "out" : "plan");
  if (index >= count)
    return fail(OG_OUT_OF_RANGE, "%s: index %zu of %zu", function, index,
                count);
  return OG_OK;
}

/// Copies as much of `info` as the caller's struct has room for. A caller of
/// an older header has a smaller struct.
template <typename T>
static og_status giveInfo(T &info, T *out, const char *function) {
  size_t size = out->struct_size;
  if (size < sizeof(size_t) + sizeof(int64_t))
    return fail(OG_INVALID_ARGUMENT, "%s: struct_size is %zu, expected %zu",
                function, size, sizeof(T));
  info.struct_size = size;
  std::memcpy(out, &info, std::min(size, sizeof(T)));
  return OG_OK;
}

extern "C" {

const char *og_runtime_version(void) { return OPGRAPH_VERSION; }

const char *og_plan_name(const og_plan *plan) {
  return plan ? plan->name() : "";
}

const char *og_plan_compiler(const og_plan *plan) {
  return plan ? textOf(plan->body->compiler()) : "";
}

const char *og_plan_target(const og_plan *plan) {
  return plan ? textOf(plan->body->target()) : "";
}

const char *og_plan_variant(const og_plan *plan) {
  if (plan && plan->isCuda())
    return cudaVariantName(*plan);
  return plan ? plan->variantName : "";
}

int32_t og_plan_device_type(const og_plan *plan) {
  if (!plan)
    return 0;
  return plan->isCuda() ? OG_DEVICE_CUDA : OG_DEVICE_HOST;
}

const char *og_plan_source(const og_plan *plan) {
  return plan ? textOf(plan->body->source_mlir()) : "";
}

int64_t og_plan_engine_id(const og_plan *plan) {
  return plan ? plan->body->engine_id() : 0;
}

const char *og_plan_engine_name(const og_plan *plan) {
  return plan ? textOf(plan->body->engine_name()) : "";
}

uint32_t og_plan_engine_version(const og_plan *plan) {
  return plan ? plan->body->engine_version() : 0;
}

int32_t og_plan_max_workers(const og_plan *plan) {
  return plan ? static_cast<int32_t>(plan->maxWorkers) : 0;
}

int32_t og_plan_format_version(const og_plan *plan) {
  return plan ? planfile::formatMajor * 1000 + plan->formatMinor : 0;
}

int32_t og_plan_is_dynamic(const og_plan *plan) {
  return plan && !plan->symbols.empty();
}

size_t og_plan_num_knobs(const og_plan *plan) {
  return plan ? length(plan->body->knobs()) : 0;
}

og_status og_plan_knob(const og_plan *plan, size_t index, og_knob *out) {
  if (og_status status = checkAccess(plan, index, og_plan_num_knobs(plan), out,
                                     "og_plan_knob"))
    return status;
  const planfile::fb::Knob *knob = plan->body->knobs()->Get(index);
  *out = {knob->type(), knob->value()};
  return OG_OK;
}

size_t og_plan_num_notes(const og_plan *plan) {
  return plan ? length(plan->body->notes()) : 0;
}

const char *og_plan_note(const og_plan *plan, size_t index) {
  if (index >= og_plan_num_notes(plan))
    return nullptr;
  return plan->body->notes()->Get(index)->c_str();
}

size_t og_plan_num_variants(const og_plan *plan) {
  return plan ? length(plan->body->variants()) +
                    length(plan->body->device_variants())
              : 0;
}

const char *og_plan_variant_name(const og_plan *plan, size_t index) {
  if (index >= og_plan_num_variants(plan))
    return nullptr;
  if (plan->isCuda())
    return plan->body->device_variants()->Get(index)->target()->c_str();
  return plan->body->variants()->Get(index)->target()->c_str();
}

/// The kernels of the variant with number `variant`; null for none.
static const flatbuffers::Vector<flatbuffers::Offset<planfile::fb::Kernel>> *
kernelsOf(const og_plan *plan, size_t variant) {
  if (!plan || !plan->isCuda() || variant >= og_plan_num_variants(plan))
    return nullptr;
  return plan->body->device_variants()->Get(variant)->kernels();
}

size_t og_plan_num_kernels(const og_plan *plan) {
  const auto *kernels = kernelsOf(plan, 0);
  return kernels ? kernels->size() : 0;
}

og_status og_plan_kernel(const og_plan *plan, size_t variant, size_t index,
                         og_kernel_info *out) {
  const auto *kernels = kernelsOf(plan, variant);
  if (plan && !kernels)
    return fail(OG_OUT_OF_RANGE, "og_plan_kernel: device variant %zu of %zu",
                variant, plan->isCuda() ? og_plan_num_variants(plan) : 0);
  if (og_status status = checkAccess(plan, index, kernels ? kernels->size() : 0,
                                     out, "og_plan_kernel"))
    return status;
  const planfile::fb::Kernel &kernel = *kernels->Get(index);
  og_kernel_info info = {};
  info.name = kernel.name()->c_str();
  info.threads = kernel.threads();
  for (uint32_t axis = 0; axis < 3; ++axis)
    info.cluster[axis] = kernel.cluster()->Get(axis);
  info.dynamic_shared = kernel.dynamic_shared();
  info.static_shared = kernel.static_shared();
  info.registers = kernel.registers();
  info.spill_stores = kernel.spill_stores();
  info.spill_loads = kernel.spill_loads();
  info.stack_bytes = kernel.stack_bytes();
  info.blocks_per_sm = kernel.blocks_per_sm();
  return giveInfo(info, out, "og_plan_kernel");
}

size_t og_plan_num_operands(const og_plan *plan) {
  return plan ? plan->operands.size() : 0;
}

og_status og_plan_operand(const og_plan *plan, size_t index,
                          og_operand_info *out) {
  if (og_status status = checkAccess(plan, index, og_plan_num_operands(plan),
                                     out, "og_plan_operand"))
    return status;
  const OperandRecord &record = plan->operands[index];
  og_operand_info info = {};
  info.uid = record.uid;
  info.name = record.name;
  info.dtype = record.dtype;
  info.ndim = static_cast<int32_t>(record.rank);
  info.shape = record.extents;
  info.strides = record.strides;
  info.is_output = record.isOutput;
  info.by_value = record.byValue;
  info.has_default = record.defaultValue != nullptr;
  info.alignment = record.alignment;
  info.storage = record.storage;
  info.stride_rule = record.strideRule;
  return giveInfo(info, out, "og_plan_operand");
}

og_status og_plan_find_operand(const og_plan *plan, int64_t uid,
                               size_t *index) {
  if (og_status status = checkAccess(plan, 0, 1, index, "og_plan_find_operand"))
    return status;
  int64_t found = findOperand(*plan, uid, 0);
  if (found < 0)
    return fail(OG_NOT_FOUND, "plan '%s' has no operand with uid %lld",
                plan->name(), static_cast<long long>(uid));
  *index = static_cast<size_t>(found);
  return OG_OK;
}

size_t og_plan_num_symbols(const og_plan *plan) {
  return plan ? plan->symbols.size() : 0;
}

og_status og_plan_symbol(const og_plan *plan, size_t index,
                         og_symbol_info *out) {
  if (og_status status = checkAccess(plan, index, og_plan_num_symbols(plan),
                                     out, "og_plan_symbol"))
    return status;
  const SymbolRecord &record = plan->symbols[index];
  og_symbol_info info = {};
  info.name = record.name;
  info.uid = plan->operands[record.operand].uid;
  info.axis = static_cast<int32_t>(record.axis);
  info.is_stride = record.isStride;
  info.min = record.min;
  info.max = record.max;
  info.divisor = record.divisor;
  info.default_value = record.defaultValue;
  return giveInfo(info, out, "og_plan_symbol");
}

size_t og_plan_num_aliases(const og_plan *plan) {
  return plan ? plan->aliases.size() : 0;
}

og_status og_plan_alias(const og_plan *plan, size_t index, int64_t *input_uid,
                        int64_t *output_uid) {
  if (og_status status =
          checkAccess(plan, index, og_plan_num_aliases(plan),
                      input_uid ? output_uid : input_uid, "og_plan_alias"))
    return status;
  const AliasRecord &alias = plan->aliases[index];
  *input_uid = plan->operands[alias.input].uid;
  *output_uid = plan->operands[alias.output].uid;
  return OG_OK;
}
}
