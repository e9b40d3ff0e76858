//===- Filters.cpp - Barring plans of a list ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/Filters.h"
#include "passes/Planning/Facts.h"

using namespace llvm;
using namespace opgraph;
using namespace opgraph::planning;

static Decline barred(graph::PlanAttr plan, std::string constraint,
                      std::string limit, std::string actual) {
  Decline decline;
  decline.engine = plan.getEngine();
  decline.name = plan.getName().str();
  decline.constraint = std::move(constraint);
  decline.limit = std::move(limit);
  decline.actual = std::move(actual);
  decline.plan = plan.getId().str();
  return decline;
}

/// Checks one pair of note lists; `print` spells a note.
template <typename Note>
static std::optional<Decline>
filterNotes(graph::PlanAttr plan, ArrayRef<Note> notes,
            ArrayRef<Note> deselected, ArrayRef<Note> selected,
            StringRef (*print)(Note), StringRef kind) {
  for (Note note : deselected)
    if (is_contained(notes, note))
      return barred(plan, ("deselect_" + kind).str(),
                    ("without " + print(note)).str(), print(note).str());
  for (Note note : selected)
    if (!is_contained(notes, note))
      return barred(plan, ("select_" + kind).str(), print(note).str(),
                    ("without " + print(note)).str());
  return std::nullopt;
}

/// Whether `text` is `pattern`, whose '*' stand for any text.
static bool matches(StringRef pattern, StringRef text) {
  auto [first, rest] = pattern.split('*');
  if (first.size() == pattern.size())
    return pattern == text;
  if (!text.consume_front(first))
    return false;
  for (size_t skip = 0; skip <= text.size(); ++skip)
    if (matches(rest, text.drop_front(skip)))
      return true;
  return false;
}

static std::optional<Decline> applyRules(graph::PlanAttr plan, StringRef id,
                                         ArrayRef<PlanRule> rules) {
  const PlanRule *missed = nullptr;
  bool isAllowed = false;
  for (const PlanRule &rule : rules) {
    bool isMeant = matches(rule.pattern, id);
    if (isMeant && !rule.allows)
      return barred(plan, "deny list",
                    "none that " + rule.place + " denies: " + rule.pattern,
                    id.str());
    if (!rule.allows)
      continue;
    isAllowed |= isMeant;
    missed = &rule;
  }
  if (!missed || isAllowed)
    return std::nullopt;
  return barred(plan, "allow list",
                "one of those allowed, the last of them by " + missed->place +
                    ": " + missed->pattern,
                id.str());
}

bool opgraph::planning::parseRules(StringRef text, StringRef source,
                                   std::vector<PlanRule> &rules,
                                   std::string &error) {
  int64_t number = 0;
  while (!text.empty()) {
    StringRef line;
    std::tie(line, text) = text.split('\n');
    ++number;
    line = line.take_until([](char c) { return c == '#'; }).trim();
    if (line.empty())
      continue;
    std::string place = ("line " + Twine(number) + " of " + source).str();
    auto [verb, pattern] = line.split(' ');
    pattern = pattern.trim();
    if ((verb != "allow" && verb != "deny") || pattern.empty() ||
        pattern.contains(' ')) {
      error = place + ": expected 'allow PATTERN' or 'deny PATTERN', got '" +
              line.str() + "'";
      return false;
    }
    rules.push_back({verb == "allow", pattern.str(), std::move(place)});
  }
  return true;
}

/// A bound on memory.
static Decline barMemory(graph::PlanAttr plan, std::string constraint,
                         int64_t limit, std::string actual) {
  return barred(plan, std::move(constraint), std::to_string(limit),
                std::move(actual));
}

std::optional<Decline> opgraph::planning::applyFilters(graph::PlanAttr plan,
                                                       const Filters &filters,
                                                       int64_t sharedMemory) {
  std::string id = plan.getId().str();
  if (std::optional<Decline> decline = applyRules(plan, id, filters.rules))
    return decline;
  for (const std::string &text : filters.deselectEngines)
    if (StringRef(id).contains(text))
      return barred(plan, "deselect_engines", "a name without '" + text + "'",
                    id);
  if (auto decline = filterNotes<graph::BehaviorNote>(
          plan, plan.getBehaviorNotes(), filters.deselectBehavior,
          filters.selectBehavior, graph::stringifyBehaviorNote,
          "behavior_notes"))
    return decline;
  if (auto decline = filterNotes<graph::NumericalNote>(
          plan, plan.getNumericalNotes(), filters.deselectNumerical,
          filters.selectNumerical, graph::stringifyNumericalNote,
          "numeric_notes"))
    return decline;
  if (filters.maxSharedMemory && sharedMemory > *filters.maxSharedMemory)
    return barMemory(plan, "shared memory", *filters.maxSharedMemory,
                     std::to_string(sharedMemory));
  if (!filters.maxWorkspace)
    return std::nullopt;
  int64_t workspace = plan.getWorkspace();
  if (workspace >= 0 && workspace <= *filters.maxWorkspace)
    return std::nullopt;
  Decline decline = barMemory(plan, "workspace", *filters.maxWorkspace,
                              workspace < 0 ? "unknown until extents are"
                                            : std::to_string(workspace));
  decline.nearest = Change{ChangeKind::MaxWorkspace, -1, workspace};
  decline.nearestText = decline.nearest->str({});
  return decline;
}
