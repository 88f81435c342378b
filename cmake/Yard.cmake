# One library per module, one test program per module, one set of flags.
include(CTest)

set(CMAKE_CXX_STANDARD 23)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
add_compile_definitions(YARD_VERSION="${PROJECT_VERSION}")

option(YARD_TESTS "Build the tests" ON)
option(YARD_BENCH "Build the benchmarks" OFF)
option(YARD_FUZZ "Build the libFuzzer targets (needs clang)" OFF)
option(YARD_PRECOMPILE "Read the standard headers once a module instead of once a file" ON)
set(YARD_SANITIZE "" CACHE STRING "Value for -fsanitize=, for example address,undefined")

find_program(YARD_CCACHE ccache)
if(YARD_CCACHE)
  # Paths are taken relative to the checkout, so that a fresh clone finds what another compiled.
  set(CMAKE_CXX_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_BASEDIR=${CMAKE_SOURCE_DIR}
      CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros,include_file_mtime,include_file_ctime
      ${YARD_CCACHE})
  set(CMAKE_C_COMPILER_LAUNCHER ${CMAKE_CXX_COMPILER_LAUNCHER})
endif()
add_compile_options(-ffile-prefix-map=${CMAKE_SOURCE_DIR}/=)
find_program(YARD_MOLD mold)
if(YARD_MOLD AND NOT YARD_FUZZ)
  add_link_options(-fuse-ld=mold)
endif()

add_compile_options(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Wno-sign-conversion
                    -Wno-missing-field-initializers -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
  # GCC 12 reports these inside the standard library at -O2; clang checks the same classes better.
  add_compile_options(-Wno-maybe-uninitialized -Wno-restrict -Wno-dangling-pointer
                      -Wno-array-bounds -Wno-stringop-overflow -Wno-stringop-overread
                      -Wno-free-nonheap-object)
endif()
if(CMAKE_CXX_COMPILER_ID STREQUAL "Clang")
  add_compile_options(-Wthread-safety)  # see base/mutex.h
  # The stable sort of GCC 12's standard library uses a buffer that C++17 calls deprecated.
  add_compile_options(-Wno-deprecated-declarations)
endif()
if(YARD_SANITIZE)
  add_compile_options(-fsanitize=${YARD_SANITIZE} -fno-omit-frame-pointer)
  # A quarter of the compiler's time, for what stops the program at once anyway (null) or does no
  # harm on this processor (alignment).
  if(YARD_SANITIZE MATCHES undefined)
    add_compile_options(-fno-sanitize=null,alignment,vptr)
  endif()
  # Asio uses fences, which GCC's thread sanitizer cannot see; it does so beside its own locks.
  if(YARD_SANITIZE STREQUAL "thread" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
    add_compile_options(-Wno-tsan)
  endif()
  add_link_options(-fsanitize=${YARD_SANITIZE})
endif()

# What ./dev builds by name: the product, the test programs, the benchmarks, the fuzz targets.
add_custom_target(programs)
add_custom_target(tests)
add_custom_target(benches)
add_custom_target(fuzzers)
if(YARD_FUZZ)
  # Library code must carry coverage too, or the fuzzer is blind inside it.
  add_compile_options(-fsanitize=fuzzer-no-link)
  file(WRITE ${CMAKE_BINARY_DIR}/fuzzers.txt "")
endif()

# yard_precompile(TARGET SOURCES... ) reads what nearly every file includes once for the target. A
# third of the compiler's time; worth it from a handful of files on. Headers are checked to be complete
# without it (yard_headers), sources by clang-tidy, which has none.
function(yard_precompile target)
  list(LENGTH ARGN count)
  if(YARD_PRECOMPILE AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND count GREATER 8)
    target_precompile_headers(${target} PRIVATE <algorithm> <array> <chrono> <cstdint> <expected>
                              <functional> <map> <memory> <mutex> <optional> <set> <span> <string>
                              <string_view> <unordered_map> <utility> <variant> <vector>)
    target_compile_options(${target} PRIVATE -fpch-preprocess)
  endif()
endfunction()

# yard_paths(TARGET NAME PATH [NAME PATH ...]) gives a program paths of this build, each as
# `extern const char NAME[]`. They stand in one source file of their own: as compile definitions they
# would keep every file of the target out of the compiler cache that other checkouts fill.
function(yard_paths target)
  set(pairs ${ARGN})
  set(text "// Made by yard_paths: where things of this build lie.\n")
  while(pairs)
    list(POP_FRONT pairs name path)
    string(APPEND text "extern const char ${name}[];\nconst char ${name}[] = \"${path}\";\n")
  endwhile()
  set(source ${CMAKE_BINARY_DIR}/paths/${target}.cc)
  file(GENERATE OUTPUT ${source} CONTENT "${text}")
  target_sources(${target} PRIVATE ${source})
endfunction()

# yard_headers(NAME LINKS ... EXCLUDE ...) compiles each header that has no source file of its own
# alone, as part of the tests: a header must be complete without what others include before it.
function(yard_headers name)
  cmake_parse_arguments(ARG "" "" "LINKS;EXCLUDE" ${ARGN})
  file(GLOB_RECURSE headers CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR}/src
       ${CMAKE_CURRENT_SOURCE_DIR}/*.h)
  foreach(pattern ${ARG_EXCLUDE})
    list(FILTER headers EXCLUDE REGEX ${pattern})
  endforeach()
  set(units)
  foreach(header ${headers})
    string(REGEX REPLACE "\\.h$" ".cc" source ${header})
    if(NOT EXISTS ${CMAKE_SOURCE_DIR}/src/${source})
      set(unit ${CMAKE_BINARY_DIR}/headers/${source})
      file(CONFIGURE OUTPUT ${unit} CONTENT "#include \"${header}\"\n")
      list(APPEND units ${unit})
    endif()
  endforeach()
  if(units)
    add_library(${name}_headers OBJECT EXCLUDE_FROM_ALL ${units})
    target_include_directories(${name}_headers PRIVATE ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(${name}_headers PRIVATE ${ARG_LINKS} GTest::gmock)
    # Only whether they compile matters.
    target_compile_options(${name}_headers PRIVATE -O0 -g0 -fno-sanitize=all)
    add_dependencies(tests ${name}_headers)
  endif()
endfunction()

# yard_module(NAME LINKS... [PRIVATE_LINKS ...]) makes library yard_NAME from every *.cc of the
# folder (recursively), leaving out tests, benchmarks and fuzz targets, which get programs of
# their own. Sources are found by pattern so that two people can add files without a conflict.
# Test worlds in a folder `testing` make library yard_NAME_testing, which no product program links.
function(yard_module name)
  cmake_parse_arguments(ARG "" "" "LINKS;PRIVATE_LINKS;EXCLUDE" ${ARGN})
  file(GLOB_RECURSE sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cc)
  set(tests ${sources})
  list(FILTER sources EXCLUDE REGEX "_(test|bench|fuzz)\\.cc$")
  list(FILTER tests INCLUDE REGEX "_test\\.cc$")
  foreach(pattern ${ARG_EXCLUDE})
    list(FILTER sources EXCLUDE REGEX ${pattern})
    list(FILTER tests EXCLUDE REGEX ${pattern})
  endforeach()
  set(testing ${sources})
  list(FILTER testing INCLUDE REGEX "/testing/")
  list(FILTER sources EXCLUDE REGEX "/testing/")
  if(sources)
    add_library(yard_${name} STATIC ${sources})
    target_include_directories(yard_${name} PUBLIC ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(yard_${name} PUBLIC ${ARG_LINKS} PRIVATE ${ARG_PRIVATE_LINKS})
    yard_precompile(yard_${name} ${sources})
    add_dependencies(programs yard_${name})
  else()
    add_library(yard_${name} INTERFACE)
    target_include_directories(yard_${name} INTERFACE ${CMAKE_SOURCE_DIR}/src)
    target_link_libraries(yard_${name} INTERFACE ${ARG_LINKS})
  endif()
  if(YARD_TESTS AND testing)
    add_library(yard_${name}_testing STATIC EXCLUDE_FROM_ALL ${testing})
    target_link_libraries(yard_${name}_testing PUBLIC yard_${name} ${ARG_PRIVATE_LINKS} GTest::gmock)
    yard_precompile(yard_${name}_testing ${testing})
    # Whole: a suite of parametrised tests may lie there that no symbol refers to.
    set(testing $<LINK_LIBRARY:WHOLE_ARCHIVE,yard_${name}_testing>)
  endif()
  if(YARD_TESTS AND tests)
    yard_test(${name}_test SOURCES ${tests} LINKS yard_${name} ${testing} ${ARG_PRIVATE_LINKS})
  endif()
  if(YARD_TESTS)
    yard_headers(${name} LINKS yard_${name} ${ARG_PRIVATE_LINKS} EXCLUDE ${ARG_EXCLUDE})
  endif()
endfunction()

# yard_program(NAME SOURCES ... LINKS ...) makes an executable at the top of the build folder:
# build/release/gpuyard.
function(yard_program name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINKS})
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/src)
  set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR})
  add_dependencies(programs ${name})
endfunction()

# yard_bench(NAME SOURCES ... LINKS ...) makes the Google Benchmark program bench/NAME_bench of the
# build folder, which `./dev bench NAME` runs.
function(yard_bench name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  if(YARD_BENCH)
    add_executable(${name}_bench EXCLUDE_FROM_ALL ${ARG_SOURCES})
    target_link_libraries(${name}_bench PRIVATE ${ARG_LINKS} benchmark::benchmark_main)
    target_include_directories(${name}_bench PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR})
    set_target_properties(${name}_bench PROPERTIES RUNTIME_OUTPUT_DIRECTORY
                                                   ${CMAKE_BINARY_DIR}/bench)
    add_dependencies(benches ${name}_bench)
  endif()
endfunction()

# yard_test(NAME SOURCES ... LINKS ...) makes one GoogleTest program and one ctest entry of the
# same name.
function(yard_test name)
  cmake_parse_arguments(ARG "" "TIMEOUT" "SOURCES;LINKS;ARGS" ${ARGN})
  if(NOT ARG_TIMEOUT)
    set(ARG_TIMEOUT 600)
  endif()
  add_executable(${name} ${ARG_SOURCES})
  target_link_libraries(${name} PRIVATE ${ARG_LINKS} GTest::gmock GTest::gtest_main)
  target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR})
  yard_precompile(${name} ${ARG_SOURCES})
  if(YARD_PRECOMPILE AND TARGET ${name})
    get_target_property(precompiled ${name} PRECOMPILE_HEADERS)
    if(precompiled)
      target_precompile_headers(${name} PRIVATE <gmock/gmock.h> <gtest/gtest.h>)
    endif()
  endif()
  add_test(NAME ${name} COMMAND ${name} ${ARG_ARGS} WORKING_DIRECTORY ${CMAKE_SOURCE_DIR})
  set_tests_properties(${name} PROPERTIES TIMEOUT ${ARG_TIMEOUT})
  if(YARD_SANITIZE STREQUAL "thread")
    set_tests_properties(${name} PROPERTIES
      ENVIRONMENT TSAN_OPTIONS=suppressions=${CMAKE_SOURCE_DIR}/tools/tsan.supp)
  endif()
  add_dependencies(tests ${name})
endfunction()

# A fuzz target compiles the parser it is about and no module above it: the rest of the program need
# not be built a second time, with another compiler.
# yard_fuzz(NAME SOURCE ... LINKS ...) makes one libFuzzer program; its corpus lies in
# tests/fuzz/corpus/NAME.
function(yard_fuzz name)
  cmake_parse_arguments(ARG "" "" "SOURCES;LINKS" ${ARGN})
  if(YARD_FUZZ)
    add_executable(${name} ${ARG_SOURCES})
    target_compile_options(${name} PRIVATE -fsanitize=fuzzer)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    target_link_libraries(${name} PRIVATE ${ARG_LINKS})
    target_include_directories(${name} PRIVATE ${CMAKE_SOURCE_DIR}/src ${CMAKE_SOURCE_DIR})
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzzers)
    add_dependencies(fuzzers ${name})
    file(APPEND ${CMAKE_BINARY_DIR}/fuzzers.txt "${name}\n")
  endif()
endfunction()

find_package(Threads REQUIRED)
find_package(fmt REQUIRED)
find_package(PkgConfig REQUIRED)
pkg_check_modules(sodium REQUIRED IMPORTED_TARGET GLOBAL libsodium)
if(YARD_TESTS)
  find_package(GTest REQUIRED)
endif()
if(YARD_BENCH)
  find_package(benchmark REQUIRED)
endif()
