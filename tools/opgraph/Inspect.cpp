//===- Inspect.cpp - opgraph inspect --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Commands.h"
#include "Elements.h"
#include "Failure.h"
#include "Files.h"
#include "Table.h"

#include <cstdio>
#include <nlohmann/json.hpp>

using namespace opgraph::cli;
using nlohmann::ordered_json;

static ordered_json dims(const int64_t *values, int32_t count) {
  ordered_json json = ordered_json::array();
  for (int32_t i = 0; i < count; ++i)
    if (values[i] == OG_DYNAMIC)
      json.push_back("?");
    else
      json.push_back(values[i]);
  return json;
}

static ordered_json kernelsJson(const og_plan *plan) {
  ordered_json list = ordered_json::array();
  for (size_t i = 0; i < og_plan_num_kernels(plan); ++i) {
    og_kernel_info info = {};
    info.struct_size = sizeof(info);
    check(og_plan_kernel(plan, 0, i, &info));
    list.push_back(
        {{"name", info.name},
         {"threads", info.threads},
         {"cluster", info.cluster},
         {"registers", info.registers},
         {"spill_stores", info.spill_stores},
         {"spill_loads", info.spill_loads},
         {"stack", info.stack_bytes},
         {"static_shared", info.static_shared},
         {"dynamic_shared", info.dynamic_shared},
         {"blocks_per_sm", info.blocks_per_sm},
         {"warps_per_sm", info.blocks_per_sm * ((info.threads + 31) / 32)}});
  }
  return list;
}

static ordered_json operandsJson(const og_plan *plan) {
  ordered_json list = ordered_json::array();
  for (size_t i = 0; i < og_plan_num_operands(plan); ++i) {
    og_operand_info info = {};
    info.struct_size = sizeof(info);
    check(og_plan_operand(plan, i, &info));
    list.push_back({{"uid", info.uid},
                    {"name", info.name},
                    {"role", info.is_output ? "output" : "input"},
                    {"dtype", dtypeText(info.dtype)},
                    {"shape", dims(info.shape, info.ndim)},
                    {"strides", dims(info.strides, info.ndim)},
                    {"by_value", bool(info.by_value)},
                    {"has_default", bool(info.has_default)},
                    {"alignment", info.alignment}});
  }
  return list;
}

static ordered_json describe(const og_plan *plan) {
  ordered_json json = {{"name", og_plan_name(plan)},
                       {"compiler", og_plan_compiler(plan)},
                       {"format", og_plan_format_version(plan)},
                       {"target", og_plan_target(plan)},
                       {"engine", og_plan_engine_name(plan)},
                       {"engine_id", og_plan_engine_id(plan)},
                       {"engine_version", og_plan_engine_version(plan)},
                       {"knobs", ordered_json::object()},
                       {"variants", ordered_json::array()},
                       {"runs_here_as", og_plan_variant(plan)},
                       {"max_workers", og_plan_max_workers(plan)},
                       {"workspace", nullptr},
                       {"notes", ordered_json::array()},
                       {"symbols", ordered_json::array()},
                       {"operands", operandsJson(plan)}};
  for (size_t i = 0; i < og_plan_num_knobs(plan); ++i) {
    og_knob knob;
    check(og_plan_knob(plan, i, &knob));
    const char *name = og_knob_name(knob.type);
    json["knobs"][name ? name : std::to_string(knob.type)] = knob.value;
  }
  for (size_t i = 0; i < og_plan_num_variants(plan); ++i)
    json["variants"].push_back(og_plan_variant_name(plan, i));
  if (og_plan_num_kernels(plan))
    json["kernels"] = kernelsJson(plan);
  for (size_t i = 0; i < og_plan_num_notes(plan); ++i)
    json["notes"].push_back(og_plan_note(plan, i));
  for (size_t i = 0; i < og_plan_num_symbols(plan); ++i) {
    og_symbol_info symbol = {};
    symbol.struct_size = sizeof(symbol);
    check(og_plan_symbol(plan, i, &symbol));
    json["symbols"].push_back({{"name", symbol.name},
                               {"uid", symbol.uid},
                               {"axis", symbol.axis},
                               {"divisor", symbol.divisor}});
  }
  size_t workspace = 0;
  if (og_plan_workspace_size(plan, nullptr, &workspace) == OG_OK)
    json["workspace"] = workspace;
  return json;
}

static Table kernelTable(const ordered_json &kernels) {
  Table table({"kernel", "threads", "registers", "spills", "stack", "shared",
               "blocks/SM", "warps/SM"});
  for (const ordered_json &kernel : kernels) {
    auto sum = [&](const char *a, const char *b) {
      return std::to_string(kernel[a].get<int64_t>() +
                            kernel[b].get<int64_t>());
    };
    table.add({kernel["name"].get<std::string>(), kernel["threads"].dump(),
               kernel["registers"].dump(), sum("spill_stores", "spill_loads"),
               kernel["stack"].dump(), sum("static_shared", "dynamic_shared"),
               kernel["blocks_per_sm"].dump(), kernel["warps_per_sm"].dump()});
  }
  return table;
}

/// One line per field; a table for the operands, and for kernels.
static void printText(const ordered_json &json, const char *source) {
  for (const auto &[key, value] : json.items()) {
    if (key == "operands" || key == "kernels")
      continue;
    std::string text =
        value.is_string() ? value.get<std::string>() : value.dump();
    std::printf("%-16s%s\n", key.c_str(),
                value.is_null() ? "by extents" : text.c_str());
  }
  Table table({"uid", "name", "role", "dtype", "shape", "strides"});
  for (const ordered_json &operand : json["operands"])
    table.add({operand["uid"].dump(), operand["name"].get<std::string>(),
               operand["role"].get<std::string>(),
               operand["dtype"].get<std::string>(), operand["shape"].dump(),
               operand["strides"].dump()});
  std::printf("\n%s", table.str().c_str());
  if (json.contains("kernels"))
    std::printf("\n%s", kernelTable(json["kernels"]).str().c_str());
  if (*source)
    std::printf("\n%s\n", source);
}

int opgraph::cli::inspect(const PlanOptions &options, bool json) {
  std::string data = readFile(options.file);
  og_plan *handle = nullptr;
  check(og_plan_load(data.data(), data.size(), &handle));
  PlanPtr plan(handle);
  ordered_json description = describe(plan.get());
  if (json) {
    description["source"] = og_plan_source(plan.get());
    std::printf("%s\n", description.dump(2).c_str());
  } else {
    printText(description, og_plan_source(plan.get()));
  }
  return ExitOk;
}
