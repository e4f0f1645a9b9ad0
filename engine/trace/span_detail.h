// What a span has beyond its name and its time: on a GPU what was launched, of an op the types and shapes of
// its inputs and outputs, where they were recorded. Launches of one kernel from one op with one shape share a
// detail, so that a run of millions of kernels has some hundreds of them.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>

#include "engine/trace/ids.h"

namespace warpglass {

enum class DetailKind : std::uint8_t { kKernel, kCopy, kFill, kSynchronization, kOverhead, kOp };
inline constexpr std::array<std::string_view, 6> kDetailKindNames = {"kernel",          "copy",     "fill",
                                                                     "synchronization", "overhead", "op"};

/// In an op's types, between those of its inputs and those of its outputs.
inline constexpr std::string_view kTypesArrow = " \u2192 ";

/// Between which memories a copy goes.
enum class CopyKind : std::uint8_t {
    kNone,
    kHostToDevice,
    kDeviceToHost,
    kDeviceToDevice,
    kHostToHost,
    kPeerToPeer
};
inline constexpr std::array<std::string_view, 6> kCopyKindNames = {
    "", "host to device", "device to host", "device to device", "host to host", "device to another device"};

struct SpanDetail {
    DetailKind kind = DetailKind::kKernel;
    CopyKind copy = CopyKind::kNone;
    /// The kernel's whole signature, demangled, template arguments and all; the span's name is its short
    /// form. For an op, "bf16[4,128,256], bf16[1024,256] → bf16[4,128,1024]".
    NameId fullName{};
    /// The innermost op that was running on the CPU when it was launched; for a kernel of a graph, when it
    /// was captured. Not valid outside any.
    NameId op{};
    /// Blocks, and threads of a block, in x, y, z; kernels only, as is what follows but `bytes`.
    std::array<std::uint32_t, 3> grid{};
    std::array<std::uint32_t, 3> block{};
    /// Registers per thread.
    std::uint32_t registers = 0;
    /// Bytes of shared memory per block: declared in the kernel, and requested at the launch.
    std::int64_t staticShared = 0;
    std::int64_t dynamicShared = 0;
    /// Copied or filled.
    std::int64_t bytes = 0;
    /// CUPTI's id of the node in the graph whose replay ran it; 0 outside graphs.
    std::uint64_t graphNode = 0;
    /// Threads that fit on a multiprocessor at once with these registers and this shared memory, as a share
    /// of what it can hold; 0 if unknown.
    float occupancy = 0;

    constexpr bool operator==(const SpanDetail&) const = default;
};

}  // namespace warpglass
