#include "ui/charts/phase_bands.h"

#include <algorithm>

#include "ui/theme/theme.h"

namespace warpglass::ui {

std::vector<PhaseBand> phaseBands(const Snapshot& snapshot, TimeRange range, Nanoseconds shortest) {
    std::vector<PhaseBand> bands;
    const auto add = [&](NameId name, TimeRange span) {
        const auto found = std::find(kPhaseNames.begin(), kPhaseNames.end(), snapshot.name(name));
        if (found != kPhaseNames.end() && span.overlaps(range) && span.duration() >= shortest)
            bands.push_back({span, static_cast<Phase>(found - kPhaseNames.begin())});
    };
    for (const TrackId track : snapshot.tracksOfKind(TrackKind::kPhase)) {
        for (const SpanLane& lane : snapshot.lanesOf(track)) {
            for (std::uint64_t i = lane.firstEndingAfter(range.begin); i < lane.rows(); ++i) {
                const auto row = lane.row(i);
                if (row && row->start >= range.end.value)
                    break;
                if (row)
                    add(row->name, {Nanoseconds(row->start), Nanoseconds(row->end())});
            }
        }
    }
    for (const OpenSpan& open : snapshot.openSpans()) {
        if (snapshot.track(snapshot.lane(open.lane).track()).kind == TrackKind::kPhase)
            add(open.name, {Nanoseconds(open.start), snapshot.range().end + Nanoseconds(1)});
    }
    return bands;
}

QColor phaseBandColor(Phase phase) {
    QColor color = Theme::instance().phaseColor(phase);
    color.setAlphaF(Theme::instance().kind() == ThemeKind::kDark ? 0.28F : 0.40F);
    return color;
}

}  // namespace warpglass::ui
