//===- Compile.cpp - opgraph compile --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Failure.h"
#include "Files.h"

using namespace opgraph::cli;

/// The form that --emit names.
static og_emit_kind emitKind(const std::string &name) {
  if (name == "mlir")
    return OG_EMIT_MLIR;
  if (name == "llvm")
    return OG_EMIT_LLVM;
  if (name == "asm")
    return OG_EMIT_ASM;
  if (name == "obj")
    return OG_EMIT_OBJECT;
  return OG_EMIT_PLAN;
}

static BytesPtr emit(Session &session, const CompileOptions &options) {
  og_build_options build = {};
  build.struct_size = sizeof(build);
  build.no_fallback = options.plan.noFallback;
  // An object or plan goes to machines unknown, the other forms are looked at.
  bool travels = options.emit == "aot" || options.emit == "plan";
  std::string variants = options.plan.variants;
  if (variants.empty())
    variants = travels ? "all" : "native";
  build.variants = variants == "native" ? nullptr : variants.c_str();
  og_bytes *bytes = nullptr;
  check(og_graph_emit(session.getGraph(), -1, emitKind(options.emit), &build,
                      &bytes));
  return BytesPtr(bytes);
}

static std::string_view view(const BytesPtr &bytes) {
  return {og_bytes_data(bytes.get()), og_bytes_size(bytes.get())};
}

/// The bytes of a plan: the file's own, or compiled from the graph.
static std::string makePlan(Session &session, const CompileOptions &options) {
  if (session.isPlanFile())
    return readFile(options.plan.file);
  session.plan();
  return std::string(view(emit(session, options)));
}

static void compileAhead(Session &session, const CompileOptions &options) {
  std::string plan = makePlan(session, options);
  std::string name = options.name;
  if (name.empty())
    name = session.isPlanFile() ? "opgraph_plan"
                                : og_graph_name(session.getGraph());
  og_bytes *object = nullptr, *header = nullptr;
  check(
      og_aot_object(plan.data(), plan.size(), name.c_str(), &object, &header));
  BytesPtr objectBytes(object), headerBytes(header);
  OutputFiles files;
  files.add(options.output, view(objectBytes));
  if (!options.header.empty())
    files.add(options.header, view(headerBytes));
  files.commit();
}

int opgraph::cli::compile(const CompileOptions &options) {
  bool isAot = options.emit == "aot";
  if (isAot && options.output.empty())
    throw Failure(ExitUserError, "an object needs a place: -o FILE.o");
  if (!isAot && !options.header.empty())
    throw Failure(ExitUserError, "--header goes with --emit aot only");
  // A header or object on one stream with the other would be of no use.
  if (isAot && options.header == options.output)
    throw Failure(ExitUserError, "-o and --header name the same file");
  PlanOptions planOptions = options.plan;
  Session session(planOptions);
  if (isAot) {
    compileAhead(session, options);
    return ExitOk;
  }
  OutputFiles files;
  std::string output = options.output.empty() ? "-" : options.output;
  if (options.emit == "plan" && session.isPlanFile()) {
    files.add(output, readFile(options.plan.file));
  } else {
    session.plan();
    files.add(output, view(emit(session, options)));
  }
  files.commit();
  return ExitOk;
}
