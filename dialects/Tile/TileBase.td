//===- TileBase.td - What all ops of tile share -------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TILE_BASE_TD
#define OPGRAPH_TILE_BASE_TD

include "mlir/IR/BuiltinAttributeInterfaces.td"
include "mlir/IR/OpAsmInterface.td"
include "mlir/IR/SymbolInterfaces.td"
include "mlir/Interfaces/ControlFlowInterfaces.td"
include "mlir/Interfaces/InferTypeOpInterface.td"
include "mlir/Interfaces/SideEffectInterfaces.td"
include "dialects/Tile/TileTypes.td"

/// Base of all operations.
class Tile_Op<string mnemonic, list<Trait> traits = [],
              list<string> overriddenMethods = []>
    : Op<Tile_Dialect, mnemonic, !listconcat(traits, [
          DeclareOpInterfaceMethods<TileOpInterface, overriddenMethods>])> {
  /// Chapter of the op's page.
  string docGroup = "Other";
}
class Tile_StructureOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, traits, ["getExecutor"]> { let docGroup = "Kernel"; }
class Tile_AccessOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, !listconcat(traits, [
          DeclareOpInterfaceMethods<AccessOpInterface>]),
          ["getFeatures", "getExecutor"]> { let docGroup = "Memory"; }
class Tile_OrderOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, !listconcat(traits, [
          DeclareOpInterfaceMethods<SyncOpInterface>]),
          ["getFeatures", "getExecutor"]> { let docGroup = "Synchronisation"; }
class Tile_RegisterOp<string mnemonic, list<Trait> traits = []>
    : Tile_Op<mnemonic, traits> { let docGroup = "Register tiles"; }

def Tile_Slot : AnyTypeOf<[Tile_SlotType, Tile_SemaphoreType], "slot or semaphore">;
def Tile_Scalar : AnyTypeOf<[AnySignlessInteger, AnyFloat, UI8], "scalar">;
def Tile_Memory : AnyTypeOf<[Tile_ViewType, Tile_SharedType], "view or shared tile">;

#endif // OPGRAPH_TILE_BASE_TD
