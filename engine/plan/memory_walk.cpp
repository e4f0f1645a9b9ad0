#include "engine/plan/memory_walk.h"

#include <algorithm>
#include <string>

namespace warpglass {

void MemoryWalk::begin(std::string_view phase, std::string_view name) {
    if (!m_allocator)
        m_moments.push_back({phase, name, m_total, m_live});
}

MemoryWalk::Live& MemoryWalk::find(const Kind& kind) {
    const auto found = std::ranges::find(m_live, kind, &Live::kind);
    return found != m_live.end() ? *found : m_live.emplace_back(Live{kind, Saturating(0)});
}

void MemoryWalk::notePeak() {
    Moment& moment = m_moments.back();
    if (m_total > moment.peak) {
        moment.peak = m_total;
        moment.atPeak = m_live;
    }
}

CachingAllocator::Address MemoryWalk::add(const Kind& kind, Saturating bytes) {
    if (m_allocator) {
        if (m_ranOut || bytes == Saturating(0))
            return kNowhere;
        const auto address = m_allocator->allocate(Bytes(bytes.value()));
        m_ranOut = !address;
        return address.value_or(kNowhere);
    }
    find(kind).bytes += bytes;
    m_total += bytes;
    notePeak();
    return kNowhere;
}

void MemoryWalk::remove(const Kind& kind, Saturating bytes, CachingAllocator::Address address) {
    if (m_allocator) {
        if (address != kNowhere)
            m_allocator->free(address);
        return;
    }
    Live& live = find(kind);
    live.bytes = live.bytes - bytes;
    m_total = m_total - bytes;
}

void MemoryWalk::repeatSince(const std::vector<Live>& before, std::int64_t times) {
    m_total = Saturating(0);
    for (std::size_t i = 0; i < m_live.size(); ++i) {
        const Saturating earlier = i < before.size() ? before[i].bytes : Saturating(0);
        const Saturating now = m_live[i].bytes;
        m_live[i].bytes = now + (now - earlier) * times - (earlier - now) * times;  // one of the two is 0
        m_total += m_live[i].bytes;
    }
}

std::vector<MemoryMoment> MemoryWalk::moments() const {
    std::vector<MemoryMoment> all;
    for (const Moment& moment : m_moments) {
        MemoryMoment& written = all.emplace_back();
        written.phase = moment.phase;
        written.name = moment.name;
        for (const Live& live : moment.atPeak)
            if (live.bytes > Saturating(0))
                written.terms.push_back(
                    {live.kind.category, std::string(live.kind.name), Bytes(live.bytes.value())});
    }
    return all;
}

}  // namespace warpglass
