//===- Evaluate.h - arith and math over arrays ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_EVALUATE_H
#define OPGRAPH_CODEGEN_TILEINTERPRETER_EVALUATE_H

#include "codegen/TileInterpreter/Values.h"
#include "mlir/IR/Operation.h"

#include <functional>

namespace opgraph::tile::interp {

/// Computes results from operands, element by element; all have one extent.
using ArrayFunction =
    std::function<void(llvm::ArrayRef<const Numbers *> operands,
                       llvm::ArrayRef<Numbers *> results)>;

/// What an op of arith or math on scalars does to arrays; null where it is not
/// served.
ArrayFunction getArrayFunction(mlir::Operation *op);

/// The parts of the above.
ArrayFunction getFloatFunction(mlir::Operation *op);
ArrayFunction getIntegerFunction(mlir::Operation *op);
ArrayFunction getCastFunction(mlir::Operation *op);
ArrayFunction getMathFunction(mlir::Operation *op);

/// The value of an arith.constant; null for one that is no number.
NumbersPtr getConstant(mlir::Attribute value);

} // namespace opgraph::tile::interp

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_EVALUATE_H
