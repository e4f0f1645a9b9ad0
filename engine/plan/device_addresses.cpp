#include "engine/plan/device_addresses.h"

#include <algorithm>
#include <iterator>

namespace warpglass {
namespace {

constexpr std::int64_t kStretch = std::int64_t{32} << 20;

}  // namespace

std::int64_t DeviceAddresses::take(std::int64_t bytes) {
    const auto gap = std::find_if(m_gaps.begin(), m_gaps.end(),
                                  [bytes](const auto& free) { return free.second >= bytes; });
    std::int64_t address = 0, rest = 0;
    if (gap != m_gaps.end()) {
        address = gap->first;
        rest = gap->second - bytes;
        m_gaps.erase(gap);
    } else {
        const std::int64_t stretch = (bytes + kStretch - 1) / kStretch * kStretch;
        m_lowest -= stretch;
        m_stretches.emplace(m_lowest, stretch);
        address = m_lowest;
        rest = stretch - bytes;
    }
    if (rest > 0)
        m_gaps.emplace(address + bytes, rest);
    return address;
}

void DeviceAddresses::give(std::int64_t address, std::int64_t bytes) {
    const auto stretch = std::prev(m_stretches.upper_bound(address));
    const std::int64_t begin = stretch->first, end = begin + stretch->second;
    const auto after = m_gaps.find(address + bytes);
    if (after != m_gaps.end() && after->first < end) {
        bytes += after->second;
        m_gaps.erase(after);
    }
    auto before = m_gaps.lower_bound(address);
    if (before != m_gaps.begin() && (--before)->first >= begin && before->first + before->second == address) {
        address = before->first;
        bytes += before->second;
        m_gaps.erase(before);
    }
    if (bytes == stretch->second)
        m_stretches.erase(stretch);
    else
        m_gaps.emplace(address, bytes);
}

}  // namespace warpglass
