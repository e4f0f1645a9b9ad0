// TimelineView's rows as they are drawn: what is where, and painting a frame.
#include <QElapsedTimer>
#include <QLoggingCategory>
#include <QPaintEngine>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <chrono>
#include <cmath>

#include "ui/theme/theme.h"
#include "ui/theme/veil.h"
#include "ui/timeline/stack_pixels.h"
#include "ui/timeline/time_ruler.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

// What a frame costs, shown with QT_LOGGING_RULES="warpglass.timeline.frame.debug=true".
Q_LOGGING_CATEGORY(frameLog, "warpglass.timeline.frame", QtWarningMsg)

namespace {

/// Finer columns than this are finer than any screen: a page for print (a scale of 12 and more) need not have
/// them, and rectangles grow with them.
constexpr double kMaxScale = 4.0;

}  // namespace

void TimelineView::refreshGeometry(double scale) {
    const int columns = std::max(1, static_cast<int>(std::lround(plotArea().width() * scale)));
    m_geometry.update(m_document->snapshot(), m_rows.rows(), m_axis->visibleRange(), columns, scale);
}

std::pair<std::size_t, std::size_t> TimelineView::shownRows() const {
    const auto& rows = m_rows.rows();
    const int top = scrollTop() + pinnedHeight(), bottom = scrollTop() + plotArea().height();
    std::size_t first = pinnedRows();
    while (first < rows.size() && rows[first].top + rows[first].height <= top)
        ++first;
    std::size_t last = first;
    while (last < rows.size() && rows[last].top < bottom)
        ++last;
    return {first, last};
}

std::optional<TimelineView::Hit> TimelineView::hitTest(QPoint position) {
    const QRect plot = plotArea();
    if (!plot.contains(position) || !m_document->snapshot())
        return std::nullopt;
    auto row = m_rows.rowAt(contentY(position.y() - plot.top()));
    if (!row)
        return std::nullopt;
    const double scale = std::min(devicePixelRatioF(), kMaxScale);
    refreshGeometry(scale);
    // The middle of the pixel under the cursor; two logical pixels beside a narrow span still mean it.
    const int column = static_cast<int>((position.x() - plot.left() + 0.5) * scale);
    const int reach = static_cast<int>(2 * scale);
    const std::vector<TimelineRow>& rows = m_rows.rows();
    if (const GpuBusy* const busy = m_geometry.busyOf(rows[*row])) {
        const auto rect = busyRect(*busy, timeAt(position.x() + 0.5), m_geometry.map());
        return rect ? std::optional(Hit{rows[*row], *rect}) : std::nullopt;
    }
    if (rows[*row].gpu)
        return std::nullopt;
    // On a folded track it is the deepest lane that has something there: exactly there first.
    if (rows[*row].overlaid) {
        for (std::size_t at = *row; rows[at].track == rows[*row].track; --at) {
            if (const TimelineRect* rect = m_geometry.rectAt(at, column, 0))
                return Hit{rows[at], *rect};
            if (at == 0 || rows[at].depth == 0)
                break;
        }
    }
    const TimelineRect* rect = m_geometry.rectAt(*row, column, reach);
    if (!rect)
        return std::nullopt;
    return Hit{rows[*row], *rect};
}

void TimelineView::paintEvent(QPaintEvent*) {
    QElapsedTimer timer;
    timer.start();
    QPainter painter(this);
    const ThemeColors& colors = Theme::instance().colors();
    const auto& snapshot = m_document->snapshot();
    if (!snapshot || m_rows.rows().empty() || plotArea().isEmpty()) {
        painter.fillRect(rect(), colors.background);
        if (plotArea().isEmpty())
            return;
        painter.setFont(Theme::textFont());
        painter.setPen(colors.secondaryText);
        painter.drawText(
            rect(), Qt::AlignCenter,
            m_rows.hiddenTracks() > 0 ? tr("All rows are hidden: the context menu shows them again")
            : snapshot && snapshot->info().get("state") != run_state::kRecording ? tr("Nothing was recorded")
            : snapshot                                                           ? tr("Nothing recorded yet")
                       : m_document->noRunWords(tr("to see its timeline")));
        return;
    }
    if (m_leftOut > 0)
        painter.fillRect(QRect(0, height() - m_leftOut, width(), m_leftOut), colors.background);
    // Not devicePixelRatioF(): the view may be drawn into an image or a page of another resolution.
    const double scale = std::clamp(painter.deviceTransform().m11(), 1.0, kMaxScale);
    refreshGeometry(scale);
    if (painter.paintEngine()->type() == QPaintEngine::Raster) {
        paintCachedBody(painter, scale);
        readAhead();
    } else {
        painter.save();
        painter.setClipRect(plotArea());
        painter.translate(plotArea().topLeft());
        painter.scale(1 / scale, 1 / scale);
        paintBody(painter, nullptr, scale);
        painter.restore();
    }
    paintLabelColumn(painter);
    const TimeRange visible = m_axis->visibleRange();
    m_painter.paintRuler(painter, makeRuler(visible, plotArea().width(), m_axis->clock()), visible,
                         QRect(0, 0, width(), kRulerHeight), kTrackLabelWidth, rangeLabelBox());
    paintOverlay(painter);
    if (hasFocus())
        painter.fillRect(QRectF(kTrackLabelWidth - 2, 0, 2, height()), colors.accent);
    const double took = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    if (m_frameTimes)
        paintFrameTimes(painter, took);
    qCDebug(frameLog, "%.2f ms, %llu rows of geometry built so far", took,
            static_cast<unsigned long long>(m_geometry.builds()));
}

void TimelineView::readAhead() {
    if (m_document->isLive())  // its chunks are all in memory
        return;
    std::vector<LaneId> lanes;
    const auto [first, last] = shownRows();
    const auto add = [&](std::size_t from, std::size_t to) {
        for (std::size_t row = from; row < to; ++row) {
            if (!m_rows.rows()[row].gpu)
                lanes.push_back(m_rows.rows()[row].lane);
        }
    };
    add(0, pinnedRows());
    add(first, last);
    ReadAheadKey key{m_axis->visibleRange(), std::move(lanes)};
    if (key == m_readAheadFor)
        return;
    m_readAheadFor = std::move(key);
    m_readAhead.request(m_document->snapshot(), m_readAheadFor.lanes, m_readAheadFor.visible);
}

void TimelineView::setShowsFrameTimes(bool shown) {
    if (shown == showsFrameTimes())
        return;
    m_frameTimes = shown ? std::optional(FrameTimes()) : std::nullopt;
    update();
}

/// After everything else, so that its own cost is in no frame's time.
void TimelineView::paintFrameTimes(QPainter& painter, double took) {
    using Milliseconds = std::chrono::duration<double, std::milli>;
    m_frameTimes->add(Milliseconds(std::chrono::steady_clock::now().time_since_epoch()).count(), took);
    const auto [first, last] = shownRows();
    FrameLoad load;
    load.rows = pinnedRows() + last - first;
    load.allRows = m_rows.rows().size();
    for (std::size_t row = pinnedRows() > 0 ? 0 : first; row < last;
         row = row + 1 == pinnedRows() ? first : row + 1) {
        const std::vector<TimelineRect>& rects = m_geometry.rects(row);
        load.rects += rects.size();
        for (const TimelineRect& rect : rects)
            load.spans += rect.count;
    }
    paintFrameOverlay(painter, plotArea(), frameLines(*m_frameTimes, load));
}

void TimelineView::paintBody(QPainter& painter, StackPixels* pixels, double scale) {
    const QRect plot = plotArea();
    const int height = static_cast<int>(std::ceil(plot.height() * scale));
    painter.fillRect(QRect(0, 0, m_geometry.map().width(), height), Theme::instance().colors().background);
    m_painter.paintGrid(painter, makeRuler(m_axis->visibleRange(), plot.width(), m_axis->clock()),
                        m_geometry.map(), height, scale);
    const auto [first, last] = shownRows();
    const auto rows = [&](std::size_t from, std::size_t to, int top) {
        m_painter.paintRows(painter, pixels, m_geometry, from, to, scale, top, shade());
    };
    const auto names = [&](std::size_t from, std::size_t to, int top) {
        m_painter.paintNames(painter, m_geometry, *m_document->snapshot(), from, to, scale, top, shade());
    };
    const int pinned = static_cast<int>(std::lround(pinnedHeight() * scale));
    if (pinned == 0) {
        rows(first, last, scrollTop());
        paintVeil(painter, scale);
        paintLegends(painter, scale);
        return names(first, last, scrollTop());
    }
    const auto belowPinned = [&](const auto& paint) {
        painter.save();
        painter.setClipRect(QRect(0, pinned, m_geometry.map().width(), height - pinned), Qt::IntersectClip);
        paint(first, last, scrollTop());
        painter.restore();
    };
    rows(0, pinnedRows(), 0);
    if (pixels)
        pixels->setTop(pinned);
    belowPinned(rows);
    paintVeil(painter, scale);
    paintLegends(painter, scale);
    names(0, pinnedRows(), 0);
    belowPinned(names);
    const int line = std::max(1, static_cast<int>(std::lround(scale)));
    painter.fillRect(
        QRect(0, pinned - line - static_cast<int>(kTrackGap / 2 * scale), m_geometry.map().width(), line),
        Theme::instance().colors().hairline);
}

void TimelineView::paintVeil(QPainter& painter, double scale) {
    QColor color = Theme::instance().colors().background;
    color.setAlphaF(kTimeVeil);
    const ColumnMap& map = m_geometry.map();
    const std::vector<TimelineTrack>& tracks = m_rows.tracks();
    const int pinned = pinnedHeight(), height = plotArea().height();
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const auto& range = shade().rangeOf(tracks[i].kind);
        if (!range)
            continue;
        const bool stays = pinned > 0 && i < m_rows.pinnedTracks();
        const int end = i + 1 < tracks.size() ? tracks[i + 1].top : contentHeight();
        const auto shown = [&](int y) {
            return std::clamp(stays ? y : y - scrollTop(), stays ? 0 : pinned, stays ? pinned : height);
        };
        const int top = static_cast<int>(std::lround(shown(tracks[i].top) * scale));
        const int bottom = static_cast<int>(std::lround(shown(end) * scale));
        if (bottom <= top)
            continue;
        const int from = range->begin <= map.range().begin ? 0 : map.columnOf(range->begin.value);
        const int to = range->end >= map.range().end ? map.width() : map.endColumnOf(range->end.value);
        if (from > 0)
            fillVeil(painter, QRect(0, top, std::min(from, map.width()), bottom - top), color);
        if (to < map.width())
            fillVeil(painter, QRect(std::max(to, 0), top, map.width() - std::max(to, 0), bottom - top),
                     color);
    }
}

void TimelineView::paintCachedBody(QPainter& painter, double scale) {
    const auto [first, last] = shownRows();
    m_geometry.build(0, pinnedRows());
    m_geometry.build(first, last);
    const QSize size(m_geometry.map().width(), static_cast<int>(std::ceil(plotArea().height() * scale)));
    shade();
    const BodyKey key{m_geometry.builds(), scrollTop(), m_axis->visibleRange(), size, m_shades};
    if (m_bodyKey != key) {
        if (m_body.size() != size)
            m_body = QImage(size, QImage::Format_RGB32);
        m_body.setDevicePixelRatio(1);
        StackPixels pixels(m_body);
        QPainter body(&m_body);
        paintBody(body, &pixels, scale);
        body.end();
        m_bodyKey = key;
    }
    m_body.setDevicePixelRatio(scale);
    painter.drawImage(plotArea().topLeft(), m_body);
}

}  // namespace warpglass::ui
