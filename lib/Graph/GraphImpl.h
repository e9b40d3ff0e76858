//===- GraphImpl.h - A graph under construction -----------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What an og_graph is: records of tensors and nodes as the user declared them,
// and, once validated, the graph.graph op that they became.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_LIB_GRAPH_GRAPHIMPL_H
#define OPGRAPH_LIB_GRAPH_GRAPHIMPL_H

#include "dialects/Graph/GraphDialect.h"
#include "lib/Compiler/ContextPool.h"
#include "lib/Graph/OpTable.h"
#include "mlir/IR/BuiltinOps.h"
#include "mlir/IR/MLIRContext.h"
#include "mlir/IR/OwningOpRef.h"
#include "opgraph-c/graph.h"
#include <deque>
#include <map>
#include <memory>
#include <set>

namespace opgraph::lib {

struct CompilerImpl;
class PlanState;

/// Default of a tensor's pointer alignment in bytes.
constexpr int64_t defaultAlignment = 16;

/// Extents, layout and element type, as far as they are known.
struct TensorSpec {
  int32_t dtype = OG_DTYPE_NOT_SET;
  std::optional<graph::Dims> dims;
  std::optional<graph::Dims> strides;
  std::optional<graph::Dims> order;
  /// Empty, or a name per axis ("" on static ones).
  std::vector<std::string> symbols;
};

/// A scalar: kind NONE, I64, F64 or BOOL.
struct ScalarValue {
  int32_t kind = OG_VALUE_NONE;
  int64_t i64 = 0;
  double f64 = 0;
};

struct TensorRecord {
  std::string name;
  /// What the user said; `resolved` is what validation made of it.
  TensorSpec declared;
  TensorSpec resolved;
  int64_t uid = 0;
  bool uidIsChosen = false;
  bool isVirtual = false;
  bool byValue = false;
  bool isConstant = false;
  ScalarValue value;
  int64_t alignment = defaultAlignment;
  int32_t reordering = 0;
  og_tensor raggedOffset = OG_NO_TENSOR;
  int64_t raggedMultiplier = 1;
  int32_t node = -1;
  /// The region that it is inside; 0 for none.
  int32_t region = 0;
  bool isUsed = false;
};

/// An attribute as the user gave it, with owned storage.
struct AttributeValue {
  const AttributeInfo *info = nullptr;
  int32_t kind = OG_VALUE_NONE;
  int64_t i64 = 0;
  double f64 = 0;
  std::string string;
  std::vector<int64_t> array;
};

struct NodeRecord {
  const OpInfo *op = nullptr;
  std::string name;
  /// (operand of the definition, tensor), in the definition's order.
  std::vector<std::pair<int, og_tensor>> operands;
  std::vector<AttributeValue> attributes;
  /// One per result of the definition.
  std::vector<og_tensor> results;
  /// The region that it is inside and the one that it owns; 0 for none.
  int32_t region = 0;
  int32_t ownedRegion = 0;
  std::string file;
  int32_t line = 0;
};

/// A region; the nodes inside name it.
struct RegionRecord {
  struct Snapshot;

  RegionRecord();
  RegionRecord(RegionRecord &&);
  RegionRecord &operator=(RegionRecord &&);
  ~RegionRecord();

  std::vector<og_tensor> arguments;
  /// Tensors of the graph that are read inside, in order of first use.
  std::vector<og_tensor> captures;
  std::vector<og_tensor> results;
  /// The node that took it; -1 for none.
  int32_t owner = -1;
  /// The graph before it; null in a graph from text.
  std::unique_ptr<Snapshot> snapshot;
};

/// The state behind the C handle. Fields are read freely within the library;
/// they change only through the C API's functions, which call beginChange.
class GraphImpl {
public:
  explicit GraphImpl(std::shared_ptr<CompilerImpl> compiler);
  ~GraphImpl();

  /// Fails when the graph cannot be changed any more; `what` names the call in
  /// the text. Otherwise forgets what validation found.
  og_status beginChange(const char *what);
  /// As beginChange, also checking that `tensor` is one of the graph's.
  og_status beginTensorChange(const char *what, og_tensor tensor);
  og_status checkTensor(og_tensor tensor) const;

  /// Appends a tensor with the lowest free uid.
  og_tensor addTensor(TensorRecord record);
  og_status chooseUid(og_tensor tensor, int64_t uid);

  /// og_graph_validate.
  og_status validate();
  /// "tensor 'x'" for messages.
  std::string describe(og_tensor tensor) const;
  /// "node 'x' (op)" for messages.
  static std::string describe(const NodeRecord &node);

  /// og_graph_begin_region and its companions.
  og_status beginRegion(size_t count, og_tensor *arguments);
  og_status endRegion(llvm::ArrayRef<og_tensor> results);
  og_status abandonRegion();
  /// Whether what is added now may read `tensor`; `what` names the reader.
  og_status checkReadable(const llvm::Twine &what, og_tensor tensor) const;
  /// Records that the open region reads `tensor`.
  void addCapture(og_tensor tensor);
  /// Whether some operation reads `tensor`, ragged offsets included.
  bool isRead(og_tensor tensor) const;

  std::shared_ptr<CompilerImpl> compiler;
  ContextLease context;

  std::string name = "graph";
  int32_t ioDtype = OG_DTYPE_NOT_SET;
  int32_t intermediateDtype = OG_DTYPE_NOT_SET;
  int32_t computeDtype = OG_DTYPE_NOT_SET;
  bool dynamic = false;

  std::vector<TensorRecord> tensors;
  std::vector<NodeRecord> nodes;
  /// Region r is entry r - 1; `openRegion` is 0 when none is open.
  std::vector<RegionRecord> regions;
  int32_t openRegion = 0;
  /// How many nodes of each operation there are, for automatic names.
  std::map<std::string, int> opCounts;

  /// From .mlir text: cannot be changed.
  bool isParsed = false;
  bool isValidated = false;
  bool isFrozen = false;
  mlir::OwningOpRef<mlir::ModuleOp> module;
  graph::GraphOp graphOp;

  /// The plan list; null before planning.
  std::unique_ptr<PlanState> plans;

  /// (stage, plan index or -1, nanoseconds) of work done so far.
  struct StageTime {
    std::string stage;
    int64_t plan;
    int64_t timeNs;
  };
  std::deque<StageTime> stages;

  /// Storage of the strings and arrays that getters return.
  std::string printedText;
  std::string explainText;
  std::vector<const char *> symbolPointers;

private:
  std::set<int64_t> takenUids;
  int64_t nextFreeUid();
};

/// The element type of `value` as a graph's scalar when the user gives none.
int32_t defaultScalarDtype(const og_value &value);

/// A node's operands as its op gets them: those given and the ragged offsets of
/// its tensors, in the definition's order.
struct NodeOperands {
  llvm::SmallVector<std::pair<int, og_tensor>, 8> operands;
  /// Of each ragged offset among them.
  llvm::SmallVector<int64_t> multipliers;
};
NodeOperands collectOperands(const GraphImpl &graph, const NodeRecord &node);

/// Fails when `node` reads or makes a ragged tensor on a port where its
/// operation has no operand for the offset.
og_status checkRaggedPorts(const GraphImpl &graph, const NodeRecord &node);

/// Copies a scalar of kind I64, F64, BOOL or NONE; `what` names it in errors.
og_status readScalar(const og_value *value, const llvm::Twine &what,
                     ScalarValue &out);

/// The attribute of `type` with this value, or null when it does not fit (an
/// integer out of range, a fraction for an integer type).
mlir::TypedAttr makeScalarAttr(mlir::Type type, const ScalarValue &value);

/// The scalar that a typed attribute holds.
ScalarValue readScalarAttr(mlir::Attribute attr);

/// Checks kind and domain of `value` for the attribute `info` and copies it.
og_status readAttribute(const AttributeInfo &info, const og_value &value,
                        const llvm::Twine &what, AttributeValue &out);

/// The attribute of the graph dialect with this value.
mlir::Attribute makeAttribute(mlir::MLIRContext *context,
                              const AttributeValue &value);

/// The name as a symbol that is also a C identifier.
std::string toSymbolName(llvm::StringRef label);

/// Fails with OG_PARSE_ERROR for text that MLIR's parser must not see: too
/// long, or nested deeper than OG_MAX_GRAPH_NESTING.
og_status checkTextLimits(llvm::StringRef text);

} // namespace opgraph::lib

/// The C handle.
struct og_graph : opgraph::lib::GraphImpl {
  using GraphImpl::GraphImpl;
};

#endif // OPGRAPH_LIB_GRAPH_GRAPHIMPL_H
