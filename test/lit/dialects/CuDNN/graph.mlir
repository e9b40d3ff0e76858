// RUN: graph-opt %s | FileCheck %s
// RUN: graph-opt %s --mlir-print-op-generic | graph-opt | FileCheck %s

// Every type of attribute, read and printed.

// CHECK-LABEL: cudnn.graph @matmul_relu {
cudnn.graph @matmul_relu {
  // CHECK-NEXT: %0 = cudnn.descriptor tensor {unique_id = 1, data_type = bfloat16, dimensions = [1, 64, 32], strides = [2048, 32, 1], byte_alignment = 16}
  %a = cudnn.descriptor tensor {unique_id = 1, data_type = bfloat16,
      dimensions = [1, 64, 32], strides = [2048, 32, 1], byte_alignment = 16}
  // CHECK-NEXT: %1 = cudnn.descriptor tensor
  %b = cudnn.descriptor tensor {unique_id = 2, data_type = bfloat16,
      dimensions = [1, 32, 16], strides = [512, 16, 1], byte_alignment = 16}
  // CHECK-NEXT: is_virtual = true}
  %c = cudnn.descriptor tensor {unique_id = -3, data_type = float,
      dimensions = [1, 64, 16], strides = [1024, 16, 1], byte_alignment = 16,
      is_virtual = true}
  // CHECK-NEXT: reordering_mode = f8_128x4}
  %d = cudnn.descriptor tensor {unique_id = 4, data_type = fp8_e4m3,
      dimensions = [1, 64, 16], strides = [1024, 16, 1], byte_alignment = 1,
      reordering_mode = f8_128x4}
  // CHECK-NEXT: %4 = cudnn.descriptor matmul {comp_type = float, padding_value = 5.000000e-01}
  %mm = cudnn.descriptor matmul {comp_type = float, padding_value = 0.5}
  // CHECK-NEXT: %5 = cudnn.descriptor operation_matmul {adesc = %0, bdesc = %1, cdesc = %2, desc = %4}
  %op = cudnn.descriptor operation_matmul {adesc = %a, bdesc = %b, cdesc = %c,
      desc = %mm}
  // CHECK-NEXT: %6 = cudnn.descriptor pointwise {mode = relu_fwd, math_prec = float, relu_upper_clip: float = 6.000000e+00}
  %relu = cudnn.descriptor pointwise {mode = relu_fwd, math_prec = float,
      relu_upper_clip: float = 6.0}
  // CHECK-NEXT: %7 = cudnn.descriptor operation_pointwise {pw_descriptor = %6, xdesc = %2, ydesc = %3, alpha1 = 2.000000e+00}
  %op2 = cudnn.descriptor operation_pointwise {pw_descriptor = %relu,
      xdesc = %c, ydesc = %d, alpha1 = 2.0}
  // CHECK-NEXT: %8 = cudnn.descriptor operationgraph {ops = [%5, %7]}
  %g = cudnn.descriptor operationgraph {ops = [%op, %op2]}
}

// CHECK-LABEL: cudnn.graph @dropout_mask {
cudnn.graph @dropout_mask {
  %y = cudnn.descriptor tensor {unique_id = 1, data_type = float,
      dimensions = [4, 8], strides = [8, 1], byte_alignment = 4}
  // CHECK: is_by_value = true}
  %seed = cudnn.descriptor tensor {unique_id = 2, data_type = int64,
      dimensions = [1], strides = [1], byte_alignment = 8, is_by_value = true}
  %rng = cudnn.descriptor rng {distribution = bernoulli,
      bernoulli_dist_probability = 0.25}
  // CHECK: cudnn.descriptor operation_rng {ydesc = %0, seed: backend_descriptor = %1, desc = %2}
  %op = cudnn.descriptor operation_rng {ydesc = %y,
      seed: backend_descriptor = %seed, desc = %rng}
  // A list of one operation is still a list.
  // CHECK: cudnn.descriptor operationgraph {ops = [%3]}
  %g = cudnn.descriptor operationgraph {ops = [%op]}
}

// CHECK-LABEL: cudnn.graph @resize {
cudnn.graph @resize {
  %x = cudnn.descriptor tensor {unique_id = 1, data_type = half,
      dimensions = [1, 8, 4, 4], strides = [128, 1, 32, 8], byte_alignment = 16}
  %y = cudnn.descriptor tensor {unique_id = 2, data_type = half,
      dimensions = [1, 8, 2, 2], strides = [32, 1, 16, 8], byte_alignment = 16}
  // CHECK: cudnn.descriptor resample {mode = maxpool, comp_type = float, spatial_dims = 2, pre_paddings = [0, 0], post_paddings = [0, 0], strides: fraction = [3/2, 2/1], window_dims = [2, 2], padding_mode = neg_inf_pad}
  %r = cudnn.descriptor resample {mode = maxpool, comp_type = float,
      spatial_dims = 2, pre_paddings = [0, 0], post_paddings = [0, 0],
      strides: fraction = [3/2, 2/1], window_dims = [2, 2],
      padding_mode = neg_inf_pad}
  %op = cudnn.descriptor operation_resample_fwd {xdesc = %x, ydesc = %y,
      desc = %r}
  %g = cudnn.descriptor operationgraph {ops = [%op]}
}
