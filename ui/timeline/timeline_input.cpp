// TimelineView's mouse and keys.
#include <QContextMenuEvent>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QScrollBar>
#include <QToolTip>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/base/format_moment.h"
#include "ui/models/link_indexer.h"
#include "ui/models/run_filter.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/span_navigation.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

namespace {

/// One notch of a wheel (120 eighths of a degree) leaves four fifths of the width: three notches halve it.
constexpr double kZoomPerNotch = 0.8;
constexpr double kNotch = 120.0;
/// W and S, which repeat while held, go in smaller steps than they seem to: about as a notch and a half.
constexpr double kZoomPerKey = 0.7;
/// Shares of the visible width.
constexpr double kPanPerNotch = 0.10;
constexpr double kPanPerKey = 0.15;
/// Less movement than this between press and release is a click.
constexpr int kDragDistance = 4;
/// Room left and right of a span that is zoomed to.
constexpr double kZoomMargin = 0.05;

Nanoseconds share(TimeRange range, double part) {
    return Nanoseconds(std::llround(static_cast<double>(range.duration().value) * part));
}

}  // namespace

void TimelineView::wheelEvent(QWheelEvent* event) {
    const QPoint delta = event->angleDelta();
    const QPointF position = event->position();
    // Some desktops turn the wheel sideways while Alt or Shift is held.
    const double vertical = (delta.y() != 0 ? delta.y() : delta.x()) / kNotch;
    event->accept();
    if (event->modifiers() & Qt::AltModifier || position.x() < kTrackLabelWidth) {
        const int step = 3 * m_scrollBar->singleStep();
        m_scrollBar->setValue(m_scrollBar->value() - static_cast<int>(std::lround(vertical * step)));
    } else if (event->modifiers() & Qt::ShiftModifier) {
        m_axis->panBy(share(m_axis->visibleRange(), -vertical * kPanPerNotch));
    } else if (std::abs(delta.x()) > std::abs(delta.y())) {
        m_axis->panBy(share(m_axis->visibleRange(), -delta.x() / kNotch * kPanPerNotch));
    } else {
        m_axis->zoomAt(timeAt(position.x()), std::pow(kZoomPerNotch, vertical));
    }
    hoverAt(position.toPoint());
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    const bool inPlot = event->position().x() >= kTrackLabelWidth;
    if (event->button() != Qt::LeftButton || !m_document->snapshot()) {
        QWidget::mousePressEvent(event);
        return;
    }
    if (!inPlot)
        return labelPressed(event->position().toPoint());
    m_labels.current.clear();
    m_pressPosition = event->position().toPoint();
    m_pressRange = m_axis->visibleRange();
    m_pressScroll = scrollTop();
    m_pressSelection = m_axis->selectedRange();
    m_pressForRange = event->modifiers() & Qt::ShiftModifier || m_pressPosition.y() < plotArea().top();
    m_drag = Drag::kPressed;
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    const QPoint position = event->position().toPoint();
    if (m_drag == Drag::kLabelPressed || m_drag == Drag::kLabel)
        return labelMoved(position);
    if (m_drag == Drag::kPressed && (position - m_pressPosition).manhattanLength() >= kDragDistance) {
        m_drag = m_pressForRange ? Drag::kRange : Drag::kPan;
        if (m_drag == Drag::kPan)
            setCursor(Qt::ClosedHandCursor);
    }
    if (m_drag == Drag::kPan) {
        const Nanoseconds moved =
            pixelsToDuration(position.x() - m_pressPosition.x(), m_pressRange, plotArea().width());
        m_axis->panBy(m_pressRange.begin - moved - m_axis->visibleRange().begin);
        m_scrollBar->setValue(m_pressScroll - (position.y() - m_pressPosition.y()));
    } else if (m_drag == Drag::kRange) {
        const Nanoseconds a = timeAt(m_pressPosition.x()), b = timeAt(position.x());
        m_axis->setSelectedRange(TimeRange{std::min(a, b), std::max(a, b)});
    }
    hoverAt(position);
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton || m_drag == Drag::kNone) {
        QWidget::mouseReleaseEvent(event);
        return;
    }
    const Drag drag = m_drag;
    if (drag == Drag::kLabelPressed || drag == Drag::kLabel)
        return labelReleased(event->position().toPoint());
    m_drag = Drag::kNone;
    unsetCursor();
    if (drag == Drag::kPressed)
        click(event->position().toPoint());
    hoverAt(event->position().toPoint());
}

void TimelineView::click(QPoint position) {
    if (const auto mark = m_marks->markAt(position))
        return markSteps().goTo(*mark);
    m_axis->setPinnedCursor(timeAt(position.x()));
    if (position.y() < plotArea().top())
        return;
    const auto hit = hitTest(position);
    if (const auto idle = hit ? idleAt(*hit) : std::nullopt)
        return selectIdle(*idle);
    // A span that still runs has no row to refer to yet.
    const auto span =
        hit && !hit->rect.open() ? std::optional(SpanRef{hit->row.lane, hit->rect.row}) : std::nullopt;
    if (!m_filter) {
        m_axis->setSelectedRange(std::nullopt);
        m_axis->setSelectedSpan(span);
    } else if (span) {
        m_filter->pick(*span);
    } else if (m_filter->isLooking()) {
        m_axis->setSelectedSpan(std::nullopt);  // and not what counts
    }
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    if (event->button() != Qt::LeftButton)
        return;
    const QPoint position = event->position().toPoint();
    if (position.x() < kTrackLabelWidth) {
        if (const auto track = labelAt(position); track && position.x() > kChevronLeft + kChevronWidth) {
            m_labels.current = m_rows.tracks()[*track].key;
            toggleFolded();
        }
    } else if (const auto mark = m_marks->markAt(position)) {
        markSteps().goTo(*mark);
        markSteps().editCurrent();
    } else if (zoomToRangeAt(timeAt(position.x()))) {
        hoverAt(position);
    } else if (position.y() < plotArea().top()) {
        m_axis->fitAll();
    } else if (const auto hit = hitTest(position)) {
        zoomTo({Nanoseconds(hit->rect.begin), Nanoseconds(hit->rect.end)});
    }
}

bool TimelineView::zoomToRangeAt(Nanoseconds time) {
    // The first click of the two may have let go of it.
    const auto selected = m_axis->selectedRange();
    const TimeRange* range = selected ? &*selected : m_pressSelection ? &*m_pressSelection : nullptr;
    const TimeRange visible = m_axis->visibleRange();
    if (!range || !range->contains(time) || (range->begin <= visible.begin && range->end >= visible.end))
        return false;
    const TimeRange wanted = *range;
    if (!selected && m_filter)
        m_filter->takeBack();  // or what that click picked would stay in the filter's history
    m_axis->setSelectedRange(wanted);
    m_axis->setVisibleRange(wanted);
    return true;
}

void TimelineView::leaveEvent(QEvent*) {
    m_hover.reset();
    m_labels.hovered.reset();
    m_axis->setCursor(std::nullopt);
    m_axis->setHoveredSpan(std::nullopt);
    update();
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event) {
    if (!m_document->snapshot())
        return;
    std::optional<SpanRef> span = m_axis->selectedSpan();
    if (event->reason() == QContextMenuEvent::Mouse) {
        const auto label = labelAt(event->pos());
        const auto hit = label ? std::nullopt : hitTest(event->pos());
        // A merged run is no one's, and a span that still runs has no row to refer to yet.
        const bool one = hit && hit->rect.count == 1 && !hit->rect.open();
        span = one ? std::optional(SpanRef{hit->row.lane, hit->rect.row}) : std::nullopt;
        const auto track = label ? label : hit ? m_rows.trackOf(hit->row) : std::nullopt;
        m_labels.current = track ? m_rows.tracks()[*track].key : std::string();
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("timelineMenu"));
    if (span) {
        emit spanMenuRequested(menu, *span);
        if (!menu->isEmpty() && !currentTrack())  // a row's actions begin with a line of their own
            menu->addSeparator();
    }
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    if (const auto mark = byKey ? std::nullopt : m_marks->markAt(event->pos()))
        markSteps().goTo(*mark);
    addRowActions(*menu);
    addClockAction(*menu);
    const bool inPlot = !byKey && event->pos().x() >= kTrackLabelWidth;
    addMarkActions(*menu, inPlot ? std::optional(timeAt(event->pos().x())) : std::nullopt);
    menu->popup(byKey ? mapToGlobal(plotArea().topLeft()) : event->globalPos());
    update();
}

void TimelineView::hoverAt(QPoint position) {
    hoverLabel(position);
    const bool inPlot = rect().contains(position) && position.x() >= kTrackLabelWidth;
    if (!inPlot || !m_document->snapshot()) {
        m_axis->setCursor(std::nullopt);
        m_axis->setHoveredSpan(std::nullopt);
        m_hover.reset();
        return;
    }
    m_axis->setCursor(timeAt(position.x()));
    m_hover = m_drag == Drag::kPan ? std::nullopt : hitTest(position);
    // A merged run is no one span, and one that still runs has no row yet.
    const bool single = m_hover && !m_hover->rect.merged() && !m_hover->rect.open();
    m_axis->setHoveredSpan(single ? std::optional(SpanRef{m_hover->row.lane, m_hover->rect.row})
                                  : std::nullopt);
    update();
}

bool TimelineView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip)
        return showToolTip(*static_cast<QHelpEvent*>(event));
    return QWidget::event(event);
}

bool TimelineView::showToolTip(const QHelpEvent& event) {
    const auto hit = hitTest(event.pos());
    if (rangeLabelBox().contains(event.pos()))
        QToolTip::showText(event.globalPos(), rangeToolTip(), this);
    else if (const QString notes = m_marks->toolTipAt(event.pos()); !notes.isEmpty())
        QToolTip::showText(event.globalPos(), notes, this);
    else if (const QString label = labelToolTip(event.pos()); !label.isEmpty())
        QToolTip::showText(event.globalPos(), label, this);
    else if (hit)
        QToolTip::showText(event.globalPos(), toolTipOf(*hit), this);
    else
        QToolTip::hideText();
    return true;
}

QString TimelineView::rangeToolTip() const {
    const auto range = m_axis->selectedRange();
    const auto& snapshot = m_document->snapshot();
    if (!range || !snapshot)
        return {};
    std::uint64_t spans = 0;
    for (std::size_t i = 0; i < snapshot->laneCount(); ++i) {
        const SpanLane lane = snapshot->lane(LaneId(i));
        spans += lane.firstStartingAt(range->end) - lane.firstStartingAt(range->begin);
    }
    // A tool tip does not wait: the inspector adds up many on a worker.
    return spans <= DeferredQuery::kHeavySpans ? rangeText(*range, rangeActivity(*snapshot, *range))
                                               : tr("The inspector says what happens in these %1")
                                                     .arg(toQString(formatDuration(range->duration())));
}

QString TimelineView::toolTipOf(const Hit& hit) {
    if (const GpuBusy* const busy = m_geometry.busyOf(hit.row)) {
        const Nanoseconds moment = m_axis->cursor().value_or(Nanoseconds(hit.rect.begin));
        const int column = m_geometry.logicalMap().columnOf(moment.value);
        return busyText(*m_document->snapshot(), *busy, *hit.row.gpu, hit.rect,
                        {Nanoseconds(m_geometry.logicalMap().startLimit(column)),
                         Nanoseconds(m_geometry.logicalMap().startLimit(column + 1))},
                        m_axis->clock());
    }
    const QString text = tooltipText(*m_document->snapshot(), hit.row, hit.rect, m_axis->clock());
    const bool out = shade().leavesOut(hit.row, hit.rect);
    if (const auto counting = m_shade.passing(hit.row, hit.rect);
        counting && !out && *counting < hit.rect.count)
        return text + QLatin1Char('\n') +
               tr("%1 of them count; the filter is %2")
                   .arg(toQString(formatGrouped(static_cast<std::int64_t>(*counting))), m_shade.words());
    if (m_shade.isUnsure(hit.row, hit.rect))
        return text + QLatin1Char('\n') +
               (out ? tr("The longest is excluded; zoom in to see which of the others count. The filter is "
                         "%1")
                    : tr("Zoom in to see which of them count. The filter is %1"))
                   .arg(m_shade.words());
    return out ? text + QLatin1Char('\n') + tr("Excluded by the filter: %1").arg(m_shade.words()) : text;
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    QToolTip::hideText();
    if (!handleKey(*event))
        QWidget::keyPressEvent(event);
}

bool TimelineView::handleKey(const QKeyEvent& event) {
    if (event.matches(QKeySequence::Undo)) {
        m_axis->zoomBack();
        return true;
    }
    const bool control = event.modifiers() & Qt::ControlModifier;
    if (event.matches(QKeySequence::Redo) || (control && event.key() == Qt::Key_Y)) {
        m_axis->zoomForward();
        return true;
    }
    if (handleRowKey(event))
        return true;
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return false;
    return handleViewKey(event) || markSteps().handleKey(event.key(), event.modifiers()) ||
           handleSelectionKey(event);
}

bool TimelineView::handleViewKey(const QKeyEvent& event) {
    const TimeRange visible = m_axis->visibleRange();
    const Nanoseconds middle = visible.begin + Nanoseconds(visible.duration().value / 2);
    const Nanoseconds anchor = m_axis->cursor().value_or(middle);
    switch (event.key()) {
        case Qt::Key_W:
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            m_axis->zoomAt(anchor, kZoomPerKey);
            return true;
        case Qt::Key_S:
        case Qt::Key_Minus:
            m_axis->zoomAt(anchor, 1 / kZoomPerKey);
            return true;
        case Qt::Key_A:
            m_axis->panBy(share(visible, -kPanPerKey));
            return true;
        case Qt::Key_D:
            m_axis->panBy(share(visible, kPanPerKey));
            return true;
        case Qt::Key_Home:
            m_axis->fitAll();
            return true;
        case Qt::Key_End:
            m_axis->panBy(m_axis->fullRange().end - visible.end);
            return true;
        case Qt::Key_F:
            if (event.modifiers() & Qt::ShiftModifier)
                m_axis->fitAll();
            else
                fitSelectionOrAll();
            return true;
        case Qt::Key_PageUp:
            m_scrollBar->setValue(m_scrollBar->value() - m_scrollBar->pageStep());
            return true;
        case Qt::Key_PageDown:
            m_scrollBar->setValue(m_scrollBar->value() + m_scrollBar->pageStep());
            return true;
        default:
            return false;
    }
}

bool TimelineView::handleSelectionKey(const QKeyEvent& event) {
    switch (event.key()) {
        case Qt::Key_Left:
            selectPrevious();
            return true;
        case Qt::Key_Right:
            selectNext();
            return true;
        case Qt::Key_Up:
            selectParent();
            return true;
        case Qt::Key_Down:
            selectChild();
            return true;
        case Qt::Key_BracketLeft:
            selectCause();
            return true;
        case Qt::Key_BracketRight:
            selectEffect();
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            zoomToSelection();
            return true;
        case Qt::Key_Escape:
            return letGo();
        default:
            return false;
    }
}

void TimelineView::select(std::optional<SpanRef> ref, bool look) {
    const auto& snapshot = m_document->snapshot();
    const auto span = snapshot && ref ? spanRow(*snapshot, *ref) : std::nullopt;
    if (!span)
        return;  // nothing in that direction: stay
    if (m_filter && look)
        m_filter->look(ref);
    else
        m_axis->setSelectedSpan(ref);
    m_axis->setPinnedCursor(Nanoseconds(span->start));
}

/// In the row that was gone to by keys, or else the first row that has one.
std::optional<SpanRef> TimelineView::firstSpanInView() const {
    const auto& snapshot = m_document->snapshot();
    const TimeRange visible = m_axis->visibleRange();
    const auto chosen = m_rows.trackOf(m_labels.current);
    for (const TimelineRow& row : m_rows.rows()) {
        if (!snapshot || row.gpu || (chosen && row.track != m_rows.tracks()[*chosen].track))
            continue;
        const SpanLane lane = snapshot->lane(row.lane);
        const std::uint64_t first = lane.firstEndingAfter(visible.begin);
        const auto span = first < lane.rows() ? lane.row(first) : std::nullopt;
        if (span && span->start < visible.end.value)
            return SpanRef{row.lane, first};
    }
    return std::nullopt;
}

void TimelineView::selectPrevious() {
    if (m_axis->selectedIdle()) {
        selectIdleBeside(-1);
        return;
    }
    if (const auto span = m_axis->selectedSpan(); span && m_document->snapshot())
        select(previousSpan(*m_document->snapshot(), *span));
}

void TimelineView::selectNext() {
    if (selectIdleBeside(1))
        return;
    // From nothing, so that a keyboard alone gets somewhere.
    if (const auto span = m_axis->selectedSpan(); !span)
        select(firstSpanInView());
    else if (m_document->snapshot())
        select(nextSpan(*m_document->snapshot(), *span));
}

void TimelineView::selectParent() {
    if (const auto span = m_axis->selectedSpan(); span && m_document->snapshot())
        select(spanAround(*m_document->snapshot(), *span));
}

void TimelineView::selectChild() {
    if (m_axis->selectedIdle())
        return;  // nothing is in it
    if (const auto span = m_axis->selectedSpan(); !span)
        select(firstSpanInView());
    else if (m_document->snapshot())
        select(firstSpanIn(*m_document->snapshot(), *span));
}

void TimelineView::walkChain(int by) {
    if (const auto span = m_axis->selectedSpan())
        select(m_document->links().walk(*span, by), true);
}

bool TimelineView::letGo() {
    const bool chosen = !m_labels.current.empty();
    m_labels.current.clear();
    update();
    if (m_filter)
        return m_filter->letGo() || chosen;
    const bool selected =
        m_axis->selectedRange() || m_axis->selectedSpan() || m_axis->selectedIdle() || m_axis->pinnedCursor();
    m_axis->setPinnedCursor(std::nullopt);
    m_axis->setSelectedSpan(std::nullopt);
    m_axis->setSelectedRange(std::nullopt);
    return selected || chosen;
}

void TimelineView::zoomTo(TimeRange range) {
    const Nanoseconds margin = share(range, kZoomMargin);
    m_axis->setVisibleRange({range.begin - margin, range.end + margin});
}

void TimelineView::zoomToSelection() {
    const auto& snapshot = m_document->snapshot();
    if (const auto range = markSteps().latestRange()) {
        m_axis->setVisibleRange(*range);
    } else if (const auto ref = m_axis->selectedSpan(); ref && snapshot) {
        if (const auto span = spanRow(*snapshot, *ref))
            zoomTo({Nanoseconds(span->start), Nanoseconds(span->end())});
    } else if (const auto idle = m_axis->selectedIdle()) {
        zoomTo(idle->range());
    }
}

void TimelineView::fitSelectionOrAll() {
    if (m_axis->selectedRange() || m_axis->selectedSpan() || m_axis->selectedIdle())
        zoomToSelection();
    else
        m_axis->fitAll();
}

}  // namespace warpglass::ui
