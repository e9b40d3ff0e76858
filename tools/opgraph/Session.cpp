//===- Session.cpp - A graph or plan that a command works on --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Session.h"
#include "Failure.h"
#include "Files.h"

#include <cstdlib>
#include <string_view>

using namespace opgraph::cli;

/// How every plan file begins.
static constexpr std::string_view planMagic("\x89OGP", 4);

Session::Session(const PlanOptions &options) : options(options) {
  og_compiler *newCompiler = nullptr;
  check(og_compiler_create(&newCompiler));
  compiler.reset(newCompiler);
  std::string data = readFile(options.file);
  if (std::string_view(data).substr(0, planMagic.size()) == planMagic) {
    og_plan *plan = nullptr;
    check(og_plan_load(data.data(), data.size(), &plan));
    compiled.reset(plan);
    text = og_plan_source(plan);
    return;
  }
  // The file once more by name, so that errors say where they are.
  const char *symbol = options.graph.empty() ? nullptr : options.graph.c_str();
  og_graph *newGraph = nullptr;
  check(og_graph_parse_file(compiler.get(), options.file.c_str(), symbol,
                            &newGraph));
  graph.reset(newGraph);
  text = std::move(data);
}

GraphPtr Session::parseAgain() {
  if (text.empty())
    return nullptr;
  const char *symbol =
      isPlanFile() || options.graph.empty() ? nullptr : options.graph.c_str();
  og_graph *again = nullptr;
  check(
      og_graph_parse(compiler.get(), text.data(), text.size(), symbol, &again));
  return GraphPtr(again);
}

static int32_t parseMode(const std::string &name) {
  static constexpr const char *names[] = {"A", "B", "FALLBACK", "OPENSOURCE"};
  for (int32_t i = 0; i < 4; ++i)
    if (name == names[i])
      return i;
  throw Failure(ExitUserError, "expected a mode (A, B, FALLBACK, OPENSOURCE), "
                               "got '" +
                                   name + "'");
}

const std::string &opgraph::cli::planningTarget(const PlanOptions &options) {
  const std::string &device = options.device, &target = options.target;
  if (target.empty())
    return device;
  bool onHost = device == "host", forHost = target == "host";
  if (!device.empty() && onHost != forHost)
    throw Failure(ExitUserError, "--device " + device +
                                     " cannot run plans of --target " + target);
  return target;
}

og_plan_options Session::toPlanOptions() {
  og_plan_options result = {};
  result.struct_size = sizeof(result);
  modes.clear();
  for (const std::string &name : options.modes)
    modes.push_back(parseMode(name));
  result.modes = modes.empty() ? nullptr : modes.data();
  result.num_modes = modes.size();
  const std::string &target = planningTarget(options);
  result.target = target.empty() ? nullptr : target.c_str();
  result.threads = options.threads;
  result.limit_workspace = options.maxWorkspace.has_value();
  result.max_workspace = options.maxWorkspace.value_or(0);
  return result;
}

/// Whether the GPU of this machine is asked what it is.
static bool describesGpu(const PlanOptions &options) {
  std::string_view target = planningTarget(options);
  const char *standard = std::getenv("OPGRAPH_DEVICE");
  if (target.empty() && standard)
    target = standard;
  return target == "cuda" || target.substr(0, 5) == "cuda:";
}

void Session::plan() {
  if (isPlanFile())
    throw Failure(ExitUserError, "'" + options.file +
                                     "' is a compiled plan; this command "
                                     "takes a graph");
  std::string pin = options.plan;
  if (pin.empty() && !options.engine.empty()) {
    pin = options.engine;
    if (!options.knobs.empty())
      pin += "[" + options.knobs + "]";
  }
  if (pin.empty() && !options.knobs.empty())
    throw Failure(ExitUserError, "--knobs needs --engine");
  if (describesGpu(options))
    checkHasGpu();
  og_plan_options planOptions = toPlanOptions();
  if (pin.empty())
    check(og_graph_create_plans(graph.get(), &planOptions));
  else
    check(og_graph_create_plan_named(graph.get(), pin.c_str(), &planOptions,
                                     nullptr));
}

bool Session::isForDevice() const {
  if (compiled)
    return og_plan_device_type(compiled.get()) != OG_DEVICE_HOST;
  og_plan_info info = {};
  info.struct_size = sizeof(info);
  check(og_graph_plan_info(graph.get(), 0, &info));
  // A plan's name ends in what it is for.
  std::string_view name = info.identity;
  return name.substr(name.rfind('@') + 1) != "host";
}

og_plan *Session::build() {
  if (compiled)
    return compiled.get();
  plan();
  og_build_options buildOptions = {};
  buildOptions.struct_size = sizeof(buildOptions);
  buildOptions.variants =
      options.variants.empty() ? nullptr : options.variants.c_str();
  buildOptions.no_fallback = options.noFallback;
  check(og_graph_build(graph.get(), &buildOptions));
  og_plan *plan = nullptr;
  check(og_graph_plan(graph.get(), -1, &plan));
  compiled.reset(plan);
  return plan;
}

std::map<int64_t, Declaration> Session::declarations() {
  std::map<int64_t, Declaration> result;
  GraphPtr parsed = graph ? nullptr : parseAgain();
  og_graph *source = graph ? graph.get() : parsed.get();
  for (og_tensor i = 0; i < og_graph_num_tensors(source); ++i) {
    og_tensor_info info = {};
    info.struct_size = sizeof(info);
    check(og_tensor_get(source, i, &info));
    Declaration &declaration = result[info.uid];
    if (info.dims)
      declaration.extents.assign(info.dims, info.dims + info.ndim);
    if (info.symbols)
      declaration.symbols.assign(info.symbols, info.symbols + info.ndim);
  }
  return result;
}
