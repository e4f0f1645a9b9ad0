// What is known about the FLOPs and bytes of kernels of ours in a run: of each launch, from its place and the
// run's configuration (engine/plan/kernel_work.h). Unlike a GEMM, of which only the plan of its place is
// known (span_work.h), one launch says all by itself, whatever runs beside it.
//
// Their roof is memory, at the rate that copies were measured with, since each does a few operations on each
// number that it reads. One whose tensors stay in the caches may be faster: it then has reached its roof.
// Those of attention that multiply matrices have the roofs of GEMMs.
//
// Internal to engine/query, but for ownKernelSpan(). Immutable; any thread.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "engine/plan/own_parts.h"
#include "engine/query/model/roofline.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

class OwnKernelWork {
public:
    explicit OwnKernelWork(const Snapshot& snapshot);

    /// The run has none.
    bool empty() const { return !m_any; }
    bool isOwn(NameId kernel) const { return ofName(kernel) != Own::kNo; }
    /// It is one of attention's, whose time counts with the GEMMs of its place.
    bool isOfAttention(NameId kernel) const { return ofName(kernel) == Own::kAttention; }

    struct Known {
        /// `products`: those of its FLOPs that are matrix products.
        double flops = 0, bytes = 0, notMoved = 0, products = 0;

        Known& operator+=(const Known& other) {
            flops += other.flops;
            products += other.products;
            bytes += other.bytes;
            notMoved += other.notMoved;
            return *this;
        }
    };
    /// What so many launches of it at a place did; nothing where that is not known, and for any other kernel.
    std::optional<Known> of(NameId kernel, PlaceId place, std::int64_t launches) const;

private:
    enum class Own : std::uint8_t { kNo, kBetweenProducts, kAttention };
    Own ofName(NameId kernel) const {
        return m_any ? m_own[std::min<std::size_t>(kernel.value, m_own.size() - 1)] : Own::kNo;
    }

    const Snapshot& m_snapshot;
    std::optional<RunConfig> m_config;
    std::vector<Own> m_own;  // by name
    bool m_any = false;
};

/// Bytes a second that memory allows, measured or else by the data sheet.
std::optional<double> memoryRoof(const RunCeilings& ceilings);

/// One kernel on a GPU's timeline.
struct OwnKernelSpan {
    /// What it does in place of the library's ops.
    std::string_view sentence;
    /// Nothing if it is unknown of one launch by itself.
    std::optional<KernelWork> work;
    /// Its roof is that of GEMMs (span_roof.h).
    bool isProduct = false;
    /// Nothing without `work` or without a ceiling, and of a product.
    std::optional<double> bytesPerSecond, shareOfRoof;
};
/// Nothing for a kernel that is not ours. Linear in the run's kernels.
std::optional<OwnKernelSpan> ownKernelSpan(const Snapshot& snapshot, std::string_view kernel,
                                           std::string_view module, Nanoseconds duration);

}  // namespace warpglass
