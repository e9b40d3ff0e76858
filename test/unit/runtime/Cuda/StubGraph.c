/*===- StubGraph.c - CUDA graphs of the stub driver ----------------------===*/
/* SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception                   */
/*===---------------------------------------------------------------------===*/

#include "StubParts.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_NODES = 16, KERNEL = 0, MEMSET = 2, CHILD = 4 };

typedef struct KernelParams {
  Kernel *function;
  unsigned grid[3], block[3], shared;
  void **params, **extra;
  void *kernel, *context;
} KernelParams;

typedef struct MemsetParams {
  DevicePtr address;
  size_t pitch;
  unsigned value, element_bytes;
  size_t width, height;
} MemsetParams;

typedef struct Node {
  struct Graph *graph;
  struct Node *before;
  int type;
  KernelParams kernel;
  unsigned char values[STUB_MAX_PARAMS][STUB_PARAM_BYTES];
  unsigned cluster[3];
  MemsetParams memset;
  struct Graph *child;
} Node;

typedef struct UserObject {
  void *pointer;
  void (*destroy)(void *);
} UserObject;

typedef struct Graph {
  int num_nodes;
  Node nodes[MAX_NODES];
  UserObject *object;
} Graph;

void *stub_cuda_graph(void) { return calloc(1, sizeof(Graph)); }

int stub_cuda_num_nodes(void *graph) { return ((Graph *)graph)->num_nodes; }

void stub_cuda_run_graph(void *handle) {
  Graph *graph = handle;
  for (int i = 0; i < graph->num_nodes; ++i) {
    Node *node = &graph->nodes[i];
    void *params[STUB_MAX_PARAMS];
    for (int j = 0; j < STUB_MAX_PARAMS; ++j)
      params[j] = node->values[j];
    if (node->type == KERNEL)
      stub_compute(node->kernel.function, params);
    else if (node->type == MEMSET)
      memset((void *)(uintptr_t)node->memset.address, (int)node->memset.value,
             node->memset.width);
  }
}

void stub_cuda_free_graph(void *handle) {
  Graph *graph = handle;
  if (graph->object) {
    graph->object->destroy(graph->object->pointer);
    free(graph->object);
  }
  for (int i = 0; i < graph->num_nodes; ++i)
    if (graph->nodes[i].child)
      stub_cuda_free_graph(graph->nodes[i].child);
  free(graph);
}

static Node *append(Graph *graph, int type, Node *const *before, size_t count) {
  Node *node = &graph->nodes[graph->num_nodes++];
  memset(node, 0, sizeof(*node));
  node->graph = graph;
  node->type = type;
  node->before = count ? before[0] : NULL;
  return node;
}

int cuGraphKernelNodeSetParams_v2(Node *node, const KernelParams *params) {
  STUB_ENTER();
  node->kernel = *params;
  for (int i = 0; i < params->function->num_params; ++i)
    memcpy(node->values[i], params->params[i], params->function->sizes[i]);
  return 0;
}

int cuGraphAddKernelNode_v2(Node **node, Graph *graph, Node *const *before,
                            size_t count, const KernelParams *params) {
  STUB_ENTER();
  *node = append(graph, KERNEL, before, count);
  return cuGraphKernelNodeSetParams_v2(*node, params);
}

int cuGraphKernelNodeSetAttribute(Node *node, int id, const void *value) {
  STUB_ENTER();
  if (id != 4)
    return 1;
  memcpy(node->cluster, value, sizeof(node->cluster));
  return 0;
}

int cuGraphMemsetNodeSetParams(Node *node, const MemsetParams *params) {
  STUB_ENTER();
  node->memset = *params;
  return 0;
}

int cuGraphAddMemsetNode(Node **node, Graph *graph, Node *const *before,
                         size_t count, const MemsetParams *params,
                         void *context) {
  STUB_ENTER();
  (void)context;
  *node = append(graph, MEMSET, before, count);
  return cuGraphMemsetNodeSetParams(*node, params);
}

int cuGraphCreate(Graph **graph, unsigned flags) {
  STUB_ENTER();
  *graph = stub_cuda_graph();
  return flags != 0;
}

int cuGraphDestroy(Graph *graph) {
  STUB_ENTER();
  stub_cuda_free_graph(graph);
  return 0;
}

/* Children of tests have no nodes of their own. */
int cuGraphAddChildGraphNode(Node **node, Graph *graph, Node *const *before,
                             size_t count, Graph *child) {
  STUB_ENTER();
  (void)child;
  *node = append(graph, CHILD, before, count);
  (*node)->child = stub_cuda_graph();
  return 0;
}

int cuGraphChildGraphNodeGetGraph(Node *node, Graph **child) {
  STUB_ENTER();
  *child = node->child;
  return 0;
}

int cuGraphNodeGetType(Node *node, int *type) {
  STUB_ENTER();
  *type = node->type;
  return 0;
}

/* The nodes right after `before`: up to `*count` of them where there is room.
 */
static void list_after(Graph *graph, Node *before, Node **nodes,
                       size_t *count) {
  size_t found = 0;
  for (int i = 0; i < graph->num_nodes; ++i)
    if (graph->nodes[i].before == before) {
      if (nodes && found < *count)
        nodes[found] = &graph->nodes[i];
      ++found;
    }
  *count = found;
}

int cuGraphGetRootNodes(Graph *graph, Node **nodes, size_t *count) {
  STUB_ENTER();
  list_after(graph, NULL, nodes, count);
  return 0;
}

int cuGraphNodeGetDependentNodes(Node *node, Node **nodes, size_t *count) {
  STUB_ENTER();
  list_after(node->graph, node, nodes, count);
  return 0;
}

int cuUserObjectCreate(UserObject **object, void *pointer,
                       void (*destroy)(void *), unsigned references,
                       unsigned flags) {
  STUB_ENTER();
  if (references != 1 || flags != 1)
    return 1;
  *object = calloc(1, sizeof(UserObject));
  (*object)->pointer = pointer;
  (*object)->destroy = destroy;
  return 0;
}

int cuGraphRetainUserObject(Graph *graph, UserObject *object, unsigned count,
                            unsigned flags) {
  STUB_ENTER();
  if (count != 1 || flags != 1)
    return 1;
  graph->object = object;
  return 0;
}
