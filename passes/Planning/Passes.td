//===- Passes.td - Classify and plan -----------------------*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PASSES_PLANNING_PASSES_TD
#define OPGRAPH_PASSES_PLANNING_PASSES_TD

include "mlir/Pass/PassBase.td"

def GraphClassifyPass : Pass<"graph-classify", "::opgraph::graph::GraphOp"> {
  let summary = "Write a graph's family and facts on it";
  let description = [{
    Attaches `graph.family` and `graph.facts`: what planning reads, in a form
    that people and tests read. Nothing depends on the attributes.

    ```mlir
    graph.graph @relu(...) attributes {graph.family = "pointwise",
        graph.facts = {elements = 32, flops = 32, ops = 1, ...}}
    ```
  }];
}

def GraphPlanPass : Pass<"graph-plan", "::opgraph::graph::GraphOp"> {
  let summary = "List every plan that can run a graph, best first";
  let description = [{
    Attaches `graph.plans`, the ranked list, and `graph.declines`, why engines
    (or single configurations) are not on it. Fails, with the table of reasons,
    only when no plan is left. A graph is planned once: one that has plans
    already is an error.

    ```mlir
    graph.graph @relu(...) attributes {graph.plans = [
        #graph.plan<engine = 10100, name = "host.fused", ...>, ...]}
    ```
  }];
  let options = [
    ListOption<"modes", "modes", "std::string",
               "Heuristic modes in order: A, B, FALLBACK, OPENSOURCE "
               "(default: A,FALLBACK)">,
    Option<"target", "target", "std::string", /*default=*/"\"host\"",
           "'host', or a device description: JSON or its path">,
    Option<"workers", "workers", "int64_t", /*default=*/"1",
           "Host workers that the cost model counts on">,
    Option<"engine", "engine", "std::string", /*default=*/"\"\"",
           "Pin one engine, or one plan by its spelling">,
    ListOption<"deselect", "deselect-engines", "std::string",
               "Bar plans whose name contains one of these">,
    Option<"maxWorkspace", "max-workspace", "int64_t", /*default=*/"-1",
           "Bar plans that need more bytes; -1 for no bound">,
    Option<"optIn", "opt-in", "bool", /*default=*/"false",
           "Let engines in that are not on by default">,
  ];
}

#endif // OPGRAPH_PASSES_PLANNING_PASSES_TD
