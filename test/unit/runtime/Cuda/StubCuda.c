/*===- StubCuda.c - A CUDA driver without a GPU, for tests ---------------===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   */
/*===---------------------------------------------------------------------===*/

#include "StubParts.h"
#include "StubSettings.h"

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum {
  MAX_DEVICES = 8,
  MAX_LAUNCHES = 4096,
  MAX_FILLS = 1024,
  MAX_RULES = 64,
  MAX_BLOCKS = 1024,
  MAX_STREAMS = 64,
  MAX_KERNELS = 16
};

typedef struct Stream {
  Context *context;
  int capturing;
} Stream;

typedef struct Module {
  int num_kernels;
  Kernel kernels[MAX_KERNELS];
} Module;

typedef struct Rule {
  char function[64];
  int calls;
  int fails;
  int result;
  int after;
} Rule;

typedef struct Block {
  char *begin;
  size_t bytes;
  int device;
  int managed;
} Block;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static Context primaries[MAX_DEVICES], others[MAX_DEVICES];
static Stream streams[MAX_STREAMS];
static int num_streams;
static stub_launch launches[MAX_LAUNCHES];
static int num_launches;
static stub_fill fills[MAX_FILLS];
static int num_fills;
static Rule rules[MAX_RULES];
static int num_rules;
static Block blocks[MAX_BLOCKS];
static int num_blocks;
static int num_captures;
static __thread Context *stack[16];
static __thread int depth;
static __thread int capture_mode;

/* --- settings ---------------------------------------------------------- */

static long setting(const char *name, long standard) {
  return read_setting(getenv("OPGRAPH_STUB_CUDA"), name, standard);
}

static int device_count(void) { return (int)setting("devices", 2); }

static Rule *rule(const char *function) {
  for (int i = 0; i < num_rules; ++i)
    if (strcmp(rules[i].function, function) == 0)
      return &rules[i];
  Rule *added = &rules[num_rules++];
  memset(added, 0, sizeof(*added));
  snprintf(added->function, sizeof(added->function), "%s", function);
  return added;
}

int stub_enter(const char *function) {
  pthread_mutex_lock(&mutex);
  Rule *found = rule(function);
  int result = found->fails && found->calls >= found->after ? found->result : 0;
  ++found->calls;
  pthread_mutex_unlock(&mutex);
  return result;
}

void stub_cuda_reset(void) {
  pthread_mutex_lock(&mutex);
  num_launches = num_fills = num_rules = 0;
  pthread_mutex_unlock(&mutex);
}

void stub_cuda_fail(const char *function, int result, int after) {
  pthread_mutex_lock(&mutex);
  Rule *found = rule(function);
  found->fails = result != 0;
  found->result = result;
  found->after = found->calls + after;
  pthread_mutex_unlock(&mutex);
}

int stub_cuda_count(const char *function) {
  pthread_mutex_lock(&mutex);
  int calls = rule(function)->calls;
  pthread_mutex_unlock(&mutex);
  return calls;
}

int stub_cuda_num_launches(void) { return num_launches; }
const stub_launch *stub_cuda_launch(int index) { return &launches[index]; }
int stub_cuda_num_fills(void) { return num_fills; }
const stub_fill *stub_cuda_fill(int index) { return &fills[index]; }

/* --- memory and streams ------------------------------------------------ */

void *stub_cuda_malloc(int device, size_t bytes, int managed) {
  void *memory = mmap(NULL, bytes, PROT_READ | PROT_WRITE,
                      MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  pthread_mutex_lock(&mutex);
  blocks[num_blocks++] = (Block){memory, bytes, device, managed};
  pthread_mutex_unlock(&mutex);
  return memory;
}

void stub_cuda_free(void *memory) {
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < num_blocks; ++i)
    if (blocks[i].begin == memory) {
      munmap(memory, blocks[i].bytes);
      blocks[i] = blocks[--num_blocks];
      break;
    }
  pthread_mutex_unlock(&mutex);
}

static void set_up(void) {
  for (int i = 0; i < MAX_DEVICES; ++i)
    primaries[i].device = others[i].device = i;
}

void *stub_cuda_stream(int device, int primary) {
  set_up();
  pthread_mutex_lock(&mutex);
  Stream *stream = &streams[num_streams++];
  stream->context = primary ? &primaries[device] : &others[device];
  pthread_mutex_unlock(&mutex);
  return stream;
}

void stub_cuda_capture(void *stream, int capturing) {
  ((Stream *)stream)->capturing = capturing;
  num_captures += capturing ? 1 : -1;
}

void *stub_cuda_primary(int device) { return &primaries[device]; }
void *stub_cuda_current(void) { return depth ? stack[depth - 1] : NULL; }

static int is_special(const void *stream) { return (uintptr_t)stream <= 2; }

/* --- the driver: start, devices, contexts ------------------------------- */

int cuInit(unsigned flags) {
  (void)flags;
  STUB_ENTER();
  set_up();
  return (int)setting("init", 0);
}

int cuDriverGetVersion(int *version) {
  STUB_ENTER();
  *version = (int)setting("version", 13000);
  return 0;
}

int cuGetErrorName(int error, const char **name) {
  *name = error == 2     ? "CUDA_ERROR_OUT_OF_MEMORY"
          : error == 700 ? "CUDA_ERROR_ILLEGAL_ADDRESS"
                         : "CUDA_ERROR_OTHER";
  return 0;
}

int cuGetErrorString(int error, const char **text) {
  *text = error == 700 ? "an illegal memory access was encountered" : "stub";
  return 0;
}

int cuDeviceGetCount(int *count) {
  STUB_ENTER();
  *count = device_count();
  return 0;
}

int cuDeviceGet(int *device, int ordinal) {
  STUB_ENTER();
  if (ordinal < 0 || ordinal >= device_count())
    return 101;
  *device = ordinal;
  return 0;
}

int cuDeviceGetName(char *name, int length, int device) {
  snprintf(name, (size_t)length, "Stub \"GPU\" %d", device);
  return 0;
}

int cuDeviceGetAttribute(int *value, int attribute, int device) {
  STUB_ENTER();
  int capability = device == 0 ? (int)setting("capability", 90) : 80;
  switch (attribute) {
  case 75:
    *value = capability / 10;
    break;
  case 76:
    *value = capability % 10;
    break;
  case 97:
    *value = 232448;
    break;
  case 16:
    *value = 132;
    break;
  default:
    *value = 1024 + attribute;
  }
  return 0;
}

int cuDeviceTotalMem_v2(size_t *bytes, int device) {
  (void)device;
  *bytes = (size_t)1 << 33;
  return 0;
}

int cuDevicePrimaryCtxRetain(void **context, int device) {
  STUB_ENTER();
  ++primaries[device].retained;
  *context = &primaries[device];
  return 0;
}

int cuCtxGetCurrent(void **context) {
  STUB_ENTER();
  *context = stub_cuda_current();
  return 0;
}

int cuCtxPushCurrent_v2(void *context) {
  STUB_ENTER();
  stack[depth++] = context;
  return 0;
}

int cuCtxPopCurrent_v2(void **context) {
  STUB_ENTER();
  *context = stack[--depth];
  return 0;
}

/* --- streams and pointers ------------------------------------------------ */

int cuStreamGetCtx(void *stream, void **context) {
  STUB_ENTER();
  *context =
      is_special(stream) ? stub_cuda_current() : ((Stream *)stream)->context;
  return 0;
}

int cuStreamIsCapturing(void *stream, int *status) {
  STUB_ENTER();
  if (is_special(stream)) {
    *status = 0;
    return num_captures ? 906 : 0;
  }
  *status = ((Stream *)stream)->capturing;
  return 0;
}

int cuStreamSynchronize(void *stream) {
  (void)stream;
  STUB_ENTER();
  return 0;
}

int cuThreadExchangeStreamCaptureMode(int *mode) {
  STUB_ENTER();
  int old = capture_mode;
  capture_mode = *mode;
  *mode = old;
  return 0;
}

int cuPointerGetAttributes(unsigned count, int *attributes, void **data,
                           DevicePtr pointer) {
  STUB_ENTER();
  Block found = {NULL, 0, 0, 0};
  pthread_mutex_lock(&mutex);
  for (int i = 0; i < num_blocks; ++i)
    if (pointer - (uintptr_t)blocks[i].begin < blocks[i].bytes)
      found = blocks[i];
  pthread_mutex_unlock(&mutex);
  for (unsigned i = 0; i < count; ++i)
    switch (attributes[i]) {
    case 2:
      *(unsigned *)data[i] = !found.begin ? 0 : found.device < 0 ? 1 : 2;
      break;
    case 8:
      *(unsigned *)data[i] = (unsigned)found.managed;
      break;
    case 9:
      *(int *)data[i] = found.begin ? found.device : -2;
      break;
    default:
      return 1;
    }
  return 0;
}

int cuCtxSynchronize(void) {
  STUB_ENTER();
  return 0;
}

int cuMemAlloc_v2(DevicePtr *memory, size_t bytes) {
  STUB_ENTER();
  Context *context = stub_cuda_current();
  if (!context)
    return 201;
  *memory = (uintptr_t)stub_cuda_malloc(context->device, bytes, 0);
  return 0;
}

int cuMemFree_v2(DevicePtr memory) {
  STUB_ENTER();
  stub_cuda_free((void *)(uintptr_t)memory);
  return 0;
}

int cuMemcpyHtoD_v2(DevicePtr to, const void *from, size_t bytes) {
  STUB_ENTER();
  memcpy((void *)(uintptr_t)to, from, bytes);
  return 0;
}

int cuMemcpyDtoH_v2(void *to, DevicePtr from, size_t bytes) {
  STUB_ENTER();
  memcpy(to, (const void *)(uintptr_t)from, bytes);
  return 0;
}

/* --- code ---------------------------------------------------------------- */

static void parse_kernels(const char *text, Module *module) {
  while (*text && module->num_kernels < MAX_KERNELS) {
    Kernel *kernel = &module->kernels[module->num_kernels];
    const char *colon = strchr(text, ':'), *end = strchr(text, '\n');
    if (!colon || !end || colon > end)
      return;
    snprintf(kernel->name, sizeof(kernel->name), "%.*s", (int)(colon - text),
             text);
    char *next = (char *)colon + 1;
    while (next < end && *next == ' ')
      kernel->sizes[kernel->num_params++] = strtoul(next, &next, 10);
    ++module->num_kernels;
    text = end + 1;
  }
}

int cuModuleLoadDataEx(Module **module, const void *image, unsigned count,
                       int *options, void **values) {
  int planned = stub_enter(__func__);
  if (planned) {
    for (unsigned i = 0; i < count; ++i)
      if (options[i] == 5)
        strcpy(values[i], "the stub's log");
    return planned;
  }
  if (!stub_cuda_current())
    return 201;
  if (num_captures && capture_mode != 2)
    return 900;
  const char *text = image;
  Module *made = calloc(1, sizeof(Module));
  if (memcmp(text, "\177ELF", 4) != 0)
    parse_kernels(text + strlen("//stub\n"), made);
  else if (!stub_is_cubin(image))
    parse_kernels(text + 64, made);
  else
    made->num_kernels = stub_read_cubin(image, made->kernels, MAX_KERNELS);
  for (int i = 0; i < made->num_kernels; ++i)
    made->kernels[i].context = stub_cuda_current();
  *module = made;
  return made->num_kernels < 0 ? 300 : 0;
}

int cuModuleUnload(Module *module) {
  STUB_ENTER();
  free(module);
  return 0;
}

int cuModuleGetFunction(Kernel **function, Module *module, const char *name) {
  STUB_ENTER();
  for (int i = 0; i < module->num_kernels; ++i)
    if (strcmp(module->kernels[i].name, name) == 0) {
      *function = &module->kernels[i];
      return 0;
    }
  return 500;
}

int cuFuncGetAttribute(int *value, int attribute, Kernel *function) {
  (void)function;
  STUB_ENTER();
  *value = attribute == 0 ? 1024 : attribute == 1 ? 64 : 32;
  return 0;
}

int cuFuncSetAttribute(Kernel *function, int attribute, int value) {
  STUB_ENTER();
  if (attribute == 8)
    function->max_shared = value;
  return 0;
}

int cuFuncGetParamInfo(Kernel *function, size_t index, size_t *offset,
                       size_t *size) {
  STUB_ENTER();
  if (index >= (size_t)function->num_params)
    return 1;
  *offset = 0;
  *size = function->sizes[index];
  return 0;
}

int cuTensorMapEncodeTiled(void *map, int dtype, unsigned rank, void *address,
                           const uint64_t *extents, const uint64_t *strides,
                           const unsigned *box, const unsigned *steps,
                           int interleave, int swizzle, int promotion,
                           int fill) {
  STUB_ENTER();
  (void)interleave;
  (void)promotion;
  (void)steps;
  uint64_t *words = map;
  memset(words, 0, 128);
  words[0] = (uintptr_t)address;
  words[1] = (uint64_t)dtype << 32 | rank;
  words[2] = (uint64_t)swizzle << 32 | (unsigned)fill;
  for (unsigned i = 0; i < rank; ++i) {
    words[3 + i] = extents[i];
    words[8 + i] = i + 1 < rank ? strides[i] : 0;
    words[11 + i] = box[i];
  }
  return 0;
}

int cuTensorMapEncodeIm2col(void *map, int dtype, unsigned rank, void *address,
                            const uint64_t *extents, const uint64_t *strides,
                            const int *lower, const int *upper,
                            unsigned channels, unsigned pixels,
                            const unsigned *steps, int interleave, int swizzle,
                            int promotion, int fill) {
  STUB_ENTER();
  (void)interleave;
  (void)promotion;
  uint64_t *words = map;
  memset(words, 0, 128);
  words[0] = (uintptr_t)address;
  words[1] = (uint64_t)dtype << 32 | rank;
  words[2] = (uint64_t)swizzle << 32 | (unsigned)fill;
  words[3] = extents[rank - 1];
  words[4] = strides[rank - 2];
  int *numbers = (int *)(words + 5);
  numbers[0] = (int)channels;
  numbers[1] = (int)pixels;
  for (unsigned i = 0; i < rank - 2; ++i) {
    numbers[2 + i] = lower[i];
    numbers[5 + i] = upper[i];
  }
  for (unsigned i = 0; i < rank; ++i)
    numbers[8 + i] = (int)steps[i];
  return 0;
}

/* --- work ---------------------------------------------------------------- */

typedef struct Attribute {
  int id;
  char pad[4];
  union {
    char bytes[64];
    unsigned cluster[3];
    int flag;
    void *alignment;
  } value;
} Attribute;

typedef struct Config {
  unsigned grid[3], block[3], shared;
  void *stream;
  Attribute *attributes;
  unsigned num_attributes;
} Config;

void stub_compute(const Kernel *function, void **params) {
  if (function->is_real || !strstr(function->name, "add"))
    return;
  const float *x = *(float **)params[0], *y = *(float **)params[1];
  float *out = *(float **)params[2];
  for (int i = 0; i < *(int *)params[3]; ++i)
    out[i] = x[i] + y[i];
}

/* One line per launch in the file that OPGRAPH_STUB_CUDA_LOG names. */
static void log_launch(const stub_launch *launch) {
  const char *path = getenv("OPGRAPH_STUB_CUDA_LOG");
  FILE *file = path ? fopen(path, "a") : NULL;
  if (!file)
    return;
  fprintf(file, "%s grid %u %u %u block %u shared %u device %d\n",
          launch->kernel, launch->grid[0], launch->grid[1], launch->grid[2],
          launch->block[0], launch->shared, launch->device);
  fclose(file);
}

int cuLaunchKernelEx(const Config *config, Kernel *function, void **params,
                     void **extra) {
  STUB_ENTER();
  (void)extra;
  Context *context = stub_cuda_current();
  if (!context || context != function->context ||
      (!is_special(config->stream) &&
       ((Stream *)config->stream)->context != context))
    return 201;
  if (config->shared && (int)config->shared > function->max_shared)
    return 1;
  stub_launch record = {.cluster = {1, 1, 1}};
  memcpy(record.kernel, function->name, sizeof(record.kernel));
  memcpy(record.grid, config->grid, sizeof(record.grid));
  memcpy(record.block, config->block, sizeof(record.block));
  record.shared = config->shared;
  record.stream = config->stream;
  record.device = context->device;
  record.num_params = function->num_params;
  for (unsigned i = 0; i < config->num_attributes; ++i) {
    const Attribute *attribute = &config->attributes[i];
    if (attribute->id == 4)
      memcpy(record.cluster, attribute->value.cluster, sizeof(record.cluster));
    else if (attribute->id == 6)
      record.dependent = attribute->value.flag;
    else
      return 1;
  }
  for (int i = 0; i < function->num_params; ++i)
    memcpy(record.params[i], params[i], function->sizes[i]);
  stub_compute(function, params);
  log_launch(&record);
  pthread_mutex_lock(&mutex);
  if (num_launches < MAX_LAUNCHES)
    launches[num_launches++] = record;
  pthread_mutex_unlock(&mutex);
  return 0;
}

static void record_fill(stub_fill fill) {
  for (size_t row = 0; row < fill.height; ++row)
    memset((char *)(uintptr_t)fill.address + row * fill.pitch, fill.value,
           fill.width);
  pthread_mutex_lock(&mutex);
  if (num_fills < MAX_FILLS)
    fills[num_fills++] = fill;
  pthread_mutex_unlock(&mutex);
}

int cuMemsetD8Async(DevicePtr address, unsigned char value, size_t bytes,
                    void *stream) {
  STUB_ENTER();
  (void)stream;
  if (!stub_cuda_current())
    return 201;
  record_fill((stub_fill){address, bytes, bytes, 1, value});
  return 0;
}

int cuMemsetD2D8Async(DevicePtr address, size_t pitch, unsigned char value,
                      size_t width, size_t height, void *stream) {
  STUB_ENTER();
  (void)stream;
  if (!stub_cuda_current() || pitch < width)
    return 201;
  record_fill((stub_fill){address, pitch, width, height, value});
  return 0;
}
