#include "engine/query/model/occupancy_limit.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

namespace warpglass {
namespace {

/// What a multiprocessor has room for.
struct Limits {
    std::string_view computeCapability;
    std::int64_t threads, blocks, shared;  // bytes
    std::int64_t reserved;                 // bytes of shared memory that each block takes besides
};
constexpr std::array<Limits, 8> kLimits = {{{"7.0", 2048, 32, 96 << 10, 0},
                                            {"7.5", 1024, 16, 64 << 10, 0},
                                            {"8.0", 2048, 32, 164 << 10, 1 << 10},
                                            {"8.6", 1536, 16, 100 << 10, 1 << 10},
                                            {"8.9", 1536, 24, 100 << 10, 1 << 10},
                                            {"9.0", 2048, 32, 228 << 10, 1 << 10},
                                            {"10.0", 2048, 32, 228 << 10, 1 << 10},
                                            {"12.0", 1536, 24, 100 << 10, 1 << 10}}};
constexpr std::int64_t kWarp = 32, kRegisters = 65536, kRegistersAtOnce = 256, kSchedulers = 4;

constexpr std::int64_t upTo(std::int64_t number, std::int64_t whole) {
    return (number + whole - 1) / whole * whole;
}

/// Warps get their registers 256 at a time, and each of the four schedulers has a fourth of them.
std::int64_t blocksByRegisters(std::int64_t registers, std::int64_t warps) {
    const std::int64_t ofWarp = upTo(registers * kWarp, kRegistersAtOnce);
    return ofWarp > 0 ? kRegisters / kSchedulers / ofWarp * kSchedulers / warps : kRegisters;
}

}  // namespace

/// No block has more, in any direction.
constexpr std::uint32_t kMostThreads = 1024;

std::string occupancyLimit(const SpanDetail& kernel, std::string_view computeCapability) {
    const auto device = std::ranges::find(kLimits, computeCapability, &Limits::computeCapability);
    if (std::ranges::any_of(kernel.block, [](std::uint32_t size) { return size > kMostThreads; }))
        return {};  // of a damaged file
    const std::int64_t threads =
        upTo(std::int64_t{kernel.block[0]} * kernel.block[1] * kernel.block[2], kWarp);
    if (device == kLimits.end() || kernel.kind != DetailKind::kKernel || threads <= 0 ||
        kernel.occupancy <= 0)
        return {};
    const std::int64_t blocks =
        std::llround(static_cast<double>(kernel.occupancy) * static_cast<double>(device->threads) /
                     static_cast<double>(threads));
    if (blocks * threads >= device->threads)
        return {};
    std::string limit;
    const auto add = [&](bool limits, std::string_view name) {
        if (limits)
            limit += (limit.empty() ? "" : " and ") + std::string(name);
    };
    const std::int64_t shared = kernel.staticShared + kernel.dynamicShared;
    add(blocksByRegisters(kernel.registers, threads / kWarp) == blocks, "registers");
    add(shared > 0 && device->shared / (shared + device->reserved) == blocks, "shared memory");
    if (limit.empty()) {
        add(device->threads / threads == blocks, "block size");
        add(device->blocks == blocks, "number of blocks");
    }
    return limit;
}

}  // namespace warpglass
