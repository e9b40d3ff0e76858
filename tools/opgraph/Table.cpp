//===- Table.cpp - Columns of text ----------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Table.h"
#include "opgraph-c/types.h"

#include <algorithm>
#include <cstdio>

using namespace opgraph::cli;

std::string Table::str() const {
  std::vector<size_t> widths;
  for (const auto &row : rows) {
    widths.resize(std::max(widths.size(), row.size()));
    for (size_t i = 0; i < row.size(); ++i)
      widths[i] = std::max(widths[i], row[i].size());
  }
  std::string text;
  for (const auto &row : rows) {
    std::string line;
    for (size_t i = 0; i < row.size(); ++i) {
      line += row[i];
      if (i + 1 < row.size())
        line.append(widths[i] - row[i].size() + 2, ' ');
    }
    text += line + '\n';
  }
  return text;
}

std::string opgraph::cli::numberText(double value) {
  char buffer[32];
  std::snprintf(buffer, sizeof(buffer), "%.6g", value);
  return buffer;
}

std::string opgraph::cli::timeText(int64_t ns) {
  char buffer[32];
  if (ns < 1000000)
    std::snprintf(buffer, sizeof(buffer), "%.2f us", double(ns) / 1e3);
  else
    std::snprintf(buffer, sizeof(buffer), "%.2f ms", double(ns) / 1e6);
  return buffer;
}

std::string opgraph::cli::shapeText(const int64_t *shape, size_t rank) {
  std::string text;
  for (size_t i = 0; i < rank; ++i)
    text += (i ? "x" : "") +
            (shape[i] == OG_DYNAMIC ? "?" : std::to_string(shape[i]));
  return rank ? text : "scalar";
}
