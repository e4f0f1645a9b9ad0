#include "ui/timeline/timeline_view.h"

#include <QElapsedTimer>
#include <QLoggingCategory>
#include <QPaintEngine>
#include <QPainter>
#include <QPushButton>
#include <QScrollBar>
#include <algorithm>
#include <chrono>
#include <cmath>
#include <functional>

#include "engine/base/format.h"
#include "ui/models/link_indexer.h"
#include "ui/models/run_filter.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/figure_mode.h"
#include "ui/theme/theme.h"
#include "ui/theme/veil.h"
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

/// What a figure says of blocks that are faded in it. Nothing to be seen in the window.
class FigureNote : public QWidget, public FigureControl {
public:
    FigureNote(std::function<QString()> words, QWidget* view) : QWidget(view), m_words(std::move(words)) {
        resize(0, 0);
        setAttribute(Qt::WA_TransparentForMouseEvents);
        show();
    }
    QString figureWords() const override { return m_words(); }

private:
    std::function<QString()> m_words;
};

/// Whether something in view is left out.
bool fadesIn(const FilterShade& shade, const RunFilter::State& state, TimeRange visible) {
    const auto cuts = [visible](const std::optional<TimeRange>& range) {
        return range && (range->begin > visible.begin || range->end < visible.end);
    };
    return state.phase || !state.module.empty() || !state.name.empty() || !state.text.isEmpty() ||
           state.span || cuts(shade.rangeOf(TrackKind::kCpuThread)) ||
           cuts(shade.rangeOf(TrackKind::kGpuStream));
}

}  // namespace

TimelineView::TimelineView(RunDocument* document, TimeAxis* axis, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_scrollBar(new QScrollBar(Qt::Vertical, this)),
      m_follow(new QPushButton(tr("Follow the run ›"), this)),
      m_passingQuery([this] { return makePassingJob(); }),
      m_marks(makeMarks()),
      m_head(headHeight()) {
    showFailures(this, m_passingQuery);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Timeline"));
    m_scrollBar->setFocusPolicy(Qt::NoFocus);
    m_scrollBar->setCursor(Qt::ArrowCursor);
    m_scrollBar->setSingleStep(kLaneRowHeight + kLaneGap);

    m_follow->setObjectName(QStringLiteral("followRun"));
    m_follow->setFocusPolicy(Qt::NoFocus);  // the View menu has it for the keyboard
    m_follow->setCursor(Qt::ArrowCursor);
    m_follow->setToolTip(tr("Show the newest moments as they are recorded"));
    m_follow->hide();
    connect(m_follow, &QPushButton::clicked, m_axis, [this] { m_axis->setFollowing(true); });
    connect(m_axis, &TimeAxis::followingChanged, this, &TimelineView::updateFollowButton);

    const auto repaint = [this] { update(); };
    connect(m_scrollBar, &QScrollBar::valueChanged, this, repaint);
    connect(m_document, &RunDocument::runChanged, this, &TimelineView::onRunChanged);
    connect(m_document, &RunDocument::snapshotChanged, this, &TimelineView::onSnapshotChanged);
    connect(m_axis, &TimeAxis::visibleRangeChanged, this, [this] {
        m_hover.reset();
        m_axis->setHoveredSpan(std::nullopt);
        update();
    });
    connect(m_axis, &TimeAxis::hoveredSpanChanged, this, repaint);
    connect(&m_document->links(), &LinkIndexer::changed, this, &TimelineView::forgetLinks);
    connect(m_axis, &TimeAxis::cursorChanged, this, repaint);
    connect(m_axis, &TimeAxis::pinnedCursorChanged, this, repaint);
    connect(m_axis, &TimeAxis::selectionChanged, this, &TimelineView::onSelectionChanged);
    connect(&Theme::instance(), &Theme::changed, this, &TimelineView::onThemeChanged);
    if (m_document->snapshot())
        onSnapshotChanged();
}

TimelineView::~TimelineView() = default;

QSize TimelineView::sizeHint() const {
    return {900, headHeight() + std::clamp(m_rows.height(), 200, 600)};
}

QSize TimelineView::minimumSizeHint() const {
    return {kTrackLabelWidth + 200, headHeight() + 80};
}

QRect TimelineView::plotArea() const {
    return rect().adjusted(kTrackLabelWidth, headHeight(), 0, -m_leftOut);
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
    m_readAhead.giveUp();
    m_readAheadFor = {};
    m_geometry.clear();
    m_painter.forgetNames();
    m_shade = {};
    m_passing.reset();
    dropShade();
    m_passingQuery.invalidate(DeferredQuery::Cause::kOtherRun);
    m_rows = TimelineRows();
    m_labels.hovered.reset();
    m_bodyKey.reset();
    m_hover.reset();
    m_axis->reset();
    m_scrollBar->setValue(0);
    onSnapshotChanged();
}

void TimelineView::onSnapshotChanged() {
    m_shadeValid = false;
    if (const auto& snapshot = m_document->snapshot()) {
        if (layOutRows())
            updateGeometry();
        m_axis->setFullRange(snapshot->range());
    }
    m_passingQuery.invalidate(DeferredQuery::Cause::kGrowth);
    updateFollowButton();
    update();
}

bool TimelineView::layOutRows() {
    const auto& snapshot = m_document->snapshot();
    TimelineRows rows = snapshot ? TimelineRows(*snapshot, m_arrangement) : TimelineRows();
    if (rows == m_rows)
        return false;
    m_rows = std::move(rows);
    m_bodyKey.reset();
    m_hover.reset();
    m_labels.hovered.reset();
    updateScrollBar();
    return true;
}

void TimelineView::setFilter(RunFilter* filter) {
    m_filter = filter;
    dropShade();
    if (filter)
        connect(filter, &RunFilter::changed, this, [this] {
            dropShade();
            m_passingQuery.invalidate(DeferredQuery::Cause::kPerson);
        });
    new FigureNote(
        [this] {
            const bool fades = m_filter && m_document->snapshot() &&
                               fadesIn(shade(), m_filter->state(), m_axis->visibleRange());
            return fades ? tr("%1; the rest is faded").arg(shade().words()) : QString();
        },
        this);
}

void TimelineView::dropShade() {
    m_shadeValid = false;
    update();
}

FilterShade& TimelineView::shade() {
    if (m_shadeValid)
        return m_shade;
    m_shadeValid = true;
    FilterShade shade =
        m_filter && m_document->snapshot() ? FilterShade(*m_filter, m_document->snapshot()) : FilterShade();
    if (m_passing && m_passing->conditions() == shade.conditions())
        shade.setPassing(m_passing);
    if (!shade.isLike(m_shade))
        ++m_shades;
    m_shade = std::move(shade);
    return m_shade;
}

DeferredQuery::Job TimelineView::makePassingJob() {
    const auto snapshot = m_document->snapshot();
    const RowConditions conditions = shade().conditions();
    if (!snapshot || !conditions.any())
        return {[this] { return [this] { m_passing.reset(); }; }};
    return {[this, snapshot, conditions]() -> DeferredQuery::Apply {
                auto rows = std::make_shared<const PassingRows>(*snapshot, conditions);
                return [this, rows = std::move(rows)] {
                    m_passing = rows;
                    dropShade();
                };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

void TimelineView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_passingQuery.setActive(true);
}

void TimelineView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_passingQuery.setActive(false);
}

void TimelineView::updateFollowButton() {
    const bool shown = m_document->isLive() && !m_axis->following() && !m_rows.rows().empty();
    m_follow->setVisible(shown);
    if (!shown)
        return;
    m_follow->adjustSize();
    m_follow->move(width() - m_follow->width() - kScrollBarWidth - Metrics::kSpace3,
                   height() - m_follow->height() - Metrics::kSpace3);
    m_follow->raise();
}

int TimelineView::pinnedHeight() const {
    return m_rows.pinnedHeight() <= plotArea().height() * 2 / 3 ? m_rows.pinnedHeight() : 0;
}

int TimelineView::contentHeight() const {
    return m_rows.height() + (m_rows.hiddenTracks() > 0 ? kBandRowHeight : 0);
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
    updateFollowButton();
}

void TimelineView::updateScrollBar() {
    const QRect plot = plotArea();
    const int hidden = std::max(0, contentHeight() - plot.height());
    m_scrollBar->setRange(0, hidden);
    m_scrollBar->setPageStep(std::max(1, plot.height() - pinnedHeight()));
    m_scrollBar->setGeometry(width() - kScrollBarWidth, plot.top(), kScrollBarWidth, plot.height());
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
        scrollTo(row.top, row.height);
    }
}

void TimelineView::scrollTo(int top, int height) {
    if (top < pinnedHeight())
        return;
    if (top - pinnedHeight() < scrollTop())
        m_scrollBar->setValue(top - pinnedHeight() - kTrackGap / 2);
    else if (top + height > scrollTop() + plotArea().height())
        m_scrollBar->setValue(top + height + kTrackGap / 2 - plotArea().height());
}

void TimelineView::scrollToTrack(std::size_t track) {
    scrollTo(m_rows.tracks()[track].top, m_rows.tracks()[track].height);
}

void TimelineView::refreshGeometry(double scale) {
    const int columns = std::max(1, static_cast<int>(std::lround(plotArea().width() * scale)));
    m_geometry.update(m_document->snapshot(), m_rows.rows(), m_axis->visibleRange(), columns);
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
    // Of a folded track the deepest lane that has something there: exactly there first.
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
        painter.drawText(rect(), Qt::AlignCenter,
                         m_rows.hiddenTracks() > 0
                             ? tr("All rows are hidden: the context menu shows them again")
                         : snapshot ? tr("Nothing recorded yet")
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
        paintBody(painter, scale);
        painter.restore();
    }
    paintLabelColumn(painter);
    const TimeRange visible = m_axis->visibleRange();
    m_painter.paintRuler(painter, makeRuler(visible, plotArea().width()), visible,
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
    for (std::size_t row = 0; row < pinnedRows(); ++row)
        lanes.push_back(m_rows.rows()[row].lane);
    for (std::size_t row = first; row < last; ++row)
        lanes.push_back(m_rows.rows()[row].lane);
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

void TimelineView::paintBody(QPainter& painter, double scale) {
    const QRect plot = plotArea();
    const int height = static_cast<int>(std::ceil(plot.height() * scale));
    painter.fillRect(QRect(0, 0, m_geometry.map().width(), height), Theme::instance().colors().background);
    m_painter.paintGrid(painter, makeRuler(m_axis->visibleRange(), plot.width()), m_geometry.map(), height,
                        scale);
    const auto [first, last] = shownRows();
    const auto rows = [&](std::size_t from, std::size_t to, int top) {
        m_painter.paintRows(painter, m_geometry, from, to, scale, top, shade());
    };
    const auto names = [&](std::size_t from, std::size_t to, int top) {
        m_painter.paintNames(painter, m_geometry, *m_document->snapshot(), from, to, scale, top, shade());
    };
    const int pinned = static_cast<int>(std::lround(pinnedHeight() * scale));
    if (pinned == 0) {
        rows(first, last, scrollTop());
        paintVeil(painter, scale);
        return names(first, last, scrollTop());
    }
    const auto belowPinned = [&](const auto& paint) {
        painter.save();
        painter.setClipRect(QRect(0, pinned, m_geometry.map().width(), height - pinned), Qt::IntersectClip);
        paint(first, last, scrollTop());
        painter.restore();
    };
    rows(0, pinnedRows(), 0);
    belowPinned(rows);
    paintVeil(painter, scale);
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
        QPainter body(&m_body);
        paintBody(body, scale);
        body.end();
        m_bodyKey = key;
    }
    m_body.setDevicePixelRatio(scale);
    painter.drawImage(plotArea().topLeft(), m_body);
}

}  // namespace warpglass::ui
