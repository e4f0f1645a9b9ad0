"""A precompiled header that ccache kept is not handed out once a header in it has other comments.

GCC knows a header seen before (#pragma once) by its bytes; a precompiled header of older bytes makes every header be
read twice, which does not compile. Run as: precompiled_cache_test.py SOURCE_FOLDER (whose cmake/ is tried), with
cmake, ninja and ccache at hand; writes only in a temporary folder, ccache's store included.
"""

import os
import pathlib
import shutil
import subprocess
import sys
import tempfile

PROJECT = """
cmake_minimum_required(VERSION 3.25)
project(tried CXX)
list(APPEND CMAKE_MODULE_PATH "${CMAKE_SOURCE_DIR}/cmake")
include(WarpglassBuild)
add_library(tried OBJECT source.cpp)
target_include_directories(tried PRIVATE "${CMAKE_SOURCE_DIR}")
warpglass_warnings(tried)
warpglass_precompile(tried engine)
"""


def build(folder, environment):
    """Builds the project in `folder` from nothing; what the build printed, or None where it succeeded."""
    shutil.rmtree(folder / "build", ignore_errors=True)
    for command in (["cmake", "-G", "Ninja", "-B", "build", "-S", "."], ["cmake", "--build", "build"]):
        done = subprocess.run(command, cwd=folder, env=environment, text=True, stdout=subprocess.PIPE,
                              stderr=subprocess.STDOUT)
        if done.returncode != 0:
            return done.stdout
    return None


def main():
    cmake = pathlib.Path(sys.argv[1]) / "cmake"
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        environment = {**os.environ, "CCACHE_DIR": str(folder / "store")}
        environment.pop("CCACHE_DISABLE", None)
        shutil.copytree(cmake, folder / "cmake")
        (folder / "CMakeLists.txt").write_text(PROJECT)
        (folder / "cmake/headers/engine.h").write_text('#pragma once\n#include "part.h"\n')
        for comment, value in (("first", 1), ("other", 2)):
            (folder / "part.h").write_text(f"// The {comment} comment.\n#pragma once\ninline constexpr int kPart = 1;\n")
            (folder / "source.cpp").write_text(f'#include "part.h"\nint value() {{ return kPart + {value}; }}\n')
            printed = build(folder, environment)
            if printed is not None:
                sys.exit(f"with the {comment} comment the build failed:\n{printed}")


main()
