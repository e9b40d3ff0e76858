//===- SeedPlans.cpp - Plans that mutations start from --------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/fuzz/PlanMutator.h"

#include <algorithm>

using namespace opgraph::planfile;

static Operand makeOperand(int64_t uid, const char *name, bool isOutput,
                           std::vector<Expr> extents,
                           std::vector<Expr> strides) {
  Operand operand;
  operand.uid = uid;
  operand.name = name;
  operand.dtype = OG_DTYPE_FLOAT;
  operand.isOutput = isOutput;
  operand.alignment = 4;
  operand.extents = std::move(extents);
  operand.strides = std::move(strides);
  return operand;
}

static Variant makeVariant(const char *target) {
  Variant variant;
  variant.target = target;
  variant.segments = {{SegmentKind::Execute, 0, 16, {0xc3}},
                      {SegmentKind::Read, 4096, 64, {1, 2, 3}},
                      {SegmentKind::Relro, 8192, 16, {}}};
  variant.imports = {"expf", "opgraph_parallel_for"};
  variant.relocations = {{8192, 0, 1}, {8200, 4096, -1}};
  variant.entries = {{"opgraph_entry", 0, 1}};
  variant.functions = {{"opgraph_entry", 0, 1}};
  return variant;
}

/// A cubin as far as the verifier looks: an ELF header and one section.
static std::vector<uint8_t> makeCubin() {
  std::vector<uint8_t> bytes(128);
  const uint8_t ident[] = {0x7f, 'E', 'L', 'F', 2, 1, 1};
  std::copy(std::begin(ident), std::end(ident), bytes.begin());
  bytes[0x28] = 64; // e_shoff
  bytes[0x3a] = 64; // e_shentsize
  bytes[0x3c] = 1;  // e_shnum
  bytes[0x44] = 1;  // sh_type
  bytes[0x60] = 64; // sh_size
  return bytes;
}

/// Makes a host plan one for a device, with each kind of argument.
static void moveToDevice(PlanContents &plan) {
  plan.target = "sm_90:GPU";
  plan.device = DeviceKind::Cuda;
  plan.variants.clear();
  DeviceVariant variant;
  variant.target = "sm_90a";
  variant.cubin = makeCubin();
  variant.ptx = ".version 8.0";
  variant.ptxVersion = 80;
  variant.kernels.resize(1);
  variant.kernels[0].name = "opgraph_kernel";
  variant.kernels[0].threads = 256;
  plan.deviceVariants = {variant};
  TensorMap map;
  map.base.kind = ArgKind::Scratch;
  map.dtype = OG_DTYPE_FLOAT;
  map.extents = {2, 8};
  map.strides = {8, 1};
  map.box = {2, 8};
  plan.tensorMaps = {map};
  Launch launch;
  for (unsigned kind = 0; kind < 7; ++kind) {
    LaunchArg arg;
    arg.kind = ArgKind(kind);
    arg.index = arg.kind == ArgKind::Scalar ? 1 : 0;
    launch.args.push_back(arg);
  }
  plan.steps = {Fill{0, 64, 1}, launch};
}

PlanContents opgraph::fuzz::makeSeedPlan(unsigned seed) {
  PlanContents plan;
  plan.name = "seed";
  plan.compiler = "fuzz";
  plan.target = "host";
  plan.engineName = "host.reference";
  plan.knobs = {{1, 2}};
  plan.notes = {"note"};
  plan.variants = {makeVariant("x86-64-v2"), makeVariant("x86-64-v3")};
  plan.steps = {HostCall{0}, Fill{0, 64, 1}};
  plan.workspaceShared = 64;
  plan.workspacePrivate = 64;
  plan.maxWorkers = 2;
  Operand alpha = makeOperand(3, "alpha", false, {1}, {1});
  alpha.byValue = true;
  alpha.defaultValue = {0, 0, 0, 0};
  if (seed % 2) {
    Symbol n;
    n.name = "N";
    n.max = 1 << 20;
    n.defaultValue = 8;
    plan.symbols = {n};
    Expr rows = Expr::symbol(0);
    plan.operands = {makeOperand(1, "x", false, {rows, 4}, {4, 1}), alpha,
                     makeOperand(2, "y", true, {rows, 4}, {4, 1})};
    plan.workspaceShared = rows * 64;
  } else {
    plan.operands = {makeOperand(1, "x", false, {2, 3}, {3, 1}), alpha,
                     makeOperand(2, "y", true, {2, 3}, {3, 1})};
    plan.operands[0].storage = OG_STORAGE_RAGGED;
    plan.operands[0].storageBytes = Expr(24);
  }
  plan.aliases = {{0, 2}};
  if (seed / 2 % 2)
    moveToDevice(plan);
  return plan;
}
