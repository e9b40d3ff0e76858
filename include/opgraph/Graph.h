//===- opgraph/Graph.h - Building and compiling graphs ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_H
#define OPGRAPH_GRAPH_H

#include "opgraph-c/compiler.h"
#include "opgraph/OpCall.h"
#include "opgraph/Tensor.h"

#include <array>
#include <limits>
#include <memory>
#include <optional>

namespace opgraph {

/// A compiler; any number of threads may use one, each with own graphs.
class Compiler {
public:
  /// Makes a compiler; graphs keep it alive.
  static Result<Compiler> create() {
    og_compiler *compiler = nullptr;
    if (og_status status = og_compiler_create(&compiler))
      return Error::last(status);
    return Compiler(compiler);
  }
  /// The C handle; it stays this object's.
  og_compiler *get() const { return handle.get(); }

private:
  explicit Compiler(og_compiler *compiler)
      : handle(compiler, og_compiler_release) {}
  std::shared_ptr<og_compiler> handle;
};

#define OPGRAPH_GRAPH_TYPES
#include "opgraph/GraphMethods.h.inc"

/// Defaults of a graph.
struct GraphOptions {
  std::string name = "graph";
  /// Of inputs and outputs that declare none.
  DataType ioDataType = DataType::NotSet;
  /// Of values inside the graph; unset takes ioDataType.
  DataType intermediateDataType = DataType::NotSet;
  /// What operations compute in; unset means Float.
  DataType computeDataType = DataType::NotSet;
  /// Extents and strides may be overridden at a call.
  bool dynamic = false;
};

/// Options of planning and building.
struct BuildOptions {
  /// Of one execution, in bytes.
  std::optional<int64_t> maxWorkspace;
  /// Workers of one execution; 0 takes what the machine has.
  int32_t threads = 0;
  /// Code variants, comma-separated; empty for this machine's best.
  std::string variants;
  /// A plan that cannot be built is an error.
  bool noFallback = false;
};

/// One line of a plan list.
struct PlanInfo {
  int64_t engineId;
  std::string engineName;
  /// The plan's one spelling, which Graph::pin takes.
  std::string identity;
  /// Of one execution.
  int64_t predictedTimeNs;
  /// Bytes of one execution; -1 where it depends on extents.
  int64_t workspace;
  bool built;
};

/// A graph under construction. Belongs to one thread at a time.
class Graph {
public:
  explicit Graph(const Compiler &compiler, const GraphOptions &options = {})
      : state(std::make_unique<detail::GraphState>()) {
    og_graph_options c = {};
    c.struct_size = sizeof(c);
    c.name = options.name.c_str();
    c.io_dtype = static_cast<int32_t>(options.ioDataType);
    c.intermediate_dtype = static_cast<int32_t>(options.intermediateDataType);
    c.compute_dtype = static_cast<int32_t>(options.computeDataType);
    c.dynamic = options.dynamic;
    state->check(og_graph_create(compiler.get(), &c, &state->handle));
  }

  /// From .mlir text with exactly one graph: OG_PARSE_ERROR with line and
  /// column, or what Graph::validate says. The graph cannot be changed.
  static Result<Graph> parse(const Compiler &compiler,
                             const std::string &text) {
    Graph graph;
    if (og_status status =
            og_graph_parse(compiler.get(), text.data(), text.size(), nullptr,
                           &graph.state->handle))
      return Error::last(status);
    return graph;
  }
  /// The same from a file; also OG_IO_ERROR.
  static Result<Graph> parseFile(const Compiler &compiler,
                                 const std::string &path) {
    Graph graph;
    if (og_status status = og_graph_parse_file(compiler.get(), path.c_str(),
                                               nullptr, &graph.state->handle))
      return Error::last(status);
    return graph;
  }

  /// The C handle, null after a failed construction; it stays this object's.
  og_graph *get() const { return state->handle; }

  /// The first error of the calls so far; status OG_OK when there was none.
  const Error &error() const { return state->error; }

  /// An input; packed row-major unless strides are given.
  Tensor tensor(const std::vector<int64_t> &dims,
                DataType type = DataType::NotSet,
                const std::vector<int64_t> &strides = {}) {
    og_tensor_desc desc = {};
    desc.struct_size = sizeof(desc);
    desc.dtype = static_cast<int32_t>(type);
    og_tensor id = OG_NO_TENSOR;
    Tensor result;
    if (ready() && state->check(og_graph_tensor(get(), &desc, &id)))
      result = Tensor(state.get(), id).setDim(dims);
    return strides.empty() ? result : result.setStride(strides);
  }

  /// A number fixed at compile time.
  template <typename T>
  Tensor constant(T value, DataType type = DataType::NotSet) {
    return scalar(value, type, true);
  }
  /// A by-value input with a default.
  template <typename T>
  Tensor parameter(T value, DataType type = DataType::NotSet) {
    return scalar(value, type, false);
  }

  /// The tensor with this uid; not valid when there is none.
  Tensor find(int64_t uid) const {
    og_tensor id = OG_NO_TENSOR;
    if (get())
      og_graph_find_uid(get(), uid, &id);
    return Tensor(state.get(), id);
  }

  /// Opens a region of an operation (a score modifier of attention) and gives
  /// its arguments. Until endRegion, pointwise methods add to it; they may read
  /// any tensor made so far. Tensors inside are read nowhere else.
  std::vector<Tensor> beginRegion(size_t numArguments = 1) {
    std::vector<og_tensor> ids(numArguments, OG_NO_TENSOR);
    if (!ready() ||
        !state->check(og_graph_begin_region(get(), numArguments, ids.data())))
      ids.assign(numArguments, OG_NO_TENSOR);
    std::vector<Tensor> result;
    for (og_tensor id : ids)
      result.push_back(Tensor(state.get(), id));
    return result;
  }

  /// Ends the region with what it gives back; its number goes into the
  /// `region` of exactly one operation's options. 0 after an error.
  int32_t endRegion(const std::vector<Tensor> &results) {
    std::vector<og_tensor> ids;
    for (Tensor tensor : results)
      ids.push_back(tensor.get());
    int32_t region = 0;
    if (ready())
      state->check(og_graph_end_region(get(), ids.data(), ids.size(), &region));
    return region;
  }

  /// Drops the region that is open, or the last one while no operation has
  /// taken it, and everything done since it was begun, errors included.
  Result<void> abandonRegion() {
    og_status status = og_graph_abandon_region(get());
    if (status == OG_OK)
      state->error = Error();
    return Result<void>::of(status);
  }

  /// Checks the graph and fills in what was left unset.
  Result<void> validate() {
    if (!ready())
      return state->error;
    return Result<void>::of(og_graph_validate(get()));
  }

  /// The graph as .mlir text.
  Result<std::string> print() {
    if (!ready())
      return state->error;
    const char *text = nullptr;
    size_t size = 0;
    if (og_status status = og_graph_print(get(), &text, &size))
      return Error::last(status);
    return std::string(text, size);
  }

  /// Ranks every plan and freezes the graph.
  Result<std::vector<PlanInfo>> createPlans(const BuildOptions &options = {}) {
    if (!ready())
      return state->error;
    og_plan_options c = toC(options);
    if (og_status status = og_graph_create_plans(get(), &c))
      return Error::last(status);
    return plans();
  }

  /// Appends a plan by its spelling, for example "host.reference".
  Result<int64_t> pin(const std::string &identity,
                      const BuildOptions &options = {}) {
    if (!ready())
      return state->error;
    og_plan_options c = toC(options);
    int64_t index = -1;
    if (og_status status =
            og_graph_create_plan_named(get(), identity.c_str(), &c, &index))
      return Error::last(status);
    return index;
  }

  /// The plan list; empty before planning.
  std::vector<PlanInfo> plans() const {
    std::vector<PlanInfo> result;
    for (int64_t i = 0; i < og_graph_num_plans(get()); ++i) {
      og_plan_info info = {};
      info.struct_size = sizeof(info);
      if (og_graph_plan_info(get(), i, &info) == OG_OK)
        result.push_back({info.engine_id, info.engine_name, info.identity,
                          info.predicted_time_ns, info.workspace,
                          info.state == OG_PLAN_BUILT});
    }
    return result;
  }

  /// Plans where that has not happened, and builds the best plan that can be.
  Result<Plan> build(const BuildOptions &options = {}) {
    if (!ready())
      return state->error;
    if (!og_graph_is_frozen(get())) {
      og_plan_options c = toC(options);
      if (og_status status = og_graph_create_plans(get(), &c))
        return Error::last(status);
    }
    og_build_options c = toBuildOptions(options);
    if (og_status status = og_graph_build(get(), &c))
      return Error::last(status);
    return takePlan(-1);
  }

  /// Builds one entry of the plan list.
  Result<Plan> buildAt(int64_t index, const BuildOptions &options = {}) {
    if (!ready())
      return state->error;
    og_build_options c = toBuildOptions(options);
    if (og_status status = og_graph_build_at(get(), index, &c))
      return Error::last(status);
    return takePlan(index);
  }

  /// Each engine's verdict on the planned graph.
  Result<std::string> explain(og_explain_format format = OG_EXPLAIN_TEXT) {
    const char *text = nullptr;
    if (og_status status = og_graph_explain(get(), format, &text))
      return Error::last(status);
    return std::string(text);
  }

private:
  Graph() : state(std::make_unique<detail::GraphState>()) {}

  bool ready() const { return state->handle && state->error.status == OG_OK; }

  Result<Plan> takePlan(int64_t index) {
    og_plan *plan = nullptr;
    if (og_status status = og_graph_plan(get(), index, &plan))
      return Error::last(status);
    return Plan(plan);
  }

  static og_plan_options toC(const BuildOptions &options) {
    og_plan_options c = {};
    c.struct_size = sizeof(c);
    c.threads = options.threads;
    c.limit_workspace = options.maxWorkspace.has_value();
    c.max_workspace = options.maxWorkspace.value_or(0);
    return c;
  }
  static og_build_options toBuildOptions(const BuildOptions &options) {
    og_build_options c = {};
    c.struct_size = sizeof(c);
    c.variants = options.variants.empty() ? nullptr : options.variants.c_str();
    c.no_fallback = options.noFallback;
    return c;
  }

  using OpCall = detail::OpCall;

  template <typename T>
  Tensor scalar(T value, DataType type, bool constant) {
    og_value c = detail::toValue(value);
    og_tensor id = OG_NO_TENSOR;
    if (ready())
      state->check(og_graph_scalar(get(), &c, static_cast<int32_t>(type),
                                   constant, nullptr, &id));
    return Tensor(state.get(), id);
  }

  template <size_t N>
  std::array<Tensor, N> addOp(const OpCall &call) {
    std::array<Tensor, N> results;
    if (!ready())
      return results;
    og_op_desc desc = {};
    desc.struct_size = sizeof(desc);
    desc.op = call.op;
    desc.name = call.name.c_str();
    desc.operands = call.operands.data();
    desc.num_operands = call.operands.size();
    desc.attributes = call.attributes.data();
    desc.num_attributes = call.attributes.size();
    desc.outputs = call.outputs.data();
    desc.num_outputs = call.outputs.size();
    desc.region = call.region;
    std::array<og_tensor, N> ids;
    if (state->check(og_graph_op(get(), &desc, ids.data(), N)))
      for (size_t i = 0; i < N; ++i)
        results[i] = Tensor(state.get(), ids[i]);
    return results;
  }

  std::unique_ptr<detail::GraphState> state;

public:
#define OPGRAPH_GRAPH_METHODS
#include "opgraph/GraphMethods.h.inc"
};

} // namespace opgraph

#endif // OPGRAPH_GRAPH_H
