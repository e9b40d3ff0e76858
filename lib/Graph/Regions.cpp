//===- Regions.cpp - Regions of operations: the C API ---------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "lib/Graph/GraphImpl.h"
#include "lib/Support/CApi.h"
#include "llvm/ADT/STLExtras.h"

using namespace opgraph::lib;
using llvm::Twine;

/// What abandoning a region goes back to.
struct RegionRecord::Snapshot {
  std::vector<TensorRecord> tensors;
  std::set<int64_t> takenUids;
  std::map<std::string, int> opCounts;
  size_t numNodes;
  int32_t ioDtype, intermediateDtype, computeDtype;
  bool isValidated;
};

RegionRecord::RegionRecord() = default;
RegionRecord::RegionRecord(RegionRecord &&) = default;
RegionRecord &RegionRecord::operator=(RegionRecord &&) = default;
RegionRecord::~RegionRecord() = default;

og_status GraphImpl::beginRegion(size_t count, og_tensor *arguments) {
  if (openRegion)
    return fail(OG_FAILED_PRECONDITION,
                "og_graph_begin_region: region " + Twine(openRegion) +
                    " of graph '" + name +
                    "' is open, and regions do not nest");
  bool wasValidated = isValidated;
  OG_TRY(beginChange("og_graph_begin_region"));
  RegionRecord region;
  region.snapshot.reset(new RegionRecord::Snapshot{
      tensors, takenUids, opCounts, nodes.size(), ioDtype, intermediateDtype,
      computeDtype, wasValidated});
  openRegion = regions.size() + 1;
  for (size_t i = 0; i < count; ++i) {
    TensorRecord record;
    record.name = ("region_" + Twine(openRegion) + "::ARG_" + Twine(i)).str();
    record.isVirtual = true;
    record.region = openRegion;
    arguments[i] = addTensor(std::move(record));
    region.arguments.push_back(arguments[i]);
  }
  regions.push_back(std::move(region));
  return OG_OK;
}

og_status GraphImpl::endRegion(llvm::ArrayRef<og_tensor> results) {
  if (!openRegion)
    return fail(OG_FAILED_PRECONDITION,
                "og_graph_end_region: graph '" + name + "' has no open region");
  for (auto [index, tensor] : llvm::enumerate(results)) {
    std::string what =
        ("result " + Twine(index) + " of region " + Twine(openRegion)).str();
    OG_TRY(checkTensor(tensor));
    OG_TRY(checkReadable(what, tensor));
  }
  OG_TRY(beginChange("og_graph_end_region"));
  for (og_tensor tensor : results) {
    addCapture(tensor);
    tensors[tensor].isUsed = true;
  }
  regions.back().results = results;
  openRegion = 0;
  return OG_OK;
}

og_status GraphImpl::abandonRegion() {
  if (regions.empty() || regions.back().owner >= 0 || !regions.back().snapshot)
    return fail(OG_FAILED_PRECONDITION,
                "og_graph_abandon_region: graph '" + name +
                    "' has no region that no operation has taken");
  OG_TRY(beginChange("og_graph_abandon_region"));
  RegionRecord::Snapshot &before = *regions.back().snapshot;
  tensors = std::move(before.tensors);
  takenUids = std::move(before.takenUids);
  opCounts = std::move(before.opCounts);
  nodes.resize(before.numNodes);
  ioDtype = before.ioDtype;
  intermediateDtype = before.intermediateDtype;
  computeDtype = before.computeDtype;
  // A validation since then, which failed, has dropped the module.
  isValidated = before.isValidated && module;
  regions.pop_back();
  openRegion = 0;
  // What has been dropped may have taken an earlier region.
  for (RegionRecord &region : regions)
    if (region.owner >= int32_t(nodes.size()))
      region.owner = -1;
  return OG_OK;
}

og_status GraphImpl::checkReadable(const Twine &what, og_tensor tensor) const {
  int32_t region = tensors[tensor].region;
  if (!region || region == openRegion)
    return OG_OK;
  return fail(OG_INVALID_VALUE, what + ": " + describe(tensor) +
                                    " is inside region " + Twine(region) +
                                    ", and only operations there read it");
}

void GraphImpl::addCapture(og_tensor tensor) {
  if (!openRegion || tensors[tensor].region)
    return;
  std::vector<og_tensor> &captures = regions.back().captures;
  if (!llvm::is_contained(captures, tensor))
    captures.push_back(tensor);
}

//===----------------------------------------------------------------------===//
// C API
//===----------------------------------------------------------------------===//

og_status og_graph_begin_region(og_graph *graph, size_t numArguments,
                                og_tensor *arguments) {
  OG_TRY(checkNotNull(graph, "graph"));
  if (numArguments)
    OG_TRY(checkNotNull(arguments, "arguments"));
  return graph->beginRegion(numArguments, arguments);
}

og_status og_graph_end_region(og_graph *graph, const og_tensor *results,
                              size_t numResults, int32_t *region) {
  OG_TRY(checkNotNull(region, "region"));
  *region = 0;
  OG_TRY(checkNotNull(graph, "graph"));
  if (numResults)
    OG_TRY(checkNotNull(results, "results"));
  OG_TRY(graph->endRegion({results, numResults}));
  *region = graph->regions.size();
  return OG_OK;
}

og_status og_graph_abandon_region(og_graph *graph) {
  OG_TRY(checkNotNull(graph, "graph"));
  return graph->abandonRegion();
}

int32_t og_graph_num_regions(const og_graph *graph) {
  return graph ? int32_t(graph->regions.size()) : 0;
}

og_status og_graph_region(const og_graph *graph, int32_t region,
                          og_region_info *out) {
  OG_TRY(checkNotNull(graph, "graph"));
  if (region < 1 || size_t(region) > graph->regions.size())
    return fail(OG_OUT_OF_RANGE,
                "expected a region of graph '" + graph->name + "', in [1, " +
                    Twine(graph->regions.size()) + "], got " + Twine(region));
  const RegionRecord &record = graph->regions[region - 1];
  og_region_info info = {};
  info.arguments = record.arguments.data();
  info.num_arguments = record.arguments.size();
  info.captures = record.captures.data();
  info.num_captures = record.captures.size();
  info.results = record.results.empty() ? nullptr : record.results.data();
  info.num_results = record.results.size();
  info.node = record.owner;
  return writeStruct(info, out, "og_region_info");
}
