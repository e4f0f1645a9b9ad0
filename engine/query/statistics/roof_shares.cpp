#include "engine/query/statistics/roof_shares.h"

#include <algorithm>
#include <map>

#include "engine/query/model/own_kernel_work.h"

namespace warpglass {

RoofShares::RoofShares(const Snapshot& snapshot, TrackKind kind)
    : m_ofDevice(kind == TrackKind::kGpuStream ||
                 (kind == TrackKind::kCpuThread && snapshot.tracksOfKind(TrackKind::kGpuStream).empty())),
      m_ceilings(ceilingsOf(snapshot)),
      m_measured(ceilingsFromPairs(snapshot.info().pairs())) {}

/// FLOP/s of kernels, and of ops where they do the work themselves; 0 when it is not known.
double RoofShares::peakRate() const {
    if (!m_ofDevice)
        return 0;
    const auto rate = m_ceilings.measured.flopsPerSecond ? m_ceilings.measured.flopsPerSecond
                                                         : m_ceilings.dataSheet.flopsPerSecond;
    return rate.value_or(0);
}

/// Bytes a second that copies of this kind reach at most; a copy within the device reads and writes.
double RoofShares::copyRate(CopyKind kind) const {
    if (!m_measured)
        return 0;
    switch (kind) {
        case CopyKind::kHostToDevice:
            return m_measured->hostToDeviceBytesPerSecond;
        case CopyKind::kDeviceToHost:
            return m_measured->deviceToHostBytesPerSecond;
        case CopyKind::kDeviceToDevice:
            return m_measured->copyBytesPerSecond / 2;
        default:
            return 0;
    }
}

int RoofShares::roofOfProducts(double flops, double bytes) const {
    const double arithmetic = peakRate(), memory = memoryRoof(m_ceilings).value_or(0);
    return arithmetic > 0 && memory > 0 && memory * flops < arithmetic * bytes ? kMemory : kProducts;
}

void RoofShares::add(const GroupedRow& row, std::size_t index, double amount, int roof) {
    if (const auto time = static_cast<double>(row.figures.total.value); time > 0)
        m_reached.push_back({index, amount / (time / 1e9), roof});
}

void RoofShares::setIn(GroupedStatistics& statistics) const {
    std::map<int, double> roofs{{kProducts, peakRate()}, {kMemory, memoryRoof(m_ceilings).value_or(0)}};
    for (const Reached& reached : m_reached) {
        const auto roof =
            roofs.try_emplace(reached.roof, copyRate(static_cast<CopyKind>(reached.roof))).first;
        if (roof->second > 0 && reached.roof != kMemory && reached.roof != kOwnAttention)
            roof->second = std::max(roof->second, reached.rate);
    }
    roofs[kOwnAttention] = roofs.at(kProducts);
    for (const Reached& reached : m_reached) {
        const double roof = roofs.at(reached.roof);
        if (roof <= 0)
            continue;
        GroupedRow& row = statistics.rows[reached.row];
        row.shareOfPeak = std::min(1.0, reached.rate / roof);
        row.roof = roof;
        row.roofOf = reached.roof == kMemory                                      ? "memory"
                     : reached.roof == kProducts || reached.roof == kOwnAttention ? "compute"
                                                                                  : "copies";
        const bool copies = row.roofOf == "copies", memory = row.roofOf == "memory";
        const double given = copies ? copyRate(static_cast<CopyKind>(reached.roof)) : peakRate();
        row.roofFrom = !memory && roof > given ? "reached" : copies ? "measured" : m_ceilings.origin(memory);
        statistics.roofs = m_measured ? "measured " + m_measured->measured.substr(0, 10) : m_ceilings.source;
    }
    statistics.peakFlopsPerSecond = roofs.at(kProducts);
}

}  // namespace warpglass
