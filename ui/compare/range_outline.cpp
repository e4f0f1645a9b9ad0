#include "ui/compare/range_outline.h"

#include <QEvent>
#include <QPainter>

#include "ui/models/time_axis.h"
#include "ui/theme/theme.h"
#include "ui/timeline/span_outline.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

namespace {

/// As a selected span's.
constexpr int kLine = 2;

}  // namespace

RangeOutline::RangeOutline(TimelineView& timeline, const TimeAxis& axis)
    : QWidget(&timeline), m_timeline(timeline), m_axis(axis) {
    setObjectName(QStringLiteral("rangeOutline"));
    setAttribute(Qt::WA_TransparentForMouseEvents);
    hide();
    m_timeline.installEventFilter(this);
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, qOverload<>(&QWidget::update));
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
}

void RangeOutline::setRange(std::optional<TimeRange> range) {
    m_range = range;
    setGeometry(m_timeline.rect());
    setVisible(m_range.has_value());
    update();
}

bool RangeOutline::eventFilter(QObject* watched, QEvent* event) {
    if (watched == &m_timeline && event->type() == QEvent::Resize)
        setGeometry(m_timeline.rect());
    return QWidget::eventFilter(watched, event);
}

void RangeOutline::paintEvent(QPaintEvent*) {
    const TimeRange visible = m_axis.visibleRange();
    if (!m_range || m_range->end < visible.begin || m_range->begin > visible.end)
        return;
    const QRect plot = m_timeline.plotArea();
    QPainter painter(this);
    painter.setClipRect(plot);
    paintOutline(painter, outlineBox(*m_range, visible, plot), Theme::instance().colors().accent, kLine);
}

}  // namespace warpglass::ui
