// The keys of the timeline: W S zoom, A D pan, F fits the selection or the run, Shift+F and Home the run,
// Ctrl+Z goes back and Ctrl+Y forward again, Page Up and Down scroll. Those of rows, of marks and of the
// selection are their parts' own, asked in turn.
#pragma once

class QKeyEvent;

namespace warpglass::ui {

class MarkSteps;
class TimeAxis;
class TimelineLabels;
class TimelineSelection;
class TimelineViewport;

class TimelineKeys {
public:
    /// All outlive it.
    TimelineKeys(TimeAxis& axis, TimelineViewport& viewport, TimelineLabels& labels, MarkSteps& marks,
                 TimelineSelection& selection)
        : m_axis(axis), m_viewport(viewport), m_labels(labels), m_marks(marks), m_selection(selection) {}

    /// False if it is for someone else.
    bool handle(const QKeyEvent& event);

private:
    bool handleRange(const QKeyEvent& event);

    TimeAxis& m_axis;
    TimelineViewport& m_viewport;
    TimelineLabels& m_labels;
    MarkSteps& m_marks;
    TimelineSelection& m_selection;
};

}  // namespace warpglass::ui
