#include "ui/timeline/time_ruler_bar.h"

#include <QPainter>

#include "ui/timeline/timeline_metrics.h"

namespace warpglass::ui {

TimeRulerBar::TimeRulerBar(const TimeAxis& axis, int labelWidth, QWidget* parent)
    : QWidget(parent), m_axis(axis), m_labelWidth(labelWidth) {
    setFixedHeight(kRulerHeight);
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, qOverload<>(&QWidget::update));
    connect(&m_axis, &TimeAxis::clockChanged, this, qOverload<>(&QWidget::update));
}

void TimeRulerBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const TimeRange visible = m_axis.visibleRange();
    m_painter.paintRuler(painter, makeRuler(visible, width() - m_labelWidth, m_axis.clock()), visible, rect(),
                         m_labelWidth, {}, TimelinePainter::RulerSide::kBelow);
}

}  // namespace warpglass::ui
