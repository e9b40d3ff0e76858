//===- Versions.cpp - Kernels of graphs whose extents are symbols ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of such a graph holds the kernels of one version, or of two: one
// for extents that are whole vectors and rows that fit into registers, one for
// all others. Which one runs follows from the symbols: the grids of the other
// one have no blocks, and launch nothing.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Layout.h"
#include "passes/Legalize/NVPTX/Pointwise/DynamicGraph.h"
#include "passes/Legalize/NVPTX/Pointwise/PointwiseLegalizer.h"
#include "llvm/Support/MathExtras.h"

#include <cmath>

using namespace mlir;
using namespace opgraph;
using namespace opgraph::legalize;
using namespace opgraph::legalize::nvptx;

namespace {
/// What kernels of a graph of stand-ins are.
struct Version {
  /// Each symbol is a multiple of this one's.
  SmallVector<int64_t> divisors;
  SmallVector<Formulas::Limit> limits;
  OwningOpRef<ModuleOp> module;
  plan::ProgramOp program;

  bool isGeneral() const {
    return limits.empty() &&
           llvm::all_of(divisors, [](int64_t by) { return by == 1; });
  }
  AffineMap getWorkspace() {
    plan::WorkspaceAttr workspace = program.getWorkspaceAttr();
    return workspace ? workspace.getSharedSize()
                     : AffineMap::getConstantMap(0, module->getContext());
  }
  bool hasKernelsOf(Version &other);
};

class VersionWriter {
public:
  VersionWriter(graph::GraphOp graph, plan::ProgramOp program,
                int64_t vectorsPerThread, ModuleOp into)
      : graph(graph), program(program), vectorsPerThread(vectorsPerThread),
        into(into), dynamic(graph, program) {}

  LogicalResult write();

private:
  using Numbers = SmallVector<int64_t>;
  std::optional<Version> legalize(const Numbers &about, const Numbers &divisors,
                                  bool isLeast);
  Numbers guess(int64_t reduced);
  Numbers findDivisors();
  std::optional<Version> legalizeGeneral();
  std::optional<Version> legalizeAligned();
  bool servesDeclared(const Version &version);
  void dropDivisors(Version &version, const Numbers &about, bool isLeast);
  AffineExpr countFailures(const Version &version);
  void append(ArrayRef<Version *> versions);
  void setRanges();

  graph::GraphOp graph;
  plan::ProgramOp program;
  int64_t vectorsPerThread;
  ModuleOp into;
  DynamicGraph dynamic;
};
} // namespace

bool Version::hasKernelsOf(Version &other) {
  auto own = program.getBody().getOps<plan::LaunchOp>();
  auto others = other.program.getBody().getOps<plan::LaunchOp>();
  return std::equal(own.begin(), own.end(), others.begin(), others.end(),
                    [](plan::LaunchOp a, plan::LaunchOp b) {
                      return a.getKernelAttr() == b.getKernelAttr();
                    });
}

//===----------------------------------------------------------------------===//
// One version
//===----------------------------------------------------------------------===//

std::optional<Version> VersionWriter::legalize(const Numbers &about,
                                               const Numbers &divisors,
                                               bool isLeast) {
  Formulas formulas(graph.getContext());
  for (int64_t number : dynamic.getNumbers())
    formulas.avoid(number);
  Numbers values;
  for (auto [number, size] : llvm::enumerate(about))
    values.push_back(formulas.add(
        getAffineSymbolExpr(number, graph.getContext()), size, divisors[number],
        std::numeric_limits<int64_t>::max(), isLeast));
  OwningOpRef<graph::GraphOp> instance = dynamic.instantiate(values);
  if (!instance)
    return std::nullopt;
  Version version;
  version.divisors = divisors;
  version.module = ModuleOp::create(graph.getLoc());
  version.program = cast<plan::ProgramOp>(program->clone());
  version.module->push_back(version.program);
  if (failed(legalizeStatic(*instance, version.program, vectorsPerThread,
                            /*isAtomic=*/false, *version.module, formulas)))
    return std::nullopt;
  version.limits = llvm::to_vector(formulas.getLimits());
  return version;
}

/// Sizes like those that were declared, or like those that graphs have;
/// `reduced` for rows that are combined, where it is not 0.
VersionWriter::Numbers VersionWriter::guess(int64_t reduced) {
  constexpr double kElements = 1 << 20, kColumns = 4096;
  int64_t numRows = 0, numColumns = 0;
  for (const ShapeSymbol &symbol : dynamic.getSymbols())
    if (!symbol.declared && !symbol.isStride)
      ++(symbol.isReduced ? numColumns : numRows);
  Numbers about;
  int64_t stride = kLongestSide / 1024;
  for (const ShapeSymbol &symbol : dynamic.getSymbols()) {
    bool isReduced = symbol.isReduced;
    if (isReduced && reduced)
      about.push_back(reduced);
    else if (symbol.declared)
      about.push_back(std::max<int64_t>(*symbol.declared, 2));
    else if (symbol.isStride)
      about.push_back(stride /= 2);
    else
      about.push_back(static_cast<int64_t>(std::pow(
          isReduced ? kColumns : kElements,
          1.0 / static_cast<double>(isReduced ? numColumns : numRows))));
  }
  return about;
}

/// Of the declared numbers; vectors of the narrowest elements for the others.
VersionWriter::Numbers VersionWriter::findDivisors() {
  int64_t bytes = kVectorBytes;
  for (Type type : llvm::concat<const Type>(graph.getArgumentTypes(),
                                            graph.getResultTypes())) {
    auto tensor = cast<RankedTensorType>(type);
    int64_t bits = graph::getStorageBits(tensor.getElementType());
    if (tensor.getRank() > 0)
      bytes = std::min(bytes, std::max<int64_t>(bits / 8, 1));
  }
  Numbers divisors;
  for (const ShapeSymbol &symbol : dynamic.getSymbols()) {
    int64_t most = kVectorBytes / bytes;
    int64_t own = symbol.declared.value_or(most);
    divisors.push_back(own == 0 ? most : std::min(most, own & -own));
  }
  return divisors;
}

/// Right for all extents: rows are walked in chunks.
std::optional<Version> VersionWriter::legalizeGeneral() {
  Numbers divisors(dynamic.getSymbols().size(), 1);
  constexpr int64_t kLeast = int64_t(1) << 17, kMost = int64_t(1) << 24;
  for (int64_t reduced = kLeast; reduced <= kMost; reduced *= 4)
    if (std::optional<Version> version =
            legalize(guess(reduced), divisors, /*isLeast=*/false);
        !version || version->limits.empty())
      return version;
  return std::nullopt;
}

bool VersionWriter::servesDeclared(const Version &version) {
  SmallVector<AffineExpr> values;
  for (const ShapeSymbol &symbol : dynamic.getSymbols()) {
    if (!symbol.declared)
      return true;
    values.push_back(
        getAffineConstantExpr(*symbol.declared, graph.getContext()));
  }
  return llvm::all_of(version.limits, [&](const Formulas::Limit &limit) {
    auto value =
        dyn_cast<AffineConstantExpr>(limit.formula.replaceSymbols(values));
    return value && value.getValue() <= limit.most;
  });
}

/// Assumes no more than what the kernels depend on.
void VersionWriter::dropDivisors(Version &version, const Numbers &about,
                                 bool isLeast) {
  for (size_t number = 0; number < version.divisors.size(); ++number) {
    if (version.divisors[number] == 1)
      continue;
    Numbers fewer = version.divisors;
    fewer[number] = 1;
    std::optional<Version> other = legalize(about, fewer, isLeast);
    if (other && other->hasKernelsOf(version) &&
        (!servesDeclared(version) || servesDeclared(*other)))
      version = std::move(*other);
  }
}

/// Whole vectors, and rows like the declared ones.
std::optional<Version> VersionWriter::legalizeAligned() {
  Numbers about = guess(/*reduced=*/0), divisors = findDivisors();
  bool isLeast = false;
  std::optional<Version> version = legalize(about, divisors, isLeast);
  if (version && !servesDeclared(*version)) {
    isLeast = true;
    version = legalize(about, divisors, isLeast);
  }
  if (version)
    dropDivisors(*version, about, isLeast);
  return version;
}

//===----------------------------------------------------------------------===//
// All of them
//===----------------------------------------------------------------------===//

/// 0 where the symbols suit the version, else 1.
AffineExpr VersionWriter::countFailures(const Version &version) {
  MLIRContext *context = graph.getContext();
  AffineExpr sum = getAffineConstantExpr(0, context);
  for (auto [number, divisor] : llvm::enumerate(version.divisors))
    if (divisor != 1)
      sum = sum + getAffineSymbolExpr(number, context) % divisor;
  for (const Formulas::Limit &limit : version.limits)
    sum = sum + limit.formula.floorDiv(limit.most + 1);
  return sum.ceilDiv(sum + 1);
}

/// Adds kernels and launches to what there is. `versions` go by preference; the
/// last one suits all symbols.
void VersionWriter::append(ArrayRef<Version *> versions) {
  MLIRContext *context = graph.getContext();
  AffineExpr isLeft = getAffineConstantExpr(1, context);
  AffineExpr bytes = getAffineConstantExpr(0, context);
  for (Version *version : versions) {
    AffineExpr isTaken = isLeft;
    if (!version->isGeneral()) {
      AffineExpr fails = countFailures(*version);
      isTaken = isLeft * (1 - fails);
      isLeft = isLeft * fails;
    }
    bytes = bytes + isTaken * version->getWorkspace().getResult(0);
    for (auto kernel :
         llvm::make_early_inc_range(version->module->getOps<tile::KernelOp>()))
      if (!into.lookupSymbol(kernel.getSymName())) {
        kernel->remove();
        into.push_back(kernel);
      }
    for (auto launch : llvm::make_early_inc_range(
             version->program.getBody().getOps<plan::LaunchOp>())) {
      launch->remove();
      program.getBody().front().push_back(launch);
      launch.setGrid(getMap(isTaken * launch.getGrid().getResult(0)));
    }
  }
  bool isEmpty = llvm::all_of(versions, [](Version *version) {
    return !version->program.getWorkspaceAttr();
  });
  if (versions.size() == 2 &&
      versions[0]->getWorkspace() == versions[1]->getWorkspace())
    bytes = versions[0]->getWorkspace().getResult(0);
  if (!isEmpty)
    program.setWorkspaceAttr(plan::WorkspaceAttr::get(
        context, getMap(bytes), AffineMap::getConstantMap(0, context),
        /*max_workers=*/1));
}

void VersionWriter::setRanges() {
  for (plan::SymbolOp symbol : program.getSymbols())
    if (symbol.getSource() == plan::SymbolSource::Extent)
      symbol.setMax(kLongestSide);
}

LogicalResult VersionWriter::write() {
  std::optional<Version> general = legalizeGeneral();
  if (!general)
    return graph.emitOpError(
        "has dynamic extents that engine nvptx.pointwise does not serve");
  std::optional<Version> aligned = legalizeAligned();
  setRanges();
  if (!aligned || aligned->hasKernelsOf(*general))
    append({&*general});
  else if (aligned->isGeneral())
    append({&*aligned});
  else
    append({&*aligned, &*general});
  return success();
}

LogicalResult opgraph::legalize::nvptx::legalizeVersions(
    graph::GraphOp graph, plan::ProgramOp program, int64_t vectorsPerThread,
    ModuleOp into) {
  return VersionWriter(graph, program, vectorsPerThread, into).write();
}
