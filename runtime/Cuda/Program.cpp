//===- Program.cpp - The steps of a CUDA plan, resolved -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#include "runtime/Cuda/Program.h"

#include "runtime/Cuda/Scalars.h"
#include "runtime/Error.h"
#include "runtime/Plan.h"

#include <climits>
#include <cstdlib>
#include <cstring>

using namespace opgraph::runtime;
using namespace opgraph::runtime::cuda;
namespace fb = opgraph::planfile::fb;

//===----------------------------------------------------------------------===//
// Records
//===----------------------------------------------------------------------===//

static ArgumentRecord makeArgument(const fb::LaunchArg &source) {
  return {source.kind(), source.type(), source.index(),
          source.axis(), source.expr(), source.bits()};
}

static StepPlan makeFill(const fb::Fill &source) {
  StepPlan step;
  step.exprs[0] = source.offset();
  step.exprs[1] = source.size();
  step.fillValue = source.value();
  return step;
}

static StepPlan makeLaunch(const fb::Launch &source, Program &program) {
  StepPlan step;
  step.kernel = int32_t(source.kernel());
  step.dependent = source.dependent();
  for (uint32_t i = 0; i < 3; ++i)
    step.exprs[i] = source.grid()->Get(i);
  step.firstArg = program.args.size();
  if (source.args())
    for (const fb::LaunchArg *arg : *source.args())
      program.args.push_back(makeArgument(*arg));
  step.numArgs = program.args.size() - step.firstArg;
  return step;
}

static StepPlan makeCudnn(const fb::CudnnExecute &source, Program &program) {
  StepPlan step;
  step.cudnn = int32_t(program.cudnn.size());
  program.cudnn.push_back(&source);
  step.firstArg = program.args.size();
  if (source.args())
    for (const fb::LaunchArg *arg : *source.args()) {
      ArgumentRecord record = makeArgument(*arg);
      record.isDirect = record.kind == fb::ArgKind_Pointer ||
                        record.kind == fb::ArgKind_Scratch;
      program.args.push_back(record);
    }
  step.numArgs = program.args.size() - step.firstArg;
  return step;
}

static StepPlan makeStep(const fb::Step &source, Program &program) {
  if (const fb::Fill *fill = source.body_as_Fill())
    return makeFill(*fill);
  if (const fb::CudnnExecute *execute = source.body_as_CudnnExecute())
    return makeCudnn(*execute, program);
  return makeLaunch(*source.body_as_Launch(), program);
}

/// The driver's number of an element type; elements of other types are bytes.
static int mapDtype(og_dtype dtype) {
  switch (dtype) {
  case OG_DTYPE_FLOAT:
    return MapFloat32;
  case OG_DTYPE_DOUBLE:
    return MapFloat64;
  case OG_DTYPE_HALF:
    return MapFloat16;
  case OG_DTYPE_BFLOAT16:
    return MapBFloat16;
  case OG_DTYPE_INT32:
    return MapInt32;
  case OG_DTYPE_INT64:
    return MapInt64;
  default:
    return MapUInt8;
  }
}

static MapRecord makeMap(const fb::TensorMap &source) {
  auto dtype = static_cast<og_dtype>(source.dtype());
  return {makeArgument(*source.base()),
          mapDtype(dtype),
          unsigned(og_dtype_bits(dtype)) / 8,
          source.extents()->size(),
          source.extents()->data(),
          source.strides()->data(),
          source.box()->data(),
          source.swizzle(),
          source.fill_nan(),
          source.steps() ? source.lower()->data() : nullptr,
          source.steps() ? source.upper()->data() : nullptr,
          source.steps() ? source.steps()->data() : nullptr};
}

Block::Block(const Program &program, unsigned char *base) {
  maps = reinterpret_cast<TensorMapBytes *>(base);
  base += program.maps.size() * sizeof(TensorMapBytes);
  steps = reinterpret_cast<int64_t (*)[3]>(base);
  base += program.steps.size() * sizeof(*steps);
  slots = reinterpret_cast<uint64_t *>(base);
  params = reinterpret_cast<void **>(slots + program.args.size());
}

/// Evaluates the program once where the plan declares all of its shapes.
static void resolveDeclared(const og_plan &plan, Program &program) {
  for (int64_t value : plan.symbolDefaults)
    if (value == OG_DYNAMIC)
      return;
  void *memory = nullptr;
  if (posix_memalign(&memory, alignof(TensorMapBytes),
                     program.blockBytes + alignof(TensorMapBytes)))
    throw std::bad_alloc();
  program.declared = {static_cast<unsigned char *>(memory), std::free};
  std::memset(memory, 0, program.blockBytes);
  Block block(program, program.declared.get());
  // A plan whose declared shapes it cannot run may still run others: execution
  // evaluates again and says what is wrong.
  if (evaluateProgram(plan, program, plan.symbolDefaults.data(), block))
    program.declared.reset();
}

std::unique_ptr<Program>
opgraph::runtime::cuda::makeProgram(const og_plan &plan) {
  auto program = std::make_unique<Program>();
  for (const fb::Step *step : *plan.body->steps())
    program->steps.push_back(makeStep(*step, *program));
  if (plan.body->tensor_maps())
    for (const fb::TensorMap *map : *plan.body->tensor_maps())
      program->maps.push_back(makeMap(*map));
  program->declaredBytes = program->steps.size() * sizeof(int64_t[3]) +
                           program->args.size() * sizeof(uint64_t);
  program->blockBytes = program->maps.size() * sizeof(TensorMapBytes) +
                        program->declaredBytes +
                        program->args.size() * sizeof(void *);
  const char *sync = std::getenv("OPGRAPH_DEBUG_SYNC");
  program->sync = sync && std::strcmp(sync, "1") == 0;
  resolveDeclared(plan, *program);
  return program;
}

//===----------------------------------------------------------------------===//
// Evaluation
//===----------------------------------------------------------------------===//

namespace {

/// Evaluates one step; its errors name plan, kernel and what is wrong.
class Evaluator {
public:
  Evaluator(const og_plan &plan, const Program &program, const StepPlan &step,
            size_t number, const int64_t *symbols)
      : plan(plan), program(program), step(step), number(number),
        symbols(symbols) {}

  og_status evaluateGrid(int64_t (&grid)[3]);
  og_status evaluateStep(int64_t (&numbers)[3]);
  og_status evaluateFill(int64_t (&range)[3]);
  og_status evaluateArgument(size_t index, const ArgumentRecord &record,
                             uint64_t &slot);

private:
  og_status evaluate(uint32_t expr, const char *what, int64_t &value) {
    if (const char *error = plan.exprs.evaluate(expr, symbols, value))
      return refuse("%s: %s", what, error);
    return OG_OK;
  }

  /// The symbols' values: " for M = 4, N = 8", as many as have room.
  void describeSymbols(char (&text)[256]);

  /// "plan 'p', step 2 (kernel 'k') for M = 4: ...".
  [[gnu::format(printf, 2, 3)]] og_status refuse(const char *format, ...) {
    char text[256];
    va_list args;
    va_start(args, format);
    std::vsnprintf(text, sizeof(text), format, args);
    va_end(args);
    const char *name = step.cudnn >= 0 ? "cuDNN" : "fill";
    if (step.kernel >= 0)
      name = plan.body->device_variants()
                 ->Get(0)
                 ->kernels()
                 ->Get(step.kernel)
                 ->name()
                 ->c_str();
    char shapes[256];
    describeSymbols(shapes);
    return fail(OG_INVALID_VARIANT_PACK, "plan '%s', step %zu (%s)%s: %s",
                plan.name(), number, name, shapes, text);
  }

  const og_plan &plan;
  const Program &program;
  const StepPlan &step;
  size_t number;
  const int64_t *symbols;
};

} // namespace

void Evaluator::describeSymbols(char (&text)[256]) {
  size_t used = 0;
  text[0] = 0;
  for (size_t i = 0; i < plan.symbols.size() && used < sizeof(text); ++i)
    used += std::snprintf(text + used, sizeof(text) - used, "%s%s = %lld",
                          i ? ", " : " for ", plan.symbols[i].name,
                          static_cast<long long>(symbols[i]));
}

og_status Evaluator::evaluateStep(int64_t (&numbers)[3]) {
  if (step.kernel >= 0)
    return evaluateGrid(numbers);
  if (step.cudnn < 0)
    return evaluateFill(numbers);
  const fb::CudnnExecute &execute = *program.cudnn[step.cudnn];
  numbers[0] = int64_t(execute.workspace());
  numbers[1] = int64_t(execute.bytes());
  numbers[2] = 0;
  return OG_OK;
}

og_status Evaluator::evaluateGrid(int64_t (&grid)[3]) {
  for (int axis = 0; axis < 3; ++axis) {
    if (og_status status = evaluate(step.exprs[axis], "grid", grid[axis]))
      return status;
    int64_t limit = axis == 0 ? INT32_MAX : 65535;
    if (grid[axis] < 0 || grid[axis] > limit)
      return refuse("grid axis %d is %lld, expected 0 to %lld", axis,
                    static_cast<long long>(grid[axis]),
                    static_cast<long long>(limit));
  }
  return OG_OK;
}

og_status Evaluator::evaluateFill(int64_t (&range)[3]) {
  if (og_status status = evaluate(step.exprs[0], "offset", range[0]))
    return status;
  if (og_status status = evaluate(step.exprs[1], "size", range[1]))
    return status;
  range[2] = 0;
  if (range[0] < 0 || range[1] < 0)
    return refuse("%lld bytes at offset %lld", static_cast<long long>(range[1]),
                  static_cast<long long>(range[0]));
  return OG_OK;
}

/// True when an integer argument of this type can hold the value.
static bool fits(fb::ArgType type, int64_t value) {
  if (type == fb::ArgType_I32)
    return value >= INT32_MIN && value <= INT32_MAX;
  if (type == fb::ArgType_U32)
    return value >= 0 && value <= int64_t(UINT32_MAX);
  return true;
}

og_status Evaluator::evaluateArgument(size_t index,
                                      const ArgumentRecord &record,
                                      uint64_t &slot) {
  slot = record.bits;
  if (record.kind != fb::ArgKind_Pointer &&
      record.kind != fb::ArgKind_Scratch && record.kind != fb::ArgKind_Integer)
    return OG_OK;
  int64_t value;
  if (og_status status = evaluate(record.expr, "argument", value))
    return status;
  slot = uint64_t(value);
  if (record.kind == fb::ArgKind_Integer && !fits(record.type, value))
    return refuse("argument %zu is %lld, which %s cannot hold", index,
                  static_cast<long long>(value),
                  record.type == fb::ArgType_I32 ? "i32" : "ui32");
  return OG_OK;
}

og_status opgraph::runtime::cuda::evaluateProgram(const og_plan &plan,
                                                  const Program &program,
                                                  const int64_t *symbols,
                                                  Block &block) {
  for (size_t i = 0; i < program.steps.size(); ++i) {
    const StepPlan &step = program.steps[i];
    Evaluator evaluator(plan, program, step, i, symbols);
    if (og_status status = evaluator.evaluateStep(block.steps[i]))
      return status;
    if (isIdleLaunch(step, block.steps[i]))
      continue;
    for (uint32_t arg = 0; arg < step.numArgs; ++arg)
      if (og_status status =
              evaluator.evaluateArgument(arg, program.args[step.firstArg + arg],
                                         block.slots[step.firstArg + arg]))
        return status;
  }
  return OG_OK;
}
