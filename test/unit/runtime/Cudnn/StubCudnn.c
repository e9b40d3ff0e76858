/*===- StubCudnn.c - A cuDNN library without a GPU, for tests ------------===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   */
/*===---------------------------------------------------------------------===*/

#include "test/unit/runtime/Cudnn/StubCudnn.h"
#include "test/unit/runtime/Cuda/StubSettings.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum {
  MAX_ATTRIBUTES = 32,
  MAX_EXECUTIONS = 256,
  BAD_PARAM = 2000,
  NOT_SUPPORTED = 3000,
  SERIALIZATION_MISMATCH = 1003
};
/* Numbers of the backend that the stub acts on. */
enum {
  KIND_ENGINE = 2,
  KIND_PLAN = 5,
  ATTR_CONFIG_ENGINE = 300,
  ATTR_CONFIG_WORKSPACE = 303,
  ATTR_PLAN_CONFIG = 401,
  ATTR_PLAN_WORKSPACE = 402,
  ATTR_PLAN_JSON = 405,
  ATTR_ENGINE_COUNT = 802,
  ATTR_PACK_UIDS = 1000,
  ATTR_PACK_DATA = 1001,
  ATTR_PACK_WORKSPACE = 1003,
  ATTR_ENGINE_INDEX = 1301,
  NUM_ENGINES = 10,
  HIGHEST_KIND = 43
};

typedef struct Attribute {
  int name;
  int64_t count;
  size_t bytes;
  unsigned char *elements;
} Attribute;

typedef struct Descriptor {
  int kind;
  int finalized;
  /* Of a finalised plan. */
  int64_t engine;
  int num_attributes;
  Attribute attributes[MAX_ATTRIBUTES];
} Descriptor;

typedef struct Handle {
  void *stream;
} Handle;

static pthread_mutex_t mutex = PTHREAD_MUTEX_INITIALIZER;
static stub_cudnn_execution executions[MAX_EXECUTIONS];
static int num_executions, live_descriptors, live_handles, num_set;
static __thread char last_error[256];

static long setting(const char *name, long standard) {
  return read_setting(getenv("OPGRAPH_STUB_CUDNN"), name, standard);
}

static int refuse(int code, const char *text) {
  snprintf(last_error, sizeof(last_error), "stub: %s", text);
  return code;
}

static size_t element_bytes(int type) {
  switch (type) {
  case 2:  /* BOOLEAN */
  case 24: /* CHAR */
    return 1;
  case 0:  /* HANDLE */
  case 3:  /* INT64 */
  case 5:  /* DOUBLE */
  case 6:  /* VOID_PTR */
  case 15: /* BACKEND_DESCRIPTOR */
    return 8;
  case 26: /* FRACTION */
    return 16;
  default:
    return 4;
  }
}

static Attribute *find(Descriptor *descriptor, int name) {
  for (int i = 0; i < descriptor->num_attributes; ++i)
    if (descriptor->attributes[i].name == name)
      return &descriptor->attributes[i];
  return NULL;
}

static void clear(Descriptor *descriptor) {
  for (int i = 0; i < descriptor->num_attributes; ++i)
    free(descriptor->attributes[i].elements);
  descriptor->num_attributes = 0;
  descriptor->finalized = 0;
}

/* --- the library's functions -------------------------------------------- */

size_t cudnnGetVersion(void) { return (size_t)setting("version", 91900); }
size_t cudnnGetCudartVersion(void) { return (size_t)setting("cudart", 0); }

const char *cudnnGetErrorString(int code) {
  return code == 0          ? "CUDNN_STATUS_SUCCESS"
         : code / 1000 == 3 ? "CUDNN_STATUS_NOT_SUPPORTED"
         : code / 1000 == 5 ? "CUDNN_STATUS_EXECUTION_FAILED"
         : code / 1000 == 1 ? "CUDNN_STATUS_VERSION_MISMATCH"
                            : "CUDNN_STATUS_BAD_PARAM";
}

void cudnnGetLastErrorString(char *text, size_t capacity) {
  snprintf(text, capacity, "%s", last_error);
}

int cudnnGraphVersionCheck(void) { return (int)setting("fail_check", 0); }

int cudnnCreate(Handle **out) {
  int code = (int)setting("fail_create", 0);
  if (code)
    return refuse(code, "no handle");
  *out = calloc(1, sizeof(**out));
  __atomic_add_fetch(&live_handles, 1, __ATOMIC_RELAXED);
  return 0;
}

int cudnnDestroy(Handle *handle) {
  free(handle);
  __atomic_sub_fetch(&live_handles, 1, __ATOMIC_RELAXED);
  return 0;
}

int cudnnSetStream(Handle *handle, void *stream) {
  handle->stream = stream;
  return 0;
}

int cudnnBackendCreateDescriptor(int kind, Descriptor **out) {
  if (kind < 0 || kind > HIGHEST_KIND)
    return refuse(BAD_PARAM, "no such kind");
  *out = calloc(1, sizeof(**out));
  (*out)->kind = kind;
  __atomic_add_fetch(&live_descriptors, 1, __ATOMIC_RELAXED);
  return 0;
}

int cudnnBackendDestroyDescriptor(Descriptor *descriptor) {
  clear(descriptor);
  free(descriptor);
  __atomic_sub_fetch(&live_descriptors, 1, __ATOMIC_RELAXED);
  return 0;
}

int cudnnBackendInitialize(Descriptor *descriptor) {
  /* Storage is kept, as the real library keeps it. */
  descriptor->finalized = 0;
  return 0;
}

int cudnnBackendSetAttribute(Descriptor *descriptor, int name, int type,
                             int64_t count, const void *elements) {
  if (descriptor->finalized)
    return refuse(BAD_PARAM, "the descriptor is final");
  size_t bytes = (size_t)count * element_bytes(type);
  if (count < 0 || bytes > 1 << 20)
    return refuse(BAD_PARAM, "too many elements");
  Attribute *attribute = find(descriptor, name);
  if (!attribute) {
    if (descriptor->num_attributes == MAX_ATTRIBUTES)
      return refuse(BAD_PARAM, "too many attributes");
    attribute = &descriptor->attributes[descriptor->num_attributes++];
    memset(attribute, 0, sizeof(*attribute));
    attribute->name = name;
  }
  if (bytes > attribute->bytes || !attribute->elements) {
    free(attribute->elements);
    attribute->elements = malloc(bytes ? bytes : 1);
    attribute->bytes = bytes;
  }
  memcpy(attribute->elements, elements, bytes);
  attribute->count = count;
  __atomic_add_fetch(&num_set, 1, __ATOMIC_RELAXED);
  return 0;
}

/* The engine of a plan that was made from a configuration. */
static int64_t engine_of(Descriptor *plan) {
  Descriptor *config = *(Descriptor **)find(plan, ATTR_PLAN_CONFIG)->elements;
  Descriptor *engine =
      *(Descriptor **)find(config, ATTR_CONFIG_ENGINE)->elements;
  return *(int64_t *)find(engine, ATTR_ENGINE_INDEX)->elements;
}

/* The engine of a serialised plan; -1 for one of another version. */
static int64_t engine_in(const Attribute *json) {
  long version = 0, engine = 0;
  char text[64] = "";
  memcpy(text, json->elements,
         json->count < 63 ? (size_t)json->count : sizeof(text) - 1);
  if (sscanf(text, "stub plan %ld engine %ld", &version, &engine) != 2 ||
      version != setting("version", 91900))
    return -1;
  return engine;
}

int cudnnBackendFinalize(Descriptor *descriptor) {
  char name[64];
  snprintf(name, sizeof(name), "fail_finalize_%d", descriptor->kind);
  int code = (int)setting(name, 0);
  if (code)
    return refuse(code, "asked to refuse");
  if (descriptor->finalized)
    return refuse(BAD_PARAM, "final already");
  if (descriptor->kind == KIND_ENGINE &&
      *(int64_t *)find(descriptor, ATTR_ENGINE_INDEX)->elements == 3)
    return refuse(NOT_SUPPORTED, "engine 3 takes no graph\nsecond line");
  Attribute *json = find(descriptor, ATTR_PLAN_JSON);
  if (descriptor->kind == KIND_PLAN)
    descriptor->engine = json ? engine_in(json) : engine_of(descriptor);
  if (descriptor->engine < 0)
    return refuse(SERIALIZATION_MISMATCH, "a plan of another version");
  descriptor->finalized = 1;
  return 0;
}

static int give_integer(int64_t value, int64_t capacity, int64_t *count,
                        void *elements) {
  *count = 1;
  if (capacity >= 1)
    memcpy(elements, &value, sizeof(value));
  return 0;
}

static int give_json(Descriptor *plan, int64_t capacity, int64_t *count,
                     void *elements) {
  char text[64];
  int length = snprintf(text, sizeof(text), "stub plan %ld engine %ld",
                        setting("version", 91900), (long)plan->engine);
  *count = length + 1;
  if (capacity > length)
    memcpy(elements, text, length + 1);
  return 0;
}

int cudnnBackendGetAttribute(Descriptor *descriptor, int name, int type,
                             int64_t capacity, int64_t *count, void *elements) {
  if (name == ATTR_ENGINE_COUNT)
    return give_integer(NUM_ENGINES, capacity, count, elements);
  if (name == ATTR_PLAN_WORKSPACE || name == ATTR_CONFIG_WORKSPACE)
    return give_integer(setting("workspace", 0), capacity, count, elements);
  if (name == ATTR_PLAN_JSON)
    return give_json(descriptor, capacity, count, elements);
  Attribute *attribute = find(descriptor, name);
  *count = attribute ? attribute->count : 0;
  if (attribute && capacity >= attribute->count)
    memcpy(elements, attribute->elements,
           (size_t)attribute->count * element_bytes(type));
  return 0;
}

static int note(Handle *handle, Descriptor *plan, Descriptor *pack, int graph) {
  int code = (int)setting("fail_execute", 0);
  if (code)
    return refuse(code, "asked to fail");
  if (!plan->finalized || !pack->finalized)
    return refuse(BAD_PARAM, "plan or pack is not final");
  pthread_mutex_lock(&mutex);
  if (num_executions < MAX_EXECUTIONS) {
    stub_cudnn_execution *execution = &executions[num_executions++];
    Attribute *uids = find(pack, ATTR_PACK_UIDS);
    memset(execution, 0, sizeof(*execution));
    execution->engine = plan->engine;
    execution->restored = find(plan, ATTR_PLAN_JSON) != NULL;
    execution->graph = graph;
    execution->stream = handle->stream;
    execution->num_data = uids->count;
    memcpy(execution->uids, uids->elements, (size_t)uids->count * 8);
    memcpy(execution->data, find(pack, ATTR_PACK_DATA)->elements,
           (size_t)uids->count * 8);
    memcpy(&execution->workspace, find(pack, ATTR_PACK_WORKSPACE)->elements, 8);
  }
  pthread_mutex_unlock(&mutex);
  return 0;
}

int cudnnBackendExecute(Handle *handle, Descriptor *plan, Descriptor *pack) {
  return note(handle, plan, pack, 0);
}

int cudnnBackendPopulateCudaGraph(Handle *handle, Descriptor *plan,
                                  Descriptor *pack, void *graph) {
  (void)graph;
  return note(handle, plan, pack, 1);
}

int cudnnBackendUpdateCudaGraph(Handle *handle, Descriptor *plan,
                                Descriptor *pack, void *graph) {
  (void)graph;
  return note(handle, plan, pack, 2);
}

/* --- for tests ---------------------------------------------------------- */

void stub_cudnn_reset(void) {
  pthread_mutex_lock(&mutex);
  num_executions = 0;
  pthread_mutex_unlock(&mutex);
}

int stub_cudnn_num_executions(void) { return num_executions; }

const stub_cudnn_execution *stub_cudnn_execution_at(int index) {
  return index >= 0 && index < num_executions ? &executions[index] : NULL;
}

int stub_cudnn_live_descriptors(void) { return live_descriptors; }
int stub_cudnn_num_attributes_set(void) { return num_set; }
int stub_cudnn_live_handles(void) { return live_handles; }
