#include "engine/kernels/kernel_clock.h"

#include <cuda_runtime.h>

#include <algorithm>
#include <new>

namespace warpglass::kernels {

// Kernels write a round as two pieces of 16 bytes.
static_assert(sizeof(ClockedRound) == 32 && alignof(ClockedRound) <= 16 && sizeof(ClockedTile) == 40);

bool hasKernelClock(int headDimension) {
    return headDimension == 64 || headDimension == 128;
}

int makeClock(ClockCounts room, KernelClock& clock) {
    constexpr std::size_t kCountsBytes = 256;
    const std::size_t rounds = room.rounds * sizeof(ClockedRound), tiles = room.tiles * sizeof(ClockedTile);
    void* memory = nullptr;
    if (const cudaError_t error = cudaMalloc(&memory, kCountsBytes + rounds + tiles); error != cudaSuccess)
        return error;
    auto* const bytes = static_cast<unsigned char*>(memory);
    clock = {static_cast<ClockCounts*>(memory), reinterpret_cast<ClockedTile*>(bytes + kCountsBytes + rounds),
             reinterpret_cast<ClockedRound*>(bytes + kCountsBytes), room};
    return cudaSuccess;
}

void freeClock(KernelClock& clock) {
    static_cast<void>(cudaFree(clock.counts));
    clock = {};
}

int readClock(const KernelClock& clock, ClockReading& reading) {
    cudaError_t error = cudaDeviceSynchronize();
    const auto read = [&](void* to, const void* from, std::size_t bytes) {
        if (error == cudaSuccess && bytes > 0)
            error = cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost);
    };
    read(&reading.wanted, clock.counts, sizeof(ClockCounts));
    if (error != cudaSuccess)
        return error;
    try {
        reading.tiles.resize(std::min(reading.wanted.tiles, clock.room.tiles));
        reading.rounds.resize(std::min(reading.wanted.rounds, clock.room.rounds));
    } catch (const std::bad_alloc&) {
        return cudaErrorMemoryAllocation;
    }
    read(reading.tiles.data(), clock.tiles, reading.tiles.size() * sizeof(ClockedTile));
    read(reading.rounds.data(), clock.rounds, reading.rounds.size() * sizeof(ClockedRound));
    return error;
}

}  // namespace warpglass::kernels
