#include "ui/timeline/timeline_legends.h"

#include <QPainter>
#include <algorithm>
#include <utility>

#include "engine/base/format.h"
#include "ui/controls/family_legend.h"
#include "ui/controls/fitting_text.h"
#include "ui/theme/gpu_colors.h"
#include "ui/theme/legend.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_queries.h"
#include "ui/timeline/timeline_viewport.h"

namespace warpglass::ui {

namespace {

QFont legendFont() {
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    return font;
}

}  // namespace

std::vector<LegendEntry> TimelineLegends::busyLegend() const {
    std::vector<LegendEntry> entries;
    for (const GpuBusy::Part part : kShownGpuParts) {
        const auto& times = m_queries.gpuTimes();
        const bool occurs = times && std::any_of(times->busy.begin(), times->busy.end(),
                                                 [part](const auto& busy) { return busy->has(part); });
        if (occurs)
            entries.push_back({gpuPartColor(part), gpuPartName(part)});
    }
    return entries;
}

LegendHeights TimelineLegends::heights() const {
    return {busyLegendHeight(), static_cast<int>(kLegendRow)};
}

int TimelineLegends::busyLegendHeight() const {
    // Before it is known what occurs there is room for a line: rows do not move when it is, but in a view so
    // narrow that it takes two.
    return std::max(static_cast<int>(kLegendRow),
                    static_cast<int>(legendHeight(busyLegend(), legendFont(), legendWidth())));
}

bool TimelineLegends::setFinding(const QStringList& wordings) {
    return std::exchange(m_finding, wordings) != wordings;
}

void TimelineLegends::paintFinding(QPainter& painter, int top) {
    const std::vector<QRectF> legend = legendPlaces(busyLegend(), legendFont(), legendWidth());
    if (m_finding.isEmpty() || legend.empty())
        return;
    const double left = legend.back().right() + Metrics::kSpace4;
    const QRectF place(left, top + legend.back().top(), legendWidth() - left, kLegendRow);
    const QString shown = fittingText(m_finding, QFontMetricsF(painter.font()), place.width());
    if (!shown.isEmpty() && shown != m_finding.front())
        m_shorterPlace = place;
    painter.setPen(Theme::instance().colors().text);
    painter.drawText(place, Qt::AlignVCenter | Qt::AlignLeft | Qt::TextSingleLine, shown);
}

double TimelineLegends::legendWidth() const {
    return std::max(1, m_viewport.plotArea().width() - kScrollBarWidth);
}

/// What is drawn, so that every color in sight is named and no other; its rows are built already.
std::array<double, kOpFamilyCount> TimelineLegends::familiesInView() {
    std::array<double, kOpFamilyCount> amounts{};
    const auto add = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            const TimelineRow& row = m_viewport.rows().rows()[i];
            const ColorRange colors = colorsOf(row.kind);
            if (row.gpu || !colors.first.family())
                continue;
            const std::vector<TimelineRect>& rects = m_geometry.rects(i);
            for (const TimelineRect& rect : rects) {
                if (const auto family = rect.color.family(); family && !rect.stacked)
                    amounts[static_cast<std::size_t>(*family)] += rect.x1 - rect.x0;
            }
            for (const ColumnStack& stack : m_geometry.stacks(i)) {
                for (std::size_t part = 0; part < colors.count; ++part)
                    amounts[static_cast<std::size_t>(*colors.color(part).family())] +=
                        static_cast<double>(stack.share[part]) * (stack.x1 - stack.x0);
            }
        }
    };
    const auto [first, last] = m_viewport.shownRows();
    add(0, m_viewport.pinnedRows());
    add(first, last);
    return amounts;
}

std::vector<LegendEntry> TimelineLegends::familiesLegend() {
    const std::array<double, kOpFamilyCount> inView = familiesInView();
    const auto& times = m_queries.gpuTimes();
    std::vector<LegendEntry> all;
    for (std::uint8_t family = 0; family < kOpFamilyCount; ++family) {
        LegendEntry entry = familyEntry(static_cast<OpFamily>(family));
        if (inView[family] <= 0)
            entry.color = Theme::instance().muted(entry.color);
        if (inView[family] > 0 || (times && times->kernels.has(family)))
            all.push_back(std::move(entry));
    }
    if (!m_queries.inFigure() && legendHeight(all, legendFont(), legendWidth()) <= kLegendRow)
        return all;
    FamilyLegend legend = familyLegend(inView);
    std::vector<LegendEntry> shown =
        inOneRow(std::move(legend.entries), std::move(legend.weights), legendFont(), legendWidth());
    if (!m_queries.inFigure() || !hasStacksInView())
        return shown;
    std::vector<LegendEntry> explained = shown;
    explained.push_back({QColor(Qt::transparent), QObject::tr("height: share of the time")});
    return legendHeight(explained, legendFont(), legendWidth()) <= kLegendRow ? explained : shown;
}

/// Not for a few spans that are too short to be seen among wide ones.
bool TimelineLegends::hasStacksInView() {
    constexpr double kMuch = 0.1;  // of what a row has
    const auto [first, last] = m_viewport.shownRows();
    for (std::size_t row = first; row < last; ++row) {
        const TimelineRow& shown = m_viewport.rows().rows()[row];
        if (shown.gpu || !colorsOf(shown.kind).first.family())
            continue;
        double bars = 0, stacks = 0;
        for (const TimelineRect& rect : m_geometry.rects(row))
            bars += rect.stacked ? 0 : rect.x1 - rect.x0;
        for (const ColumnStack& stack : m_geometry.stacks(row))
            stacks += stack.x1 - stack.x0;
        if (stacks > kMuch * (bars + stacks))
            return true;
    }
    return false;
}

std::vector<LegendEntry> TimelineLegends::hostLegend() {
    const HostWhileIdle& host = m_queries.host();
    if (host.idle.value <= 0)
        return familiesLegend();
    // Words alone: the color of that wait is the Busy lane's, and in no lane of the host.
    std::vector<LegendEntry> entries{
        {QColor(Qt::transparent), QObject::tr("launching thread while the GPU waits, whole steps:")}};
    std::vector<double> weights{1};
    constexpr double kLeast = 0.01;
    const auto add = [&](LegendEntry entry, Nanoseconds time, double inView) {
        const double share = static_cast<double>(time.value) / static_cast<double>(host.idle.value);
        if (share < kLeast && inView <= 0)
            return;
        entry.name += QLatin1Char(' ') + toQString(formatPercent(share));
        entries.push_back(std::move(entry));
        weights.push_back(share);
    };
    const std::array<double, kOpFamilyCount> inView = familiesInView();
    for (std::size_t family = 0; family < kOpFamilyCount; ++family)
        add(familyEntry(static_cast<OpFamily>(family)), host.ops[family], inView[family]);
    add({Theme::instance().colors().background, QObject::tr("no op")}, host.outside, 0);
    return inOneRow(std::move(entries), std::move(weights), legendFont(), legendWidth());
}

void TimelineLegends::paint(QPainter& painter, double scale) {
    const int pinned = m_viewport.pinnedHeight(), height = m_viewport.plotArea().height();
    m_shorterPlace = {};
    const PainterScope undone(painter);
    painter.scale(scale, scale);
    painter.setFont(legendFont());
    for (const TimelineTrack& track : m_viewport.rows().tracks()) {
        const int top = m_viewport.shownTop(track.legendTop());
        if (track.legendHeight == 0 || top >= height || top + track.legendHeight <= 0)
            continue;
        const PainterScope undone(painter);
        if (pinned > 0 && track.top >= pinned)
            painter.setClipRect(QRect(0, pinned, m_viewport.plotArea().width(), height - pinned),
                                Qt::IntersectClip);
        paintLegend(painter, QRectF(0, top, legendWidth(), track.legendHeight),
                    track.gpu                             ? busyLegend()
                    : track.kind == TrackKind::kCpuThread ? hostLegend()
                                                          : familiesLegend());
        if (track.gpu)
            paintFinding(painter, top);
    }
}

}  // namespace warpglass::ui
