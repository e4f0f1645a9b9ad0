// The time ruler as a strip of its own, below a chart that is shown without the timeline.
#pragma once

#include <QWidget>

#include "ui/models/time_axis.h"
#include "ui/timeline/timeline_painter.h"

namespace warpglass::ui {

class TimeRulerBar : public QWidget {
    Q_OBJECT
public:
    /// The axis outlives the bar. `labelWidth`: where the chart's plot begins.
    TimeRulerBar(const TimeAxis& axis, int labelWidth, QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const TimeAxis& m_axis;
    int m_labelWidth;
    TimelinePainter m_painter;
};

}  // namespace warpglass::ui
