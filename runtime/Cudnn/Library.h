//===- Library.h - cuDNN, opened at run time --------------------*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//

#ifndef OPGRAPH_RUNTIME_CUDNN_LIBRARY_H
#define OPGRAPH_RUNTIME_CUDNN_LIBRARY_H

#include "opgraph-c/status.h"

#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

namespace opgraph::runtime::cudnn {

/// The library's pointers, which nothing here looks behind.
using Handle = struct HandleTag *;
using Desc = void *;

/// Its codes that are told apart.
enum : int {
  StatusSuccess = 0,
  StatusSublibraryMismatch = 1002,
  StatusSerializationMismatch = 1003,
  StatusSublibraryMissing = 1008
};

/// The oldest version that is served: it plans for a device by itself.
inline constexpr int minVersion = 90800;
inline constexpr int majorVersion = 9;
/// One past the last version of that major.
inline constexpr int versionLimit = 100000;

/// The entry points in use. (field, exported name, type).
#define OPGRAPH_CUDNN_FUNCTIONS(X)                                             \
  X(getVersion, "cudnnGetVersion", size_t (*)())                               \
  X(getCudartVersion, "cudnnGetCudartVersion", size_t (*)())                   \
  X(getErrorString, "cudnnGetErrorString", const char *(*)(int))               \
  X(getLastErrorString, "cudnnGetLastErrorString", void (*)(char *, size_t))   \
  X(versionCheck, "cudnnGraphVersionCheck", int (*)())                         \
  X(create, "cudnnCreate", int (*)(Handle *))                                  \
  X(destroy, "cudnnDestroy", int (*)(Handle))                                  \
  X(setStream, "cudnnSetStream", int (*)(Handle, void *))                      \
  X(createDescriptor, "cudnnBackendCreateDescriptor", int (*)(int, Desc *))    \
  X(destroyDescriptor, "cudnnBackendDestroyDescriptor", int (*)(Desc))         \
  X(initialize, "cudnnBackendInitialize", int (*)(Desc))                       \
  X(finalize, "cudnnBackendFinalize", int (*)(Desc))                           \
  X(setAttribute, "cudnnBackendSetAttribute",                                  \
    int (*)(Desc, int, int, int64_t, const void *))                            \
  X(getAttribute, "cudnnBackendGetAttribute",                                  \
    int (*)(Desc, int, int, int64_t, int64_t *, void *))                       \
  X(execute, "cudnnBackendExecute", int (*)(Handle, Desc, Desc))               \
  X(populateGraph, "cudnnBackendPopulateCudaGraph",                            \
    int (*)(Handle, Desc, Desc, void *))                                       \
  X(updateGraph, "cudnnBackendUpdateCudaGraph",                                \
    int (*)(Handle, Desc, Desc, void *))

/// The opened library.
struct Library {
  template <typename T>
  struct Pointer {
    using Type = T;
  };
#define OPGRAPH_DECLARE(field, name, ...) Pointer<__VA_ARGS__>::Type field;
  OPGRAPH_CUDNN_FUNCTIONS(OPGRAPH_DECLARE)
#undef OPGRAPH_DECLARE
  /// 91900 for 9.19.0.
  int version = 0;
  std::string path;
};

/// "9.19.0".
std::string versionText(int version);

/// The library, opened by the first call; the errors of og_cudnn_version. What
/// the first call finds stays so.
og_status getLibrary(const Library **out);

/// The library when getLibrary has succeeded before; for the hot path.
const Library &openedLibrary();

/// Keeps the library's parts in memory: it closes them after each question
/// otherwise, and opening them again takes a tenth of a second.
void keepParts(const Library &library);

/// Opens the cuBLASLt without which ranking and making plans would end the
/// process; OG_LIBRARY_MISSING naming it where there is none.
og_status openBlas(const Library &library);

/// Records an error "<what>: CUDNN_STATUS_X (n): <the library's last text>"
/// with the status that fits the code. `what` is formatted as printf does.
[[gnu::format(printf, 3, 4)]] og_status
failCudnn(const Library &library, int code, const char *what, ...);

/// Where the library is looked for (Search.cpp): a place in words, and the
/// files to try there, in order.
struct Place {
  std::string name;
  std::vector<std::string> files;
};
std::vector<Place> libraryPlaces();

} // namespace opgraph::runtime::cudnn

#endif // OPGRAPH_RUNTIME_CUDNN_LIBRARY_H
