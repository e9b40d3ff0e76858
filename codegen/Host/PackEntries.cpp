//===- PackEntries.cpp - The packed ABI of entries and bodies -------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/Host/Passes.h"
#include "codegen/Host/SizeBounds.h"
#include "dialects/Plan/PlanDialect.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/IR/BuiltinOps.h"
#include "opgraph-c/host_abi.h"
#include "llvm/ADT/MapVector.h"

namespace opgraph::codegen {
#define GEN_PASS_DEF_HOSTPACKENTRIES
#include "codegen/Host/Passes.h.inc"
} // namespace opgraph::codegen

using namespace mlir;
using namespace opgraph;

static constexpr StringLiteral parallelForName = "opgraph_parallel_for";

namespace {
/// Emits the wrappers of one program's entry and its bodies.
class EntryPacker {
public:
  EntryPacker(ModuleOp module, plan::ProgramOp program);

  /// Wraps `function`, an entry or (with `isBody`) a body.
  LogicalResult wrap(LLVM::LLVMFuncOp function, bool isBody);

private:
  LLVM::LLVMFuncOp createWrapper(LLVM::LLVMFuncOp function, StringRef name,
                                 bool isBody);
  void loadDescriptor(OpBuilder &builder, Location loc, Value args,
                      unsigned index, int64_t rank,
                      SmallVectorImpl<Value> &fields);
  void loadCaptures(OpBuilder &builder, Location loc, Value args,
                    ArrayRef<Type> types, SmallVectorImpl<Value> &values);
  void annotate(LLVM::LLVMFuncOp function, bool mayAssumeNoAlias);
  void lowerParallelFor(plan::ParallelForOp op, Value args);
  Value packCaptures(OpBuilder &builder, plan::ParallelForOp op, Value args);
  Value slot(OpBuilder &builder, Location loc, Value args, int64_t index);
  LLVM::LLVMFuncOp parallelForDeclaration();

  /// Descriptors in the packed arguments: operands and workspace.
  unsigned numDescriptors() const { return ranks.size(); }

  ModuleOp module;
  SmallVector<int64_t> ranks;
  /// Promised alignment of each descriptor's memory.
  SmallVector<int64_t> alignments;
  /// Descriptors whose memory another one may share.
  DenseSet<int64_t> aliased;
  LLVM::LLVMPointerType pointer;
  Type i64;
};
} // namespace

EntryPacker::EntryPacker(ModuleOp module, plan::ProgramOp program)
    : module(module), pointer(LLVM::LLVMPointerType::get(module.getContext())),
      i64(IntegerType::get(module.getContext(), 64)) {
  for (plan::OperandOp operand : program.getOperandDecls()) {
    ranks.push_back(operand.getRank());
    alignments.push_back(operand.getAlignment());
  }
  ranks.push_back(1);
  alignments.push_back(OG_WORKSPACE_ALIGNMENT);
  for (plan::AliasOp alias : program.getAliases()) {
    aliased.insert(alias.getInput());
    aliased.insert(alias.getOutput());
  }
}

/// Scalars that a memref of `rank` takes as arguments: allocated and aligned
/// pointer, offset, sizes, strides.
static unsigned numFields(int64_t rank) { return 3 + 2 * rank; }

/// Says what the plan promises of the aligned pointers.
void EntryPacker::annotate(LLVM::LLVMFuncOp function, bool mayAssumeNoAlias) {
  OpBuilder builder(function.getContext());
  unsigned position = 0;
  for (auto [index, rank] : llvm::enumerate(ranks)) {
    unsigned aligned = position + 1;
    position += numFields(rank);
    if (alignments[index] > 1)
      function.setArgAttr(aligned, LLVM::LLVMDialect::getAlignAttrName(),
                          builder.getI64IntegerAttr(alignments[index]));
    if (mayAssumeNoAlias && !aliased.contains(index))
      function.setArgAttr(aligned, LLVM::LLVMDialect::getNoAliasAttrName(),
                          builder.getUnitAttr());
  }
}

Value EntryPacker::slot(OpBuilder &builder, Location loc, Value args,
                        int64_t index) {
  return LLVM::GEPOp::create(builder, loc, pointer, pointer, args,
                             ArrayRef<LLVM::GEPArg>{LLVM::GEPArg(index)});
}

void EntryPacker::loadDescriptor(OpBuilder &builder, Location loc, Value args,
                                 unsigned index, int64_t rank,
                                 SmallVectorImpl<Value> &fields) {
  Value descriptor = LLVM::LoadOp::create(builder, loc, pointer,
                                          slot(builder, loc, args, index));
  for (unsigned field = 0; field < numFields(rank); ++field) {
    // The ABI says that offsets are 0.
    if (field == 2) {
      fields.push_back(LLVM::ConstantOp::create(builder, loc, i64,
                                                builder.getI64IntegerAttr(0)));
      continue;
    }
    Type type = field < 2 ? Type(pointer) : i64;
    fields.push_back(LLVM::LoadOp::create(
        builder, loc, type, slot(builder, loc, descriptor, field)));
  }
}

void EntryPacker::loadCaptures(OpBuilder &builder, Location loc, Value args,
                               ArrayRef<Type> types,
                               SmallVectorImpl<Value> &values) {
  for (auto [index, type] : llvm::enumerate(types)) {
    Value address = slot(builder, loc, args, numDescriptors() + index);
    values.push_back(LLVM::LoadOp::create(builder, loc, type, address));
  }
}

LLVM::LLVMFuncOp EntryPacker::createWrapper(LLVM::LLVMFuncOp function,
                                            StringRef name, bool isBody) {
  OpBuilder builder(function);
  Location loc = function.getLoc();
  SmallVector<Type> inputs{pointer};
  if (isBody)
    inputs.append(3, i64);
  auto voidType = LLVM::LLVMVoidType::get(module.getContext());
  auto wrapper = LLVM::LLVMFuncOp::create(
      builder, loc, name, LLVM::LLVMFunctionType::get(voidType, inputs));
  wrapper.setVisibility_(LLVM::Visibility::Hidden);
  wrapper.setPassthroughAttr(builder.getStrArrayAttr({"nounwind"}));
  Block *block = wrapper.addEntryBlock(builder);
  builder.setInsertionPointToStart(block);

  Value args = block->getArgument(0);
  SmallVector<Value> operands;
  for (auto [index, rank] : llvm::enumerate(ranks))
    loadDescriptor(builder, loc, args, index, rank, operands);
  ArrayRef<Type> types = function.getArgumentTypes();
  if (isBody) {
    llvm::append_range(operands, block->getArguments().drop_front());
    loadCaptures(builder, loc, args, types.drop_front(operands.size()),
                 operands);
  } else {
    operands.push_back(args);
  }
  LLVM::CallOp::create(builder, loc, function, operands);
  LLVM::ReturnOp::create(builder, loc, ValueRange());
  return wrapper;
}

/// Stack slots belong to the function's frame, not to the loop they stand in.
static void hoistAllocas(LLVM::LLVMFuncOp function) {
  Block &entry = function.getBody().front();
  SmallVector<LLVM::AllocaOp> allocas;
  function.walk([&](LLVM::AllocaOp op) { allocas.push_back(op); });
  for (LLVM::AllocaOp op : llvm::reverse(allocas)) {
    auto size = op.getArraySize().getDefiningOp<LLVM::ConstantOp>();
    if (!size)
      continue;
    op->moveBefore(&entry, entry.begin());
    OpBuilder builder(op);
    op.getArraySizeMutable().assign(builder.clone(*size)->getResult(0));
  }
}

/// Appends an argument for the packed arguments.
static Value appendPointer(LLVM::LLVMFuncOp function) {
  MLIRContext *context = function.getContext();
  Type pointer = LLVM::LLVMPointerType::get(context);
  SmallVector<Type> inputs(function.getArgumentTypes());
  inputs.push_back(pointer);
  function.setFunctionType(
      LLVM::LLVMFunctionType::get(LLVM::LLVMVoidType::get(context), inputs));
  function.removeArgAttrsAttr();
  return function.getBody().front().addArgument(pointer, function.getLoc());
}

LogicalResult EntryPacker::wrap(LLVM::LLVMFuncOp function, bool isBody) {
  unsigned expected = isBody ? 3 : 0;
  for (int64_t rank : ranks)
    expected += numFields(rank);
  unsigned actual = function.getNumArguments();
  if (isBody ? actual < expected : actual != expected)
    return function.emitOpError()
           << "does not take the descriptors of the plan's operands and the "
              "workspace: expected "
           << expected << " arguments, got " << actual;

  hoistAllocas(function);
  SmallVector<plan::ParallelForOp> calls;
  function.walk([&](plan::ParallelForOp op) { calls.push_back(op); });
  if (!isBody) {
    Value args = appendPointer(function);
    for (plan::ParallelForOp op : calls)
      lowerParallelFor(op, args);
  }
  // Bodies read the operands' addresses from the packed arguments, so around
  // their calls an entry cannot say that its own pointers are the only ones.
  annotate(function, /*mayAssumeNoAlias=*/calls.empty());

  std::string name = function.getName().str();
  function.setName(name + "_impl");
  OpBuilder builder(function);
  function.setPassthroughAttr(
      builder.getStrArrayAttr({"alwaysinline", "nounwind"}));
  createWrapper(function, name, isBody);
  return success();
}

//===----------------------------------------------------------------------===//
// plan.parallel_for
//===----------------------------------------------------------------------===//

LLVM::LLVMFuncOp EntryPacker::parallelForDeclaration() {
  if (auto found = module.lookupSymbol<LLVM::LLVMFuncOp>(parallelForName))
    return found;
  OpBuilder builder = OpBuilder::atBlockBegin(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(
      LLVM::LLVMVoidType::get(module.getContext()), {pointer, pointer, i64});
  auto function =
      LLVM::LLVMFuncOp::create(builder, module.getLoc(), parallelForName, type);
  function.setPassthroughAttr(builder.getStrArrayAttr({"nounwind"}));
  return function;
}

/// The packed arguments followed by the captured values, one per 8 bytes.
Value EntryPacker::packCaptures(OpBuilder &builder, plan::ParallelForOp op,
                                Value args) {
  if (op.getCaptures().empty())
    return args;
  Location loc = op.getLoc();
  unsigned count = numDescriptors() + op.getCaptures().size();
  auto function = op->getParentOfType<LLVM::LLVMFuncOp>();
  OpBuilder atEntry = OpBuilder::atBlockBegin(&function.getBody().front());
  Value size = LLVM::ConstantOp::create(atEntry, loc, i64,
                                        builder.getI64IntegerAttr(count));
  Value packed = LLVM::AllocaOp::create(atEntry, loc, pointer, i64, size, 8);
  for (unsigned index = 0; index < numDescriptors(); ++index) {
    Value address = LLVM::LoadOp::create(builder, loc, pointer,
                                         slot(builder, loc, args, index));
    LLVM::StoreOp::create(builder, loc, address,
                          slot(builder, loc, packed, index));
  }
  for (auto [index, capture] : llvm::enumerate(op.getCaptures()))
    LLVM::StoreOp::create(builder, loc, capture,
                          slot(builder, loc, packed, numDescriptors() + index));
  return packed;
}

void EntryPacker::lowerParallelFor(plan::ParallelForOp op, Value args) {
  OpBuilder builder(op);
  Location loc = op.getLoc();
  Value packed = packCaptures(builder, op, args);
  Value body = LLVM::AddressOfOp::create(builder, loc, pointer, op.getBody());
  LLVM::CallOp::create(builder, loc, parallelForDeclaration(),
                       ValueRange{body, packed, op.getCount()});
  op.erase();
}

//===----------------------------------------------------------------------===//
// Pass
//===----------------------------------------------------------------------===//

namespace {
class PackEntriesPass
    : public codegen::impl::HostPackEntriesBase<PackEntriesPass> {
public:
  void runOnOperation() override {
    ModuleOp module = getOperation();
    // Each function with the name of the entry that it belongs to.
    SmallVector<std::pair<LLVM::LLVMFuncOp, std::string>> functions;
    for (auto function : module.getOps<LLVM::LLVMFuncOp>()) {
      // Only wrappers are seen from outside.
      if (!function.isExternal())
        function.setLinkage(LLVM::Linkage::Internal);
      auto entry =
          function->getAttrOfType<FlatSymbolRefAttr>(plan::hostBodyAttrName);
      if (entry)
        functions.push_back({function, entry.getValue().str()});
      else if (function->hasAttr(plan::hostEntryAttrName))
        functions.push_back({function, function.getName().str()});
    }
    for (auto &[function, entry] : functions) {
      bool isBody = function->hasAttr(plan::hostBodyAttrName);
      plan::ProgramOp program = codegen::findProgram(module, entry);
      if (!program) {
        function.emitOpError("is called by no plan.program");
        return signalPassFailure();
      }
      if (failed(EntryPacker(module, program).wrap(function, isBody)))
        return signalPassFailure();
    }
  }
};
} // namespace
