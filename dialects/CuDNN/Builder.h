//===- Builder.h - Makes cudnn.graph ops ------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_CUDNN_BUILDER_H
#define OPGRAPH_DIALECTS_CUDNN_BUILDER_H

#include "dialects/CuDNN/CudnnDialect.h"
#include "llvm/ADT/SmallVector.h"
#include <type_traits>

namespace opgraph::cudnn {

/// A tensor of an operation graph.
struct TensorSpec {
  int64_t uid = 0;
  DataType type = DataType::FLOAT;
  llvm::SmallVector<int64_t> dims;
  llvm::SmallVector<int64_t> strides;
  /// Bytes; a multiple of an element's.
  int64_t alignment = 16;
  /// Not in memory: from one operation to another.
  bool isVirtual = false;
  /// A scalar in host memory.
  bool isByValue = false;
  TensorReordering reordering = TensorReordering::NONE;
  /// Null for none.
  mlir::Value raggedOffset;
};

/// The library's number of an element type; nullopt where it has none.
std::optional<DataType> dataTypeOf(mlir::Type element);

class Builder;

/// Collects the attributes of one descriptor. The type of each is the table's;
/// where it has two, that which fits the value.
class DescriptorBuilder {
public:
  DescriptorBuilder &set(Attr attr, llvm::ArrayRef<int64_t> values);
  DescriptorBuilder &set(Attr attr, double value);
  DescriptorBuilder &set(Attr attr, mlir::ValueRange descriptors);
  /// An integer, boolean or enumerator.
  template <typename T, typename = std::enable_if_t<std::is_integral_v<T> ||
                                                    std::is_enum_v<T>>>
  DescriptorBuilder &set(Attr attr, T value) {
    int64_t word = static_cast<int64_t>(value);
    return set(attr, llvm::ArrayRef<int64_t>(word));
  }
  DescriptorBuilder &set(Attr attr, mlir::Value descriptor) {
    return set(attr, mlir::ValueRange(descriptor));
  }
  /// Nothing where the value is null.
  DescriptorBuilder &setIf(Attr attr, mlir::Value descriptor) {
    return descriptor ? set(attr, descriptor) : *this;
  }

  /// Adds the descriptor to the graph.
  mlir::Value finish();

private:
  friend class Builder;
  DescriptorBuilder(Builder &builder, Kind kind)
      : builder(builder), kind(kind) {}
  void addRecord(Attr attr, ValueType type, llvm::ArrayRef<int64_t> words);

  Builder &builder;
  Kind kind;
  llvm::SmallVector<int64_t> records;
  llvm::SmallVector<mlir::Value> descriptors;
};

/// Makes one cudnn.graph where `builder` stands.
class Builder {
public:
  Builder(mlir::OpBuilder &builder, mlir::Location loc, llvm::StringRef symbol);

  mlir::Value tensor(const TensorSpec &spec);
  DescriptorBuilder descriptor(Kind kind) { return {*this, kind}; }
  /// Adds the operation graph of `operations`.
  GraphOp finish(mlir::ValueRange operations);

private:
  friend class DescriptorBuilder;
  mlir::OpBuilder inner;
  mlir::Location loc;
  GraphOp graph;
};

} // namespace opgraph::cudnn

#endif // OPGRAPH_DIALECTS_CUDNN_BUILDER_H
