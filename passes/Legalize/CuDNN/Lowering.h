//===- Lowering.h - What the lowerings of all ops share ---------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_LEGALIZE_CUDNN_LOWERING_H
#define OPGRAPH_PASSES_LEGALIZE_CUDNN_LOWERING_H

#include "dialects/CuDNN/Builder.h"
#include "passes/Legalize/CuDNN/CudnnLowering.h"
#include "passes/Legalize/CuDNN/Shapes.h"

namespace opgraph::legalize::cudnn_lowering {

/// The lengths, in memory, that bound a product; null for none.
struct MatmulBounds {
  mlir::Value m, n, k;
};

/// Lowers one graph. Descriptors are made when first asked for.
class Lowering {
public:
  Lowering(graph::GraphOp graph, int64_t version, cudnn::Builder &builder,
           CudnnRefusal &refusal);

  /// Lowers all ops of the graph.
  llvm::LogicalResult run();
  llvm::ArrayRef<mlir::Value> getOperations() const { return operations; }
  llvm::SmallVector<CudnnBinding> takeBindings();
  int64_t getScratchBytes() const { return scratchBytes; }

  // For the lowerings of ops.

  cudnn::Builder &builder() { return b; }
  int64_t getVersion() const { return version; }
  const AxisMap &getAxes() const { return axes; }
  /// Whether the graph is made of pointwise ops, reductions and norms. The
  /// library's own functions differ from ours at infinities and NaN; graphs
  /// around a matmul, a convolution or attention take them as they are.
  bool isStrict() const { return form != ShapeForm::Matrix && !hasAnchor; }

  /// Records why there is no lowering.
  llvm::LogicalResult refuse(llvm::StringRef constraint, llvm::StringRef limit,
                             const llvm::Twine &actual);
  /// Refuses libraries older than `least` (91300 for 9.13.0).
  llvm::LogicalResult require(int64_t least, llvm::StringRef what);

  /// The tensor descriptor of a value of the graph; null after refusing.
  mlir::Value tensor(mlir::Value value, TensorRole role = TensorRole::Value);
  /// The memory of `value`, an argument or a part of one, under another shape.
  mlir::Value alias(mlir::Value value, const TensorShape &shape);
  /// Makes the batches of `value`, which has no descriptor yet, start where the
  /// tensor `offsets` says.
  void setRagged(mlir::Value value, mlir::Value offsets) {
    raggedOffsets[value] = offsets;
  }
  mlir::Value getRagged(mlir::Value value) const {
    return raggedOffsets.lookup(value);
  }
  /// Whether `value` is memory of the caller's that is only read.
  bool isMemory(mlir::Value value);
  /// The shape that it has.
  const TensorShape &shape(mlir::Value value,
                           TensorRole role = TensorRole::Value) const;
  /// Whether descriptors of `value` may be made: it has a place among shapes.
  bool hasTensor(mlir::Value value, TensorRole role) const;
  /// Whether `value`, a result of an op, is an argument's memory.
  bool isView(mlir::Value value) const;

  /// A tensor of ours that lives inside of the library's kernels.
  mlir::Value temporary(const TensorShape &shape,
                        cudnn::DataType type = cudnn::DataType::FLOAT,
                        mlir::Value raggedOffset = {});
  /// A tensor in memory of the plan's own, packed row-major.
  mlir::Value scratch(llvm::ArrayRef<int64_t> dims, cudnn::DataType type,
                      int64_t elementBytes);
  /// The tensor of a result; memory of the plan's own where the graph does not
  /// return `result`.
  mlir::Value resultOrScratch(mlir::Value result);
  /// The same with X's shape but extent 1 on the graph's last axis.
  TensorShape reduceLast(const TensorShape &shape) const;
  /// A number, as a by-value tensor of `rank` axes.
  mlir::Value constant(double value, int64_t rank);
  mlir::Value constant(mlir::TypedAttr value, int64_t rank);

  /// The value of a graph.constant or of a one-element by-value argument whose
  /// number is fixed; nullopt for others.
  std::optional<double> findConstant(mlir::Value value) const;

  /// Whether the library is given the host's copy of `value`.
  bool isByValue(mlir::Value value);
  /// Whether matmuls of these read f32, which the library rounds to tf32.
  static bool isAnyF32(mlir::Value a, mlir::Value b);

  void add(mlir::Value operation) { operations.push_back(operation); }

  /// A pointwise operation of `mode`. `b` and `t` may be null.
  void pointwise(cudnn::PointwiseMode mode, mlir::Value x, mlir::Value y,
                 mlir::Value b = {}, mlir::Value t = {},
                 cudnn::DataType compute = cudnn::DataType::FLOAT);
  void reduce(cudnn::ReductionOperator mode, mlir::Value x, mlir::Value y,
              cudnn::DataType compute = cudnn::DataType::FLOAT);
  void matmul(mlir::Value a, mlir::Value b, mlir::Value c,
              cudnn::DataType compute = cudnn::DataType::FLOAT,
              const MatmulBounds &bounds = {});

  /// The library's compute type of an op: FLOAT, or INT32 where integers are
  /// allowed; refuses others.
  std::optional<cudnn::DataType> computeType(mlir::Operation *op,
                                             bool allowIntegers = false);

private:
  llvm::LogicalResult checkGraph();
  llvm::LogicalResult checkTypes();
  llvm::LogicalResult checkStrides();
  llvm::LogicalResult lower(mlir::Operation &op);
  mlir::Value makeTensor(mlir::Value value, const ValueMemory &memory,
                         bool isAlias);
  mlir::Value makeScalar(mlir::BlockArgument argument, int64_t rank);
  std::optional<cudnn::DataType> elementType(mlir::Value value);

  graph::GraphOp graph;
  int64_t version;
  cudnn::Builder &b;
  CudnnRefusal &refusal;
  ValueMemories memories;
  AxisMap axes;
  ShapeForm form = ShapeForm::Pointwise;
  bool hasAnchor = false;
  llvm::DenseSet<mlir::Value> views;
  llvm::DenseMap<TensorKey, mlir::Value> tensors;
  llvm::DenseMap<mlir::Value, mlir::Value> raggedOffsets;
  llvm::SmallVector<mlir::Value> operations;
  llvm::SmallVector<CudnnBinding> bindings;
  int64_t nextUid = 1;
  int64_t scratchBytes = 0;
};

// One function for each op family; each lowers one op.
llvm::LogicalResult lowerPointwise(Lowering &lowering,
                                   graph::PointwiseOpInterface op);
/// `op` of a region: between tensors that the caller makes.
llvm::LogicalResult lowerInside(Lowering &lowering,
                                graph::PointwiseOpInterface op,
                                llvm::ArrayRef<mlir::Value> tensors,
                                mlir::Value result);
llvm::LogicalResult lowerLayout(Lowering &lowering, mlir::Operation &op);
llvm::LogicalResult lowerConcatenate(Lowering &lowering,
                                     graph::ConcatenateOp op);
llvm::LogicalResult lowerMatmul(Lowering &lowering, graph::MatmulOp op);
llvm::LogicalResult lowerMatmulFp8(Lowering &lowering, graph::MatmulFp8Op op);
llvm::LogicalResult lowerReduction(Lowering &lowering, graph::ReductionOp op);
llvm::LogicalResult lowerSoftmax(Lowering &lowering, graph::SoftmaxOp op);
llvm::LogicalResult lowerConvolution(Lowering &lowering, mlir::Operation &op);
llvm::LogicalResult lowerNorm(Lowering &lowering, mlir::Operation &op);
llvm::LogicalResult lowerNormBackward(Lowering &lowering, mlir::Operation &op);
llvm::LogicalResult lowerBatchnormInference(Lowering &lowering,
                                            graph::BatchnormInferenceOp op);
llvm::LogicalResult lowerStatistics(Lowering &lowering, mlir::Operation &op);
llvm::LogicalResult lowerResample(Lowering &lowering, mlir::Operation &op);
llvm::LogicalResult lowerMoe(Lowering &lowering, graph::MoeGroupedMatmulOp op);
llvm::LogicalResult lowerMoeBackward(Lowering &lowering,
                                     graph::MoeGroupedMatmulBwdOp op);
llvm::LogicalResult lowerRope(Lowering &lowering, mlir::Operation &op);
llvm::LogicalResult lowerBlockScale(Lowering &lowering, mlir::Operation &op);
llvm::LogicalResult lowerSdpa(Lowering &lowering, mlir::Operation &op);
/// Whether the library's own operation is needed for attention op `op`.
bool isUnified(mlir::Operation &op);
llvm::LogicalResult lowerUnified(Lowering &lowering, graph::SdpaOp op);
llvm::LogicalResult lowerSdpaBackward(Lowering &lowering,
                                      graph::SdpaBackwardOp op);

/// Which axes of `graph` may be merged or moved.
ShapeForm chooseForm(graph::GraphOp graph);

} // namespace opgraph::legalize::cudnn_lowering

#endif // OPGRAPH_PASSES_LEGALIZE_CUDNN_LOWERING_H
