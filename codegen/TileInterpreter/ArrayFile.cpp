//===- ArrayFile.cpp - NumPy's array files --------------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/ArrayFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/raw_ostream.h"

using namespace llvm;
using namespace opgraph::tile::interp;

static Error fail(StringRef path, const Twine &why) {
  return createStringError("'" + path + "': " + why);
}

/// What follows `key` in the header, a Python dictionary of a fixed form.
static StringRef after(StringRef header, StringRef key) {
  size_t at = header.find(key);
  return at == StringRef::npos ? StringRef()
                               : header.drop_front(at + key.size()).ltrim(": ");
}

/// Bytes of "<f4", "|V2", ...; 0 for others and for big-endian numbers.
static int64_t itemBytesOf(StringRef descr) {
  int64_t bytes = 0;
  if (descr.size() < 3 || descr[0] == '>' ||
      descr.drop_front(2).getAsInteger(10, bytes))
    return 0;
  return bytes;
}

static Error parseHeader(StringRef path, StringRef header, ArrayFile &file) {
  StringRef descr = after(header, "'descr'");
  if (!descr.consume_front("'"))
    return fail(path, "its elements are records");
  file.itemBytes =
      itemBytesOf(descr.take_until([](char c) { return c == '\''; }));
  if (file.itemBytes <= 0)
    return fail(path, "unknown element type");
  if (after(header, "'fortran_order'").starts_with("True"))
    return fail(path, "expected C order");
  StringRef shape = after(header, "'shape'");
  if (!shape.consume_front("("))
    return fail(path, "its shape is no tuple");
  SmallVector<StringRef> extents;
  shape.take_until([](char c) { return c == ')'; })
      .split(extents, ',', -1, /*KeepEmpty=*/false);
  for (StringRef text : extents) {
    int64_t extent;
    if (text.trim().empty())
      continue;
    if (text.trim().getAsInteger(10, extent) || extent < 0)
      return fail(path, "bad extent '" + text + "'");
    file.shape.push_back(extent);
  }
  return Error::success();
}

Expected<ArrayFile> opgraph::tile::interp::readArrayFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer =
      MemoryBuffer::getFile(path, /*IsText=*/false,
                            /*RequiresNullTerminator=*/false);
  if (!buffer)
    return fail(path, buffer.getError().message());
  StringRef text = (*buffer)->getBuffer();
  if (text.size() < 12 || !text.starts_with("\x93NUMPY"))
    return fail(path, "is no .npy file");
  bool isLong = text[6] > 1;
  size_t start = isLong ? 12 : 10, length = 0;
  for (size_t i = start; i-- > 8;)
    length = length << 8 | uint8_t(text[i]);
  if (length > text.size() - start)
    return fail(path, "the header is cut");
  ArrayFile file;
  if (Error error = parseHeader(path, text.substr(start, length), file))
    return std::move(error);
  StringRef data = text.drop_front(start + length);
  int64_t bytes = file.itemBytes;
  for (int64_t extent : file.shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      return fail(path, "its shape overflows");
  if (uint64_t(bytes) > data.size())
    return fail(path, "its data are cut");
  file.bytes.assign(data.bytes_begin(), data.bytes_begin() + bytes);
  return file;
}

static StringRef descrOf(Format format) {
  switch (format) {
  case Format::F64:
    return "<f8";
  case Format::F32:
  case Format::TF32:
    return "<f4";
  case Format::F16:
    return "<f2";
  case Format::BF16:
    return "<V2";
  case Format::I1:
    return "|b1";
  case Format::I8:
    return "|i1";
  case Format::U8:
    return "|u1";
  case Format::I16:
    return "<i2";
  case Format::I32:
    return "<i4";
  case Format::I64:
    return "<i8";
  case Format::E4M3:
  case Format::E5M2:
  case Format::E8M0:
  case Format::E2M1:
    return "|V1";
  }
  return "|V1";
}

Error opgraph::tile::interp::writeArrayFile(StringRef path, Format format,
                                            ArrayRef<int64_t> shape,
                                            ArrayRef<uint8_t> bytes) {
  std::string header = "{'descr': '" + descrOf(format).str() +
                       "', 'fortran_order': False, 'shape': (";
  for (int64_t extent : shape)
    header += std::to_string(extent) + ", ";
  header += "), }";
  // Magic, version, length, header and newline fill a multiple of 64 bytes.
  size_t total = alignTo(10 + header.size() + 1, 64);
  header.append(total - 10 - header.size() - 1, ' ');
  header += '\n';
  std::error_code error;
  raw_fd_ostream stream(path, error, sys::fs::OF_None);
  if (error)
    return fail(path, error.message());
  stream << StringRef("\x93NUMPY\x01\0", 8) << char(header.size() & 0xff)
         << char(header.size() >> 8) << header << toStringRef(bytes);
  stream.close();
  if (stream.has_error())
    return fail(path, stream.error().message());
  return Error::success();
}
