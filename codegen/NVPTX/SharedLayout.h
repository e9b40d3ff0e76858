//===- SharedLayout.h - Bytes of shared tiles and rings ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_NVPTX_SHAREDLAYOUT_H
#define OPGRAPH_CODEGEN_NVPTX_SHAREDLAYOUT_H

#include "dialects/Tile/SharedLayout.h"

namespace opgraph::codegen {

using tile::getElementBytes;
using tile::getMatrixBytes;
using tile::getPlaneBytes;
using tile::getRingLayout;
using tile::getRowBytes;
using tile::getSharedAlignment;
using tile::getSharedBytes;
using tile::getSwizzleSpan;
using tile::RingLayout;

} // namespace opgraph::codegen

#endif // OPGRAPH_CODEGEN_NVPTX_SHAREDLAYOUT_H
