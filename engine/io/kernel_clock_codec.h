// The tiles and rounds of a clocked kernel as the compressed blob of the table "kernel_clocks"
// (run_file_format.h), and back.
#pragma once

#include "engine/io/column_codec.h"
#include "engine/trace/kernel_clocks.h"

namespace warpglass::run_file {

/// No file has more kernels; what is beyond is not read.
inline constexpr std::uint64_t kMostClockedKernels = 16;

Buffer encodeClocks(const KernelClocks& clocks);
/// Fills in tiles and rounds; false, and neither, when the frame is damaged. No memory is taken for a number
/// that the frame states before that number has been checked.
bool decodeClocks(BytesView frame, KernelClocks& clocks);

}  // namespace warpglass::run_file
