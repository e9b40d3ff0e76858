# What `cmake --install` puts where: two libraries with their headers, the
# tools, pkg-config files, and a CMake package with the targets
# opgraph::compiler, opgraph::runtime and opgraph::runtime_static.
include(CMakePackageConfigHelpers)

set(_package_dir ${CMAKE_INSTALL_LIBDIR}/cmake/opgraph)
set_target_properties(opgraph_compiler PROPERTIES EXPORT_NAME compiler)
set_target_properties(opgraph_runtime PROPERTIES EXPORT_NAME runtime)
set_target_properties(opgraph_runtime_static PROPERTIES
                      EXPORT_NAME runtime_static)

install(TARGETS opgraph_compiler opgraph_runtime opgraph_runtime_static
        EXPORT opgraphTargets
        LIBRARY DESTINATION ${CMAKE_INSTALL_LIBDIR}
        ARCHIVE DESTINATION ${CMAKE_INSTALL_LIBDIR})
install(TARGETS graph-opt opgraph
        RUNTIME DESTINATION ${CMAKE_INSTALL_BINDIR})
install(DIRECTORY include/opgraph include/opgraph-c
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR} FILES_MATCHING PATTERN "*.h")
install(DIRECTORY ${CMAKE_BINARY_DIR}/include/opgraph
        DESTINATION ${CMAKE_INSTALL_INCLUDEDIR}
        FILES_MATCHING PATTERN "*.inc" PATTERN "*.h")
install(FILES LICENSE DESTINATION ${CMAKE_INSTALL_DATADIR}/doc/opgraph)

install(EXPORT opgraphTargets NAMESPACE opgraph:: DESTINATION ${_package_dir})
configure_package_config_file(cmake/opgraphConfig.cmake.in
  ${CMAKE_BINARY_DIR}/opgraphConfig.cmake INSTALL_DESTINATION ${_package_dir})
write_basic_package_version_file(${CMAKE_BINARY_DIR}/opgraphConfigVersion.cmake
  COMPATIBILITY SameMinorVersion)
install(FILES ${CMAKE_BINARY_DIR}/opgraphConfig.cmake
              ${CMAKE_BINARY_DIR}/opgraphConfigVersion.cmake
        DESTINATION ${_package_dir})
