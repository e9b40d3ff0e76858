//===- CudnnService.cpp - cuDNN for planning and building -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Compiler/CudnnService.h"
#include "dialects/CuDNN/CudnnDialect.h"
#include "dialects/Graph/LibraryKnobs.h"
#include "lib/Support/CApi.h"
#include "mlir/IR/Builders.h"
#include "opgraph-c/cudnn.h"
#include "opgraph-c/runtime.h"
#include "passes/Planning/Target.h"
#include <chrono>
#include <utility>

using namespace mlir;
using namespace opgraph;
using namespace opgraph::lib;
using llvm::Twine;

//===----------------------------------------------------------------------===//
// Devices and graphs
//===----------------------------------------------------------------------===//

/// Names of the machine's devices as targets, by ordinal; asked for once.
static const std::vector<std::string> &getDeviceNames() {
  static const std::vector<std::string> *names = [] {
    auto *found = new std::vector<std::string>;
    int32_t count = 0;
    if (og_cuda_device_count(&count) != OG_OK)
      return found;
    for (int32_t ordinal = 0; ordinal < count; ++ordinal) {
      std::string text(1024, 0), error;
      size_t length = 0;
      std::optional<planning::Target> target;
      if (og_cuda_describe(ordinal, text.data(), text.size(), &length) == OG_OK)
        target = planning::Target::fromJson(StringRef(text).take_front(length),
                                            error);
      found->push_back(target ? target->name : "");
    }
    return found;
  }();
  return *names;
}

/// The first device of this machine that is `target`; -1 for none.
static int32_t findDevice(const planning::Target &target) {
  const std::vector<std::string> &names = getDeviceNames();
  auto found = llvm::find(names, target.name);
  return found == names.end() ? -1 : int32_t(found - names.begin());
}

namespace {
struct GraphDeleter {
  void operator()(og_cudnn_graph *graph) const {
    og_cudnn_graph_destroy(graph);
  }
};
using CudnnGraph = std::unique_ptr<og_cudnn_graph, GraphDeleter>;
} // namespace

static thread_local int64_t libraryTime = 0;

namespace {
/// Adds the time of its own life to what the library took.
class LibraryTimer {
public:
  ~LibraryTimer() {
    libraryTime +=
        std::chrono::nanoseconds(std::chrono::steady_clock::now() - start)
            .count();
  }

private:
  std::chrono::steady_clock::time_point start =
      std::chrono::steady_clock::now();
};
} // namespace

int64_t opgraph::lib::takeLibraryTime() {
  return std::exchange(libraryTime, 0);
}

/// Gives `program` to the library, for a device or a description of one.
static og_status openGraph(const cudnn::Program &program, int32_t ordinal,
                           const char *json, CudnnGraph &out) {
  static_assert(sizeof(cudnn::Record) == sizeof(og_cudnn_record));
  og_cudnn_program view = {};
  view.struct_size = sizeof(view);
  view.kinds = program.kinds.data();
  view.num_kinds = program.kinds.size();
  view.records =
      reinterpret_cast<const og_cudnn_record *>(program.records.data());
  view.num_records = program.records.size();
  view.words = program.words.data();
  view.num_words = program.words.size();
  og_cudnn_graph *graph = nullptr;
  OG_TRY(og_cudnn_graph_create(&view, ordinal, json, &graph));
  out.reset(graph);
  return OG_OK;
}

//===----------------------------------------------------------------------===//
// Planning
//===----------------------------------------------------------------------===//

/// Notes are numbered from one on here.
template <typename Note>
static void convertNotes(const int32_t *notes, size_t count,
                         SmallVectorImpl<Note> &out,
                         std::optional<Note> (*find)(uint32_t)) {
  for (size_t i = 0; i < count; ++i)
    if (std::optional<Note> note = find(static_cast<uint32_t>(notes[i]) + 1))
      out.push_back(*note);
}

/// False where a knob has no number of ours.
static bool convertConfig(const og_cudnn_config &source,
                          planning::CudnnConfig &out) {
  out.engine = source.engine;
  out.workspace = source.workspace;
  out.sharedMemory = source.shared_memory;
  for (size_t i = 0; i < source.num_knobs; ++i) {
    std::optional<int64_t> key = graph::fromLibraryKnob(source.knobs[i].type);
    if (!key)
      return false;
    out.knobs.push_back({*key, source.knobs[i].value});
  }
  llvm::sort(out.knobs, [](const graph::Knob &a, const graph::Knob &b) {
    return a.key < b.key;
  });
  convertNotes<graph::BehaviorNote>(
      source.behavior_notes, source.num_behavior_notes, out.behaviorNotes,
      graph::symbolizeBehaviorNote);
  convertNotes<graph::NumericalNote>(
      source.numerical_notes, source.num_numerical_notes, out.numericalNotes,
      graph::symbolizeNumericalNote);
  return true;
}

/// The library's number of a heuristic.
static int32_t libraryMode(graph::HeurMode mode) {
  switch (mode) {
  case graph::HeurMode::B:
    return 1;
  case graph::HeurMode::FALLBACK:
    return 2;
  default:
    return 3;
  }
}

namespace {
/// A graph that the library holds.
class Query : public planning::CudnnQuery {
public:
  explicit Query(CudnnGraph graph) : graph(std::move(graph)) {}

  int64_t engineCount() override;
  bool configs(graph::HeurMode mode,
               SmallVectorImpl<planning::CudnnConfig> &configs,
               std::string &error) override;
  planning::CudnnEngine engine(int64_t index) override;
  og_status config(int64_t engine, ArrayRef<graph::Knob> knobs,
                   planning::CudnnConfig &config, std::string &error) override;

private:
  CudnnGraph graph;
};

/// The library of this process, opened by the first question.
class Library : public planning::CudnnLibrary {
public:
  int64_t version() const override { return getState().number; }
  std::string unavailable() const override { return getState().reason; }
  std::unique_ptr<planning::CudnnQuery> open(const cudnn::Program &program,
                                             const planning::Target &target,
                                             std::string &error) const override;

private:
  struct State {
    int32_t number = 0;
    std::string reason;
  };
  static const State &getState();
};
} // namespace

int64_t Query::engineCount() {
  int64_t count = 0;
  return og_cudnn_graph_num_engines(graph.get(), &count) == OG_OK ? count : 0;
}

bool Query::configs(graph::HeurMode mode,
                    SmallVectorImpl<planning::CudnnConfig> &configs,
                    std::string &error) {
  LibraryTimer timer;
  size_t count = 0;
  if (og_cudnn_graph_query(graph.get(), libraryMode(mode), &count) != OG_OK) {
    error = og_last_error();
    return false;
  }
  for (size_t i = 0; i < count; ++i) {
    og_cudnn_config source = {};
    source.struct_size = sizeof(source);
    planning::CudnnConfig config;
    if (og_cudnn_graph_config(graph.get(), i, &source) == OG_OK &&
        convertConfig(source, config))
      configs.push_back(std::move(config));
  }
  return true;
}

planning::CudnnEngine Query::engine(int64_t index) {
  planning::CudnnEngine engine;
  engine.index = index;
  og_cudnn_engine_info info = {};
  info.struct_size = sizeof(info);
  if (og_cudnn_graph_engine(graph.get(), index, &info) != OG_OK) {
    engine.reason = og_last_error();
    return engine;
  }
  engine.usable = true;
  for (size_t i = 0; i < info.num_knobs; ++i)
    if (std::optional<int64_t> key = graph::fromLibraryKnob(info.knobs[i].type))
      engine.knobs.push_back({*key, info.knobs[i].minimum,
                              info.knobs[i].maximum, info.knobs[i].stride});
  llvm::sort(engine.knobs,
             [](const planning::CudnnKnob &a, const planning::CudnnKnob &b) {
               return a.type < b.type;
             });
  return engine;
}

og_status Query::config(int64_t engine, ArrayRef<graph::Knob> knobs,
                        planning::CudnnConfig &config, std::string &error) {
  SmallVector<og_knob> library;
  for (const graph::Knob &knob : knobs) {
    std::optional<int64_t> type = graph::toLibraryKnob(knob.key);
    if (!type) {
      error = "cuDNN has no knob " + graph::knobKeyName(knob.key);
      return OG_NOT_FOUND;
    }
    library.push_back({*type, knob.value});
  }
  og_cudnn_config source = {};
  source.struct_size = sizeof(source);
  og_status status = og_cudnn_graph_choose(graph.get(), engine, library.data(),
                                           library.size(), &source);
  if (status == OG_OK && convertConfig(source, config))
    return OG_OK;
  error = og_last_error();
  return status ? status : OG_UNSUPPORTED;
}

const Library::State &Library::getState() {
  static const State state = [] {
    LibraryTimer timer;
    State found;
    if (og_cudnn_version(&found.number) != OG_OK)
      found = {0, og_last_error()};
    return found;
  }();
  return state;
}

std::unique_ptr<planning::CudnnQuery>
Library::open(const cudnn::Program &program, const planning::Target &target,
              std::string &error) const {
  int32_t ordinal = findDevice(target);
  if (ordinal < 0 && target.json.empty()) {
    error = "there is no description of " + target.name;
    return nullptr;
  }
  LibraryTimer timer;
  CudnnGraph graph;
  if (openGraph(program, ordinal, target.json.c_str(), graph) != OG_OK) {
    error = og_last_error();
    return nullptr;
  }
  return std::make_unique<Query>(std::move(graph));
}

const planning::CudnnLibrary &opgraph::lib::getCudnnLibrary() {
  static const Library *library = new Library;
  return *library;
}

//===----------------------------------------------------------------------===//
// Building
//===----------------------------------------------------------------------===//

static void addNote(plan::ProgramOp program, const Twine &text) {
  Builder builder(program.getContext());
  SmallVector<Attribute> notes;
  if (ArrayAttr own = program.getNotesAttr())
    llvm::append_range(notes, own);
  notes.push_back(builder.getStringAttr(text));
  program.setNotesAttr(builder.getArrayAttr(notes));
}

/// Makes the shared workspace at least `bytes` long.
static void growWorkspace(plan::ProgramOp program, int64_t bytes) {
  MLIRContext *context = program.getContext();
  auto constantMap = [&](int64_t value) {
    return AffineMap::get(0, 0, getAffineConstantExpr(value, context));
  };
  plan::WorkspaceAttr workspace = program.getWorkspaceAttr();
  int64_t shared = 0;
  if (workspace)
    if (auto constant = dyn_cast<AffineConstantExpr>(
            workspace.getSharedSize().getResult(0)))
      shared = constant.getValue();
  shared = std::max(shared, static_cast<int64_t>(llvm::alignTo(bytes, 64)));
  program.setWorkspaceAttr(plan::WorkspaceAttr::get(
      context, constantMap(shared),
      workspace ? workspace.getPrivateSize() : constantMap(0),
      workspace ? workspace.getMaxWorkers() : 1));
}

/// Finalises the plan of one step on a device.
static og_status finishStep(plan::CudnnExecuteOp op, int32_t ordinal) {
  auto graph = SymbolTable::lookupNearestSymbolFrom<cudnn::GraphOp>(
      op->getParentOp(), op.getGraphAttr());
  if (!graph)
    return fail(OG_INTERNAL, "there is no cudnn.graph @" + op.getGraph());
  SmallVector<og_knob> knobs;
  ArrayRef<int64_t> numbers = op.getKnobs();
  for (size_t i = 0; i + 1 < numbers.size(); i += 2)
    knobs.push_back({numbers[i], numbers[i + 1]});
  CudnnGraph opened;
  OG_TRY(openGraph(cudnn::toProgram(graph), ordinal, nullptr, opened));
  og_cudnn_plan plan = {};
  plan.struct_size = sizeof(plan);
  OG_TRY(og_cudnn_graph_build(opened.get(),
                              static_cast<int64_t>(op.getConfig()),
                              knobs.data(), knobs.size(), &plan));
  op.setSerialized(StringRef(plan.serialized, plan.serialized_length));
  op.setLibrary(plan.version);
  op.setBytes(plan.workspace);
  return OG_OK;
}

og_status opgraph::lib::finishCudnnSteps(ModuleOp module,
                                         const planning::Target &target) {
  for (auto program : module.getOps<plan::ProgramOp>()) {
    auto steps = program.getBody().getOps<plan::CudnnExecuteOp>();
    if (steps.empty())
      continue;
    int32_t ordinal = findDevice(target);
    if (ordinal < 0)
      addNote(program, "cuDNN's plan is made when it is loaded: there is no " +
                           Twine(target.name) + " here");
    for (plan::CudnnExecuteOp op : steps) {
      if (ordinal >= 0)
        OG_TRY(finishStep(op, ordinal));
      growWorkspace(program, static_cast<int64_t>(op.getWorkspace()) +
                                 static_cast<int64_t>(op.getBytes()));
    }
  }
  return OG_OK;
}
