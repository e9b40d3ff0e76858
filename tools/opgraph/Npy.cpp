//===- Npy.cpp - NumPy's array files --------------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Npy.h"
#include "Failure.h"
#include "Files.h"
#include "opgraph-c/types.h"

#include <cctype>

using namespace opgraph::cli;

static constexpr std::string_view magic("\x93NUMPY", 6);

namespace {
/// Reads the header, a Python dictionary literal of a fixed form.
class HeaderParser {
public:
  HeaderParser(const std::string &path, std::string_view header)
      : path(path), header(header) {}

  void parse(NpyArray &array) {
    array.descr = quoted(after("'descr'"));
    array.fortranOrder = after("'fortran_order'").substr(0, 4) == "True";
    parseShape(after("'shape'"), array.shape);
  }

private:
  [[noreturn]] void fail(const std::string &why) const {
    throw Failure(ExitUserError, "'" + path + "' is no .npy file: " + why);
  }

  /// What follows `key` and a colon.
  std::string_view after(std::string_view key) const {
    size_t at = header.find(key);
    if (at == std::string_view::npos)
      fail("the header lacks " + std::string(key));
    at = header.find_first_not_of(": ", at + key.size());
    return at == std::string_view::npos ? std::string_view()
                                        : header.substr(at);
  }

  std::string quoted(std::string_view text) const {
    if (text.empty() || text[0] != '\'')
      fail("its elements are records");
    size_t end = text.find('\'', 1);
    if (end == std::string_view::npos)
      fail("the header is cut");
    return std::string(text.substr(1, end - 1));
  }

  void parseShape(std::string_view text, std::vector<int64_t> &shape) const {
    if (text.empty() || text[0] != '(')
      fail("its shape is no tuple");
    int64_t elements = 1;
    for (size_t i = 1; i < text.size() && text[i] != ')';) {
      if (!std::isdigit(static_cast<unsigned char>(text[i]))) {
        ++i;
        continue;
      }
      int64_t value = 0;
      for (;
           i < text.size() && std::isdigit(static_cast<unsigned char>(text[i]));
           ++i)
        if (__builtin_mul_overflow(value, 10, &value) ||
            __builtin_add_overflow(value, text[i] - '0', &value))
          fail("its shape overflows");
      shape.push_back(value);
      if (__builtin_mul_overflow(elements, value, &elements))
        fail("its shape overflows");
    }
  }

  const std::string &path;
  std::string_view header;
};
} // namespace

NpyArray opgraph::cli::readNpy(const std::string &path) {
  std::string file = readFile(path);
  auto fail = [&](const std::string &why) {
    throw Failure(ExitUserError, "'" + path + "' is no .npy file: " + why);
  };
  if (file.size() < 12 || file.compare(0, 6, magic) != 0)
    fail("it does not begin like one");
  int major = static_cast<unsigned char>(file[6]);
  if (major < 1 || major > 3)
    fail("format " + std::to_string(major) + " is unknown");
  auto byte = [&](size_t i) { return size_t(static_cast<uint8_t>(file[i])); };
  size_t start = major == 1 ? 10 : 12;
  size_t length = byte(8) | byte(9) << 8;
  if (major > 1)
    length |= byte(10) << 16 | byte(11) << 24;
  if (start + length > file.size())
    fail("the header is cut");
  NpyArray array;
  HeaderParser(path, std::string_view(file).substr(start, length)).parse(array);
  array.data = file.substr(start + length);
  return array;
}

std::string opgraph::cli::writeNpy(std::string_view descr,
                                   const std::vector<int64_t> &shape,
                                   std::string_view data) {
  std::string header = "{'descr': '" + std::string(descr) +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : shape)
    header += std::to_string(extent) + ", ";
  header += "), }";
  // Magic, version, length, header and newline fill a multiple of 64 bytes.
  size_t total = (10 + header.size() + 1 + 63) / 64 * 64;
  header.append(total - 10 - header.size() - 1, ' ');
  header += '\n';
  std::string file(magic);
  file +=
      {'\x01', '\x00', char(header.size() & 0xff), char(header.size() >> 8)};
  file += header;
  file += data;
  return file;
}

std::string opgraph::cli::npyDescr(int32_t dtype) {
  switch (dtype) {
  case OG_DTYPE_FLOAT:
    return "<f4";
  case OG_DTYPE_DOUBLE:
    return "<f8";
  case OG_DTYPE_HALF:
    return "<f2";
  case OG_DTYPE_INT8:
    return "|i1";
  case OG_DTYPE_UINT8:
    return "|u1";
  case OG_DTYPE_INT32:
    return "<i4";
  case OG_DTYPE_INT64:
    return "<i8";
  case OG_DTYPE_BOOLEAN:
  case OG_DTYPE_BYTE_BOOLEAN:
    return "|b1";
  case OG_DTYPE_BFLOAT16:
    return "<V2";
  default:
    return "|V1";
  }
}
