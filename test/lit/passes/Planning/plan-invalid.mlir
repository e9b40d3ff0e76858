// RUN: graph-opt %s --graph-plan --split-input-file --verify-diagnostics
// RUN: not graph-opt %s --graph-plan='engine=12345' --split-input-file 2>&1 | FileCheck %s --check-prefix=UNKNOWN
// RUN: not graph-opt %s --graph-plan='engine=20517' --split-input-file 2>&1 | FileCheck %s --check-prefix=PEER
// RUN: not graph-opt %s --graph-plan='engine=3' --split-input-file 2>&1 | FileCheck %s --check-prefix=CUDNN
// RUN: not graph-opt %s --graph-plan='modes=C' --split-input-file 2>&1 | FileCheck %s --check-prefix=MODE
// RUN: not graph-opt %s --graph-plan='workers=0' --split-input-file 2>&1 | FileCheck %s --check-prefix=WORKERS
// RUN: not graph-opt %s --graph-plan='target=nowhere' --split-input-file 2>&1 | FileCheck %s --check-prefix=TARGET
// RUN: not graph-opt %s --graph-plan='target=%opgraph_src/lib/Devices/h200.json' --split-input-file 2>&1 | FileCheck %s --check-prefix=CUDA

// UNKNOWN: error: 'graph.graph' op no engine has id 12345; engines: cudnn (0), host.reference (10000), host.fused (10100), host.composite (10900), nvptx.pointwise (30000)

// PEER: error: 'graph.graph' op no plan for this graph on target 'host':
// PEER: sdpa_fwd_prefill_sm90  declined  engine: expected an engine of opgraph, got sdpa_fwd_prefill_sm90 of cudnn-frontend

// CUDNN: cudnn   declined  target: expected a CUDA device, got host

// MODE: error: 'graph.graph' op expected a heuristic mode (A, B, FALLBACK, OPENSOURCE), got 'C'

// WORKERS: error: 'graph.graph' op expected at least 1 worker, got 0

// TARGET: error: 'graph.graph' op expected target 'host', sm_80, {{.*}} or a device description, got 'nowhere'

// CUDA: error: 'graph.graph' op no plan for this graph on target 'sm_90:NVIDIA_H200':
// CUDA: engine           verdict   reason
// CUDA: cudnn            declined  library: expected libcudnn.so.9, got not opened
// CUDA: host.reference   declined  target: expected host, got sm_90:NVIDIA_H200; nearest accepted: target = host
// CUDA: host.fused       declined  target: expected host, got sm_90:NVIDIA_H200; nearest accepted: target = host
// CUDA: nvptx.pointwise  declined  family: expected {pointwise}, got gemm

// A graph is planned once.

// expected-error @below {{'graph.graph' op is planned already}}
graph.graph @twice(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64})
    attributes {graph.plans = [#graph.plan<engine = 10000, name = "host.reference", version = 1, target = "host", mode = A, time_ns = 1>]} {
  %0 = graph.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  graph.return %0 : tensor<4x8xf32>
}

// -----

graph.graph @relu(%x: tensor<4x8xf32> {graph.uid = 1 : i64})
    -> (tensor<4x8xf32> {graph.uid = 2 : i64}) {
  %0 = graph.relu %x : (tensor<4x8xf32>) -> tensor<4x8xf32>
  graph.return %0 : tensor<4x8xf32>
}

// -----

graph.graph @matmul(%a: tensor<4x8xf32> {graph.uid = 1 : i64},
                    %b: tensor<8x4xf32> {graph.uid = 2 : i64})
    -> (tensor<4x4xf32> {graph.uid = 3 : i64}) {
  %0 = graph.matmul %a, %b : (tensor<4x8xf32>, tensor<8x4xf32>) -> tensor<4x4xf32>
  graph.return %0 : tensor<4x4xf32>
}
