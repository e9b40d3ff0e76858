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
