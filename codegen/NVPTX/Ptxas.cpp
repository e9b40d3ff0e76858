//===- Ptxas.cpp - PTX to a cubin by the toolkit's assembler --------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "codegen/NVPTX/Ptxas.h"
#include "codegen/NVPTX/Toolkit.h"
#include "llvm/ADT/STLExtras.h"
#include "llvm/ADT/SmallVector.h"
#include "llvm/Support/FileSystem.h"
#include "llvm/Support/FileUtilities.h"
#include "llvm/Support/MemoryBuffer.h"
#include "llvm/Support/Program.h"
#include "llvm/Support/raw_ostream.h"

#include <cstdlib>

using namespace llvm;
using namespace opgraph::codegen;

//===----------------------------------------------------------------------===//
// Report
//===----------------------------------------------------------------------===//

/// The number right before `what` in `line`.
static void readNumber(StringRef line, StringRef what, uint32_t &number) {
  size_t end = line.find(what);
  if (end == StringRef::npos)
    return;
  StringRef digits = line.take_front(end).rtrim();
  digits = digits.take_back(digits.size() -
                            (digits.find_last_not_of("0123456789") + 1));
  digits.getAsInteger(10, number);
}

PtxasReport opgraph::codegen::parsePtxasReport(StringRef output) {
  PtxasReport report;
  KernelResources *kernel = nullptr;
  SmallVector<StringRef> lines;
  output.split(lines, '\n');
  for (StringRef line : lines) {
    if (line.contains("(C75"))
      report.warnings.push_back(line.trim().str());
    size_t quote = line.find("Compiling entry function '");
    if (quote != StringRef::npos) {
      StringRef name = line.drop_front(quote).split('\'').second;
      kernel = &report.kernels[name.split('\'').first];
    }
    if (!kernel)
      continue;
    readNumber(line, " bytes stack frame", kernel->stackBytes);
    readNumber(line, " bytes spill stores", kernel->spillStores);
    readNumber(line, " bytes spill loads", kernel->spillLoads);
    readNumber(line, " registers", kernel->registers);
    readNumber(line, " bytes smem", kernel->staticShared);
  }
  return report;
}

//===----------------------------------------------------------------------===//
// Running it
//===----------------------------------------------------------------------===//

std::optional<std::string> opgraph::codegen::findPtxas() {
  if (!std::getenv("OPGRAPH_PTXAS"))
    if (ErrorOr<std::string> found = sys::findProgramByName("ptxas"))
      return *found;
  static constexpr const char *kInToolkit[] = {"bin/ptxas"};
  static constexpr const char *kInPackages[] = {
      "nvidia/cu13/bin/ptxas", "nvidia/cuda_nvcc/bin/ptxas",
      "triton/backends/nvidia/bin/ptxas"};
  return findToolkitFile(
      {std::getenv("OPGRAPH_PTXAS"), kInToolkit, kInPackages});
}

/// A temporary file that is removed at the end of the scope.
static Expected<std::pair<std::string, FileRemover>>
makeTemporary(StringRef suffix) {
  SmallString<128> path;
  if (std::error_code error =
          sys::fs::createTemporaryFile("opgraph", suffix, path))
    return createStringError(error, "cannot create a temporary file");
  return std::make_pair(path.str().str(), FileRemover(path));
}

static Error writeFile(StringRef path, StringRef text) {
  std::error_code error;
  raw_fd_ostream stream(path, error);
  if (!error) {
    stream << text;
    stream.close();
    error = stream.error();
    stream.clear_error();
  }
  return error ? createStringError(error, "cannot write " + path)
               : Error::success();
}

static std::string readFile(StringRef path) {
  ErrorOr<std::unique_ptr<MemoryBuffer>> buffer = MemoryBuffer::getFile(path);
  return buffer ? (*buffer)->getBuffer().str() : std::string();
}

Expected<Cubin> opgraph::codegen::runPtxas(StringRef ptxas, StringRef ptx,
                                           StringRef cpu) {
  auto input = makeTemporary("ptx");
  auto output = makeTemporary("cubin");
  auto log = makeTemporary("log");
  if (!input || !output || !log)
    return joinErrors(
        joinErrors(input ? Error::success() : input.takeError(),
                   output ? Error::success() : output.takeError()),
        log ? Error::success() : log.takeError());
  if (Error error = writeFile(input->first, ptx))
    return std::move(error);
  std::string arch = ("-arch=" + cpu).str();
  StringRef arguments[] = {ptxas,        arch, "-v",         "-O3",
                           input->first, "-o", output->first};
  std::optional<StringRef> redirects[] = {"", log->first, log->first};
  std::string text;
  int code =
      sys::ExecuteAndWait(ptxas, arguments, std::nullopt, redirects,
                          /*SecondsToWait=*/600, /*MemoryLimit=*/0, &text);
  std::string words = readFile(log->first);
  if (code != 0)
    return createStringError("ptxas (" + ptxas + ") failed for " + cpu + ": " +
                             (words.empty() ? text : words));
  Cubin cubin;
  std::string bytes = readFile(output->first);
  cubin.bytes.assign(bytes.begin(), bytes.end());
  cubin.report = parsePtxasReport(words);
  return cubin;
}
