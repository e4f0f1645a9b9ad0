#include "ui/timeline/timeline_view.h"

#include <QElapsedTimer>
#include <QLoggingCategory>
#include <QPaintEngine>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <chrono>
#include <cmath>

#include "engine/base/format.h"
#include "ui/theme/theme.h"
#include "ui/timeline/span_navigation.h"
#include "ui/timeline/time_ruler.h"
#include "ui/timeline/timeline_metrics.h"

namespace warpglass::ui {

// What a frame costs, shown with QT_LOGGING_RULES="warpglass.timeline.frame.debug=true".
Q_LOGGING_CATEGORY(frameLog, "warpglass.timeline.frame", QtWarningMsg)

namespace {

/// Finer columns than this are finer than any screen: a page for print (a scale of 12 and more) need not have
/// them, and rectangles grow with them.
constexpr double kMaxScale = 4.0;

}  // namespace

TimelineView::TimelineView(RunDocument* document, TimeAxis* axis, QWidget* parent)
    : QWidget(parent), m_document(document), m_axis(axis), m_scrollBar(new QScrollBar(Qt::Vertical, this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Timeline"));
    m_scrollBar->setFocusPolicy(Qt::NoFocus);
    m_scrollBar->setCursor(Qt::ArrowCursor);
    m_scrollBar->setSingleStep(kLaneRowHeight + kLaneGap);

    const auto repaint = [this] { update(); };
    connect(m_scrollBar, &QScrollBar::valueChanged, this, repaint);
    connect(m_document, &RunDocument::runChanged, this, &TimelineView::onRunChanged);
    connect(m_document, &RunDocument::snapshotChanged, this, &TimelineView::onSnapshotChanged);
    connect(m_axis, &TimeAxis::visibleRangeChanged, this, [this] {
        m_hover.reset();
        update();
    });
    connect(m_axis, &TimeAxis::cursorChanged, this, repaint);
    connect(m_axis, &TimeAxis::pinnedCursorChanged, this, repaint);
    connect(m_axis, &TimeAxis::selectionChanged, this, &TimelineView::onSelectionChanged);
    connect(&Theme::instance(), &Theme::changed, this, &TimelineView::onThemeChanged);
    if (m_document->snapshot())
        onSnapshotChanged();
}

TimelineView::~TimelineView() = default;

QSize TimelineView::sizeHint() const {
    return {900, kRulerHeight + std::clamp(m_rows.height(), 200, 600)};
}

QSize TimelineView::minimumSizeHint() const {
    return {kTrackLabelWidth + 200, kRulerHeight + 80};
}

QRect TimelineView::plotArea() const {
    return rect().adjusted(kTrackLabelWidth, kRulerHeight, 0, 0);
}

int TimelineView::scrollTop() const {
    return m_scrollBar->value();
}

Nanoseconds TimelineView::timeAt(double x) const {
    const TimeRange visible = m_axis->visibleRange();
    const Nanoseconds t = pixelToTime(x - kTrackLabelWidth, visible, plotArea().width());
    return std::clamp(t, visible.begin, visible.end);
}

void TimelineView::onRunChanged() {
    m_geometry.clear();
    m_painter.forgetNames();
    m_rows = TimelineRows();
    m_bodyKey.reset();
    m_hover.reset();
    m_axis->reset();
    m_scrollBar->setValue(0);
    onSnapshotChanged();
}

void TimelineView::onSnapshotChanged() {
    if (const auto& snapshot = m_document->snapshot()) {
        TimelineRows rows(*snapshot);
        if (rows != m_rows) {
            m_rows = std::move(rows);
            m_bodyKey.reset();
            updateScrollBar();
            updateGeometry();
        }
        m_axis->setFullRange(snapshot->range());
    }
    update();
}

void TimelineView::onSelectionChanged() {
    if (const auto span = m_axis->selectedSpan())
        ensureVisible(*span);
    update();
}

void TimelineView::onThemeChanged() {
    m_painter.reloadTheme();
    m_bodyKey.reset();
    update();
}

void TimelineView::resizeEvent(QResizeEvent*) {
    updateScrollBar();
}

void TimelineView::updateScrollBar() {
    const QRect plot = plotArea();
    const int hidden = std::max(0, m_rows.height() - plot.height());
    m_scrollBar->setRange(0, hidden);
    m_scrollBar->setPageStep(std::max(1, plot.height()));
    m_scrollBar->setGeometry(width() - kScrollBarWidth, kRulerHeight, kScrollBarWidth, plot.height());
    m_scrollBar->setVisible(hidden > 0);
}

void TimelineView::ensureVisible(SpanRef ref) {
    const auto& snapshot = m_document->snapshot();
    const auto span = snapshot ? spanRow(*snapshot, ref) : std::nullopt;
    if (!span)
        return;
    const TimeRange visible = m_axis->visibleRange();
    const TimeRange range{Nanoseconds(span->start), Nanoseconds(span->end())};
    if (range.end < visible.begin || range.begin >= visible.end) {
        // In the middle, or with its beginning near the left edge where it is longer than the view.
        const Nanoseconds middle((span->start + span->end()) / 2);
        const Nanoseconds begin = range.duration() < visible.duration()
                                      ? middle - Nanoseconds(visible.duration().value / 2)
                                      : range.begin - Nanoseconds(visible.duration().value / 10);
        m_axis->panBy(begin - visible.begin);
    }
    if (const auto index = m_rows.rowOf(ref.lane)) {
        const TimelineRow& row = m_rows.rows()[*index];
        if (row.top < scrollTop())
            m_scrollBar->setValue(row.top - kTrackGap / 2);
        else if (row.top + row.height > scrollTop() + plotArea().height())
            m_scrollBar->setValue(row.top + row.height + kTrackGap / 2 - plotArea().height());
    }
}

void TimelineView::refreshGeometry(double scale) {
    const int columns = std::max(1, static_cast<int>(std::lround(plotArea().width() * scale)));
    m_geometry.update(m_document->snapshot(), m_rows.rows(), m_axis->visibleRange(), columns);
}

std::pair<std::size_t, std::size_t> TimelineView::shownRows() const {
    const auto& rows = m_rows.rows();
    const int top = scrollTop(), bottom = top + plotArea().height();
    std::size_t first = 0;
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
    const auto row = m_rows.rowAt(position.y() - plot.top() + scrollTop());
    if (!row)
        return std::nullopt;
    const double scale = std::min(devicePixelRatioF(), kMaxScale);
    refreshGeometry(scale);
    // The middle of the pixel under the cursor; two logical pixels beside a narrow span still mean it.
    const int column = static_cast<int>((position.x() - plot.left() + 0.5) * scale);
    const TimelineRect* rect = m_geometry.rectAt(*row, column, static_cast<int>(2 * scale));
    if (!rect)
        return std::nullopt;
    return Hit{m_rows.rows()[*row], *rect};
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
        painter.drawText(rect(), Qt::AlignCenter,
                         snapshot ? tr("Nothing recorded yet") : tr("Press Run, or open a run file"));
        return;
    }
    // Not devicePixelRatioF(): the view may be drawn into an image or a page of another resolution.
    const double scale = std::clamp(painter.deviceTransform().m11(), 1.0, kMaxScale);
    refreshGeometry(scale);
    if (painter.paintEngine()->type() == QPaintEngine::Raster) {
        paintCachedBody(painter, scale);
    } else {
        painter.save();
        painter.setClipRect(plotArea());
        painter.translate(plotArea().topLeft());
        painter.scale(1 / scale, 1 / scale);
        paintBody(painter, scale);
        painter.restore();
    }
    painter.save();
    painter.setClipRect(QRect(0, kRulerHeight, kTrackLabelWidth, plotArea().height()));
    painter.translate(0, kRulerHeight);
    m_painter.paintLabels(painter, m_rows.tracks(), kTrackLabelWidth, plotArea().height(), scrollTop());
    painter.restore();
    const TimeRange visible = m_axis->visibleRange();
    m_painter.paintRuler(painter, makeRuler(visible, plotArea().width()), visible,
                         QRect(0, 0, width(), kRulerHeight), kTrackLabelWidth, rangeLabelBox());
    paintOverlay(painter);
    const double took = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    if (m_frameTimes)
        paintFrameTimes(painter, took);
    qCDebug(frameLog, "%.2f ms, %llu rows of geometry built so far", took,
            static_cast<unsigned long long>(m_geometry.builds()));
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
    load.rows = last - first;
    load.allRows = m_rows.rows().size();
    for (std::size_t row = first; row < last; ++row) {
        const std::vector<TimelineRect>& rects = m_geometry.rects(row);
        load.rects += rects.size();
        for (const TimelineRect& rect : rects)
            load.spans += rect.count;
    }
    paintFrameOverlay(painter, plotArea(), frameLines(*m_frameTimes, load));
}

void TimelineView::paintBody(QPainter& painter, double scale) {
    const QRect plot = plotArea();
    const int height = static_cast<int>(std::ceil(plot.height() * scale));
    painter.fillRect(QRect(0, 0, m_geometry.map().width(), height), Theme::instance().colors().background);
    m_painter.paintGrid(painter, makeRuler(m_axis->visibleRange(), plot.width()), m_geometry.map(), height,
                        scale);
    const auto [first, last] = shownRows();
    m_painter.paintRows(painter, m_geometry, *m_document->snapshot(), first, last, scale, scrollTop());
}

void TimelineView::paintCachedBody(QPainter& painter, double scale) {
    const auto [first, last] = shownRows();
    m_geometry.build(first, last);
    const QSize size(m_geometry.map().width(), static_cast<int>(std::ceil(plotArea().height() * scale)));
    const BodyKey key{m_geometry.builds(), scrollTop(), m_axis->visibleRange(), size};
    if (m_bodyKey != key) {
        if (m_body.size() != size)
            m_body = QImage(size, QImage::Format_RGB32);
        m_body.setDevicePixelRatio(1);
        QPainter body(&m_body);
        paintBody(body, scale);
        body.end();
        m_bodyKey = key;
    }
    m_body.setDevicePixelRatio(scale);
    painter.drawImage(plotArea().topLeft(), m_body);
}

void TimelineView::paintOverlay(QPainter& painter) {
    const ThemeColors& colors = Theme::instance().colors();
    const Snapshot& snapshot = *m_document->snapshot();
    painter.save();
    if (const auto range = m_axis->selectedRange())
        paintRange(painter, *range);
    painter.setClipRect(plotArea());
    if (m_hover) {
        const TimelineRect& rect = m_hover->rect;
        paintSpanOutline(painter, m_hover->row, {Nanoseconds(rect.begin), Nanoseconds(rect.end)},
                         colors.secondaryText, 1);
    }
    if (const auto selected = m_axis->selectedSpan()) {
        const auto span = spanRow(snapshot, *selected);
        const auto index = m_rows.rowOf(selected->lane);
        if (span && index)
            paintSpanOutline(painter, m_rows.rows()[*index],
                             {Nanoseconds(span->start), Nanoseconds(span->end())}, colors.accent, 2);
    }
    const auto pinned = m_axis->pinnedCursor(), cursor = m_axis->cursor();
    if (pinned)
        paintCursor(painter, *pinned, colors.accent);
    if (cursor && cursor != pinned)
        paintCursor(painter, *cursor, colors.text);
    painter.restore();
}

void TimelineView::paintSpanOutline(QPainter& painter, const TimelineRow& row, TimeRange span,
                                    const QColor& color, int width) {
    const QRect plot = plotArea();
    const TimeRange visible = m_axis->visibleRange();
    if (span.end < visible.begin || span.begin > visible.end)
        return;
    // An edge beyond the plot stays beyond it, so that the outline is open there.
    const double x0 = std::max(timeToPixel(span.begin, visible, plot.width()), -10.0);
    const double x1 = std::min(timeToPixel(span.end, visible, plot.width()), plot.width() + 10.0);
    const int left = static_cast<int>(std::floor(x0));
    const QRect box(plot.left() + left, plot.top() + row.top - scrollTop(),
                    std::max(static_cast<int>(std::ceil(x1)) - left, 3), row.height);
    for (const QRect& edge : {QRect(box.left(), box.top(), box.width(), width),
                              QRect(box.left(), box.bottom() + 1 - width, box.width(), width),
                              QRect(box.left(), box.top(), width, box.height()),
                              QRect(box.right() + 1 - width, box.top(), width, box.height())})
        painter.fillRect(edge, color);
}

QRect TimelineView::rangeLabelBox() const {
    const auto range = m_axis->selectedRange();
    const QRect plot = plotArea();
    const TimeRange visible = m_axis->visibleRange();
    if (!range || !range->overlaps(visible))
        return {};
    const QString text = QString::fromStdString(formatDuration(range->duration()));
    const int textWidth = QFontMetrics(Theme::tableFont()).horizontalAdvance(text) + 2 * Metrics::kSpace2;
    // Over the middle of what is seen of the range.
    const double x0 = std::max(0.0, timeToPixel(range->begin, visible, plot.width()));
    const double x1 = std::min<double>(plot.width(), timeToPixel(range->end, visible, plot.width()));
    const int leftmost = plot.left() + textWidth / 2;
    const int middle = std::clamp(plot.left() + static_cast<int>((x0 + x1) / 2), leftmost,
                                  std::max(leftmost, width() - textWidth / 2));
    return {middle - textWidth / 2, 3, textWidth, kRulerHeight - 7};
}

void TimelineView::paintRange(QPainter& painter, TimeRange range) {
    const ThemeColors& colors = Theme::instance().colors();
    const QRect plot = plotArea();
    const TimeRange visible = m_axis->visibleRange();
    const double x0 = timeToPixel(range.begin, visible, plot.width());
    const double x1 = timeToPixel(range.end, visible, plot.width());
    if (x1 < 0 || x0 > plot.width())
        return;
    const int left = plot.left() + static_cast<int>(std::max(x0, -1.0));
    const int right = plot.left() + static_cast<int>(std::min(x1, plot.width() + 1.0));
    painter.save();
    painter.setClipRect(rect().adjusted(kTrackLabelWidth, 0, 0, 0));
    QColor shade = colors.accent;
    shade.setAlphaF(0.14f);
    painter.fillRect(QRect(left, 0, std::max(1, right - left), height()), shade);
    painter.fillRect(QRect(left, 0, 1, height()), colors.accent);
    painter.fillRect(QRect(right, 0, 1, height()), colors.accent);

    const QRect pill = rangeLabelBox();
    painter.setFont(Theme::tableFont());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.accent);
    painter.drawRoundedRect(pill, Metrics::kSpace1, Metrics::kSpace1);
    painter.setPen(colors.onAccent);
    painter.drawText(pill, Qt::AlignCenter | Qt::TextSingleLine,
                     QString::fromStdString(formatDuration(range.duration())));
    painter.restore();
}

void TimelineView::paintCursor(QPainter& painter, Nanoseconds time, const QColor& color) {
    const QRect plot = plotArea();
    const double x = timeToPixel(time, m_axis->visibleRange(), plot.width());
    if (x < 0 || x > plot.width())
        return;
    QColor line = color;
    line.setAlphaF(0.75f);
    painter.fillRect(
        QRect(plot.left() + std::min(static_cast<int>(x), plot.width() - 1), plot.top(), 1, plot.height()),
        line);
}

}  // namespace warpglass::ui
