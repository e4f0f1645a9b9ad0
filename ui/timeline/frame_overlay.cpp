#include "ui/timeline/frame_overlay.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QLocale>
#include <QPainter>
#include <algorithm>
#include <cmath>
#include <vector>

#include "ui/theme/theme.h"

namespace warpglass::ui {

namespace {

QString text(const char* source) {
    return QCoreApplication::translate("FrameOverlay", source);
}

QString grouped(std::uint64_t count) {
    return QLocale(QLocale::English).toString(static_cast<qulonglong>(count));
}

}  // namespace

void FrameTimes::add(double at, double took) {
    m_frames.push_back({at, took});
    while (m_frames.front().at < at - kWindow)
        m_frames.pop_front();
}

double FrameTimes::percentile95() const {
    if (m_frames.empty())
        return 0;
    std::vector<double> times;
    for (const Frame& frame : m_frames)
        times.push_back(frame.took);
    const auto rank = static_cast<std::ptrdiff_t>(std::ceil(0.95 * static_cast<double>(times.size()))) - 1;
    std::nth_element(times.begin(), times.begin() + rank, times.end());
    return times[static_cast<std::size_t>(rank)];
}

QStringList frameLines(const FrameTimes& times, const FrameLoad& load) {
    return {text("%1 ms · p95 %2 ms of %3 in the last second")
                .arg(times.last(), 0, 'f', 1)
                .arg(times.percentile95(), 0, 'f', 1)
                .arg(times.count()),
            text("%1 rectangles for %2 spans").arg(grouped(load.rects), grouped(load.spans)),
            text("%1 of %2 rows in view").arg(load.rows).arg(load.allRows)};
}

void paintFrameOverlay(QPainter& painter, const QRect& area, const QStringList& lines) {
    const ThemeColors& colors = Theme::instance().colors();
    const PainterScope undone(painter);
    painter.setFont(Theme::tableFont());
    const QFontMetrics metrics(Theme::tableFont());
    int width = 0;
    for (const QString& line : lines)
        width = std::max(width, metrics.horizontalAdvance(line));
    QRect box(0, 0, width + 2 * Metrics::kSpace2,
              static_cast<int>(lines.size()) * metrics.height() + 2 * Metrics::kSpace1);
    box.moveBottomRight(area.bottomRight() - QPoint(Metrics::kSpace3, Metrics::kSpace2));
    painter.setRenderHint(QPainter::Antialiasing);
    QColor ground = colors.background;
    ground.setAlphaF(0.88F);
    painter.setPen(colors.hairline);
    painter.setBrush(ground);
    painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), Metrics::kSpace1, Metrics::kSpace1);
    painter.setPen(colors.text);
    int y = box.top() + Metrics::kSpace1;
    for (const QString& line : lines) {
        painter.drawText(QRect(box.left() + Metrics::kSpace2, y, width, metrics.height()),
                         Qt::AlignRight | Qt::AlignVCenter | Qt::TextSingleLine, line);
        y += metrics.height();
    }
}

}  // namespace warpglass::ui
