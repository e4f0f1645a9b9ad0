#include "ui/timeline/timeline_rows.h"

#include <algorithm>

#include "ui/timeline/timeline_metrics.h"

namespace warpglass::ui {

namespace {

/// A track of a GPU or of calls into CUDA is named "GPU 0 copies · stream 7": what stands before the first
/// dot.
std::string firstPart(std::string_view name) {
    return std::string(name.substr(0, name.find(" · ")));
}
std::string laterParts(std::string_view name) {
    const auto dot = name.find(" · ");
    std::string rest(dot == std::string_view::npos ? std::string_view()
                                                   : name.substr(dot + std::string_view(" · ").size()));
    if (const auto next = rest.find(" · "); next != std::string::npos)
        rest.replace(next, std::string_view(" · ").size(), " ");
    return rest;
}

std::string labelOf(TrackKind kind, std::string_view name) {
    switch (kind) {
        case TrackKind::kStep:
            return "Step";
        case TrackKind::kPhase:
        case TrackKind::kGpuPhase:
            return "Phase";
        case TrackKind::kModule:
            return "Module";
        case TrackKind::kCpuThread:
            return "CPU thread";
        case TrackKind::kProfiler:
            return "Profiler";
        case TrackKind::kApiThread:
        case TrackKind::kGpuStream:
        case TrackKind::kGpuCopies:
        case TrackKind::kGpuSync:
            return firstPart(name);
    }
    return "Track";  // a kind of a newer version's file
}

std::string sublabelOf(TrackKind kind, std::string_view name) {
    switch (kind) {
        case TrackKind::kGpuPhase:
            return "on the GPU";
        case TrackKind::kCpuThread:
        case TrackKind::kProfiler:
            return std::string(name);
        case TrackKind::kApiThread:
        case TrackKind::kGpuStream:
        case TrackKind::kGpuCopies:
        case TrackKind::kGpuSync:
            return laterParts(name);
        default:
            return {};
    }
}

}  // namespace

TimelineRows::TimelineRows(const Snapshot& snapshot) {
    int y = kTrackGap / 2;
    const auto add = [&](TrackId id) {
        const std::vector<SpanLane> lanes = snapshot.lanesOf(id);
        if (lanes.empty())
            return;
        const TrackInfo& info = snapshot.track(id);
        TimelineTrack track{id,
                            info.kind,
                            labelOf(info.kind, snapshot.name(info.name)),
                            sublabelOf(info.kind, snapshot.name(info.name)),
                            y,
                            0,
                            m_rows.size(),
                            lanes.size()};
        for (const SpanLane& lane : lanes) {
            const int height = rowHeight(info.kind, lane.depth());
            m_rows.push_back({lane.id(), id, info.kind, lane.depth(), y, height});
            y += height + rowGap(info.kind);
        }
        if (!track.sublabel.empty())
            y = std::max(y, track.top + kTwoLineLabelHeight);
        track.height = y - track.top;
        // The step and phase bands belong together and stay close.
        const bool band = info.kind == TrackKind::kStep || info.kind == TrackKind::kPhase;
        y += band ? kBandGap : kTrackGap;
        m_tracks.push_back(std::move(track));
    };
    // The GPU above the CPU: what runs there is what the rest is for.
    for (TrackKind kind : {TrackKind::kStep, TrackKind::kPhase, TrackKind::kModule, TrackKind::kGpuPhase,
                           TrackKind::kGpuStream, TrackKind::kGpuCopies, TrackKind::kGpuSync,
                           TrackKind::kCpuThread, TrackKind::kApiThread, TrackKind::kProfiler}) {
        for (TrackId id : snapshot.tracksOfKind(kind))
            add(id);
    }
    m_height = m_rows.empty() ? 0 : y;
}

std::optional<std::size_t> TimelineRows::rowAt(int y) const {
    const auto after = std::upper_bound(m_rows.begin(), m_rows.end(), y,
                                        [](int value, const TimelineRow& row) { return value < row.top; });
    if (after == m_rows.begin())
        return std::nullopt;
    const TimelineRow& row = *(after - 1);
    if (y >= row.top + row.height)
        return std::nullopt;
    return static_cast<std::size_t>(after - 1 - m_rows.begin());
}

std::optional<std::size_t> TimelineRows::rowOf(LaneId lane) const {
    const auto found =
        std::find_if(m_rows.begin(), m_rows.end(), [&](const TimelineRow& row) { return row.lane == lane; });
    if (found == m_rows.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - m_rows.begin());
}

}  // namespace warpglass::ui
