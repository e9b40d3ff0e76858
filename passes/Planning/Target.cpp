//===- Target.cpp - Reading device descriptions ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Target.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/JSON.h"
#include "llvm/Support/MemoryBuffer.h"

using namespace llvm;
using namespace opgraph::planning;

namespace {
/// A number of a device description and where it goes.
struct Field {
  StringLiteral key;
  int64_t Target::*member;
};
} // namespace

static constexpr Field kFields[] = {
    {"multiProcessorCount", &Target::multiprocessors},
    {"maxSharedMemoryPerBlockOptin", &Target::sharedMemoryPerBlock},
    {"l2CacheSize", &Target::l2Bytes},
    {"totalGlobalMem", &Target::memoryBytes},
    {"smClockRateKHz", &Target::clockKHz},
    {"memClockRateKHz", &Target::memoryClockKHz},
};

namespace {
/// An architecture that a target can be named by, and what a large device of it
/// has, in the order of kFields.
struct Architecture {
  StringLiteral name;
  int64_t arch;
  int64_t figures[std::size(kFields)];
};
} // namespace

// A100 80GB, A10, L40S, H200, B200, RTX PRO 6000 Blackwell: their data sheets.
static constexpr Architecture kArchitectures[] = {
    {"sm_80", 80, {108, 166912, 41943040, 85899345920, 1410000, 1593000}},
    {"sm_86", 86, {72, 101376, 6291456, 25769803776, 1695000, 6251000}},
    {"sm_89", 89, {142, 101376, 100663296, 51539607552, 2520000, 9001000}},
    {"sm_90a", 90, {132, 232448, 62914560, 150109880320, 1980000, 3201000}},
    {"sm_100a", 100, {148, 232448, 132120576, 193273528320, 1965000, 3996000}},
    {"sm_120a", 120, {188, 101376, 134217728, 103079215104, 2617000, 14001000}},
};

static Target ofArchitecture(const Architecture &architecture) {
  Target target;
  target.kind = TargetKind::Cuda;
  target.name = architecture.name.str();
  target.arch = architecture.arch;
  for (auto [field, figure] : zip_equal(kFields, architecture.figures))
    target.*field.member = figure;
  return target;
}

Target Target::host(int64_t workers) {
  Target target;
  target.workers = workers;
  return target;
}

std::optional<Target> Target::fromJson(StringRef json, std::string &error) {
  Expected<json::Value> value = json::parse(json);
  if (!value) {
    error = "device description is not JSON: " + toString(value.takeError());
    return std::nullopt;
  }
  const json::Object *object = value->getAsObject();
  if (!object) {
    error = "expected the device description to be a JSON object";
    return std::nullopt;
  }
  Target target;
  target.kind = TargetKind::Cuda;
  std::optional<int64_t> version = object->getInteger("deviceVer");
  std::optional<StringRef> name = object->getString("deviceName");
  if (!version || *version < 100 || !name || name->empty()) {
    error = "expected the device description to have 'deviceVer' (900 for "
            "sm_90) and 'deviceName'";
    return std::nullopt;
  }
  target.arch = *version / 10;
  target.json = json.str();
  for (const Field &field : kFields) {
    std::optional<int64_t> number = object->getInteger(field.key);
    if (!number || *number <= 0) {
      error = ("expected the device description to have a positive '" +
               field.key + "'")
                  .str();
      return std::nullopt;
    }
    target.*field.member = *number;
  }
  target.driver = object->getInteger("driverVer").value_or(0);
  target.name = "sm_" + std::to_string(target.arch) + ":";
  for (char c : *name)
    target.name += c == ' ' ? '_' : c;
  return target;
}

std::optional<Target> Target::parse(StringRef text, std::string &error) {
  text = text.trim();
  if (text == "host")
    return Target::host();
  if (text.starts_with("{"))
    return fromJson(text, error);
  auto isNamed = [&](const Architecture &known) { return known.name == text; };
  if (const auto *known = find_if(kArchitectures, isNamed);
      known != std::end(kArchitectures))
    return ofArchitecture(*known);
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(text);
  if (!file) {
    SmallVector<StringRef> names;
    for (const Architecture &known : kArchitectures)
      names.push_back(known.name);
    error = ("expected target 'host', " + join(names, ", ") +
             " or a device description, got '" + text +
             "': " + file.getError().message())
                .str();
    return std::nullopt;
  }
  return fromJson((*file)->getBuffer(), error);
}
