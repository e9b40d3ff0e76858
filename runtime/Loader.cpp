//===- Loader.cpp - From the bytes of a plan file to a plan ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Loader.h"

#include "runtime/Binding.h"
#include "runtime/CpuTarget.h"
#include "runtime/Cuda/Cuda.h"
#include "runtime/Error.h"
#include "runtime/Layout.h"
#include "runtime/Log.h"
#include "runtime/PlanFormat.h"
#include "runtime/Verifier.h"
#include "runtime/VerifierContext.h"

#include <algorithm>
#include <cstdlib>
#include <cstring>
#include <string>

using namespace opgraph::runtime;
using namespace opgraph;
namespace fb = opgraph::planfile::fb;

void FreeDeleter::operator()(void *pointer) const { std::free(pointer); }

const char *og_plan::name() const { return body->name()->c_str(); }

namespace {

/// Fills the records of a plan from its verified body.
class Loader {
public:
  explicit Loader(og_plan &plan) : plan(plan), body(*plan.body) {}

  og_status run();

private:
  void loadOperands();
  void loadOperand(const fb::Operand &source, OperandRecord &record,
                   int64_t *extents, int64_t *strides);
  void loadSymbols();
  void loadWorkspace();
  og_status loadCode();
  og_status chooseVariant(const fb::Variant **chosen);

  og_plan &plan;
  const fb::Plan &body;
};

} // namespace

og_status Loader::run() {
  const auto *tokens = body.tokens();
  const auto *exprs = body.exprs();
  plan.exprs = ExprPool(
      reinterpret_cast<const fb::Token *>(tokens ? tokens->Data() : nullptr),
      length(tokens),
      reinterpret_cast<const fb::ExprRange *>(exprs ? exprs->Data() : nullptr),
      length(exprs));
  loadOperands();
  loadSymbols();
  loadWorkspace();
  plan.frameBytes = Frame::layOut(plan);
  if (plan.frameBytes > maxFrameBytes)
    return corrupt("the operands' descriptors take %zu bytes, expected at most "
                   "%zu",
                   plan.frameBytes, maxFrameBytes);
  const char *poison = std::getenv("OPGRAPH_DEBUG_POISON");
  plan.poison = poison && std::strcmp(poison, "1") == 0;
  return loadCode();
}

void Loader::loadOperands() {
  const auto &sources = *body.operands();
  size_t axes = 0;
  for (const fb::Operand *source : sources)
    axes += source->extents()->size();
  plan.declared.resize(2 * axes);
  plan.operands.resize(sources.size());
  plan.byUid.resize(sources.size());
  int64_t *next = plan.declared.data();
  for (uint32_t i = 0; i < sources.size(); ++i) {
    const fb::Operand &source = *sources.Get(i);
    uint32_t rank = source.extents()->size();
    loadOperand(source, plan.operands[i], next, next + rank);
    next += 2 * rank;
    plan.byUid[i] = {source.uid(), i};
  }
  std::sort(plan.byUid.begin(), plan.byUid.end(),
            [](const UidIndex &a, const UidIndex &b) { return a.uid < b.uid; });
  if (body.aliases())
    for (const fb::AliasPair *pair : *body.aliases())
      plan.aliases.push_back({pair->input(), pair->output()});
}

void Loader::loadOperand(const fb::Operand &source, OperandRecord &record,
                         int64_t *extents, int64_t *strides) {
  record.uid = source.uid();
  record.name = source.name()->c_str();
  record.dtype = static_cast<og_dtype>(source.dtype());
  record.bits = og_dtype_bits(record.dtype);
  record.rank = source.extents()->size();
  record.isOutput = source.role() == fb::Role_Output;
  record.byValue = source.by_value();
  record.alignment = source.alignment();
  record.storage = static_cast<og_storage>(source.storage());
  record.strideRule = static_cast<og_stride_rule>(source.stride_rule());
  record.storageBytesExpr = source.storage_bytes();
  if (length(source.default_value()))
    record.defaultValue = source.default_value()->data();
  record.extentExprs = source.extents()->data();
  record.strideExprs = source.strides()->data();
  record.extents = extents;
  record.strides = strides;
  auto declare = [&](uint32_t expr, int64_t &value) {
    value = OG_DYNAMIC;
    if (plan.exprs.isDynamic(expr))
      record.isDynamic = true;
    else
      plan.exprs.evaluate(expr, nullptr, value);
  };
  for (uint32_t i = 0; i < record.rank; ++i) {
    declare(record.extentExprs[i], extents[i]);
    declare(record.strideExprs[i], strides[i]);
  }
  if (!record.isDynamic)
    computeSpan({extents, strides, record.rank, record.bits}, record.span);
}

void Loader::loadSymbols() {
  if (!body.symbols())
    return;
  for (const fb::Symbol *source : *body.symbols()) {
    SymbolRecord record;
    record.name = source->name()->c_str();
    record.operand = source->operand();
    record.axis = source->axis();
    record.isStride = source->source() == fb::SymbolSource_Stride;
    record.min = source->min();
    record.max = source->max();
    record.divisor = source->divisor();
    if (source->has_default())
      record.defaultValue = source->default_value();
    plan.symbols.push_back(record);
    plan.symbolDefaults.push_back(record.defaultValue);
  }
}

void Loader::loadWorkspace() {
  plan.sharedExpr = body.workspace_shared();
  plan.privateExpr = body.workspace_private();
  plan.maxWorkers = body.max_workers();
  int64_t shared, perWorker;
  if (plan.exprs.isDynamic(plan.sharedExpr) ||
      plan.exprs.isDynamic(plan.privateExpr))
    return;
  // The verifier has bounded both.
  plan.exprs.evaluate(plan.sharedExpr, nullptr, shared);
  plan.exprs.evaluate(plan.privateExpr, nullptr, perWorker);
  plan.staticWorkspace = shared + perWorker * plan.maxWorkers;
}

/// Takes the best variant that this machine runs.
og_status Loader::chooseVariant(const fb::Variant **chosen) {
  CpuTarget usable = usableCpuTarget(), best = CpuTarget::None;
  std::string offered;
  for (const fb::Variant *variant : *body.variants()) {
    CpuTarget target;
    offered += offered.empty() ? "" : ", ";
    offered += variant->target()->c_str();
    if (parseCpuTarget(variant->target()->c_str(), target) &&
        target <= usable && target > best) {
      best = target;
      *chosen = variant;
    }
  }
  if (*chosen)
    return OG_OK;
  return fail(OG_UNSUPPORTED,
              "plan '%s' has code for %s; this machine runs %s (OPGRAPH_"
              "CPU_TARGET considered)",
              plan.name(), offered.c_str(), cpuTargetName(usable));
}

og_status Loader::loadCode() {
  // Which of a CUDA plan's variants runs is known when a device is.
  if (body.device() == fb::DeviceKind_Cuda) {
    loadProgram(plan);
    return OG_OK;
  }
  const fb::Variant *variant = nullptr;
  if (length(body.variants())) {
    if (og_status status = chooseVariant(&variant))
      return status;
    plan.variantName = variant->target()->c_str();
    if (og_status status = plan.image.load(*variant, plan.name()))
      return status;
  }
  for (const fb::Step *source : *body.steps()) {
    StepRecord step;
    if (const fb::HostCall *call = source->body_as_HostCall()) {
      step.entry =
          plan.image.entry(variant->entries()->Get(call->entry())->offset());
    } else {
      const fb::Fill *fill = source->body_as_Fill();
      step.offsetExpr = fill->offset();
      step.sizeExpr = fill->size();
      step.value = fill->value();
    }
    plan.steps.push_back(step);
  }
  return OG_OK;
}

og_status opgraph::runtime::loadPlan(const void *data, size_t size, bool copy,
                                     og_plan **out) {
  if (!out)
    return fail(OG_INVALID_ARGUMENT, "og_plan_load: out is null");
  *out = nullptr;
  if (!data && size)
    return fail(OG_INVALID_ARGUMENT, "og_plan_load: data is null");
  // Before the copy, which this bounds.
  if (size >= planfile::maxFileBytes)
    return fail(OG_DATA_LOSS, "plan file of %zu bytes, expected below %llu",
                size, static_cast<unsigned long long>(planfile::maxFileBytes));
  std::unique_ptr<og_plan> plan(new og_plan());
  plan->bytes = static_cast<const unsigned char *>(data);
  plan->size = size;
  if (copy || reinterpret_cast<uintptr_t>(data) % 64) {
    void *owned = nullptr;
    if (posix_memalign(&owned, 64, size ? size : 1))
      return fail(OG_OUT_OF_MEMORY, "cannot allocate %zu bytes for a plan",
                  size);
    plan->owned.reset(static_cast<unsigned char *>(owned));
    if (size)
      std::memcpy(owned, data, size);
    plan->bytes = plan->owned.get();
  }
  if (og_status status = verifyFile(plan->bytes, size, &plan->body))
    return status;
  std::memcpy(&plan->formatMinor,
              plan->bytes + offsetof(planfile::Header, minor), 2);
  if (og_status status = verifyPlan(*plan->body))
    return status;
  if (og_status status = Loader(*plan).run())
    return status;
  logf(OG_LOG_DEBUG, "loaded plan '%s', engine %s, variant %s, %zu operands",
       plan->name(), plan->body->engine_name()->c_str(), plan->variantName,
       plan->operands.size());
  *out = plan.release();
  return OG_OK;
}

extern "C" {

og_status og_plan_load(const void *data, size_t size, og_plan **out) {
  return guarded([&] { return loadPlan(data, size, /*copy=*/true, out); });
}

og_status og_plan_load_static(const void *data, size_t size, og_plan **out) {
  return guarded([&] { return loadPlan(data, size, /*copy=*/false, out); });
}

void og_plan_retain(og_plan *plan) {
  if (plan)
    plan->references.fetch_add(1, std::memory_order_relaxed);
}

void og_plan_release(og_plan *plan) {
  if (plan && plan->references.fetch_sub(1, std::memory_order_acq_rel) == 1)
    delete plan;
}
}
