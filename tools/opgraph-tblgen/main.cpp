//===- main.cpp - opgraph-tblgen: tables and typed methods from ODS -------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "OpModel.h"
#include "mlir/TableGen/GenInfo.h"
#include "mlir/Tools/mlir-tblgen/MlirTblgenMain.h"

using namespace opgraph::tblgen;

static mlir::GenRegistration
    genTable("gen-op-table", "Table of operations for the graph builder",
             emitOpTable);
static mlir::GenRegistration
    genCpp("gen-typed-cpp", "Option structs and methods of the C++ builder",
           emitTypedCpp);
static mlir::GenRegistration
    genPython("gen-typed-python", "Table and methods of the Python builder",
              emitTypedPython);

int main(int argc, char **argv) { return mlir::MlirTblgenMain(argc, argv); }
