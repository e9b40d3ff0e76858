// RUN: graph-opt %s --split-input-file --verify-diagnostics

plan.program @p target "sm_90" engine <7, "cudnn.7", 91900> {
  // expected-error @below {{has 1 uids and 0 args (X1)}}
  plan.cudnn_execute @g config 7 uids [1] args []
}

// -----

plan.program @p target "sm_90" engine <7, "cudnn.7", 91900> {
  // expected-error @below {{repeats the uid 1 (X1)}}
  plan.cudnn_execute @g config 7 uids [1, 1] args [1 : i32, 2 : i32]
}

// -----

plan.program @p target "sm_90" engine <7, "cudnn.7", 91900> {
  // expected-error @below {{argument 0 is no data of a tensor: #plan.map<0> (X2)}}
  plan.cudnn_execute @g config 7 uids [1] args [#plan.map<0>]
}

// -----

plan.program @p target "sm_90" engine <7, "cudnn.7", 91900> {
  // expected-error @below {{argument 0 must be i32, i64, f32 or f64, got 'bf16' (X2)}}
  plan.cudnn_execute @g config 7 uids [1] args [1.0 : bf16]
}

// -----

plan.program @p target "sm_90" engine <7, "cudnn.7", 91900> {
  // expected-error @below {{knobs are (type, value) pairs, got 3 numbers (X3)}}
  plan.cudnn_execute @g config 7 knobs [1, 2, 3] uids [] args []
}

// -----

plan.program @p target "sm_90" engine <7, "cudnn.7", 91900> {
  // expected-error @below {{knob types must ascend, got 4 before 4 (X3)}}
  plan.cudnn_execute @g config 7 knobs [4, 2, 4, 3] uids [] args []
}

// -----

plan.program @p target "sm_90" engine <7, "cudnn.7", 91900> {
  // expected-error @below {{config and bytes must not be negative, got -1 and 0 (X3)}}
  plan.cudnn_execute @g config -1 uids [] args []
}

// -----

plan.program @p target "sm_90" engine <7, "cudnn.7", 91900> {
  // expected-error @below {{the workspace must start at a multiple of 64, got 16 (X3)}}
  plan.cudnn_execute @g config 7 uids [] args [] workspace 16 bytes 8
}

// -----

plan.program @p target "sm_90" engine <7, "cudnn.7", 91900> {
  // expected-error @below {{a serialised plan and the version of the library that made it come together (X4)}}
  plan.cudnn_execute @g config 7 uids [] args [] {serialized = "{}"}
}

// -----

plan.program @p target "sm_90" engine <7, "cudnn.7", 91900> {
  // expected-error @below {{argument 0 names operand 0, the program has 0 (P8)}}
  plan.cudnn_execute @g config 7 uids [1] args [#plan.pointer<0>]
}

// -----

plan.program @p target "host" engine <10000, "host.reference", 1> {
  plan.host_call @f
  // expected-error @below {{stands beside a plan.host_call in one program (P7)}}
  plan.cudnn_execute @g config 7 uids [] args []
}
