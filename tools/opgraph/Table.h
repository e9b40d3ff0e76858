//===- Table.h - Columns of text --------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TOOLS_OPGRAPH_TABLE_H
#define OPGRAPH_TOOLS_OPGRAPH_TABLE_H

#include <string>
#include <vector>

namespace opgraph::cli {

/// Rows of cells, printed in columns as wide as their widest cell.
class Table {
public:
  explicit Table(std::vector<std::string> header) { add(std::move(header)); }
  void add(std::vector<std::string> row) { rows.push_back(std::move(row)); }
  std::string str() const;

private:
  std::vector<std::vector<std::string>> rows;
};

/// "1.5", "3e-07": six significant digits.
std::string numberText(double value);
/// "12.5 us", "3.21 ms".
std::string timeText(int64_t ns);
/// "4x8", "scalar"; `?` for a dynamic extent.
std::string shapeText(const int64_t *shape, size_t rank);

} // namespace opgraph::cli

#endif // OPGRAPH_TOOLS_OPGRAPH_TABLE_H
