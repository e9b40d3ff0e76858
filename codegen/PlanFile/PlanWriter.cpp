//===- PlanWriter.cpp - From plan contents to a plan file -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/PlanFile/PlanContents.h"

#include "opgraph-c/host_abi.h"
#include "runtime/PlanFormat.h"
#include "runtime/plan_generated.h"

#include <cstring>
#include <map>

using namespace opgraph::planfile;
using flatbuffers::Offset;
using flatbuffers::Vector;

namespace {

/// Strings of equal text are stored once.
class PlanWriter {
public:
  explicit PlanWriter(const PlanContents &contents)
      : contents(contents), builder(guessBytes(contents)) {}

  void write();
  const flatbuffers::FlatBufferBuilder &result() const { return builder; }

private:
  /// About as many as a plan of one kernel takes.
  static size_t guessBytes(const PlanContents &contents) {
    size_t bytes = contents.sourceMlir.size() + 4096;
    for (const DeviceVariant &variant : contents.deviceVariants)
      bytes += variant.cubin.size() + variant.ptx.size();
    return bytes;
  }

  Offset<flatbuffers::String> text(const std::string &value) {
    return builder.CreateSharedString(value);
  }
  Offset<Vector<uint8_t>> bytes(const std::vector<uint8_t> &value) {
    return builder.CreateVector(value);
  }
  uint32_t expression(const Expr &expr);
  Offset<fb::Symbol> symbol(const Symbol &source);
  Offset<fb::Operand> operand(const Operand &source);
  std::vector<uint32_t> expressions(const std::vector<Expr> &exprs);
  fb::LaunchArg argument(const LaunchArg &source);
  Offset<fb::Step> launch(const Launch &source);
  Offset<fb::Step> cudnnExecute(const CudnnExecute &source);
  Offset<fb::Step> step(const Step &source);
  Offset<fb::TensorMap> tensorMap(const TensorMap &source);
  Offset<fb::Kernel> kernel(const DeviceKernel &source);
  Offset<fb::DeviceVariant> deviceVariant(const DeviceVariant &source);
  Offset<Vector<Offset<fb::ImageSymbol>>>
  imageSymbols(const std::vector<ImageSymbol> &sources);
  Offset<fb::Variant> variant(const Variant &source);
  template <typename Source, typename Convert>
  auto list(const std::vector<Source> &sources, Convert convert) {
    std::vector<decltype(convert(sources.front()))> offsets;
    for (const Source &source : sources)
      offsets.push_back(convert(source));
    return builder.CreateVector(offsets);
  }

  const PlanContents &contents;
  flatbuffers::FlatBufferBuilder builder;
  std::vector<fb::Token> tokens;
  std::vector<fb::ExprRange> ranges;
  /// Equal expressions are stored once; keyed by their tokens.
  std::map<std::vector<std::pair<uint8_t, int64_t>>, uint32_t> known;
};

} // namespace

uint32_t PlanWriter::expression(const Expr &expr) {
  std::vector<std::pair<uint8_t, int64_t>> key;
  for (const ExprToken &token : expr.tokens)
    key.emplace_back(static_cast<uint8_t>(token.op), token.value);
  auto [entry, isNew] = known.emplace(key, ranges.size());
  if (!isNew)
    return entry->second;
  ranges.emplace_back(tokens.size(), expr.tokens.size());
  for (const ExprToken &token : expr.tokens)
    tokens.emplace_back(token.value, static_cast<fb::Op>(token.op));
  return entry->second;
}

Offset<fb::Symbol> PlanWriter::symbol(const Symbol &source) {
  auto name = text(source.name);
  fb::SymbolBuilder table(builder);
  table.add_name(name);
  table.add_source(source.isStride ? fb::SymbolSource_Stride
                                   : fb::SymbolSource_Extent);
  table.add_operand(source.operand);
  table.add_axis(source.axis);
  table.add_min(source.min);
  table.add_max(source.max);
  table.add_divisor(source.divisor);
  table.add_has_default(source.defaultValue.has_value());
  table.add_default_value(source.defaultValue.value_or(0));
  return table.Finish();
}

std::vector<uint32_t> PlanWriter::expressions(const std::vector<Expr> &exprs) {
  std::vector<uint32_t> indices;
  for (const Expr &expr : exprs)
    indices.push_back(expression(expr));
  return indices;
}

Offset<fb::Operand> PlanWriter::operand(const Operand &source) {
  auto name = text(source.name);
  auto extentVector = builder.CreateVector(expressions(source.extents));
  auto strideVector = builder.CreateVector(expressions(source.strides));
  Offset<Vector<uint8_t>> value;
  if (!source.defaultValue.empty())
    value = bytes(source.defaultValue);
  fb::OperandBuilder table(builder);
  table.add_uid(source.uid);
  table.add_name(name);
  table.add_dtype(source.dtype);
  table.add_role(source.isOutput ? fb::Role_Output : fb::Role_Input);
  table.add_by_value(source.byValue);
  if (!source.defaultValue.empty())
    table.add_default_value(value);
  table.add_alignment(source.alignment);
  table.add_storage(static_cast<fb::Storage>(source.storage));
  if (source.storageBytes)
    table.add_storage_bytes(
        static_cast<int32_t>(expression(*source.storageBytes)));
  table.add_extents(extentVector);
  table.add_strides(strideVector);
  table.add_stride_rule(static_cast<fb::StrideRule>(source.strideRule));
  return table.Finish();
}

fb::LaunchArg PlanWriter::argument(const LaunchArg &source) {
  bool hasExpr = source.kind == ArgKind::Pointer ||
                 source.kind == ArgKind::Scratch ||
                 source.kind == ArgKind::Integer;
  return fb::LaunchArg(source.bits, hasExpr ? expression(source.expr) : 0,
                       source.index, source.axis,
                       static_cast<fb::ArgKind>(source.kind),
                       static_cast<fb::ArgType>(source.type));
}

Offset<fb::Step> PlanWriter::launch(const Launch &source) {
  std::vector<uint32_t> grid;
  for (const Expr &extent : source.grid)
    grid.push_back(expression(extent));
  std::vector<fb::LaunchArg> args;
  for (const LaunchArg &arg : source.args)
    args.push_back(argument(arg));
  auto gridVector = builder.CreateVector(grid);
  auto argVector = builder.CreateVectorOfStructs(args);
  auto body = fb::CreateLaunch(builder, source.kernel, gridVector,
                               source.dependent, argVector);
  return fb::CreateStep(builder, fb::StepBody_Launch, body.Union());
}

Offset<fb::TensorMap> PlanWriter::tensorMap(const TensorMap &source) {
  fb::LaunchArg base = argument(source.base);
  auto extents = builder.CreateVector(expressions(source.extents));
  auto strides = builder.CreateVector(expressions(source.strides));
  auto box = builder.CreateVector(source.box);
  bool isIm2col = !source.steps.empty();
  auto corner = [&](const std::vector<int32_t> &at) {
    return isIm2col ? builder.CreateVector(at) : Offset<Vector<int32_t>>();
  };
  auto lower = corner(source.lower), upper = corner(source.upper);
  auto steps = isIm2col ? builder.CreateVector(source.steps)
                        : Offset<Vector<uint32_t>>();
  return fb::CreateTensorMap(builder, &base, source.dtype, extents, strides,
                             box, static_cast<fb::Swizzle>(source.swizzle),
                             source.fillNan, lower, upper, steps);
}

Offset<fb::Kernel> PlanWriter::kernel(const DeviceKernel &source) {
  auto name = text(source.name);
  auto cluster = builder.CreateVector(source.cluster, 3);
  return fb::CreateKernel(
      builder, name, source.threads, cluster, source.dynamicShared,
      source.staticShared, source.registers, source.spillStores,
      source.spillLoads, source.stackBytes, source.blocksPerSm);
}

Offset<fb::DeviceVariant>
PlanWriter::deviceVariant(const DeviceVariant &source) {
  auto target = text(source.target);
  Offset<Vector<uint8_t>> cubin;
  if (!source.cubin.empty())
    cubin = bytes(source.cubin);
  Offset<flatbuffers::String> ptx;
  if (!source.ptx.empty())
    ptx = builder.CreateString(source.ptx);
  auto kernels = list(source.kernels, [this](const DeviceKernel &item) {
    return kernel(item);
  });
  return fb::CreateDeviceVariant(builder, target, cubin, ptx, source.ptxVersion,
                                 kernels);
}

Offset<fb::Step> PlanWriter::cudnnExecute(const CudnnExecute &source) {
  auto kinds = builder.CreateVector(source.kinds);
  std::vector<fb::CudnnRecord> records;
  for (const CudnnRecord &record : source.records)
    records.emplace_back(record.descriptor, record.attribute, record.type,
                         record.count, record.first);
  auto recordVector = builder.CreateVectorOfStructs(records);
  auto words = builder.CreateVector(source.words);
  std::vector<fb::Knob> knobs;
  for (const og_knob &knob : source.knobs)
    knobs.emplace_back(knob.type, knob.value);
  auto knobVector = builder.CreateVectorOfStructs(knobs);
  auto uids = builder.CreateVector(source.uids);
  std::vector<fb::LaunchArg> args;
  for (const LaunchArg &arg : source.args)
    args.push_back(argument(arg));
  auto argVector = builder.CreateVectorOfStructs(args);
  Offset<Vector<uint8_t>> serialized;
  if (!source.serialized.empty())
    serialized = bytes(source.serialized);
  auto body = fb::CreateCudnnExecute(
      builder, kinds, recordVector, words, source.engine, knobVector, uids,
      argVector, source.workspace, source.bytes, source.library, serialized);
  return fb::CreateStep(builder, fb::StepBody_CudnnExecute, body.Union());
}

Offset<fb::Step> PlanWriter::step(const Step &source) {
  if (const auto *item = std::get_if<CudnnExecute>(&source))
    return cudnnExecute(*item);
  if (const auto *item = std::get_if<Launch>(&source))
    return launch(*item);
  if (const auto *call = std::get_if<HostCall>(&source)) {
    auto body = fb::CreateHostCall(builder, call->entry);
    return fb::CreateStep(builder, fb::StepBody_HostCall, body.Union());
  }
  const Fill &fill = std::get<Fill>(source);
  auto body = fb::CreateFill(builder, expression(fill.offset),
                             expression(fill.size), fill.value);
  return fb::CreateStep(builder, fb::StepBody_Fill, body.Union());
}

Offset<Vector<Offset<fb::ImageSymbol>>>
PlanWriter::imageSymbols(const std::vector<ImageSymbol> &sources) {
  return list(sources, [this](const ImageSymbol &symbol) {
    return fb::CreateImageSymbol(builder, text(symbol.name), symbol.offset,
                                 symbol.size);
  });
}

Offset<fb::Variant> PlanWriter::variant(const Variant &source) {
  auto target = text(source.target);
  auto segments = list(source.segments, [this](const Segment &segment) {
    return fb::CreateSegment(
        builder, static_cast<fb::SegmentKind>(segment.kind), segment.offset,
        segment.memSize, bytes(segment.bytes));
  });
  std::vector<fb::Relocation> relocations;
  for (const Relocation &relocation : source.relocations)
    relocations.emplace_back(relocation.offset, relocation.addend,
                             relocation.import);
  auto relocationVector = builder.CreateVectorOfStructs(relocations);
  auto imports = list(source.imports,
                      [this](const std::string &name) { return text(name); });
  auto entries = imageSymbols(source.entries);
  auto functions = imageSymbols(source.functions);
  return fb::CreateVariant(builder, target, segments, relocationVector, imports,
                           entries, functions);
}

void PlanWriter::write() {
  auto operands = list(contents.operands,
                       [this](const Operand &item) { return operand(item); });
  auto symbols = list(contents.symbols,
                      [this](const Symbol &item) { return symbol(item); });
  auto steps =
      list(contents.steps, [this](const Step &item) { return step(item); });
  auto variants = list(contents.variants,
                       [this](const Variant &item) { return variant(item); });
  auto notes = list(contents.notes,
                    [this](const std::string &note) { return text(note); });
  Offset<Vector<Offset<fb::TensorMap>>> maps;
  if (!contents.tensorMaps.empty())
    maps = list(contents.tensorMaps,
                [this](const TensorMap &item) { return tensorMap(item); });
  Offset<Vector<Offset<fb::DeviceVariant>>> deviceVariants;
  if (!contents.deviceVariants.empty())
    deviceVariants =
        list(contents.deviceVariants,
             [this](const DeviceVariant &item) { return deviceVariant(item); });
  std::vector<fb::Knob> knobs;
  for (const og_knob &knob : contents.knobs)
    knobs.emplace_back(knob.type, knob.value);
  std::vector<fb::AliasPair> aliases;
  for (auto [input, output] : contents.aliases)
    aliases.emplace_back(input, output);
  uint32_t shared = expression(contents.workspaceShared);
  uint32_t perWorker = expression(contents.workspacePrivate);
  // After this no expression may be added: the pool is written.
  auto tokenVector = builder.CreateVectorOfStructs(tokens);
  auto rangeVector = builder.CreateVectorOfStructs(ranges);
  auto knobVector = builder.CreateVectorOfStructs(knobs);
  auto aliasVector = builder.CreateVectorOfStructs(aliases);
  auto name = text(contents.name), compiler = text(contents.compiler);
  auto target = text(contents.target), engine = text(contents.engineName);
  auto source = builder.CreateString(contents.sourceMlir);
  builder.Finish(fb::CreatePlan(
      builder, name, compiler, target, contents.engineId, engine,
      contents.engineVersion, OG_HOST_ABI_VERSION, knobVector, notes, symbols,
      operands, aliasVector, tokenVector, rangeVector, shared, perWorker,
      contents.maxWorkers, steps, variants, source,
      static_cast<fb::DeviceKind>(contents.device), maps, deviceVariants));
}

/// An upper bound of the body's bytes from its large parts. FlatBuffers stops
/// the process beyond 2 GiB, so this must be known before.
static uint64_t estimateBytes(const PlanContents &contents) {
  uint64_t bytes = contents.sourceMlir.size() + (1 << 20);
  for (const Variant &variant : contents.variants) {
    for (const Segment &segment : variant.segments)
      bytes += segment.bytes.size();
    bytes += variant.relocations.size() * sizeof(fb::Relocation);
    bytes += (variant.functions.size() + variant.imports.size()) * 256;
  }
  for (const DeviceVariant &variant : contents.deviceVariants)
    bytes += variant.cubin.size() + variant.ptx.size() +
             variant.kernels.size() * 4096;
  for (const Step &step : contents.steps)
    if (const auto *launch = std::get_if<Launch>(&step))
      bytes += launch->args.size() * (sizeof(fb::LaunchArg) + 64);
    else if (const auto *execute = std::get_if<CudnnExecute>(&step))
      bytes += execute->serialized.size() + execute->words.size() * 8 +
               execute->kinds.size() * 4 +
               execute->records.size() * sizeof(fb::CudnnRecord) +
               execute->args.size() * (sizeof(fb::LaunchArg) + 64);
  return bytes + contents.operands.size() * 4096 + contents.steps.size() * 256;
}

bool opgraph::planfile::writePlanFile(const PlanContents &contents,
                                      std::vector<uint8_t> &result,
                                      std::string &error) {
  result.clear();
  for (const Operand &operand : contents.operands)
    if (operand.extents.size() != operand.strides.size()) {
      error = "operand '" + operand.name + "' has " +
              std::to_string(operand.extents.size()) + " extents and " +
              std::to_string(operand.strides.size()) + " strides";
      return false;
    }
  if (estimateBytes(contents) >= maxFileBytes) {
    error = "plan '" + contents.name + "' needs about " +
            std::to_string(estimateBytes(contents)) +
            " bytes, a plan file has fewer than " +
            std::to_string(maxFileBytes);
    return false;
  }
  PlanWriter writer(contents);
  writer.write();
  const flatbuffers::FlatBufferBuilder &builder = writer.result();
  result.resize(sizeof(Header) + builder.GetSize());
  std::memcpy(result.data() + sizeof(Header), builder.GetBufferPointer(),
              builder.GetSize());
  return sealPlanFile(result);
}

bool opgraph::planfile::sealPlanFile(std::vector<uint8_t> &bytes) {
  Header header = {};
  if (bytes.size() < sizeof(header))
    return false;
  std::memcpy(header.magic, magic, sizeof(magic));
  header.major = formatMajor;
  header.minor = header.minorCopy = formatMinor;
  header.headerBytes = sizeof(header);
  header.totalBytes = bytes.size();
  std::memcpy(bytes.data(), &header, sizeof(header));
  computeDigest(bytes.data(), bytes.size(), header.digest);
  std::memcpy(bytes.data(), &header, sizeof(header));
  return true;
}
