#include "ui/panels/duration_histogram.h"

#include <QHelpEvent>
#include <QPainter>
#include <QPainterPath>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/models/table_model.h"
#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {
constexpr int kHeight = 64;
constexpr int kLeast = 1;  // px, for a bin that is not empty
}  // namespace

DurationHistogram::DurationHistogram(QWidget* parent) : QWidget(parent) {
    setFixedHeight(kHeight);
    setAccessibleName(tr("Durations of its kind"));
}

QSize DurationHistogram::sizeHint() const {
    return {264, kHeight};
}

void DurationHistogram::setStatistics(const KindStatistics& statistics, std::optional<Nanoseconds> marked) {
    m_statistics = statistics;
    m_marked = marked;
    setVisible(!m_statistics.histogram.empty());
    update();
}

int DurationHistogram::markedBin() const {
    return m_marked && !m_statistics.histogram.empty() ? m_statistics.binOf(*m_marked) : -1;
}

void DurationHistogram::paintEvent(QPaintEvent*) {
    const auto& bins = m_statistics.histogram;
    if (bins.empty())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(this);
    const QRectF area =
        QRectF(rect()).adjusted(Metrics::kSpace4, Metrics::kSpace1, -Metrics::kSpace4, -Metrics::kSpace3);
    const std::int64_t highest = *std::max_element(bins.begin(), bins.end());
    const double pitch = area.width() / static_cast<double>(bins.size());
    QColor quiet = colors.accent;
    quiet.setAlphaF(0.6F);
    for (std::size_t i = 0; i < bins.size(); ++i) {
        if (bins[i] == 0)
            continue;
        const double height = std::max<double>(
            kLeast, std::round(area.height() * static_cast<double>(bins[i]) / static_cast<double>(highest)));
        const double left = std::round(area.left() + static_cast<double>(i) * pitch);
        const double right = std::round(area.left() + static_cast<double>(i + 1) * pitch) - 1;
        painter.fillRect(QRectF(left, area.bottom() - height, right - left, height),
                         static_cast<int>(i) == markedBin() ? colors.accent : quiet);
    }
    if (const int bin = markedBin(); bin >= 0) {
        // A small arrow below: its own bar may be too low to see.
        const double x = area.left() + (bin + 0.5) * pitch - 0.5;
        QPainterPath arrow(QPointF(x, area.bottom() + 3));
        arrow.lineTo(x + 4, area.bottom() + 8);
        arrow.lineTo(x - 4, area.bottom() + 8);
        painter.setRenderHint(QPainter::Antialiasing);
        painter.fillPath(arrow, colors.accent);
    }
    painter.fillRect(QRectF(area.left(), area.bottom(), area.width(), 1), colors.hairline);
}

bool DurationHistogram::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip && !m_statistics.histogram.empty()) {
        const auto* help = static_cast<QHelpEvent*>(event);
        const double room = std::max(1, width() - 2 * Metrics::kSpace4);
        constexpr int kLast = KindStatistics::kBins - 1;
        const int bin = std::clamp(
            static_cast<int>((help->pos().x() - Metrics::kSpace4) / room * KindStatistics::kBins), 0, kLast);
        const QString instances =
            toQString(formatGrouped(m_statistics.histogram[static_cast<std::size_t>(bin)]));
        const QString from = toQString(formatDuration(m_statistics.binEdge(bin)));
        const QString to = toQString(formatDuration(m_statistics.binEdge(bin + 1)));
        QToolTip::showText(help->globalPos(),
                           bin == kLast ? tr("%1 of %2 and longer").arg(instances, from)
                                        : tr("%1 of %2 to %3").arg(instances, from, to),
                           this);
        return true;
    }
    return QWidget::event(event);
}

}  // namespace warpglass::ui
