//===- FromIR.cpp - plan.program to plan file -----------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/PlanFile/FromIR.h"
#include "codegen/PlanFile/CudnnFromIR.h"
#include "codegen/PlanFile/LaunchFromIR.h"
#include "mlir/IR/AffineExpr.h"
#include "mlir/IR/BuiltinTypes.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph;
using namespace opgraph::planfile;

og_dtype opgraph::planfile::dtypeFromType(Type type) {
  if (auto integer = dyn_cast<IntegerType>(type)) {
    switch (integer.getWidth()) {
    case 1:
      return OG_DTYPE_BOOLEAN;
    case 4:
      return OG_DTYPE_INT4;
    case 8:
      return integer.isUnsigned() ? OG_DTYPE_UINT8 : OG_DTYPE_INT8;
    case 32:
      return OG_DTYPE_INT32;
    case 64:
      return OG_DTYPE_INT64;
    default:
      return OG_DTYPE_NOT_SET;
    }
  }
  return llvm::TypeSwitch<Type, og_dtype>(type)
      .Case([](Float16Type) { return OG_DTYPE_HALF; })
      .Case([](BFloat16Type) { return OG_DTYPE_BFLOAT16; })
      .Case([](Float32Type) { return OG_DTYPE_FLOAT; })
      .Case([](Float64Type) { return OG_DTYPE_DOUBLE; })
      .Case([](Float8E4M3FNType) { return OG_DTYPE_FP8_E4M3; })
      .Case([](Float8E5M2Type) { return OG_DTYPE_FP8_E5M2; })
      .Case([](Float8E8M0FNUType) { return OG_DTYPE_FP8_E8M0; })
      .Case([](Float4E2M1FNType) { return OG_DTYPE_FP4_E2M1; })
      .Default([](Type) { return OG_DTYPE_NOT_SET; });
}

static ExprOp operatorOf(AffineExprKind kind) {
  switch (kind) {
  case AffineExprKind::Add:
    return ExprOp::Add;
  case AffineExprKind::Mul:
    return ExprOp::Mul;
  case AffineExprKind::FloorDiv:
    return ExprOp::FloorDiv;
  case AffineExprKind::CeilDiv:
    return ExprOp::CeilDiv;
  default:
    return ExprOp::Mod;
  }
}

Expr opgraph::planfile::toExpr(AffineExpr expr) {
  if (auto constant = dyn_cast<AffineConstantExpr>(expr))
    return Expr(constant.getValue());
  if (auto symbol = dyn_cast<AffineSymbolExpr>(expr))
    return Expr::symbol(symbol.getPosition());
  auto binary = cast<AffineBinaryOpExpr>(expr);
  return Expr::binary(operatorOf(expr.getKind()), toExpr(binary.getLHS()),
                      toExpr(binary.getRHS()));
}

std::vector<Expr> opgraph::planfile::toExprs(AffineMap map) {
  std::vector<Expr> exprs;
  for (AffineExpr expr : map.getResults())
    exprs.push_back(toExpr(expr));
  return exprs;
}

/// One element as memory holds it.
static std::vector<uint8_t> toBytes(TypedAttr value) {
  APInt bits(8, 0);
  if (auto integer = dyn_cast<IntegerAttr>(value))
    bits = integer.getValue();
  else if (auto number = dyn_cast<FloatAttr>(value))
    bits = number.getValue().bitcastToAPInt();
  std::vector<uint8_t> bytes((bits.getBitWidth() + 7) / 8);
  APInt padded = bits.zext(bytes.size() * 8);
  for (auto [index, byte] : llvm::enumerate(bytes))
    byte = padded.extractBitsAsZExtValue(8, 8 * index);
  return bytes;
}

static planfile::Symbol convert(plan::SymbolOp op) {
  planfile::Symbol symbol;
  symbol.name = op.getName().str();
  symbol.isStride = op.getSource() == plan::SymbolSource::Stride;
  symbol.operand = op.getOperandIndex();
  symbol.axis = op.getAxis();
  symbol.min = op.getMin();
  symbol.max = op.getMax();
  symbol.divisor = op.getDivisor();
  if (std::optional<uint64_t> value = op.getDefaultValue())
    symbol.defaultValue = *value;
  return symbol;
}

static llvm::Expected<planfile::Operand> convert(plan::OperandOp op) {
  planfile::Operand operand;
  operand.uid = op.getUid();
  operand.name = op.getName().str();
  operand.dtype = dtypeFromType(op.getElementType());
  if (operand.dtype == OG_DTYPE_NOT_SET) {
    std::string text;
    llvm::raw_string_ostream(text) << op.getElementType();
    return llvm::createStringError("operand '" + operand.name +
                                   "' has element type " + text +
                                   ", which no plan file can hold");
  }
  operand.isOutput = op.getRole() == plan::Role::Out;
  operand.byValue = op.getByValue();
  if (TypedAttr value = op.getDefaultValueAttr())
    operand.defaultValue = toBytes(value);
  operand.alignment = op.getAlignment();
  operand.storage = static_cast<og_storage>(op.getStorage());
  if (std::optional<AffineMap> bytes = op.getStorageBytes())
    operand.storageBytes = toExpr(bytes->getResult(0));
  operand.extents = toExprs(op.getExtents());
  operand.strides = toExprs(op.getStrides());
  operand.strideRule = static_cast<og_stride_rule>(op.getStrideRule());
  return operand;
}

/// The position of `name` in `names`, where it is added when it is new.
static uint32_t indexOf(StringRef name, SmallVectorImpl<StringRef> &names) {
  auto found = llvm::find(names, name);
  uint32_t index = found - names.begin();
  if (found == names.end())
    names.push_back(name);
  return index;
}

/// Host entries are numbered by first call, kernels by first launch.
static llvm::Expected<std::vector<Step>> convertSteps(plan::ProgramOp program) {
  std::vector<Step> steps;
  SmallVector<StringRef> entries, kernels;
  for (Operation &op : program.getBody().front()) {
    if (auto call = dyn_cast<plan::HostCallOp>(op))
      steps.push_back(planfile::HostCall{indexOf(call.getCallee(), entries)});
    else if (auto launch = dyn_cast<plan::LaunchOp>(op))
      steps.push_back(
          convertLaunch(launch, indexOf(launch.getKernel(), kernels)));
    else if (auto execute = dyn_cast<plan::CudnnExecuteOp>(op)) {
      llvm::Expected<CudnnExecute> step = convertCudnn(execute);
      if (!step)
        return step.takeError();
      steps.push_back(std::move(*step));
    } else if (auto fill = dyn_cast<plan::FillOp>(op))
      steps.push_back(planfile::Fill{toExpr(fill.getOffset().getResult(0)),
                                     toExpr(fill.getSize().getResult(0)),
                                     static_cast<uint8_t>(fill.getValue())});
  }
  return steps;
}

SmallVector<StringRef>
opgraph::planfile::launchedKernels(plan::ProgramOp program) {
  SmallVector<StringRef> kernels;
  for (plan::LaunchOp launch : program.getBody().getOps<plan::LaunchOp>())
    indexOf(launch.getKernel(), kernels);
  return kernels;
}

/// Engine, knobs, notes and names.
static void convertIdentity(plan::ProgramOp program, PlanContents &contents) {
  contents.name = program.getSymName().str();
  contents.compiler = program.getCompiler().value_or("opgraph").str();
  contents.target = program.getTarget().str();
  contents.sourceMlir = program.getSource().value_or("").str();
  plan::EngineAttr engine = program.getEngine();
  contents.engineId = engine.getId();
  contents.engineName = engine.getName().str();
  contents.engineVersion = engine.getVersion();
  ArrayRef<int64_t> knobs = engine.getKnobs();
  for (size_t i = 0; i + 1 < knobs.size(); i += 2)
    contents.knobs.push_back({knobs[i], knobs[i + 1]});
  if (std::optional<ArrayAttr> notes = program.getNotes())
    for (auto note : notes->getAsRange<StringAttr>())
      contents.notes.push_back(note.str());
}

llvm::Expected<PlanContents>
opgraph::planfile::contentsFromIR(plan::ProgramOp program,
                                  std::vector<Variant> variants,
                                  std::vector<DeviceVariant> deviceVariants) {
  PlanContents contents;
  convertIdentity(program, contents);
  if (program.getTarget().starts_with(plan::cudaTargetPrefix))
    contents.device = DeviceKind::Cuda;
  for (plan::SymbolOp symbol : program.getSymbols())
    contents.symbols.push_back(convert(symbol));
  for (plan::OperandOp op : program.getOperandDecls()) {
    llvm::Expected<planfile::Operand> operand = convert(op);
    if (!operand)
      return operand.takeError();
    contents.operands.push_back(std::move(*operand));
  }
  for (plan::AliasOp alias : program.getAliases())
    contents.aliases.push_back(
        {uint32_t(alias.getInput()), uint32_t(alias.getOutput())});
  if (plan::WorkspaceAttr workspace = program.getWorkspaceAttr()) {
    contents.workspaceShared = toExpr(workspace.getSharedSize().getResult(0));
    contents.workspacePrivate = toExpr(workspace.getPrivateSize().getResult(0));
    contents.maxWorkers = workspace.getMaxWorkers();
  }
  for (plan::EncodeMapOp map : program.getTensorMaps())
    contents.tensorMaps.push_back(convertTensorMap(map));
  llvm::Expected<std::vector<Step>> steps = convertSteps(program);
  if (!steps)
    return steps.takeError();
  contents.steps = std::move(*steps);
  contents.variants = std::move(variants);
  contents.deviceVariants = std::move(deviceVariants);
  return contents;
}

llvm::Expected<std::vector<uint8_t>>
opgraph::planfile::planFileFromIR(plan::ProgramOp program,
                                  std::vector<Variant> variants,
                                  std::vector<DeviceVariant> deviceVariants) {
  llvm::Expected<PlanContents> contents =
      contentsFromIR(program, std::move(variants), std::move(deviceVariants));
  if (!contents)
    return contents.takeError();
  std::vector<uint8_t> bytes;
  std::string error;
  if (!writePlanFile(*contents, bytes, error))
    return llvm::createStringError(error);
  return bytes;
}
