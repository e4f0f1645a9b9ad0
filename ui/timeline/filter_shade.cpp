#include "ui/timeline/filter_shade.h"

#include <algorithm>

#include "engine/query/spans/module_group.h"
#include "engine/query/spans/text_match.h"
#include "ui/models/run_filter.h"
#include "ui/models/span_details.h"

namespace warpglass::ui {

namespace {

bool isOfGpu(TrackKind kind) {
    return isGpuTrack(kind) || kind == TrackKind::kGpuPhase || kind == TrackKind::kGpuSync;
}

/// Finds the columns of rows that pass. From afar by blocks of the mip-map that lie on no more columns than a
/// merged run, without reading the rows.
class CountingColumns {
public:
    CountingColumns(const PassingRows& passing, const ColumnMap& map)
        : m_passing(passing), m_map(map), m_counts(static_cast<std::size_t>(map.width())) {}

    void add(const SpanLane& lane) {
        std::uint64_t row = lane.firstEndingAfter(m_map.range().begin);
        while ((row = m_passing.next(lane.id(), row)) < lane.rows())
            row = addRow(lane, row);
    }
    const std::vector<bool>& counts() const { return m_counts; }

private:
    /// A row that passes, or all of the block that it is in. Returns the row to go on with.
    std::uint64_t addRow(const SpanLane& lane, std::uint64_t row) {
        const auto c = static_cast<std::size_t>(row / kChunkRows);
        const std::uint64_t first = row / kChunkRows * kChunkRows, within = row - first;
        const SpanMip& mip = lane.mip(c);
        for (const std::uint32_t rows : {kSuperBlockRows, kBlockRows}) {
            const std::uint64_t at = within / rows, end = (at + 1) * rows;
            if (end <= lane.rowsInChunk(c) &&
                addBlock(rows == kBlockRows ? mip.blocks[at] : mip.superBlocks[at]))
                return first + end;
        }
        const auto span = lane.row(row);
        if (!span)
            return first + kChunkRows;
        if (span->start >= m_map.range().end.value)
            return lane.rows();
        const int x0 = m_map.columnOf(span->start);
        const int x1 = std::max(x0 + 1, m_map.endColumnOf(span->end()));
        std::fill(m_counts.begin() + x0, m_counts.begin() + x1, true);
        return row + 1;
    }
    /// False where its rows must be asked.
    bool addBlock(const SpanSummary& sum) {
        if (sum.count == 0 || sum.end > m_map.range().end.value)
            return false;
        const int x0 = m_map.columnOf(sum.start), x1 = std::max(x0 + 1, m_map.endColumnOf(sum.end));
        const auto begin = m_counts.begin() + x0, end = m_counts.begin() + x1;
        if (x1 - x0 <= kRunColumns)
            std::fill(begin, end, true);
        // Nor do rows tell more where all count.
        return x1 - x0 <= static_cast<int>(kBlockRows) && std::find(begin, end, false) == end;
    }

    const PassingRows& m_passing;
    const ColumnMap& m_map;
    std::vector<bool> m_counts;
};

}  // namespace

FilterShade::FilterShade(const RunFilter& filter, std::shared_ptr<const Snapshot> snapshot)
    : m_snapshot(std::move(snapshot)) {
    const RunFilter::State& state = filter.state();
    m_extent = filter.extent();
    m_conditions = {state.phase, state.module, state.name, state.text.toStdString(), {}, {}};
    const auto picked = state.span ? describeSpan(*m_snapshot, *state.span) : std::nullopt;
    if (picked && picked->kind == TrackKind::kModule) {
        m_conditions.gpuModule = picked->module;
        m_conditions.gpuPart = picked->part;
    }
    m_words = filter.words().all();
    m_places.resize(m_snapshot->placeCount());
    m_texts.resize(m_snapshot->nameCount());
    m_textPlaces.resize(m_snapshot->placeCount());
    m_names = idsOfNames(*m_snapshot, state.name);
}

const std::optional<TimeRange>& FilterShade::rangeOf(TrackKind kind) const {
    return isOfGpu(kind) ? m_extent.gpu : m_extent.host;
}

KeptX FilterShade::kept(TrackKind kind, const ColumnMap& map) const {
    const auto& range = rangeOf(kind);
    if (!range)
        return {};
    const TimeRange shown = map.range();
    const auto edge = [&](Nanoseconds t, int column) {
        return t <= shown.begin ? 0 : t >= shown.end ? map.width() : column;
    };
    return {static_cast<double>(edge(range->begin, map.columnOf(range->begin.value))),
            static_cast<double>(edge(range->end, map.endColumnOf(range->end.value)))};
}

bool FilterShade::leavesOut(const TimelineRow& row, const TimelineRect& rect) {
    const auto& range = rangeOf(row.kind);
    const bool outside = range && (rect.end <= range->begin.value || rect.begin >= range->end.value);
    return outside || fades(row, rect);
}

bool FilterShade::isUnsure(const TimelineRow& row, const TimelineRect& rect) const {
    const bool judged =
        row.kind != TrackKind::kStep && row.kind != TrackKind::kGpuSync && row.kind != TrackKind::kProfiler;
    return rect.merged() && !row.gpu && m_conditions.any() && judged && !passing(row, rect);
}

std::optional<std::uint64_t> FilterShade::passing(const TimelineRow& row, const TimelineRect& rect) const {
    return m_passing && rect.merged() ? m_passing->count(row.lane, rect.firstRow, rect.count) : std::nullopt;
}

std::vector<bool> FilterShade::countingColumns(const TimelineRow& strip, const ColumnMap& map) const {
    if (!m_passing)
        return std::vector<bool>(static_cast<std::size_t>(map.width()), true);
    CountingColumns columns(*m_passing, map);
    for (const SpanLane& lane : m_snapshot->lanesOf(strip.track))
        columns.add(lane);
    return columns.counts();
}

bool FilterShade::judge(const TimelineRow& row, const TimelineRect& rect) {
    if (row.gpu)
        return false;  // of no module, as waits are
    if (const auto counting = passing(row, rect))
        return *counting == 0;
    switch (row.kind) {
        case TrackKind::kPhase:
        case TrackKind::kGpuPhase:
            return m_conditions.phase && m_snapshot->place(rect.place).phase != *m_conditions.phase;
        case TrackKind::kModule:
            return moduleRowFails(rect.place);
        case TrackKind::kApiThread:
            return placeFails(rect.place);
        case TrackKind::kGpuStream:
        case TrackKind::kGpuCopies:
            return placeFails(rect.place) || pickedFails(rect.place) || nameFails(row, rect);
        case TrackKind::kCpuThread:
            return placeFails(rect.place) || nameFails(row, rect);
        case TrackKind::kStep:
        case TrackKind::kGpuSync:
        case TrackKind::kProfiler:
            break;
    }
    return false;
}

bool FilterShade::placeFails(PlaceId id) {
    Verdict unkept = Verdict::kUnknown;
    Verdict& verdict = id.value < m_places.size() ? m_places[id.value] : unkept;
    if (verdict == Verdict::kUnknown) {
        const Place place = m_snapshot->place(id);
        const bool counts =
            (!m_conditions.phase || place.phase == *m_conditions.phase) &&
            (m_conditions.module.empty() || isWithin(m_snapshot->name(place.module), m_conditions.module));
        verdict = counts ? Verdict::kCounts : Verdict::kLeftOut;
    }
    return verdict == Verdict::kLeftOut;
}

bool FilterShade::pickedFails(PlaceId id) const {
    if (m_conditions.gpuModule.empty())
        return false;
    const Place place = m_snapshot->place(id);
    return !isWithin(m_snapshot->name(place.module), m_conditions.gpuModule) ||
           (!m_conditions.gpuPart.empty() && m_snapshot->name(place.part) != m_conditions.gpuPart);
}

bool FilterShade::moduleRowFails(PlaceId id) const {
    const Place place = m_snapshot->place(id);
    if (m_conditions.phase && place.phase != *m_conditions.phase)
        return true;
    const std::string_view path = m_snapshot->name(place.module);
    return !m_conditions.module.empty() && !isWithin(path, m_conditions.module) &&
           !isWithin(m_conditions.module, path);
}

bool FilterShade::isNamed(NameId id) const {
    return m_conditions.name.empty() || (id.index() < m_names.size() && m_names[id.index()] != 0);
}

bool FilterShade::hasText(NameId id) {
    if (m_conditions.text.empty())
        return true;
    if (!id.valid())
        return false;
    Verdict unkept = Verdict::kUnknown;
    Verdict& verdict = id.value < m_texts.size() ? m_texts[id.value] : unkept;
    if (verdict == Verdict::kUnknown) {
        const bool counts = containsText(m_snapshot->name(id), m_conditions.text);
        verdict = counts ? Verdict::kCounts : Verdict::kLeftOut;
    }
    return verdict == Verdict::kCounts;
}

bool FilterShade::hasText(PlaceId id) {
    Verdict unkept = Verdict::kUnknown;
    Verdict& verdict = id.value < m_textPlaces.size() ? m_textPlaces[id.value] : unkept;
    if (verdict == Verdict::kUnknown) {
        const bool counts = placeHasText(*m_snapshot, m_snapshot->place(id), m_conditions.text);
        verdict = counts ? Verdict::kCounts : Verdict::kLeftOut;
    }
    return verdict == Verdict::kCounts;
}

/// A kernel may have its name of the op that launched it, and the text in its own, or the other way round.
bool FilterShade::nameFails(const TimelineRow& row, const TimelineRect& rect) {
    const bool named = isNamed(rect.name), found = hasText(rect.name) || hasText(rect.place);
    if (named && found)
        return false;
    if (row.kind == TrackKind::kCpuThread || rect.open())
        return true;
    if (rect.merged())
        return false;
    const auto span = m_snapshot->lane(row.lane).row(rect.row);
    const auto detail = span ? m_snapshot->detail(span->detail) : std::nullopt;
    return !detail || !(named || isNamed(detail->op)) || !(found || hasText(detail->op));
}

}  // namespace warpglass::ui
