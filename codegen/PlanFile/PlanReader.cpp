//===- PlanReader.cpp - From a plan file to plan contents -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/PlanFile/PlanContents.h"

#include "runtime/PlanAlignment.h"
#include "runtime/PlanFormat.h"

#include <cstring>

using namespace opgraph::planfile;

namespace {

/// Reads a structurally sound body; a wrong index becomes an error text.
class PlanReader {
public:
  PlanReader(const fb::Plan &plan, PlanContents &contents)
      : plan(plan), contents(contents) {}

  std::string read();

private:
  Expr expression(uint64_t index);
  void readHead();
  void readSymbol(const fb::Symbol &source);
  void readOperand(const fb::Operand &source);
  LaunchArg argument(const fb::LaunchArg &source);
  void readLaunch(const fb::Launch &source);
  void readCudnnExecute(const fb::CudnnExecute &source);
  void readStep(const fb::Step &source);
  void readTensorMap(const fb::TensorMap &source);
  void readDeviceVariant(const fb::DeviceVariant &source);
  template <typename T>
  std::vector<Expr> expressions(const T *indices) {
    std::vector<Expr> exprs;
    for (uint32_t index : *indices)
      exprs.push_back(expression(index));
    return exprs;
  }
  void readVariant(const fb::Variant &source);
  template <typename T>
  static std::vector<ImageSymbol> imageSymbols(const T *sources);

  static std::string text(const flatbuffers::String *value) {
    return value ? value->str() : std::string();
  }
  static std::vector<uint8_t> bytes(const flatbuffers::Vector<uint8_t> *value) {
    return value ? std::vector<uint8_t>(value->begin(), value->end())
                 : std::vector<uint8_t>();
  }

  const fb::Plan &plan;
  PlanContents &contents;
  std::string error;
};

} // namespace

Expr PlanReader::expression(uint64_t index) {
  Expr expr;
  uint64_t numExprs = plan.exprs() ? plan.exprs()->size() : 0;
  uint64_t numTokens = plan.tokens() ? plan.tokens()->size() : 0;
  if (index >= numExprs) {
    error = "expression " + std::to_string(index) + " of " +
            std::to_string(numExprs);
    return expr;
  }
  const fb::ExprRange *range = plan.exprs()->Get(index);
  if (uint64_t(range->begin()) + range->length() > numTokens) {
    error = "expression " + std::to_string(index) + " leaves the token pool";
    return expr;
  }
  expr.tokens.clear();
  for (uint32_t i = 0; i < range->length(); ++i) {
    const fb::Token *token = plan.tokens()->Get(range->begin() + i);
    expr.tokens.push_back({static_cast<ExprOp>(token->op()), token->value()});
  }
  return expr;
}

void PlanReader::readHead() {
  contents.name = text(plan.name());
  contents.compiler = text(plan.compiler());
  contents.target = text(plan.target());
  contents.engineId = plan.engine_id();
  contents.engineName = text(plan.engine_name());
  contents.engineVersion = plan.engine_version();
  contents.maxWorkers = plan.max_workers();
  contents.workspaceShared = expression(plan.workspace_shared());
  contents.workspacePrivate = expression(plan.workspace_private());
  contents.sourceMlir = text(plan.source_mlir());
  if (plan.knobs())
    for (const fb::Knob *knob : *plan.knobs())
      contents.knobs.push_back({knob->type(), knob->value()});
  if (plan.notes())
    for (const flatbuffers::String *note : *plan.notes())
      contents.notes.push_back(note->str());
  if (plan.aliases())
    for (const fb::AliasPair *pair : *plan.aliases())
      contents.aliases.emplace_back(pair->input(), pair->output());
}

void PlanReader::readSymbol(const fb::Symbol &source) {
  Symbol symbol;
  symbol.name = text(source.name());
  symbol.isStride = source.source() == fb::SymbolSource_Stride;
  symbol.operand = source.operand();
  symbol.axis = source.axis();
  symbol.min = source.min();
  symbol.max = source.max();
  symbol.divisor = source.divisor();
  if (source.has_default())
    symbol.defaultValue = source.default_value();
  contents.symbols.push_back(std::move(symbol));
}

void PlanReader::readOperand(const fb::Operand &source) {
  Operand operand;
  operand.uid = source.uid();
  operand.name = text(source.name());
  operand.dtype = static_cast<og_dtype>(source.dtype());
  operand.isOutput = source.role() == fb::Role_Output;
  operand.byValue = source.by_value();
  operand.defaultValue = bytes(source.default_value());
  operand.alignment = source.alignment();
  operand.storage = static_cast<og_storage>(source.storage());
  if (source.storage_bytes() != -1)
    operand.storageBytes = expression(uint32_t(source.storage_bytes()));
  operand.extents = expressions(source.extents());
  operand.strides = expressions(source.strides());
  operand.strideRule = static_cast<og_stride_rule>(source.stride_rule());
  contents.operands.push_back(std::move(operand));
}

LaunchArg PlanReader::argument(const fb::LaunchArg &source) {
  LaunchArg arg;
  arg.kind = static_cast<ArgKind>(source.kind());
  arg.type = static_cast<ArgType>(source.type());
  arg.index = source.index();
  arg.axis = source.axis();
  arg.bits = source.bits();
  if (arg.kind == ArgKind::Pointer || arg.kind == ArgKind::Scratch ||
      arg.kind == ArgKind::Integer)
    arg.expr = expression(source.expr());
  return arg;
}

void PlanReader::readLaunch(const fb::Launch &source) {
  Launch launch;
  launch.kernel = source.kernel();
  launch.dependent = source.dependent();
  if (source.grid()->size() != 3) {
    error = "a launch has a grid of " + std::to_string(source.grid()->size());
    return;
  }
  for (uint32_t i = 0; i < 3; ++i)
    launch.grid[i] = expression(source.grid()->Get(i));
  if (source.args())
    for (const fb::LaunchArg *arg : *source.args())
      launch.args.push_back(argument(*arg));
  contents.steps.push_back(std::move(launch));
}

void PlanReader::readTensorMap(const fb::TensorMap &source) {
  TensorMap map;
  if (source.base())
    map.base = argument(*source.base());
  map.dtype = static_cast<og_dtype>(source.dtype());
  map.extents = expressions(source.extents());
  map.strides = expressions(source.strides());
  map.box.assign(source.box()->begin(), source.box()->end());
  if (source.steps()) {
    map.lower.assign(source.lower()->begin(), source.lower()->end());
    map.upper.assign(source.upper()->begin(), source.upper()->end());
    map.steps.assign(source.steps()->begin(), source.steps()->end());
  }
  map.swizzle = static_cast<Swizzle>(source.swizzle());
  map.fillNan = source.fill_nan();
  contents.tensorMaps.push_back(std::move(map));
}

void PlanReader::readDeviceVariant(const fb::DeviceVariant &source) {
  DeviceVariant variant;
  variant.target = text(source.target());
  variant.cubin = bytes(source.cubin());
  variant.ptx = text(source.ptx());
  variant.ptxVersion = source.ptx_version();
  for (const fb::Kernel *item : *source.kernels()) {
    DeviceKernel kernel;
    kernel.name = text(item->name());
    kernel.threads = item->threads();
    for (uint32_t i = 0; item->cluster() && i < 3; ++i)
      kernel.cluster[i] =
          i < item->cluster()->size() ? item->cluster()->Get(i) : 1;
    kernel.dynamicShared = item->dynamic_shared();
    kernel.staticShared = item->static_shared();
    kernel.registers = item->registers();
    kernel.spillStores = item->spill_stores();
    kernel.spillLoads = item->spill_loads();
    kernel.stackBytes = item->stack_bytes();
    kernel.blocksPerSm = item->blocks_per_sm();
    variant.kernels.push_back(std::move(kernel));
  }
  contents.deviceVariants.push_back(std::move(variant));
}

void PlanReader::readCudnnExecute(const fb::CudnnExecute &source) {
  CudnnExecute execute;
  execute.kinds.assign(source.kinds()->begin(), source.kinds()->end());
  for (const fb::CudnnRecord *record : *source.records())
    execute.records.push_back({record->descriptor(), record->attribute(),
                               record->type(), record->count(),
                               record->first()});
  execute.words.assign(source.words()->begin(), source.words()->end());
  execute.engine = source.engine();
  if (source.knobs())
    for (const fb::Knob *knob : *source.knobs())
      execute.knobs.push_back({knob->type(), knob->value()});
  execute.uids.assign(source.uids()->begin(), source.uids()->end());
  if (source.args())
    for (const fb::LaunchArg *arg : *source.args())
      execute.args.push_back(argument(*arg));
  execute.workspace = source.workspace();
  execute.bytes = source.bytes();
  execute.library = source.library();
  execute.serialized = bytes(source.serialized());
  contents.steps.push_back(std::move(execute));
}

void PlanReader::readStep(const fb::Step &source) {
  if (const fb::HostCall *call = source.body_as_HostCall())
    contents.steps.push_back(HostCall{call->entry()});
  else if (const fb::Fill *fill = source.body_as_Fill())
    contents.steps.push_back(Fill{expression(fill->offset()),
                                  expression(fill->size()), fill->value()});
  else if (const fb::CudnnExecute *execute = source.body_as_CudnnExecute())
    readCudnnExecute(*execute);
  else if (const fb::Launch *launch = source.body_as_Launch())
    readLaunch(*launch);
  else
    error = "a step of kind " + std::to_string(source.body_type());
}

template <typename T>
std::vector<ImageSymbol> PlanReader::imageSymbols(const T *sources) {
  std::vector<ImageSymbol> symbols;
  if (sources)
    for (const fb::ImageSymbol *source : *sources)
      symbols.push_back(
          {text(source->name()), source->offset(), source->size()});
  return symbols;
}

void PlanReader::readVariant(const fb::Variant &source) {
  Variant variant;
  variant.target = text(source.target());
  for (const fb::Segment *segment : *source.segments())
    variant.segments.push_back({static_cast<SegmentKind>(segment->kind()),
                                segment->offset(), segment->mem_size(),
                                bytes(segment->bytes())});
  if (source.relocations())
    for (const fb::Relocation *relocation : *source.relocations())
      variant.relocations.push_back({relocation->offset(), relocation->addend(),
                                     relocation->import_index()});
  if (source.imports())
    for (const flatbuffers::String *import : *source.imports())
      variant.imports.push_back(import->str());
  variant.entries = imageSymbols(source.entries());
  variant.functions = imageSymbols(source.functions());
  contents.variants.push_back(std::move(variant));
}

std::string PlanReader::read() {
  contents = PlanContents();
  readHead();
  if (plan.symbols())
    for (const fb::Symbol *symbol : *plan.symbols())
      readSymbol(*symbol);
  for (const fb::Operand *operand : *plan.operands())
    readOperand(*operand);
  for (const fb::Step *step : *plan.steps())
    readStep(*step);
  if (plan.variants())
    for (const fb::Variant *variant : *plan.variants())
      readVariant(*variant);
  contents.device = static_cast<DeviceKind>(plan.device());
  if (plan.tensor_maps())
    for (const fb::TensorMap *map : *plan.tensor_maps())
      readTensorMap(*map);
  if (plan.device_variants())
    for (const fb::DeviceVariant *variant : *plan.device_variants())
      readDeviceVariant(*variant);
  return error;
}

bool opgraph::planfile::readPlanFile(const void *data, size_t size,
                                     PlanContents &contents,
                                     std::string &error) {
  Header header;
  if (!data || size < sizeof(header)) {
    error = "a plan file has at least 64 bytes, got " + std::to_string(size);
    return false;
  }
  std::memcpy(&header, data, sizeof(header));
  if (std::memcmp(header.magic, magic, sizeof(magic))) {
    error = "not a plan file: the magic bytes differ";
    return false;
  }
  if (header.major != formatMajor) {
    error = "plan file has format major " + std::to_string(header.major) +
            ", expected " + std::to_string(formatMajor);
    return false;
  }
  unsigned char digest[16];
  computeDigest(data, size, digest);
  if (header.totalBytes != size ||
      std::memcmp(digest, header.digest, sizeof(digest))) {
    error = "plan file is truncated or altered";
    return false;
  }
  // The body must lie aligned, which `data` need not.
  std::vector<uint64_t> body((size - sizeof(header) + 7) / 8);
  if (!body.empty())
    std::memcpy(body.data(), static_cast<const char *>(data) + sizeof(header),
                size - sizeof(header));
  auto *start = reinterpret_cast<const uint8_t *>(body.data());
  flatbuffers::Verifier verifier(start, size - sizeof(header));
  if (body.empty() || !fb::VerifyPlanBuffer(verifier) ||
      !structsAreAligned(*fb::GetPlan(start))) {
    error = "plan file: the body is no well-formed FlatBuffers table";
    return false;
  }
  error = PlanReader(*fb::GetPlan(start), contents).read();
  return error.empty();
}
