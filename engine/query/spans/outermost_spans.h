// Which spans lie within others of a set: those count in the others' time and not once more.
//
// Told lane by lane, those of a track by depth, each in order of time. What a damaged file has out of order
// may be taken for outer. Internal to engine/query. Memory: a span's ends for each outer one of a track that
// has deeper lanes. Not thread-safe.
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "engine/trace/snapshot.h"

namespace warpglass {

class OutermostSpans {
public:
    /// Begins a track. A phase may lie within a step, and a module within either, on any thread.
    void beginTrack(TrackKind kind) {
        // A GPU's row has lanes for what ran at once: none of it holds another's time.
        m_nests = !isGpuTrack(kind) && kind != TrackKind::kGpuSync && kind != TrackKind::kProfiler;
        const bool within = kind == TrackKind::kPhase || kind == TrackKind::kModule;
        m_outer = within ? m_around : std::vector<Stretch>();
    }
    /// `last`: nothing of the track is deeper.
    void beginLane(TrackKind kind, bool last) {
        m_next = 0;
        m_isAround = kind == TrackKind::kStep || kind == TrackKind::kPhase;
        m_keeps = m_isAround || !last;
    }
    /// Whether the span lies within none of those added before.
    bool add(std::int64_t begin, std::int64_t end) {
        if (!m_nests)
            return true;
        while (m_next < m_outer.size() && m_outer[m_next].end <= begin)
            ++m_next;
        if (m_next < m_outer.size() && m_outer[m_next].begin <= begin && end <= m_outer[m_next].end)
            return false;
        if (m_keeps)
            m_ofLane.push_back({begin, end});
        return true;
    }
    void endLane() {
        if (!m_ofLane.empty()) {
            const auto middle = static_cast<std::ptrdiff_t>(m_outer.size());
            m_outer.insert(m_outer.end(), m_ofLane.begin(), m_ofLane.end());
            std::inplace_merge(m_outer.begin(), m_outer.begin() + middle, m_outer.end(),
                               [](const Stretch& a, const Stretch& b) { return a.begin < b.begin; });
            m_ofLane.clear();
        }
        if (m_isAround)
            m_around = m_outer;
    }

private:
    struct Stretch {
        std::int64_t begin, end;
    };
    std::vector<Stretch> m_outer;   // of the track's lanes so far, and what may be around it
    std::vector<Stretch> m_around;  // steps and phases
    std::vector<Stretch> m_ofLane;
    std::size_t m_next = 0;
    bool m_nests = true, m_isAround = false, m_keeps = false;
};

}  // namespace warpglass
