//===- Explain.cpp - Explaining a plan list: the C API --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Explain.h"
#include "dialects/Tile/TileDialect.h"
#include "lib/Compiler/PlanState.h"
#include "lib/Compiler/Targets.h"
#include "lib/Support/CApi.h"

using namespace opgraph;
using namespace opgraph::lib;
using llvm::json::Array;
using llvm::json::Object;

//===----------------------------------------------------------------------===//
// Kernels of plans that are built
//===----------------------------------------------------------------------===//

namespace {
/// A kernel and how much of a multiprocessor of its target it fills.
struct KernelFacts {
  og_kernel_info info;
  int64_t warps = 0;
  /// 0 where the target's is not known.
  int64_t mostWarps = 0;
};
} // namespace

static std::vector<KernelFacts> readKernels(const og_plan *plan) {
  std::vector<KernelFacts> kernels(og_plan_num_kernels(plan));
  const char *variant = og_plan_variant_name(plan, 0);
  auto target = findTileTarget(variant ? variant : "");
  for (auto [index, kernel] : llvm::enumerate(kernels)) {
    kernel.info = {};
    kernel.info.struct_size = sizeof(kernel.info);
    if (og_plan_kernel(plan, 0, index, &kernel.info) != OG_OK)
      return {};
    kernel.warps = int64_t(kernel.info.blocks_per_sm) *
                   llvm::divideCeil(kernel.info.threads, 32);
    if (target)
      kernel.mostWarps = tile::getTargetInfo(*target).maxWarpsPerSm;
  }
  return kernels;
}

/// What no assembler has told is not known.
static std::string orUnknown(const KernelFacts &kernel, int64_t number) {
  return kernel.info.registers ? std::to_string(number) : "?";
}

/// One line per kernel of each plan that is built; "" where there is none.
static std::string renderKernels(const PlanState &state) {
  llvm::SmallVector<planning::Row> rows{{"#", "kernel", "threads", "registers",
                                         "spills", "stack", "shared",
                                         "blocks/SM", "warps/SM"}};
  for (auto [index, entry] : llvm::enumerate(state.entries))
    for (const KernelFacts &kernel : readKernels(entry.built.get())) {
      const og_kernel_info &info = kernel.info;
      auto show = [&](int64_t number) { return orUnknown(kernel, number); };
      std::string warps = show(kernel.warps);
      if (kernel.mostWarps)
        warps += " of " + std::to_string(kernel.mostWarps);
      rows.push_back({std::to_string(index), info.name,
                      std::to_string(info.threads), show(info.registers),
                      show(info.spill_stores + info.spill_loads),
                      show(info.stack_bytes),
                      show(info.static_shared + info.dynamic_shared),
                      show(info.blocks_per_sm), warps});
    }
  return rows.size() == 1 ? "" : planning::renderColumns(rows) + "\n";
}

static Object toJson(const KernelFacts &kernel) {
  const og_kernel_info &info = kernel.info;
  Object object{
      {"name", info.name},
      {"threads", info.threads},
      {"cluster", Array{info.cluster[0], info.cluster[1], info.cluster[2]}},
      {"dynamic_shared", info.dynamic_shared}};
  auto add = [&](llvm::StringRef key, int64_t number) {
    object[key] = info.registers ? llvm::json::Value(number) : nullptr;
  };
  add("registers", info.registers);
  add("spill_stores", info.spill_stores);
  add("spill_loads", info.spill_loads);
  add("stack", info.stack_bytes);
  add("static_shared", info.static_shared);
  add("blocks_per_sm", info.blocks_per_sm);
  add("warps_per_sm", kernel.warps);
  object["max_warps_per_sm"] = kernel.mostWarps;
  return object;
}

/// Gives the plans in `explanation` the kernels of those that are built.
static void addKernels(llvm::json::Value &explanation, const PlanState &state) {
  for (llvm::json::Value &value :
       *explanation.getAsObject()->getArray("plans")) {
    Object &plan = *value.getAsObject();
    for (const PlanEntry &entry : state.entries) {
      if (plan.getString("plan") != llvm::StringRef(entry.identity))
        continue;
      Array kernels;
      for (const KernelFacts &kernel : readKernels(entry.built.get()))
        kernels.push_back(toJson(kernel));
      if (!kernels.empty())
        plan["kernels"] = std::move(kernels);
    }
  }
}

//===----------------------------------------------------------------------===//
// The C API
//===----------------------------------------------------------------------===//

og_status og_graph_explain(og_graph *graph, og_explain_format format,
                           const char **text) {
  OG_TRY(checkNotNull(text, "text"));
  *text = nullptr;
  OG_TRY(checkNotNull(graph, "graph"));
  if (!graph->plans)
    return fail(OG_FAILED_PRECONDITION,
                "graph '" + graph->name + "' has not been planned");
  completeList(*graph);
  const planning::PlanOutcome &outcome = graph->plans->outcome;
  graph->explainText.clear();
  llvm::raw_string_ostream os(graph->explainText);
  if (format == OG_EXPLAIN_JSON) {
    llvm::json::Value value = planning::toJson(outcome);
    addKernels(value, *graph->plans);
    os << llvm::formatv("{0:2}", value) << '\n';
  } else {
    os << "graph '" << outcome.graph << "' ("
       << planning::stringifyFamily(outcome.family) << ") for "
       << outcome.target << "\n\n"
       << planning::renderPlans(outcome) << '\n'
       << renderKernels(*graph->plans) << planning::renderTable(outcome);
  }
  *text = graph->explainText.c_str();
  return OG_OK;
}
