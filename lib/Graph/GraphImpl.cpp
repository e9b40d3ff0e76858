//===- GraphImpl.cpp - Life of a graph ------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Graph/GraphImpl.h"
#include "lib/Compiler/CompilerImpl.h"
#include "lib/Compiler/PlanState.h"
#include "lib/Support/CApi.h"
#include "lib/Support/Dtypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/raw_ostream.h"

using namespace opgraph::lib;
using llvm::Twine;

GraphImpl::GraphImpl(std::shared_ptr<CompilerImpl> compilerImpl)
    : compiler(std::move(compilerImpl)),
      context(compiler->contexts, compiler->contexts.take()) {}

GraphImpl::~GraphImpl() = default;

og_status GraphImpl::beginChange(const char *what) {
  if (isFrozen)
    return fail(OG_FROZEN, Twine(what) + ": graph '" + name +
                               "' is frozen, because planning has started");
  if (isParsed)
    return fail(OG_FAILED_PRECONDITION,
                Twine(what) + ": graph '" + name +
                    "' was made from text and cannot be changed");
  isValidated = false;
  return OG_OK;
}

og_status GraphImpl::checkTensor(og_tensor tensor) const {
  if (tensor >= 0 && size_t(tensor) < tensors.size())
    return OG_OK;
  return fail(OG_OUT_OF_RANGE, "expected a tensor of graph '" + name +
                                   "', below " + Twine(tensors.size()) +
                                   ", got " + Twine(tensor));
}

og_status GraphImpl::beginTensorChange(const char *what, og_tensor tensor) {
  OG_TRY(checkTensor(tensor));
  return beginChange(what);
}

int64_t GraphImpl::nextFreeUid() {
  int64_t uid = 1;
  for (int64_t taken : takenUids) {
    if (taken < uid)
      continue;
    if (taken > uid)
      break;
    ++uid;
  }
  return uid;
}

og_tensor GraphImpl::addTensor(TensorRecord record) {
  record.uid = nextFreeUid();
  takenUids.insert(record.uid);
  if (record.name.empty())
    record.name = "tensor_" + std::to_string(tensors.size());
  tensors.push_back(std::move(record));
  return tensors.size() - 1;
}

og_status GraphImpl::chooseUid(og_tensor tensor, int64_t uid) {
  TensorRecord &record = tensors[tensor];
  if (uid < 0)
    return fail(OG_INVALID_VALUE, "expected the uid of " + describe(tensor) +
                                      " to be at least 0, got " + Twine(uid));
  if (takenUids.count(uid) && record.uid != uid) {
    for (TensorRecord &other : tensors) {
      if (other.uid != uid)
        continue;
      if (other.uidIsChosen)
        return fail(OG_ALREADY_EXISTS, "expected uids to be unique, got " +
                                           Twine(uid) + " for tensors '" +
                                           other.name + "' and '" +
                                           record.name + "'");
      other.uid = nextFreeUid();
      takenUids.insert(other.uid);
    }
  }
  if (record.uid != uid)
    takenUids.erase(record.uid);
  takenUids.insert(uid);
  record.uid = uid;
  record.uidIsChosen = true;
  return OG_OK;
}

std::string GraphImpl::describe(og_tensor tensor) const {
  return "tensor '" + tensors[tensor].name + "'";
}

std::string GraphImpl::describe(const NodeRecord &node) {
  return "node '" + node.name + "' (" + node.op->name + ")";
}

std::string opgraph::lib::toSymbolName(llvm::StringRef label) {
  std::string symbol;
  for (char c : label)
    symbol += llvm::isAlnum(c) ? c : '_';
  if (symbol.empty() || llvm::isDigit(symbol[0]))
    symbol.insert(0, "graph_");
  return symbol;
}

//===----------------------------------------------------------------------===//
// C API
//===----------------------------------------------------------------------===//

static og_status checkDefaultDtype(int32_t dtype, const char *what,
                                   bool isCompute) {
  if (dtype == OG_DTYPE_NOT_SET ||
      (isCompute && dtype == OG_DTYPE_FAST_FLOAT_FOR_FP8))
    return OG_OK;
  if (!isDtype(dtype))
    return fail(OG_INVALID_VALUE,
                Twine(what) + ": expected an og_dtype, got " + Twine(dtype));
  if (!isElementDtype(dtype))
    return fail(OG_UNSUPPORTED, Twine(what) + ": dtype " +
                                    og_dtype_name(og_dtype(dtype)) +
                                    " is not supported");
  return OG_OK;
}

static og_status checkDefaultDtypes(int32_t io, int32_t intermediate,
                                    int32_t compute) {
  OG_TRY(checkDefaultDtype(io, "io dtype", false));
  OG_TRY(checkDefaultDtype(intermediate, "intermediate dtype", false));
  return checkDefaultDtype(compute, "compute dtype", true);
}

og_status og_graph_create(og_compiler *compiler,
                          const og_graph_options *options, og_graph **out) {
  OG_TRY(checkNotNull(out, "out"));
  *out = nullptr;
  OG_TRY(checkNotNull(compiler, "compiler"));
  og_graph_options given;
  OG_TRY(readStruct(options, given, "og_graph_options"));
  OG_TRY(checkDefaultDtypes(given.io_dtype, given.intermediate_dtype,
                            given.compute_dtype));
  auto graph = std::make_unique<og_graph>(compiler->impl);
  if (given.name)
    graph->name = given.name;
  graph->ioDtype = given.io_dtype;
  graph->intermediateDtype = given.intermediate_dtype;
  graph->computeDtype = given.compute_dtype;
  graph->dynamic = given.dynamic != 0;
  *out = graph.release();
  return OG_OK;
}

void og_graph_release(og_graph *graph) { delete graph; }

const char *og_graph_name(const og_graph *graph) {
  return graph ? graph->name.c_str() : "";
}

og_status og_graph_get_options(const og_graph *graph, og_graph_options *out) {
  OG_TRY(checkNotNull(graph, "graph"));
  og_graph_options options = {};
  options.name = graph->name.c_str();
  options.io_dtype = graph->ioDtype;
  options.intermediate_dtype =
      graph->intermediateDtype ? graph->intermediateDtype : graph->ioDtype;
  options.compute_dtype =
      graph->computeDtype ? graph->computeDtype : int32_t(OG_DTYPE_FLOAT);
  options.dynamic = graph->dynamic;
  return writeStruct(options, out, "og_graph_options");
}

og_status og_graph_set_default_dtypes(og_graph *graph, int32_t io,
                                      int32_t intermediate, int32_t compute) {
  OG_TRY(checkNotNull(graph, "graph"));
  OG_TRY(checkDefaultDtypes(io, intermediate, compute));
  OG_TRY(graph->beginChange("og_graph_set_default_dtypes"));
  graph->ioDtype = io ? io : graph->ioDtype;
  graph->intermediateDtype =
      intermediate ? intermediate : graph->intermediateDtype;
  graph->computeDtype = compute ? compute : graph->computeDtype;
  return OG_OK;
}

int32_t og_graph_is_validated(const og_graph *graph) {
  return graph && graph->isValidated;
}

int32_t og_graph_is_frozen(const og_graph *graph) {
  return graph && graph->isFrozen;
}

og_status og_graph_validate(og_graph *graph) {
  OG_TRY(checkNotNull(graph, "graph"));
  return graph->validate();
}

og_status og_graph_print(og_graph *graph, const char **text, size_t *size) {
  OG_TRY(checkNotNull(text, "text"));
  *text = nullptr;
  OG_TRY(og_graph_validate(graph));
  graph->printedText.clear();
  llvm::raw_string_ostream os(graph->printedText);
  graph->graphOp->print(os);
  os << '\n';
  *text = graph->printedText.c_str();
  if (size)
    *size = graph->printedText.size();
  return OG_OK;
}
