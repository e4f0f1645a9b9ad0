// LibTorch's caching allocator on paper: which bytes it gives for what it is asked, and which it takes from
// the device (c10/cuda/CUDACachingAllocator.cpp of LibTorch 2.11 with its default settings; constants from
// c10/core/AllocatorConfig.h).
//
// A request is rounded up to 512 bytes. Up to 1 MiB it is served from the small pool, whose segments have 2
// MiB; a larger one from the large pool, whose segments have 20 MiB for requests below 10 MiB, and else the
// request rounded up to 2 MiB. The smallest free block of a pool that holds the request is taken, among equal
// ones the one at the lowest address, and split where the rest has 512 bytes or more (small) or more than
// 1 MiB (large): what is not split off is given with it. A block that is freed is joined with its free
// neighbors. A CUDA graph's capture has pools of its own. There is one stream, the model's.
//
// No data, only sizes; one thread. O(log blocks) a call, and O(gaps) of DeviceAddresses for a segment.
#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <utility>

#include "engine/base/units.h"
#include "engine/plan/device_addresses.h"

namespace warpglass {

class CachingAllocator {
public:
    /// A block's place; never negative.
    using Address = std::int64_t;

    /// `limit`: what may be taken from the device; 0 for all that is asked.
    explicit CachingAllocator(Bytes limit = {}) : m_limit(limit.value) {}

    /// Nothing where the limit leaves no room, also once what is unused has been given back.
    /// Preconditions: 0 < bytes < 2⁴⁸.
    std::optional<Address> allocate(Bytes bytes);
    /// Precondition: allocated and not freed since.
    void free(Address address);
    /// Gives the segments of which nothing is in use back to the device.
    void releaseUnused();
    /// What is allocated from now on belongs to a graph, which shares no free block with the rest.
    void beginPrivatePool() { m_private = true; }

    /// As asked for by what is alive, as given for it, and as taken from the device; and the most of each.
    Bytes asked() const { return Bytes(m_asked.now); }
    Bytes given() const { return Bytes(m_given.now); }
    Bytes reserved() const { return Bytes(m_reserved.now); }
    Bytes peakAsked() const { return Bytes(m_asked.peak); }
    Bytes peakGiven() const { return Bytes(m_given.peak); }
    Bytes peakReserved() const { return Bytes(m_reserved.peak); }
    /// What was given at the address of a block that is allocated.
    Bytes givenAt(Address address) const { return Bytes(m_blocks.at(address).bytes); }

private:
    struct Block {
        std::int64_t bytes = 0;
        std::int64_t asked = 0;
        /// The first block of its segment has the segment's size.
        std::int64_t segment = 0;
        std::uint8_t pool = 0;
        bool isFree = false;
    };
    using Blocks = std::map<Address, Block>;
    /// Size, then address: the order in which free blocks are tried.
    using FreeBlocks = std::set<std::pair<std::int64_t, Address>>;
    struct Count {
        std::int64_t now = 0, peak = 0;
        void add(std::int64_t bytes);
    };

    std::optional<Blocks::iterator> takeSegment(std::int64_t bytes, std::uint8_t pool);
    void setFree(Blocks::iterator block, bool isFree);
    /// Takes the free block `next`, which follows `block`, into it.
    void join(Blocks::iterator block, Blocks::iterator next);

    std::int64_t m_limit;
    bool m_private = false;
    Blocks m_blocks;
    /// Small and large, the shared ones and a graph's.
    std::array<FreeBlocks, 4> m_free;
    Count m_asked, m_given, m_reserved;
    DeviceAddresses m_addresses;
};

}  // namespace warpglass
