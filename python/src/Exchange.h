//===- Exchange.h - Tensors through DLPack's C exchange API -----*- C++ -*-===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#ifndef OPGRAPH_PYTHON_EXCHANGE_H
#define OPGRAPH_PYTHON_EXCHANGE_H

#include "Api.h"

#include <memory>
#include <nanobind/nanobind.h>

namespace opgraph::python {

/// Reads a tensor whose type offers `__dlpack_c_exchange_api__`, which costs a
/// tenth of `__dlpack__` and orders no streams. False, with no exception set,
/// for other objects, and for an output whose producer might want it read-only.
/// The buffer points into `object`, which must outlive it unchanged.
bool readExchanged(int64_t uid, nanobind::handle object, bool willWrite,
                   og_buffer &out);

/// Reads an object with `__cuda_array_interface__`; false when it has none. The
/// shape is put into `shape`.
bool readCudaArray(int64_t uid, nanobind::handle object, bool willWrite,
                   og_buffer &out, std::unique_ptr<int64_t[]> &shape);

} // namespace opgraph::python

#endif // OPGRAPH_PYTHON_EXCHANGE_H
