/* Runs docs/examples/softmax.mlir, compiled ahead of time for a GPU, on inputs
 * that any language can make again, and prints the bytes of the result in hex.
 * Compiling needs neither a GPU nor a CUDA toolkit:
 *
 *   opgraph compile docs/examples/softmax.mlir --target sm_90a --emit obj \
 *     -o g.o --header g.h
 *   cc cuda.c g.o $(pkg-config --cflags --libs opgraph-runtime-static)
 */
#include "g.h"
#include "opgraph-c/device.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 8, COLUMNS = 33, COUNT = ROWS * COLUMNS };

static void check(og_status status) {
  if (status == OG_OK)
    return;
  fprintf(stderr, "%s\n", og_last_error());
  exit(1);
}

/* x[i] = ((i * 37 + 1) mod 101 - 50) / 64: exact in f32. */
static void fill(float *data, size_t count) {
  for (size_t i = 0; i < count; ++i)
    data[i] = ((float)((i * 37 + 1) % 101) - 50.0f) / 64.0f;
}

static og_buffer buffer(int64_t uid, void *data, const int64_t *shape,
                        og_device device) {
  og_buffer b;
  memset(&b, 0, sizeof b);
  b.struct_size = sizeof b;
  b.uid = uid;
  b.data = data;
  b.dtype = OG_DTYPE_FLOAT;
  b.ndim = 2;
  b.shape = shape;
  b.device = device;
  return b;
}

int main(void) {
  static float x[COUNT], y[COUNT];
  const int64_t shape[] = {ROWS, COLUMNS};
  const og_device device = {OG_DEVICE_CUDA, 0};
  void *xs, *ys;
  fill(x, COUNT);

  /* Loads the code: nothing is left for the first execution to do. */
  check(softmax_prepare(device));
  /* Any memory of the device will do: cudaMalloc's, a framework's. */
  check(og_device_alloc(device, sizeof x, &xs));
  check(og_device_alloc(device, sizeof y, &ys));
  check(og_device_upload(device, xs, x, sizeof x));

  og_buffer buffers[] = {buffer(SOFTMAX_UID_X, xs, shape, device),
                         buffer(SOFTMAX_UID_Y, ys, shape, device)};
  og_variant_pack pack;
  memset(&pack, 0, sizeof pack);
  pack.struct_size = sizeof pack;
  pack.buffers = buffers;
  pack.num_buffers = 2;
  check(softmax_workspace_size(&pack, &pack.workspace_size));
  check(og_device_alloc(device, pack.workspace_size, &pack.workspace));

  /* A cudaStream_t goes here; null is the default stream. */
  check(softmax_execute(&pack, NULL));
  check(og_device_download(device, y, ys, sizeof y));

  const unsigned char *bytes = (const unsigned char *)y;
  for (size_t i = 0; i < sizeof y; ++i)
    printf("%02x%s", bytes[i], i % 32 == 31 ? "\n" : "");
  check(og_device_free(device, pack.workspace));
  check(og_device_free(device, ys));
  check(og_device_free(device, xs));
  return 0;
}
