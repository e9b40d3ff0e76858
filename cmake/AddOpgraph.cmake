# The project's own CMake functions.

# opgraph_add_library(NAME SOURCES... [DEPENDS tablegen targets...])
# An OBJECT library of compiler code: sees MLIR, shares its precompiled header,
# is built like LLVM itself (no RTTI, no exceptions).
function(opgraph_add_library name)
  cmake_parse_arguments(ARG "" "" "DEPENDS" ${ARGN})
  add_library(${name} OBJECT ${ARG_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PUBLIC opgraph_llvm_headers)
  opgraph_compiler_flags(${name})
  target_precompile_headers(${name} REUSE_FROM opgraph_pch)
  if(ARG_DEPENDS)
    add_dependencies(${name} ${ARG_DEPENDS})
  endif()
  set_property(GLOBAL APPEND PROPERTY OPGRAPH_COMPILER_OBJECTS ${name})
endfunction()

function(opgraph_compiler_flags name)
  target_compile_options(${name} PRIVATE -fno-rtti -fno-exceptions
                         "SHELL:-Xclang -fno-pch-timestamp")
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}
                             ${CMAKE_BINARY_DIR})
endfunction()

# opgraph_add_dialect(NAME: files FooDialect, -gen of one .td)
# opgraph_tablegen(TARGET TD out1 "-flags1" out2 "-flags2" ...)
function(opgraph_tablegen target td)
  set(LLVM_TARGET_DEFINITIONS ${td})
  set(TABLEGEN_OUTPUT)
  set(args ${ARGN})
  while(args)
    list(POP_FRONT args out flags)
    separate_arguments(flags)
    mlir_tablegen(${out} ${flags} ${OPGRAPH_TABLEGEN_INCLUDES})
  endwhile()
  add_custom_target(${target} DEPENDS ${TABLEGEN_OUTPUT})
endfunction()

# opgraph_add_unittest(NAME SOURCES... [LINK libraries...])
function(opgraph_add_unittest name)
  cmake_parse_arguments(ARG "" "" "LINK" ${ARGN})
  add_executable(${name} ${ARG_UNPARSED_ARGUMENTS})
  target_compile_options(${name} PRIVATE -fno-rtti -fno-exceptions)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}
                             ${CMAKE_BINARY_DIR})
  target_link_libraries(${name} PRIVATE ${ARG_LINK} GTest::gtest_main)
  set_target_properties(${name} PROPERTIES
    RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/test/unit)
  set_property(GLOBAL APPEND PROPERTY OPGRAPH_UNITTESTS ${name})
endfunction()
