//===- ImageLinker.cpp - Object files to relocatable images ---------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/Host/ImageLinker.h"
#include "codegen/Host/ImageTables.h"
#include "opgraph-c/host_abi.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/StringSet.h"
#include "llvm/ExecutionEngine/JITLink/JITLink.h"
#include "llvm/ExecutionEngine/JITLink/JITLinkMemoryManager.h"
#include "llvm/ExecutionEngine/JITLink/x86_64.h"

#include <map>

using namespace llvm;
using namespace llvm::jitlink;
using namespace opgraph;

/// Where the image lies while it is linked. Imports lie more than 2 GiB away,
/// so that no access through the GOT or a stub is relaxed to a direct one.
static constexpr uint64_t imageBase = uint64_t(1) << 32;
static constexpr uint64_t importBase = uint64_t(0x7000) << 32;

namespace {
/// The state of one link, which runs on the caller's stack.
struct LinkState {
  planfile::Variant image;
  ArrayRef<std::string> entries;
  /// Memory of the segments, in the order of the image's segments.
  std::vector<std::vector<char>> memory;
  /// Imports by the address given to them.
  std::map<uint64_t, std::string> imports;
  std::string failure;

  Error collect(LinkGraph &graph);
  Error collectEdge(Block &block, Edge &edge,
                    const std::map<std::string, int32_t> &numbers);
  void collectImports(std::map<std::string, int32_t> &numbers);
  Error collectSymbols(LinkGraph &graph);
};

/// Lays the segments out one after the other from the image's base.
class ImageMemory : public JITLinkMemoryManager {
public:
  explicit ImageMemory(LinkState &state) : state(state) {}

  void allocate(const JITLinkDylib *, LinkGraph &graph,
                OnAllocatedFunction onAllocated) override;
  void deallocate(std::vector<FinalizedAlloc> allocations,
                  OnDeallocatedFunction onDeallocated) override {
    for (FinalizedAlloc &allocation : allocations)
      allocation.release();
    onDeallocated(Error::success());
  }

private:
  /// The memory is the state's: nothing to do.
  class InFlight : public InFlightAlloc {
  public:
    void abandon(OnAbandonedFunction onAbandoned) override {
      onAbandoned(Error::success());
    }
    void finalize(OnFinalizedFunction onFinalized) override {
      onFinalized(FinalizedAlloc(orc::ExecutorAddr(imageBase)));
    }
  };

  LinkState &state;
};

/// Resolves imports to made-up addresses and gathers the result.
class ImageContext : public JITLinkContext {
public:
  explicit ImageContext(LinkState &state)
      : JITLinkContext(nullptr), state(state), memory(state) {}

  JITLinkMemoryManager &getMemoryManager() override { return memory; }
  void notifyFailed(Error error) override {
    state.failure = toString(std::move(error));
  }
  void lookup(const LookupMap &symbols,
              std::unique_ptr<JITLinkAsyncLookupContinuation> done) override;
  Error notifyResolved(LinkGraph &) override { return Error::success(); }
  void notifyFinalized(JITLinkMemoryManager::FinalizedAlloc memory) override {
    memory.release();
  }
  LinkGraphPassFunction getMarkLivePass(const Triple &) const override;
  Error modifyPassConfig(LinkGraph &graph, PassConfiguration &config) override;

private:
  LinkState &state;
  ImageMemory memory;
};
} // namespace

//===----------------------------------------------------------------------===//
// Memory
//===----------------------------------------------------------------------===//

static planfile::SegmentKind segmentKind(orc::MemProt protection) {
  if ((protection & orc::MemProt::Exec) != orc::MemProt::None)
    return planfile::SegmentKind::Execute;
  if ((protection & orc::MemProt::Write) != orc::MemProt::None)
    return planfile::SegmentKind::Relro;
  return planfile::SegmentKind::Read;
}

void ImageMemory::allocate(const JITLinkDylib *, LinkGraph &graph,
                           OnAllocatedFunction onAllocated) {
  BasicLayout layout(graph);
  uint64_t offset = 0;
  for (auto &[group, segment] : layout.segments()) {
    state.memory.emplace_back(segment.ContentSize);
    planfile::Segment described;
    described.kind = segmentKind(group.getMemProt());
    described.offset = offset;
    described.memSize = segment.ContentSize + segment.ZeroFillSize;
    segment.Addr = orc::ExecutorAddr(imageBase + offset);
    segment.WorkingMem = state.memory.back().data();
    offset = alignTo(offset + described.memSize, OG_IMAGE_PAGE);
    state.image.segments.push_back(std::move(described));
  }
  if (Error error = layout.apply())
    return onAllocated(std::move(error));
  onAllocated(std::make_unique<InFlight>());
}

//===----------------------------------------------------------------------===//
// Passes over the link graph
//===----------------------------------------------------------------------===//

/// Unwind tables would have to be registered with the process; the code throws
/// nothing. Debug sections are not loaded.
static Error dropUnwindTables(LinkGraph &graph) {
  for (StringRef name : {".eh_frame", ".eh_frame_hdr"})
    if (Section *section = graph.findSectionByName(name))
      graph.removeSection(*section);
  return Error::success();
}

/// Refuses sections that would need memory of a run's own.
static Error checkSections(LinkGraph &graph) {
  for (Section &section : graph.sections()) {
    if (section.empty() ||
        section.getMemLifetime() == orc::MemLifetime::NoAlloc)
      continue;
    StringRef name = section.getName();
    bool writable =
        (section.getMemProt() & orc::MemProt::Write) != orc::MemProt::None;
    if (name.starts_with(".tdata") || name.starts_with(".tbss"))
      return createStringError("host code has thread-local storage, section " +
                               name);
    if (writable && !name.starts_with(".data.rel.ro"))
      return createStringError("host code has writable data, section " + name);
    for (Block *block : section.blocks())
      if (block->isZeroFill())
        return createStringError("host code has zero-filled data, section " +
                                 name);
  }
  return Error::success();
}

LinkGraphPassFunction ImageContext::getMarkLivePass(const Triple &) const {
  return [this](LinkGraph &graph) {
    llvm::StringSet<> names;
    for (const std::string &entry : state.entries)
      names.insert(entry);
    for (Symbol *symbol : graph.defined_symbols())
      if (symbol->hasName() && names.contains(*symbol->getName()))
        symbol->setLive(true);
    return Error::success();
  };
}

Error ImageContext::modifyPassConfig(LinkGraph &, PassConfiguration &config) {
  config.PrePrunePasses.insert(config.PrePrunePasses.begin(), dropUnwindTables);
  // In front of JITLink's own pass, which then finds no table left to make.
  config.PostPrunePasses.insert(config.PostPrunePasses.begin(),
                                codegen::buildImageTables);
  config.PostPrunePasses.insert(config.PostPrunePasses.begin(), checkSections);
  config.PostFixupPasses.push_back(
      [this](LinkGraph &graph) { return state.collect(graph); });
  return Error::success();
}

void ImageContext::lookup(
    const LookupMap &symbols,
    std::unique_ptr<JITLinkAsyncLookupContinuation> done) {
  std::vector<std::string> names;
  for (auto &[symbol, flags] : symbols)
    names.push_back((*symbol).str());
  llvm::sort(names);
  llvm::StringMap<uint64_t> addresses;
  for (const std::string &name : names) {
    if (!og_host_import_allowed(name.c_str()))
      return done->run(
          createStringError("host code imports '" + name +
                            "', which is not on the closed list of imports"));
    uint64_t address = importBase + 16 * addresses.size();
    addresses[name] = address;
    state.imports[address] = name;
  }
  AsyncLookupResult result;
  for (auto &[symbol, flags] : symbols)
    result[symbol] = {orc::ExecutorAddr(addresses.lookup(*symbol)),
                      JITSymbolFlags::Exported};
  done->run(std::move(result));
}

//===----------------------------------------------------------------------===//
// Collecting the result
//===----------------------------------------------------------------------===//

/// References that stay right wherever the image is loaded.
static bool isRelative(Edge::Kind kind) {
  switch (kind) {
  case x86_64::Delta64:
  case x86_64::Delta32:
  case x86_64::Delta16:
  case x86_64::Delta8:
  case x86_64::NegDelta64:
  case x86_64::NegDelta32:
  case x86_64::Delta64FromGOT:
  case x86_64::PCRel32:
  case x86_64::BranchPCRel32:
  case x86_64::BranchPCRel32ToPtrJumpStub:
  case x86_64::BranchPCRel32ToPtrJumpStubBypassable:
  case x86_64::PCRel32GOTLoadRelaxable:
  case x86_64::PCRel32GOTLoadREXRelaxable:
    return true;
  default:
    return false;
  }
}

static std::string nameOf(const Symbol &symbol) {
  return symbol.hasName() ? (*symbol.getName()).str() : "a local symbol";
}

Error LinkState::collectEdge(Block &block, Edge &edge,
                             const std::map<std::string, int32_t> &numbers) {
  if (!edge.isRelocation())
    return Error::success();
  Symbol &target = edge.getTarget();
  if (target.isDefined() && isRelative(edge.getKind()))
    return Error::success();
  if (edge.getKind() != x86_64::Pointer64 || target.isAbsolute())
    return createStringError("host code refers to '" + nameOf(target) +
                             "' by a reference of kind " +
                             x86_64::getEdgeKindName(edge.getKind()) +
                             ", which an image cannot hold");
  planfile::Relocation relocation;
  relocation.offset =
      block.getAddress().getValue() + edge.getOffset() - imageBase;
  relocation.addend = edge.getAddend();
  if (target.isExternal())
    relocation.import = numbers.at(nameOf(target));
  else
    relocation.addend += target.getAddress().getValue() - imageBase;
  // What is stored there is the loader's business.
  MutableArrayRef<char> content = block.getAlreadyMutableContent();
  std::fill_n(content.begin() + edge.getOffset(), 8, 0);
  image.relocations.push_back(relocation);
  return Error::success();
}

void LinkState::collectImports(std::map<std::string, int32_t> &numbers) {
  for (auto &[address, name] : imports) {
    numbers[name] = image.imports.size();
    image.imports.push_back(name);
  }
}

Error LinkState::collectSymbols(LinkGraph &graph) {
  for (Symbol *symbol : graph.defined_symbols()) {
    if (!symbol->hasName() || !symbol->isCallable())
      continue;
    image.functions.push_back({(*symbol->getName()).str(),
                               symbol->getAddress().getValue() - imageBase,
                               symbol->getSize()});
  }
  llvm::sort(image.functions, [](const planfile::ImageSymbol &lhs,
                                 const planfile::ImageSymbol &rhs) {
    return std::tie(lhs.offset, lhs.name) < std::tie(rhs.offset, rhs.name);
  });
  for (const std::string &entry : entries) {
    auto found =
        llvm::find_if(image.functions, [&](const planfile::ImageSymbol &it) {
          return it.name == entry;
        });
    if (found == image.functions.end())
      return createStringError("host code lacks its entry '" + entry + "'");
    image.entries.push_back(*found);
  }
  return Error::success();
}

Error LinkState::collect(LinkGraph &graph) {
  std::map<std::string, int32_t> numbers;
  collectImports(numbers);
  for (Block *block : graph.blocks())
    for (Edge &edge : block->edges())
      if (Error error = collectEdge(*block, edge, numbers))
        return error;
  llvm::sort(image.relocations, [](const planfile::Relocation &lhs,
                                   const planfile::Relocation &rhs) {
    return lhs.offset < rhs.offset;
  });
  return collectSymbols(graph);
}

Expected<planfile::Variant>
opgraph::codegen::linkImage(MemoryBufferRef object,
                            ArrayRef<std::string> entries) {
  LinkState state;
  state.entries = entries;
  // The linker drops the graph while it still holds names of the pool, so the
  // pool must not be the graph's alone.
  auto names = std::make_shared<orc::SymbolStringPool>();
  Expected<std::unique_ptr<LinkGraph>> graph =
      createLinkGraphFromObject(object, names);
  if (!graph)
    return graph.takeError();
  // All callbacks run before this returns: memory and lookup answer at once.
  link(std::move(*graph), std::make_unique<ImageContext>(state));
  if (!state.failure.empty())
    return createStringError(state.failure);
  for (auto [segment, memory] :
       llvm::zip_equal(state.image.segments, state.memory))
    segment.bytes.assign(memory.begin(), memory.end());
  return std::move(state.image);
}
