//===- Verifier.cpp - Meaning of a plan file's numbers --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Verifier.h"

#include "opgraph-c/host_abi.h"
#include "opgraph-c/types.h"
#include "runtime/CpuCount.h"
#include "runtime/Expression.h"
#include "runtime/Layout.h"
#include "runtime/VerifierContext.h"

#include <algorithm>
#include <cstdio>
#include <cstring>
#include <vector>

using namespace opgraph::runtime;
namespace fb = opgraph::planfile::fb;

og_status opgraph::runtime::corrupt(const char *format, ...) {
  char prefixed[512];
  std::snprintf(prefixed, sizeof(prefixed), "plan file: %s", format);
  va_list args;
  va_start(args, format);
  failV(OG_DATA_LOSS, prefixed, args);
  va_end(args);
  return OG_DATA_LOSS;
}

og_status opgraph::runtime::verifyText(const flatbuffers::String *text,
                                       const char *what) {
  if (!text)
    return corrupt("%s is missing", what);
  if (text->size() == 0 || text->size() > 4095)
    return corrupt("%s has %u bytes, expected 1 to 4095", what, text->size());
  for (unsigned char c : *text)
    if (c < 0x20 || c == 0x7f)
      return corrupt("%s holds the control character 0x%02x", what, c);
  return OG_OK;
}

namespace {

class PlanVerifier {
public:
  explicit PlanVerifier(const fb::Plan &plan)
      : plan(plan), exprs(reinterpret_cast<const fb::Token *>(
                              plan.tokens() ? plan.tokens()->Data() : nullptr),
                          length(plan.tokens()),
                          reinterpret_cast<const fb::ExprRange *>(
                              plan.exprs() ? plan.exprs()->Data() : nullptr),
                          length(plan.exprs())) {}

  og_status run();

private:
  og_status verifyTexts();
  og_status verifyExprs();
  og_status verifyOperands();
  og_status verifyOperand(const fb::Operand &operand);
  og_status verifyByValue(const fb::Operand &operand);
  og_status verifyStaticLayout(const fb::Operand &operand);
  og_status verifySymbols();
  og_status verifySymbol(uint32_t index, const fb::Symbol &symbol);
  og_status verifyAliases();
  og_status verifyWorkspace();
  og_status verifySteps();
  og_status verifyFill(size_t index, const fb::Fill &fill);
  og_status verifyExprIndex(uint64_t expr, const char *what);
  /// True and the value when no symbol is read and nothing overflows.
  bool constant(uint32_t expr, int64_t &value) const {
    return !exprs.isDynamic(expr) && !exprs.evaluate(expr, nullptr, value);
  }

  const fb::Plan &plan;
  ExprPool exprs;
  /// The workspace's bytes, when constant.
  int64_t workspaceBytes = OG_DYNAMIC;
};

} // namespace

og_status PlanVerifier::run() {
  using Check = og_status (PlanVerifier::*)();
  for (Check check :
       {&PlanVerifier::verifyTexts, &PlanVerifier::verifyExprs,
        &PlanVerifier::verifyOperands, &PlanVerifier::verifySymbols,
        &PlanVerifier::verifyAliases, &PlanVerifier::verifyWorkspace,
        &PlanVerifier::verifySteps})
    if (og_status status = (this->*check)())
      return status;
  if (og_status status = verifyDevice(plan, exprs))
    return status;
  return verifyVariants(plan);
}

og_status PlanVerifier::verifyTexts() {
  if (plan.host_abi() > OG_HOST_ABI_VERSION)
    return fail(OG_VERSION_MISMATCH,
                "plan file is built for host ABI %u, this runtime has %d",
                plan.host_abi(), OG_HOST_ABI_VERSION);
  if (og_status status = verifyText(plan.name(), "the plan's name"))
    return status;
  if (og_status status = verifyText(plan.compiler(), "the compiler's identity"))
    return status;
  if (og_status status = verifyText(plan.target(), "the target"))
    return status;
  if (og_status status = verifyText(plan.engine_name(), "the engine's name"))
    return status;
  if (plan.notes())
    for (const flatbuffers::String *note : *plan.notes())
      if (og_status status = verifyText(note, "a note"))
        return status;
  return OG_OK;
}

og_status PlanVerifier::verifyExprs() {
  if (length(plan.symbols()) > maxSymbols)
    return corrupt("%zu symbols, expected at most %zu", length(plan.symbols()),
                   maxSymbols);
  for (size_t i = 0; i < exprs.size(); ++i)
    if (const char *error = exprs.check(i, length(plan.symbols())))
      return corrupt("expression %zu %s", i, error);
  return OG_OK;
}

og_status PlanVerifier::verifyExprIndex(uint64_t expr, const char *what) {
  if (expr < exprs.size())
    return OG_OK;
  return corrupt("%s is expression %llu of %zu", what,
                 static_cast<unsigned long long>(expr), exprs.size());
}

og_status PlanVerifier::verifyOperands() {
  size_t count = plan.operands()->size();
  if (count > maxOperands)
    return corrupt("%zu operands, expected at most %zu", count, maxOperands);
  bool outputsSeen = false;
  std::vector<int64_t> uids;
  for (const fb::Operand *operand : *plan.operands()) {
    if (og_status status = verifyOperand(*operand))
      return status;
    bool isOutput = operand->role() == fb::Role_Output;
    if (outputsSeen && !isOutput)
      return corrupt("operand '%s' is an input after an output",
                     operand->name()->c_str());
    outputsSeen |= isOutput;
    uids.push_back(operand->uid());
  }
  std::sort(uids.begin(), uids.end());
  auto duplicate = std::adjacent_find(uids.begin(), uids.end());
  if (duplicate != uids.end())
    return corrupt("two operands have the uid %lld",
                   static_cast<long long>(*duplicate));
  return OG_OK;
}

og_status PlanVerifier::verifyOperand(const fb::Operand &operand) {
  if (og_status status = verifyText(operand.name(), "an operand's name"))
    return status;
  const char *name = operand.name()->c_str();
  size_t rank = operand.extents()->size();
  if (rank > OG_MAX_RANK || operand.strides()->size() != rank)
    return corrupt("operand '%s' has %zu extents and %u strides, expected as "
                   "many and at most %d",
                   name, rank, operand.strides()->size(), OG_MAX_RANK);
  for (size_t i = 0; i < rank; ++i) {
    if (og_status status =
            verifyExprIndex(operand.extents()->Get(i), "an extent"))
      return status;
    if (og_status status =
            verifyExprIndex(operand.strides()->Get(i), "a stride"))
      return status;
  }
  int bits = og_dtype_bits(static_cast<og_dtype>(operand.dtype()));
  if (bits == 0)
    return corrupt("operand '%s' has the dtype %u", name, operand.dtype());
  if (operand.role() > fb::Role_MAX || operand.storage() > fb::Storage_MAX ||
      operand.stride_rule() > fb::StrideRule_MAX)
    return corrupt("operand '%s' has role %d, storage %d, stride rule %d", name,
                   operand.role(), operand.storage(), operand.stride_rule());
  uint32_t alignment = operand.alignment();
  if (alignment == 0 || alignment > OG_MAX_ALIGNMENT ||
      (alignment & (alignment - 1)))
    return corrupt("operand '%s' has alignment %u, expected a power of two up "
                   "to 4096",
                   name, alignment);
  if ((bits == 4) != (operand.storage() == fb::Storage_Packed4))
    return corrupt("operand '%s' of dtype %s has storage %d", name,
                   og_dtype_name(static_cast<og_dtype>(operand.dtype())),
                   operand.storage());
  if (operand.storage_bytes() != -1) {
    if (operand.storage() != fb::Storage_Ragged || operand.storage_bytes() < -1)
      return corrupt("operand '%s' has storage bytes but storage %d", name,
                     operand.storage());
    if (og_status status =
            verifyExprIndex(operand.storage_bytes(), "storage bytes"))
      return status;
  }
  if (og_status status = verifyByValue(operand))
    return status;
  return verifyStaticLayout(operand);
}

og_status PlanVerifier::verifyByValue(const fb::Operand &operand) {
  const char *name = operand.name()->c_str();
  size_t defaultBytes = length(operand.default_value());
  if (!operand.by_value()) {
    if (defaultBytes)
      return corrupt("operand '%s' has a default but is not by value", name);
    return OG_OK;
  }
  if (operand.role() != fb::Role_Input)
    return corrupt("operand '%s' is an output by value", name);
  size_t bytes = og_dtype_bits(static_cast<og_dtype>(operand.dtype())) / 8;
  // A by-value operand is copied into 16 bytes of the frame.
  if (bytes == 0 || bytes > 16 || operand.storage() != fb::Storage_Dense)
    return corrupt("operand '%s' of %zu bytes is by value, expected 1 to 16",
                   name, bytes);
  if (defaultBytes && defaultBytes != bytes)
    return corrupt("operand '%s' has a default of %zu bytes, expected %zu",
                   name, defaultBytes, bytes);
  for (uint32_t extent : *operand.extents()) {
    int64_t value;
    if (!constant(extent, value) || value != 1)
      return corrupt("operand '%s' is by value but not one element", name);
  }
  return OG_OK;
}

/// Checks what is known of the layout now; execution checks the rest.
og_status PlanVerifier::verifyStaticLayout(const fb::Operand &operand) {
  const char *name = operand.name()->c_str();
  int64_t extents[OG_MAX_RANK], strides[OG_MAX_RANK];
  uint32_t rank = operand.extents()->size();
  for (uint32_t i = 0; i < rank; ++i) {
    uint32_t extent = operand.extents()->Get(i);
    uint32_t stride = operand.strides()->Get(i);
    if (exprs.isDynamic(extent) || exprs.isDynamic(stride))
      return OG_OK;
    if (!constant(extent, extents[i]) || !constant(stride, strides[i]))
      return corrupt("operand '%s' axis %u: extent or stride overflows", name,
                     i);
  }
  LayoutView layout{extents, strides, rank,
                    unsigned(og_dtype_bits(og_dtype(operand.dtype())))};
  Span span;
  if (const char *error = computeSpan(layout, span))
    return corrupt("operand '%s' with extents %s and strides %s: %s", name,
                   ListText(extents, rank).str(), ListText(strides, rank).str(),
                   error);
  bool isRagged = operand.storage() == fb::Storage_Ragged;
  if (operand.role() == fb::Role_Output &&
      !isInjective(isRagged ? withoutFirstAxis(layout) : layout))
    return corrupt("output '%s' with extents %s and strides %s overlaps itself",
                   name, ListText(extents, rank).str(),
                   ListText(strides, rank).str());
  return OG_OK;
}

og_status PlanVerifier::verifySymbols() {
  for (size_t i = 0; i < length(plan.symbols()); ++i)
    if (og_status status = verifySymbol(i, *plan.symbols()->Get(i)))
      return status;
  return OG_OK;
}

og_status PlanVerifier::verifySymbol(uint32_t index, const fb::Symbol &symbol) {
  if (og_status status = verifyText(symbol.name(), "a symbol's name"))
    return status;
  const char *name = symbol.name()->c_str();
  if (symbol.source() > fb::SymbolSource_MAX)
    return corrupt("symbol '%s' has source %d", name, symbol.source());
  if (symbol.operand() >= plan.operands()->size())
    return corrupt("symbol '%s' reads operand %u of %u", name, symbol.operand(),
                   plan.operands()->size());
  const fb::Operand *operand = plan.operands()->Get(symbol.operand());
  if (symbol.axis() >= operand->extents()->size())
    return corrupt("symbol '%s' reads axis %u of operand '%s' of rank %u", name,
                   symbol.axis(), operand->name()->c_str(),
                   operand->extents()->size());
  bool isStride = symbol.source() == fb::SymbolSource_Stride;
  const flatbuffers::Vector<uint32_t> *list =
      isStride ? operand->strides() : operand->extents();
  if (!exprs.isSymbol(list->Get(symbol.axis()), index))
    return corrupt("symbol '%s' is not the %s of operand '%s' axis %u", name,
                   isStride ? "stride" : "extent", operand->name()->c_str(),
                   symbol.axis());
  // Compared with INT64_MIN, which stands for "no value", too.
  int64_t least = isStride ? INT64_MIN + 1 : 0;
  if (symbol.min() < least || symbol.min() > symbol.max() ||
      symbol.divisor() < 1)
    return corrupt("symbol '%s' has range %lld..%lld and divisor %lld", name,
                   static_cast<long long>(symbol.min()),
                   static_cast<long long>(symbol.max()),
                   static_cast<long long>(symbol.divisor()));
  int64_t value = symbol.default_value();
  if (symbol.has_default() && (value < symbol.min() || value > symbol.max() ||
                               value % symbol.divisor()))
    return corrupt("symbol '%s' has the default %lld, outside its range", name,
                   static_cast<long long>(value));
  return OG_OK;
}

og_status PlanVerifier::verifyAliases() {
  if (!plan.aliases())
    return OG_OK;
  size_t count = plan.operands()->size();
  for (const fb::AliasPair *pair : *plan.aliases()) {
    if (pair->input() >= count || pair->output() >= count)
      return corrupt("alias of operands %u and %u, of %zu", pair->input(),
                     pair->output(), count);
    const fb::Operand *input = plan.operands()->Get(pair->input());
    const fb::Operand *output = plan.operands()->Get(pair->output());
    if (input->role() != fb::Role_Input || input->by_value() ||
        output->role() != fb::Role_Output)
      return corrupt("alias of '%s' and '%s' is not an input with an output",
                     input->name()->c_str(), output->name()->c_str());
  }
  return OG_OK;
}

og_status PlanVerifier::verifyWorkspace() {
  if (og_status status =
          verifyExprIndex(plan.workspace_shared(), "the shared workspace"))
    return status;
  if (og_status status =
          verifyExprIndex(plan.workspace_private(), "the private workspace"))
    return status;
  if (plan.max_workers() < 1 || plan.max_workers() > uint32_t(maxThreads))
    return corrupt("at most %u workers, expected 1 to %d", plan.max_workers(),
                   maxThreads);
  if (exprs.isDynamic(plan.workspace_shared()) ||
      exprs.isDynamic(plan.workspace_private()))
    return OG_OK;
  int64_t shared, perWorker;
  if (!constant(plan.workspace_shared(), shared) ||
      !constant(plan.workspace_private(), perWorker) || shared < 0 ||
      perWorker < 0 || shared > maxSpanBytes || perWorker > maxSpanBytes / 1024)
    return corrupt("the workspace's size is negative or overflows");
  if (shared % OG_WORKSPACE_ALIGNMENT || perWorker % OG_WORKSPACE_ALIGNMENT)
    return corrupt("workspace parts of %lld and %lld bytes, expected multiples "
                   "of %d",
                   static_cast<long long>(shared),
                   static_cast<long long>(perWorker), OG_WORKSPACE_ALIGNMENT);
  workspaceBytes = shared + perWorker * plan.max_workers();
  return OG_OK;
}

og_status PlanVerifier::verifySteps() {
  size_t entries = 0;
  if (length(plan.variants()) > 0)
    entries = plan.variants()->Get(0)->entries()->size();
  for (size_t i = 0; i < plan.steps()->size(); ++i) {
    const fb::Step *step = plan.steps()->Get(i);
    if (const fb::HostCall *call = step->body_as_HostCall()) {
      if (call->entry() >= entries)
        return corrupt("step %zu calls entry %u of %zu", i, call->entry(),
                       entries);
    } else if (const fb::Fill *fill = step->body_as_Fill()) {
      if (og_status status = verifyFill(i, *fill))
        return status;
    } else if (!step->body_as_Launch() && !step->body_as_CudnnExecute()) {
      return fail(OG_VERSION_MISMATCH,
                  "plan file: step %zu is of kind %d, this runtime knows 1..%d",
                  i, step->body_type(), fb::StepBody_MAX);
    }
  }
  return OG_OK;
}

og_status PlanVerifier::verifyFill(size_t index, const fb::Fill &fill) {
  if (og_status status = verifyExprIndex(fill.offset(), "a fill's offset"))
    return status;
  if (og_status status = verifyExprIndex(fill.size(), "a fill's size"))
    return status;
  if (exprs.isDynamic(fill.offset()) || exprs.isDynamic(fill.size()) ||
      workspaceBytes == OG_DYNAMIC)
    return OG_OK;
  int64_t offset, size;
  if (!constant(fill.offset(), offset) || !constant(fill.size(), size) ||
      offset < 0 || size < 0 || offset > workspaceBytes ||
      size > workspaceBytes - offset)
    return corrupt("step %zu fills beyond the workspace of %lld bytes", index,
                   static_cast<long long>(workspaceBytes));
  return OG_OK;
}

og_status opgraph::runtime::verifyPlan(const fb::Plan &plan) {
  return PlanVerifier(plan).run();
}
