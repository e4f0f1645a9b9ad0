#include "ui/timeline/timeline_rows.h"

#include <algorithm>
#include <charconv>
#include <map>

#include "engine/query/activity/gpu_idle.h"
#include "engine/query/completeness/completeness.h"
#include "ui/timeline/busy_key.h"
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

/// "CUPTI, driver" of "CUPTI and driver": so much fits a label.
std::string listed(std::string_view name) {
    constexpr std::string_view kAnd = " and ";
    std::string words(name);
    if (const auto found = words.find(kAnd); found != std::string::npos)
        words.replace(found, kAnd.size(), ", ");
    return words;
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
            return "Host ops";
        case TrackKind::kProfiler:
            return "Profiler";
        case TrackKind::kGpuSync:
            // The stored name says who recorded them, not who waits for what.
            return "Host waits";
        case TrackKind::kApiThread:
        case TrackKind::kGpuStream:
        case TrackKind::kGpuCopies:
            return firstPart(name);
    }
    return "Track";  // a kind of a newer version's file
}

/// Where a GPU does the work, of its threads how busy they are and what with is asked first; their lanes,
/// some six a thread, would push each other and the calls out of sight. Without a GPU the ops are the work.
/// A run that is being recorded states it before the first kernel comes, so that its rows stay as they are.
bool foldsThreadsAtFirst(const Snapshot& snapshot, const std::vector<std::string>& gpus) {
    return !gpus.empty() || Completeness(snapshot).statesKernels();
}

/// "blocks.0–47": the modules that are called by their number, which stands alone in a narrow bar. The
/// longest such list of the run.
std::string numberedModules(const Snapshot& snapshot) {
    std::map<std::string_view, int> last;  // number of each list
    std::set<std::string_view> modules;
    for (std::uint32_t id = 0; id < snapshot.placeCount(); ++id)
        modules.insert(snapshot.name(snapshot.place(PlaceId(id)).module));
    for (const std::string_view name : modules) {
        const auto dot = name.find('.');
        int number = 0;
        if (dot == 0 || dot == std::string_view::npos ||
            name.find_first_not_of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ_") != dot)
            continue;
        const auto [end, error] = std::from_chars(name.data() + dot + 1, name.data() + name.size(), number);
        if (error == std::errc() && end == name.data() + name.size() && number >= 0)
            last[name.substr(0, dot)] = std::max(last[name.substr(0, dot)], number);
    }
    const auto longest = std::ranges::max_element(last, {}, &decltype(last)::value_type::second);
    return longest == last.end() || longest->second == 0
               ? std::string()
               : std::string(longest->first) + ".0–" + std::to_string(longest->second);
}

std::string sublabelOf(const Snapshot& snapshot, TrackKind kind, std::string_view name) {
    switch (kind) {
        case TrackKind::kModule:
            return numberedModules(snapshot);
        case TrackKind::kGpuPhase:
            return "on the GPU";
        case TrackKind::kCpuThread:
            return std::string(name == "main" ? "main thread" : name);
        case TrackKind::kProfiler:
            return listed(name);
        case TrackKind::kGpuSync:
            return "for the GPU";
        case TrackKind::kApiThread:
        case TrackKind::kGpuStream:
        case TrackKind::kGpuCopies:
            return laterParts(name);
        default:
            return {};
    }
}

}  // namespace

TimelineRows::TimelineRows(const Snapshot& snapshot, const RowArrangement& arrangement,
                           LegendHeights legends) {
    // The GPU above the CPU: what runs there is what the rest is for.
    struct Natural {
        TrackId track;
        std::optional<std::uint32_t> gpu;
    };
    std::vector<Natural> natural;
    const std::vector<std::string> gpus = gpusOf(snapshot);
    const auto name = [&](Natural track, std::string key) {
        natural.push_back(track);
        while (std::ranges::find(m_keys, key) != m_keys.end())
            key += '+';  // a second track of that name
        m_keys.push_back(std::move(key));
    };
    for (TrackKind kind : {TrackKind::kStep, TrackKind::kPhase, TrackKind::kModule, TrackKind::kGpuPhase,
                           TrackKind::kGpuStream, TrackKind::kGpuCopies, TrackKind::kGpuSync,
                           TrackKind::kCpuThread, TrackKind::kApiThread, TrackKind::kProfiler}) {
        if (kind == TrackKind::kGpuPhase) {
            for (std::uint32_t gpu = 0; gpu < gpus.size(); ++gpu)
                name({TrackId(), gpu}, busyKeyOf(gpus[gpu]));
        }
        for (TrackId id : snapshot.tracksOfKind(kind)) {
            if (!snapshot.lanesOf(id).empty())
                name({id, {}}, RowArrangement::keyOf(kind, snapshot.name(snapshot.track(id).name)));
        }
    }
    int y = kTrackGap / 2;
    const std::vector<std::size_t> shown = arrangement.shown(m_keys);
    const bool foldsThreads = foldsThreadsAtFirst(snapshot, gpus);
    std::vector<std::size_t> named;  // the tracks with the families' legend
    for (const TrackKind kind : {TrackKind::kGpuStream, TrackKind::kCpuThread}) {
        const auto found = std::ranges::find_if(shown, [&](std::size_t i) {
            return !natural[i].gpu && snapshot.track(natural[i].track).kind == kind;
        });
        if (found != shown.end())
            named.push_back(*found);
    }
    for (const std::size_t i : shown) {
        const bool pinned = arrangement.isPinned(m_keys[i]);
        if (const auto gpu = natural[i].gpu)
            addBusy(*gpu, gpus[*gpu], m_keys[i], pinned, std::exchange(legends.busy, 0), y);
        else
            add(snapshot, natural[i].track, m_keys[i],
                arrangement.isFolded(m_keys[i], foldsThreads && snapshot.track(natural[i].track).kind ==
                                                                    TrackKind::kCpuThread),
                pinned, std::ranges::count(named, i) > 0 ? legends.families : 0, y);
        if (pinned) {
            m_pinnedTracks = m_tracks.size();
            m_pinnedRows = m_rows.size();
            m_pinnedHeight = y;
        }
    }
    m_height = m_rows.empty() ? 0 : y;
}

void TimelineRows::addBusy(std::uint32_t gpu, const std::string& name, std::string key, bool pinned,
                           int legendHeight, int& y) {
    TimelineTrack track;
    track.kind = TrackKind::kGpuStream;
    track.label = name + " busy";
    track.top = y;
    track.firstRow = m_rows.size();
    track.laneCount = 1;
    track.key = std::move(key);
    track.pinned = pinned;
    track.gpu = gpu;
    m_rows.push_back({LaneId(), TrackId(), track.kind, 0, y, kBusyRowHeight, false, gpu});
    track.legendHeight = legendHeight;
    y += kBusyRowHeight + (legendHeight > 0 ? legendHeight : rowGap(track.kind));
    track.height = y - track.top;
    y += kTrackGap;
    m_tracks.push_back(std::move(track));
}

void TimelineRows::add(const Snapshot& snapshot, TrackId id, std::string key, bool folded, bool pinned,
                       int legendHeight, int& y) {
    const std::vector<SpanLane> lanes = snapshot.lanesOf(id);
    const TrackInfo& info = snapshot.track(id);
    TimelineTrack track;
    track.track = id;
    track.kind = info.kind;
    track.label = labelOf(info.kind, snapshot.name(info.name));
    track.sublabel = sublabelOf(snapshot, info.kind, snapshot.name(info.name));
    track.top = y;
    track.firstRow = m_rows.size();
    track.laneCount = lanes.size();
    track.key = std::move(key);
    track.folded = folded && lanes.size() > 1;
    track.pinned = pinned;
    const bool strip = track.folded && info.kind != TrackKind::kModule;
    for (const SpanLane& lane : lanes) {
        if (!track.folded || m_rows.size() == track.firstRow) {
            const int height = strip ? kStackRowHeight : rowHeight(info.kind, lane.depth());
            m_rows.push_back({lane.id(), id, info.kind, lane.depth(), y, height, strip});
            y += height + rowGap(info.kind);
        }
        m_rowOfLane.emplace_back(lane.id(), m_rows.size() - 1);
    }
    if (!track.sublabel.empty())
        y = std::max(y, track.top + kTwoLineLabelHeight);
    track.legendHeight = legendHeight;
    y += legendHeight;
    track.height = y - track.top;
    // The step and phase bands belong together and stay close.
    const bool band = info.kind == TrackKind::kStep || info.kind == TrackKind::kPhase;
    y += band ? kBandGap : kTrackGap;
    m_tracks.push_back(std::move(track));
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
    const auto found = std::ranges::find(m_rowOfLane, lane, &std::pair<LaneId, std::size_t>::first);
    return found == m_rowOfLane.end() ? std::nullopt : std::optional(found->second);
}

std::optional<std::size_t> TimelineRows::busyRow(std::uint32_t gpu) const {
    const auto found = std::ranges::find(m_rows, gpu, &TimelineRow::gpu);
    if (found == m_rows.end())
        return std::nullopt;
    return static_cast<std::size_t>(found - m_rows.begin());
}

std::optional<std::size_t> TimelineRows::trackAt(int y) const {
    const auto after =
        std::upper_bound(m_tracks.begin(), m_tracks.end(), y,
                         [](int value, const TimelineTrack& track) { return value < track.top; });
    if (after == m_tracks.begin() || y >= m_height)
        return std::nullopt;
    return static_cast<std::size_t>(after - 1 - m_tracks.begin());
}

std::optional<std::size_t> TimelineRows::trackOf(const std::string& key) const {
    for (std::size_t i = 0; i < m_tracks.size(); ++i) {
        if (m_tracks[i].key == key)
            return i;
    }
    return std::nullopt;
}

std::optional<std::size_t> TimelineRows::trackOf(const TimelineRow& row) const {
    for (std::size_t i = 0; i < m_tracks.size(); ++i) {
        if (m_tracks[i].track == row.track && m_tracks[i].gpu == row.gpu)
            return i;
    }
    return std::nullopt;
}

std::optional<std::size_t> TimelineRows::trackOf(TrackId track) const {
    for (std::size_t i = 0; i < m_tracks.size(); ++i) {
        if (m_tracks[i].track == track)
            return i;
    }
    return std::nullopt;
}

std::set<std::string> emptyTracks(const TimelineRows& rows, const Snapshot& snapshot, TimeRange range) {
    const auto isIn = [&](const SpanLane& lane) {
        return lane.firstEndingAfter(range.begin) < lane.firstStartingAt(range.end) ||
               std::ranges::any_of(snapshot.openSpans(), [&](const OpenSpan& span) {
                   return span.lane == lane.id() && span.start < range.end.value;
               });
    };
    std::set<std::string> empty;
    for (const TimelineTrack& track : rows.tracks()) {
        const std::vector<SpanLane> lanes =
            track.gpu ? std::vector<SpanLane>() : snapshot.lanesOf(track.track);
        if (!track.gpu && std::ranges::none_of(lanes, isIn))
            empty.insert(track.key);
    }
    return empty.size() < rows.tracks().size() ? empty : std::set<std::string>();
}

}  // namespace warpglass::ui
