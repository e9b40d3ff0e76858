//===- VerifierTest.cpp - Each rule of the plan verifier ------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "test/unit/runtime/SpoiledPlan.h"

using namespace opgraph::planfile;
using namespace opgraph::test;

namespace {

using VerifierTest = SpoiledPlanTest;

PlanContents makeGoodPlan() {
  PlanContents contents = makeDynamicPlan(4);
  contents.notes = {"a note"};
  contents.aliases = {{0, 1}};
  contents.workspaceShared = 64;
  contents.workspacePrivate = 64;
  contents.steps.push_back(Fill{0, 64, 0});
  Operand alpha = makeOperand(9, "alpha", OG_DTYPE_FLOAT, {1});
  alpha.byValue = true;
  contents.operands.push_back(alpha);
  std::swap(contents.operands[1], contents.operands[2]);
  contents.aliases = {{0, 2}};
  return contents;
}

TEST(Verifier, TheUnspoiledPlanLoads) { load(makeGoodPlan()); }

TEST_P(VerifierTest, Refuses) { expectRefusal(makeGoodPlan()); }

using P = PlanContents &;

Expr tokens(std::vector<ExprToken> list) {
  Expr expr;
  expr.tokens = std::move(list);
  return expr;
}

Expr deep() {
  Expr expr;
  for (int i = 0; i < 40; ++i)
    expr.tokens.push_back({ExprOp::Const, 1});
  for (int i = 0; i < 40; ++i)
    expr.tokens.push_back({ExprOp::Add, 0});
  return expr;
}

const Spoiled plans[] = {
    {"the plan's name has 0 bytes", [](P p) { p.name = ""; }},
    {"control character 0x0a", [](P p) { p.name = "a\nb"; }},
    {"a note has 0 bytes", [](P p) { p.notes = {""}; }},
    {"the engine's name", [](P p) { p.engineName = ""; }},
    {"at most 0 workers", [](P p) { p.maxWorkers = 0; }},
    {"at most 9999 workers", [](P p) { p.maxWorkers = 9999; }},
    {"multiples of 64", [](P p) { p.workspaceShared = 32; }},
    {"negative or overflows", [](P p) { p.workspacePrivate = -64; }},
    {"negative or overflows",
     [](P p) { p.workspaceShared = Expr(INT64_MAX) * 64; }},
    {"fills beyond the workspace of 128 bytes",
     [](P p) { p.steps.push_back(Fill{64, 65, 0}); }},
    {"fills beyond", [](P p) { p.steps.push_back(Fill{-1, 1, 0}); }},
    {"calls entry 99 of 7", [](P p) { p.steps.push_back(HostCall{99}); }},
    {"calls entry 1 of 0", [](P p) { p.variants.clear(); }},
};

const Spoiled expressions[] = {
    {"is empty", [](P p) { p.workspaceShared = tokens({}); }},
    {"symbol that is out of range",
     [](P p) { p.workspaceShared = Expr::symbol(7); }},
    {"operator without operands",
     [](P p) { p.workspaceShared = tokens({{ExprOp::Add, 0}}); }},
    {"more than one value",
     [](P p) {
       p.workspaceShared = tokens({{ExprOp::Const, 1}, {ExprOp::Const, 2}});
     }},
    {"unknown operator",
     [](P p) {
       p.workspaceShared =
           tokens({{ExprOp::Const, 1}, {ExprOp::Const, 2}, {ExprOp(77), 0}});
     }},
    {"nested too deep", [](P p) { p.workspaceShared = deep(); }},
};

const Spoiled operands[] = {
    {"two operands have the uid 1", [](P p) { p.operands[1].uid = 1; }},
    {"an input after an output",
     [](P p) {
       std::swap(p.operands[1], p.operands[2]);
       p.aliases.clear();
     }},
    {"dtype 99", [](P p) { p.operands[1].dtype = og_dtype(99); }},
    {"dtype 16",
     [](P p) { p.operands[1].dtype = OG_DTYPE_FAST_FLOAT_FOR_FP8; }},
    {"17 extents",
     [](P p) {
       p.operands[1].extents.assign(17, 1);
       p.operands[1].strides.assign(17, 1);
     }},
    {"alignment 3", [](P p) { p.operands[0].alignment = 3; }},
    {"alignment 0", [](P p) { p.operands[0].alignment = 0; }},
    {"alignment 8192", [](P p) { p.operands[0].alignment = 8192; }},
    {"storage 9", [](P p) { p.operands[0].storage = og_storage(9); }},
    {"stride rule 9",
     [](P p) { p.operands[0].strideRule = og_stride_rule(9); }},
    {"of dtype FLOAT has storage 3",
     [](P p) { p.operands[0].storage = OG_STORAGE_PACKED4; }},
    {"storage bytes", [](P p) { p.operands[0].storageBytes = Expr(4); }},
    {"'alpha' is by value but not one element",
     [](P p) { p.operands[1].extents = {2}; }},
    {"default of 3 bytes", [](P p) { p.operands[1].defaultValue = {1, 2, 3}; }},
    {"default but is not by value",
     [](P p) { p.operands[0].defaultValue = {1, 2, 3, 4}; }},
    {"an output by value", [](P p) { p.operands[2].byValue = true; }},
    {"an extent is negative",
     [](P p) {
       p.operands.insert(p.operands.begin() + 2,
                         makeOperand(5, "n", OG_DTYPE_FLOAT, {-2}));
       p.aliases.clear();
     }},
    {"overflows",
     [](P p) {
       p.operands.push_back(
           makeOperand(5, "huge", OG_DTYPE_FLOAT, {1 << 30, 1}, true));
       p.operands.back().strides = {int64_t(1) << 34, 1};
     }},
    {"output 'o' with extents [4] and strides [0] overlaps itself",
     [](P p) {
       p.operands.push_back(makeOperand(5, "o", OG_DTYPE_FLOAT, {4}, true));
       p.operands.back().strides = {0};
     }},
    {"overlaps itself",
     [](P p) {
       p.operands.push_back(makeOperand(5, "o", OG_DTYPE_FLOAT, {4}, true));
       p.operands.back().strides = {-1};
     }},
    {"alias of operands 7", [](P p) { p.aliases = {{7, 2}}; }},
    {"is not an input with an output", [](P p) { p.aliases = {{2, 0}}; }},
    {"is not an input with an output", [](P p) { p.aliases = {{1, 2}}; }},
};

const Spoiled symbols[] = {
    {"a symbol's name", [](P p) { p.symbols[0].name = ""; }},
    {"reads operand 8 of 3", [](P p) { p.symbols[0].operand = 8; }},
    {"reads axis 3", [](P p) { p.symbols[0].axis = 3; }},
    {"is not the extent of operand 'alpha'",
     [](P p) { p.symbols[0].operand = 1; }},
    {"is not the stride of operand 'x'",
     [](P p) { p.symbols[0].isStride = true; }},
    {"range -1..1024", [](P p) { p.symbols[0].min = -1; }},
    {"range 0..-1", [](P p) { p.symbols[0].max = -1; }},
    {"divisor 0", [](P p) { p.symbols[0].divisor = 0; }},
    {"default 5, outside", [](P p) { p.symbols[0].defaultValue = 5; }},
    {"default 2000, outside", [](P p) { p.symbols[0].defaultValue = 2000; }},
};

Variant &code(P p) { return p.variants[0]; }

const Spoiled images[] = {
    {"two variants are 'x86-64-v2'",
     [](P p) { p.variants.push_back(makeVariant()); }},
    {"a variant's target", [](P p) { code(p).target = ""; }},
    {"x86-64-v3 has 7 entries, variant x86-64-v2 has 6",
     [](P p) {
       p.variants.push_back(makeVariant("x86-64-v3"));
       p.variants[0].entries.pop_back();
       std::swap(p.variants[0], p.variants[1]);
     }},
    {"entry 0 is",
     [](P p) {
       p.variants.push_back(makeVariant("x86-64-v3"));
       p.variants[1].entries[0].name = "other";
     }},
    {"segment of 32 bytes at offset 4095",
     [](P p) { code(p).segments[1].offset = 4095; }},
    {"at offset 0", [](P p) { code(p).segments[1].offset = 0; }},
    {"a segment of 0 bytes",
     [](P p) {
       code(p).segments[1].bytes.clear();
       code(p).segments[1].memSize = 0;
     }},
    {"of 31 bytes holds 32", [](P p) { code(p).segments[1].memSize = 31; }},
    {"below 1073741824", [](P p) { code(p).segments[1].memSize = UINT64_MAX; }},
    {"below 1073741824",
     [](P p) { code(p).segments[1].offset = uint64_t(-4096); }},
    {"kind 9", [](P p) { code(p).segments[0].kind = SegmentKind(9); }},
    {"a relocation at 4121", [](P p) { code(p).relocations[0].offset = 4121; }},
    {"a relocation at 18446744073709551615",
     [](P p) { code(p).relocations[0].offset = UINT64_MAX; }},
    {"import 2 of 2", [](P p) { code(p).relocations[0].import = 2; }},
    {"import -2", [](P p) { code(p).relocations[0].import = -2; }},
    {"points into an import", [](P p) { code(p).relocations[0].addend = 8; }},
    {"byte -1 of an image", [](P p) { code(p).relocations[2].addend = -1; }},
    {"byte 4129 of an image of 4128",
     [](P p) { code(p).relocations[2].addend = 4129; }},
    {"'opgraph_ret' at 4096 is not in executable code",
     [](P p) { code(p).entries[0].offset = 4096; }},
    {"'opgraph_ret' at 18446744073709551615 is not",
     [](P p) { code(p).entries[0].offset = UINT64_MAX; }},
    {"function 'f' at 8000 is not",
     [](P p) { code(p).functions = {{"f", 8000, 1}}; }},
    {"function 'f' at 0 is not",
     [](P p) { code(p).functions = {{"f", 0, 100000}}; }},
    {"an import's name", [](P p) { code(p).imports[0] = ""; }},
};

INSTANTIATE_TEST_SUITE_P(Plan, VerifierTest, ::testing::ValuesIn(plans));
INSTANTIATE_TEST_SUITE_P(Expression, VerifierTest,
                         ::testing::ValuesIn(expressions));
INSTANTIATE_TEST_SUITE_P(Operand, VerifierTest, ::testing::ValuesIn(operands));
INSTANTIATE_TEST_SUITE_P(Symbol, VerifierTest, ::testing::ValuesIn(symbols));
INSTANTIATE_TEST_SUITE_P(Image, VerifierTest, ::testing::ValuesIn(images));

} // namespace
