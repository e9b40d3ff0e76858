//===- TileParts.cpp - Registers of one tile found in another -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/TileParts.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::codegen;

Parts opgraph::codegen::getParts(tile::RegType type) {
  auto distribution = tile::Distribution::get(type, nullptr);
  assert(succeeded(distribution) && "a verified tile fits its distribution");
  Parts parts(distribution->registersPerThread(), {0, 0});
  for (unsigned axis : {0u, 1u}) {
    int64_t weight = 1;
    for (const tile::Factor &factor :
         llvm::reverse(distribution->factors(axis))) {
      if (factor.owner == tile::Owner::Register)
        for (auto [index, part] : llvm::enumerate(parts))
          part[axis] += static_cast<int32_t>(int64_t(index) / factor.stride %
                                             factor.extent * weight);
      weight *= factor.extent;
    }
  }
  return parts;
}

static llvm::DenseMap<std::pair<int32_t, int32_t>, int32_t>
getIndex(const Parts &parts) {
  llvm::DenseMap<std::pair<int32_t, int32_t>, int32_t> index;
  for (auto [number, part] : llvm::enumerate(parts))
    index.try_emplace({part[0], part[1]}, static_cast<int32_t>(number));
  return index;
}

SmallVector<int32_t> opgraph::codegen::getSources(tile::RegType from,
                                                  tile::RegType to) {
  auto index = getIndex(getParts(from));
  // How many elements of `to` one of `from` is for.
  std::array<int64_t, 2> blocks = {to.getRows() / from.getRows(),
                                   to.getCols() / from.getCols()};
  SmallVector<int32_t> sources;
  for (const std::array<int32_t, 2> &part : getParts(to)) {
    auto found = index.find({static_cast<int32_t>(part[0] / blocks[0]),
                             static_cast<int32_t>(part[1] / blocks[1])});
    assert(found != index.end() && "a verified input broadcasts");
    sources.push_back(found->second);
  }
  return sources;
}

SmallVector<int32_t> opgraph::codegen::getSlice(tile::RegType whole,
                                                tile::RegType part, int64_t row,
                                                int64_t col) {
  auto index = getIndex(getParts(whole));
  SmallVector<int32_t> sources;
  for (const std::array<int32_t, 2> &place : getParts(part)) {
    auto found = index.find({static_cast<int32_t>(place[0] + row),
                             static_cast<int32_t>(place[1] + col)});
    assert(found != index.end() && "a verified part stays in its registers");
    sources.push_back(found->second);
  }
  return sources;
}
