// RUN: graph-opt %s | graph-opt | FileCheck %s

// Knobs come out by key, whatever their order was; defaults are not printed.

// CHECK: test.plan = #graph.plan<engine = 10100, name = "host.fused", version = 1, target = "host", knobs = {TILE_M = 6, TILE_N = 16}, mode = A, time_ns = 1200>
module attributes {test.plan = #graph.plan<engine = 10100, name = "host.fused", version = 1, target = "host", mode = A, time_ns = 1200, knobs = {TILE_N = 16, 26 = 6}>} {}

// CHECK: test.plan = #graph.plan<engine = 10900, name = "host.composite", version = 2, target = "sm_90:NVIDIA_H200", knobs = {PARTITION = 1, 1000000 = 10100, 1000026 = 6}, mode = FALLBACK, time_ns = 1, workspace = -1, behavior_notes = [RUNTIME_COMPILATION, CUBLASLT_DEPENDENCY], numerical_notes = [WINOGRAD_TILE_4x4]>
module attributes {test.plan = #graph.plan<engine = 10900, name = "host.composite", version = 2, target = "sm_90:NVIDIA_H200", knobs = {1000026 = 6, PARTITION = 1, 1000000 = 10100}, mode = FALLBACK, time_ns = 1, workspace = -1, behavior_notes = [RUNTIME_COMPILATION, CUBLASLT_DEPENDENCY], numerical_notes = [WINOGRAD_TILE_4x4]>} {}

// CHECK: test.decline = #graph.decline<engine = 10100, name = "host.fused", constraint = "workspace", limit = "0", actual = "4096", nearest = "max_workspace = 4096">
module attributes {test.decline = #graph.decline<engine = 10100, name = "host.fused", constraint = "workspace", limit = "0", actual = "4096", nearest = "max_workspace = 4096">} {}

// CHECK: test.decline = #graph.decline<engine = 4, name = "cudnn", constraint = "library", limit = "libcudnn.so.9", actual = "not opened", status = "LIBRARY_MISSING">
module attributes {test.decline = #graph.decline<engine = 4, name = "cudnn", constraint = "library", limit = "libcudnn.so.9", actual = "not opened", status = "LIBRARY_MISSING">} {}
