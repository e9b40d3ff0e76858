//===- RngOp.cpp - Inference of graph.rng ---------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Extents.h"
#include "dialects/Graph/GraphDialect.h"

using namespace mlir;
using namespace opgraph::graph;

static LogicalResult checkSeed(Inference &inference, Value value,
                               StringRef name) {
  // rng_c3
  if (failed(requireSingle(inference, {{name, value}})))
    return failure();
  // rng_c4
  return requireIndexType(inference, {{name, value}});
}

static LogicalResult checkDistribution(RngOp op, Inference &inference) {
  std::optional<llvm::APFloat> probability = op.getProbability();
  // rng_c5
  if (op.getDistribution() == RngDistribution::BERNOULLI) {
    if (!probability)
      return inference.error(ErrorKind::AttributeNotSet)
             << "expected 'probability' to be set for distribution "
                "'bernoulli', got none";
    double value = probability->convertToDouble();
    if (!(value >= 0 && value <= 1))
      return inference.error(ErrorKind::InvalidValue)
             << "expected 'probability' to be from 0 to 1, got " << value;
    return success();
  }
  StringRef name = stringifyRngDistribution(op.getDistribution());
  if (probability)
    return inference.error(ErrorKind::InvalidValue)
           << "expected 'probability' only for distribution 'bernoulli', got "
              "it for '"
           << name << "'";
  // rng_c6
  Type element = inference.result(0).elementType;
  if (element && !isa<FloatType>(element))
    return inference.error(ErrorKind::NotSupported)
           << "expected 'Y' to be floating point for distribution '" << name
           << "', got " << element;
  return success();
}

LogicalResult RngOp::inferResults(Inference &inference) {
  // rng_c1
  if (failed(inference.requireDims(0)))
    return failure();
  // rng_c2
  if (static_cast<bool>(getSeed()) == getSeedValue().has_value())
    return inference.error(ErrorKind::AttributeNotSet)
           << "expected exactly one of 'Seed' and 'seed_value', got "
           << (getSeed() ? "both" : "none");
  if (failed(checkSeed(inference, getSeed(), "Seed")) ||
      failed(checkSeed(inference, getOffset(), "Offset")) ||
      failed(checkDistribution(*this, inference)))
    return failure();
  inference.setPacked(0, rowMajorOrder(inference.result(0).dims->size()));
  return success();
}
