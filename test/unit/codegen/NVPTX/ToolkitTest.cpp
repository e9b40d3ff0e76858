//===- ToolkitTest.cpp - Where the toolkit's files are looked for ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/NVPTX/Toolkit.h"
#include "Variable.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/Path.h"
#include "llvm/Support/raw_ostream.h"
#include "gtest/gtest.h"

using namespace opgraph::codegen;
using opgraph::test::Variable;

namespace {

constexpr const char *kInToolkit[] = {"bin/opgraph-test-file"};
constexpr const char *kInPackages[] = {"nvidia/absent", "nvidia/cu13/it"};
constexpr ToolkitFile kFile = {nullptr, kInToolkit, kInPackages};

class ToolkitTest : public testing::Test {
protected:
  void SetUp() override {
    llvm::sys::fs::createUniqueDirectory("toolkit", root);
  }
  void TearDown() override { llvm::sys::fs::remove_directories(root); }

  /// An empty file below the root; its path.
  std::string write(const char *name) {
    llvm::SmallString<128> path(root);
    llvm::sys::path::append(path, name);
    llvm::sys::fs::create_directories(llvm::sys::path::parent_path(path));
    std::error_code error;
    llvm::raw_fd_ostream stream(path, error);
    return path.str().str();
  }

  llvm::SmallString<128> root;
};

TEST_F(ToolkitTest, WhatIsGivenComesFirst) {
  std::string inHome = write("bin/opgraph-test-file");
  Variable home("CUDA_HOME", root.str().str());
  EXPECT_EQ(findToolkitFile(kFile), inHome);
  EXPECT_EQ(findToolkitFile({"/nowhere/file", kInToolkit, kInPackages}),
            "/nowhere/file");
  EXPECT_EQ(findToolkitFile({"none", kInToolkit, kInPackages}), std::nullopt);
}

TEST_F(ToolkitTest, PythonsPackagesComeLast) {
  Variable environment("VIRTUAL_ENV", root.str().str());
  EXPECT_EQ(findToolkitFile(kFile), std::nullopt);
  std::string inPackages = write("lib/python3.11/site-packages/nvidia/cu13/it");
  EXPECT_EQ(findToolkitFile(kFile), inPackages);
  std::string inHome = write("bin/opgraph-test-file");
  Variable home("CUDA_PATH", root.str().str());
  EXPECT_EQ(findToolkitFile(kFile), inHome);
}

TEST_F(ToolkitTest, AnEnvironmentThatIsGoneIsNoError) {
  Variable environment("VIRTUAL_ENV", "/nowhere");
  EXPECT_EQ(findToolkitFile(kFile), std::nullopt);
}

} // namespace
