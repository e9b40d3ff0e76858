// RUN: graph-opt %s --split-input-file --verify-diagnostics

// expected-error @below {{expected engine >= 0, version >= 1, time_ns >= 0 and workspace >= -1, got 1, 0, 1 and 0}}
module attributes {test.plan = #graph.plan<engine = 1, name = "x", version = 0, target = "host", mode = A, time_ns = 1>} {}

// -----

// expected-error @below {{expected a knob type, got 'TILE_Q'}}
module attributes {test.plan = #graph.plan<engine = 1, name = "x", version = 1, target = "host", knobs = {TILE_Q = 1}, mode = A, time_ns = 1>} {}

// -----

// expected-error @below {{expected a knob type, got '1000033'}}
module attributes {test.plan = #graph.plan<engine = 1, name = "x", version = 1, target = "host", knobs = {1000033 = 1}, mode = A, time_ns = 1>} {}

// -----

// expected-error @below {{expected knob 'TILE_M' once and after every lower key}}
module attributes {test.plan = #graph.plan<engine = 1, name = "x", version = 1, target = "host", knobs = {TILE_M = 1, 26 = 2}, mode = A, time_ns = 1>} {}

// -----

// expected-error @below {{expected a name and a target, got "" and "host"}}
module attributes {test.plan = #graph.plan<engine = 1, name = "", version = 1, target = "host", mode = A, time_ns = 1>} {}

// -----

// expected-error @below {{expected a behavior note, got 'FAST'}}
module attributes {test.plan = #graph.plan<engine = 1, name = "x", version = 1, target = "host", mode = A, time_ns = 1, behavior_notes = [FAST]>} {}

// -----

// expected-error @below {{'graph.graph' op expected attribute 'graph.plans' to be a list of #graph.plan, got [1]}}
graph.graph @plans(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) attributes {graph.plans = [1]} {
  %0 = graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{'graph.graph' op expected attribute 'graph.declines' to be a list of #graph.decline, got "no"}}
graph.graph @declines(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) attributes {graph.declines = "no"} {
  %0 = graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{'graph.graph' op unknown attribute 'graph.speed'}}
graph.graph @unknown(%x: tensor<4xf32> {graph.uid = 1 : i64})
    -> (tensor<4xf32> {graph.uid = 2 : i64}) attributes {graph.speed = 1 : i64} {
  %0 = graph.relu %x : (tensor<4xf32>) -> tensor<4xf32>
  graph.return %0 : tensor<4xf32>
}

// -----

// expected-error @below {{'builtin.module' op attribute 'graph.plans' belongs on a graph}}
module attributes {graph.plans = []} {}
