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
  if (name == "ptx")
    return OG_EMIT_PTX;
  if (name == "cubin")
    return OG_EMIT_CUBIN;
  if (name == "obj")
    return OG_EMIT_OBJECT;
  return OG_EMIT_PLAN;
}

/// Compiles the planned graph to a form of its code.
static BytesPtr emit(Session &session, const CompileOptions &options,
                     og_emit_kind kind) {
  og_build_options build = {};
  build.struct_size = sizeof(build);
  build.no_fallback = options.plan.noFallback;
  // A plan goes to machines unknown, the other forms are looked at.
  std::string variants = options.plan.variants;
  if (variants.empty())
    variants = kind == OG_EMIT_PLAN ? "all" : "native";
  build.variants = variants == "native" ? nullptr : variants.c_str();
  og_bytes *bytes = nullptr;
  check(og_graph_emit(session.getGraph(), -1, kind, &build, &bytes));
  return BytesPtr(bytes);
}

static std::string_view view(const BytesPtr &bytes) {
  return {og_bytes_data(bytes.get()), og_bytes_size(bytes.get())};
}

static void checkPlace(const CompileOptions &options) {
  if (options.output.empty())
    throw Failure(ExitUserError, "an object needs a place: -o FILE.o");
  // A header or object on one stream with the other would be of no use.
  if (options.header == options.output)
    throw Failure(ExitUserError, "-o and --header name the same file");
}

/// Wraps a plan in an object with its header.
static void writeObject(std::string_view plan, const std::string &name,
                        const CompileOptions &options) {
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

/// Whether the form is an object of a plan.
static bool isObject(const Session &session, const CompileOptions &options) {
  return options.emit == "aot" ||
         (options.emit == "obj" && session.isForDevice());
}

static void writeForm(std::string_view form, const CompileOptions &options) {
  if (!options.header.empty())
    throw Failure(ExitUserError,
                  "--header goes with an object of a plan (--emit aot), not "
                  "with --emit " +
                      options.emit);
  OutputFiles files;
  files.add(options.output.empty() ? "-" : options.output, form);
  files.commit();
}

/// A plan file is wrapped in an object, or copied.
static void compilePlanFile(Session &session, const CompileOptions &options) {
  std::string plan = readFile(options.plan.file);
  if (isObject(session, options)) {
    checkPlace(options);
    writeObject(plan, options.name.empty() ? "opgraph_plan" : options.name,
                options);
  } else if (options.emit == "plan") {
    writeForm(plan, options);
  } else {
    throw Failure(ExitUserError, "'" + options.plan.file +
                                     "' is a compiled plan; --emit " +
                                     options.emit + " takes a graph");
  }
}

static void compileGraph(Session &session, const CompileOptions &options) {
  session.plan();
  if (!isObject(session, options))
    return writeForm(view(emit(session, options, emitKind(options.emit))),
                     options);
  checkPlace(options);
  BytesPtr plan = emit(session, options, OG_EMIT_PLAN);
  const char *name = og_graph_name(session.getGraph());
  writeObject(view(plan), options.name.empty() ? name : options.name, options);
}

int opgraph::cli::compile(const CompileOptions &options) {
  Session session(options.plan);
  if (session.isPlanFile())
    compilePlanFile(session, options);
  else
    compileGraph(session, options);
  return ExitOk;
}
