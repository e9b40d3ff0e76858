//===- main.cpp - opgraph: the user's command line ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Failure.h"
#include "Run.h"

#include <CLI/CLI.hpp>

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <limits>

using namespace opgraph::cli;

static const char *const footer =
    "Exit codes: 0 success; 1 the input is wrong; 2 --verify found a\n"
    "difference beyond the tolerance; 3 every engine declined the graph, or\n"
    "this machine cannot run the plan; 4 a file could not be read or written;\n"
    "5 an internal failure, please report it.";

/// Options that decide which plan is made.
static void addPlanOptions(CLI::App &app, PlanOptions &options) {
  app.add_option("FILE", options.file, "A graph (.mlir) or plan (.ogplan)")
      ->required();
  app.add_option("--graph", options.graph,
                 "The graph to take, where FILE holds several");
  app.add_option("--device", options.device,
                 "What to plan for: host, cuda or cuda:N (default: "
                 "OPGRAPH_DEVICE, else host)");
  app.add_option("--target", options.target,
                 "A GPU that need not be here, instead: sm_80, sm_86, sm_89, "
                 "sm_90a, sm_100a, sm_120a, or the JSON file of a device");
  app.add_option("--mode", options.modes,
                 "Heuristic modes: A, B, FALLBACK, OPENSOURCE")
      ->delimiter(',');
  app.add_option("--engine", options.engine, "Pin an engine, by name or id");
  app.add_option("--knobs", options.knobs, "Pin its knobs: TILE_M=6,TILE_N=16");
  app.add_option("--plan", options.plan,
                 "Pin a plan by its spelling in the plan list")
      ->excludes("--engine");
  app.add_option("--max-workspace", options.maxWorkspace,
                 "Bytes of workspace that a plan may need")
      ->check(CLI::Range(int64_t(0), std::numeric_limits<int64_t>::max()));
  app.add_option("--threads", options.threads,
                 "Workers that one execution may use (default: all)")
      ->check(CLI::NonNegativeNumber);
}

static void addBuildOptions(CLI::App &app, PlanOptions &options) {
  app.add_option("--target-cpu", options.variants,
                 "Code variants: x86-64-v2,x86-64-v3,x86-64-v4,"
                 "x86-64-v4-bf16, all, or native");
  app.add_flag("--no-fallback", options.noFallback,
               "Fail where the first plan cannot be built");
}

static void addRun(CLI::App &app, RunOptions &options) {
  CLI::App *command = app.add_subcommand("run", "Run a graph or a plan");
  addPlanOptions(*command, options.plan);
  addBuildOptions(*command, options.plan);
  command->add_option("--input", options.inputs,
                      "KEY=FILE.npy, KEY a uid or name; other inputs are "
                      "random");
  command->add_option("--extent", options.extents,
                      "NAME=VALUE of a dynamic extent (default: 16)");
  command->add_option("--seed", options.seed, "Of random inputs");
  command->add_option("--repeat", options.repeat, "Executions")
      ->check(CLI::PositiveNumber);
  command->add_flag("--verify", options.verify,
                    "Compare with engine host.reference");
  command->add_flag("--timing", options.timing, "Print each stage's time");
  command->add_flag("--json", options.json, "Print JSON");
  command->add_option("--save-outputs", options.saveOutputs,
                      "Folder for the results as .npy files");
  command->footer(footer);
}

static void addCompile(CLI::App &app, CompileOptions &options) {
  CLI::App *command = app.add_subcommand(
      "compile", "Compile a graph to an object file or a form of its code");
  addPlanOptions(*command, options.plan);
  addBuildOptions(*command, options.plan);
  command->add_option("-o,--output", options.output,
                      "The file to write; - is standard output");
  command->add_option("--header", options.header,
                      "The C header to write beside the object of a plan");
  command->add_option("--name", options.name,
                      "Of the C functions (default: the graph's)");
  command
      ->add_option("--emit", options.emit,
                   "aot (an object of a plan, default), plan, mlir; for the "
                   "host llvm, asm, obj (the bare code); for a GPU ptx, "
                   "cubin, obj (the same as aot)")
      ->check(CLI::IsMember(
          {"aot", "plan", "mlir", "llvm", "asm", "obj", "ptx", "cubin"}));
  command->footer(footer);
}

static CLI::App *addPlain(CLI::App &app, const char *name, const char *text,
                          PlanOptions &options, bool &json) {
  CLI::App *command = app.add_subcommand(name, text);
  addPlanOptions(*command, options);
  command->add_flag("--json", json, "Print JSON");
  command->footer(footer);
  return command;
}

static int dispatch(int argc, char **argv) {
  CLI::App app("Compiles and runs deep-learning operation graphs.", "opgraph");
  app.set_version_flag("--version",
                       std::string("opgraph ") + opgraph_version());
  app.require_subcommand(1);
  app.footer(footer);
  RunOptions runOptions;
  CompileOptions compileOptions;
  PlanOptions planOptions;
  bool json = false;
  addRun(app, runOptions);
  addPlain(app, "plans", "Print the ranked plan list", planOptions, json);
  addPlain(app, "explain", "Print why each engine takes or declines the graph",
           planOptions, json);
  addCompile(app, compileOptions);
  addPlain(app, "inspect", "Print what a plan file holds", planOptions, json);
  try {
    app.parse(argc, argv);
  } catch (const CLI::ParseError &error) {
    return app.exit(error) == 0 ? ExitOk : ExitUserError;
  }
  const std::string &command = app.get_subcommands().front()->get_name();
  if (command == "run") {
    if (runOptions.plan.variants == "native")
      runOptions.plan.variants.clear();
    // Read once by the runtime, which has not started yet.
    if (runOptions.plan.threads)
      setenv("OPGRAPH_NUM_THREADS",
             std::to_string(runOptions.plan.threads).c_str(), 1);
    return run(runOptions);
  }
  if (command == "compile")
    return compile(compileOptions);
  if (command == "plans")
    return plans(planOptions, json);
  return command == "explain" ? explain(planOptions, json)
                              : inspect(planOptions, json);
}

int main(int argc, char **argv) {
  // A file that grows beyond its limit is a failed write, which cleans up.
  std::signal(SIGXFSZ, SIG_IGN);
  try {
    return dispatch(argc, argv);
  } catch (const Failure &failure) {
    std::fprintf(stderr, "opgraph: error: %s\n", failure.what());
    return failure.code;
  } catch (const std::exception &error) {
    std::fprintf(stderr, "opgraph: error: %s\n", error.what());
    return ExitInternal;
  }
}
