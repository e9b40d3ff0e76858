// RUN: graph-opt %s --split-input-file --verify-diagnostics

cudnn.graph @g {
  // expected-error @below {{there is no kind of descriptor 'tensr'}}
  %0 = cudnn.descriptor tensr {}
}

// -----

cudnn.graph @g {
  // expected-error @below {{matmul has no attribute 'mode'}}
  %0 = cudnn.descriptor matmul {mode = relu_fwd}
}

// -----

cudnn.graph @g {
  // expected-error @below {{data_type has no value 'bf16'}}
  %0 = cudnn.descriptor matmul {comp_type = bf16}
}

// -----

cudnn.graph @g {
  // expected-error @below {{there is no type 'int'}}
  %0 = cudnn.descriptor matmul {comp_type: int = 0}
}

// -----

cudnn.graph @g {
  // expected-error @below {{there is no kind of descriptor 999 (D1)}}
  %0 = "cudnn.descriptor"() <{kind = 999 : i32, records = array<i64>}> : () -> !cudnn.desc
}

// -----

cudnn.graph @g {
  // expected-error @below {{a program has no engine: the runtime makes it (D1)}}
  %0 = cudnn.descriptor engine {}
}

// -----

cudnn.graph @g {
  // expected-error @below {{matmul: has no attribute 900 (D2)}}
  %0 = "cudnn.descriptor"() <{kind = 18 : i32, records = array<i64: 900, 3, 1, 16>}> : () -> !cudnn.desc
}

// -----

cudnn.graph @g {
  // expected-error @below {{operationgraph: has no attribute engine_global_count (D2)}}
  %0 = cudnn.descriptor operationgraph {engine_global_count = 1}
}

// -----

cudnn.graph @g {
  // expected-error @below {{matmul: comp_type is set twice (D2)}}
  %0 = cudnn.descriptor matmul {comp_type = float, comp_type = half}
}

// -----

cudnn.graph @g {
  // expected-error @below {{matmul: comp_type cannot be of type int64 (D2)}}
  %0 = cudnn.descriptor matmul {comp_type: int64 = 0}
}

// -----

cudnn.graph @g {
  // expected-error @below {{matmul: comp_type has 2 elements, expected 1 to 1 (D2)}}
  %0 = cudnn.descriptor matmul {comp_type = [float, float]}
}

// -----

cudnn.graph @g {
  // expected-error @below {{matmul: comp_type is not set (D2)}}
  %0 = cudnn.descriptor matmul {padding_value = 0.0}
}

// -----

cudnn.graph @g {
  // expected-error @below {{matmul: records are cut off (D2)}}
  %0 = "cudnn.descriptor"() <{kind = 18 : i32, records = array<i64: 1500, 1, 2, 0>}> : () -> !cudnn.desc
}

// -----

cudnn.graph @g {
  // expected-error @below {{matmul: comp_type is 77, which data_type does not have (D3)}}
  %0 = "cudnn.descriptor"() <{kind = 18 : i32, records = array<i64: 1500, 1, 1, 77>}> : () -> !cudnn.desc
}

// -----

cudnn.graph @g {
  // expected-error @below {{tensor: is_virtual must be true or false, got 2 (D3)}}
  %0 = "cudnn.descriptor"() <{kind = 17 : i32, records = array<i64: 907, 2, 1, 2>}> : () -> !cudnn.desc
}

// -----

cudnn.graph @g {
  // expected-error @below {{operation_reshape: xdesc names operand 1 of 0 (D3)}}
  %0 = "cudnn.descriptor"() <{kind = 31 : i32, records = array<i64: 2200, 15, 1, 1>}> : () -> !cudnn.desc
}

// -----

cudnn.graph @g {
  %0 = cudnn.descriptor matmul {comp_type = float}
  // expected-error @below {{operation_reshape: xdesc cannot be a matmul (D3)}}
  %1 = cudnn.descriptor operation_reshape {xdesc = %0, ydesc = %0}
}

// -----

cudnn.graph @g {
  // expected-error @below {{tensor: has 2 dimensions and 1 strides (D4)}}
  %0 = cudnn.descriptor tensor {unique_id = 1, data_type = half, dimensions = [4, 8], strides = [1], byte_alignment = 16}
}

// -----

cudnn.graph @g {
  // expected-error @below {{tensor: dimensions must be at least 1, got 0 (D4)}}
  %0 = cudnn.descriptor tensor {unique_id = 1, data_type = half, dimensions = [0, 8], strides = [8, 1], byte_alignment = 16}
}

// -----

cudnn.graph @g {
  // expected-error @below {{tensor: byte_alignment must be a power of two, got 12 (D4)}}
  %0 = cudnn.descriptor tensor {unique_id = 1, data_type = half, dimensions = [4, 8], strides = [8, 1], byte_alignment = 12}
}

// -----

// expected-error @below {{expected an operationgraph at the end (G1)}}
cudnn.graph @g {
  %0 = cudnn.descriptor matmul {comp_type = float}
}

// -----

cudnn.graph @g {
  %0 = cudnn.descriptor tensor {unique_id = 1, data_type = half, dimensions = [4], strides = [1], byte_alignment = 16}
  %1 = cudnn.descriptor tensor {unique_id = 2, data_type = half, dimensions = [4], strides = [1], byte_alignment = 16}
  %2 = cudnn.descriptor operation_reshape {xdesc = %0, ydesc = %1}
  // expected-error @below {{the operationgraph must come last (G1)}}
  %3 = cudnn.descriptor operationgraph {ops = [%2]}
  %4 = cudnn.descriptor matmul {comp_type = float}
}

// -----

cudnn.graph @g {
  %0 = cudnn.descriptor tensor {unique_id = 1, data_type = half, dimensions = [4], strides = [1], byte_alignment = 16}
  %1 = cudnn.descriptor tensor {unique_id = 2, data_type = half, dimensions = [4], strides = [1], byte_alignment = 16}
  %2 = cudnn.descriptor operation_reshape {xdesc = %0, ydesc = %1}
  // expected-error @below {{operation_reshape is not on the list of the operationgraph (G1)}}
  %3 = cudnn.descriptor operation_reshape {xdesc = %0, ydesc = %1}
  %4 = cudnn.descriptor operationgraph {ops = [%2]}
}

// -----

cudnn.graph @g {
  // expected-note @below {{that tensor}}
  %0 = cudnn.descriptor tensor {unique_id = 1, data_type = half, dimensions = [4], strides = [1], byte_alignment = 16}
  // expected-error @below {{unique_id 1 is another tensor's (G2)}}
  %1 = cudnn.descriptor tensor {unique_id = 1, data_type = half, dimensions = [4], strides = [1], byte_alignment = 16}
  %2 = cudnn.descriptor operation_reshape {xdesc = %0, ydesc = %1}
  %3 = cudnn.descriptor operationgraph {ops = [%2]}
}
