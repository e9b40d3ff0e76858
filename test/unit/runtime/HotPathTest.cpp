//===- HotPathTest.cpp - An execution allocates nothing -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// Counts the calls of the C library's allocator, by taking its names over.
/// A program of its own, and not built under a sanitizer, which does the same.
///
//===----------------------------------------------------------------------===//

#include "test/unit/runtime/HotPath.h"
#include "test/unit/runtime/TestPlans.h"

#include <atomic>
#include <cerrno>

using namespace opgraph::planfile;
using namespace opgraph::test;

static std::atomic<int> allocations{0};

int opgraph::test::numAllocations() { return allocations; }

extern "C" {
void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

void *malloc(size_t size) {
  ++allocations;
  return __libc_malloc(size);
}
void *calloc(size_t count, size_t size) {
  ++allocations;
  return __libc_calloc(count, size);
}
void *realloc(void *pointer, size_t size) {
  ++allocations;
  return __libc_realloc(pointer, size);
}
void *aligned_alloc(size_t alignment, size_t size) {
  ++allocations;
  return __libc_memalign(alignment, size);
}
int posix_memalign(void **out, size_t alignment, size_t size) {
  ++allocations;
  *out = __libc_memalign(alignment, size);
  return *out ? 0 : ENOMEM;
}
}

namespace {

TEST(HotPath, ExecuteAllocatesNothing) {
  PlanContents contents = makeDynamicPlan(4);
  contents.workspacePrivate = Expr(64) * Expr::symbol(0);
  contents.maxWorkers = 4;
  contents.operands.push_back(
      makeOperand(3, "out", OG_DTYPE_INT64, {1000}, true));
  PlanPtr scale = load(contents);
  contents = makeEmptyPlan();
  contents.operands = {makeOperand(3, "out", OG_DTYPE_INT64, {1000}, true)};
  contents.steps = {HostCall{Parallel}};
  contents.maxWorkers = 4;
  PlanPtr parallel = load(contents);
  ASSERT_EQ(og_plan_prepare(parallel.get(), {OG_DEVICE_HOST, 0}), OG_OK);
  alignas(64) static uint8_t workspace[4096];
  static int64_t out[1000];
  float x[8] = {}, y[8] = {};
  std::vector<int64_t> four = {4}, eight = {8}, thousand = {1000};
  std::vector<og_buffer> buffers = {makeBuffer(1, x, eight),
                                    makeBuffer(2, y, eight),
                                    makeBuffer(3, out, thousand)};
  Pack pack(buffers, workspace, sizeof(workspace));
  og_override item = {sizeof(og_override), 1, 1, eight.data(), nullptr};
  pack.overrides = &item;
  pack.num_overrides = 1;
  Pack parallelPack(buffers);
  // Before any warm-up: the first call must not allocate either.
  int before = allocations;
  for (int repeat = 0; repeat < 100; ++repeat) {
    ASSERT_EQ(og_plan_execute(scale.get(), &pack, nullptr), OG_OK)
        << og_last_error();
    ASSERT_EQ(og_plan_execute(parallel.get(), &parallelPack, nullptr), OG_OK);
    size_t size;
    ASSERT_EQ(og_plan_workspace_size(scale.get(), &pack, &size), OG_OK);
  }
  // Refusals do not either: texts have a fixed place.
  pack.workspace_size = 1;
  EXPECT_EQ(og_plan_execute(scale.get(), &pack, nullptr),
            OG_INVALID_VARIANT_PACK);
  EXPECT_EQ(allocations, before);
}

} // namespace
