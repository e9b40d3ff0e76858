//===- KernelText.h - Hand-written text of ops ------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// The parsers and printers that the .td files name in `custom<...>`.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_DIALECTS_TILE_KERNELTEXT_H
#define OPGRAPH_DIALECTS_TILE_KERNELTEXT_H

#include "dialects/Tile/TileDialect.h"

namespace opgraph::tile {

mlir::ParseResult parseKernelBody(mlir::OpAsmParser &parser, mlir::Region &body,
                                  mlir::IntegerAttr &warps,
                                  mlir::ArrayAttr &targets,
                                  mlir::DenseI32ArrayAttr &cluster,
                                  mlir::IntegerAttr &minCtas,
                                  mlir::IntegerAttr &sharedBytes,
                                  mlir::NamedAttrList &attributes);
void printKernelBody(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                     mlir::Region &body, mlir::IntegerAttr warps,
                     mlir::ArrayAttr targets, mlir::DenseI32ArrayAttr cluster,
                     mlir::IntegerAttr minCtas, mlir::IntegerAttr sharedBytes,
                     mlir::DictionaryAttr attributes);

mlir::ParseResult
parseRoleBody(mlir::OpAsmParser &parser, mlir::Region &body,
              mlir::IntegerAttr &firstWarp, mlir::IntegerAttr &agents,
              mlir::IntegerAttr &warpsEach, mlir::IntegerAttr &registers,
              mlir::UnitAttr &single, mlir::IntegerAttr &barrier,
              mlir::NamedAttrList &attributes);
void printRoleBody(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                   mlir::Region &body, mlir::IntegerAttr firstWarp,
                   mlir::IntegerAttr agents, mlir::IntegerAttr warpsEach,
                   mlir::IntegerAttr registers, mlir::UnitAttr single,
                   mlir::IntegerAttr barrier, mlir::DictionaryAttr attributes);

mlir::ParseResult parseMapBody(
    mlir::OpAsmParser &parser,
    llvm::SmallVectorImpl<mlir::OpAsmParser::UnresolvedOperand> &inputs,
    llvm::SmallVectorImpl<mlir::Type> &inputTypes,
    llvm::SmallVectorImpl<mlir::Type> &tileTypes, mlir::Region &body);
void printMapBody(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                  mlir::OperandRange inputs, mlir::TypeRange inputTypes,
                  mlir::TypeRange tileTypes, mlir::Region &body);

/// A scope by its bare name; the group's own is not printed.
mlir::ParseResult parseSyncScope(mlir::OpAsmParser &parser, ScopeAttr &scope);
void printSyncScope(mlir::OpAsmPrinter &printer, mlir::Operation *op,
                    ScopeAttr scope);

} // namespace opgraph::tile

#endif // OPGRAPH_DIALECTS_TILE_KERNELTEXT_H
