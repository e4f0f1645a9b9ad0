#include "ui/timeline/overview_strip.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/controls/stacked_areas.h"
#include "ui/models/mark_list.h"
#include "ui/models/run_filter.h"
#include "ui/models/span_details.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/gesture_steps.h"
#include "ui/timeline/time_gestures.h"

namespace warpglass::ui {

namespace {

constexpr int kMargin = 2;
constexpr int kBandHeight = 4;
/// How far beside an edge of the window it is still meant.
constexpr int kEdge = 4;
constexpr int kMarkHeight = 7;
/// Over what lies outside the window.
constexpr float kOutside = 0.5F;
/// How far from the background the curve goes toward the accent.
constexpr double kCurveShare = 0.55;

}  // namespace

OverviewStrip::OverviewStrip(RunDocument& document, TimeAxis& axis, int labelWidth, QWidget* parent)
    : Canvas(parent), m_document(document), m_axis(axis), m_labelWidth(labelWidth), m_query([this] {
          return makeJob();
      }) {
    draws(m_query);
    setFixedHeight(kHeight);
    setAccessibleName(tr("Overview of the run"));
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_picture.reset();
        redraw();
    });
    const auto repaint = qOverload<>(&QWidget::update);
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, repaint);
    connect(&m_axis, &TimeAxis::fullRangeChanged, this, &OverviewStrip::redraw);
    connect(&m_axis, &TimeAxis::cursorChanged, this, repaint);
    connect(&m_axis, &TimeAxis::pinnedCursorChanged, this, repaint);
    connect(&m_axis, &TimeAxis::selectionChanged, this, repaint);
    connect(&Theme::instance(), &Theme::changed, this, [this] { m_painter.reloadTheme(); });
    m_query.follow(m_document);
}

void OverviewStrip::setMarks(const MarkList* marks) {
    m_marks = marks;
    if (marks)
        connect(marks, &MarkList::changed, this, qOverload<>(&QWidget::update));
    update();
}

void OverviewStrip::setFilter(const RunFilter* filter) {
    m_filter = filter;
    if (filter)
        connect(filter, &RunFilter::changed, this, &OverviewStrip::redraw);
    redraw();
}

QRect OverviewStrip::plotArea() const {
    return rect().adjusted(m_labelWidth, kMargin, 0, -kMargin);
}

DeferredQuery::Job OverviewStrip::makeJob() {
    const auto snapshot = m_document.snapshot();
    const int columns = std::max(1, plotArea().width());
    if (!snapshot)
        return {[this] { return [this] { m_picture.reset(); }; }};
    return {[this, snapshot, columns] {
                auto picture = std::make_shared<Picture>();
                const TimeRange range = snapshot->range();
                picture->curve = activityCurve(*snapshot, range, static_cast<std::size_t>(columns));
                picture->map = ColumnMap(range, columns);
                GeometryBuilder builder;
                std::vector<TimelineRect> steps;
                const auto build = [&](TrackKind kind, std::vector<TimelineRect>& rects) {
                    const auto tracks = snapshot->tracksOfKind(kind);
                    const auto lanes =
                        tracks.empty() ? std::vector<SpanLane>() : snapshot->lanesOf(tracks[0]);
                    if (!lanes.empty())
                        builder.buildLane(*snapshot, lanes[0], kind, picture->map, rects);
                };
                build(TrackKind::kPhase, picture->phases);
                build(TrackKind::kStep, steps);
                for (const TimelineRect& step : steps) {
                    if (!step.merged())
                        picture->steps.emplace_back(step.begin);
                }
                return [this, picture] {
                    m_picture = picture;
                    redraw();
                };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

double OverviewStrip::xOf(Nanoseconds t) const {
    return m_labelWidth + timeToPixel(t, m_axis.fullRange(), plotArea().width());
}

Nanoseconds OverviewStrip::timeAt(double x) const {
    const TimeRange full = m_axis.fullRange();
    return std::clamp(pixelToTime(x - m_labelWidth, full, plotArea().width()), full.begin, full.end);
}

QRect OverviewStrip::windowRect() const {
    const QRect plot = plotArea();
    const TimeRange visible = m_axis.visibleRange();
    int left = static_cast<int>(std::floor(std::max<double>(xOf(visible.begin), plot.left())));
    int right = static_cast<int>(std::ceil(std::min<double>(xOf(visible.end), plot.right() + 1)));
    if (right - left < kLeastWindow) {
        left = std::clamp((left + right - kLeastWindow) / 2, plot.left(),
                          std::max(plot.left(), plot.right() + 1 - kLeastWindow));
        right = left + kLeastWindow;
    }
    return {left, plot.top() - 2, right - left, plot.height() + 4};
}

/// What lies under the window and does not change as it moves.
void OverviewStrip::paintPicture(QPainter& painter) {
    const ThemeColors& colors = Theme::instance().colors();
    painter.fillRect(QRect(0, height() - 1, width(), 1), colors.hairline);
    if (!m_document.snapshot() || plotArea().width() < 1)
        return;
    QFont font = Theme::tableFont();
    painter.setFont(font);
    painter.setPen(colors.secondaryText);
    const QFontMetrics metrics(font);
    const QPoint name(Metrics::kSpace3, (height() - metrics.height()) / 2 + metrics.ascent());
    painter.drawText(name, tr("Run"));
    font.setPixelSize(11);
    painter.setFont(font);
    painter.drawText(name + QPoint(metrics.horizontalAdvance(tr("Run")) + Metrics::kSpace1, 0),
                     toQString(formatDuration(m_axis.fullRange().duration())));
    if (m_picture) {
        const PainterScope undone(painter);
        painter.setClipRect(plotArea());
        paintCurve(painter);
        paintBands(painter);
    }
}

void OverviewStrip::paintOver(QPainter& painter) {
    if (m_document.snapshot() && plotArea().width() >= 1)
        paintWindow(painter);
}

KeptX OverviewStrip::kept(bool ofGpu) const {
    const FilterExtent extent = m_filter ? m_filter->extent() : FilterExtent();
    const auto& range = ofGpu ? extent.gpu : extent.host;
    const TimeRange full = m_axis.fullRange();
    if (!range)
        return {};
    return {std::floor(xOf(std::clamp(range->begin, full.begin, full.end))),
            std::ceil(xOf(std::clamp(range->end, full.begin, full.end)))};
}

void OverviewStrip::paintCurve(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const ActivityCurve& curve = m_picture->curve;
    const QRectF plot = plotArea();
    const double left = xOf(curve.range.begin), room = plot.height() - kBandHeight - 2;
    StackedAreas areas({left, plot.bottom() - room, xOf(curve.range.end) - left, room}, 1);
    areas.add({curve.share.begin(), curve.share.end()},
              Theme::mixed(colors.background, colors.accent, kCurveShare));
    areas.setKept(kept(curve.ofGpu));
    areas.paint(painter);
}

void OverviewStrip::paintBands(QPainter& painter) const {
    const QRect plot = plotArea();
    const TimeRange range = m_picture->map.range();
    const KeptX kept = this->kept(false);
    for (const TimelineRect& rect : m_picture->phases) {
        const int x0 = static_cast<int>(xOf(std::max(Nanoseconds(rect.begin), range.begin)));
        const int x1 = static_cast<int>(xOf(std::min(Nanoseconds(rect.end), range.end)));
        const QColor color = m_painter.fill(rect.color);
        kept.split(QRect(x0, plot.top(), std::max(1, x1 - x0), kBandHeight),
                   [&](const QRectF& part, bool counts) {
                       painter.fillRect(part, counts ? color : Theme::instance().muted(color));
                   });
    }
    for (const Nanoseconds step : m_picture->steps)
        painter.fillRect(QRect(static_cast<int>(xOf(step)), plot.top(), 1, plot.height()),
                         Theme::instance().colors().hairline);
}

void OverviewStrip::paintWindow(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRect plot = plotArea(), window = windowRect();
    const QColor outside = withAlpha(colors.background, kOutside);
    painter.fillRect(QRect(QPoint(plot.left(), window.top()), QPoint(window.left() - 1, window.bottom())),
                     outside);
    painter.fillRect(QRect(QPoint(window.right() + 1, window.top()), QPoint(plot.right(), window.bottom())),
                     outside);
    if (const auto range = m_axis.selectedRange()) {
        const int x0 = static_cast<int>(xOf(range->begin)), x1 = static_cast<int>(xOf(range->end));
        painter.fillRect(QRect(x0, plot.top(), std::max(1, x1 - x0), plot.height()),
                         withAlpha(colors.accent, 0.25F));
    }
    if (const auto cursor = m_axis.effectiveCursor())
        painter.fillRect(QRect(static_cast<int>(xOf(*cursor)), plot.top(), 1, plot.height()),
                         m_axis.cursor() ? colors.text : colors.accent);
    for (std::size_t i = 0; m_marks && i < m_marks->marks().size(); ++i) {
        const TimeRange marked = m_marks->rangeOf(i);
        const int x0 = static_cast<int>(xOf(marked.begin));
        const int x1 = static_cast<int>(xOf(std::min(marked.end, m_axis.fullRange().end)));
        painter.fillRect(QRect(x0, plot.bottom() - kMarkHeight + 1, 2, kMarkHeight), colors.text);
        if (x1 > x0)
            painter.fillRect(QRect(x0, plot.bottom(), x1 - x0, 1), colors.text);
    }
    painter.setPen(QPen(hasFocus() ? colors.accent : colors.secondaryText, 1));
    painter.setBrush(Qt::NoBrush);
    painter.drawRect(window.adjusted(0, 0, -1, -1));
    // Grips to pull at, where there is room between them.
    if (m_axis.visibleRange() == m_axis.fullRange() || window.width() < 4 * kEdge)
        return;
    for (const int x : {window.left() - 1, window.right() - 1})
        painter.fillRect(QRect(x, window.center().y() - 5, 3, 11), hasFocus() ? colors.accent : colors.text);
}

OverviewStrip::Grip OverviewStrip::gripAt(QPoint position) const {
    if (!m_document.snapshot() || position.x() < m_labelWidth)
        return Grip::kNone;
    if (m_axis.visibleRange() == m_axis.fullRange())
        return Grip::kDraw;
    const QRect window = windowRect();
    // In a narrow window the middle must be left to move it by.
    const int inside = std::min(kEdge, window.width() / 4);
    if (position.x() >= window.left() - kEdge && position.x() < window.left() + inside)
        return Grip::kLeft;
    if (position.x() > window.right() - inside && position.x() <= window.right() + kEdge)
        return Grip::kRight;
    return Grip::kMove;
}

void OverviewStrip::showRange(TimeRange range) {
    m_axis.setVisibleRange(range, !m_moved);
    m_moved = true;
}

void OverviewStrip::mousePressEvent(QMouseEvent* event) {
    const QPoint position = event->position().toPoint();
    m_grip = event->button() == Qt::LeftButton ? gripAt(position) : Grip::kNone;
    m_moved = false;
    m_pressedAt = timeAt(event->position().x());
    m_pressedRange = m_axis.visibleRange();
    if (m_grip != Grip::kMove || windowRect().contains(position.x(), windowRect().center().y()))
        return;
    // Beside the window: it comes here.
    const Nanoseconds half(m_pressedRange.duration().value / 2);
    showRange({m_pressedAt - half, m_pressedAt - half + m_pressedRange.duration()});
    m_pressedRange = m_axis.visibleRange();
}

void OverviewStrip::mouseMoveEvent(QMouseEvent* event) {
    const Nanoseconds at = timeAt(event->position().x());
    switch (m_grip) {
        case Grip::kNone: {
            const Grip under = gripAt(event->position().toPoint());
            const bool edge = under == Grip::kLeft || under == Grip::kRight;
            setCursor(edge                   ? Qt::SizeHorCursor
                      : under == Grip::kMove ? Qt::OpenHandCursor
                      : under == Grip::kDraw ? Qt::CrossCursor
                                             : Qt::ArrowCursor);
            break;
        }
        case Grip::kMove: {
            const Nanoseconds by = at - m_pressedAt;
            const TimeRange full = m_axis.fullRange();
            const Nanoseconds begin =
                std::clamp(m_pressedRange.begin + by, full.begin, full.end - m_pressedRange.duration());
            if (m_moved || by.value != 0)
                showRange({begin, begin + m_pressedRange.duration()});
            break;
        }
        case Grip::kLeft:
            showRange({std::min(at, m_pressedRange.end - TimeAxis::kMinimumWidth), m_pressedRange.end});
            break;
        case Grip::kRight:
            showRange({m_pressedRange.begin, std::max(at, m_pressedRange.begin + TimeAxis::kMinimumWidth)});
            break;
        case Grip::kDraw:
            // A click alone draws nothing.
            if (m_moved || std::abs(event->position().x() - xOf(m_pressedAt)) >= kEdge)
                showRange({std::min(at, m_pressedAt), std::max(at, m_pressedAt)});
            break;
    }
}

void OverviewStrip::mouseReleaseEvent(QMouseEvent*) {
    m_grip = Grip::kNone;
}

void OverviewStrip::mouseDoubleClickEvent(QMouseEvent* event) {
    m_grip = Grip::kNone;
    if (event->button() == Qt::LeftButton && event->position().x() >= m_labelWidth)
        m_axis.fitAll();
}

void OverviewStrip::wheelEvent(QWheelEvent* event) {
    event->accept();
    const TimeRange visible = m_axis.visibleRange();
    const Nanoseconds at = timeAt(event->position().x());
    const Nanoseconds middle = visible.begin + Nanoseconds(visible.duration().value / 2);
    const QPoint delta = event->angleDelta();
    m_axis.zoomAt(visible.contains(at) ? at : middle,
                  std::pow(kZoomPerNotch, (delta.y() != 0 ? delta.y() : delta.x()) / kNotch));
}

bool OverviewStrip::takeKey(const QKeyEvent& event) {
    const Nanoseconds middle = middleOf(m_axis);
    switch (event.key()) {
        case Qt::Key_Left:
            return takeMoveKey(m_axis, Qt::Key_A, middle);
        case Qt::Key_Right:
            return takeMoveKey(m_axis, Qt::Key_D, middle);
        case Qt::Key_Up:
        case Qt::Key_Plus:
            return takeMoveKey(m_axis, Qt::Key_W, middle);
        case Qt::Key_Down:
        case Qt::Key_Minus:
            return takeMoveKey(m_axis, Qt::Key_S, middle);
        case Qt::Key_Home:
        case Qt::Key_F:
            m_axis.fitAll();
            return true;
        default:
            return takeMoveKey(m_axis, event.key(), middle);
    }
}

QString OverviewStrip::textAt(Nanoseconds t) const {
    QStringList parts{m_axis.clock().text(t)};
    for (const TrackKind kind : {TrackKind::kStep, TrackKind::kPhase}) {
        if (const std::string name = spanNameAt(*m_document.snapshot(), kind, t); !name.empty())
            parts << toQString(name);
    }
    QString text = parts.join(QStringLiteral(" · "));
    if (m_picture && m_picture->curve.range.contains(t)) {
        const ActivityCurve& curve = m_picture->curve;
        const double share = static_cast<double>((t - curve.range.begin).value) /
                             static_cast<double>(curve.range.duration().value);
        const auto column =
            std::min(static_cast<std::size_t>(share * static_cast<double>(curve.share.size())),
                     curve.share.size() - 1);
        const QString busy = toQString(formatPercent(static_cast<double>(curve.share[column])));
        text += QLatin1Char('\n') + (curve.ofGpu ? tr("GPU busy %1").arg(busy) : tr("In ops %1").arg(busy));
    }
    const auto host = m_filter ? m_filter->extent().host : std::nullopt;
    if (host && !host->contains(t))
        text += QLatin1Char('\n') + tr("Excluded by the filter: %1").arg(m_filter->words().all());
    return text;
}

QString OverviewStrip::toolTipAt(QPointF point) const {
    return m_document.snapshot() && point.x() >= m_labelWidth ? textAt(timeAt(point.x())) : QString();
}

void OverviewStrip::refreshNow() {
    m_query.invalidate(DeferredQuery::Cause::kPerson);
    m_query.runNow();
}

void OverviewStrip::resizeEvent(QResizeEvent*) {
    m_query.invalidate(DeferredQuery::Cause::kPerson);
}

}  // namespace warpglass::ui
