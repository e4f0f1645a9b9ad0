// Over the timeline of a run that is being recorded, in its lower right corner: shows the newest moments
// again, once they are not followed any more.
#pragma once

#include <QPushButton>

namespace warpglass::ui {

class RunDocument;
class TimeAxis;
class TimelineViewport;

class FollowButton : public QPushButton {
    Q_OBJECT
public:
    /// All outlive it.
    FollowButton(QWidget& view, const RunDocument& document, TimeAxis& axis,
                 const TimelineViewport& viewport);
    /// Where there is something to follow; after every change of the view's size or of the run.
    void place();

private:
    const RunDocument& m_document;
    const TimeAxis& m_axis;
    const TimelineViewport& m_viewport;
};

}  // namespace warpglass::ui
