//===- Npy.h - NumPy's array files ------------------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_TOOLS_OPGRAPH_NPY_H
#define OPGRAPH_TOOLS_OPGRAPH_NPY_H

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace opgraph::cli {

/// An array as in a .npy file.
struct NpyArray {
  /// NumPy's description: "<f4", or "|V1", "<V2" for types of ml_dtypes.
  std::string descr;
  bool fortranOrder = false;
  std::vector<int64_t> shape;
  std::string data;
};

/// Reads a .npy file of format 1, 2 or 3; a Failure names the file.
NpyArray readNpy(const std::string &path);

/// The bytes of a .npy file, format 1, in C order.
std::string writeNpy(std::string_view descr, const std::vector<int64_t> &shape,
                     std::string_view data);

/// The description of a dtype ("<V2" for bfloat16).
std::string npyDescr(int32_t dtype);

} // namespace opgraph::cli

#endif // OPGRAPH_TOOLS_OPGRAPH_NPY_H
