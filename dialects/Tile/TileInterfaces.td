//===- TileInterfaces.td - What tile ops and layouts answer -*- tablegen -*-==//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TILE_INTERFACES_TD
#define OPGRAPH_TILE_INTERFACES_TD

include "mlir/IR/Interfaces.td"

def DistributionAttrInterface : AttrInterface<"DistributionAttrInterface"> {
  let cppNamespace = "::opgraph::tile";
  let description = [{
    Which thread and register of a group hold which element of a register tile.
    An axis of extent E is a mixed-radix number, most significant factor first;
    each factor is owned by a register, a lane or a warp and carries the stride
    it has in that owner's index. An axis of extent 1 has no factors: its value
    is replicated over the threads that the axis would be spread over.
    Everything (lowering, vector width, ldmatrix match, interpreter) reads
    factors; nothing asks for the attribute's class.
  }];
  let methods = [
    InterfaceMethod<[{
      Factors of axis 0 (rows) or 1 (columns) for a tile of this shape, or
      failure, with a reason, where the shape does not fit.
    }], "::mlir::FailureOr<::llvm::SmallVector<::opgraph::tile::Factor>>",
    "getFactors",
    (ins "unsigned":$axis, "::llvm::ArrayRef<int64_t>":$shape,
         "::llvm::function_ref<::mlir::InFlightDiagnostic()>":$emit_error)>,
    InterfaceMethod<"Number of warps that the layout spreads over", "int64_t",
                    "getNumWarps">,
  ];
}

def TileOpInterface : OpInterface<"TileOpInterface"> {
  let cppNamespace = "::opgraph::tile";
  let description = "Implemented by every op of the dialect that runs in a kernel.";
  let methods = [
    InterfaceMethod<[{
      What the op needs of a target (bits of `Feature`); the kernel's verifier
      compares with each target that the kernel claims.
    }], "::opgraph::tile::FeatureSet", "getFeatures", (ins), [{}],
    [{ return {}; }]>,
    StaticInterfaceMethod<[{
      Who runs it: `Group` (all threads, converged), `Elected` (one thread, on
      behalf of the group) or `Warp` (each warp alone; legal under a condition
      that is uniform per warp only).
    }], "::opgraph::tile::Executor", "getExecutor", (ins), [{}],
    [{ return ::opgraph::tile::Executor::Warp; }]>,
  ];
}

def AccessOpInterface : OpInterface<"AccessOpInterface"> {
  let cppNamespace = "::opgraph::tile";
  let description = [{
    Ops that touch shared or global memory. One answer serves the verifier
    (which order must an arrive have), the interpreter (races, bounds, proxies)
    and the documentation.
  }];
  let methods = [
    InterfaceMethod<[{
      Appends (operand, read or write, proxy generic or async, completion) for
      each access. Completion is `Now`, a semaphore operand, or a queue (`Copy`,
      `Bulk`, `Mma`) that a commit and a wait of that queue order.
    }], "void", "getAccesses",
    (ins "::llvm::SmallVectorImpl<::opgraph::tile::Access> &":$accesses)>,
  ];
}

def SyncOpInterface : OpInterface<"SyncOpInterface"> {
  let cppNamespace = "::opgraph::tile";
  let description = [{
    Ops that order accesses: arrivals and waits on rings and semaphores,
    barriers, commits and waits of queues, fences.
  }];
  let methods = [
    InterfaceMethod<"The edge of happens-before that the op makes",
                    "::opgraph::tile::SyncEffect", "getSyncEffect">,
  ];
}

#endif // OPGRAPH_TILE_INTERFACES_TD
