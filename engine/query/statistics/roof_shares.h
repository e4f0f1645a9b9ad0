// What the rows of a table reached of their roofs: GEMMs of the arithmetic or, where they do few operations
// on each byte, of memory; copies of the rates of copying; kernels of ours, the library's casts and
// elementwise kernels, and its update of all parameters of memory.
//
// A roof of GEMMs or copies is raised by what a row reached, since a device does no more than it can. That of
// memory is not: a kernel of ours that beats it has its tensors in the caches, and says nothing of the
// others. Neither do attention's own kernels raise that of GEMMs, which is theirs: they count whole squares,
// of which a mask may hide half.
//
// Internal to engine/query. Not thread-safe.
#pragma once

#include <optional>
#include <vector>

#include "engine/plan/device_ceilings.h"
#include "engine/query/model/roofline.h"
#include "engine/query/statistics/grouped_statistics.h"
#include "engine/trace/snapshot.h"

namespace warpglass {

class RoofShares {
public:
    /// `kind`: of the rows.
    RoofShares(const Snapshot& snapshot, TrackKind kind);

    /// A roof: one of these, or a kind of copy as a number.
    static constexpr int kProducts = -1, kMemory = -2, kOwnAttention = -3;
    /// The roof of products that do so much: kProducts or kMemory.
    int roofOfProducts(double flops, double bytes) const;
    /// A row of that index in the table has done so many operations, or moved so many bytes, in its total.
    void add(const GroupedRow& row, std::size_t index, double amount, int roof);
    /// Once all are there.
    void setIn(GroupedStatistics& statistics) const;

private:
    double peakRate() const;
    double copyRate(CopyKind kind) const;

    struct Reached {
        std::size_t row = 0;
        double rate = 0;
        int roof = kProducts;
    };
    /// Rows are of what the device does itself.
    bool m_ofDevice = false;
    RunCeilings m_ceilings;
    std::optional<DeviceCeilings> m_measured;
    std::vector<Reached> m_reached;
};

}  // namespace warpglass
