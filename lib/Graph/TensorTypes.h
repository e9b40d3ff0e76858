//===- TensorTypes.h - Between declarations and tensor types ----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_GRAPH_TENSORTYPES_H
#define OPGRAPH_LIB_GRAPH_TENSORTYPES_H

#include "lib/Graph/GraphImpl.h"

namespace opgraph::lib {

/// Rules of one declaration: ranks agree, symbols only on dynamic axes, the
/// span in bytes fits in 63 bits. `what` names the tensor in errors.
og_status checkSpec(const TensorSpec &spec, const llvm::Twine &what);

/// The type of an input: packed row-major where no layout is declared, of
/// `defaultType` where no dtype is.
og_status makeTensorType(mlir::MLIRContext *context, const TensorRecord &record,
                         og_tensor tensor, const llvm::Twine &what,
                         mlir::Type defaultType, mlir::RankedTensorType &type);

/// The type of a result after inference, or why it cannot exist.
og_status makeResultType(mlir::MLIRContext *context,
                         const graph::ResultSpec &spec,
                         const TensorRecord &record, const llvm::Twine &what,
                         mlir::RankedTensorType &type);

/// Copies what the user declared of a result.
void declareSpec(mlir::MLIRContext *context, const TensorRecord &record,
                 og_tensor tensor, graph::ResultSpec &spec);

/// What `type` says, with explicit strides.
TensorSpec resolveSpec(mlir::RankedTensorType type);

} // namespace opgraph::lib

#endif // OPGRAPH_LIB_GRAPH_TENSORTYPES_H
