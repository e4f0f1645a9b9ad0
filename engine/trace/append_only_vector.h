// A vector with one writer and any number of readers, which take no lock.
//
// Elements live in blocks that never move; a fixed directory of atomic block pointers finds them. The writer
// fills an element, then raises the committed size with release order; a reader that loads the size with
// acquire order may read every element below it for ever after. Append is O(1), random access two dependent
// loads.
#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <utility>

#include "engine/base/check.h"

namespace warpglass {

/// kBlockRows must be a power of two. Capacity is kBlockRows × kMaxBlocks elements.
template <class T, std::size_t kBlockRows = 1024, std::size_t kMaxBlocks = 4096>
class AppendOnlyVector {
    static_assert((kBlockRows & (kBlockRows - 1)) == 0);

public:
    AppendOnlyVector() = default;
    AppendOnlyVector(const AppendOnlyVector&) = delete;
    AppendOnlyVector& operator=(const AppendOnlyVector&) = delete;
    ~AppendOnlyVector() {
        for (auto& block : m_blocks)
            delete block.load(std::memory_order_relaxed);
    }

    /// Any thread. Elements below the returned size are complete.
    std::size_t size() const { return m_size.load(std::memory_order_acquire); }
    bool full() const { return m_size.load(std::memory_order_relaxed) == kBlockRows * kMaxBlocks; }

    /// Any thread. Precondition: index < a size() that this thread has seen.
    const T& operator[](std::size_t index) const {
        return m_blocks[index / kBlockRows].load(std::memory_order_acquire)->rows[index % kBlockRows];
    }

    /// Writer only; a change to an element that readers may already see must itself be safe for them.
    T& mutableAt(std::size_t index) {
        return m_blocks[index / kBlockRows].load(std::memory_order_relaxed)->rows[index % kBlockRows];
    }

    /// Writer only. Precondition: !full().
    T& pushBack(T value = T()) {
        const std::size_t index = m_size.load(std::memory_order_relaxed);
        WG_CHECK(index < kBlockRows * kMaxBlocks);
        auto& slot = m_blocks[index / kBlockRows];
        Block* block = slot.load(std::memory_order_relaxed);
        if (!block) {
            block = new Block;
            slot.store(block, std::memory_order_release);
        }
        T& row = block->rows[index % kBlockRows];
        row = std::move(value);
        m_size.store(index + 1, std::memory_order_release);
        return row;
    }

private:
    struct Block {
        std::array<T, kBlockRows> rows;
    };
    std::array<std::atomic<Block*>, kMaxBlocks> m_blocks{};
    std::atomic<std::size_t> m_size{0};
};

}  // namespace warpglass
