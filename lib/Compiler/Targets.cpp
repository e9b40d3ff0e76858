//===- Targets.cpp - What a graph is to be planned for --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Compiler/Targets.h"
#include "codegen/NVPTX/Assemble.h"
#include "codegen/NVPTX/Libdevice.h"
#include "dialects/Tile/TileDialect.h"
#include "lib/Support/CApi.h"
#include "opgraph-c/device.h"
#include <cstdlib>
#include <mutex>

using namespace opgraph;
using namespace opgraph::lib;
using llvm::Twine;

std::optional<tile::Target> opgraph::lib::findTileTarget(llvm::StringRef name) {
  llvm::StringRef arch = name.split(':').first;
  for (uint32_t i = 0; i <= tile::getMaxEnumValForTarget(); ++i) {
    auto target = static_cast<tile::Target>(i);
    llvm::StringRef cpu = tile::getTargetInfo(target).cpu;
    if (cpu == arch || cpu.drop_back() == arch)
      return target;
  }
  return std::nullopt;
}

/// "cuda" or "cuda:N" as the description of that device of this machine; other
/// texts as they are.
static og_status describeDevice(llvm::StringRef text, std::string &target) {
  target = text.str();
  if (!text.consume_front("cuda"))
    return OG_OK;
  int32_t ordinal = 0;
  if (!text.empty() &&
      (!text.consume_front(":") || text.getAsInteger(10, ordinal)))
    return fail(OG_INVALID_VALUE,
                "expected a target cuda or cuda:N, got '" + target + "'");
  size_t length = 0;
  OG_TRY(og_cuda_describe(ordinal, nullptr, 0, &length));
  target.resize(length + 1);
  OG_TRY(og_cuda_describe(ordinal, target.data(), target.size(), &length));
  target.resize(length);
  return OG_OK;
}

/// Without an assembler here the target's driver compiles the code's PTX.
static void addPtxVersions(planning::Target &target) {
  std::optional<tile::Target> tile = findTileTarget(target.name);
  if (!target.driver || !tile)
    return;
  int64_t needed = tile::getTargetInfo(*tile).leastPtx;
  int64_t newest = og_cuda_newest_ptx(int32_t(target.driver));
  // Looking for an assembler takes longer than ranking a small graph.
  if (needed <= newest || codegen::findAssembler())
    return;
  target.shippedPtx = needed;
  target.newestPtx = newest;
}

/// As planning::Target::parse, without reading the same description again.
static std::optional<planning::Target> parseTarget(const std::string &text,
                                                   std::string &error) {
  struct Known {
    std::mutex mutex;
    std::string text;
    planning::Target target;
  };
  static Known known;
  // What a file holds may change.
  if (!llvm::StringRef(text).starts_with("{"))
    return planning::Target::parse(text, error);
  {
    std::lock_guard<std::mutex> lock(known.mutex);
    if (known.text == text)
      return known.target;
  }
  auto parsed = planning::Target::parse(text, error);
  if (parsed) {
    std::lock_guard<std::mutex> lock(known.mutex);
    known.text = text;
    known.target = *parsed;
  }
  return parsed;
}

planning::Target opgraph::lib::makeHostTarget(const og_plan_options &options) {
  planning::Target target = planning::Target::host();
  target.workers = options.threads ? options.threads : og_num_threads();
  if (options.threads)
    target.maxWorkers = options.threads;
  return target;
}

/// What a program that names no device is planned for.
static const char *findDefaultDevice() {
  int32_t count = 0;
  return og_cuda_device_count(&count) == OG_OK && count > 0 ? "cuda" : "host";
}

/// Empty texts name nothing.
static const char *orNull(const char *text) {
  return text && *text ? text : nullptr;
}

og_status opgraph::lib::readTarget(const og_plan_options &options,
                                   planning::Target &target, bool &isDefault) {
  const char *named =
      options.target ? options.target : orNull(std::getenv("OPGRAPH_DEVICE"));
  std::string text;
  OG_TRY(describeDevice(named ? named : findDefaultDevice(), text));
  std::string error;
  auto parsed = parseTarget(text, error);
  if (!parsed)
    return fail(OG_INVALID_VALUE, "target '" + Twine(text) + "': " + error);
  target = *parsed;
  isDefault = !named && target.kind == planning::TargetKind::Cuda;
  if (options.threads < 0)
    return fail(OG_INVALID_VALUE, "expected threads to be at least 0, got " +
                                      Twine(options.threads));
  if (target.kind == planning::TargetKind::Host)
    target = makeHostTarget(options);
  else if (options.threads)
    target.maxWorkers = options.threads;
  addPtxVersions(target);
  // Of the machine: looked for once.
  static const bool hasDeviceLibrary = codegen::findLibdevice().has_value();
  target.hasDeviceLibrary = hasDeviceLibrary;
  return OG_OK;
}
