#include "ui/compare/range_outline.h"

#include <QEvent>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/models/time_axis.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_coordinates.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

namespace {

/// As a selected span's.
constexpr int kLine = 2, kBeyond = 10, kLeastWidth = 3;

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
    // An edge beyond the plot stays beyond it, so that the outline is open there.
    const double begin = std::max<double>(timeToPixel(m_range->begin, visible, plot.width()), -kBeyond);
    const double end =
        std::min<double>(timeToPixel(m_range->end, visible, plot.width()), plot.width() + kBeyond);
    const int left = static_cast<int>(std::floor(begin));
    const int width = std::max(static_cast<int>(std::ceil(end)) - left, kLeastWidth);
    const QRect box(plot.left() + left, plot.top(), width, plot.height());
    QPainter painter(this);
    painter.setClipRect(plot);
    for (const QRect& edge : {QRect(box.left(), box.top(), width, kLine),
                              QRect(box.left(), box.bottom() + 1 - kLine, width, kLine),
                              QRect(box.left(), box.top(), kLine, box.height()),
                              QRect(box.right() + 1 - kLine, box.top(), kLine, box.height())})
        painter.fillRect(edge, Theme::instance().colors().accent);
}

}  // namespace warpglass::ui
