//===- Compile.cpp - One plan of a graph to code --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Compiler/Compile.h"
#include "codegen/Host/Recovery.h"
#include "codegen/Host/TargetVariant.h"
#include "codegen/PlanFile/FromIR.h"
#include "dialects/Plan/PlanDialect.h"
#include "dialects/Tile/TileDialect.h"
#include "lib/Compiler/CompilerImpl.h"
#include "lib/Compiler/CudnnService.h"
#include "lib/Compiler/DeviceCode.h"
#include "lib/Support/CApi.h"
#include "lib/Support/Diagnostics.h"
#include "lib/Support/StageTimer.h"
#include "mlir/IR/Builders.h"
#include "mlir/IR/Verifier.h"
#include "llvm/ADT/StringExtras.h"
#include <cstdlib>

using namespace mlir;
using namespace opgraph;
using namespace opgraph::lib;
using llvm::Twine;

bool opgraph::lib::isStrict() {
  const char *value = std::getenv("OPGRAPH_STRICT");
  return value && llvm::StringRef(value) == "1";
}

//===----------------------------------------------------------------------===//
// Variants
//===----------------------------------------------------------------------===//

og_status
opgraph::lib::readVariants(const char *text,
                           llvm::SmallVectorImpl<std::string> &variants) {
  llvm::SmallVector<llvm::StringRef> names;
  for (const codegen::TargetVariant &variant : codegen::targetVariants())
    names.push_back(variant.name);
  if (!text || !*text) {
    llvm::StringRef own = og_cpu_target();
    if (!codegen::findTargetVariant(own))
      return fail(OG_UNSUPPORTED, "no code variant runs on this machine: it "
                                  "needs at least x86-64-v2");
    variants.push_back(own.str());
    return OG_OK;
  }
  if (llvm::StringRef(text) == "all") {
    for (llvm::StringRef name : names)
      variants.push_back(name.str());
    return OG_OK;
  }
  for (llvm::StringRef name : llvm::split(text, ',')) {
    name = name.trim();
    if (!codegen::findTargetVariant(name))
      return fail(OG_INVALID_VALUE, "expected a code variant (" +
                                        llvm::join(names, ", ") + "), got '" +
                                        name + "'" + suggestName(name, names));
    if (!llvm::is_contained(variants, name))
      variants.push_back(name.str());
  }
  return OG_OK;
}

//===----------------------------------------------------------------------===//
// Compilation
//===----------------------------------------------------------------------===//

namespace {
/// One compilation.
class EntryCompiler {
public:
  EntryCompiler(GraphImpl &graph, int64_t index, const CompileRequest &request,
                CompileResult &result)
      : graph(graph), index(index), entry(graph.plans->entries[index]),
        request(request), result(result), diagnostics(graph.context.get()) {}

  og_status run();

private:
  og_status legalize(bool leavesOut);
  og_status generate();
  og_status generateDevice(bool &lacksKernels);
  bool isForDevice() const { return entry.plan.getTarget() != "host"; }
  og_status writePlan();
  void describeProgram(plan::ProgramOp program);
  og_status internal(const char *stage, const Twine &reason);

  GraphImpl &graph;
  int64_t index;
  PlanEntry &entry;
  const CompileRequest &request;
  CompileResult &result;
  DiagnosticCollector diagnostics;
  OwningOpRef<ModuleOp> module;
};
} // namespace

og_status EntryCompiler::internal(const char *stage, const Twine &reason) {
  // Frames may have been left half way.
  graph.context.condemn();
  return fail(OG_INTERNAL, "plan " + entry.identity + " of graph '" +
                               graph.name + "': " + stage +
                               " failed: " + reason);
}

void EntryCompiler::describeProgram(plan::ProgramOp program) {
  Builder builder(graph.context.get());
  program.setCompilerAttr(builder.getStringAttr(og_compiler_identity()));
  SmallVector<Attribute> notes;
  if (ArrayAttr own = program.getNotesAttr())
    llvm::append_range(notes, own);
  for (const std::string &note : request.notes)
    notes.push_back(builder.getStringAttr(note));
  if (!notes.empty())
    program.setNotesAttr(builder.getArrayAttr(notes));
  std::string source;
  llvm::raw_string_ostream os(source);
  // It was verified as it was validated, which the printer would do again.
  graph.graphOp->print(os, OpPrintingFlags().assumeVerified());
  program.setSourceAttr(builder.getStringAttr(source));
}

/// `leavesOut`: kernels that are known need not be written.
og_status EntryCompiler::legalize(bool leavesOut) {
  LegalizeFn legalizeGraph =
      graph.compiler->engines.findLegalization(entry.plan.getName());
  if (!legalizeGraph)
    return fail(OG_UNSUPPORTED, "engine " + entry.engineName +
                                    " generates no code in this version");
  StageTimer timer(graph, "legalize", index);
  graph.context.loadAllDialects();
  module = ModuleOp::create(graph.graphOp.getLoc());
  legalize::nvptx::KernelTexts &texts = graph.context.getKernelTexts();
  texts.leavesOut = leavesOut && usesClassCache() && !isStrict();
  LogicalResult done = failure();
  llvm::Error error = codegen::recoverFatalErrors([&] {
    done = legalizeGraph(graph.plans->graphOp, entry.plan, *module);
    if (succeeded(done) && isStrict())
      done = mlir::verify(*module);
    return llvm::Error::success();
  });
  if (error)
    return internal("legalization", llvm::toString(std::move(error)));
  if (failed(done))
    return internal("legalization", diagnostics.textOr("no reason given"));
  if (isStrict() && !texts.getContradiction().empty())
    return internal("legalization",
                    "kernels of one class differ: " + texts.getContradiction());
  for (auto program : module->getOps<plan::ProgramOp>())
    describeProgram(program);
  return OG_OK;
}

og_status EntryCompiler::generateDevice(bool &lacksKernels) {
  lacksKernels = false;
  StageTimer timer(graph, "generate", index);
  OG_TRY(finishCudnnSteps(*module, graph.plans->request.target));
  // A library brings its own code.
  if (module->getOps<tile::KernelOp>().empty())
    return OG_OK;
  auto code =
      compileDevice(*module, entry.plan.getTarget(), request.keepAssembly);
  if (!code) {
    std::string reason = llvm::toString(code.takeError());
    if (!diagnostics.text().empty())
      reason += ": " + diagnostics.text();
    return internal("code generation", reason);
  }
  lacksKernels = !*code;
  if (*code)
    result.deviceCode.push_back(std::move(**code));
  return OG_OK;
}

og_status EntryCompiler::generate() {
  if (isForDevice()) {
    bool lacksKernels;
    OG_TRY(generateDevice(lacksKernels));
    if (!lacksKernels)
      return OG_OK;
    OG_TRY(legalize(/*leavesOut=*/false));
    return generateDevice(lacksKernels);
  }
  StageTimer timer(graph, "generate", index);
  // Host code makes many more types and attributes than a graph.
  graph.context.addUse(15);
  codegen::HostOptions options;
  options.variants = request.variants;
  options.emitImage = request.emitImage;
  options.keepObject = request.keepObject;
  options.keepAssembly = request.keepAssembly;
  options.keepLLVM = request.keepLLVM;
  options.verifyPasses = isStrict();
  if (graph.plans->maxWorkers)
    options.maxWorkers = graph.plans->maxWorkers;
  llvm::Expected<codegen::HostCode> code =
      codegen::compileHost(*module, options);
  if (!code) {
    std::string reason = llvm::toString(code.takeError());
    if (!diagnostics.text().empty())
      reason += ": " + diagnostics.text();
    return internal("code generation", reason);
  }
  result.code = std::move(*code);
  for (const codegen::StageTime &time : result.code.times)
    graph.stages.push_back(
        {"generate/" + time.stage, index, int64_t(time.milliseconds * 1e6)});
  return OG_OK;
}

og_status EntryCompiler::writePlan() {
  StageTimer timer(graph, "write", index);
  auto programs = module->getOps<plan::ProgramOp>();
  if (programs.empty())
    return internal("writing the plan", "the module holds no plan.program");
  std::vector<planfile::Variant> variants;
  for (codegen::HostVariantCode &variant : result.code.variants)
    variants.push_back(std::move(variant.image));
  llvm::Expected<std::vector<uint8_t>> bytes = planfile::planFileFromIR(
      *programs.begin(), std::move(variants), std::move(result.deviceCode));
  if (!bytes)
    return internal("writing the plan", llvm::toString(bytes.takeError()));
  result.planFile = std::move(*bytes);
  return OG_OK;
}

og_status EntryCompiler::run() {
  OG_TRY(legalize(/*leavesOut=*/!request.onlyLegalize));
  if (request.onlyLegalize) {
    llvm::raw_string_ostream os(result.programText);
    module->print(os);
    return OG_OK;
  }
  OG_TRY(generate());
  return request.emitImage ? writePlan() : OG_OK;
}

og_status opgraph::lib::compileEntry(GraphImpl &graph, int64_t index,
                                     const CompileRequest &request,
                                     CompileResult &result) {
  return EntryCompiler(graph, index, request, result).run();
}
