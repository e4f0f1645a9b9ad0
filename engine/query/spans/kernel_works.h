// Numbers and titles for what a run's kernels do: libraries start many works through one template, whose
// kernels have one name. Kernels of one name and one number do the same (kernelTitle()).
//
// While a run goes on, a later snapshot's numbers are the same and more. Immutable; any thread.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
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

    /// kernelTitle(), and what tells the kernel from others of the run that are called the same: "gemm
    /// 320×128 NTT, cluster 1×2".
    std::string titleOf(std::string_view shortName, std::string_view fullName) const;

private:
    std::vector<std::uint32_t> m_ofDetail;
    std::size_t m_count = 1;  // 0 is of those without a signature
    /// What tells kernels apart whose title is the same, by title and name.
    std::map<std::string, std::map<std::string, std::string, std::less<>>> m_apart;
};

}  // namespace warpglass
