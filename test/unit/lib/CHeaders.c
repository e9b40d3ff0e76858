/*===- CHeaders.c - The C headers, compiled as C -------------------------===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   */
/*===---------------------------------------------------------------------===*/
#include "opgraph-c/compiler.h"
#include "opgraph-c/device.h"
#include "opgraph-c/graph.h"
#include "opgraph-c/host_abi.h"
#include "opgraph-c/runtime.h"
#include "opgraph-c/status.h"
#include "opgraph-c/types.h"

og_status opgraph_test_validate_in_c(og_compiler *compiler);

/* relu of a vector, told in C. */
og_status opgraph_test_validate_in_c(og_compiler *compiler) {
  og_graph *graph = NULL;
  og_graph_options options = {.struct_size = sizeof options,
                              .io_dtype = OG_DTYPE_FLOAT};
  og_status status = og_graph_create(compiler, &options, &graph);
  const int64_t dims[] = {8};
  og_tensor_desc desc = {.struct_size = sizeof desc, .ndim = 1, .dims = dims};
  og_tensor x = OG_NO_TENSOR, y = OG_NO_TENSOR;
  if (status == OG_OK)
    status = og_graph_tensor(graph, &desc, &x);
  const og_named_tensor operands[] = {{"input", x}};
  og_op_desc op = {.struct_size = sizeof op,
                   .op = "relu",
                   .operands = operands,
                   .num_operands = 1};
  if (status == OG_OK)
    status = og_graph_op(graph, &op, &y, 1);
  if (status == OG_OK)
    status = og_tensor_set_virtual(graph, y, 0);
  if (status == OG_OK)
    status = og_graph_validate(graph);
  og_graph_release(graph);
  return status;
}
