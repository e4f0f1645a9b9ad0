// What the mouse and the keyboard do to the time axis in a chart that lies on it: a drag pans, Shift-drag
// selects a stretch of time, the wheel zooms at the pointer (with Shift, or sideways, it pans), W S A D zoom
// and pan, F shows the whole run, Ctrl+Z goes back. What a click does is the chart's own; Esc is the
// workspace's.
//
// GUI thread only; a part of the chart, which passes its events on.
#pragma once

#include <QPointF>
#include <functional>

#include "ui/models/time_axis.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

/// Ctrl+Z, and Ctrl+Shift+Z or Ctrl+Y, lead through the zooms; false for any other key.
bool takeZoomHistoryKey(TimeAxis& axis, const QKeyEvent& event);
/// W and S zoom at that moment, A and D pan; false for any other key.
bool takeMoveKey(TimeAxis& axis, int key, Nanoseconds at);
/// The middle of what is visible.
Nanoseconds middleOf(const TimeAxis& axis);

class TimeGestures {
public:
    /// Where the chart's plot is, in logical pixels of the widget.
    struct Span {
        double left = 0, width = 1;
        bool holds(double x) const { return left <= x && x < left + width; }
    };
    /// The axis outlives it. `timeAt` gives the moment at an x, within what is visible.
    TimeGestures(TimeAxis& axis, std::function<Span()> plot, std::function<Nanoseconds(double)> timeAt);

    /// False for a press that is not the plot's.
    bool press(const QMouseEvent& event);
    enum class Move { kHover, kPressed, kPan, kSelect };
    /// Also moves the shared cursor.
    Move move(const QMouseEvent& event);
    /// True when it was a click.
    bool release(const QMouseEvent& event);
    void leave() { m_axis.setCursor(std::nullopt); }
    void wheel(const QWheelEvent& event);
    /// False for a key that is not of these.
    bool key(const QKeyEvent& event);

    QPointF pressedAt() const { return m_pressedAt; }
    /// For a chart whose pixels are no equal times: a pan keeps the pressed moment under the mouse.
    void setKeepsMoment(bool keeps) { m_keepsMoment = keeps; }

private:
    void pan(double share);

    TimeAxis& m_axis;
    std::function<Span()> m_plot;
    std::function<Nanoseconds(double)> m_timeAt;
    enum class Drag { kNone, kPressed, kPan, kSelect } m_drag = Drag::kNone;
    QPointF m_pressedAt;
    TimeRange m_pressedRange;
    Nanoseconds m_anchor;
    bool m_keepsMoment = false;
};

}  // namespace warpglass::ui
