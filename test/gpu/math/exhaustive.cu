//===- exhaustive.cu - Device math against f64 over all inputs ------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//
// Runs each kernel of kernels.py over every value of its type (functions of
// two numbers: over random and special pairs; f64: over random numbers) and
// compares with CUDA's f64 functions. By hand, on a machine with a GPU; prints
// a table:
//
//   python3 test/gpu/math/kernels.py > math.mlir
//   build/bin/graph-opt math.mlir -o /dev/null \
//     --nvptx-emit="target=sm_90a cubin=math.cubin"
//   nvcc -O2 -std=c++17 -arch=sm_90 test/gpu/math/exhaustive.cu -o exhaustive
//   ./exhaustive math.cubin [NAME…]
//
// An error is in units of the last place of the exact result in the result's
// type, at least its least subnormal. `wrong` counts results that differ from
// the exact one in being NaN, infinite or a signed zero.
//===----------------------------------------------------------------------===//
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <cuda_bf16.h>
#include <cuda_fp16.h>
#include <string>
#include <vector>

static void check(cudaError_t error, const char *what) {
  if (error == cudaSuccess)
    return;
  std::fprintf(stderr, "%s: %s\n", what, cudaGetErrorString(error));
  std::exit(1);
}

//===-- Types and functions -----------------------------------------------===//

struct F32 {
  using Bits = uint32_t;
  static constexpr int mantissa = 23, least = -126;
  static constexpr const char *name = "f32";
  static __device__ double decode(Bits bits) { return __uint_as_float(bits); }
};
struct F16 {
  using Bits = uint16_t;
  static constexpr int mantissa = 10, least = -14;
  static constexpr const char *name = "f16";
  static __device__ double decode(Bits bits) {
    return __half2float(__ushort_as_half(bits));
  }
};
struct BF16 {
  using Bits = uint16_t;
  static constexpr int mantissa = 7, least = -126;
  static constexpr const char *name = "bf16";
  static __device__ double decode(Bits bits) {
    return __uint_as_float(uint32_t(bits) << 16);
  }
};
struct F64 {
  using Bits = uint64_t;
  static constexpr int mantissa = 52, least = -1022;
  static constexpr const char *name = "f64";
  static __device__ double decode(Bits bits) {
    return __longlong_as_double(static_cast<long long>(bits));
  }
};

enum Function {
  Copy,
  Exp,
  Exp2,
  ExpM1,
  Log,
  Log2,
  Log10,
  Log1p,
  Tanh,
  Erf,
  Erfc,
  Sin,
  Cos,
  Tan,
  Rsqrt,
  Sqrt,
  Pow,
  Mod,
  Div
};
static const char *const names[] = {"copy", "exp",   "exp2",  "expm1", "log",
                                    "log2", "log10", "log1p", "tanh",  "erf",
                                    "erfc", "sin",   "cos",   "tan",   "rsqrt",
                                    "sqrt", "pow",   "mod",   "div"};

static __device__ double exact(Function function, double x, double y) {
  switch (function) {
  case Copy:
    return -x;
  case Exp:
    return exp(x);
  case Exp2:
    return exp2(x);
  case ExpM1:
    return expm1(x);
  case Log:
    return log(x);
  case Log2:
    return log2(x);
  case Log10:
    return log10(x);
  case Log1p:
    return log1p(x);
  case Tanh:
    return tanh(x);
  case Erf:
    return erf(x);
  case Erfc:
    return erfc(x);
  case Sin:
    return sin(x);
  case Cos:
    return cos(x);
  case Tan:
    return tan(x);
  case Rsqrt:
    return 1 / sqrt(x);
  case Sqrt:
    return sqrt(x);
  case Pow:
    return pow(x, y);
  case Mod:
    return fmod(x, y);
  case Div:
    return x / y;
  }
  return 0;
}

//===-- Inputs ------------------------------------------------------------===//

__device__ uint32_t mix(uint64_t value) {
  value = (value ^ (value >> 31)) * 0x7fb5d329728ea185ull;
  value = (value ^ (value >> 27)) * 0x81dadef4bc2dd44dull;
  return uint32_t((value ^ (value >> 33)) >> 16);
}

/// f64 has too many encodings: any exponent, exponents near 0, both.
__device__ uint64_t sample(uint64_t index) {
  uint64_t bits = uint64_t(mix(2 * index + 1)) << 32 | mix(2 * index + 2);
  if (index % 2 == 0)
    return bits;
  uint64_t exponent = 1023 - 16 + (bits >> 52) % 32;
  return (bits & 0x800FFFFFFFFFFFFF) | exponent << 52;
}

/// A pair by its index's class: any two numbers, moderate ones, a base near 1
/// with a large exponent, special values.
template <typename T>
__device__ void samplePair(uint64_t index, uint32_t &a, uint32_t &b) {
  constexpr int width = 8 * sizeof(typename T::Bits);
  constexpr int exponentBits = width - 1 - T::mantissa;
  constexpr uint32_t span = 1u << T::mantissa;
  constexpr uint32_t one = ((1u << (exponentBits - 1)) - 1) * span;
  constexpr uint32_t infinity = ((1u << exponentBits) - 1) * span;
  a = mix(2 * index + 1), b = mix(2 * index + 2);
  switch (index % 4) {
  case 1:
    a = one - 8 * span + a % (16 * span);
    b = (b & 1) << (width - 1) | (one - 8 * span + (b >> 1) % (16 * span));
    break;
  case 2:
    a = one - span / 32 + a % (span / 16);
    b = (b & 1) << (width - 1) | (one + (b >> 1) % (14 * span));
    break;
  case 3: {
    const uint32_t values[16] = {0,
                                 1,
                                 span - 1,
                                 span,
                                 one,
                                 one + span,
                                 one - span,
                                 one + span + span / 2,
                                 infinity,
                                 infinity - 1,
                                 infinity + span / 2,
                                 one + 1,
                                 one - 1,
                                 one + 2 * span,
                                 one + 2 * span + span / 4,
                                 one + T::mantissa * span + 1};
    a = values[(a >> 1) % 16] | (a & 1) << (width - 1);
    b = values[(b >> 1) % 16] | (b & 1) << (width - 1);
    break;
  }
  }
}

/// Fills `x` with consecutive encodings, or `x` and `y` with pairs.
template <typename T>
__global__ void fill(typename T::Bits *x, typename T::Bits *y, uint64_t first) {
  using Bits = typename T::Bits;
  uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x;
  uint64_t index = first + i;
  if constexpr (sizeof(Bits) == 8) {
    x[i] = sample(index);
    if (y)
      y[i] = sample(~index);
  } else if (y) {
    uint32_t a, b;
    samplePair<T>(index, a, b);
    x[i] = Bits(a), y[i] = Bits(b);
  } else {
    x[i] = Bits(index);
  }
}

//===-- Comparison --------------------------------------------------------===//

struct Totals {
  /// Largest error (f32 bits) above the index of its input, of normal and of
  /// subnormal results.
  unsigned long long normal, subnormal;
  unsigned long long wrong, firstWrong, rounded;
  /// Largest relative and absolute error, as f32 bits.
  unsigned int relative, absolute;
};

/// What became of one result.
enum class Outcome { Wrong, Rounded, Inexact };

static __device__ void raise(unsigned long long *slot,
                             unsigned long long entry) {
  if (entry > *slot)
    atomicMax(slot, entry);
}
static __device__ void raise(unsigned *slot, double value) {
  unsigned entry = __float_as_uint(float(value));
  if (entry > *slot)
    atomicMax(slot, entry);
}

static __device__ bool isWrong(double got, double expected) {
  if (isnan(got) || isnan(expected))
    return isnan(got) != isnan(expected);
  if (isinf(got) && isinf(expected))
    return got != expected;
  // A zero has the sign of what it stands for.
  return (expected == 0 && got != 0) ||
         (got == 0 && signbit(got) != signbit(expected));
}

template <typename T>
static __device__ Outcome judge(double got, double expected, uint64_t index,
                                Totals *totals) {
  // Everything from half a unit above the largest value on is infinite.
  constexpr int most = 1 - T::least;
  double limit = ldexp(1.0, most + 1);
  if (fabs(expected) >= limit - ldexp(1.0, most - T::mantissa - 1))
    expected = copysign(INFINITY, expected);
  if (isWrong(got, expected)) {
    atomicMin(&totals->firstWrong, index);
    return Outcome::Wrong;
  }
  if (isnan(expected) || got == expected)
    return Outcome::Rounded;
  // An infinity instead of a finite number, and the reverse, are measured.
  if (isinf(got))
    got = copysign(limit, got);
  if (isinf(expected))
    expected = copysign(limit, expected);
  int exponent = ilogb(expected);
  bool isNormal = exponent >= T::least;
  double unit = ldexp(1.0, (isNormal ? exponent : T::least) - T::mantissa);
  double difference = fabs(got - expected);
  float error = float(difference / unit);
  raise(isNormal ? &totals->normal : &totals->subnormal,
        (static_cast<unsigned long long>(__float_as_uint(error)) << 32) |
            (index & 0xFFFFFFFF));
  if (isNormal)
    raise(&totals->relative, difference / fabs(expected));
  raise(&totals->absolute, difference);
  return error <= 0.5f ? Outcome::Rounded : Outcome::Inexact;
}

template <typename T>
__global__ void
compare(Function function, const typename T::Bits *x, const typename T::Bits *y,
        const typename T::Bits *result, uint64_t first, Totals *totals) {
  uint64_t i = blockIdx.x * uint64_t(blockDim.x) + threadIdx.x;
  double expected = exact(function, T::decode(x[i]), y ? T::decode(y[i]) : 0.0);
  Outcome outcome = judge<T>(T::decode(result[i]), expected, first + i, totals);
  int wrong = __syncthreads_count(outcome == Outcome::Wrong);
  int rounded = __syncthreads_count(outcome == Outcome::Rounded);
  if (threadIdx.x != 0)
    return;
  atomicAdd(&totals->rounded, rounded);
  if (wrong)
    atomicAdd(&totals->wrong, wrong);
}

//===-- Driver ------------------------------------------------------------===//

static constexpr uint64_t chunk = uint64_t(1) << 28;
static char *inputs[2], *output;
static Totals *totals;

static float asFloat(uint32_t bits) {
  float value;
  std::memcpy(&value, &bits, 4);
  return value;
}

template <typename T>
static void printInput(const char *label, uint64_t index, bool isBinary) {
  using Bits = typename T::Bits;
  Bits x, y = 0;
  fill<T><<<1, 1>>>(reinterpret_cast<Bits *>(inputs[0]),
                    isBinary ? reinterpret_cast<Bits *>(inputs[1]) : nullptr,
                    index);
  check(cudaMemcpy(&x, inputs[0], sizeof(Bits), cudaMemcpyDefault), "copy");
  std::printf("  %s 0x%llx", label, static_cast<unsigned long long>(x));
  if (!isBinary)
    return;
  check(cudaMemcpy(&y, inputs[1], sizeof(Bits), cudaMemcpyDefault), "copy");
  std::printf(",0x%llx", static_cast<unsigned long long>(y));
}

template <typename T>
static bool measure(cudaLibrary_t library, Function function, bool afn) {
  using Bits = typename T::Bits;
  std::string name = std::string(names[function]) + "_" + T::name;
  if (afn)
    name += "_afn";
  cudaKernel_t kernel;
  if (cudaLibraryGetKernel(&kernel, library, ("opgraph_" + name).c_str()) !=
      cudaSuccess) {
    cudaGetLastError();
    return true;
  }
  bool isBinary = function >= Pow;
  uint64_t total = sizeof(Bits) == 8 ? chunk
                   : isBinary        ? 4 * chunk
                                     : uint64_t(1) << (8 * sizeof(Bits) % 64);
  uint64_t count = total < chunk ? total : chunk;
  Totals sum{};
  sum.firstWrong = ~0ull;
  check(cudaMemcpy(totals, &sum, sizeof(sum), cudaMemcpyDefault), "copy");
  auto *x = reinterpret_cast<Bits *>(inputs[0]);
  auto *y = isBinary ? reinterpret_cast<Bits *>(inputs[1]) : nullptr;
  auto *out = reinterpret_cast<Bits *>(output);
  for (uint64_t first = 0; first < total; first += count) {
    unsigned blocks = unsigned(count / 256);
    fill<T><<<blocks, 256>>>(x, y, first);
    int rows = int(count / 512);
    void *unary[] = {&x, &out, &rows}, *binary[] = {&x, &y, &out, &rows};
    check(cudaLaunchKernel(reinterpret_cast<const void *>(kernel), dim3(rows),
                           dim3(128), isBinary ? binary : unary, 0, nullptr),
          "launch");
    compare<T><<<blocks, 256>>>(function, x, y, out, first, totals);
  }
  check(cudaMemcpy(&sum, totals, sizeof(sum), cudaMemcpyDefault), name.c_str());
  std::printf("%-14s %10.4g %10.4g %9.5f%% %10.3g %10.3g %10llu", name.c_str(),
              asFloat(sum.normal >> 32), asFloat(sum.subnormal >> 32),
              100.0 * sum.rounded / total, asFloat(sum.relative),
              asFloat(sum.absolute), sum.wrong);
  printInput<T>("worst", sum.normal & 0xFFFFFFFF, isBinary);
  if (sum.subnormal >> 32)
    printInput<T>("subnormal", sum.subnormal & 0xFFFFFFFF, isBinary);
  if (sum.wrong)
    printInput<T>("wrong", sum.firstWrong, isBinary);
  std::printf("\n");
  std::fflush(stdout);
  return sum.wrong == 0;
}

int main(int argc, char **argv) {
  if (argc < 2) {
    std::fprintf(stderr, "usage: exhaustive CUBIN [FUNCTION...]\n");
    return 2;
  }
  cudaLibrary_t library;
  check(cudaLibraryLoadFromFile(&library, argv[1], nullptr, nullptr, 0, nullptr,
                                nullptr, 0),
        argv[1]);
  for (char **buffer : {&inputs[0], &inputs[1], &output})
    check(cudaMalloc(buffer, 8 * chunk), "allocation");
  check(cudaMalloc(&totals, sizeof(Totals)), "allocation");
  std::printf("%-14s %10s %10s %10s %10s %10s %10s\n", "function", "ulp",
              "subnormal", "rounded", "relative", "absolute", "wrong");
  bool right = true;
  for (int function = Copy; function <= Div; ++function) {
    bool chosen = argc == 2;
    for (int i = 2; i < argc; ++i)
      chosen |= std::string(argv[i]) == names[function];
    for (bool afn : {false, true}) {
      if (!chosen)
        continue;
      right &= measure<F32>(library, Function(function), afn);
      right &= measure<F16>(library, Function(function), afn);
      right &= measure<BF16>(library, Function(function), afn);
      right &= measure<F64>(library, Function(function), afn);
    }
  }
  return right ? 0 : 1;
}
