#include "ui/charts/phase_bands.h"

#include <algorithm>

#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

/// The row to go on with after `row`: of a lane of very many phases, blocks whose longest is too short are
/// passed over as a whole.
std::uint64_t nextRow(const SpanLane& lane, std::uint64_t row, TimeRange range, Nanoseconds shortest) {
    const auto c = static_cast<std::size_t>(row / kChunkRows);
    const auto passes = [&](const SpanSummary& sum, std::uint64_t rows) {
        return row % rows == 0 && row + rows <= lane.rows() && sum.count > 0 && sum.start < range.end.value &&
               sum.longestDuration < shortest.value;
    };
    const std::uint64_t within = row % kChunkRows;
    if (passes(lane.mip(c).superBlocks[within / kSuperBlockRows], kSuperBlockRows))
        return row + kSuperBlockRows;
    if (passes(lane.mip(c).blocks[within / kBlockRows], kBlockRows))
        return row + kBlockRows;
    return row;
}

}  // namespace

std::vector<PhaseBand> phaseBands(const Snapshot& snapshot, TimeRange range, Nanoseconds shortest,
                                  TrackKind kind) {
    std::vector<PhaseBand> bands;
    const auto add = [&](NameId name, TimeRange span) {
        if (!span.overlaps(range) || span.duration() < shortest)
            return;
        const auto found = std::find(kPhaseNames.begin(), kPhaseNames.end(), snapshot.name(name));
        if (found != kPhaseNames.end())
            bands.push_back({span, static_cast<Phase>(found - kPhaseNames.begin())});
    };
    for (const TrackId track : snapshot.tracksOfKind(kind)) {
        for (const SpanLane& lane : snapshot.lanesOf(track)) {
            std::uint64_t i = lane.firstEndingAfter(range.begin);
            while (i < lane.rows()) {
                if (const std::uint64_t next = nextRow(lane, i, range, shortest); next != i) {
                    i = next;
                    continue;
                }
                const auto row = lane.row(i++);
                if (row && row->start >= range.end.value)
                    break;
                if (row)
                    add(row->name, {Nanoseconds(row->start), Nanoseconds(row->end())});
            }
        }
    }
    for (const OpenSpan& open : snapshot.openSpans()) {
        if (snapshot.track(snapshot.lane(open.lane).track()).kind == kind)
            add(open.name, {Nanoseconds(open.start), snapshot.range().end + Nanoseconds(1)});
    }
    return bands;
}

std::vector<PhaseBand> gpuPhasesAlone(const Snapshot& snapshot, TimeRange range, Nanoseconds shortest,
                                      std::vector<PhaseBand> host) {
    const auto byTime = [](const PhaseBand& a, const PhaseBand& b) { return a.range.begin < b.range.begin; };
    std::vector<PhaseBand> gpu = phaseBands(snapshot, range, shortest, TrackKind::kGpuPhase), alone;
    std::sort(host.begin(), host.end(), byTime);
    std::sort(gpu.begin(), gpu.end(), byTime);
    const auto add = [&](TimeRange left, Phase phase) {
        if (left.begin < left.end && left.duration() >= shortest)
            alone.push_back({left, phase});
    };
    auto next = host.begin();
    for (const PhaseBand& band : gpu) {
        while (next != host.end() && next->range.end <= band.range.begin)
            ++next;
        TimeRange left{std::max(band.range.begin, range.begin), std::min(band.range.end, range.end)};
        for (auto at = next; at != host.end() && at->range.begin < left.end; ++at) {
            add({left.begin, at->range.begin}, band.phase);
            left.begin = std::max(left.begin, at->range.end);
        }
        add(left, band.phase);
    }
    return alone;
}

QColor phaseBandColor(Phase phase) {
    // Mixed here and not translucent: tall translucent fills are slow (ui/theme/veil.h), and bands are many.
    const QColor over = Theme::instance().phaseColor(phase), under = Theme::instance().colors().background;
    // As much of it as tells any two apart (tests/unit/theme/color_vision_test.cpp).
    const float share = Theme::instance().kind() == ThemeKind::kDark ? 0.45F : 0.56F;
    const auto mix = [share](float from, float to) { return from + (to - from) * share; };
    return QColor::fromRgbF(mix(under.redF(), over.redF()), mix(under.greenF(), over.greenF()),
                            mix(under.blueF(), over.blueF()));
}

}  // namespace warpglass::ui
