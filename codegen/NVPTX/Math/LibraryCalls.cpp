//===- LibraryCalls.cpp - Functions of NVIDIA's libdevice -----------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "codegen/NVPTX/Math/Arithmetic.h"
#include "mlir/Dialect/LLVMIR/LLVMDialect.h"
#include "mlir/Dialect/Math/IR/Math.h"
#include "mlir/IR/BuiltinOps.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
namespace ops = mlir::math;

/// The f64 function is `__nv_` and this, that of f32 has an f behind. Empty:
/// there is none.
static StringRef getName(Operation *op) {
  return llvm::TypeSwitch<Operation *, StringRef>(op)
      .Case([](ops::ExpOp) { return "exp"; })
      .Case([](ops::Exp2Op) { return "exp2"; })
      .Case([](ops::ExpM1Op) { return "expm1"; })
      .Case([](ops::LogOp) { return "log"; })
      .Case([](ops::Log2Op) { return "log2"; })
      .Case([](ops::Log10Op) { return "log10"; })
      .Case([](ops::Log1pOp) { return "log1p"; })
      .Case([](ops::PowFOp) { return "pow"; })
      .Case([](ops::RsqrtOp) { return "rsqrt"; })
      .Case([](ops::CbrtOp) { return "cbrt"; })
      .Case([](ops::TanhOp) { return "tanh"; })
      .Case([](ops::SinhOp) { return "sinh"; })
      .Case([](ops::CoshOp) { return "cosh"; })
      .Case([](ops::AtanhOp) { return "atanh"; })
      .Case([](ops::AsinhOp) { return "asinh"; })
      .Case([](ops::AcoshOp) { return "acosh"; })
      .Case([](ops::SinOp) { return "sin"; })
      .Case([](ops::CosOp) { return "cos"; })
      .Case([](ops::TanOp) { return "tan"; })
      .Case([](ops::AsinOp) { return "asin"; })
      .Case([](ops::AcosOp) { return "acos"; })
      .Case([](ops::AtanOp) { return "atan"; })
      .Case([](ops::Atan2Op) { return "atan2"; })
      .Case([](ops::ErfOp) { return "erf"; })
      .Case([](ops::ErfcOp) { return "erfc"; })
      .Case([](ops::RoundOp) { return "round"; })
      .Default(StringRef());
}

static LLVM::LLVMFuncOp declare(ModuleOp module, StringRef name,
                                TypeRange operands, Type result) {
  if (auto known = module.lookupSymbol<LLVM::LLVMFuncOp>(name))
    return known;
  OpBuilder b = OpBuilder::atBlockEnd(module.getBody());
  auto type = LLVM::LLVMFunctionType::get(result, SmallVector<Type>(operands));
  return LLVM::LLVMFuncOp::create(b, module.getLoc(), name, type);
}

Value opgraph::codegen::math::emitLibraryCall(Arithmetic &a, Operation *op,
                                              ValueRange operands) {
  StringRef name = getName(op);
  auto module = op->getParentOfType<ModuleOp>();
  if (name.empty() || !module)
    return {};
  Type type = operands[0].getType();
  std::string symbol = ("__nv_" + name + (type.isF64() ? "" : "f")).str();
  LLVM::LLVMFuncOp function =
      declare(module, symbol, operands.getTypes(), type);
  return LLVM::CallOp::create(a.b, function, operands).getResult();
}
