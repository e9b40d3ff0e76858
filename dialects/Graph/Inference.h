//===- Inference.h - Filling and checking an op's results -------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The protocol between a graph op and whoever wants its results: the builder,
// which has declared some fields and wants the rest, and the verifier, which
// has all of them and wants them compared.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_GRAPH_INFERENCE_H
#define OPGRAPH_DIALECTS_GRAPH_INFERENCE_H

#include "dialects/Graph/Layout.h"
#include "mlir/IR/Diagnostics.h"
#include "mlir/IR/Operation.h"

namespace opgraph::graph {

/// The compute types that a pointwise function is defined for.
enum class PointwiseDomain {
  /// f16, bf16, f32, f64.
  Float,
  /// Float, and i32, i64.
  Number,
  /// Number, and i1: the op compares, chooses or copies.
  Any,
};

/// What kind of mistake an error is; decides the exception a user sees
/// (reference/op_surface.md, section 9.1).
enum class ErrorKind {
  /// A required attribute, operand, extent or stride is missing. ValueError.
  AttributeNotSet,
  /// Extents do not fit together. ValueError.
  ShapeDeduction,
  /// A value is outside its domain. RuntimeError.
  InvalidValue,
  /// Well-formed, but no definition covers it. NotSupported.
  NotSupported,
};

/// A result as far as it is known: unset fields are filled by inference.
struct ResultSpec {
  /// False where the op's attributes say that this result does not exist.
  bool present = true;
  /// A virtual result stays inside the graph.
  bool isVirtual = true;
  std::optional<Dims> dims;
  /// Same length as dims once those are set; null on static axes.
  Symbols symbols;
  /// Explicit strides, or a packed memory order (slowest axis first); at most
  /// one is set by a user, exactly one after inference.
  std::optional<Dims> strides;
  std::optional<Dims> order;
  /// Null while unset.
  mlir::Type elementType;
  /// As the user declared it; NONE otherwise.
  Reordering reordering = Reordering{};
};

/// One run of an op's inference.
class Inference {
public:
  /// For the builder: `results` holds what the user declared, one entry per
  /// ODS result of `op`, absent ones with `present` false.
  Inference(mlir::Operation *op, llvm::MutableArrayRef<ResultSpec> results)
      : op(op), results(results) {}

  mlir::Operation *getOp() const { return op; }
  ResultSpec &result(unsigned odsIndex) { return results[odsIndex]; }

  /// Starts an error about the op ("'graph.add' op ...") and records its kind.
  mlir::InFlightDiagnostic error(ErrorKind kind);
  /// The kind of the first error, if any was reported.
  std::optional<ErrorKind> getErrorKind() const { return errorKind; }

  /// Sets the extents of result `index`, or compares them with the declared
  /// ones: a mismatch is a ShapeDeduction error naming both. `symbols` may be
  /// empty for all-static extents.
  llvm::LogicalResult setDims(unsigned index, llvm::ArrayRef<int64_t> dims,
                              llvm::ArrayRef<mlir::StringAttr> symbols = {});
  /// Fails with AttributeNotSet naming the result unless its dims are declared
  /// (reshape, reduction, ...).
  llvm::LogicalResult requireDims(unsigned index);

  /// Sets the layout of result `index` unless the user did. Dims come first.
  void setStrides(unsigned index, llvm::ArrayRef<int64_t> strides);
  void setPacked(unsigned index, llvm::ArrayRef<int64_t> order);
  /// Packed in the memory order of `like` (rank must agree).
  void setLike(unsigned index, mlir::RankedTensorType like);
  /// Exactly the layout of `like`, which has the result's extents; packed in
  /// its memory order where that layout cannot be a result's (elements share an
  /// address, or a virtual result would have a stride that nothing binds).
  void setLayoutOf(unsigned index, mlir::RankedTensorType like);

  /// Sets the element type of result `index` unless the user did. The graph's
  /// default (intermediate type for virtual results, io type otherwise) is
  /// applied by the caller to results that inference leaves without a type.
  void setElementType(unsigned index, mlir::Type type);

  /// The port name of ODS result `index` for messages: 'Stats'.
  std::string getResultName(unsigned index);

private:
  mlir::Operation *op;
  llvm::MutableArrayRef<ResultSpec> results;
  std::optional<ErrorKind> errorKind;
};

/// The type a complete spec stands for.
mlir::RankedTensorType makeType(mlir::MLIRContext *context,
                                const ResultSpec &spec);

/// The spec that `type` declares completely.
ResultSpec makeSpec(mlir::RankedTensorType type);

/// Whether `op`, a GraphOpInterface, has a value for `name`, an optional or
/// variadic operand of its ODS.
bool hasOperand(mlir::Operation *op, llvm::StringRef name);

namespace detail {
/// Verifier of GraphOpInterface: runs inferResults against the op's types.
llvm::LogicalResult verifyGraphOp(mlir::Operation *op);
/// The compute type of the graph around `op`; f32 where none is set.
mlir::Type getGraphComputeType(mlir::Operation *op);
/// `inferResults` and `getEffectiveComputeType` of every pointwise op.
llvm::LogicalResult inferPointwise(mlir::Operation *op, Inference &inference);
mlir::Type getPointwiseComputeType(mlir::Operation *op,
                                   std::optional<mlir::Type> declared);
} // namespace detail

/// Right-aligned broadcast of the operands' extents, shared by pointwise ops
/// and by the operands of others that broadcast: an axis must match or be 1,
/// and a symbol only matches itself.
llvm::LogicalResult inferBroadcast(Inference &inference,
                                   mlir::ValueRange operands, Dims &dims,
                                   Symbols &symbols);

/// "4x?(M)x8" for messages.
std::string printDims(llvm::ArrayRef<int64_t> dims,
                      llvm::ArrayRef<mlir::StringAttr> symbols = {});

} // namespace opgraph::graph

#endif // OPGRAPH_DIALECTS_GRAPH_INFERENCE_H
