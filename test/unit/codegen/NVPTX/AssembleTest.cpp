//===- AssembleTest.cpp - Assemblers, found and planted -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/NVPTX/Assemble.h"
#include "Variable.h"
#include "codegen/NVPTX/NvJitLink.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/raw_ostream.h"
#include "gmock/gmock.h"
#include "gtest/gtest.h"

using namespace opgraph::codegen;
using opgraph::test::Variable;
using testing::HasSubstr;

namespace {

constexpr char kPtx[] = R"(.version 8.6
.target sm_90a
.address_size 64
.visible .entry opgraph_one(.param .u64 x) .reqntid 32
{
  .reg .b64 %rd<3>;
  ld.param.b64 %rd1, [x];
  cvta.to.global.u64 %rd2, %rd1;
  st.global.b32 [%rd2], 7;
  ret;
}
)";

/// A program in the place of ptxas.
class PlantedPtxas {
public:
  explicit PlantedPtxas(const std::string &script) {
    int file;
    llvm::sys::fs::createTemporaryFile("ptxas", "sh", file, path);
    llvm::raw_fd_ostream(file, /*shouldClose=*/true) << "#!/bin/sh\n"
                                                     << script << "\n";
    llvm::sys::fs::setPermissions(path, llvm::sys::fs::all_all);
  }
  ~PlantedPtxas() { llvm::sys::fs::remove(path); }
  std::string getPath() const { return path.str().str(); }

private:
  llvm::SmallString<64> path;
};

std::string errorOf(llvm::Expected<Cubin> cubin) {
  return cubin ? "" : llvm::toString(cubin.takeError());
}

TEST(AssembleTest, WithoutAnAssemblerTheDriverIsLeft) {
  Variable noPtxas("OPGRAPH_PTXAS", "none");
  Variable noLibrary("OPGRAPH_NVJITLINK", "none");
  EXPECT_EQ(describeAssembler(), "the driver");
  auto cubin = assemble(kPtx, "sm_90a");
  ASSERT_TRUE(bool(cubin));
  EXPECT_FALSE(cubin->has_value());
}

TEST(AssembleTest, PtxasIsPreferredToNvJitLink) {
  Variable ptxas("OPGRAPH_PTXAS", "/nowhere/ptxas");
  Variable library("OPGRAPH_NVJITLINK", "/nowhere/libnvJitLink.so");
  EXPECT_EQ(describeAssembler(), "/nowhere/ptxas");
  auto cubin = assemble(kPtx, "sm_90a");
  ASSERT_FALSE(bool(cubin));
  EXPECT_THAT(llvm::toString(cubin.takeError()), HasSubstr("/nowhere/ptxas"));
}

TEST(AssembleTest, WordsOfAFailingPtxasAreKept) {
  PlantedPtxas ptxas("echo 'ptxas fatal : no such luck' >&2; exit 255");
  std::string error = errorOf(runPtxas(ptxas.getPath(), kPtx, "sm_90a"));
  EXPECT_THAT(error, HasSubstr("failed for sm_90a"));
  EXPECT_THAT(error, HasSubstr("no such luck"));
}

TEST(AssembleTest, ACrashOfPtxasIsAnError) {
  PlantedPtxas ptxas("kill -SEGV $$");
  EXPECT_THAT(errorOf(runPtxas(ptxas.getPath(), kPtx, "sm_90a")),
              HasSubstr("failed for sm_90a"));
}

TEST(AssembleTest, AMissingLibraryIsAnError) {
  EXPECT_THAT(errorOf(runNvJitLink("/nowhere/lib.so", kPtx, "sm_90a")),
              HasSubstr("cannot load nvJitLink"));
  EXPECT_THAT(errorOf(runNvJitLink("libm.so.6", kPtx, "sm_90a")),
              HasSubstr("libm.so.6 is no nvJitLink"));
}

/// Both report the same of the same kernel, where both are installed.
TEST(AssembleTest, BothAssemblersMakeACubin) {
  std::optional<std::string> ptxas = findPtxas(), library = findNvJitLink();
  if (!ptxas || !library)
    GTEST_SKIP() << "no CUDA toolkit";
  auto one = runPtxas(*ptxas, kPtx, "sm_90a");
  ASSERT_TRUE(bool(one)) << llvm::toString(one.takeError());
  auto other = runNvJitLink(*library, kPtx, "sm_90a");
  ASSERT_TRUE(bool(other)) << llvm::toString(other.takeError());
  EXPECT_EQ(
      llvm::StringRef(reinterpret_cast<const char *>(one->bytes.data()), 4),
      "\x7f"
      "ELF");
  EXPECT_FALSE(other->bytes.empty());
  EXPECT_GT(one->report.kernels["opgraph_one"].registers, 0u);
  EXPECT_EQ(one->report.kernels["opgraph_one"].registers,
            other->report.kernels["opgraph_one"].registers);
  EXPECT_THAT(errorOf(runPtxas(*ptxas, "nonsense", "sm_90a")),
              HasSubstr("failed for sm_90a"));
  EXPECT_THAT(errorOf(runNvJitLink(*library, "nonsense", "sm_90a")),
              HasSubstr("failed for sm_90a"));
}

} // namespace
