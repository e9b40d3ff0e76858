//===- Versions.cpp - Kernels of graphs whose extents are symbols ---------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// A program of such a graph holds the kernels of one version, or of up to
// three: for extents that are whole vectors and rows that fit into registers,
// for short rows of any length, and for all others. Which one runs follows from
// the symbols: the grids of the others have no blocks, and launch nothing.
//===----------------------------------------------------------------------===//
#include "dialects/Graph/Layout.h"
#include "passes/Legalize/NVPTX/Pointwise/DynamicGraph.h"
#include "passes/Legalize/NVPTX/Pointwise/LaunchForms.h"
#include "passes/Legalize/NVPTX/Pointwise/PointwiseLegalizer.h"
#include "llvm/ADT/SetVector.h"
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
  bool isLike(Version &other);
};

class VersionWriter {
public:
  VersionWriter(graph::GraphOp graph, plan::ProgramOp program,
                int64_t vectorsPerThread, ModuleOp into)
      : graph(graph), program(program), vectorsPerThread(vectorsPerThread),
        into(into), dynamic(graph, program) {
    Formulas formulas = makeFormulas();
    dynamic.noteReduced(choose(formulas, guess(/*reduced=*/0),
                               Numbers(dynamic.getSymbols().size(), 1),
                               /*isLeast=*/false));
  }

  LogicalResult write();

private:
  using Numbers = SmallVector<int64_t>;
  Formulas makeFormulas();
  Numbers choose(Formulas &formulas, const Numbers &about,
                 const Numbers &divisors, bool isLeast);
  std::optional<Version> legalizeOnce(const Numbers &about,
                                      const Numbers &divisors, bool isLeast,
                                      Formulas &formulas);
  std::optional<Version> legalize(const Numbers &about, const Numbers &divisors,
                                  bool isLeast);
  Numbers guess(int64_t reduced);
  Numbers findDivisors();
  std::optional<Version> legalizeGeneral();
  std::optional<Version> legalizeAligned();
  std::optional<Version> legalizeShort();
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

/// Whether the formulas are the same. Constants and tiles may differ: how many
/// portions a sum has depends on how long it is thought to be.
bool Version::isLike(Version &other) {
  auto own = program.getBody().getOps<plan::LaunchOp>();
  auto others = other.program.getBody().getOps<plan::LaunchOp>();
  return llvm::equal(limits, other.limits,
                     [](const Formulas::Limit &a, const Formulas::Limit &b) {
                       return haveOneForm(a.formula, b.formula);
                     }) &&
         haveOneForm(getWorkspace(), other.getWorkspace()) &&
         std::equal(own.begin(), own.end(), others.begin(), others.end(),
                    [](plan::LaunchOp a, plan::LaunchOp b) {
                      return haveOneForm(a, b);
                    });
}

//===----------------------------------------------------------------------===//
// One version
//===----------------------------------------------------------------------===//

Formulas VersionWriter::makeFormulas() {
  Formulas formulas(graph.getContext());
  for (int64_t number : dynamic.getNumbers())
    formulas.avoid(number);
  return formulas;
}

/// Numbers for the symbols: those of strides step over what they lie around.
VersionWriter::Numbers VersionWriter::choose(Formulas &formulas,
                                             const Numbers &about,
                                             const Numbers &divisors,
                                             bool isLeast) {
  ArrayRef<ShapeSymbol> symbols = dynamic.getSymbols();
  Numbers values(symbols.size(), 0);
  auto add = [&](size_t number, int64_t size, bool atLeast) {
    if (values[number] == 0)
      values[number] =
          formulas.add(getAffineSymbolExpr(number, graph.getContext()), size,
                       divisors[number], symbols[number].most, atLeast);
  };
  for (size_t number = 0; number < symbols.size(); ++number)
    if (!symbols[number].isStride)
      add(number, about[number], isLeast);
  for (ArrayRef<StridedAxis> operand : dynamic.getOperands()) {
    int64_t span = 1;
    for (const StridedAxis &axis : operand) {
      if (axis.strideSymbol >= 0)
        add(axis.strideSymbol, std::max(about[axis.strideSymbol], span),
            /*atLeast=*/true);
      int64_t extent =
          axis.extentSymbol < 0 ? axis.extent : values[axis.extentSymbol];
      int64_t stride =
          axis.strideSymbol < 0 ? axis.stride : values[axis.strideSymbol];
      span += std::max<int64_t>(extent - 1, 0) * stride;
    }
  }
  return values;
}

std::optional<Version> VersionWriter::legalizeOnce(const Numbers &about,
                                                   const Numbers &divisors,
                                                   bool isLeast,
                                                   Formulas &formulas) {
  OwningOpRef<graph::GraphOp> instance =
      dynamic.instantiate(choose(formulas, about, divisors, isLeast));
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

/// A number of the kernels' own that a stand-in happens to divide would be
/// taken for a formula. So a version counts when two sets of numbers without a
/// common prime have led to it.
std::optional<Version> VersionWriter::legalize(const Numbers &about,
                                               const Numbers &divisors,
                                               bool isLeast) {
  constexpr unsigned kMostSets = 5;
  SmallVector<Version> versions;
  SmallVector<Formulas> sets;
  while (sets.size() < kMostSets) {
    Formulas formulas = makeFormulas();
    for (const Formulas &earlier : sets)
      formulas.avoidPrimesOf(earlier);
    std::optional<Version> version =
        legalizeOnce(about, divisors, isLeast, formulas);
    if (!version)
      return std::nullopt;
    for (Version &earlier : versions)
      if (earlier.isLike(*version))
        return std::move(earlier);
    versions.push_back(std::move(*version));
    sets.push_back(std::move(formulas));
  }
  return std::nullopt;
}

/// A number that `count` of make `product`.
static int64_t takeRoot(int64_t product, int64_t count) {
  return std::llround(
      std::pow(static_cast<double>(product), 1.0 / static_cast<double>(count)));
}

/// Sizes like those that were declared, or like those that graphs have;
/// `reduced` for rows that are combined, where it is not 0.
VersionWriter::Numbers VersionWriter::guess(int64_t reduced) {
  constexpr int64_t kElements = 1 << 20, kColumns = 4096;
  int64_t numRows = 0, numColumns = 0;
  for (const ShapeSymbol &symbol : dynamic.getSymbols())
    if (!symbol.declared && !symbol.isStride)
      ++(symbol.isReduced ? numColumns : numRows);
  Numbers about;
  int64_t stride = kLongestSide / 1024;
  for (const ShapeSymbol &symbol : dynamic.getSymbols()) {
    int64_t size = 0;
    if (symbol.isReduced && reduced)
      size = reduced;
    else if (symbol.declared)
      size = std::max<int64_t>(*symbol.declared, 2);
    else if (symbol.isStride)
      size = stride /= 2;
    else if (symbol.isReduced)
      size = takeRoot(kColumns, numColumns);
    else
      size = takeRoot(kElements, numRows);
    about.push_back(std::min(size, symbol.most));
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

/// Right for all extents: what is limited is made longer until it is walked in
/// chunks.
std::optional<Version> VersionWriter::legalizeGeneral() {
  constexpr int64_t kMost = int64_t(1) << 26;
  Numbers about = guess(/*reduced=*/0);
  Numbers divisors(about.size(), 1);
  while (true) {
    std::optional<Version> version = legalize(about, divisors,
                                              /*isLeast=*/false);
    if (!version || version->limits.empty())
      return version;
    llvm::SmallSetVector<unsigned, 8> limited;
    for (const Formulas::Limit &limit : version->limits)
      limit.formula.walk([&](AffineExpr part) {
        if (auto symbol = dyn_cast<AffineSymbolExpr>(part))
          limited.insert(symbol.getPosition());
      });
    for (unsigned number : limited) {
      about[number] *= 4;
      if (about[number] > kMost)
        return std::nullopt;
    }
  }
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

/// Rows of any length that a few warps hold.
std::optional<Version> VersionWriter::legalizeShort() {
  constexpr int64_t kColumns = 1000;
  int64_t numReduced =
      llvm::count_if(dynamic.getSymbols(), [](const ShapeSymbol &symbol) {
        return symbol.isReduced;
      });
  if (numReduced == 0)
    return std::nullopt;
  Numbers divisors(dynamic.getSymbols().size(), 1);
  return legalize(guess(takeRoot(kColumns, numReduced)), divisors,
                  /*isLeast=*/false);
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
  AffineMap last = versions.back()->getWorkspace();
  if (llvm::all_of(versions, [&](Version *version) {
        return version->getWorkspace() == last;
      }))
    bytes = last.getResult(0);
  if (!isEmpty)
    program.setWorkspaceAttr(plan::WorkspaceAttr::get(
        context, getMap(bytes), AffineMap::getConstantMap(0, context),
        /*max_workers=*/1));
}

void VersionWriter::setRanges() {
  for (auto [op, symbol] :
       llvm::zip_equal(program.getSymbols(), dynamic.getSymbols()))
    if (!symbol.isStride)
      op.setMax(symbol.most);
}

LogicalResult VersionWriter::write() {
  std::optional<Version> general = legalizeGeneral();
  if (!general)
    return graph.emitOpError(
        "has dynamic extents that engine nvptx.pointwise does not serve");
  std::optional<Version> better[] = {legalizeAligned(), legalizeShort()};
  SmallVector<Version *> versions;
  for (std::optional<Version> &version : better) {
    bool isNew = version && !version->hasKernelsOf(*general) &&
                 llvm::none_of(versions, [&](Version *other) {
                   return version->hasKernelsOf(*other);
                 });
    if (isNew)
      versions.push_back(&*version);
    if (isNew && version->isGeneral())
      break;
  }
  if (versions.empty() || !versions.back()->isGeneral())
    versions.push_back(&*general);
  setRanges();
  append(versions);
  return success();
}

LogicalResult opgraph::legalize::nvptx::legalizeVersions(
    graph::GraphOp graph, plan::ProgramOp program, int64_t vectorsPerThread,
    ModuleOp into) {
  return VersionWriter(graph, program, vectorsPerThread, into).write();
}
