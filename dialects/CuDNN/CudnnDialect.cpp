//===- CudnnDialect.cpp - The cudnn dialect and its type ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "dialects/CuDNN/CudnnDialect.h"
#include "mlir/IR/DialectImplementation.h"
#include "llvm/ADT/TypeSwitch.h"

using namespace mlir;
using namespace opgraph::cudnn;

#include "dialects/CuDNN/CudnnDialect.cpp.inc"

#define GET_TYPEDEF_CLASSES
#include "dialects/CuDNN/CudnnTypes.cpp.inc"

void CudnnDialect::initialize() {
  registerTypes();
  addOperations<
#define GET_OP_LIST
#include "dialects/CuDNN/CudnnOps.cpp.inc"
      >();
}

void CudnnDialect::registerTypes() {
  addTypes<
#define GET_TYPEDEF_LIST
#include "dialects/CuDNN/CudnnTypes.cpp.inc"
      >();
}
