//===- ConvLoops.cpp - The judge's convolutions ---------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "mlir/Dialect/Arith/IR/Arith.h"
#include "passes/Legalize/Host/Reference/Loops.h"

using namespace mlir;
using namespace opgraph::graph;
using namespace opgraph::legalize;

using Indices = LoopEmitter::Indices;
using Predicate = arith::CmpIPredicate;

namespace {
/// The loops of the three convolutions: each element of a result is a sum of
/// products of the two others of image, filter and output.
class ConvEmitter {
public:
  template <typename OpTy>
  ConvEmitter(LoopEmitter &e, OpTy op, Value image, Value filter, Value output)
      : e(e), image(image), filter(filter), output(output),
        prePadding(op.getPrePadding()), stride(op.getStride()),
        dilation(op.getDilation()),
        isFlipped(op.getConvolutionMode() == ConvolutionMode::CONVOLUTION),
        computeType(op.getEffectiveComputeType()), zero(e.zero(computeType)) {
    int64_t channels = LoopEmitter::typeOf(image).getDimSize(1);
    int64_t own = LoopEmitter::typeOf(filter).getDimSize(1);
    // Symbolic channels are one group.
    if (channels != own)
      groups = channels / own;
    int64_t all = LoopEmitter::typeOf(filter).getDimSize(0);
    outputsPerGroup = groups == 1 ? e.extent(filter, 0) : e.index(all / groups);
    imagesPerGroup = e.extent(filter, 1);
  }

  void emitOutput();
  void emitImage();
  void emitFilter();

private:
  Value subtract(Value a, Value b) { return e.make<arith::SubIOp>(a, b); }
  Value multiply(Value a, int64_t factor) {
    return e.multiply(a, e.index(factor));
  }
  Value both(Value a, Value b) { return a ? e.make<arith::AndIOp>(a, b) : b; }
  /// Member `number` of `group`, each of `size`.
  Value member(Value group, Value size, Value number) {
    return e.add(e.multiply(group, size), number);
  }
  /// The group that channel `channel` belongs to.
  Value groupOf(Value channel, Value size) {
    return groups == 1 ? e.index(0) : e.make<arith::DivUIOp>(channel, size);
  }
  Indices spatialExtents(Value value) {
    Indices extents = e.extents(value);
    extents.erase(extents.begin(), extents.begin() + 2);
    return extents;
  }
  /// Where the filter's entry of `tap` lies.
  Value entryOf(Value tap, int64_t axis) {
    if (!isFlipped)
      return tap;
    return subtract(subtract(e.extent(filter, axis + 2), e.index(1)), tap);
  }
  Value isBelow(Value position, Value bound) {
    return e.make<arith::AndIOp>(
        e.make<arith::CmpIOp>(Predicate::sge, position, e.index(0)),
        e.make<arith::CmpIOp>(Predicate::slt, position, bound));
  }

  /// `sum` plus the product of elements of the three tensors' two operands.
  Value accumulate(Value sum, Value a, ValueRange atA, Value b,
                   ValueRange atB) {
    Value x = e.load(a, atA, computeType), y = e.load(b, atB, computeType);
    return e.add(sum, e.multiply(x, y));
  }
  /// Appends what `tap` of the window at `window` reads of the image, and
  /// returns whether that is inside of it.
  Value appendRead(ValueRange window, ValueRange tap, Indices &position);
  /// Appends the window whose `tap` reads `position` of the image, and returns
  /// whether there is one.
  Value appendWindow(ValueRange position, ValueRange tap, Indices &window);
  void appendEntry(ValueRange tap, Indices &entry) {
    for (auto [axis, value] : llvm::enumerate(tap))
      entry.push_back(entryOf(value, axis));
  }
  void store(Value sum, Value result, ValueRange indices) {
    e.store(e.wrap(sum, computeType), result, indices);
  }

  LoopEmitter &e;
  Value image, filter, output;
  ArrayRef<int64_t> prePadding, stride, dilation;
  bool isFlipped;
  Type computeType;
  Value zero;
  int64_t groups = 1;
  Value outputsPerGroup, imagesPerGroup;
};
} // namespace

Value ConvEmitter::appendRead(ValueRange window, ValueRange tap,
                              Indices &position) {
  Value isInside;
  for (auto [axis, start, offset] : llvm::enumerate(window, tap)) {
    Value reached =
        e.add(multiply(start, stride[axis]), multiply(offset, dilation[axis]));
    Value at = subtract(reached, e.index(prePadding[axis]));
    position.push_back(at);
    isInside = both(isInside, isBelow(at, e.extent(image, axis + 2)));
  }
  return isInside;
}

Value ConvEmitter::appendWindow(ValueRange position, ValueRange tap,
                                Indices &window) {
  Value exists;
  for (auto [axis, at, offset] : llvm::enumerate(position, tap)) {
    Value start = subtract(e.add(at, e.index(prePadding[axis])),
                           multiply(offset, dilation[axis]));
    Value step = e.index(stride[axis]);
    Value number = e.make<arith::DivSIOp>(start, step);
    Value rest = e.make<arith::RemSIOp>(start, step);
    window.push_back(number);
    exists = both(exists, isBelow(start, multiply(e.extent(output, axis + 2),
                                                  stride[axis])));
    exists =
        both(exists, e.make<arith::CmpIOp>(Predicate::eq, rest, e.index(0)));
  }
  return exists;
}

/// conv_fprop.
void ConvEmitter::emitOutput() {
  Indices bounds = {imagesPerGroup};
  bounds.append(spatialExtents(filter));
  e.forEach(e.extents(output), [&](ValueRange at) {
    Value group = groupOf(at[1], outputsPerGroup);
    Value sum = e.reduce(bounds, zero, [&](ValueRange inner, Value partial) {
      Indices read = {at[0], member(group, imagesPerGroup, inner[0])};
      Indices entry = {at[1], inner[0]};
      Value isInside = appendRead(at.drop_front(2), inner.drop_front(), read);
      appendEntry(inner.drop_front(), entry);
      return e.choose(
          isInside,
          [&] { return accumulate(partial, image, read, filter, entry); },
          partial);
    });
    store(sum, output, at);
  });
}

/// conv_dgrad.
void ConvEmitter::emitImage() {
  Indices bounds = {outputsPerGroup};
  bounds.append(spatialExtents(filter));
  e.forEach(e.extents(image), [&](ValueRange at) {
    Value group = groupOf(at[1], imagesPerGroup);
    Value channel = subtract(at[1], member(group, imagesPerGroup, e.index(0)));
    Value sum = e.reduce(bounds, zero, [&](ValueRange inner, Value partial) {
      Value feature = member(group, outputsPerGroup, inner[0]);
      Indices window = {at[0], feature}, entry = {feature, channel};
      Value exists = appendWindow(at.drop_front(2), inner.drop_front(), window);
      appendEntry(inner.drop_front(), entry);
      return e.choose(
          exists,
          [&] { return accumulate(partial, output, window, filter, entry); },
          partial);
    });
    store(sum, image, at);
  });
}

/// conv_wgrad.
void ConvEmitter::emitFilter() {
  Indices bounds = {e.extent(output, 0)};
  bounds.append(spatialExtents(output));
  e.forEach(e.extents(filter), [&](ValueRange at) {
    Value group = groupOf(at[0], outputsPerGroup);
    // Flipping twice is not flipping: an entry's tap is its entry's entry.
    Indices tap;
    appendEntry(at.drop_front(2), tap);
    Value sum = e.reduce(bounds, zero, [&](ValueRange inner, Value partial) {
      Indices read = {inner[0], member(group, imagesPerGroup, at[1])};
      Indices window = {inner[0], at[0]};
      Value isInside = appendRead(inner.drop_front(), tap, read);
      window.append(inner.begin() + 1, inner.end());
      return e.choose(
          isInside,
          [&] { return accumulate(partial, output, window, image, read); },
          partial);
    });
    store(sum, filter, at);
  });
}

void opgraph::legalize::emitLoops(LoopEmitter &e, ConvFpropOp op) {
  ConvEmitter(e, op, op.getImage(), op.getWeight(), op.getY()).emitOutput();
}

void opgraph::legalize::emitLoops(LoopEmitter &e, ConvDgradOp op) {
  ConvEmitter(e, op, op.getDX(), op.getFilter(), op.getLoss()).emitImage();
}

void opgraph::legalize::emitLoops(LoopEmitter &e, ConvWgradOp op) {
  ConvEmitter(e, op, op.getImage(), op.getDW(), op.getLoss()).emitFilter();
}
