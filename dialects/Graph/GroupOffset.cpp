//===- GroupOffset.cpp - Rows cut into groups -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/Graph/GroupOffset.h"

using namespace mlir;
using namespace opgraph::graph;

std::optional<int64_t> opgraph::graph::countOffsets(RankedTensorType type) {
  int64_t count = 1;
  bool isFound = false;
  for (int64_t extent : type.getShape()) {
    if (extent == 1)
      continue;
    if (isFound || ShapedType::isDynamic(extent))
      return std::nullopt;
    isFound = true;
    count = extent;
  }
  return count;
}

std::optional<int64_t> opgraph::graph::getOffsetAxis(RankedTensorType type) {
  for (auto [axis, extent] : llvm::enumerate(type.getShape()))
    if (extent != 1)
      return axis;
  if (type.getRank() == 0)
    return std::nullopt;
  return type.getRank() - 1;
}

FailureOr<int64_t> opgraph::graph::checkGroupOffset(Inference &inference,
                                                    Value offsets) {
  // reduction_c5, block_scale_quantize_c10
  if (failed(requireIndexType(inference, {{"GROUP_OFFSET", offsets}})))
    return failure();
  std::optional<int64_t> count = countOffsets(typeOf(offsets));
  if (count && *count > 0)
    return *count - 1;
  return inference.error(ErrorKind::ShapeDeduction)
         << "expected 'GROUP_OFFSET' to have elements along one axis, a known "
            "number of at least 1, got "
         << printExtents(getExtents(offsets));
}

std::optional<ExpertGroups>
opgraph::graph::getExpertGroups(RankedTensorType offsets, int64_t experts) {
  std::optional<int64_t> count = countOffsets(offsets);
  if (!count)
    return std::nullopt;
  if (*count > 1 && (*count - 1) % experts == 0)
    return ExpertGroups{*count - 1, /*hasEnd=*/true};
  // A multiple of 1 is always one more than another: no starts of one expert.
  if (experts > 1 && *count > 0 && *count % experts == 0)
    return ExpertGroups{*count, /*hasEnd=*/false};
  return std::nullopt;
}
