#include "ui/charts/point_words.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/charts/label_room.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// Points at the end of a line that are tried for its name: farther off it would not say where the line ends.
constexpr std::size_t kMostTried = 16;
/// Between a point and its words; half of what a point takes.
constexpr double kBesidePoint = 7, kHalfMark = 4;

}  // namespace

void PointWords::takeLines(LabelRoom& room) const {
    for (const ChartSeries& series : m_chart.series) {
        const ChartPoint* before = nullptr;
        for (const ChartPoint& point : series.points) {
            if (!std::isfinite(point.y)) {
                before = nullptr;
                continue;
            }
            const QPointF at(m_scales.xOf(point.x), m_scales.yOf(point.y));
            room.takeBox({at.x() - kHalfMark, at.y() - kHalfMark, 2 * kHalfMark, 2 * kHalfMark});
            if (point.deviation > 0)
                room.takeLine({QPointF(at.x(), m_scales.yOf(point.y - point.deviation)),
                               QPointF(at.x(), m_scales.yOf(point.y + point.deviation))});
            if (before)
                room.takeLine({QPointF(m_scales.xOf(before->x), m_scales.yOf(before->y)), at});
            before = &point;
        }
    }
}

void PointWords::add(LabelRoom& room, std::size_t series, const QString& text,
                     const std::vector<QPointF>& points, const QFontMetricsF& metrics) {
    const double width = metrics.horizontalAdvance(text) + 2, height = metrics.height();
    for (const QPointF& at : points) {
        for (const QPointF& corner :
             {QPointF(-width / 2, -kBesidePoint - height), QPointF(-width / 2, kBesidePoint),
              QPointF(kBesidePoint, -height / 2), QPointF(-kHalfMark, -kBesidePoint - height),
              QPointF(kBesidePoint, 0), QPointF(-kBesidePoint - width, -height)}) {
            const QRectF box(at + corner, QSizeF(width, height));
            if (!room.isFree(box))
                continue;
            room.takeBox(box);
            m_words.push_back({series, text, box});
            return;
        }
    }
}

void PointWords::place(const QFontMetricsF& metrics, const std::vector<ChartMark>& marks) {
    m_words.clear();
    LabelRoom room(m_scales.area());
    takeLines(room);
    for (const std::size_t s : m_look.own()) {
        if (!m_look.endsOutOfMemory(s))
            continue;
        const auto& all = m_chart.series[s].points;
        std::vector<QPointF> points;
        for (auto point = all.rbegin(); point != all.rend() && points.size() < kMostTried; ++point) {
            if (std::isfinite(point->y))
                points.emplace_back(m_scales.xOf(point->x), m_scales.yOf(point->y));
        }
        add(room, s, m_look.labelOf(s), points, metrics);
    }
    const auto isMeasured = [this](const ChartMark& mark) {
        return std::isfinite(m_chart.series[mark.series].points[mark.point].y);
    };
    if (std::ranges::count_if(marks, isMeasured) > kMostValues)
        return;
    for (const ChartMark& mark : marks) {
        if (isMeasured(mark))
            add(room, mark.series,
                toQString(readableCell(wholeIfExact(m_chart.series[mark.series].points[mark.point].y),
                                       m_chart.y.unit)),
                {m_scales.placeOf(mark)}, metrics);
    }
}

QStringList PointWords::texts() const {
    QStringList texts;
    for (const Word& word : m_words)
        texts << word.text;
    return texts;
}

void PointWords::paint(QPainter& painter) const {
    for (const Word& word : m_words) {
        painter.setPen(Theme::readableOn(m_look.colorOf(word.series), Theme::instance().colors().background));
        painter.drawText(word.box, Qt::AlignCenter | Qt::TextSingleLine, word.text);
    }
}

}  // namespace warpglass::ui
