//===- Extension.cpp - The module opgraph._opgraph ------------------------===//
// SPDX-License-Identifier: Apache-2.0 WITH LLVM-exception
//===----------------------------------------------------------------------===//
#include "Buffers.h"
#include "Plan.h"

#include "opgraph-c/cudnn.h"

#include <nanobind/stl/string.h>

namespace nb = nanobind;
using namespace nb::literals;
using namespace opgraph::python;

/// Raises what opgraph._errors.make_error makes of a failed C call.
static void translate(const std::exception_ptr &pointer, void *) {
  try {
    std::rethrow_exception(pointer);
  } catch (const ApiError &error) {
    nb::object exception = nb::module_::import_("opgraph._errors")
                               .attr("make_error")(og_status_name(error.status),
                                                   nb::str(error.text.c_str()));
    PyErr_SetObject(reinterpret_cast<PyObject *>(Py_TYPE(exception.ptr())),
                    exception.ptr());
  }
}

static std::string describeCudaDevice(int ordinal) {
  size_t length = 0;
  check(og_cuda_describe(ordinal, nullptr, 0, &length));
  std::string text(length + 1, '\0');
  check(og_cuda_describe(ordinal, text.data(), text.size(), &length));
  text.resize(length);
  return text;
}

NB_MODULE(_opgraph, module) {
  module.doc() = "The C API of opgraph; use the package `opgraph` instead.";
  nb::register_exception_translator(translate);
  // Plans and graphs may outlive the interpreter's last collection.
  nb::set_leak_warnings(false);
  bindPlan(module);
  bindGraph(module);
  module.def(
      "runtime_version", [] { return og_runtime_version(); },
      "Version of the runtime library.");
  module.def(
      "compiler_version", [] { return compilerApi().opgraph_version(); },
      "Version of the compiler library; loads it.");
  module.def("is_compiler_loaded", &isCompilerLoaded,
             "Whether the compiler library has been opened.");
  module.def("describe_array", &describeArray, "array"_a,
             "(dtype, dim, stride, device type, device id) of an array.");
  module.def(
      "cuda_device_count",
      [] {
        int32_t count = 0;
        check(og_cuda_device_count(&count));
        return count;
      },
      "How many CUDA devices there are; opens the driver.");
  module.def(
      "cudnn_version",
      [] {
        int32_t version = 0;
        check(og_cudnn_version(&version));
        return version;
      },
      "The version of cuDNN; opens the library.");
  module.def("describe_cuda_device", &describeCudaDevice, "ordinal"_a,
             "The JSON description of a CUDA device.");
  module.def("set_log_level", [](int level) {
    og_set_log_level(static_cast<og_log_level>(level));
  });
}
