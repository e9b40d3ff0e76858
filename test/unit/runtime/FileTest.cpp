//===- FileTest.cpp - Plan files on disk, and inside objects --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/unit/runtime/TestPlans.h"

#include <csignal>
#include <filesystem>
#include <fstream>
#include <sys/resource.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>

using namespace opgraph::planfile;
using namespace opgraph::test;
namespace fs = std::filesystem;

namespace {

class FileTest : public ::testing::Test {
protected:
  void SetUp() override {
    folder = fs::path(::testing::TempDir()) /
             ("opgraph-file-test-" + std::to_string(getpid()));
    fs::create_directories(folder);
  }
  void TearDown() override { fs::remove_all(folder); }

  size_t filesInFolder() const {
    return std::distance(fs::directory_iterator(folder),
                         fs::directory_iterator());
  }

  fs::path folder;
};

TEST_F(FileTest, SavesAndLoads) {
  PlanPtr plan = load(makeScalePlan(4));
  std::string path = folder / "a.ogplan";
  ASSERT_EQ(og_plan_save(plan.get(), path.c_str()), OG_OK) << og_last_error();
  // Over an old file, too.
  ASSERT_EQ(og_plan_save(plan.get(), path.c_str()), OG_OK);
  EXPECT_EQ(filesInFolder(), 1u);
  og_plan *loaded = nullptr;
  ASSERT_EQ(og_plan_load_file(path.c_str(), &loaded), OG_OK) << og_last_error();
  PlanPtr owner(loaded);
  float x[4] = {1, 2, 3, 4}, y[4] = {};
  ASSERT_EQ(execute(owner, {makePointer(1, x), makePointer(2, y)}), OG_OK);
  EXPECT_EQ(y[3], 8);
}

TEST_F(FileTest, RefusesWhatIsNoPlan) {
  og_plan *plan = nullptr;
  std::string missing = folder / "missing", text = folder / "text";
  std::ofstream(text) << std::string(100, 'x');
  expectStatus(og_plan_load_file(missing.c_str(), &plan), OG_IO_ERROR,
               {"cannot open", missing, "No such file"});
  expectStatus(og_plan_load_file(folder.c_str(), &plan), OG_IO_ERROR,
               {"not a regular file"});
  expectStatus(og_plan_load_file(text.c_str(), &plan), OG_DATA_LOSS,
               {text, "not a plan file"});
  expectStatus(og_plan_load_file(nullptr, &plan), OG_INVALID_ARGUMENT,
               {"path"});
  expectStatus(og_plan_load_file(text.c_str(), nullptr), OG_INVALID_ARGUMENT,
               {"out"});
  std::string empty = folder / "empty";
  std::ofstream(empty).flush();
  expectStatus(og_plan_load_file(empty.c_str(), &plan), OG_DATA_LOSS,
               {"truncated"});
}

TEST_F(FileTest, UnwritablePlacesAreNamed) {
  PlanPtr plan = load(makeScalePlan(4));
  std::string path = folder / "no" / "such" / "folder.ogplan";
  expectStatus(og_plan_save(plan.get(), path.c_str()), OG_IO_ERROR,
               {"cannot create", path});
  expectStatus(og_plan_save(plan.get(), folder.c_str()), OG_IO_ERROR,
               {"cannot create"});
  expectStatus(og_plan_save(plan.get(), nullptr), OG_INVALID_ARGUMENT,
               {"path"});
  EXPECT_EQ(filesInFolder(), 0u);
}

/// Runs in a child: the limit on file sizes stands for a full disk.
int saveBeyondLimit(og_plan *plan, const std::string &path) {
  signal(SIGXFSZ, SIG_IGN);
  rlimit limit = {256, 256};
  if (setrlimit(RLIMIT_FSIZE, &limit) != 0)
    return 2;
  return og_plan_save(plan, path.c_str()) == OG_IO_ERROR ? 0 : 1;
}

TEST_F(FileTest, FullDiskLeavesTheOldFile) {
  PlanPtr plan = load(makeScalePlan(4));
  std::string path = folder / "old.ogplan";
  std::ofstream(path) << "old";
  pid_t child = fork();
  if (child == 0)
    _exit(saveBeyondLimit(plan.get(), path));
  int status = -1;
  ASSERT_EQ(waitpid(child, &status, 0), child);
  EXPECT_EQ(status, 0);
  EXPECT_EQ(filesInFolder(), 1u);
  std::string text;
  std::ifstream(path) >> text;
  EXPECT_EQ(text, "old");
}

TEST(Aot, OncePerSlot) {
  std::vector<uint8_t> bytes = write(makeScalePlan(4));
  void *slot = nullptr;
  std::vector<std::thread> threads;
  for (int t = 0; t < 4; ++t)
    threads.emplace_back([&] {
      float x[4] = {1, 2, 3, 4}, y[4] = {};
      std::vector<og_buffer> buffers = {makePointer(1, x), makePointer(2, y)};
      Pack pack(buffers);
      EXPECT_EQ(
          og_aot_execute(&slot, bytes.data(), bytes.size(), &pack, nullptr),
          OG_OK);
      EXPECT_EQ(y[3], 8);
    });
  for (std::thread &thread : threads)
    thread.join();
  og_plan *plan = nullptr;
  ASSERT_EQ(og_aot_describe(&slot, bytes.data(), bytes.size(), &plan), OG_OK);
  EXPECT_EQ(plan, slot);
  size_t size = 1;
  ASSERT_EQ(
      og_aot_workspace_size(&slot, bytes.data(), bytes.size(), nullptr, &size),
      OG_OK);
  EXPECT_EQ(size, 0u);
  og_plan_release(plan);
}

TEST(Aot, FailuresAreTriedAgain) {
  std::vector<uint8_t> bytes = write(makeScalePlan(4));
  void *slot = nullptr;
  og_plan *plan = nullptr;
  expectStatus(og_aot_describe(&slot, bytes.data(), 70, &plan), OG_DATA_LOSS,
               {"truncated"});
  EXPECT_EQ(slot, nullptr);
  EXPECT_EQ(plan, nullptr);
  ASSERT_EQ(og_aot_describe(&slot, bytes.data(), bytes.size(), &plan), OG_OK);
  og_plan_release(plan);
  expectStatus(og_aot_describe(nullptr, bytes.data(), 70, &plan),
               OG_INVALID_ARGUMENT, {"slot"});
}

} // namespace
