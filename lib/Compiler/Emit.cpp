//===- Emit.cpp - Forms of a plan's code, and bytes: the C API ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Compiler/Compile.h"
#include "lib/Support/Bytes.h"
#include "lib/Support/CApi.h"
#include "passes/Planning/FallThrough.h"
#include "llvm/ADT/StringExtras.h"

using namespace opgraph;
using namespace opgraph::lib;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Bytes
//===----------------------------------------------------------------------===//

const char *og_bytes_data(const og_bytes *bytes) {
  return bytes ? bytes->data.c_str() : nullptr;
}

size_t og_bytes_size(const og_bytes *bytes) {
  return bytes ? bytes->data.size() : 0;
}

void og_bytes_release(og_bytes *bytes) { delete bytes; }

//===----------------------------------------------------------------------===//
// Emitting
//===----------------------------------------------------------------------===//

/// Compiles entry `index`; for -1 the candidate, else the first entry that is
/// not barred and compiles, as og_graph_build does.
static og_status compileFirst(GraphImpl &graph, int64_t index,
                              CompileRequest &request, bool noFallback,
                              CompileResult &result) {
  PlanState &state = *graph.plans;
  if (index == -1)
    index = state.candidate;
  if (index != -1) {
    PlanEntry *entry;
    OG_TRY(findUsableEntry(graph, index, entry));
    return compileEntry(graph, index, request, result);
  }
  for (size_t i = 0; hasEntry(graph, i); ++i) {
    if (state.entries[i].barred)
      continue;
    result = {};
    og_status status = compileEntry(graph, i, request, result);
    planning::NextStep next = planning::afterBuild(status, isStrict());
    if (status == OG_OK || next == planning::NextStep::Fail || noFallback)
      return status;
    request.notes.push_back("passed over " + state.entries[i].identity + ": " +
                            og_last_error());
    og_log(OG_LOG_WARNING, "compiler", request.notes.back().c_str());
  }
  return fail(OG_GRAPH_NOT_SUPPORTED, "no plan of graph '" + graph.name +
                                          "' can be compiled" +
                                          (request.notes.empty() ? "" : ": ") +
                                          llvm::join(request.notes, "; "));
}

/// The form of a plan's code for a GPU: PTX is its assembly, a cubin its
/// object.
static og_status takeDeviceCode(CompileResult &result, og_emit_kind kind,
                                std::string &text) {
  planfile::DeviceVariant &code = result.deviceCode.front();
  switch (kind) {
  case OG_EMIT_ASM:
  case OG_EMIT_PTX:
    text = std::move(code.ptx);
    return OG_OK;
  case OG_EMIT_OBJECT:
  case OG_EMIT_CUBIN:
    if (code.cubin.empty())
      return fail(OG_UNSUPPORTED,
                  "no assembler was found to make a cubin: ptxas or nvJitLink");
    text.assign(code.cubin.begin(), code.cubin.end());
    return OG_OK;
  default:
    return fail(OG_UNSUPPORTED, "a plan for a GPU is emitted as mlir, ptx, "
                                "cubin, plan or an object of it, not as llvm");
  }
}

/// The form of a plan's code for the host.
static og_status takeHostCode(CompileResult &result, og_emit_kind kind,
                              std::string &text) {
  if (result.code.variants.empty())
    return fail(OG_UNSUPPORTED,
                "a plan without code of its own is emitted as mlir or plan");
  codegen::HostVariantCode &code = result.code.variants.front();
  switch (kind) {
  case OG_EMIT_LLVM:
    text = std::move(code.llvmIR);
    return OG_OK;
  case OG_EMIT_ASM:
    text = std::move(code.assembly);
    return OG_OK;
  case OG_EMIT_OBJECT:
    text = std::move(code.object);
    return OG_OK;
  default:
    return fail(OG_UNSUPPORTED, "a plan for the host is emitted as mlir, llvm, "
                                "asm, obj or plan, not as ptx or cubin");
  }
}

og_status og_graph_emit(og_graph *graph, int64_t index, og_emit_kind kind,
                        const og_build_options *options, og_bytes **out) {
  OG_TRY(checkNotNull(out, "out"));
  *out = nullptr;
  OG_TRY(checkNotNull(graph, "graph"));
  og_build_options given;
  OG_TRY(readStruct(options, given, "og_build_options"));
  CompileRequest request;
  OG_TRY(readVariants(given.variants, request.variants));
  if (uint32_t(kind) > OG_EMIT_CUBIN)
    return fail(OG_INVALID_ARGUMENT,
                "expected an og_emit_kind, got " + Twine(int(kind)));
  if (!graph->plans)
    OG_TRY(og_graph_create_plans(graph, nullptr));
  request.onlyLegalize = kind == OG_EMIT_MLIR;
  request.emitImage = kind == OG_EMIT_PLAN;
  request.keepLLVM = kind == OG_EMIT_LLVM;
  request.keepAssembly = kind == OG_EMIT_ASM || kind == OG_EMIT_PTX;
  request.keepObject = kind == OG_EMIT_OBJECT;
  if (kind != OG_EMIT_PLAN)
    request.variants.resize(1);
  CompileResult result;
  OG_TRY(compileFirst(*graph, index, request, given.no_fallback, result));
  auto bytes = std::make_unique<og_bytes>();
  std::string &text = bytes->data;
  if (kind == OG_EMIT_MLIR)
    text = std::move(result.programText);
  else if (kind == OG_EMIT_PLAN)
    text.assign(result.planFile.begin(), result.planFile.end());
  else if (!result.deviceCode.empty())
    OG_TRY(takeDeviceCode(result, kind, text));
  else
    OG_TRY(takeHostCode(result, kind, text));
  *out = bytes.release();
  return OG_OK;
}
