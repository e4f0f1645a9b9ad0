# Finds LibTorch as the unpacked wheels of WARPGLASS_TORCH_DIR (folders torch/ and nvidia/ side by side).
#
# Gives WarpglassTorch::torch (the CPU libraries: linking libtorch.so would load every CUDA library at start),
# WarpglassTorch::torch_cuda (LibTorch's CUDA half, the CUDA runtime, CUPTI and cuBLASLt), WarpglassTorch::nvtx (the
# header-only NVTX 3), and WarpglassTorch_VERSION.

set(WARPGLASS_TORCH_VERSION "2.11.0" CACHE STRING "Version of LibTorch that the runner needs")

find_path(WarpglassTorch_INCLUDE_DIR ATen/ATen.h PATHS "${WARPGLASS_TORCH_DIR}/torch/include" NO_DEFAULT_PATH)
find_path(WarpglassTorch_NVTX_INCLUDE_DIR nvtx3/nvToolsExt.h PATHS "${WARPGLASS_TORCH_DIR}/nvidia/cu13/include"
    NO_DEFAULT_PATH)
find_library(WarpglassTorch_CPU_LIBRARY torch_cpu PATHS "${WARPGLASS_TORCH_DIR}/torch/lib" NO_DEFAULT_PATH)
find_library(WarpglassTorch_C10_LIBRARY c10 PATHS "${WARPGLASS_TORCH_DIR}/torch/lib" NO_DEFAULT_PATH)
mark_as_advanced(WarpglassTorch_INCLUDE_DIR WarpglassTorch_NVTX_INCLUDE_DIR WarpglassTorch_CPU_LIBRARY
    WarpglassTorch_C10_LIBRARY)

if(EXISTS "${WARPGLASS_TORCH_DIR}/torch/version.py")
    file(STRINGS "${WARPGLASS_TORCH_DIR}/torch/version.py" version_line REGEX "^__version__ = '")
    string(REGEX REPLACE "^__version__ = '([0-9.]+).*" "\\1" WarpglassTorch_VERSION "${version_line}")
    if(NOT WarpglassTorch_VERSION VERSION_EQUAL WARPGLASS_TORCH_VERSION)
        message(FATAL_ERROR "WARPGLASS_TORCH_DIR (${WARPGLASS_TORCH_DIR}) holds LibTorch ${WarpglassTorch_VERSION}, "
            "but Warpglass is made for ${WARPGLASS_TORCH_VERSION}.")
    endif()
endif()

include(FindPackageHandleStandardArgs)
find_package_handle_standard_args(WarpglassTorch
    REQUIRED_VARS WarpglassTorch_CPU_LIBRARY WarpglassTorch_C10_LIBRARY WarpglassTorch_INCLUDE_DIR
                  WarpglassTorch_NVTX_INCLUDE_DIR
    VERSION_VAR WarpglassTorch_VERSION
    REASON_FAILURE_MESSAGE "set WARPGLASS_TORCH_DIR to the folder that holds the unpacked torch and nvidia wheels \
(packaging/setup.sh makes one), or build with -DWARPGLASS_RUNNER=OFF.")

if(WarpglassTorch_FOUND AND NOT TARGET WarpglassTorch::torch)
    add_library(WarpglassTorch::torch INTERFACE IMPORTED GLOBAL)
    target_include_directories(WarpglassTorch::torch SYSTEM INTERFACE
        "${WarpglassTorch_INCLUDE_DIR}" "${WarpglassTorch_INCLUDE_DIR}/torch/csrc/api/include")
    target_compile_definitions(WarpglassTorch::torch INTERFACE _GLIBCXX_USE_CXX11_ABI=1)
    target_link_libraries(WarpglassTorch::torch INTERFACE
        "${WarpglassTorch_CPU_LIBRARY}" "${WarpglassTorch_C10_LIBRARY}")
    # libtorch_cpu.so itself needs libcudart.so.13 and libcupti.so.13; at run time it finds them beside itself.
    target_link_options(WarpglassTorch::torch INTERFACE
        "LINKER:-rpath-link,${WARPGLASS_TORCH_DIR}/nvidia/cu13/lib:${WARPGLASS_TORCH_DIR}/torch/lib")

    # The wheels ship libX.so.13 without the libX.so that -lX looks for.
    set(cuda_root "${WARPGLASS_TORCH_DIR}/nvidia/cu13")
    add_library(WarpglassTorch::torch_cuda INTERFACE IMPORTED GLOBAL)
    target_include_directories(WarpglassTorch::torch_cuda SYSTEM INTERFACE "${cuda_root}/include")
    target_link_libraries(WarpglassTorch::torch_cuda INTERFACE
        "${WARPGLASS_TORCH_DIR}/torch/lib/libtorch_cuda.so" "${WARPGLASS_TORCH_DIR}/torch/lib/libc10_cuda.so"
        "${cuda_root}/lib/libcudart.so.13" "${cuda_root}/lib/libcupti.so.13" "${cuda_root}/lib/libcublasLt.so.13")

    add_library(WarpglassTorch::nvtx INTERFACE IMPORTED GLOBAL)
    target_include_directories(WarpglassTorch::nvtx SYSTEM INTERFACE "${WarpglassTorch_NVTX_INCLUDE_DIR}")
    target_link_libraries(WarpglassTorch::nvtx INTERFACE ${CMAKE_DL_LIBS})  # NVTX looks for a tool with dlopen
endif()
