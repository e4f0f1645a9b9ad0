// A bounded queue from any number of threads to one, without a lock: pushing never waits, and says so when it
// is full.
//
// After Vyukov's bounded queue: each cell has a turn counter. A producer claims position p by raising the
// tail while cell p mod N says "turn p" (empty); it writes the value and sets turn p + 1 (full); the consumer
// reads it and sets turn p + N (empty for the next lap). The order in which positions are claimed is the
// order in which values come out. Push and pop are O(1); a push under contention retries a compare-and-swap.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <type_traits>

#include "engine/base/check.h"

namespace warpglass {

template <class T>
class EventRing {
    static_assert(std::is_trivially_copyable_v<T>, "values are copied in and out while other threads push");

public:
    /// The capacity must be a power of two.
    explicit EventRing(std::size_t capacity) : m_mask(capacity - 1), m_cells(new Cell[capacity]) {
        WG_CHECK(capacity >= 2 && (capacity & (capacity - 1)) == 0);
        for (std::size_t i = 0; i < capacity; ++i)
            m_cells[i].turn.store(i, std::memory_order_relaxed);
    }
    EventRing(const EventRing&) = delete;
    EventRing& operator=(const EventRing&) = delete;

    std::size_t capacity() const { return m_mask + 1; }

    /// Any thread. False when the ring is full: the value was not taken.
    bool tryPush(const T& value) noexcept {
        return tryEmplace([&value](T& place) { place = value; });
    }

    /// The same for a value that `fill(T&)` writes in place, over the value of the previous lap. This saves
    /// copies, each of which waits for the one before. The reader waits for `fill`, so it has to be quick.
    template <class Fill>
    bool tryEmplace(Fill&& fill) noexcept {
        std::uint64_t position = m_tail.load(std::memory_order_relaxed);
        for (;;) {
            Cell& cell = m_cells[position & m_mask];
            const std::uint64_t turn = cell.turn.load(std::memory_order_acquire);
            if (turn == position) {
                if (m_tail.compare_exchange_weak(position, position + 1, std::memory_order_relaxed)) {
                    __builtin_prefetch(&m_cells[(position + kPrefetch) & m_mask], 1);
                    fill(cell.value);
                    cell.turn.store(position + 1, std::memory_order_release);
                    return true;
                }
            } else if (turn < position) {
                return false;  // still holds the value of one lap ago
            } else {
                position = m_tail.load(std::memory_order_relaxed);
            }
        }
    }

    /// The consumer's thread only. False when there is nothing (or the next value is still being written).
    bool tryPop(T& value) noexcept {
        Cell& cell = m_cells[m_head & m_mask];
        if (cell.turn.load(std::memory_order_acquire) != m_head + 1)
            return false;
        value = cell.value;
        cell.turn.store(m_head + capacity(), std::memory_order_release);
        ++m_head;
        return true;
    }

    /// Any thread: how many values have been claimed a place so far.
    std::uint64_t pushed() const noexcept { return m_tail.load(std::memory_order_acquire); }
    /// The consumer's thread only.
    std::uint64_t popped() const noexcept { return m_head; }

private:
    // Each in a cache line of its own (64 bytes on x86-64): a push touches one.
    struct alignas(64) Cell {
        std::atomic<std::uint64_t> turn;
        T value;
    };
    /// Far enough ahead to have come from the consumer's cache by then.
    static constexpr std::uint64_t kPrefetch = 4;
    const std::uint64_t m_mask;
    std::unique_ptr<Cell[]> m_cells;
    // Apart from each other, so that producers and consumer do not share a cache line (64 bytes on x86-64).
    alignas(64) std::atomic<std::uint64_t> m_tail{0};
    alignas(64) std::uint64_t m_head = 0;
};

}  // namespace warpglass
