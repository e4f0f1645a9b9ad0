#include "engine/plan/caching_allocator.h"

#include <algorithm>
#include <iterator>

namespace warpglass {
namespace {

constexpr std::int64_t kMinBlock = 512;
constexpr std::int64_t kMiB = std::int64_t{1} << 20;
constexpr std::int64_t kLargestSmall = kMiB;
constexpr std::int64_t kSmallSegment = 2 * kMiB;
constexpr std::int64_t kLargeSegment = 20 * kMiB;
constexpr std::int64_t kLeastOwnSegment = 10 * kMiB;
constexpr std::int64_t kSegmentRounding = 2 * kMiB;

constexpr std::uint8_t kLargePool = 1, kPrivatePools = 2;

std::int64_t roundedUp(std::int64_t bytes, std::int64_t unit) {
    return (bytes + unit - 1) / unit * unit;
}

bool isSmall(std::uint8_t pool) {
    return (pool & kLargePool) == 0;
}

std::int64_t segmentFor(std::int64_t bytes) {
    return bytes <= kLargestSmall     ? kSmallSegment
           : bytes < kLeastOwnSegment ? kLargeSegment
                                      : roundedUp(bytes, kSegmentRounding);
}

bool splits(std::int64_t rest, std::uint8_t pool) {
    return isSmall(pool) ? rest >= kMinBlock : rest > kLargestSmall;
}

}  // namespace

void CachingAllocator::Count::add(std::int64_t bytes) {
    now += bytes;
    peak = std::max(peak, now);
}

void CachingAllocator::setFree(Blocks::iterator block, bool isFree) {
    FreeBlocks& pool = m_free[block->second.pool];
    block->second.isFree = isFree;
    if (isFree)
        pool.emplace(block->second.bytes, block->first);
    else
        pool.erase({block->second.bytes, block->first});
}

std::optional<CachingAllocator::Address> CachingAllocator::allocate(Bytes bytes) {
    const std::int64_t size = roundedUp(std::max(bytes.value, kMinBlock), kMinBlock);
    const auto pool =
        static_cast<std::uint8_t>((size > kLargestSmall ? kLargePool : 0) | (m_private ? kPrivatePools : 0));
    const auto found = m_free[pool].lower_bound({size, 0});
    const auto taken = found != m_free[pool].end() ? std::optional(m_blocks.find(found->second))
                                                   : takeSegment(segmentFor(size), pool);
    if (!taken)
        return std::nullopt;
    const Blocks::iterator block = *taken;
    setFree(block, false);
    if (const std::int64_t rest = block->second.bytes - size; splits(rest, pool)) {
        block->second.bytes = size;
        setFree(m_blocks.emplace_hint(std::next(block), block->first + size, Block{rest, 0, 0, pool, true}),
                true);
    }
    block->second.asked = bytes.value;
    m_asked.add(bytes.value);
    m_given.add(block->second.bytes);
    return block->first;
}

std::optional<CachingAllocator::Blocks::iterator> CachingAllocator::takeSegment(std::int64_t bytes,
                                                                                std::uint8_t pool) {
    if (m_limit > 0 && m_reserved.now + bytes > m_limit) {
        releaseUnused();
        if (m_reserved.now + bytes > m_limit)
            return std::nullopt;
    }
    const auto block = m_blocks.emplace(m_addresses.take(bytes), Block{bytes, 0, bytes, pool, true}).first;
    setFree(block, true);
    m_reserved.add(bytes);
    return block;
}

void CachingAllocator::join(Blocks::iterator block, Blocks::iterator next) {
    setFree(next, false);
    block->second.bytes += next->second.bytes;
    m_blocks.erase(next);
}

void CachingAllocator::free(Address address) {
    auto block = m_blocks.find(address);
    m_asked.add(-block->second.asked);
    m_given.add(-block->second.bytes);
    // A block that begins a segment is no neighbor of the one before it.
    if (const auto next = std::next(block);
        next != m_blocks.end() && next->second.isFree && next->second.segment == 0)
        join(block, next);
    if (block->second.segment == 0 && std::prev(block)->second.isFree) {
        const auto before = std::prev(block);
        setFree(before, false);
        before->second.bytes += block->second.bytes;
        m_blocks.erase(block);
        block = before;
    }
    setFree(block, true);
}

void CachingAllocator::releaseUnused() {
    for (auto block = m_blocks.begin(); block != m_blocks.end();) {
        const auto next = std::next(block);
        if (block->second.isFree && block->second.segment == block->second.bytes) {
            m_reserved.add(-block->second.segment);
            m_addresses.give(block->first, block->second.segment);
            setFree(block, false);
            m_blocks.erase(block);
        }
        block = next;
    }
}

}  // namespace warpglass
