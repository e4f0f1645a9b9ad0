# Precompiled headers: cmake/headers/KIND.h, made once for all targets of a kind. The kind engine_hot is engine.h for what
# is hot (warpglass_hot).
#
# GCC takes a precompiled header only for a source with the same -fPIC or -fPIE, optimization and sanitizers, and with
# every macro that the header was made with. So there is one for each kind of target; a target may define more macros.
option(WARPGLASS_PCH "Precompile the headers that most sources of a folder include" ON)

# ccache accepts precompiled headers only when told that time macros and the headers' own defines may differ. Paths
# relative to the build folder, so that two build folders with the same flags share what is cached.
if(CCACHE_PROGRAM AND CMAKE_CXX_COMPILER_LAUNCHER STREQUAL CCACHE_PROGRAM)
    set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND};-E;env;CCACHE_SLOPPINESS=pch_defines,time_macros"
        "CCACHE_BASEDIR=${CMAKE_SOURCE_DIR};${CCACHE_PROGRAM}")
    # A precompiled header is only as good as the very text that it was made of: GCC knows a header seen before
    # (#pragma once) by its bytes. ccache's usual second look, at the preprocessed text, knows no comments and would
    # hand out the one of an older comment, with which every header is read twice; its depend mode compares bytes.
    set(_warpglass_headers_launcher "${CMAKE_CXX_COMPILER_LAUNCHER}")
    list(INSERT _warpglass_headers_launcher 3 "CCACHE_DEPEND=1")
endif()

# warpglass_precompile(TARGET KIND): the target's sources see cmake/headers/KIND.h first.
function(warpglass_precompile target kind)
    if(WARPGLASS_PCH)
        string(REPLACE "_hot" "" usual ${kind})
        foreach(made IN ITEMS ${usual} ${kind})  # the usual one too, so that every build has it in the same folder
            if(NOT TARGET warpglass_headers_${made})
                _warpglass_headers(${made})
            endif()
        endforeach()
        target_precompile_headers(${target} REUSE_FROM warpglass_headers_${kind})
        target_compile_options(${target} PRIVATE -fpch-preprocess)
        if(kind STREQUAL "window_tests")
            _warpglass_qt_test(${target})
        endif()
    endif()
endfunction()

function(_warpglass_headers kind)
    set(name warpglass_headers_${kind})
    add_library(${name} OBJECT "${CMAKE_SOURCE_DIR}/cmake/headers/none.cpp")
    set_target_properties(${name} PROPERTIES UNITY_BUILD OFF AUTOMOC OFF)
    if(_warpglass_headers_launcher)
        set_target_properties(${name} PROPERTIES CXX_COMPILER_LAUNCHER "${_warpglass_headers_launcher}")
    endif()
    target_include_directories(${name} PRIVATE "${CMAKE_SOURCE_DIR}")
    # As <…>: the text has no path in it and is the same in every checkout.
    string(REPLACE "_hot" "" header ${kind})
    target_precompile_headers(${name} PRIVATE "<cmake/headers/${header}.h>")
    target_compile_options(${name} PRIVATE -fpch-preprocess)
    if(kind MATCHES "window")
        target_link_libraries(${name} PRIVATE Qt6::Widgets)
    endif()
    if(kind STREQUAL "window_tests")
        _warpglass_qt_test(${name})
    endif()
    if(kind MATCHES "tests")
        target_link_libraries(${name} PRIVATE GTest::gtest GTest::gmock)
    endif()
    if(kind MATCHES "tests|cli")  # for programs
        set_target_properties(${name} PROPERTIES POSITION_INDEPENDENT_CODE OFF)
        target_compile_options(${name} BEFORE PRIVATE -fPIE)
    endif()
    if(kind MATCHES "tests")
        warpglass_less_optimized(${name})
    endif()
    if(kind STREQUAL "cli")
        target_link_libraries(${name} PRIVATE CLI11::CLI11)
    endif()
    warpglass_warnings(${name})
    if(NOT header STREQUAL kind)
        warpglass_hot(${name})
    endif()
endfunction()

# <QTest> declares a macro more where Qt names the folder of a test, which would differ from the precompiled header's.
# No test uses it (QFINDTESTDATA).
function(_warpglass_qt_test target)
    target_link_libraries(${target} PRIVATE Qt6::Test)
    target_compile_options(${target} PRIVATE -UQT_TESTCASE_BUILDDIR -UQT_TESTCASE_SOURCEDIR)
endfunction()
