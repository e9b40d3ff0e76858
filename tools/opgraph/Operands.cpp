//===- Operands.cpp - Buffers and values for a run ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Failure.h"
#include "Run.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>

using namespace opgraph::cli;

/// What a dynamic extent is when neither the command line nor the plan says.
static constexpr int64_t defaultExtent = 16;

/// "KEY=VALUE" in two.
static std::pair<std::string, std::string> split(const std::string &text,
                                                 const char *option) {
  size_t at = text.find('=');
  if (at == std::string::npos || at == 0)
    throw Failure(ExitUserError, std::string("expected ") + option +
                                     " to be KEY=VALUE, got '" + text + "'");
  return {text.substr(0, at), text.substr(at + 1)};
}

/// The least multiple of `divisor` that is at least `value`; both are positive.
static int64_t roundUp(int64_t value, int64_t divisor) {
  return divisor >= value ? divisor : (value + divisor - 1) / divisor * divisor;
}

/// The values of the plan's symbols, by name.
static std::map<std::string, int64_t> readExtents(const og_plan *plan,
                                                  const RunOptions &options) {
  std::map<std::string, int64_t> result;
  for (size_t i = 0; i < og_plan_num_symbols(plan); ++i) {
    og_symbol_info symbol = {};
    symbol.struct_size = sizeof(symbol);
    check(og_plan_symbol(plan, i, &symbol));
    int64_t value = symbol.default_value;
    if (value == OG_DYNAMIC)
      value = std::max(symbol.min, roundUp(defaultExtent, symbol.divisor));
    result[symbol.name] = value;
  }
  for (const std::string &text : options.extents) {
    auto [name, value] = split(text, "--extent");
    if (!result.count(name))
      throw Failure(ExitUserError, "the plan has no extent '" + name + "'");
    char *end = nullptr;
    errno = 0;
    long long number = std::strtoll(value.c_str(), &end, 10);
    if (value.empty() || *end || number < 0 || errno == ERANGE)
      throw Failure(ExitUserError, "expected extent '" + name +
                                       "' to be a number, got '" + value + "'");
    result[name] = number;
  }
  return result;
}

/// The file of each operand's values, by operand index.
static std::map<size_t, std::string>
readInputFiles(const std::vector<HostTensor> &operands,
               const RunOptions &options) {
  std::map<size_t, std::string> files;
  for (const std::string &text : options.inputs) {
    auto [key, path] = split(text, "--input");
    std::vector<size_t> found;
    for (size_t i = 0; i < operands.size(); ++i)
      if (!operands[i].isOutput &&
          (operands[i].name == key || std::to_string(operands[i].uid) == key))
        found.push_back(i);
    if (found.size() != 1)
      throw Failure(ExitUserError,
                    (found.empty() ? "no input has uid or name '"
                                   : "several inputs have uid or name '") +
                        key + "'");
    files[found.front()] = path;
  }
  return files;
}

/// The extent of an axis that the plan leaves to the call: a plan may be freer
/// than its graph, whose declaration then counts.
static int64_t findExtent(const Declaration &declaration, size_t axis,
                          const std::map<std::string, int64_t> &extents) {
  if (axis < declaration.extents.size() &&
      declaration.extents[axis] != OG_DYNAMIC)
    return declaration.extents[axis];
  if (axis >= declaration.symbols.size())
    return defaultExtent;
  auto found = extents.find(declaration.symbols[axis]);
  return found == extents.end() ? defaultExtent : found->second;
}

std::vector<HostTensor> opgraph::cli::makeOperands(Session &session,
                                                   const og_plan *plan,
                                                   const RunOptions &options) {
  std::vector<HostTensor> operands;
  auto extents = readExtents(plan, options);
  std::map<int64_t, Declaration> declarations;
  if (og_plan_is_dynamic(plan))
    declarations = session.declarations();
  for (size_t i = 0; i < og_plan_num_operands(plan); ++i) {
    og_operand_info info = {};
    info.struct_size = sizeof(info);
    check(og_plan_operand(plan, i, &info));
    std::vector<int64_t> shape(info.shape, info.shape + info.ndim);
    for (size_t axis = 0; axis < shape.size(); ++axis)
      if (shape[axis] == OG_DYNAMIC)
        shape[axis] = findExtent(declarations[info.uid], axis, extents);
    operands.emplace_back(info, std::move(shape));
  }
  auto files = readInputFiles(operands, options);
  for (size_t i = 0; i < operands.size(); ++i) {
    if (operands[i].isOutput) {
      operands[i].poison();
    } else if (auto file = files.find(i); file != files.end()) {
      operands[i].fillFrom(readNpy(file->second), file->second);
      operands[i].hasDefault = false;
    } else if (!operands[i].hasDefault) {
      operands[i].fillRandom(options.seed);
    }
  }
  return operands;
}
