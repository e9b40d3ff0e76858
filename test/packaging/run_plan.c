/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception */
/* A process with only the runtime: loads a plan file and runs it on zeros.
 * usage: run_plan FILE.ogplan */
#include <opgraph-c/runtime.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int fail(const char *what) {
  fprintf(stderr, "%s: %s\n", what, og_last_error());
  return 1;
}

int main(int argc, char **argv) {
  og_plan *plan = NULL;
  if (argc != 2 || og_plan_load_file(argv[1], &plan) != OG_OK)
    return fail("load");
  og_buffer buffers[16];
  og_variant_pack pack;
  memset(&pack, 0, sizeof pack);
  memset(buffers, 0, sizeof buffers);
  pack.struct_size = sizeof pack;
  pack.buffers = buffers;
  pack.num_buffers = og_plan_num_operands(plan);
  for (size_t i = 0; i < pack.num_buffers; ++i) {
    og_operand_info info;
    info.struct_size = sizeof info;
    if (og_plan_operand(plan, i, &info) != OG_OK)
      return fail("operand");
    size_t elements = 1;
    for (int32_t axis = 0; axis < info.ndim; ++axis)
      elements *= (size_t)info.shape[axis];
    buffers[i].struct_size = sizeof buffers[i];
    buffers[i].uid = info.uid;
    buffers[i].data = calloc(elements, 8);
    buffers[i].ndim = info.ndim;
    buffers[i].shape = info.shape;
    buffers[i].device.type = OG_DEVICE_HOST;
  }
  if (og_plan_workspace_size(plan, &pack, &pack.workspace_size) != OG_OK)
    return fail("workspace");
  pack.workspace = aligned_alloc(64, (pack.workspace_size + 127) / 64 * 64);
  if (og_plan_execute(plan, &pack, NULL) != OG_OK)
    return fail("execute");
  printf("ran %s by %s, variant %s\n", og_plan_name(plan),
         og_plan_engine_name(plan), og_plan_variant(plan));
  og_plan_release(plan);
  return 0;
}
