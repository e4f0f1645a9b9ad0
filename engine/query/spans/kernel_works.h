// Numbers for what kernels do: libraries start many works through one template, whose kernels have one name.
// Kernels of one name and one number do the same (kernelTitle()).
//
// While a run goes on, a later snapshot's numbers are the same and more. Immutable; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/trace/snapshot.h"

namespace warpglass {

class KernelWorks {
public:
    /// Nothing is told apart.
    KernelWorks() = default;
    explicit KernelWorks(const Snapshot& snapshot);

    std::size_t of(const SpanChunk& chunk, std::uint32_t i) const {
        return chunk.detail[i] < m_ofDetail.size() ? m_ofDetail[chunk.detail[i]] : 0;
    }
    std::size_t count() const { return m_count; }

private:
    std::vector<std::uint32_t> m_ofDetail;
    std::size_t m_count = 1;  // 0 is of those without a signature
};

}  // namespace warpglass
