//===- Builder.cpp - Makes cudnn.graph ops --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/CuDNN/Builder.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/TypeSwitch.h"
#include "llvm/ADT/bit.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::cudnn;

std::optional<DataType> opgraph::cudnn::dataTypeOf(mlir::Type element) {
  if (auto integer = dyn_cast<IntegerType>(element)) {
    switch (integer.getWidth()) {
    case 1:
      return DataType::BOOLEAN;
    case 4:
      return DataType::INT4;
    case 8:
      return integer.isUnsigned() ? DataType::UINT8 : DataType::INT8;
    case 32:
      return DataType::INT32;
    case 64:
      return DataType::INT64;
    default:
      return std::nullopt;
    }
  }
  using Result = std::optional<DataType>;
  return llvm::TypeSwitch<mlir::Type, Result>(element)
      .Case([](Float16Type) -> Result { return DataType::HALF; })
      .Case([](BFloat16Type) -> Result { return DataType::BFLOAT16; })
      .Case([](Float32Type) -> Result { return DataType::FLOAT; })
      .Case([](Float64Type) -> Result { return DataType::DOUBLE; })
      .Case([](Float8E4M3FNType) -> Result { return DataType::FP8_E4M3; })
      .Case([](Float8E5M2Type) -> Result { return DataType::FP8_E5M2; })
      .Case([](Float8E8M0FNUType) -> Result { return DataType::FP8_E8M0; })
      .Case([](Float4E2M1FNType) -> Result { return DataType::FP4_E2M1; })
      .Default([](mlir::Type) -> Result { return std::nullopt; });
}

//===----------------------------------------------------------------------===//
// One descriptor
//===----------------------------------------------------------------------===//

/// The attribute's type; its second one where that, and not the first, is one
/// of `wanted`.
static ValueType chooseType(Kind kind, Attr attr, ArrayRef<ValueType> wanted) {
  const AttrRow *row = findAttr(kind, static_cast<int64_t>(attr));
  if (!row)
    return ValueType::NONE;
  if (!llvm::is_contained(wanted, row->type) &&
      llvm::is_contained(wanted, row->other))
    return row->other;
  return row->type;
}

void DescriptorBuilder::addRecord(Attr attr, ValueType type,
                                  ArrayRef<int64_t> words) {
  auto number = static_cast<int64_t>(type);
  records.append({static_cast<int64_t>(attr), number,
                  static_cast<int64_t>(words.size()) / wordsOf(number)});
  llvm::append_range(records, words);
}

DescriptorBuilder &DescriptorBuilder::set(Attr attr, ArrayRef<int64_t> values) {
  ValueType type = chooseType(kind, attr, {ValueType::INT64});
  addRecord(attr, type, values);
  return *this;
}

DescriptorBuilder &DescriptorBuilder::set(Attr attr, double value) {
  ValueType type = chooseType(kind, attr, {ValueType::DOUBLE});
  int64_t word = type == ValueType::DOUBLE
                     ? llvm::bit_cast<int64_t>(value)
                     : llvm::bit_cast<uint32_t>(static_cast<float>(value));
  addRecord(attr, type, word);
  return *this;
}

DescriptorBuilder &DescriptorBuilder::set(Attr attr, ValueRange values) {
  ValueType type = chooseType(kind, attr, {ValueType::BACKEND_DESCRIPTOR});
  SmallVector<int64_t> words;
  for (Value value : values) {
    words.push_back(static_cast<int64_t>(descriptors.size()));
    descriptors.push_back(value);
  }
  addRecord(attr, type, words);
  return *this;
}

Value DescriptorBuilder::finish() {
  return DescriptorOp::create(builder.inner, builder.loc, kind, records,
                              descriptors);
}

//===----------------------------------------------------------------------===//
// A graph
//===----------------------------------------------------------------------===//

cudnn::Builder::Builder(OpBuilder &builder, Location loc, StringRef symbol)
    : inner(builder.getContext()), loc(loc) {
  graph = GraphOp::create(builder, loc, symbol);
  inner.setInsertionPointToStart(&graph.getBody().emplaceBlock());
}

Value cudnn::Builder::tensor(const TensorSpec &spec) {
  DescriptorBuilder tensor = descriptor(Kind::TENSOR);
  tensor.set(Attr::TENSOR_UNIQUE_ID, spec.uid)
      .set(Attr::TENSOR_DATA_TYPE, spec.type)
      .set(Attr::TENSOR_DIMENSIONS, ArrayRef<int64_t>(spec.dims))
      .set(Attr::TENSOR_STRIDES, ArrayRef<int64_t>(spec.strides))
      .set(Attr::TENSOR_BYTE_ALIGNMENT, spec.alignment);
  if (spec.isVirtual)
    tensor.set(Attr::TENSOR_IS_VIRTUAL, true);
  if (spec.isByValue)
    tensor.set(Attr::TENSOR_IS_BY_VALUE, true);
  if (spec.reordering != TensorReordering::NONE)
    tensor.set(Attr::TENSOR_REORDERING_MODE, spec.reordering);
  tensor.setIf(Attr::TENSOR_RAGGED_OFFSET_DESC, spec.raggedOffset);
  return tensor.finish();
}

GraphOp cudnn::Builder::finish(ValueRange operations) {
  descriptor(Kind::OPERATIONGRAPH)
      .set(Attr::OPERATIONGRAPH_OPS, operations)
      .finish();
  return graph;
}
