//===- AotObject.cpp - Plans as object files ------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/Object/AotObject.h"
#include "codegen/Host/MachineCode.h"
#include "codegen/Host/Recovery.h"
#include "codegen/Host/TargetVariant.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/IR/Constants.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/LLVMContext.h"
#include "llvm/IR/Module.h"
#include "llvm/Target/TargetMachine.h"

using namespace llvm;
using namespace opgraph::codegen;

bool opgraph::codegen::isCIdentifier(StringRef name) {
  auto isWord = [](char c) { return isAlnum(c) || c == '_'; };
  return !name.empty() && !isDigit(name.front()) && all_of(name, isWord);
}

namespace {
/// Builds the module: data, slot and functions.
class AotModule {
public:
  AotModule(Module &module, ArrayRef<uint8_t> plan);

  /// Defines `<name><suffix>`, which calls `callee` of the runtime with slot,
  /// bytes and size in front of its own `numPointers` arguments.
  void defineFunction(StringRef name, StringRef callee, unsigned numPointers);

private:
  Module &module;
  LLVMContext &context;
  GlobalVariable *bytes;
  GlobalVariable *slot;
  uint64_t size;
};
} // namespace

AotModule::AotModule(Module &module, ArrayRef<uint8_t> plan)
    : module(module), context(module.getContext()), size(plan.size()) {
  Constant *data = ConstantDataArray::get(context, plan);
  bytes = new GlobalVariable(module, data->getType(), /*isConstant=*/true,
                             GlobalValue::InternalLinkage, data, "plan");
  // The loader uses the bytes in place when they are aligned so.
  bytes->setAlignment(Align(64));
  Type *pointer = PointerType::getUnqual(context);
  slot = new GlobalVariable(module, pointer, /*isConstant=*/false,
                            GlobalValue::InternalLinkage,
                            Constant::getNullValue(pointer), "slot");
}

void AotModule::defineFunction(StringRef name, StringRef callee,
                               unsigned numPointers) {
  Type *pointer = PointerType::getUnqual(context);
  Type *status = Type::getInt32Ty(context);
  Type *sizeType = Type::getInt64Ty(context);
  SmallVector<Type *> own(numPointers, pointer);
  SmallVector<Type *> passed{pointer, pointer, sizeType};
  passed.append(own);
  FunctionCallee runtime = module.getOrInsertFunction(
      callee, FunctionType::get(status, passed, /*isVarArg=*/false));
  Function *function =
      Function::Create(FunctionType::get(status, own, /*isVarArg=*/false),
                       GlobalValue::ExternalLinkage, name, module);
  IRBuilder<> builder(BasicBlock::Create(context, "", function));
  SmallVector<Value *> arguments{slot, bytes, ConstantInt::get(sizeType, size)};
  for (Argument &argument : function->args())
    arguments.push_back(&argument);
  builder.CreateRet(builder.CreateCall(runtime, arguments));
}

static Expected<std::string> emitModule(ArrayRef<uint8_t> plan,
                                        StringRef name) {
  // Nothing here needs more than the least variant.
  auto machine = BorrowedTargetMachine::borrow(targetVariants().front(),
                                               /*fuse=*/false);
  if (!machine)
    return machine.takeError();
  LLVMContext context;
  DiagnosticCollector diagnostics(context);
  Module module("opgraph", context);
  AotModule aot(module, plan);
  std::string prefix = name.str();
  aot.defineFunction(prefix + "_execute", "og_aot_execute", 2);
  aot.defineFunction(prefix + "_workspace_size", "og_aot_workspace_size", 2);
  aot.defineFunction(prefix + "_describe", "og_aot_describe", 1);
  optimizeModule(module, **machine);
  auto object = emitMachineCode(module, **machine, /*assembly=*/false);
  if (Error error = diagnostics.take("code generation failed")) {
    if (!object)
      consumeError(object.takeError());
    return error;
  }
  if (!object)
    return object.takeError();
  return std::string(object->begin(), object->end());
}

Expected<std::string> opgraph::codegen::emitAotObject(ArrayRef<uint8_t> plan,
                                                      StringRef name) {
  if (!isCIdentifier(name))
    return createStringError("object name '" + name +
                             "' is not a C identifier");
  std::string object;
  Error error = recoverFatalErrors([&]() -> Error {
    Expected<std::string> emitted = emitModule(plan, name);
    if (!emitted)
      return emitted.takeError();
    object = std::move(*emitted);
    return Error::success();
  });
  if (error)
    return error;
  return object;
}
