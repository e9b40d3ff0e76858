//===- Passes.td - The interpreter as a pass ---------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_CODEGEN_TILEINTERPRETER_PASSES_TD
#define OPGRAPH_CODEGEN_TILEINTERPRETER_PASSES_TD

include "mlir/Pass/PassBase.td"

def TileInterpret : Pass<"tile-interpret", "::mlir::ModuleOp"> {
  let summary = "Run a tile kernel on the CPU and check its synchronisation";
  let description = [{
    Runs one kernel of the module under several interleavings of its agents and
    copies. A fault (deadlock, race, read before arrival, ...) is an error on
    the op at fault. The module is not changed.

    `args` has one entry for each parameter of the kernel, separated by commas.
    A scalar is a number. A pointer or tensor map is `[name:]source[:flag]...`:

    - source: `x.npy` (its contents), `64x512xbf16` (memory of that shape, not
      yet written), `@name` (the buffer of an earlier entry);
    - `seed=N`: filled with random numbers; `zero`, `iota`: with these;
    - `out=y.npy`: written to a file after schedule 0; `print`: as a remark;
    - `partial`: what is given out need not be written everywhere;
    - `offset=N`: where in the buffer the pointer points, in elements;
    - `shape=64x512`, `strides=512x1`: of a tensor map's tensor, where they are
      not the source's;
    - `lower=-1x-1`, `upper=-1x-1`, `steps=1x1`: of an im2col tensor map.

    ```
    graph-opt k.mlir --tile-interpret='kernel=softmax grid=4
        args=x:2x512xbf16:seed=1,y:2x512xbf16:out=y.npy,2,512,512'
    ```
  }];
  let options = [
    Option<"kernel", "kernel", "std::string", /*default=*/"\"\"",
           "Symbol of the kernel; the only one by default">,
    ListOption<"grid", "grid", "int64_t", "CTAs along x, y and z">,
    ListOption<"args", "args", "std::string", "The kernel's arguments">,
    Option<"schedules", "schedules", "unsigned", /*default=*/"8",
           "Interleavings to run">,
    Option<"seed", "seed", "uint64_t", /*default=*/"1",
           "Seed of the interleavings">,
    Option<"maxSteps", "max-steps", "uint64_t", /*default=*/"100000000",
           "Instructions of one schedule">
  ];
}

def TileInterpretProgram
    : Pass<"tile-interpret-program", "::mlir::ModuleOp"> {
  let summary = "Run the launches of a plan on the CPU";
  let description = [{
    Runs the module's `plan.program` of tile kernels on operands: launches and
    fills in order, each launch under several interleavings, as
    `tile-interpret` does. `operands` are files of raw bytes, one for each
    operand of the program; those of written operands are replaced. Workspace,
    and outputs, are not initialised.

    `symbols` are the values of the program's symbols, in order; a symbol beyond
    them has its default. Where the grids choose among kernels, only those with
    blocks run.

    `islands` and `pitches` say of each operand that only so many bytes of its
    memory exist, so many bytes from one part to the next (0: all of it does):
    its file holds those. So strides may be as long as addresses are.
  }];
  let options = [
    ListOption<"operands", "operands", "std::string",
               "Files with the operands' bytes, in order">,
    ListOption<"symbols", "symbols", "int64_t",
               "Values of the program's symbols, in order">,
    ListOption<"islands", "islands", "int64_t",
               "Bytes of the parts of each operand's memory that exist">,
    ListOption<"pitches", "pitches", "int64_t",
               "Bytes from one of these parts to the next; 0: there is one">,
    Option<"schedules", "schedules", "unsigned", /*default=*/"8",
           "Interleavings to run">,
    Option<"seed", "seed", "uint64_t", /*default=*/"1",
           "Seed of the interleavings">
  ];
}

#endif // OPGRAPH_CODEGEN_TILEINTERPRETER_PASSES_TD
