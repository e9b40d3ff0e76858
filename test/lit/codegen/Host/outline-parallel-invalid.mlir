// RUN: graph-opt %s --host-outline-parallel --verify-diagnostics

plan.program @g target "host" engine <1, "e", 1> {
  plan.host_call @opgraph_g
}
// expected-error @+1 {{has no workspace argument; run host-assign-workspace first}}
func.func @opgraph_g() attributes {opgraph.host_entry} {
  return
}
