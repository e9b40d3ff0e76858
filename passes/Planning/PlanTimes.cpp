//===- PlanTimes.cpp - Times of plans as measured on an H200 --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "passes/Planning/PlanTimes.h"
#include "passes/Planning/Manifest.h"
#include "passes/Planning/Target.h"
#include "passes/Planning/Work.h"
#include <cmath>

using namespace llvm;
using namespace opgraph;
using namespace opgraph::planning;

//===----------------------------------------------------------------------===//
// The tables
//===----------------------------------------------------------------------===//

namespace {
using Weights = std::array<float, PlanTimes::kFeatures>;
struct KindRow {
  StringLiteral name;
  Weights least, most, weights;
};
struct EngineRow {
  size_t kind;
  int64_t engine;
  Weights weights;
};
/// `setting` is "4[KERNEL_CFG=2]".
struct SettingRow {
  size_t kind;
  StringLiteral setting;
  float addend;
};
} // namespace

#define UNPACK(...) __VA_ARGS__
#define ENGINE(KIND, ID, WEIGHTS)
#define SETTING(KIND, NAME, ADDEND)
#define KIND(NAME, LEAST, MOST, WEIGHTS)                                       \
  {NAME, UNPACK LEAST, UNPACK MOST, UNPACK WEIGHTS},
static constexpr KindRow kKinds[] = {
#include "passes/Planning/Data/PlanTimes.inc"
};
#undef KIND
#undef ENGINE
#define KIND(NAME, LEAST, MOST, WEIGHTS)
#define ENGINE(KIND, ID, WEIGHTS) {KIND, ID, UNPACK WEIGHTS},
static constexpr EngineRow kEngines[] = {
#include "passes/Planning/Data/PlanTimes.inc"
};
#undef ENGINE
#undef SETTING
#define ENGINE(KIND, ID, WEIGHTS)
#define SETTING(KIND, NAME, ADDEND) {KIND, NAME, ADDEND},
static constexpr SettingRow kSettings[] = {
#include "passes/Planning/Data/PlanTimes.inc"
};
#undef KIND
#undef ENGINE
#undef SETTING
#undef UNPACK

//===----------------------------------------------------------------------===//
// A graph as the model sees it
//===----------------------------------------------------------------------===//

namespace {
/// A graph's main op, as b products of m x k by k x n.
struct Problem {
  std::string kind;
  double b = 1, m = 1, n = 1, k = 1;
};
} // namespace

static double extent(const GraphFacts &facts, unsigned value, size_t axis) {
  ArrayRef<int64_t> dims = facts.values[value].dims;
  return axis < dims.size() ? static_cast<double>(dims[axis]) : 1;
}

/// Elements of `value` but for its axis `axis`.
static double others(const GraphFacts &facts, unsigned value, size_t axis) {
  return static_cast<double>(facts.values[value].elements) /
         extent(facts, value, axis);
}

static std::optional<Problem> readConvolution(const GraphFacts &facts,
                                              const OpFacts &op) {
  unsigned second = op.operands[1], result = op.results[0];
  if (op.mnemonic == "conv_fprop")
    return Problem{op.mnemonic, 1, others(facts, result, 1),
                   extent(facts, result, 1), others(facts, second, 0)};
  if (op.mnemonic == "conv_dgrad")
    return Problem{op.mnemonic, 1, others(facts, result, 1),
                   extent(facts, result, 1), others(facts, second, 1)};
  return Problem{op.mnemonic, 1, extent(facts, result, 0),
                 others(facts, result, 0), others(facts, second, 1)};
}

/// A norm of m rows of n elements.
static std::optional<Problem> readNorm(const GraphFacts &facts,
                                       const OpFacts &op) {
  const ValueFacts &input = facts.values[op.operands[0]];
  const auto *scale = find_if(op.operands, [&](unsigned operand) {
    int64_t elements = facts.values[operand].elements;
    return elements > 1 && elements < input.elements;
  });
  if (scale == op.operands.end())
    return std::nullopt;
  bool isTraining = op.results.size() > 1 &&
                    (op.mnemonic == "layernorm" || op.mnemonic == "rmsnorm");
  auto n = static_cast<double>(facts.values[*scale].elements);
  return Problem{op.mnemonic + (isTraining ? "_train" : ""), 1,
                 static_cast<double>(input.elements) / n, n, 1};
}

static std::optional<Problem> readProblem(const GraphFacts &facts) {
  if (facts.isDynamic())
    return std::nullopt;
  for (const OpFacts &op : facts.ops) {
    StringRef name = op.mnemonic;
    if (name == "sdpa" && op.scores.size() == 4)
      return Problem{
          op.mnemonic, static_cast<double>(op.scores[0] * op.scores[1]),
          static_cast<double>(op.scores[2]), static_cast<double>(op.scores[3]),
          extent(facts, op.operands[0], 3)};
    if (name.starts_with("conv_") && op.operands.size() > 1)
      return readConvolution(facts, op);
    if (name.contains("norm") && !op.operands.empty())
      return readNorm(facts, op);
  }
  const auto *gemm = std::get_if<GemmFacts>(&facts.problem);
  if (!gemm || gemm->matmuls != 1)
    return std::nullopt;
  return Problem{"matmul", static_cast<double>(gemm->batch),
                 static_cast<double>(gemm->m), static_cast<double>(gemm->n),
                 static_cast<double>(gemm->k)};
}

// What fit_times.py has too.
static constexpr double kCallNs = 3000, kFlopsPerNs = 6e5, kBytesPerNs = 4100;
static constexpr double kUnits = 132, kTile = 128;

static double countTiles(const Problem &problem, double tile) {
  return problem.b * std::ceil(problem.m / tile) * std::ceil(problem.n / tile);
}

std::optional<PlanTimes> PlanTimes::at(const GraphFacts &facts,
                                       const Target &target) {
  if (target.arch != 90)
    return std::nullopt;
  std::optional<Problem> problem = readProblem(facts);
  if (!problem)
    return std::nullopt;
  const KindRow *row = find_if(
      kKinds, [&](const KindRow &row) { return row.name == problem->kind; });
  if (row == std::end(kKinds))
    return std::nullopt;
  PlanTimes times;
  times.kind = row - kKinds;
  times.rooflineNs =
      kCallNs + std::max(facts.totalWork().matrixFlops / kFlopsPerNs,
                         static_cast<double>(facts.portBytes()) / kBytesPerNs);
  double waves = std::log2(countTiles(*problem, kTile) / kUnits);
  double smallWaves = std::log2(countTiles(*problem, kTile / 2) / kUnits);
  double features[kFeatures] = {1,
                                std::log2(times.rooflineNs),
                                std::log2(problem->k),
                                std::max(waves, 0.0),
                                std::max(-waves, 0.0),
                                std::max(-smallWaves, 0.0),
                                std::log2(problem->m),
                                std::log2(problem->n)};
  for (size_t i = 0; i < kFeatures; ++i)
    times.features[i] = std::clamp(static_cast<float>(features[i]),
                                   row->least[i], row->most[i]);
  return times;
}

//===----------------------------------------------------------------------===//
// Predictions
//===----------------------------------------------------------------------===//

static double product(const Weights &weights,
                      const PlanTimes::Features &features) {
  double sum = 0;
  for (size_t i = 0; i < features.size(); ++i)
    sum += static_cast<double>(weights[i]) * features[i];
  return sum;
}

/// "4[KERNEL_CFG=2]".
static std::string printSetting(int64_t engine, ArrayRef<graph::Knob> knobs) {
  std::string text = std::to_string(engine);
  for (auto [index, knob] : enumerate(knobs))
    text += (index == 0 ? "[" : ",") + graph::knobKeyName(knob.key) + "=" +
            std::to_string(knob.value);
  return knobs.empty() ? text : text + "]";
}

/// What an engine adds. One that was not measured is no better than those that
/// were.
static double ofEngine(size_t kind, int64_t engine,
                       const PlanTimes::Features &features) {
  for (const EngineRow &row : kEngines)
    if (row.kind == kind && row.engine == engine)
      return product(row.weights, features);
  constexpr double kUnknown = 0.5;
  return kUnknown;
}

int64_t PlanTimes::toNs(double logarithm) const {
  constexpr double kLongest = 9e18;
  return static_cast<int64_t>(
      std::clamp(std::round(rooflineNs * std::exp2(logarithm)), 1.0, kLongest));
}

int64_t PlanTimes::predict(int64_t engine, ArrayRef<graph::Knob> knobs) const {
  double logarithm = product(kKinds[kind].weights, features) +
                     ofEngine(kind, engine, features);
  std::string setting = printSetting(engine, knobs);
  for (const SettingRow &row : kSettings)
    if (row.kind == kind && row.setting == setting) {
      logarithm += static_cast<double>(row.addend);
      break;
    }
  return toNs(logarithm);
}

bool PlanTimes::ranksSettings() const {
  return !kKinds[kind].name.starts_with("conv_");
}

bool PlanTimes::knows(int64_t engine) const {
  return any_of(kEngines, [&](const EngineRow &row) {
    return row.kind == kind && row.engine == engine;
  });
}

int64_t PlanTimes::leastOfLibrary() const {
  double least = ofEngine(kind, /*engine=*/-1, features);
  for (const EngineRow &row : kEngines)
    if (row.kind == kind && bandOf(row.engine) == IdBand::Cudnn)
      least = std::min(least, product(row.weights, features));
  for (const SettingRow &row : kSettings) {
    if (row.kind != kind)
      continue;
    int64_t engine = 0;
    row.setting.take_until([](char c) { return c == '['; })
        .getAsInteger(10, engine);
    if (bandOf(engine) == IdBand::Cudnn)
      least = std::min(least, ofEngine(kind, engine, features) +
                                  static_cast<double>(row.addend));
  }
  return toNs(product(kKinds[kind].weights, features) + least);
}
