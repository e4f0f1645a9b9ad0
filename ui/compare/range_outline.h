// A stretch of time outlined over all rows of a timeline, for a module on a GPU, which is many kernels rather
// than one span: from the start of the first to the end of the last.
//
// GUI thread only. Lies over the timeline, as large as it, and takes no mouse.
#pragma once

#include <QWidget>

#include <optional>

#include "engine/base/units.h"

namespace warpglass::ui {

class TimeAxis;
class TimelineView;

class RangeOutline : public QWidget {
    Q_OBJECT
public:
    /// `axis` is the timeline's; both outlive it.
    RangeOutline(TimelineView& timeline, const TimeAxis& axis);

    void setRange(std::optional<TimeRange> range);
    const std::optional<TimeRange>& range() const { return m_range; }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    TimelineView& m_timeline;
    const TimeAxis& m_axis;
    std::optional<TimeRange> m_range;
};

}  // namespace warpglass::ui
