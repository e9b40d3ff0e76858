//===- CudaVerifierTest.cpp - Each rule of device plans -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/unit/runtime/Cuda/TestCuda.h"
#include "test/unit/runtime/SpoiledPlan.h"

#include <elf.h>

using namespace opgraph::planfile;
using namespace opgraph::test;

namespace {

using DeviceVerifierTest = SpoiledPlanTest;

Launch &launchOf(PlanContents &contents) {
  return std::get<Launch>(contents.steps[0]);
}

PlanContents makeGoodPlan() {
  PlanContents contents = makeAddPlan();
  Operand alpha = makeOperand(9, "alpha", OG_DTYPE_FLOAT, {1});
  alpha.byValue = true;
  contents.operands.insert(contents.operands.begin() + 2, alpha);
  launchOf(contents).args[2].index = 3;
  TensorMap map;
  map.base = makePointerArg(0);
  map.dtype = OG_DTYPE_FLOAT;
  map.extents = {1, 8};
  map.strides = {8, 1};
  map.box = {1, 8};
  map.swizzle = Swizzle::Sw32;
  contents.tensorMaps = {map};
  return contents;
}

TEST(DeviceVerifier, TheUnspoiledPlanLoads) { load(makeGoodPlan()); }

TEST_P(DeviceVerifierTest, Refuses) { expectRefusal(makeGoodPlan()); }

using P = PlanContents &;

/// Replaces the last argument, which is not an address.
void setArg(P p, ArgKind kind, ArgType type, uint32_t index,
            uint32_t axis = 0) {
  LaunchArg arg = makeArg(kind, type, index);
  arg.axis = axis;
  launchOf(p).args.back() = arg;
}

void patchElf(P p, size_t offset, uint64_t value, size_t bytes) {
  std::memcpy(p.deviceVariants[0].cubin.data() + offset, &value, bytes);
}

const Spoiled programs[] = {
    {"a plan for a CUDA device has host code",
     [](P p) { p.variants = {makeVariant()}; }},
    {"a host plan launches a kernel",
     [](P p) {
       p.device = DeviceKind::Host;
       p.deviceVariants.clear();
       p.tensorMaps.clear();
     }},
    {"a host plan has device code", [](P p) { p.device = DeviceKind::Host; }},
    {"calls entry 0 of 0", [](P p) { p.steps.push_back(HostCall{0}); }},
    {"launches kernel 1 of 1", [](P p) { launchOf(p).kernel = 1; }},
    {"launches kernel 0 of 0", [](P p) { p.deviceVariants.clear(); }},
    {"grid axis 0 is -1", [](P p) { launchOf(p).grid[0] = -1; }},
    {"grid axis 1 is 65536", [](P p) { launchOf(p).grid[1] = 65536; }},
    {"grid axis 0 is 2147483648",
     [](P p) { launchOf(p).grid[0] = int64_t(1) << 31; }},
    {"513 arguments",
     [](P p) { launchOf(p).args.resize(513, makeIntegerArg(0)); }},
    {"1025 steps", [](P p) { p.steps.resize(1025, p.steps[0]); }},
    {"arguments, expected at most 4096",
     [](P p) {
       launchOf(p).args.resize(500, makeIntegerArg(0));
       p.steps.resize(9, p.steps[0]);
     }},
};

const Spoiled arguments[] = {
    {"argument 3 has kind 9",
     [](P p) { setArg(p, ArgKind(9), ArgType::I32, 0); }},
    {"argument 3 has kind 2 and type 9",
     [](P p) { setArg(p, ArgKind::Integer, ArgType(9), 0); }},
    {"an integer passed as type 3",
     [](P p) { setArg(p, ArgKind::Integer, ArgType::F32, 0); }},
    {"a scalar passed as type 1",
     [](P p) { setArg(p, ArgKind::Scalar, ArgType::U32, 2); }},
    {"names operand 4 of 4",
     [](P p) { setArg(p, ArgKind::Pointer, ArgType::I32, 4); }},
    {"takes operand 'alpha' in memory, but it is by value",
     [](P p) { setArg(p, ArgKind::Pointer, ArgType::I32, 2); }},
    {"takes operand 'x' by value, which it is not",
     [](P p) { setArg(p, ArgKind::Scalar, ArgType::F32, 0); }},
    {"of dtype FP8_E4M3 by value",
     [](P p) {
       p.operands[2].dtype = OG_DTYPE_FP8_E4M3;
       setArg(p, ArgKind::Scalar, ArgType::F32, 2);
     }},
    {"axis 1 of operand 'x' of rank 1",
     [](P p) { setArg(p, ArgKind::Stride, ArgType::I64, 0, 1); }},
    {"names tensor map 1 of 1",
     [](P p) { setArg(p, ArgKind::TensorMap, ArgType::I32, 1); }},
};

const Spoiled maps[] = {
    {"tensor map 0 has no address",
     [](P p) { p.tensorMaps[0].base = makeIntegerArg(0); }},
    {"strides are not exact",
     [](P p) { p.operands[0].strideRule = OG_STRIDES_ANY; }},
    {"one rank from 1 to 5",
     [](P p) {
       p.tensorMaps[0].extents.clear();
       p.tensorMaps[0].strides.clear();
       p.tensorMaps[0].box.clear();
     }},
    {"one rank from 1 to 5", [](P p) { p.tensorMaps[0].box = {8}; }},
    {"its last stride is not 1", [](P p) { p.tensorMaps[0].strides[1] = 2; }},
    {"has dtype 20", [](P p) { p.tensorMaps[0].dtype = OG_DTYPE_INT4; }},
    {"swizzle 9", [](P p) { p.tensorMaps[0].swizzle = Swizzle(9); }},
    {"box extent of 257", [](P p) { p.tensorMaps[0].box[0] = 257; }},
    {"box extent of 0", [](P p) { p.tensorMaps[0].box[0] = 0; }},
    {"box rows of 4 bytes", [](P p) { p.tensorMaps[0].box[1] = 1; }},
    {"within the swizzle's span", [](P p) { p.tensorMaps[0].box[1] = 16; }},
    {"65 tensor maps", [](P p) { p.tensorMaps.resize(65, p.tensorMaps[0]); }},
};

const Spoiled code[] = {
    {"'gfx942' is named as no target is",
     [](P p) { p.deviceVariants[0].target = "gfx942"; }},
    {"neither a cubin nor PTX", [](P p) { p.deviceVariants[0].cubin.clear(); }},
    {"its PTX is no text",
     [](P p) { p.deviceVariants[0].ptx = std::string("a\0b", 3); }},
    {"is no little-endian ELF", [](P p) { patchElf(p, 0, 0, 1); }},
    {"shorter than an ELF header",
     [](P p) { p.deviceVariants[0].cubin.resize(63); }},
    {"section headers of another size",
     [](P p) { patchElf(p, offsetof(Elf64_Ehdr, e_shnum), 1, 2); }},
    {"program headers of another size",
     [](P p) { patchElf(p, offsetof(Elf64_Ehdr, e_phnum), 1, 2); }},
    {"headers beyond its end",
     [](P p) { patchElf(p, offsetof(Elf64_Ehdr, e_shoff), 1 << 20, 8); }},
    {"a section beyond its end",
     [](P p) {
       std::vector<uint8_t> &cubin = p.deviceVariants[0].cubin;
       patchElf(p, offsetof(Elf64_Ehdr, e_shoff), cubin.size(), 8);
       patchElf(p, offsetof(Elf64_Ehdr, e_shnum), 1, 2);
       patchElf(p, offsetof(Elf64_Ehdr, e_shentsize), sizeof(Elf64_Shdr), 2);
       Elf64_Shdr section = {};
       section.sh_type = SHT_PROGBITS;
       section.sh_size = 1000;
       auto *bytes = reinterpret_cast<uint8_t *>(&section);
       cubin.insert(cubin.end(), bytes, bytes + sizeof(section));
     }},
    {"two device variants are 'sm_90a'",
     [](P p) { p.deviceVariants.push_back(p.deviceVariants[0]); }},
    {"has 1 kernels, variant sm_80 has 2",
     [](P p) {
       p.deviceVariants.push_back(makeDeviceVariant("sm_80"));
       p.deviceVariants[1].kernels.push_back(makeKernel("more"));
     }},
    {"kernel 0 is 'opgraph_add_f32' in variant sm_90a and 'other'",
     [](P p) {
       p.deviceVariants.push_back(makeDeviceVariant("sm_80"));
       p.deviceVariants[1].kernels[0].name = "other";
     }},
    {"a kernel's name has 0 bytes",
     [](P p) { p.deviceVariants[0].kernels[0].name = ""; }},
    {"blocks of 0 threads",
     [](P p) { p.deviceVariants[0].kernels[0].threads = 0; }},
    {"blocks of 1025 threads",
     [](P p) { p.deviceVariants[0].kernels[0].threads = 1025; }},
    {"has a cluster that is not",
     [](P p) { p.deviceVariants[0].kernels[0].cluster[1] = 0; }},
    {"has a cluster that is not",
     [](P p) {
       for (uint32_t &extent : p.deviceVariants[0].kernels[0].cluster)
         extent = 3;
     }},
    {"bytes of shared memory",
     [](P p) { p.deviceVariants[0].kernels[0].dynamicShared = 1 << 21; }},
};

INSTANTIATE_TEST_SUITE_P(Programs, DeviceVerifierTest,
                         ::testing::ValuesIn(programs));
INSTANTIATE_TEST_SUITE_P(Arguments, DeviceVerifierTest,
                         ::testing::ValuesIn(arguments));
INSTANTIATE_TEST_SUITE_P(Maps, DeviceVerifierTest, ::testing::ValuesIn(maps));
INSTANTIATE_TEST_SUITE_P(Code, DeviceVerifierTest, ::testing::ValuesIn(code));

TEST(DeviceVerifier, ReadsBackWhatWasWritten) {
  PlanContents contents = makeGoodPlan();
  contents.deviceVariants[0].ptx = "//stub\n";
  contents.deviceVariants[0].ptxVersion = 80;
  contents.deviceVariants[0].kernels[0].spillLoads = 4;
  std::vector<uint8_t> bytes = write(contents), again;
  PlanContents read;
  std::string error;
  ASSERT_TRUE(readPlanFile(bytes.data(), bytes.size(), read, error)) << error;
  EXPECT_EQ(read.device, DeviceKind::Cuda);
  EXPECT_EQ(read.deviceVariants[0].ptx, "//stub\n");
  EXPECT_EQ(read.deviceVariants[0].kernels[0].spillLoads, 4u);
  EXPECT_EQ(read.tensorMaps[0].swizzle, Swizzle::Sw32);
  ASSERT_TRUE(writePlanFile(read, again, error)) << error;
  EXPECT_EQ(bytes, again);
}

} // namespace
