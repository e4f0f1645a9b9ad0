#include "ui/timeline/time_gestures.h"

#include <QKeyEvent>
#include <QMouseEvent>
#include <QWheelEvent>
#include <algorithm>
#include <cmath>

#include "ui/timeline/gesture_steps.h"

namespace warpglass::ui {

bool takeZoomHistoryKey(TimeAxis& axis, const QKeyEvent& event) {
    const bool control = event.modifiers() & Qt::ControlModifier;
    if (event.matches(QKeySequence::Undo))
        axis.zoomBack();
    else if (event.matches(QKeySequence::Redo) || (control && event.key() == Qt::Key_Y))
        axis.zoomForward();
    else
        return false;
    return true;
}

TimeGestures::TimeGestures(TimeAxis& axis, std::function<Span()> plot,
                           std::function<Nanoseconds(double)> timeAt)
    : m_axis(axis), m_plot(std::move(plot)), m_timeAt(std::move(timeAt)) {}

bool TimeGestures::press(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton || !m_plot().holds(event.position().x()))
        return false;
    m_pressedAt = event.position();
    m_pressedRange = m_axis.visibleRange();
    m_anchor = m_timeAt(event.position().x());
    m_drag = event.modifiers() & Qt::ShiftModifier ? Drag::kSelect : Drag::kPressed;
    return true;
}

TimeGestures::Move TimeGestures::move(const QMouseEvent& event) {
    const QPointF at = event.position();
    if (m_drag == Drag::kPressed && (at - m_pressedAt).manhattanLength() >= kDragDistance)
        m_drag = Drag::kPan;
    if (m_drag == Drag::kPan) {
        const double nsPerPixel =
            static_cast<double>(m_pressedRange.duration().value) / std::max(1.0, m_plot().width);
        const Nanoseconds moved(std::llround((at.x() - m_pressedAt.x()) * nsPerPixel));
        m_axis.panBy(m_keepsMoment ? m_anchor - m_timeAt(at.x())
                                   : m_pressedRange.begin - moved - m_axis.visibleRange().begin);
    } else if (m_drag == Drag::kSelect) {
        const Nanoseconds here = m_timeAt(at.x());
        m_axis.setSelectedRange(TimeRange{std::min(m_anchor, here), std::max(m_anchor, here)});
    }
    m_axis.setCursor(m_plot().holds(at.x()) ? std::optional(m_timeAt(at.x())) : std::nullopt);
    switch (m_drag) {
        case Drag::kPan:
            return Move::kPan;
        case Drag::kSelect:
            return Move::kSelect;
        case Drag::kPressed:
            return Move::kPressed;
        case Drag::kNone:
            break;
    }
    return Move::kHover;
}

bool TimeGestures::release(const QMouseEvent& event) {
    if (event.button() != Qt::LeftButton)
        return false;
    const bool click = m_drag == Drag::kPressed;
    m_drag = Drag::kNone;
    return click;
}

void TimeGestures::pan(double share) {
    m_axis.panBy(shareOf(m_axis.visibleRange(), share));
}

void TimeGestures::wheel(const QWheelEvent& event) {
    const QPoint turned = event.angleDelta();
    if (event.modifiers() & Qt::ShiftModifier || std::abs(turned.x()) > std::abs(turned.y()))
        pan(-(turned.x() != 0 ? turned.x() : turned.y()) / kNotch * kPanPerNotch);
    else if (turned.y() != 0)
        m_axis.zoomAt(m_timeAt(event.position().x()), std::pow(kZoomPerNotch, turned.y() / kNotch));
}

bool TimeGestures::key(const QKeyEvent& event) {
    const TimeRange visible = m_axis.visibleRange();
    const Nanoseconds middle = visible.begin + Nanoseconds(visible.duration().value / 2);
    const Nanoseconds at = m_axis.effectiveCursor().value_or(middle);
    if (takeZoomHistoryKey(m_axis, event))
        return true;
    switch (event.key()) {
        case Qt::Key_W:
            m_axis.zoomAt(at, kZoomPerKey);
            return true;
        case Qt::Key_S:
            m_axis.zoomAt(at, 1 / kZoomPerKey);
            return true;
        case Qt::Key_A:
        case Qt::Key_Left:
            pan(-kPanPerKey);
            return true;
        case Qt::Key_D:
        case Qt::Key_Right:
            pan(kPanPerKey);
            return true;
        case Qt::Key_F:
            m_axis.fitAll();
            return true;
        default:
            return false;
    }
}

}  // namespace warpglass::ui
