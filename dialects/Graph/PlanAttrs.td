//===- PlanAttrs.td - Plans and declines as attributes -----*- tablegen -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// What planning writes on a graph. Enum names and values are the peers'
// (reference/op_surface.md, sections 4.2 and 4.3) and only ever appended to.
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_GRAPH_PLAN_ATTRS_TD
#define OPGRAPH_GRAPH_PLAN_ATTRS_TD

include "dialects/Graph/GraphAttrs.td"

def Graph_HeurModeInfo : Graph_I32Enum<"HeurMode",
    "Which list of engine configurations a plan comes from", [
  I32EnumAttrCase<"A", 0>, I32EnumAttrCase<"B", 1>,
  I32EnumAttrCase<"FALLBACK", 2>, I32EnumAttrCase<"OPENSOURCE", 3>]>;

def Graph_NumericalNoteInfo : Graph_I32Enum<"NumericalNote",
    "How an engine computes", [
  I32EnumAttrCase<"TENSOR_CORE", 1>, I32EnumAttrCase<"DOWN_CONVERT_INPUTS", 2>,
  I32EnumAttrCase<"REDUCED_PRECISION_REDUCTION", 3>, I32EnumAttrCase<"FFT", 4>,
  I32EnumAttrCase<"NONDETERMINISTIC", 5>, I32EnumAttrCase<"WINOGRAD", 6>,
  I32EnumAttrCase<"WINOGRAD_TILE_4x4", 7>,
  I32EnumAttrCase<"WINOGRAD_TILE_6x6", 8>,
  I32EnumAttrCase<"WINOGRAD_TILE_13x13", 9>,
  I32EnumAttrCase<"STRICT_NAN_PROP", 10>]>;

def Graph_BehaviorNoteInfo : Graph_I32Enum<"BehaviorNote",
    "What an engine needs or does besides computing", [
  I32EnumAttrCase<"RUNTIME_COMPILATION", 1>,
  I32EnumAttrCase<"REQUIRES_FILTER_INT8x32_REORDER", 2>,
  I32EnumAttrCase<"REQUIRES_BIAS_INT8x32_REORDER", 3>,
  I32EnumAttrCase<"SUPPORTS_CUDA_GRAPH_NATIVE_API", 4>,
  I32EnumAttrCase<"CUBLASLT_DEPENDENCY", 5>]>;

/// One vocabulary for all engines: the library's axes, the peer frontend's from
/// 1000, the project's own from 100000. All are below 1000000, where composite
/// keys start (see Knob).
def Graph_KnobTypeInfo : Graph_I32Enum<"KnobType",
    "An axis that an engine can be tuned along", [
  I32EnumAttrCase<"NOT_SET", 0>, I32EnumAttrCase<"SWIZZLE", 1>,
  I32EnumAttrCase<"TILE_SIZE", 2>, I32EnumAttrCase<"EDGE", 3>,
  I32EnumAttrCase<"MULTIPLY", 4>, I32EnumAttrCase<"SPLIT_K_BUF", 5>,
  I32EnumAttrCase<"TILEK", 6>, I32EnumAttrCase<"STAGES", 7>,
  I32EnumAttrCase<"REDUCTION_MODE", 8>, I32EnumAttrCase<"SPLIT_K_SLC", 9>,
  I32EnumAttrCase<"IDX_MODE", 10>, I32EnumAttrCase<"SPECFILT", 11>,
  I32EnumAttrCase<"KERNEL_CFG", 12>, I32EnumAttrCase<"WORKSPACE", 13>,
  I32EnumAttrCase<"TILE_CGA_M", 14>, I32EnumAttrCase<"TILE_CGA_N", 15>,
  I32EnumAttrCase<"BLOCK_SIZE", 16>, I32EnumAttrCase<"OCCUPANCY", 17>,
  I32EnumAttrCase<"ARRAY_SIZE_PER_THREAD", 18>,
  I32EnumAttrCase<"SPLIT_COLS", 19>, I32EnumAttrCase<"TILE_ROWS", 20>,
  I32EnumAttrCase<"TILE_COLS", 21>, I32EnumAttrCase<"LOAD_SIZE", 22>,
  I32EnumAttrCase<"CTA_COUNT", 23>, I32EnumAttrCase<"STREAM_K", 24>,
  I32EnumAttrCase<"SPLIT_P_SLC", 25>, I32EnumAttrCase<"TILE_M", 26>,
  I32EnumAttrCase<"TILE_N", 27>, I32EnumAttrCase<"WARP_SPEC_CFG", 28>,
  I32EnumAttrCase<"SWAP_AB", 29>, I32EnumAttrCase<"INPUT_TMA_ENABLE", 30>,
  I32EnumAttrCase<"OUTPUT_TMA_ENABLE", 31>, I32EnumAttrCase<"TILE_CGA", 32>,
  I32EnumAttrCase<"SCHED_POLICY", 1000>, I32EnumAttrCase<"PACK_GQA", 1001>,
  I32EnumAttrCase<"SPLIT_KV", 1002>, I32EnumAttrCase<"PIPELINE_ARCH", 1003>,
  I32EnumAttrCase<"MMA_TILE_M", 1004>, I32EnumAttrCase<"MMA_TILE_N", 1005>,
  I32EnumAttrCase<"MMA_TILE_K", 1006>, I32EnumAttrCase<"CTA_GROUP", 1007>,
  I32EnumAttrCase<"WARPS_M", 1008>, I32EnumAttrCase<"WARPS_N", 1009>,
  /// Index in the graph's list of partitions (composite engines).
  I32EnumAttrCase<"PARTITION", 100000>,
  /// 1 cuts the outer loop into tasks for several workers, 0 does not.
  I32EnumAttrCase<"PARALLEL", 100001>]>;

def Graph_PlanAttr : Graph_Attr<"Plan", "plan"> {
  let summary = "One way to run a graph: engine, knobs, predicted time";
  let description = [{
    Identity is `(engine, version, knobs)`; `PlanId` spells it. `name` is the
    engine's, `target` what the plan runs on, `mode` the heuristic list that it
    came from. `time_ns` is predicted, or measured where a tuning store had it.
    `workspace` is an upper bound in bytes; -1 where it depends on extents that
    are not known yet.

    `knobs` are unique and sorted by key. A key prints as its `KnobType`, or as
    a number where it names a knob of a composite's group.

    Constraints:
    - (C1) `engine` and `time_ns` are at least 0, `version` at least 1,
      `workspace` at least -1.
    - (C2) keys of `knobs` are strictly increasing and spell known knob types.
    - (C3) `name` and `target` are not empty.

    ```mlir
    #graph.plan<engine = 10100, name = "host.fused", version = 1,
                target = "host", knobs = {TILE_M = 6, TILE_N = 16}, mode = A,
                time_ns = 1200, behavior_notes = [RUNTIME_COMPILATION]>
    ```
  }];
  let parameters = (ins
    "int64_t":$engine,
    StringRefParameter<>:$name,
    "int64_t":$version,
    StringRefParameter<>:$target,
    OptionalArrayRefParameter<"::opgraph::graph::Knob">:$knobs,
    EnumParameter<Graph_HeurModeInfo>:$mode,
    "int64_t":$time_ns,
    DefaultValuedParameter<"int64_t", "0">:$workspace,
    OptionalArrayRefParameter<"::opgraph::graph::BehaviorNote">:$behavior_notes,
    OptionalArrayRefParameter<"::opgraph::graph::NumericalNote">:$numerical_notes);
  let assemblyFormat = [{
    `<` struct($engine, $name, $version, $target, custom<Knobs>($knobs), $mode,
               $time_ns, $workspace, custom<BehaviorNotes>($behavior_notes),
               custom<NumericalNotes>($numerical_notes)) `>`
  }];
  let genVerifyDecl = 1;
  let extraClassDeclaration = [{
    /// The identity and target, ready to print.
    ::opgraph::graph::PlanId getId() const;
    /// The value of knob `key`, if the plan names it.
    std::optional<int64_t> getKnob(int64_t key) const;
    std::optional<int64_t> getKnob(::opgraph::graph::KnobType type) const {
      return getKnob(static_cast<int64_t>(type));
    }
  }];
}

def Graph_DeclineAttr : Graph_Attr<"Decline", "decline"> {
  let summary = "Why an engine does not run a graph";
  let description = [{
    One mismatch between a graph (or a request) and an engine's capability row.
    `constraint` names the rule, `limit` what the engine takes, `actual` what
    was found, `nearest` the smallest change that this rule would accept (absent
    where there is none), and `plan` the spelling of the configuration where not
    the whole engine declined. `status` and `text` carry what a library said.
    Applying the `nearest` of all of an engine's declines makes it accept.

    ```mlir
    #graph.decline<engine = 10100, name = "host.fused",
                   constraint = "workspace", limit = "0", actual = "4096",
                   nearest = "max_workspace = 4096">
    ```
  }];
  let parameters = (ins
    "int64_t":$engine,
    StringRefParameter<>:$name,
    StringRefParameter<>:$constraint,
    StringRefParameter<>:$limit,
    StringRefParameter<>:$actual,
    OptionalParameter<"::mlir::StringAttr">:$nearest,
    OptionalParameter<"::mlir::StringAttr">:$plan,
    OptionalParameter<"::mlir::StringAttr">:$status,
    OptionalParameter<"::mlir::StringAttr">:$text);
  let assemblyFormat = "`<` struct(params) `>`";
}

#endif // OPGRAPH_GRAPH_PLAN_ATTRS_TD
