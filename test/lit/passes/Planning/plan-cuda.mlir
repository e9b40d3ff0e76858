// RUN: graph-opt %s --graph-plan='target=%opgraph_src/lib/Devices/h200.json' | FileCheck %s

// On a CUDA device a pointwise graph has a plan of generated kernels, and the
// host's engines say why they do not run it. Nobody gives this pass a library.

// CHECK: #graph.decline<engine = 0, name = "cudnn", constraint = "library", limit = "libcudnn.so.9", actual = "not opened", status = "LIBRARY_MISSING">
// CHECK-SAME: #graph.decline<engine = 10000, name = "host.reference", constraint = "target", limit = "host", actual = "sm_90:NVIDIA_H200"
// CHECK-SAME: graph.plans = [#graph.plan<engine = 30000, name = "nvptx.pointwise", version = 1, target = "sm_90:NVIDIA_H200", knobs = {TILE_SIZE = 4}, mode = A,
graph.graph @softmax(%x: tensor<64x1000xbf16> {graph.uid = 1 : i64})
    -> (tensor<64x1000xbf16> {graph.uid = 2 : i64}) {
  %0 = graph.softmax %x : (tensor<64x1000xbf16>) -> tensor<64x1000xbf16>
  graph.return %0 : tensor<64x1000xbf16>
}
