#include "engine/query/spans/spans_within.h"

#include <algorithm>
#include <string_view>

#include "engine/query/spans/module_group.h"

namespace warpglass {

SpansWithin::SpansWithin(const Snapshot& snapshot, const SpanFilter& filter)
    : m_filter(filter),
      m_rows(snapshot, filter),
      m_ofPlace(filter.phase || !filter.modulePath.empty()),
      m_names(snapshot.nameCount() + 1) {
    if (filter.byLaunch && !filter.ranges.empty())
        m_launches.emplace(snapshot);
    for (std::size_t i = 0; m_ofPlace && i < snapshot.nameCount(); ++i) {
        const std::string_view name = snapshot.name(NameId(i));
        const bool phase = filter.phase && name == phaseName(*filter.phase);
        const bool module = !filter.modulePath.empty() && isWithin(name, filter.modulePath);
        m_names[i] = static_cast<std::uint8_t>((phase ? 1 : 0) | (module ? 2 : 0));
    }
}

bool SpansWithin::holds(TrackKind kind, const SpanChunk& chunk, std::uint32_t i) const {
    if (!m_filter.ranges.empty()) {
        const bool inside = m_launches && isGpuTrack(kind)
                                ? m_launches->startsIn(chunk.link[i], m_filter.ranges)
                                : startsInside(Nanoseconds(chunk.start[i]), m_filter.ranges);
        if (!inside)
            return false;
    }
    if (!m_ofPlace || (kind != TrackKind::kStep && kind != TrackKind::kPhase && kind != TrackKind::kModule))
        return m_rows.passes(chunk, i);
    // A name is an op's or a kernel's; a step is in no phase and in no module.
    if (kind == TrackKind::kStep || !m_filter.name.empty() || !m_rows.stepPasses(chunk.step[i]))
        return false;
    const std::uint8_t named = m_names[std::min<std::size_t>(chunk.name[i], m_names.size() - 1)];
    if (kind == TrackKind::kPhase)
        return m_filter.modulePath.empty() && ((named & 1) != 0 || m_rows.phasePasses(chunk.place[i]));
    return m_rows.phasePasses(chunk.place[i]) && (m_rows.modulePasses(chunk.place[i]) || (named & 2) != 0);
}

}  // namespace warpglass
