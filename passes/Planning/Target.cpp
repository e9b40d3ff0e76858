//===- Target.cpp - Reading device descriptions ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Target.h"
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
  ErrorOr<std::unique_ptr<MemoryBuffer>> file = MemoryBuffer::getFile(text);
  if (!file) {
    error = ("expected target 'host' or a device description, got '" + text +
             "': " + file.getError().message())
                .str();
    return std::nullopt;
  }
  return fromJson((*file)->getBuffer(), error);
}
