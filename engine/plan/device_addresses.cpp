#include "engine/plan/device_addresses.h"

#include <algorithm>
#include <iterator>
#include <optional>

namespace warpglass {
namespace {

constexpr std::int64_t kStretch = std::int64_t{32} << 20;

}  // namespace

void DeviceAddresses::addGap(std::int64_t address, std::int64_t bytes) {
    m_gaps.emplace(address, bytes);
    m_gapsBySize[bytes].insert(address);
}

void DeviceAddresses::removeGap(Gaps::iterator gap) {
    const auto ofSize = m_gapsBySize.find(gap->second);
    ofSize->second.erase(gap->first);
    if (ofSize->second.empty())
        m_gapsBySize.erase(ofSize);
    m_gaps.erase(gap);
}

DeviceAddresses::Gaps::iterator DeviceAddresses::lowestGap(std::int64_t bytes) {
    std::optional<std::int64_t> lowest;
    for (auto size = m_gapsBySize.lower_bound(bytes); size != m_gapsBySize.end(); ++size) {
        const std::int64_t address = *size->second.begin();
        lowest = std::min(lowest.value_or(address), address);
    }
    return lowest ? m_gaps.find(*lowest) : m_gaps.end();
}

std::int64_t DeviceAddresses::take(std::int64_t bytes) {
    const auto gap = lowestGap(bytes);
    std::int64_t address = 0, rest = 0;
    if (gap != m_gaps.end()) {
        address = gap->first;
        rest = gap->second - bytes;
        removeGap(gap);
    } else {
        const std::int64_t stretch = (bytes + kStretch - 1) / kStretch * kStretch;
        m_lowest -= stretch;
        m_stretches.emplace(m_lowest, stretch);
        address = m_lowest;
        rest = stretch - bytes;
    }
    if (rest > 0)
        addGap(address + bytes, rest);
    return address;
}

void DeviceAddresses::give(std::int64_t address, std::int64_t bytes) {
    const auto stretch = std::prev(m_stretches.upper_bound(address));
    const std::int64_t begin = stretch->first, end = begin + stretch->second;
    const auto after = m_gaps.find(address + bytes);
    if (after != m_gaps.end() && after->first < end) {
        bytes += after->second;
        removeGap(after);
    }
    auto before = m_gaps.lower_bound(address);
    if (before != m_gaps.begin() && (--before)->first >= begin && before->first + before->second == address) {
        address = before->first;
        bytes += before->second;
        removeGap(before);
    }
    if (bytes == stretch->second)
        m_stretches.erase(stretch);
    else
        addGap(address, bytes);
}

}  // namespace warpglass
