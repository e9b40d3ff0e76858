//===- ArgumentText.cpp - Arguments of a kernel as text -------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/TileInterpreter/ArgumentText.h"
#include "codegen/TileInterpreter/ArrayFile.h"
#include "llvm/ADT/StringExtras.h"
#include "llvm/Support/Format.h"
#include "llvm/Support/raw_ostream.h"

#include <cmath>

using namespace llvm;
using namespace opgraph::tile;
using namespace opgraph::tile::interp;

namespace {
/// Reads one entry.
class EntryParser {
public:
  EntryParser(StringRef text, mlir::Type type, Launch &launch,
              std::vector<BufferUse> &uses)
      : text(text), type(type), launch(launch), uses(uses) {}

  Error parse();

private:
  Error fail(const Twine &why) const {
    return createStringError("argument '" + text + "': " + why);
  }
  Error parseScalar();
  Error parseSource(StringRef source);
  Error parseFlag(StringRef flag);
  Error finish();
  void fill(bool isRandom, uint64_t seed);

  StringRef text;
  mlir::Type type;
  Launch &launch;
  std::vector<BufferUse> &uses;
  interp::Argument argument;
  Buffer buffer;
  BufferUse use;
  bool isNew = true;
  bool isPartial = false;
};
} // namespace

static std::optional<Format> formatNamed(StringRef name) {
  for (unsigned i = 0; i <= unsigned(Format::I64); ++i)
    if (name == nameOf(Format(i)))
      return Format(i);
  return std::nullopt;
}

/// "-1x512" as numbers; false where it is none.
static bool parseNumbers(StringRef text, std::vector<int64_t> &numbers) {
  SmallVector<StringRef> parts;
  text.split(parts, 'x');
  for (StringRef part : parts)
    if (part.getAsInteger(10, numbers.emplace_back()))
      return false;
  return true;
}

static bool parseExtents(StringRef text, std::vector<int64_t> &extents) {
  return parseNumbers(text, extents) &&
         none_of(extents, [](int64_t extent) { return extent < 0; });
}

Error EntryParser::parseScalar() {
  std::optional<Format> format = formatOf(type);
  if (!format)
    return fail("no such parameter");
  auto value = std::make_shared<Numbers>(*format, 1, 1);
  double number;
  int64_t integer;
  if (holderOf(*format) == Holder::Integer) {
    if (text.getAsInteger(10, integer))
      return fail("expected an integer");
    value->integers[0] = wrapInteger(*format, integer);
  } else {
    if (text.getAsDouble(number))
      return fail("expected a number");
    if (*format == Format::F64)
      value->doubles[0] = number;
    else
      value->floats[0] = float(roundTo(*format, number));
  }
  argument.kind = interp::Argument::Kind::Scalar;
  argument.scalar = std::move(value);
  launch.arguments.push_back(std::move(argument));
  return Error::success();
}

Error EntryParser::parseSource(StringRef source) {
  if (source.consume_front("@")) {
    for (auto [index, other] : enumerate(launch.buffers))
      if (other.name == source) {
        argument.buffer = index;
        use.shape = uses[index].shape;
        isNew = false;
        return Error::success();
      }
    return fail("no buffer is named '" + source + "'");
  }
  if (source.ends_with(".npy")) {
    Expected<ArrayFile> file = readArrayFile(source);
    if (!file)
      return file.takeError();
    if (file->itemBytes != int64_t(bytesOf(use.format)))
      return fail("elements of " + Twine(file->itemBytes) +
                  " bytes, expected " + nameOf(use.format));
    use.shape = file->shape;
    buffer.bytes = std::move(file->bytes);
    return Error::success();
  }
  auto [extents, name] = source.rsplit('x');
  if (name.empty())
    std::swap(extents, name);
  std::optional<Format> format = formatNamed(name);
  if (!format || (!extents.empty() && !parseExtents(extents, use.shape)))
    return fail("expected FILE.npy, a type such as 4x8xf32, or @NAME");
  use.format = *format;
  int64_t bytes = bytesOf(*format);
  for (int64_t extent : use.shape)
    if (__builtin_mul_overflow(bytes, extent, &bytes))
      return fail("too large");
  if (bytes > int64_t(1) << 32)
    return fail("more than 4 GiB");
  buffer.bytes.assign(bytes, 0);
  buffer.isInitialised = false;
  return Error::success();
}

/// Numbers in [-2, 2), or 0, 1, 2, ...
void EntryParser::fill(bool isRandom, uint64_t seed) {
  int64_t bytes = bytesOf(use.format);
  uint64_t state = seed * 0x9e3779b97f4a7c15 + 0x1234567;
  for (int64_t i = 0, e = int64_t(buffer.bytes.size()) / bytes; i < e; ++i) {
    state = state * 6364136223846793005 + 1442695040888963407;
    double value = isRandom ? double(state >> 40) / (1 << 22) - 2 : double(i);
    uint8_t *to = buffer.bytes.data() + i * bytes;
    if (holderOf(use.format) != Holder::Integer)
      storeInteger(bytes == 1   ? Format::I8
                   : bytes == 2 ? Format::I16
                   : bytes == 4 ? Format::I32
                                : Format::I64,
                   int64_t(encode(use.format, value)), to);
    else if (use.format == Format::I1)
      storeInteger(use.format, isRandom ? value > 0 : i & 1, to);
    else
      storeInteger(use.format, isRandom ? int64_t(std::floor(value * 8)) : i,
                   to);
  }
  buffer.isInitialised = true;
}

Error EntryParser::parseFlag(StringRef flag) {
  auto [key, value] = flag.split('=');
  int64_t number = 0;
  bool isNumber = !value.getAsInteger(10, number);
  if (key == "seed" && isNumber) {
    fill(/*isRandom=*/true, uint64_t(number));
  } else if (flag == "iota") {
    fill(/*isRandom=*/false, 0);
  } else if (flag == "zero") {
    buffer.isInitialised = true;
  } else if (key == "out" && !value.empty()) {
    use.out = value.str();
  } else if (flag == "print") {
    use.isPrinted = true;
  } else if (flag == "partial") {
    isPartial = true;
  } else if (key == "offset" && isNumber) {
    argument.offset = number * int64_t(bytesOf(use.format));
  } else if (key == "shape") {
    if (!parseExtents(value, argument.extents))
      return fail("bad shape");
  } else if (key == "strides") {
    if (!parseExtents(value, argument.strides))
      return fail("bad strides");
  } else if (key == "lower" || key == "upper") {
    if (!parseNumbers(value, key == "lower" ? argument.lower : argument.upper))
      return fail("bad corner");
  } else if (key == "steps") {
    if (!parseExtents(value, argument.steps))
      return fail("bad steps");
  } else {
    return fail("unknown flag '" + flag + "'");
  }
  return Error::success();
}

/// Extents and strides of a tensor map's tensor, packed by default.
Error EntryParser::finish() {
  bool isMap = isa<TensorMapType>(type);
  argument.kind = isMap ? interp::Argument::Kind::TensorMap
                        : interp::Argument::Kind::Pointer;
  if (isMap && argument.extents.empty())
    argument.extents = use.shape;
  if (isMap && argument.strides.empty()) {
    argument.strides.resize(argument.extents.size());
    int64_t stride = 1;
    for (size_t axis = argument.extents.size(); axis-- > 0;) {
      argument.strides[axis] = stride;
      stride *= argument.extents[axis];
    }
  }
  if (isNew) {
    bool isOutput = !use.out.empty() || use.isPrinted;
    buffer.mustBeWritten = isOutput && !isPartial;
    argument.buffer = launch.buffers.size();
    launch.buffers.push_back(std::move(buffer));
    uses.push_back(std::move(use));
  }
  launch.arguments.push_back(std::move(argument));
  return Error::success();
}

Error EntryParser::parse() {
  mlir::Type element;
  if (auto pointer = dyn_cast<PtrType>(type))
    element = pointer.getElementType();
  else if (auto map = dyn_cast<TensorMapType>(type))
    element = map.getElementType();
  else
    return parseScalar();
  use.format = formatOf(element).value_or(Format::I8);
  SmallVector<StringRef> parts;
  text.split(parts, ':');
  buffer.name = "argument " + std::to_string(launch.arguments.size());
  bool hasName = isAlpha(parts[0].front()) && !parts[0].ends_with(".npy") &&
                 !formatNamed(parts[0]);
  if (hasName) {
    buffer.name = parts[0].str();
    parts.erase(parts.begin());
    if (parts.empty())
      return fail("expected a source after the name");
  }
  if (Error error = parseSource(parts[0]))
    return error;
  for (StringRef flag : ArrayRef(parts).drop_front())
    if (Error error = parseFlag(flag))
      return error;
  return finish();
}

Error opgraph::tile::interp::parseArguments(ArrayRef<std::string> texts,
                                            mlir::TypeRange parameters,
                                            Launch &launch,
                                            std::vector<BufferUse> &uses) {
  if (texts.size() != parameters.size())
    return createStringError("the kernel takes " + Twine(parameters.size()) +
                             " arguments, got " + Twine(texts.size()));
  for (auto [text, type] : zip(texts, parameters)) {
    if (StringRef(text).trim().empty())
      return createStringError("an argument is empty");
    if (Error error =
            EntryParser(StringRef(text).trim(), type, launch, uses).parse())
      return error;
  }
  return Error::success();
}

std::string opgraph::tile::interp::printElements(Format format,
                                                 ArrayRef<uint8_t> bytes) {
  std::string text;
  raw_string_ostream stream(text);
  Numbers value(format, 1, 1);
  for (size_t at = 0; at < bytes.size(); at += bytesOf(format)) {
    value.load(0, bytes.data() + at);
    stream << (at ? " " : "");
    if (value.isFloat())
      stream << llvm::format("%.9g", value.at(0));
    else
      stream << value.integers[0];
  }
  return text;
}
