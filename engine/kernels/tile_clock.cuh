// The clock of one warpgroup inside a kernel (kernel_clock.h). A kernel has a pack of clock types as its last
// template parameter: empty in the plain kernel, whose name and machine code know nothing of clocks, and
// KernelClock in its twin. All threads of the warpgroup call each function; one of them writes.
#pragma once

#include <cstdint>

#include "engine/kernels/kernel_clock.h"

namespace warpglass::kernels {

/// The clock of `threads` threads, the first of which writes. `frugal`: which thread this is is read anew
/// each time, which takes a while but no register in between.
template <int threads, bool frugal, class... Clock>
struct TileClock;

template <int threads, bool frugal>
struct TileClock<threads, frugal> {
    __device__ explicit TileClock(int) {}
    __device__ void beginTile(int, int) const {}
    __device__ void pass(ClockedPhase, ClockedPhase) const {}
    __device__ void endRound(ClockedPhase, ClockedPhase) const {}
    __device__ void endTile() const {}
};

template <int threads, bool frugal>
struct TileClock<threads, frugal, KernelClock> {
    /// Everything that lasts lies in shared memory: the kernels have no register left for it.
    struct State {
        std::uint32_t cycles[4];
        std::uint64_t tileCycle, tileTime, roundCycle;
        std::uint32_t tile, round, nextRound;
    };

    /// `firstThread`: of the block's, where the warpgroups begin that compute.
    __device__ TileClock(int firstThread, const KernelClock& written) : first(firstThread), clock(written) {}

    __device__ int thread() const {
        int x = static_cast<int>(threadIdx.x);
        if constexpr (frugal)
            asm volatile("mov.u32 %0, %%tid.x;" : "=r"(x));
        return x - first;
    }
    __device__ bool writes() const { return thread() % threads == 0; }
    __device__ int group() const { return thread() / threads; }
    __device__ volatile State& state() const {
        __shared__ State states[2];
        return states[group()];
    }
    __device__ static std::uint64_t cycle() {
        std::uint64_t now;
        asm volatile("mov.u64 %0, %%clock64;" : "=l"(now)::"memory");
        return now;
    }
    __device__ static std::uint64_t time() {
        std::uint64_t now;
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now)::"memory");
        return now;
    }
    /// A sum that nobody waits for. Sums are modulo 2³²: a phase loses the moment when it begins, and gains the one
    /// when it ends.
    __device__ void add(ClockedPhase phase, std::uint32_t cycles) const {
        const auto first = __cvta_generic_to_shared(const_cast<std::uint32_t*>(state().cycles));
        asm volatile("red.shared.add.u32 [%0], %1;" ::"r"(static_cast<std::uint32_t>(first) + 4 * static_cast<int>(phase)),
                     "r"(cycles)
                     : "memory");
    }

    /// In whose first phase tiles are waited for; of so many rounds.
    __device__ void beginTile(int tile, int rounds) const {
        if (!writes())
            return;
        volatile State& s = state();
        s.tile = tile;
        s.round = 0;
        s.nextRound = atomicAdd(&clock.counts->rounds, rounds);
        s.tileTime = time();
        const std::uint64_t now = cycle();
        s.tileCycle = now;
        begin(now, ClockedPhase::kLoad);
    }
    /// One phase ends here, and another begins.
    __device__ void pass(ClockedPhase from, ClockedPhase to) const {
        if (!writes())
            return;
        std::uint32_t now;
        asm volatile("mov.u32 %0, %%clock;" : "=r"(now)::"memory");
        add(from, now);
        add(to, 0 - now);
    }
    __device__ void endRound(ClockedPhase from, ClockedPhase next) const {
        if (!writes())
            return;
        const std::uint64_t now = cycle();
        add(from, static_cast<std::uint32_t>(now));
        volatile State& s = state();
        const std::uint32_t at = s.nextRound;
        const std::uint64_t began = s.roundCycle;
        if (at < clock.room.rounds) {
            uint4* const to = reinterpret_cast<uint4*>(clock.rounds + at);
            to[0] = make_uint4(static_cast<std::uint32_t>(began), static_cast<std::uint32_t>(began >> 32), s.cycles[0],
                               s.cycles[1]);
            to[1] = make_uint4(s.cycles[2], s.cycles[3], s.tile, s.round | static_cast<std::uint32_t>(group()) << 16);
        }
        s.nextRound = at + 1;
        s.round = s.round + 1;
        begin(now, next);
    }
    __device__ void endTile() const {
        if (!writes())
            return;
        const volatile State& s = state();
        const std::uint64_t ended = s.roundCycle, endTime = time();
        const std::uint32_t at = atomicAdd(&clock.counts->tiles, 1);
        if (at >= clock.room.tiles)
            return;
        std::uint32_t processor;
        asm volatile("mov.u32 %0, %%smid;" : "=r"(processor));
        ClockedTile& to = clock.tiles[at];
        to.beginCycle = s.tileCycle;
        to.endCycle = ended;
        to.beginTime = s.tileTime;
        to.endTime = endTime;
        to.tile = s.tile;
        to.processor = static_cast<std::uint16_t>(processor);
        to.group = static_cast<std::uint16_t>(group());
    }

private:
    __device__ void begin(std::uint64_t now, ClockedPhase phase) const {
        volatile State& s = state();
        s.roundCycle = now;
        for (int i = 0; i < 4; ++i)
            s.cycles[i] = 0;
        add(phase, 0 - static_cast<std::uint32_t>(now));
    }

    const int first;
    const KernelClock& clock;
};

}  // namespace warpglass::kernels
