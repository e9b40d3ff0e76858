//===- plan_fuzzer.cpp - Fuzzing the plan loader --------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// Feeds mutated plan files to the loader; the code of none is run. A custom
/// mutator works on two levels: on the bytes of the FlatBuffers body, and on
/// the numbers of a plan that was read back, so that most inputs are sound
/// enough to reach the semantic verifier. Length and digest are repaired after
/// each mutation; a few inputs break the header instead, and are repaired once
/// its checks have seen them. At exit it prints how many inputs reached that
/// verifier.
///
//===----------------------------------------------------------------------===//

#include "codegen/PlanFile/PlanContents.h"
#include "opgraph-c/runtime.h"
#include "runtime/PlanFormat.h"
#include "runtime/Verifier.h"
#include "test/fuzz/PlanMutator.h"

#include <atomic>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <vector>

using namespace opgraph;

extern "C" size_t LLVMFuzzerMutate(uint8_t *data, size_t size, size_t maxSize);

namespace {

std::atomic<unsigned long long> inputs{0}, reached{0}, accepted{0};

void printCounts() {
  unsigned long long all = inputs, semantic = reached;
  std::fprintf(stderr,
               "plan_fuzzer: %llu of %llu inputs (%.1f %%) reached the "
               "semantic verifier, %llu were accepted\n",
               semantic, all, all ? 100.0 * semantic / all : 0.0,
               static_cast<unsigned long long>(accepted));
}

/// A copy at an address aligned to 64.
struct AlignedCopy {
  unsigned char *bytes = nullptr;
  AlignedCopy(const uint8_t *data, size_t size) {
    void *memory = nullptr;
    if (posix_memalign(&memory, 64, size ? size : 1) == 0)
      bytes = static_cast<unsigned char *>(memory);
    if (bytes && size)
      std::memcpy(bytes, data, size);
  }
  ~AlignedCopy() { std::free(bytes); }
};

/// Breaks what the repaired header would hide: its own bytes or the length.
void breakHeader(std::vector<uint8_t> &file, unsigned seed) {
  constexpr size_t header = sizeof(planfile::Header);
  size_t at = seed % (header + 1);
  if (at == header)
    return file.resize(seed / header % file.size());
  file[at] ^= 1 << (seed / (header + 1) % 8);
  if (at < planfile::digestedFrom)
    return;
  // Behind a wrong digest nobody would look at it.
  unsigned char digest[16];
  planfile::computeDigest(file.data(), file.size(), digest);
  std::memcpy(file.data() + offsetof(planfile::Header, digest), digest,
              sizeof(digest));
}

/// Asks a plan everything that needs no code to run.
void query(og_plan *plan) {
  for (size_t i = 0; i < og_plan_num_operands(plan); ++i) {
    og_operand_info info = {};
    info.struct_size = sizeof(info);
    og_plan_operand(plan, i, &info);
    size_t index;
    og_plan_find_operand(plan, info.uid, &index);
  }
  for (size_t i = 0; i < og_plan_num_symbols(plan); ++i) {
    og_symbol_info info = {};
    info.struct_size = sizeof(info);
    og_plan_symbol(plan, i, &info);
  }
  size_t bytes;
  og_plan_workspace_size(plan, nullptr, &bytes);
  for (size_t i = 0; i < og_plan_num_kernels(plan); ++i) {
    og_kernel_info info = {};
    info.struct_size = sizeof(info);
    og_plan_kernel(plan, 0, i, &info);
  }
}

/// Binds wrong operands: refused before anything runs, whatever the plan is.
/// The stream alone makes sure of that for host plans. A plan for a device that
/// has no operands has nothing to do, and no driver is here to do it.
void refuse(og_plan *plan) {
  og_variant_pack pack = {};
  pack.struct_size = sizeof(pack);
  int stream;
  if (og_plan_execute(plan, &pack, &stream) == OG_OK &&
      og_plan_device_type(plan) == OG_DEVICE_HOST)
    std::abort();
}

} // namespace

extern "C" int LLVMFuzzerInitialize(int *, char ***) {
  std::atexit(printCounts);
  return 0;
}

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  ++inputs;
  // As it is, for the header's checks. Then repaired.
  const planfile::fb::Plan *body = nullptr;
  AlignedCopy raw(data, size);
  if (raw.bytes)
    runtime::verifyFile(raw.bytes, size, &body);
  std::vector<uint8_t> file(data, data + size);
  planfile::sealPlanFile(file);
  AlignedCopy copy(file.data(), file.size());
  if (!copy.bytes)
    return 0;
  if (runtime::verifyFile(copy.bytes, file.size(), &body) != OG_OK)
    return 0;
  ++reached;
  og_plan *plan = nullptr;
  if (og_plan_load_static(copy.bytes, file.size(), &plan) != OG_OK)
    return 0;
  ++accepted;
  query(plan);
  refuse(plan);
  og_plan_release(plan);
  planfile::PlanContents contents;
  std::string error;
  if (!planfile::readPlanFile(file.data(), file.size(), contents, error))
    std::abort();
  return 0;
}

extern "C" size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t size,
                                          size_t maxSize, unsigned seed) {
  constexpr size_t header = sizeof(planfile::Header);
  std::vector<uint8_t> file;
  planfile::PlanContents contents;
  std::string error;
  bool readable = planfile::readPlanFile(data, size, contents, error);
  if (readable && seed % 32 == 0) {
    file.assign(data, data + size);
    breakHeader(file, seed / 32);
    std::memcpy(data, file.data(), file.size());
    return file.size();
  }
  // Three of four on the plan's numbers, the rest on bytes.
  if (!readable || seed % 4 != 0) {
    if (!readable)
      contents = fuzz::makeSeedPlan(seed);
    fuzz::mutatePlan(contents, seed / 4);
    if (planfile::writePlanFile(contents, file, error) &&
        file.size() <= maxSize) {
      std::memcpy(data, file.data(), file.size());
      return file.size();
    }
  }
  if (size < header + 8 || maxSize <= header)
    return size;
  size_t body =
      LLVMFuzzerMutate(data + header, size - header, maxSize - header);
  file.assign(data, data + header + body);
  planfile::sealPlanFile(file);
  std::memcpy(data, file.data(), file.size());
  return file.size();
}
