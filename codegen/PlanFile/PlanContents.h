//===- PlanContents.h - What a plan file holds, as C++ ----------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
///
/// \file
/// A compiled plan as plain C++ values, and its conversion to and from the
/// bytes of a plan file. No MLIR here: the `plan` dialect's translation fills
/// this structure, and tests fill it by hand. It mirrors runtime/plan.fbs,
/// where each field is explained.
///
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_CODEGEN_PLANFILE_PLANCONTENTS_H
#define OPGRAPH_CODEGEN_PLANFILE_PLANCONTENTS_H

#include "opgraph-c/types.h"

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

namespace opgraph::planfile {

/// Operators of an expression; the numbers are the file's.
enum class ExprOp : uint8_t {
  Const = 0,
  Symbol = 1,
  Add = 2,
  Sub = 3,
  Mul = 4,
  CeilDiv = 5,
  FloorDiv = 6,
  Mod = 7,
  Max = 8,
  Min = 9
};

/// One element of a postfix expression. `value` is the constant, or the index
/// of the symbol; it is 0 for operators.
struct ExprToken {
  ExprOp op = ExprOp::Const;
  int64_t value = 0;

  bool operator==(const ExprToken &other) const {
    return op == other.op && value == other.value;
  }
};

/// A postfix expression over constants and symbols. Build one as
/// `Expr(4) * Expr::symbol(0) + Expr(1)`.
struct Expr {
  std::vector<ExprToken> tokens;

  Expr() : Expr(0) {}
  Expr(int64_t constant) : tokens{{ExprOp::Const, constant}} {}
  /// The value of the plan's index-th symbol.
  static Expr symbol(uint32_t index) {
    Expr expr;
    expr.tokens = {{ExprOp::Symbol, index}};
    return expr;
  }
  /// `lhs op rhs`.
  static Expr binary(ExprOp op, Expr lhs, const Expr &rhs) {
    lhs.tokens.insert(lhs.tokens.end(), rhs.tokens.begin(), rhs.tokens.end());
    lhs.tokens.push_back({op, 0});
    return lhs;
  }
  /// Its value when it is one constant.
  std::optional<int64_t> constant() const {
    if (tokens.size() == 1 && tokens[0].op == ExprOp::Const)
      return tokens[0].value;
    return std::nullopt;
  }
  bool operator==(const Expr &other) const { return tokens == other.tokens; }
};

inline Expr operator+(const Expr &lhs, const Expr &rhs) {
  return Expr::binary(ExprOp::Add, lhs, rhs);
}
inline Expr operator-(const Expr &lhs, const Expr &rhs) {
  return Expr::binary(ExprOp::Sub, lhs, rhs);
}
inline Expr operator*(const Expr &lhs, const Expr &rhs) {
  return Expr::binary(ExprOp::Mul, lhs, rhs);
}

/// A named integer that execution binds: the extent or stride of one axis of
/// one operand, whose own expression at that axis must be just this symbol.
struct Symbol {
  std::string name;
  bool isStride = false;
  uint32_t operand = 0;
  uint32_t axis = 0;
  /// Inclusive range and divisibility, checked when the symbol is bound.
  int64_t min = 0;
  int64_t max = INT64_MAX;
  int64_t divisor = 1;
  /// With a default, only an override changes the value (a plan with "shape
  /// overrides enabled"); without, the bound buffer's shape gives it ("?").
  std::optional<int64_t> defaultValue;
};

/// One operand, in plan order: the graph's arguments, then its results.
struct Operand {
  int64_t uid = 0;
  std::string name;
  og_dtype dtype = OG_DTYPE_NOT_SET;
  bool isOutput = false;
  bool byValue = false;
  /// The bytes of one element: lets a by-value operand be left out.
  std::vector<uint8_t> defaultValue;
  /// Promised alignment of the address: a power of two.
  uint32_t alignment = 1;
  og_storage storage = OG_STORAGE_DENSE;
  /// Bytes of ragged storage, when declared.
  std::optional<Expr> storageBytes;
  std::vector<Expr> extents;
  /// In elements; as many as extents.
  std::vector<Expr> strides;
  og_stride_rule strideRule = OG_STRIDES_EXACT;
};

/// Calls the entry with index `entry` of the variant in use.
struct HostCall {
  uint32_t entry = 0;
};

/// Fills bytes of the workspace.
struct Fill {
  Expr offset;
  Expr size;
  uint8_t value = 0;
};

enum class ArgKind : uint8_t {
  Pointer = 0,
  Scratch = 1,
  Integer = 2,
  Stride = 3,
  Scalar = 4,
  TensorMap = 5,
  Constant = 6
};
enum class ArgType : uint8_t { I32 = 0, U32 = 1, I64 = 2, F32 = 3, F64 = 4 };

/// A kernel's parameter; what its kind does not name stays as it is here.
struct LaunchArg {
  ArgKind kind = ArgKind::Constant;
  /// Of an Integer, Stride, Scalar or Constant.
  ArgType type = ArgType::I32;
  /// The operand, or tensor map.
  uint32_t index = 0;
  uint32_t axis = 0;
  /// Byte offset, or integer.
  Expr expr;
  /// A constant's bytes.
  uint64_t bits = 0;
};

/// Launches a kernel of the variant in use.
struct Launch {
  uint32_t kernel = 0;
  Expr grid[3] = {1, 1, 1};
  bool dependent = false;
  std::vector<LaunchArg> args;
};

/// As og_cudnn_record.
struct CudnnRecord {
  uint32_t descriptor = 0;
  uint32_t attribute = 0;
  uint32_t type = 0;
  uint32_t count = 0;
  uint32_t first = 0;
};

/// Executes a plan of cuDNN.
struct CudnnExecute {
  /// The operation graph.
  std::vector<uint32_t> kinds;
  std::vector<CudnnRecord> records;
  std::vector<uint64_t> words;
  int64_t engine = 0;
  std::vector<og_knob> knobs;
  std::vector<int64_t> uids;
  /// The data of `uids`: Pointer, Scratch, Scalar or Constant.
  std::vector<LaunchArg> args;
  /// Its part of the workspace.
  uint64_t workspace = 0;
  uint64_t bytes = 0;
  /// The version that made `serialized`; 0 without.
  uint32_t library = 0;
  std::vector<uint8_t> serialized;
};

using Step = std::variant<HostCall, Fill, Launch, CudnnExecute>;

enum class Swizzle : uint8_t { None = 0, Sw32 = 1, Sw64 = 2, Sw128 = 3 };

/// A TMA descriptor made at execution; lists are outermost first.
struct TensorMap {
  /// A Pointer or Scratch.
  LaunchArg base;
  og_dtype dtype = OG_DTYPE_NOT_SET;
  std::vector<Expr> extents;
  /// In elements; the last one is 1.
  std::vector<Expr> strides;
  std::vector<uint32_t> box;
  /// Corners and steps of im2col for each axis between the outer- and the
  /// innermost one; empty of a tiled map.
  std::vector<int32_t> lower, upper;
  std::vector<uint32_t> steps;
  Swizzle swizzle = Swizzle::None;
  bool fillNan = false;
};

enum class SegmentKind : uint8_t { Execute = 0, Read = 1, Relro = 2 };

/// A run of image pages with one protection.
struct Segment {
  SegmentKind kind = SegmentKind::Read;
  /// From the image's start; a multiple of OG_IMAGE_PAGE.
  uint64_t offset = 0;
  /// Bytes in memory; those beyond `bytes` are zero.
  uint64_t memSize = 0;
  std::vector<uint8_t> bytes;
};

/// Stores a 64-bit address at `offset`: that of import number `import`, when
/// not negative (`addend` must be 0 then), else of the image's byte `addend`.
struct Relocation {
  uint64_t offset = 0;
  int64_t addend = 0;
  int32_t import = -1;
};

struct ImageSymbol {
  std::string name;
  uint64_t offset = 0;
  uint64_t size = 0;
};

/// The host image for one instruction set.
struct Variant {
  /// x86-64-v2, x86-64-v3, x86-64-v4 or x86-64-v4-bf16.
  std::string target;
  std::vector<Segment> segments;
  std::vector<Relocation> relocations;
  /// Names of the closed list (opgraph-c/host_abi.h).
  std::vector<std::string> imports;
  /// What HostCall refers to: the same names in every variant.
  std::vector<ImageSymbol> entries;
  /// All functions of the image, for profilers; may be empty.
  std::vector<ImageSymbol> functions;
};

/// A kernel of a device variant.
struct DeviceKernel {
  std::string name;
  /// Threads of a block, blocks of a cluster by axis.
  uint32_t threads = 0;
  uint32_t cluster[3] = {1, 1, 1};
  /// Bytes.
  uint32_t dynamicShared = 0;
  uint32_t staticShared = 0;
  uint32_t registers = 0;
  uint32_t spillStores = 0;
  uint32_t spillLoads = 0;
  uint32_t stackBytes = 0;
  /// 0 when not known.
  uint32_t blocksPerSm = 0;
};

/// Device code for one target: a cubin, PTX, or both.
struct DeviceVariant {
  /// For example sm_90a.
  std::string target;
  std::vector<uint8_t> cubin;
  std::string ptx;
  /// 80 for 8.0; 0 without PTX.
  uint32_t ptxVersion = 0;
  /// What Launch refers to: the same names in every variant.
  std::vector<DeviceKernel> kernels;
};

enum class DeviceKind : uint8_t { Host = 0, Cuda = 1 };

/// A whole plan.
struct PlanContents {
  std::string name;
  /// Identity of the compiler, for example "opgraph 0.1.0 <build id>".
  std::string compiler;
  /// The planning target, for example "host".
  std::string target;
  int64_t engineId = 0;
  std::string engineName;
  uint32_t engineVersion = 0;
  std::vector<og_knob> knobs;
  std::vector<std::string> notes;
  std::vector<Symbol> symbols;
  std::vector<Operand> operands;
  /// (input, output) operand indices that may be one buffer of one layout.
  std::vector<std::pair<uint32_t, uint32_t>> aliases;
  /// Workspace = shared + maxWorkers * private, each a multiple of 64.
  Expr workspaceShared;
  Expr workspacePrivate;
  uint32_t maxWorkers = 1;
  std::vector<Step> steps;
  std::vector<Variant> variants;
  /// The graph, for `inspect`; may be empty.
  std::string sourceMlir;
  DeviceKind device = DeviceKind::Host;
  std::vector<TensorMap> tensorMaps;
  std::vector<DeviceVariant> deviceVariants;
};

/// Writes `contents` as the bytes of a plan file. False with a text in `error`
/// when an index or a length does not fit the format. What the loader's
/// verifier would refuse is not looked for here. Equal contents give equal
/// bytes.
bool writePlanFile(const PlanContents &contents, std::vector<uint8_t> &bytes,
                   std::string &error);

/// Reads back a plan file: header, digest and FlatBuffers structure are
/// checked, the meaning of the numbers is not. False with a text in `error`.
bool readPlanFile(const void *data, size_t size, PlanContents &contents,
                  std::string &error);

/// Makes the header of the plan file in `bytes` right after its body was
/// changed: length and digest. False when shorter than a header.
bool sealPlanFile(std::vector<uint8_t> &bytes);

} // namespace opgraph::planfile

#endif // OPGRAPH_CODEGEN_PLANFILE_PLANCONTENTS_H
