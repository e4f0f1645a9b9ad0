#include "ui/memory/phase_bands.h"

#include <QFontMetricsF>
#include <QPainter>
#include <algorithm>
#include <bitset>

#include "engine/base/format.h"
#include "ui/charts/chart_text.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Between a bar's edges and its name.
constexpr double kNamePadding = 4;

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

std::vector<PhaseBar> phaseBars(const QRectF& row, const std::vector<PhaseBand>& bands, TimeRange visible,
                                const std::function<double(Nanoseconds)>& xOf, const QPaintDevice& device) {
    constexpr double kLeastWidth = 24, kLine = 12;
    const QFontMetricsF metrics(chartFont(), &device);
    std::vector<PhaseBar> bars;
    bars.reserve(bands.size());
    for (const PhaseBand& band : bands) {
        const double left = xOf(std::max(band.range.begin, visible.begin));
        const double right = xOf(std::min(band.range.end, visible.end));
        const QRectF rect(left, row.top(), std::max(1.0, right - left - 1), row.height());
        const bool named =
            rect.width() >= kLeastWidth && rect.height() >= kLine &&
            metrics.horizontalAdvance(toQString(phaseName(band.phase))) + 2 * kNamePadding <= rect.width();
        bars.push_back({rect, band.phase, named});
    }
    return bars;
}

void paintPhaseBars(QPainter& painter, const std::vector<PhaseBar>& bars, KeptX kept) {
    const Theme& theme = Theme::instance();
    painter.setFont(chartFont());
    for (const PhaseBar& bar : bars) {
        kept.paintParts(painter, bar.rect, [&](bool counts) {
            const QColor color =
                counts ? theme.phaseColor(bar.phase) : theme.muted(theme.phaseColor(bar.phase));
            painter.fillRect(bar.rect, color);
            if (!bar.named)
                return;
            painter.setPen(Theme::textOn(color));
            painter.drawText(bar.rect.adjusted(kNamePadding, 0, -kNamePadding, 0),
                             Qt::AlignLeft | Qt::AlignVCenter, toQString(phaseName(bar.phase)));
        });
    }
}

std::vector<LegendEntry> unnamedPhases(const std::vector<PhaseBar>& bars) {
    std::bitset<kPhaseCount> drawn, named;
    for (const PhaseBar& bar : bars) {
        drawn.set(static_cast<std::size_t>(bar.phase));
        if (bar.named)
            named.set(static_cast<std::size_t>(bar.phase));
    }
    std::vector<QColor> colors;
    std::vector<std::vector<std::string>> names;
    for (std::size_t phase = 0; phase < kPhaseCount; ++phase) {
        if (!drawn[phase] || named[phase])
            continue;
        const QColor color = Theme::instance().phaseColor(static_cast<Phase>(phase));
        const auto at = static_cast<std::size_t>(std::ranges::find(colors, color) - colors.begin());
        if (at == colors.size()) {
            colors.push_back(color);
            names.emplace_back();
        }
        names[at].emplace_back(kPhaseNames[phase]);
    }
    std::vector<LegendEntry> entries;
    for (std::size_t i = 0; i < colors.size(); ++i)
        entries.push_back(
            {colors[i], toQString(listed(names[i]) + (names[i].size() > 1 ? " phases" : " phase"))});
    return entries;
}

}  // namespace warpglass::ui
