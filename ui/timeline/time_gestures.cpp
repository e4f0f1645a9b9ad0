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

bool takeMoveKey(TimeAxis& axis, int key, Nanoseconds at) {
    if (key == Qt::Key_W || key == Qt::Key_S)
        axis.zoomAt(at, key == Qt::Key_W ? kZoomPerKey : 1 / kZoomPerKey);
    else if (key == Qt::Key_A || key == Qt::Key_D)
        axis.panBy(shareOf(axis.visibleRange(), key == Qt::Key_A ? -kPanPerKey : kPanPerKey));
    else
        return false;
    return true;
}

Nanoseconds middleOf(const TimeAxis& axis) {
    const TimeRange visible = axis.visibleRange();
    return visible.begin + Nanoseconds(visible.duration().value / 2);
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
    const Nanoseconds at = m_axis.effectiveCursor().value_or(middleOf(m_axis));
    if (takeZoomHistoryKey(m_axis, event))
        return true;
    switch (event.key()) {
        case Qt::Key_Left:
            return takeMoveKey(m_axis, Qt::Key_A, at);
        case Qt::Key_Right:
            return takeMoveKey(m_axis, Qt::Key_D, at);
        case Qt::Key_F:
            m_axis.fitAll();
            return true;
        default:
            return takeMoveKey(m_axis, event.key(), at);
    }
}

}  // namespace warpglass::ui
