#include "ui/timeline/timeline_body.h"

#include <QPaintEngine>
#include <QPainter>
#include <QWidget>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/models/run_document.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/stack_pixels.h"
#include "ui/timeline/time_ruler.h"
#include "ui/timeline/timeline_painter.h"
#include "ui/timeline/timeline_queries.h"

namespace warpglass::ui {

namespace {

/// Finer columns than this are finer than any screen: a page for print (a scale of 12 and more) need not have
/// them, and rectangles grow with them.
constexpr double kMaxScale = 4.0;

}  // namespace

void TimelineBody::forgetRun() {
    m_readAhead.giveUp();
    m_readAheadFor = {};
    m_geometry.clear();
    m_painter.forgetNames();
    invalidate();
}

void TimelineBody::takeGpuTimes() {
    m_geometry.setGpuTimes(m_queries.gpuTimes());
}

void TimelineBody::takeHostTimes() {
    m_geometry.setHostTimes(m_queries.hostTimes());
}

void TimelineBody::refreshGeometry(double scale) {
    const int columns = std::max(1, static_cast<int>(std::lround(m_viewport.plotArea().width() * scale)));
    m_geometry.update(m_document.snapshot(), m_viewport.rows().rows(), m_axis.visibleRange(), columns, scale);
}

std::optional<TimelineHit> TimelineBody::hitTest(QPoint position) {
    const QRect plot = m_viewport.plotArea();
    if (!plot.contains(position) || !m_document.snapshot())
        return std::nullopt;
    auto row = m_viewport.rows().rowAt(m_viewport.contentY(position.y() - plot.top()));
    if (!row)
        return std::nullopt;
    const double scale = std::min(m_view.devicePixelRatioF(), kMaxScale);
    refreshGeometry(scale);
    // The middle of the pixel under the cursor; two logical pixels beside a narrow span still mean it.
    const int column = static_cast<int>((position.x() - plot.left() + 0.5) * scale);
    const int reach = static_cast<int>(2 * scale);
    const std::vector<TimelineRow>& rows = m_viewport.rows().rows();
    if (const GpuBusy* const busy = m_geometry.busyOf(rows[*row])) {
        const auto rect = busyRect(*busy, m_viewport.timeAt(position.x() + 0.5), m_geometry.map());
        return rect ? std::optional(TimelineHit{rows[*row], *rect}) : std::nullopt;
    }
    if (rows[*row].gpu)
        return std::nullopt;
    // All of a strip is one thing to click, whose tool tip is about the column.
    if (rows[*row].strip)
        return TimelineHit{rows[*row],
                           {.x0 = column,
                            .x1 = column + 1,
                            .firstRow = TimelineRect::kOpenRow,
                            .row = TimelineRect::kOpenRow,
                            .begin = m_axis.visibleRange().begin.value,
                            .end = m_axis.visibleRange().end.value}};
    const TimelineRect* rect = m_geometry.rectAt(*row, column, reach);
    if (!rect)
        return std::nullopt;
    return TimelineHit{rows[*row], *rect};
}

std::optional<SelectedIdle> TimelineBody::idleAt(const TimelineHit& hit) const {
    const GpuBusy* const busy = m_geometry.busyOf(hit.row);
    const auto stretch = busy ? busy->at(hit.rect.begin) : std::nullopt;
    if (!stretch || stretch->part == GpuBusy::Part::kBusy || stretch->part == GpuBusy::Part::kOutside)
        return std::nullopt;
    return SelectedIdle{*hit.row.gpu, *stretch};
}

QString TimelineBody::toolTipOf(const TimelineHit& hit) {
    if (const GpuBusy* const busy = m_geometry.busyOf(hit.row)) {
        const Nanoseconds moment = m_axis.cursor().value_or(Nanoseconds(hit.rect.begin));
        const int column = m_geometry.logicalMap().columnOf(moment.value);
        return busyText(*m_document.snapshot(), *busy, *hit.row.gpu, hit.rect,
                        {Nanoseconds(m_geometry.logicalMap().startLimit(column)),
                         Nanoseconds(m_geometry.logicalMap().startLimit(column + 1))},
                        m_axis.clock());
    }
    if (hit.row.strip)
        return stripToolTip(hit);
    const QString text = tooltipText(*m_document.snapshot(), hit.row, hit.rect, m_axis.clock());
    FilterShade& shade = m_queries.shade();
    const bool out = shade.leavesOut(hit.row, hit.rect);
    if (const auto counting = shade.passing(hit.row, hit.rect);
        counting && !out && *counting < hit.rect.count)
        return text + QLatin1Char('\n') +
               QObject::tr("%1 of them count; the filter is %2")
                   .arg(toQString(formatGrouped(static_cast<std::int64_t>(*counting))), shade.words());
    if (shade.isUnsure(hit.row, hit.rect))
        return text + QLatin1Char('\n') +
               (out ? QObject::tr(
                          "The longest is excluded; zoom in to see which of the others count. The filter is "
                          "%1")
                    : QObject::tr("Zoom in to see which of them count. The filter is %1"))
                   .arg(shade.words());
    return out ? text + QLatin1Char('\n') + QObject::tr("Excluded by the filter: %1").arg(shade.words())
               : text;
}

QString TimelineBody::stripToolTip(const TimelineHit& hit) {
    const TimelineRows& rows = m_viewport.rows();
    const auto row = rows.rowOf(hit.row.lane);
    const auto track = rows.trackOf(hit.row);
    if (!row || !track)
        return {};
    const std::vector<ColumnStack>& stacks = m_geometry.stacks(*row);
    const auto stack = std::ranges::find_if(
        stacks, [&](const ColumnStack& of) { return of.x0 <= hit.rect.x0 && hit.rect.x0 < of.x1; });
    const Nanoseconds column(std::llround(m_geometry.logicalMap().nanosecondsPerColumn()));
    return stripText(rows.tracks()[*track], stack == stacks.end() ? ColumnStack() : *stack, column);
}

void TimelineBody::paint(QPainter& painter) {
    // Not devicePixelRatioF(): the view may be drawn into an image or a page of another resolution.
    const double scale = std::clamp(painter.deviceTransform().m11(), 1.0, kMaxScale);
    refreshGeometry(scale);
    if (painter.paintEngine()->type() == QPaintEngine::Raster) {
        paintCached(painter, scale);
        readAhead();
        return;
    }
    const PainterScope undone(painter);
    painter.setClipRect(m_viewport.plotArea());
    painter.translate(m_viewport.plotArea().topLeft());
    painter.scale(1 / scale, 1 / scale);
    paintRows(painter, nullptr, scale);
}

void TimelineBody::paintCached(QPainter& painter, double scale) {
    const auto [first, last] = m_viewport.shownRows();
    m_geometry.build(0, m_viewport.pinnedRows());
    m_geometry.build(first, last);
    const QSize size(m_geometry.map().width(),
                     static_cast<int>(std::ceil(m_viewport.plotArea().height() * scale)));
    m_queries.shade();
    const ImageKey key{
        m_geometry.builds(), m_viewport.scrollTop(), m_axis.visibleRange(), m_axis.selectedRange(), size,
        m_queries.shades()};
    if (m_imageKey != key) {
        if (m_image.size() != size)
            m_image = QImage(size, QImage::Format_RGB32);
        m_image.setDevicePixelRatio(1);
        StackPixels pixels(m_image);
        QPainter body(&m_image);
        paintRows(body, &pixels, scale);
        body.end();
        m_imageKey = key;
    }
    m_image.setDevicePixelRatio(scale);
    painter.drawImage(m_viewport.plotArea().topLeft(), m_image);
}

void TimelineBody::paintRows(QPainter& painter, StackPixels* pixels, double scale) {
    const QRect plot = m_viewport.plotArea();
    const int height = static_cast<int>(std::ceil(plot.height() * scale));
    const ColumnMap& map = m_geometry.map();
    painter.fillRect(QRect(0, 0, map.width(), height), Theme::instance().colors().background);
    if (const auto selected = m_axis.selectedRange(); selected && selected->overlaps(map.range())) {
        const int from = map.columnOf(selected->begin.value), to = map.endColumnOf(selected->end.value);
        painter.fillRect(QRect(from, 0, std::max(1, to - from), height), Theme::instance().selectedGround());
    }
    m_painter.paintGrid(painter, makeRuler(m_axis.visibleRange(), plot.width(), m_axis.clock()), map, height,
                        scale);
    const auto [first, last] = m_viewport.shownRows();
    const auto rows = [&](std::size_t from, std::size_t to, int top) {
        m_painter.paintRows(painter, pixels, m_geometry, from, to, scale, top, m_queries.shade());
    };
    const auto names = [&](std::size_t from, std::size_t to, int top) {
        m_painter.paintNames(painter, m_geometry, *m_document.snapshot(), from, to, scale, top,
                             m_queries.shade());
    };
    const int pinned = static_cast<int>(std::lround(m_viewport.pinnedHeight() * scale));
    if (pinned == 0) {
        rows(first, last, m_viewport.scrollTop());
        m_legends.paint(painter, scale);
        return names(first, last, m_viewport.scrollTop());
    }
    const auto belowPinned = [&](const auto& paint) {
        const PainterScope undone(painter);
        painter.setClipRect(QRect(0, pinned, map.width(), height - pinned), Qt::IntersectClip);
        paint(first, last, m_viewport.scrollTop());
    };
    rows(0, m_viewport.pinnedRows(), 0);
    if (pixels)
        pixels->setTop(pinned);
    belowPinned(rows);
    m_legends.paint(painter, scale);
    names(0, m_viewport.pinnedRows(), 0);
    belowPinned(names);
    const int line = std::max(1, static_cast<int>(std::lround(scale)));
    painter.fillRect(QRect(0, pinned - line - static_cast<int>(kTrackGap / 2 * scale), map.width(), line),
                     Theme::instance().colors().hairline);
}

void TimelineBody::readAhead() {
    if (m_document.isLive())  // its chunks are all in memory
        return;
    std::vector<LaneId> lanes;
    const auto [first, last] = m_viewport.shownRows();
    const auto add = [&](std::size_t from, std::size_t to) {
        for (std::size_t i = from; i < to; ++i) {
            const TimelineRow& row = m_viewport.rows().rows()[i];
            if (row.strip) {
                for (const SpanLane& lane : m_document.snapshot()->lanesOf(row.track))
                    lanes.push_back(lane.id());
            } else if (!row.gpu) {
                lanes.push_back(row.lane);
            }
        }
    };
    add(0, m_viewport.pinnedRows());
    add(first, last);
    ReadAheadKey key{m_axis.visibleRange(), std::move(lanes)};
    if (key == m_readAheadFor)
        return;
    m_readAheadFor = std::move(key);
    m_readAhead.request(m_document.snapshot(), m_readAheadFor.lanes, m_readAheadFor.visible);
}

FrameLoad TimelineBody::load() {
    const auto [first, last] = m_viewport.shownRows();
    FrameLoad load;
    load.rows = m_viewport.pinnedRows() + last - first;
    load.allRows = m_viewport.rows().rows().size();
    for (std::size_t row = m_viewport.pinnedRows() > 0 ? 0 : first; row < last;
         row = row + 1 == m_viewport.pinnedRows() ? first : row + 1) {
        const std::vector<TimelineRect>& rects = m_geometry.rects(row);
        load.rects += rects.size();
        for (const TimelineRect& rect : rects)
            load.spans += rect.count;
    }
    return load;
}

}  // namespace warpglass::ui
