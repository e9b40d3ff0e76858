# Finds LLVM/MLIR 22 through llvm-config and links its archive files.
#
# Debian's exported CMake targets all pull in libLLVM.so and some libMLIR.so;
# linked beside archives they would give two copies of every TypeID. So no
# find_package(MLIR): the archives are named one by one.

find_program(LLVM_CONFIG_EXECUTABLE NAMES llvm-config-22 REQUIRED)

function(opgraph_llvm_config out)
  execute_process(COMMAND ${LLVM_CONFIG_EXECUTABLE} ${ARGN}
                  OUTPUT_VARIABLE value OUTPUT_STRIP_TRAILING_WHITESPACE
                  COMMAND_ERROR_IS_FATAL ANY)
  set(${out} "${value}" PARENT_SCOPE)
endfunction()

opgraph_llvm_config(LLVM_VERSION_STRING --version)
if(NOT LLVM_VERSION_STRING MATCHES "^22\\.")
  message(FATAL_ERROR "opgraph needs LLVM 22, found ${LLVM_VERSION_STRING}")
endif()
opgraph_llvm_config(OPGRAPH_LLVM_CMAKEDIR --cmakedir)
opgraph_llvm_config(OPGRAPH_LLVM_LIBDIR --libdir)
opgraph_llvm_config(OPGRAPH_LLVM_BINDIR --bindir)
opgraph_llvm_config(OPGRAPH_LLVM_INCLUDEDIR --includedir)

cmake_path(GET OPGRAPH_LLVM_CMAKEDIR PARENT_PATH _cmake_parent)
list(APPEND CMAKE_MODULE_PATH ${OPGRAPH_LLVM_CMAKEDIR} ${_cmake_parent}/mlir)
set(MLIR_TABLEGEN_EXE ${OPGRAPH_LLVM_BINDIR}/mlir-tblgen)
set(LLVM_ENABLE_WARNINGS ON)
include(AddMLIR)

set(OPGRAPH_TABLEGEN_INCLUDES EXTRA_INCLUDES ${OPGRAPH_LLVM_INCLUDEDIR}
    ${CMAKE_SOURCE_DIR})

# All MLIR archives but the test and C API ones, plus the LLVM components in
# use, in one group because they refer to each other both ways.
file(GLOB _mlir_archives ${OPGRAPH_LLVM_LIBDIR}/libMLIR*.a)
list(FILTER _mlir_archives EXCLUDE REGEX "CAPI|Test|TblgenLib|libMLIRTableGen")
opgraph_llvm_config(_llvm_libs --link-static --libs
                    x86 nvptx orcjit passes target irreader bitwriter)
string(REPLACE " " ";" _llvm_libs "${_llvm_libs}")
set(_llvm_archives)
foreach(lib IN LISTS _llvm_libs)
  string(REGEX REPLACE "^-l" "" lib "${lib}")
  list(APPEND _llvm_archives ${OPGRAPH_LLVM_LIBDIR}/lib${lib}.a)
endforeach()

add_library(opgraph_llvm INTERFACE)
target_link_libraries(opgraph_llvm INTERFACE
  -Wl,--start-group ${_mlir_archives} ${_llvm_archives} -Wl,--end-group
  z zstd m dl pthread)

# Headers of LLVM come with warnings of their own: SYSTEM.
add_library(opgraph_llvm_headers INTERFACE)
target_include_directories(opgraph_llvm_headers SYSTEM INTERFACE
                           ${OPGRAPH_LLVM_INCLUDEDIR})
