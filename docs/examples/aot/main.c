/* Runs docs/examples/linear_gelu.mlir, compiled ahead of time, on inputs that
 * any language can make again, and prints the bytes of the result in hex.
 *
 *   opgraph compile docs/examples/linear_gelu.mlir -o g.o --header g.h
 *   cc main.c g.o $(pkg-config --cflags --libs opgraph-runtime-static)
 */
#include "g.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* x[i] = ((i * 37 + seed) mod 101 - 50) / 64: exact in f32. */
static void fill(float *data, size_t count, unsigned seed) {
  for (size_t i = 0; i < count; ++i)
    data[i] = ((float)((i * 37 + seed) % 101) - 50.0f) / 64.0f;
}

static og_buffer buffer(int64_t uid, void *data, const int64_t *shape) {
  og_buffer b;
  memset(&b, 0, sizeof b);
  b.struct_size = sizeof b;
  b.uid = uid;
  b.data = data;
  b.dtype = OG_DTYPE_FLOAT;
  b.ndim = 3;
  b.shape = shape;
  b.device.type = OG_DEVICE_HOST;
  return b;
}

int main(void) {
  enum { M = 128, K = 256, N = 512 };
  static float x[M * K], w[K * N], bias[N], y[M * N];
  const int64_t xs[] = {1, M, K}, ws[] = {1, K, N}, bs[] = {1, 1, N},
                ys[] = {1, M, N};
  fill(x, M * K, 1);
  fill(w, K * N, 2);
  fill(bias, N, 3);
  og_buffer buffers[] = {buffer(1, x, xs), buffer(2, w, ws),
                         buffer(3, bias, bs), buffer(4, y, ys)};
  og_variant_pack pack;
  memset(&pack, 0, sizeof pack);
  pack.struct_size = sizeof pack;
  pack.buffers = buffers;
  pack.num_buffers = 4;

  if (linear_gelu_workspace_size(&pack, &pack.workspace_size) != OG_OK) {
    fprintf(stderr, "%s\n", og_last_error());
    return 1;
  }
  size_t rounded = (pack.workspace_size + 63) / 64 * 64;
  pack.workspace = rounded ? aligned_alloc(64, rounded) : NULL;
  if (linear_gelu_execute(&pack, NULL) != OG_OK) {
    fprintf(stderr, "%s\n", og_last_error());
    return 1;
  }
  const unsigned char *bytes = (const unsigned char *)y;
  for (size_t i = 0; i < sizeof y; ++i)
    printf("%02x%s", bytes[i], i % 32 == 31 ? "\n" : "");
  free(pack.workspace);
  return 0;
}
