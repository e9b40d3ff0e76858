// RUN: graph-opt %s --split-input-file --verify-diagnostics

graph.graph @sdpa_c29_captures(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %c: tensor<1x1x1x1xf32> {graph.uid = 4 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'score_mod' with captures, got none}}
  %r0 = graph.sdpa %q, %k, %v captures %c
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c29_arguments(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %c: tensor<1x1x1x1xf32> {graph.uid = 4 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'score_mod' to take 2 arguments, the scores and the captures, got 1}}
  %r0 = graph.sdpa %q, %k, %v captures %c
      score_mod {
      ^bb0(%s: tensor<1x2x4x6xf32>):
        graph.yield %s : tensor<1x2x4x6xf32>
      }
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c29_scores(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected argument #0 of 'score_mod' to be the scores, 1x2x4x6 of 'f32', got 'tensor<1x2x4x6xf16>'}}
  %r0 = graph.sdpa %q, %k, %v
      score_mod {
      ^bb0(%s: tensor<1x2x4x6xf16>):
        graph.yield %s : tensor<1x2x4x6xf16>
      }
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c29_capture_type(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %c: tensor<1x1x1x1xf32> {graph.uid = 4 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected argument #1 of 'score_mod' to be of its capture's type 'tensor<1x1x1x1xf32>', got 'tensor<1x1x1x1xf16>'}}
  %r0 = graph.sdpa %q, %k, %v captures %c
      score_mod {
      ^bb0(%s: tensor<1x2x4x6xf32>, %d: tensor<1x1x1x1xf16>):
        graph.yield %s : tensor<1x2x4x6xf32>
      }
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c29_capture_extents(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %c: tensor<3x1x1x1xf32> {graph.uid = 4 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected what 'score_mod' captures (3x1x1x1) to broadcast to the scores (1x2x4x6)}}
  %r0 = graph.sdpa %q, %k, %v captures %c
      score_mod {
      ^bb0(%s: tensor<1x2x4x6xf32>, %d: tensor<3x1x1x1xf32>):
        graph.yield %s : tensor<1x2x4x6xf32>
      }
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<3x1x1x1xf32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c29_operation(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'score_mod' to hold pointwise operations and constants of one element, got 'graph.transpose'}}
  %r0 = graph.sdpa %q, %k, %v
      score_mod {
      ^bb0(%s: tensor<1x2x4x6xf32>):
        %0 = graph.transpose %s [0, 1, 2, 3] : (tensor<1x2x4x6xf32>) -> tensor<1x2x4x6xf32>
        graph.yield %0 : tensor<1x2x4x6xf32>
      }
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c29_outside(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %c: tensor<1x2x4x6xf32> {graph.uid = 4 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'graph.neg' in 'score_mod' to use values of the region and its captures, got a value from outside}}
  %r0 = graph.sdpa %q, %k, %v captures %c
      score_mod {
      ^bb0(%s: tensor<1x2x4x6xf32>, %d: tensor<1x2x4x6xf32>):
        %0 = graph.neg %c : (tensor<1x2x4x6xf32>) -> tensor<1x2x4x6xf32>
        graph.yield %0 : tensor<1x2x4x6xf32>
      }
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x4x6xf32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c29_yield_outside(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %c: tensor<1x2x4x6xf32> {graph.uid = 4 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'score_mod' to yield a value of the region, got one from outside}}
  %r0 = graph.sdpa %q, %k, %v captures %c
      score_mod {
      ^bb0(%s: tensor<1x2x4x6xf32>, %d: tensor<1x2x4x6xf32>):
        graph.yield %c : tensor<1x2x4x6xf32>
      }
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x4x6xf32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c29_blocks(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'score_mod' to be one block that ends in 'graph.yield'}}
  %r0 = graph.sdpa %q, %k, %v
      score_mod {
      ^bb0(%s: tensor<1x2x4x6xf32>):
        graph.yield %s : tensor<1x2x4x6xf32>
      ^bb1(%t: tensor<1x2x4x6xf32>):
        graph.yield %t : tensor<1x2x4x6xf32>
      }
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c29_result(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected the result of 'graph.constant' in 'score_mod' (1x1x1x1x1) to broadcast to the scores (1x2x4x6)}}
  %r0 = graph.sdpa %q, %k, %v
      score_mod {
      ^bb0(%s: tensor<1x2x4x6xf32>):
        %0 = graph.constant 1.0 : f32 : tensor<1x1x1x1x1xf32>
        graph.yield %s : tensor<1x2x4x6xf32>
      }
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c29_constant(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'score_mod' to hold pointwise operations and constants of one element, got 'graph.constant'}}
  %r0 = graph.sdpa %q, %k, %v
      score_mod {
      ^bb0(%s: tensor<1x2x4x6xf32>):
        %0 = graph.constant 1.0 : f32 : tensor<6xf32>
        graph.yield %s : tensor<1x2x4x6xf32>
      }
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c29_no_result(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'graph.exp' in 'score_mod' to have one tensor as result}}
  %r0 = graph.sdpa %q, %k, %v
      score_mod {
      ^bb0(%s: tensor<1x2x4x6xf32>):
        "graph.exp"(%s) : (tensor<1x2x4x6xf32>) -> ()
        graph.yield %s : tensor<1x2x4x6xf32>
      }
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c29_number(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'graph.exp' in 'score_mod' to have one tensor as result}}
  %r0 = graph.sdpa %q, %k, %v
      score_mod {
      ^bb0(%s: tensor<1x2x4x6xf32>):
        %0 = "graph.exp"(%s) : (tensor<1x2x4x6xf32>) -> i32
        graph.yield %s : tensor<1x2x4x6xf32>
      }
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c29_unranked(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'graph.exp' in 'score_mod' to have one tensor as result}}
  %r0 = graph.sdpa %q, %k, %v
      score_mod {
      ^bb0(%s: tensor<1x2x4x6xf32>):
        %0 = "graph.exp"(%s) : (tensor<1x2x4x6xf32>) -> tensor<*xf32>
        graph.yield %s : tensor<1x2x4x6xf32>
      }
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c29_yields(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 4 : i64}) {
  // expected-error @below {{expected 'score_mod' to end in 'graph.yield' of 1 value, got 2}}
  %r0 = graph.sdpa %q, %k, %v
      score_mod {
      ^bb0(%s: tensor<1x2x4x6xf32>):
        graph.yield %s, %s : tensor<1x2x4x6xf32>, tensor<1x2x4x6xf32>
      }
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}

// -----

graph.graph @sdpa_c29_yielded(
    %q: tensor<1x2x4x8xf16> {graph.uid = 1 : i64},
    %k: tensor<1x2x6x8xf16> {graph.uid = 2 : i64},
    %v: tensor<1x2x6x8xf16> {graph.uid = 3 : i64},
    %c: tensor<1x1x1x1xf32> {graph.uid = 4 : i64})
    -> (tensor<1x2x4x8xf16> {graph.uid = 5 : i64}) {
  // expected-error @below {{expected 'score_mod' to yield the extents of the scores, 1x2x4x6, got 'tensor<1x1x1x1xf32>'}}
  %r0 = graph.sdpa %q, %k, %v captures %c
      score_mod {
      ^bb0(%s: tensor<1x2x4x6xf32>, %d: tensor<1x1x1x1xf32>):
        graph.yield %d : tensor<1x1x1x1xf32>
      }
      : (tensor<1x2x4x8xf16>, tensor<1x2x6x8xf16>, tensor<1x2x6x8xf16>, tensor<1x1x1x1xf32>)
      -> tensor<1x2x4x8xf16>
  graph.return %r0 : tensor<1x2x4x8xf16>
}
