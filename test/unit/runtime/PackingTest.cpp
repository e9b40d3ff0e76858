//===- PackingTest.cpp - Block scales in tiles ----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/unit/runtime/TestPlans.h"

using namespace opgraph::test;

namespace {

TEST(Packing, ScalesGoToTheirBytesAndBack) {
  constexpr int64_t rows = 130, columns = 5;
  std::vector<uint8_t> scales(rows * columns);
  for (size_t i = 0; i < scales.size(); ++i)
    scales[i] = uint8_t(1 + i % 255);
  std::vector<uint8_t> tiles(2 * 2 * 512 + 1, 0xA5);
  ASSERT_EQ(og_pack_scales_128x4(scales.data(), rows, columns, columns, 1,
                                 tiles.data(), tiles.size()),
            OG_OK);
  EXPECT_EQ(tiles[0], scales[0]);
  EXPECT_EQ(tiles[3], scales[3]);
  // The second tile of columns, the second band of rows, the next tile of rows.
  EXPECT_EQ(tiles[512], scales[4]);
  EXPECT_EQ(tiles[4], scales[32 * columns]);
  EXPECT_EQ(tiles[16], scales[1 * columns]);
  EXPECT_EQ(tiles[2 * 512 + 16 + 2], scales[129 * columns + 2]);
  EXPECT_EQ(tiles[513], 0);
  EXPECT_EQ(tiles.back(), 0xA5);
  std::vector<uint8_t> back(columns * rows);
  // Transposed on the way back.
  ASSERT_EQ(og_unpack_scales_128x4(tiles.data(), tiles.size(), rows, columns, 1,
                                   rows, back.data()),
            OG_OK);
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t column = 0; column < columns; ++column)
      ASSERT_EQ(back[column * rows + row], scales[row * columns + column]);
}

TEST(Packing, RefusesWhatDoesNotFit) {
  uint8_t bytes[512] = {};
  EXPECT_EQ(og_pack_scales_128x4(nullptr, 0, 4, 4, 1, nullptr, 0), OG_OK);
  EXPECT_EQ(og_pack_scales_128x4(nullptr, INT64_MAX, 0, 4, 1, nullptr, 0),
            OG_OK);
  EXPECT_EQ(og_unpack_scales_128x4(nullptr, 0, INT64_MAX, 0, 4, 1, nullptr),
            OG_OK);
  expectStatus(og_pack_scales_128x4(bytes, 128, 4, 4, 1, bytes, 511),
               OG_INVALID_ARGUMENT, {"512 bytes", "128 by 4", "511"});
  expectStatus(og_pack_scales_128x4(bytes, -1, 4, 4, 1, bytes, 512),
               OG_INVALID_ARGUMENT, {"-1 and 4"});
  expectStatus(
      og_pack_scales_128x4(bytes, INT64_MAX, INT64_MAX, 4, 1, bytes, 512),
      OG_INVALID_ARGUMENT, {"too many"});
  expectStatus(og_pack_scales_128x4(bytes, 1, 1, 4, 1, nullptr, 512),
               OG_INVALID_ARGUMENT, {"the result is null"});
  expectStatus(og_unpack_scales_128x4(nullptr, 512, 1, 1, 4, 1, bytes),
               OG_INVALID_ARGUMENT, {"the source is null"});
}

} // namespace
