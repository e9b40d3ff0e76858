//===- CudnnOps.cpp - Verifiers of cudnn ----------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/CuDNN/CudnnDialect.h"
#include "llvm/ADT/DenseMap.h"
#include "llvm/ADT/DenseSet.h"
#include "llvm/Support/MathExtras.h"

using namespace mlir;
using namespace opgraph::cudnn;
using llvm::Twine;

#define GET_OP_CLASSES
#include "dialects/CuDNN/CudnnOps.cpp.inc"

int64_t opgraph::cudnn::wordsOf(int64_t type) {
  const TypeRow *row = findType(type);
  return row ? row->words : 1;
}

void DescriptorOp::build(OpBuilder &builder, OperationState &state, Kind kind,
                         ArrayRef<int64_t> records, ValueRange descriptors) {
  build(builder, state, DescriptorType::get(builder.getContext()),
        static_cast<int32_t>(kind), records, descriptors);
}

const KindRow *DescriptorOp::getRow() {
  return findKind(static_cast<int64_t>(getKind()));
}

SmallVector<RecordView> DescriptorOp::getRecordViews() {
  SmallVector<RecordView> views;
  ArrayRef<int64_t> rest = getRecords();
  while (rest.size() >= 3) {
    int64_t count = rest[2], words = wordsOf(rest[1]);
    ArrayRef<int64_t> behind = rest.drop_front(3);
    if (count < 0 || count > int64_t(behind.size()) / words)
      break;
    views.push_back({rest[0], rest[1], count,
                     behind.take_front(static_cast<size_t>(count * words))});
    rest = behind.drop_front(static_cast<size_t>(count * words));
  }
  return views;
}

std::optional<int64_t> DescriptorOp::getWord(Attr attr) {
  for (const RecordView &record : getRecordViews())
    if (record.attr == static_cast<int64_t>(attr) && !record.words.empty())
      return record.words.front();
  return std::nullopt;
}

//===----------------------------------------------------------------------===//
// One descriptor
//===----------------------------------------------------------------------===//

namespace {
/// Checks the records of one descriptor against the table.
class DescriptorChecks {
public:
  DescriptorChecks(DescriptorOp op, const KindRow &row) : op(op), row(row) {}

  LogicalResult run();

private:
  LogicalResult verifyRecord(const RecordView &record);
  LogicalResult verifyElement(const AttrRow &attr, const TypeRow &type,
                              int64_t word);
  LogicalResult verifyRequired();
  LogicalResult verifyTensor();
  const RecordView *find(Attr attr) const;
  InFlightDiagnostic error() {
    return op.emitOpError() << printedName(row) << ": ";
  }

  DescriptorOp op;
  const KindRow &row;
  SmallVector<RecordView> records;
  llvm::DenseSet<int64_t> seen;
};
} // namespace

LogicalResult DescriptorChecks::verifyElement(const AttrRow &attr,
                                              const TypeRow &type,
                                              int64_t word) {
  if (type.isEnum() && !valueSince(type, word))
    return error() << printedName(attr) << " is " << word << ", which "
                   << printedName(type) << " does not have (D3)";
  if (type.type == ValueType::BOOLEAN && word != 0 && word != 1)
    return error() << printedName(attr) << " must be true or false, got "
                   << word << " (D3)";
  if (type.type != ValueType::BACKEND_DESCRIPTOR)
    return success();
  if (word < 0 || word >= int64_t(op.getDescriptors().size()))
    return error() << printedName(attr) << " names operand " << word << " of "
                   << op.getDescriptors().size() << " (D3)";
  auto referent = op.getDescriptors()[word].getDefiningOp<DescriptorOp>();
  const KindRow *kind = referent ? referent.getRow() : nullptr;
  if (kind && !attr.takes(*kind))
    return error() << printedName(attr) << " cannot be a " << printedName(*kind)
                   << " (D3)";
  return success();
}

LogicalResult DescriptorChecks::verifyRecord(const RecordView &record) {
  const AttrRow *attr = findAttr(row.kind, record.attr);
  if (!attr || attr->most == 0)
    return error() << "has no attribute "
                   << (attr ? printedName(*attr) : std::to_string(record.attr))
                   << " (D2)";
  if (!seen.insert(record.attr).second)
    return error() << printedName(*attr) << " is set twice (D2)";
  const TypeRow *type = findType(record.type);
  if (!type || !attr->takes(type->type))
    return error() << printedName(*attr) << " cannot be of type "
                   << (type ? printedName(*type) : std::to_string(record.type))
                   << " (D2)";
  if (record.count < 1 || record.count > attr->most)
    return error() << printedName(*attr) << " has " << record.count
                   << " elements, expected 1 to " << attr->most << " (D2)";
  for (int64_t word : record.words)
    if (failed(verifyElement(*attr, *type, word)))
      return failure();
  return success();
}

LogicalResult DescriptorChecks::verifyRequired() {
  LogicalResult result = success();
  forEachAttr(row.kind, [&](const AttrRow &attr) {
    if (succeeded(result) && attr.least > 0 &&
        !seen.contains(static_cast<int64_t>(attr.attr)))
      result = error() << printedName(attr) << " is not set (D2)";
  });
  return result;
}

const RecordView *DescriptorChecks::find(Attr attr) const {
  auto found = llvm::find_if(records, [&](const RecordView &record) {
    return record.attr == static_cast<int64_t>(attr);
  });
  return found == records.end() ? nullptr : found;
}

LogicalResult DescriptorChecks::verifyTensor() {
  const RecordView *dims = find(Attr::TENSOR_DIMENSIONS);
  if (dims->count != find(Attr::TENSOR_STRIDES)->count)
    return error() << "has " << dims->count << " dimensions and "
                   << find(Attr::TENSOR_STRIDES)->count << " strides (D4)";
  for (int64_t extent : dims->words)
    if (extent < 1)
      return error() << "dimensions must be at least 1, got " << extent
                     << " (D4)";
  int64_t alignment = find(Attr::TENSOR_BYTE_ALIGNMENT)->words.front();
  if (alignment < 1 || !llvm::isPowerOf2_64(alignment))
    return error() << "byte_alignment must be a power of two, got " << alignment
                   << " (D4)";
  return success();
}

LogicalResult DescriptorChecks::run() {
  records = op.getRecordViews();
  size_t words = 0;
  for (const RecordView &record : records) {
    words += 3 + record.words.size();
    if (failed(verifyRecord(record)))
      return failure();
  }
  if (words != op.getRecords().size())
    return error() << "records are cut off (D2)";
  if (failed(verifyRequired()))
    return failure();
  return row.kind == Kind::TENSOR ? verifyTensor() : success();
}

LogicalResult DescriptorOp::verify() {
  const KindRow *row = getRow();
  if (!row)
    return emitOpError() << "there is no kind of descriptor "
                         << static_cast<int32_t>(getKind()) << " (D1)";
  if (row->role == Role::Library)
    return emitOpError() << "a program has no " << printedName(*row)
                         << ": the runtime makes it (D1)";
  return DescriptorChecks(*this, *row).run();
}

//===----------------------------------------------------------------------===//
// A graph
//===----------------------------------------------------------------------===//

/// Checks (G2).
static LogicalResult verifyUids(GraphOp graph) {
  llvm::DenseMap<int64_t, DescriptorOp> tensors;
  for (DescriptorOp op : graph.getBody().getOps<DescriptorOp>()) {
    if (static_cast<Kind>(op.getKind()) != Kind::TENSOR)
      continue;
    std::optional<int64_t> uid = op.getWord(Attr::TENSOR_UNIQUE_ID);
    if (!uid)
      continue;
    auto [known, isNew] = tensors.try_emplace(*uid, op);
    if (isNew)
      continue;
    InFlightDiagnostic diagnostic =
        op.emitOpError() << "unique_id " << *uid << " is another tensor's (G2)";
    diagnostic.attachNote(known->second.getLoc()) << "that tensor";
    return diagnostic;
  }
  return success();
}

LogicalResult GraphOp::verifyRegions() {
  Block &body = getBody().front();
  DescriptorOp last;
  llvm::DenseSet<Value> listed;
  for (Operation &op : body) {
    last = dyn_cast<DescriptorOp>(op);
    if (!last)
      return op.emitOpError() << "stands in a cudnn.graph, which has "
                                 "descriptors only";
    if (static_cast<Kind>(last.getKind()) == Kind::OPERATIONGRAPH) {
      if (&op != &body.back())
        return op.emitOpError() << "the operationgraph must come last (G1)";
      listed.insert_range(last.getDescriptors());
    }
  }
  if (listed.empty())
    return emitOpError() << "expected an operationgraph at the end (G1)";
  for (DescriptorOp op : body.getOps<DescriptorOp>()) {
    const KindRow *row = op.getRow();
    if (row && row->role == Role::Operation && !listed.contains(op.getResult()))
      return op.emitOpError() << printedName(*row)
                              << " is not on the list of the operationgraph "
                                 "(G1)";
  }
  return verifyUids(*this);
}
