# Settings shared by every target: language level, warnings, sanitizers, ccache, and the helper that declares a
# folder's target.

set(CMAKE_CXX_STANDARD 20)
set(CMAKE_CXX_STANDARD_REQUIRED ON)
set(CMAKE_CXX_EXTENSIONS OFF)
set(CMAKE_EXPORT_COMPILE_COMMANDS ON)
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_RUNTIME_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/bin")
set(CMAKE_LIBRARY_OUTPUT_DIRECTORY "${CMAKE_BINARY_DIR}/lib")
set(CMAKE_BUILD_RPATH_USE_ORIGIN ON)
set(CMAKE_INSTALL_RPATH "$ORIGIN/../lib")
if(NOT CMAKE_BUILD_TYPE)
    set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()
include(WarpglassPrecompiled)

if(WARPGLASS_SANITIZE)
    add_compile_options(-fsanitize=${WARPGLASS_SANITIZE} -fno-omit-frame-pointer -fno-sanitize-recover=all)
    add_link_options(-fsanitize=${WARPGLASS_SANITIZE})
endif()

find_package(Threads REQUIRED)

# Warnings apply to our own targets only; the headers of Qt, torch and the rest come in as system headers.
function(warpglass_warnings target)
    target_compile_options(${target} PRIVATE -Wall -Wextra -Wpedantic -Wconversion)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        # GCC 12 warns of overlapping copies inside std::string's operator+ (its bug 105329).
        target_compile_options(${target} PRIVATE -Wno-restrict)
    endif()
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 13)
        # GCC 13 takes a reference into a container for one to a temporary argument (moved to -Wextra in 14).
        target_compile_options(${target} PRIVATE -Wno-dangling-reference)
    endif()
    if(CMAKE_UNITY_BUILD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU")
        # A source's unnamed namespace looks like a header's where a unity build includes the source.
        target_compile_options(${target} PRIVATE -Wno-subobject-linkage)
    endif()
    if(WARPGLASS_WERROR)
        target_compile_options(${target} PRIVATE -Werror)
    endif()
endfunction()

# warpglass_objects(NAME [HOT] SOURCES a.cpp ... [PUBLIC target ...] [PRIVATE target ...])
# One engine folder: an object library. libwarpglass.so is linked from several of them (engine/CMakeLists.txt).
function(warpglass_objects name)
    cmake_parse_arguments(ARG "HOT" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
    add_library(${name} OBJECT ${ARG_SOURCES})
    target_include_directories(${name} PUBLIC "${CMAKE_SOURCE_DIR}")
    target_link_libraries(${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
    warpglass_warnings(${name})
    if(ARG_HOT AND WARPGLASS_HOT_FLAGS)
        warpglass_precompile(${name} engine_hot)
        warpglass_hot(${name})
    else()
        warpglass_precompile(${name} engine)
    endif()
endfunction()

# warpglass_library(NAME SOURCES a.cpp ... [PUBLIC target ...] [PRIVATE target ...])
# One folder of the window: a static library.
function(warpglass_library name)
    cmake_parse_arguments(ARG "" "" "SOURCES;PUBLIC;PRIVATE" ${ARGN})
    add_library(${name} STATIC ${ARG_SOURCES})
    target_include_directories(${name} PUBLIC "${CMAKE_SOURCE_DIR}")
    target_link_libraries(${name} PUBLIC ${ARG_PUBLIC} PRIVATE ${ARG_PRIVATE})
    warpglass_warnings(${name})
    warpglass_precompile(${name} window)
endfunction()

# warpglass_apart(a.cpp ...): these are compiled by themselves where CMAKE_UNITY_BUILD compiles several sources of a
# folder together: in their unnamed namespaces they use a name that another source of the folder uses too.
function(warpglass_apart)
    set_source_files_properties(${ARGN} PROPERTIES SKIP_UNITY_BUILD_INCLUSION ON)
endfunction()

# warpglass_less_optimized(TEST): optimizing assertions is the longest part of compiling a test, more so under sanitizers.
# What is tested keeps its level; nothing less is checked.
function(warpglass_less_optimized test)
    target_compile_options(${test} PRIVATE $<$<CONFIG:Release>:-Og>)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        target_compile_options(${test} PRIVATE -Wno-array-bounds -Wno-stringop-overflow)  # as for warpglass_unsure_bounds
    endif()
endfunction()

# warpglass_hot(TARGET): what loops over a run's spans while a person waits, or runs within a step. The rest, the window's
# folders among it, holds its bars in docs/performance.md at ten million spans with -O1, which compiles in two thirds of the
# time.
set(WARPGLASS_HOT_FLAGS "" CACHE STRING "Flags for what is hot, behind those of the build type")
function(warpglass_hot target)
    target_compile_options(${target} PRIVATE ${WARPGLASS_HOT_FLAGS})
    if(CMAKE_UNITY_BUILD AND WARPGLASS_HOT_FLAGS MATCHES "-O[23]" AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU"
       AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        # GCC 12 inlines so much where sources are compiled together that it takes values of std::optional and std::variant
        # for uninitialized and temporary strings for endless. The other builds keep these warnings.
        target_compile_options(${target} PRIVATE -Wno-maybe-uninitialized -Wno-array-bounds -Wno-stringop-overflow)
    endif()
endfunction()

# warpglass_unsure_bounds(a_test.cpp ...): GCC 12 warns of the bounds of temporary strings and paths (its bug 105329) in
# these, once their headers are precompiled.
function(warpglass_unsure_bounds)
    if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
        set_source_files_properties(${ARGN} PROPERTIES COMPILE_OPTIONS "-Wno-array-bounds;-Wno-stringop-overflow")
    endif()
endfunction()
