#include "ui/timeline/time_ruler_bar.h"

#include <QPainter>

#include "ui/theme/theme.h"
#include "ui/timeline/timeline_metrics.h"

namespace warpglass::ui {

TimeRulerBar::TimeRulerBar(const TimeAxis& axis, int labelWidth, QWidget* parent)
    : QWidget(parent), m_axis(axis), m_labelWidth(labelWidth) {
    setFixedHeight(kRulerHeight);
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, qOverload<>(&QWidget::update));
    connect(&m_axis, &TimeAxis::clockChanged, this, qOverload<>(&QWidget::update));
}

void TimeRulerBar::setColumn(int width, const QString& name) {
    m_columnWidth = width;
    m_columnName = name;
    update();
}

void TimeRulerBar::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    const TimeRange visible = m_axis.visibleRange();
    const QRect ruler = rect().adjusted(0, 0, -m_columnWidth, 0);
    const QRect column(ruler.right() + 1, 0, m_columnWidth, height());
    m_painter.paintRuler(painter, makeRuler(visible, ruler.width() - m_labelWidth, m_axis.clock()), visible,
                         ruler, m_labelWidth, {}, TimelinePainter::RulerSide::kBelow);
    const ThemeColors& colors = Theme::instance().colors();
    painter.fillRect(column, colors.background);
    painter.fillRect(QRect(column.left(), 0, column.width(), 1), colors.hairline);
    painter.setPen(colors.secondaryText);
    painter.drawText(column.adjusted(0, 2, 0, 0), Qt::AlignCenter | Qt::TextSingleLine, m_columnName);
}

}  // namespace warpglass::ui
