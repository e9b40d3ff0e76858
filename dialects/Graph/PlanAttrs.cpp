//===- PlanAttrs.cpp - Syntax and checks of plan attributes ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/PlanAttrs.h"
#include "dialects/Graph/GraphDialect.h"

using namespace mlir;
using namespace opgraph::graph;

//===----------------------------------------------------------------------===//
// Lists
//===----------------------------------------------------------------------===//

/// Parses one `KEY = value`.
static ParseResult parseKnob(AsmParser &parser, SmallVector<Knob> &knobs) {
  SMLoc loc = parser.getCurrentLocation();
  std::string text;
  int64_t number = 0;
  OptionalParseResult integer = parser.parseOptionalInteger(number);
  if (integer.has_value()) {
    if (failed(*integer))
      return failure();
    text = std::to_string(number);
  } else if (parser.parseKeywordOrString(&text)) {
    return failure();
  }
  std::optional<int64_t> key = parseKnobKey(text);
  if (!key)
    return parser.emitError(loc)
           << "expected a knob type, got '" << text << "'";
  int64_t value = 0;
  if (parser.parseEqual() || parser.parseInteger(value))
    return failure();
  knobs.push_back({*key, value});
  return success();
}

ParseResult opgraph::graph::parseKnobs(AsmParser &parser,
                                       SmallVector<Knob> &knobs) {
  if (parser.parseCommaSeparatedList(
          AsmParser::Delimiter::Braces,
          [&] { return parseKnob(parser, knobs); }, " in knobs"))
    return failure();
  llvm::sort(knobs);
  return success();
}

void opgraph::graph::printKnobs(AsmPrinter &printer, ArrayRef<Knob> knobs) {
  printer << '{';
  llvm::interleaveComma(knobs, printer, [&](const Knob &knob) {
    printer << knobKeyName(knob.key) << " = " << knob.value;
  });
  printer << '}';
}

/// Parses `[NOTE, ...]`; `symbolize` maps a name to its enum value.
template <typename Note>
static ParseResult parseNotes(AsmParser &parser, SmallVector<Note> &notes,
                              std::optional<Note> (*symbolize)(StringRef),
                              StringRef kind) {
  auto parseNote = [&]() -> ParseResult {
    SMLoc loc = parser.getCurrentLocation();
    StringRef text;
    if (parser.parseKeyword(&text))
      return failure();
    std::optional<Note> note = symbolize(text);
    if (!note)
      return parser.emitError(loc)
             << "expected a " << kind << " note, got '" << text << "'";
    notes.push_back(*note);
    return success();
  };
  return parser.parseCommaSeparatedList(AsmParser::Delimiter::Square,
                                        parseNote);
}

ParseResult
opgraph::graph::parseBehaviorNotes(AsmParser &parser,
                                   SmallVector<BehaviorNote> &notes) {
  return parseNotes<BehaviorNote>(parser, notes, symbolizeBehaviorNote,
                                  "behavior");
}

void opgraph::graph::printBehaviorNotes(AsmPrinter &printer,
                                        ArrayRef<BehaviorNote> notes) {
  printer << '[';
  llvm::interleaveComma(notes, printer, [&](BehaviorNote note) {
    printer << stringifyBehaviorNote(note);
  });
  printer << ']';
}

ParseResult
opgraph::graph::parseNumericalNotes(AsmParser &parser,
                                    SmallVector<NumericalNote> &notes) {
  return parseNotes<NumericalNote>(parser, notes, symbolizeNumericalNote,
                                   "numerical");
}

void opgraph::graph::printNumericalNotes(AsmPrinter &printer,
                                         ArrayRef<NumericalNote> notes) {
  printer << '[';
  llvm::interleaveComma(notes, printer, [&](NumericalNote note) {
    printer << stringifyNumericalNote(note);
  });
  printer << ']';
}

//===----------------------------------------------------------------------===//
// PlanAttr
//===----------------------------------------------------------------------===//

LogicalResult
PlanAttr::verify(llvm::function_ref<InFlightDiagnostic()> emitError,
                 int64_t engine, StringRef name, int64_t version,
                 StringRef target, ArrayRef<Knob> knobs, HeurMode mode,
                 int64_t timeNs, int64_t workspace,
                 ArrayRef<BehaviorNote> behaviorNotes,
                 ArrayRef<NumericalNote> numericalNotes) {
  // C1
  if (engine < 0 || version < 1 || timeNs < 0 || workspace < -1)
    return emitError() << "expected engine >= 0, version >= 1, time_ns >= 0 "
                          "and workspace >= -1, got "
                       << engine << ", " << version << ", " << timeNs << " and "
                       << workspace;
  // C2
  for (auto [index, knob] : llvm::enumerate(knobs)) {
    if (!isValidKnobKey(knob.key))
      return emitError() << "expected a knob type, got " << knob.key;
    if (index > 0 && knobs[index - 1].key >= knob.key)
      return emitError() << "expected knob '" << knobKeyName(knob.key)
                         << "' once and after every lower key";
  }
  // C3
  if (name.empty() || target.empty())
    return emitError() << "expected a name and a target, got \"" << name
                       << "\" and \"" << target << "\"";
  return success();
}

PlanId PlanAttr::getId() const {
  PlanId id;
  id.name = getName().str();
  id.engine = getEngine();
  id.version = getVersion();
  id.knobs.assign(getKnobs().begin(), getKnobs().end());
  id.hasKnobs = !id.knobs.empty();
  id.target = getTarget().str();
  return id;
}

std::optional<int64_t> PlanAttr::getKnob(int64_t key) const {
  for (const Knob &knob : getKnobs())
    if (knob.key == key)
      return knob.value;
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// What planning leaves on a graph
//===----------------------------------------------------------------------===//

/// Whether `attr` is an array of `Element`.
template <typename Element>
static bool isListOf(Attribute attr) {
  auto list = dyn_cast<ArrayAttr>(attr);
  return list &&
         llvm::all_of(list, [](Attribute item) { return isa<Element>(item); });
}

LogicalResult opgraph::graph::verifyPlanningAttribute(Operation *op,
                                                      NamedAttribute attr) {
  StringRef name = attr.getName();
  if (!isa<GraphOp>(op))
    return op->emitOpError("attribute '") << name << "' belongs on a graph";
  auto expects = [&](bool holds, StringRef kind) -> LogicalResult {
    if (holds)
      return success();
    return op->emitOpError("expected attribute '")
           << name << "' to be " << kind << ", got " << attr.getValue();
  };
  Attribute value = attr.getValue();
  if (name == "graph.plans")
    return expects(isListOf<PlanAttr>(value), "a list of #graph.plan");
  if (name == "graph.declines")
    return expects(isListOf<DeclineAttr>(value), "a list of #graph.decline");
  if (name == "graph.family")
    return expects(isa<StringAttr>(value), "a string");
  if (name == "graph.facts")
    return expects(isa<DictionaryAttr>(value), "a dictionary");
  return op->emitOpError("unknown attribute '") << name << "'";
}
