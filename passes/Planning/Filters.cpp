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

std::optional<Decline> opgraph::planning::applyFilters(graph::PlanAttr plan,
                                                       const Filters &filters) {
  std::string id = plan.getId().str();
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
  if (!filters.maxWorkspace)
    return std::nullopt;
  int64_t workspace = plan.getWorkspace();
  if (workspace >= 0 && workspace <= *filters.maxWorkspace)
    return std::nullopt;
  Decline decline = barred(
      plan, "workspace", std::to_string(*filters.maxWorkspace),
      workspace < 0 ? "unknown until extents are" : std::to_string(workspace));
  decline.nearest = Change{ChangeKind::MaxWorkspace, -1, workspace};
  decline.nearestText = decline.nearest->str({});
  return decline;
}
