#include "ui/timeline/timeline_mouse.h"

#include <QMouseEvent>
#include <QWheelEvent>
#include <QWidget>
#include <algorithm>
#include <cmath>
#include <utility>

#include "ui/models/run_document.h"
#include "ui/timeline/gesture_steps.h"
#include "ui/timeline/timeline_body.h"
#include "ui/timeline/timeline_coordinates.h"
#include "ui/timeline/timeline_labels.h"
#include "ui/timeline/timeline_marks.h"
#include "ui/timeline/timeline_selection.h"

namespace warpglass::ui {

bool TimelineMouse::eventFilter(QObject* watched, QEvent* event) {
    const auto mouse = [event]() -> const QMouseEvent& { return *static_cast<QMouseEvent*>(event); };
    switch (event->type()) {
        case QEvent::Wheel:
            wheel(*static_cast<QWheelEvent*>(event));
            return true;
        case QEvent::MouseButtonPress:
            return press(mouse());
        case QEvent::MouseMove:
            move(mouse().position().toPoint());
            return true;
        case QEvent::MouseButtonRelease:
            return release(mouse());
        case QEvent::MouseButtonDblClick:
            doubleClick(mouse());
            return true;
        case QEvent::Leave:
            leave();
            break;
        default:
            break;
    }
    return QObject::eventFilter(watched, event);
}

void TimelineMouse::wheel(QWheelEvent& event) {
    const QPoint delta = event.angleDelta();
    const QPointF position = event.position();
    // Some desktops turn the wheel sideways while Alt or Shift is held.
    const double vertical = (delta.y() != 0 ? delta.y() : delta.x()) / kNotch;
    event.accept();
    if (event.modifiers() & Qt::AltModifier || position.x() < kTrackLabelWidth) {
        constexpr int kStep = 3 * kScrollStep;
        m_viewport.setScrollTop(m_viewport.scrollTop() - static_cast<int>(std::lround(vertical * kStep)));
    } else if (event.modifiers() & Qt::ShiftModifier) {
        m_axis.panBy(shareOf(m_axis.visibleRange(), -vertical * kPanPerNotch));
    } else if (std::abs(delta.x()) > std::abs(delta.y())) {
        m_axis.panBy(shareOf(m_axis.visibleRange(), -delta.x() / kNotch * kPanPerNotch));
    } else {
        m_axis.zoomAt(m_viewport.timeAt(position.x()), std::pow(kZoomPerNotch, vertical));
    }
    hoverAt(position.toPoint());
}

bool TimelineMouse::press(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton || !m_document.snapshot())
        return false;
    m_drag = Drag::kNone;
    m_unfolded = false;
    m_pressPosition = event.position().toPoint();
    if (event.position().x() < kTrackLabelWidth) {
        m_labels.press(m_pressPosition);
        return true;
    }
    m_labels.pressElsewhere();
    m_pressRange = m_axis.visibleRange();
    m_pressScroll = m_viewport.scrollTop();
    m_pressSelection = m_axis.selectedRange();
    m_pressForRange =
        event.modifiers() & Qt::ShiftModifier || m_pressPosition.y() < m_viewport.plotArea().top();
    m_drag = Drag::kPressed;
    return true;
}

void TimelineMouse::move(QPoint position) {
    if (m_labels.isPressed())
        return m_labels.move(position);
    if (m_drag == Drag::kPressed && (position - m_pressPosition).manhattanLength() >= kDragDistance) {
        m_drag = m_pressForRange ? Drag::kRange : Drag::kPan;
        if (m_drag == Drag::kPan)
            m_view.setCursor(Qt::ClosedHandCursor);
    }
    if (m_drag == Drag::kPan) {
        const Nanoseconds moved =
            pixelsToDuration(position.x() - m_pressPosition.x(), m_pressRange, m_viewport.plotArea().width());
        m_axis.panBy(m_pressRange.begin - moved - m_axis.visibleRange().begin);
        m_viewport.setScrollTop(m_pressScroll - (position.y() - m_pressPosition.y()));
    } else if (m_drag == Drag::kRange) {
        const Nanoseconds a = m_viewport.timeAt(m_pressPosition.x()), b = m_viewport.timeAt(position.x());
        m_axis.setSelectedRange(TimeRange{std::min(a, b), std::max(a, b)});
    }
    hoverAt(position);
}

bool TimelineMouse::release(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton || (m_drag == Drag::kNone && !m_labels.isPressed()))
        return false;
    const QPoint position = event.position().toPoint();
    if (m_labels.isPressed()) {
        m_labels.release(position);
        return true;
    }
    const Drag drag = std::exchange(m_drag, Drag::kNone);
    m_view.unsetCursor();
    if (drag == Drag::kPressed)
        click(position);
    hoverAt(position);
    return true;
}

void TimelineMouse::click(QPoint position) {
    if (const auto mark = m_marks.layer().markAt(position))
        return m_marks.steps().goTo(*mark);
    if (const auto hit = m_body.hitTest(position); hit && hit->row.strip) {
        m_unfolded = true;
        return m_labels.unfold(*m_viewport.rows().trackOf(hit->row));
    }
    m_axis.setPinnedCursor(m_viewport.timeAt(position.x()));
    if (position.y() < m_viewport.plotArea().top())
        return;
    const auto hit = m_body.hitTest(position);
    if (const auto idle = hit ? m_body.idleAt(*hit) : std::nullopt)
        return m_selection.selectIdle(*idle);
    // A span that still runs has no row to refer to yet.
    m_selection.pick(hit && !hit->rect.open() ? std::optional(SpanRef{hit->row.lane, hit->rect.row})
                                              : std::nullopt);
}

void TimelineMouse::doubleClick(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton)
        return;
    const QPoint position = event.position().toPoint();
    if (position.x() < kTrackLabelWidth) {
        m_labels.doubleClick(position);
    } else if (m_unfolded) {
        return;  // its first click has done what was meant, and other rows are there now
    } else if (const auto mark = m_marks.layer().markAt(position)) {
        m_marks.steps().goTo(*mark);
        m_marks.steps().editCurrent();
    } else if (m_selection.zoomToRangeAt(m_viewport.timeAt(position.x()), m_pressSelection)) {
        hoverAt(position);
    } else if (position.y() < m_viewport.plotArea().top()) {
        m_axis.fitAll();
    } else if (const auto hit = m_body.hitTest(position)) {
        m_selection.zoomTo({Nanoseconds(hit->rect.begin), Nanoseconds(hit->rect.end)});
    }
}

void TimelineMouse::leave() {
    m_viewport.pointed() = {};
    m_axis.setCursor(std::nullopt);
    m_axis.setHoveredSpan(std::nullopt);
    m_view.update();
}

void TimelineMouse::hoverAt(QPoint position) {
    m_labels.hover(position);
    auto& hit = m_viewport.pointed().hit;
    const bool inPlot = m_view.rect().contains(position) && position.x() >= kTrackLabelWidth;
    if (!inPlot || !m_document.snapshot()) {
        m_axis.setCursor(std::nullopt);
        m_axis.setHoveredSpan(std::nullopt);
        hit.reset();
        if (m_drag != Drag::kPan)
            m_view.unsetCursor();
        return;
    }
    m_axis.setCursor(m_viewport.timeAt(position.x()));
    hit = m_drag == Drag::kPan ? std::nullopt : m_body.hitTest(position);
    // A merged run is no one span, and one that still runs has no row yet.
    const bool single = hit && !hit->rect.merged() && !hit->rect.open();
    m_axis.setHoveredSpan(single ? std::optional(SpanRef{hit->row.lane, hit->rect.row}) : std::nullopt);
    if (const auto shape = hit && hit->row.strip ? Qt::PointingHandCursor : Qt::ArrowCursor;
        m_drag != Drag::kPan && m_view.cursor().shape() != shape)
        m_view.setCursor(shape);
    m_view.update();
}

}  // namespace warpglass::ui
