//===- WorkspaceLayout.cpp - Offsets of temporaries -----------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/Host/WorkspaceLayout.h"
#include "opgraph-c/host_abi.h"
#include "llvm/ADT/STLExtras.h"

using namespace mlir;
using namespace opgraph::codegen;

AffineExpr opgraph::codegen::alignToWorkspace(AffineExpr bytes,
                                              unsigned numSymbols) {
  int64_t unit = OG_WORKSPACE_ALIGNMENT;
  return simplifyAffineExpr(bytes.ceilDiv(unit) * unit, 0, numSymbols);
}

namespace {
/// A range of bytes taken by one buffer of constant size.
struct Placed {
  int64_t offset;
  int64_t bytes;
  const TemporaryBuffer *buffer;
};
} // namespace

static bool overlapInTime(const TemporaryBuffer &lhs,
                          const TemporaryBuffer &rhs) {
  return lhs.begin <= rhs.end && rhs.begin <= lhs.end;
}

/// The lowest offset with `bytes` free while `buffer` is in use. `placed` is
/// sorted by offset.
static int64_t findGap(ArrayRef<Placed> placed, const TemporaryBuffer &buffer,
                       int64_t bytes) {
  int64_t offset = 0;
  for (const Placed &other : placed) {
    if (!overlapInTime(buffer, *other.buffer))
      continue;
    if (other.offset >= offset + bytes)
      break;
    offset = std::max(offset, other.offset + other.bytes);
  }
  return offset;
}

/// Places the buffers of constant size; returns the bytes they take.
static int64_t placeConstant(ArrayRef<TemporaryBuffer *> buffers,
                             MLIRContext *context) {
  SmallVector<Placed> placed;
  int64_t total = 0;
  for (TemporaryBuffer *buffer : buffers) {
    int64_t bytes = cast<AffineConstantExpr>(buffer->bytes).getValue();
    int64_t offset = findGap(placed, *buffer, bytes);
    buffer->offset = getAffineConstantExpr(offset, context);
    total = std::max(total, offset + bytes);
    Placed entry{offset, bytes, buffer};
    placed.insert(llvm::upper_bound(placed, entry,
                                    [](const Placed &lhs, const Placed &rhs) {
                                      return lhs.offset < rhs.offset;
                                    }),
                  entry);
  }
  return total;
}

/// Places the buffers of symbolic size from `total` on; returns the new total.
static AffineExpr placeSymbolic(ArrayRef<TemporaryBuffer *> buffers,
                                AffineExpr total, unsigned numSymbols) {
  SmallVector<SmallVector<TemporaryBuffer *>> places;
  for (TemporaryBuffer *buffer : buffers) {
    auto fits = [&](ArrayRef<TemporaryBuffer *> place) {
      return place.front()->bytes == buffer->bytes &&
             llvm::none_of(place, [&](TemporaryBuffer *other) {
               return overlapInTime(*other, *buffer);
             });
    };
    auto place = llvm::find_if(places, fits);
    if (place != places.end()) {
      buffer->offset = place->front()->offset;
      place->push_back(buffer);
      continue;
    }
    buffer->offset = total;
    total = simplifyAffineExpr(total + buffer->bytes, 0, numSymbols);
    places.push_back({buffer});
  }
  return total;
}

AffineExpr
opgraph::codegen::layOut(llvm::MutableArrayRef<TemporaryBuffer> buffers,
                         unsigned numSymbols, MLIRContext *context) {
  SmallVector<TemporaryBuffer *> constant, symbolic;
  for (TemporaryBuffer &buffer : buffers) {
    buffer.bytes = alignToWorkspace(buffer.bytes, numSymbols);
    bool isConstant = isa<AffineConstantExpr>(buffer.bytes);
    (isConstant ? constant : symbolic).push_back(&buffer);
  }
  // Ties keep the order of the buffers, which lie in one array.
  auto byBegin = [](TemporaryBuffer *lhs, TemporaryBuffer *rhs) {
    return std::pair(lhs->begin, lhs) < std::pair(rhs->begin, rhs);
  };
  llvm::sort(constant, byBegin);
  llvm::sort(symbolic, byBegin);
  AffineExpr total =
      getAffineConstantExpr(placeConstant(constant, context), context);
  return placeSymbolic(symbolic, total, numSymbols);
}
