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
    /// A column beside the chart's plot that is not on the axis, and what it is.
    void setColumn(int width, const QString& name);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    const TimeAxis& m_axis;
    int m_labelWidth, m_columnWidth = 0;
    QString m_columnName;
    TimelinePainter m_painter;
};

}  // namespace warpglass::ui
