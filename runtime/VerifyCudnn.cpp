//===- VerifyCudnn.cpp - Checks of a plan's cuDNN steps -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cudnn/Steps.h"
#include "runtime/Verifier.h"
#include "runtime/VerifierContext.h"

#include <algorithm>
#include <vector>

using namespace opgraph::runtime;
namespace fb = opgraph::planfile::fb;

namespace {

constexpr size_t maxTensors = 512;
constexpr size_t maxKnobs = 64;
constexpr uint64_t maxWorkspace = uint64_t(1) << 46;

unsigned long long ull(uint64_t value) { return value; }

og_status verifyUids(size_t step, const fb::CudnnExecute &execute) {
  size_t count = execute.uids()->size();
  if (count > maxTensors || count != length(execute.args()))
    return corrupt("step %zu has %zu uids and %zu arguments, expected as many, "
                   "at most %zu",
                   step, count, length(execute.args()), maxTensors);
  std::vector<int64_t> uids(execute.uids()->begin(), execute.uids()->end());
  std::sort(uids.begin(), uids.end());
  auto twice = std::adjacent_find(uids.begin(), uids.end());
  if (twice != uids.end())
    return corrupt("step %zu gives the data of uid %lld twice", step,
                   static_cast<long long>(*twice));
  for (size_t i = 0; i < count; ++i) {
    fb::ArgKind kind = execute.args()->Get(i)->kind();
    if (kind != fb::ArgKind_Pointer && kind != fb::ArgKind_Scratch &&
        kind != fb::ArgKind_Scalar && kind != fb::ArgKind_Constant)
      return corrupt(
          "step %zu: argument %zu is of kind %d, which is no data of "
          "a tensor",
          step, i, kind);
  }
  return OG_OK;
}

} // namespace

og_status opgraph::runtime::verifyCudnn(size_t step,
                                        const fb::CudnnExecute &execute) {
  char text[256];
  if (const char *error =
          cudnn::checkProgram(cudnn::programOf(execute), text, sizeof(text)))
    return corrupt("step %zu: its operation graph has %s", step, error);
  if (length(execute.knobs()) > maxKnobs)
    return corrupt("step %zu has %zu knobs, expected at most %zu", step,
                   length(execute.knobs()), maxKnobs);
  if (execute.workspace() % 64 || execute.workspace() > maxWorkspace ||
      execute.bytes() > maxWorkspace)
    return corrupt("step %zu uses %llu bytes from byte %llu of the workspace",
                   step, ull(execute.bytes()), ull(execute.workspace()));
  if (length(execute.serialized()) && execute.library() == 0)
    return corrupt("step %zu has a serialised plan of no version", step);
  return verifyUids(step, execute);
}
