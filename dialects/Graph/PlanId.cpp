//===- PlanId.cpp - Spelling of plan identities ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GraphDialect.h"
#include "dialects/Graph/LibraryKnobs.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace opgraph::graph;

/// The knob type numbered `key`, if there is one besides NOT_SET.
static std::optional<KnobType> knownType(int64_t key) {
  if (key <= 0 || key >= Knob::kGroupStride)
    return std::nullopt;
  return symbolizeKnobType(static_cast<uint32_t>(key));
}

bool opgraph::graph::isValidKnobKey(int64_t key) {
  if (key >= kLibraryKnobs && key < kLibraryKnobs + kNumLibraryKnobs)
    return true;
  if (key < Knob::kGroupStride)
    return knownType(key).has_value();
  // A group's engine may itself be a composite only at the top: groups are not
  // cut again, so one level of keys is enough.
  int64_t inner = key % Knob::kGroupStride;
  return inner == 0 || knownType(inner).has_value();
}

std::string opgraph::graph::knobKeyName(int64_t key) {
  if (std::optional<KnobType> type = knownType(key))
    return stringifyKnobType(*type).str();
  if (StringRef name = libraryKnobName(key); !name.empty())
    return name.str();
  return std::to_string(key);
}

std::optional<int64_t> opgraph::graph::parseKnobKey(StringRef text) {
  int64_t key = 0;
  if (std::optional<KnobType> type = symbolizeKnobType(text))
    key = static_cast<int64_t>(*type);
  else if (std::optional<int64_t> library = findLibraryKnob(text))
    key = *library;
  else if (text.getAsInteger(10, key))
    return std::nullopt;
  if (!isValidKnobKey(key))
    return std::nullopt;
  return key;
}

std::string PlanId::str() const {
  std::string text;
  raw_string_ostream os(text);
  os << name;
  if (engine)
    os << (name.empty() ? "" : ":") << *engine;
  if (version)
    os << ":v" << *version;
  if (hasKnobs || !knobs.empty()) {
    os << '[';
    interleave(
        knobs, os,
        [&](const Knob &knob) {
          os << knobKeyName(knob.key) << '=' << knob.value;
        },
        ",");
    os << ']';
  }
  if (!target.empty())
    os << '@' << target;
  return text;
}

bool PlanId::isSamePlan(const PlanId &other) const {
  return engine == other.engine && version == other.version &&
         knobs == other.knobs;
}

/// Parses `[k=v, ...]` without its brackets into `knobs`, sorted.
static bool parseKnobList(StringRef text, Knobs &knobs, std::string &error) {
  SmallVector<StringRef> parts;
  if (!text.trim().empty())
    text.split(parts, ',');
  for (StringRef part : parts) {
    auto [keyText, valueText] = part.split('=');
    std::optional<int64_t> key = parseKnobKey(keyText.trim());
    if (!key) {
      error = ("expected a knob type before '=', got '" + keyText.trim() + "'")
                  .str();
      return false;
    }
    int64_t value = 0;
    if (valueText.trim().getAsInteger(10, value)) {
      error = ("expected an integer value for knob '" + keyText.trim() +
               "', got '" + valueText.trim() + "'")
                  .str();
      return false;
    }
    knobs.push_back({*key, value});
  }
  llvm::sort(knobs);
  for (size_t i = 1; i < knobs.size(); ++i)
    if (knobs[i - 1].key == knobs[i].key) {
      error = "knob '" + knobKeyName(knobs[i].key) + "' is given twice";
      return false;
    }
  return true;
}

static bool isNameChar(char c) {
  return isAlnum(c) || c == '.' || c == '_' || c == '-';
}

/// Parses `name:id:vN` and its shorter forms into `id`.
static bool parseEngine(StringRef text, PlanId &id, std::string &error) {
  if (text.empty()) {
    error = "expected an engine's name or number";
    return false;
  }
  SmallVector<StringRef> parts;
  text.split(parts, ':');
  for (auto [index, part] : llvm::enumerate(parts)) {
    int64_t number = 0;
    if (!id.engine && !id.version && !part.getAsInteger(10, number) &&
        number >= 0) {
      id.engine = number;
      continue;
    }
    if (index > 0 && !id.version && part.starts_with("v") &&
        !part.drop_front().getAsInteger(10, number) && number >= 1) {
      id.version = number;
      continue;
    }
    if (index == 0 && !part.empty() && llvm::all_of(part, isNameChar)) {
      id.name = part.str();
      continue;
    }
    error = ("expected 'name:id:vN', got '" + text + "'").str();
    return false;
  }
  return true;
}

std::optional<PlanId> PlanId::parse(StringRef text, std::string &error) {
  PlanId id;
  text = text.trim();
  size_t bracket = text.find('[');
  size_t at = text.find('@');
  if (bracket != StringRef::npos && bracket < at) {
    size_t close = text.find(']', bracket);
    if (close == StringRef::npos) {
      error = ("expected ']' after the knobs of '" + text + "'").str();
      return std::nullopt;
    }
    if (!parseKnobList(text.slice(bracket + 1, close), id.knobs, error))
      return std::nullopt;
    id.hasKnobs = true;
    StringRef rest = text.drop_front(close + 1);
    if (!rest.empty() && !rest.starts_with("@")) {
      error = ("expected '@' or the end after ']', got '" + rest + "'").str();
      return std::nullopt;
    }
    at = rest.empty() ? StringRef::npos : close + 1;
    text = at == StringRef::npos ? text.take_front(close + 1) : text;
  }
  if (at != StringRef::npos) {
    id.target = text.drop_front(at + 1).str();
    if (id.target.empty()) {
      error = "expected a target after '@'";
      return std::nullopt;
    }
  }
  if (!parseEngine(text.take_front(std::min(bracket, at)), id, error))
    return std::nullopt;
  return id;
}
