// The mouse over the timeline: the wheel zooms at the cursor (with Shift it pans, over the labels or with Alt
// it scrolls the rows), a drag pans, Shift-drag selects a range and shows how long it is, a click selects a
// span and pins the cursor (a step, a phase or a module restricts what counts, an op or a kernel is looked
// at) or unfolds a folded track's strip, a double click zooms to the selected range that it is in, or, where
// that fills the view or there is none, to the span.
#pragma once

#include <QObject>
#include <QPoint>
#include <optional>

#include "ui/models/time_axis.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

class RunDocument;
class TimelineBody;
class TimelineLabels;
class TimelineMarks;
class TimelineSelection;
class TimelineViewport;

class TimelineMouse : public QObject {
public:
    /// All outlive it.
    TimelineMouse(QWidget& view, const RunDocument& document, TimeAxis& axis, TimelineViewport& viewport,
                  TimelineBody& body, TimelineLabels& labels, TimelineSelection& selection,
                  const TimelineMarks& marks)
        : m_view(view),
          m_document(document),
          m_axis(axis),
          m_viewport(viewport),
          m_body(body),
          m_labels(labels),
          m_selection(selection),
          m_marks(marks) {
        view.installEventFilter(this);
    }

private:
    enum class Drag { kNone, kPressed, kPan, kRange };

    bool eventFilter(QObject* watched, QEvent* event) override;
    void wheel(QWheelEvent& event);
    /// False if it is for someone else.
    bool press(const QMouseEvent& event);
    void move(QPoint position);
    bool release(const QMouseEvent& event);
    void doubleClick(const QMouseEvent& event);
    void leave();
    void click(QPoint position);
    void hoverAt(QPoint position);

    QWidget& m_view;
    const RunDocument& m_document;
    TimeAxis& m_axis;
    TimelineViewport& m_viewport;
    TimelineBody& m_body;
    TimelineLabels& m_labels;
    TimelineSelection& m_selection;
    const TimelineMarks& m_marks;
    Drag m_drag = Drag::kNone;
    QPoint m_pressPosition;
    TimeRange m_pressRange;
    int m_pressScroll = 0;
    bool m_pressForRange = false;
    bool m_unfolded = false;  // a track, by the last click
    std::optional<TimeRange> m_pressSelection;
};

}  // namespace warpglass::ui
