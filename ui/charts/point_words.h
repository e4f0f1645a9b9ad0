// Words within a chart of lines, where nothing else is: the names of lines that end before the others do
// because memory ran out, and the values of points where these are few. What finds no free place is left out.
#pragma once

#include <QFontMetricsF>
#include <QRectF>
#include <QStringList>
#include <vector>

#include "ui/charts/data_scales.h"
#include "ui/charts/series_look.h"

class QPainter;

namespace warpglass::ui {

class LabelRoom;

class PointWords {
public:
    /// More values than that are read off the axis.
    static constexpr std::ptrdiff_t kMostValues = 8;
    /// All outlive this.
    PointWords(const Chart& chart, const SeriesLook& look, const DataScales& scales)
        : m_chart(chart), m_look(look), m_scales(scales) {}
    /// For scales that have their area.
    void place(const QFontMetricsF& metrics, const std::vector<ChartMark>& marks);
    void clear() { m_words.clear(); }

    QStringList texts() const;
    void paint(QPainter& painter) const;

private:
    struct Word {
        std::size_t series;
        QString text;
        QRectF box;
    };
    void takeLines(LabelRoom& room) const;
    /// Beside the first of these points of the series that has room for it.
    void add(LabelRoom& room, std::size_t series, const QString& text, const std::vector<QPointF>& points,
             const QFontMetricsF& metrics);

    const Chart& m_chart;
    const SeriesLook& m_look;
    const DataScales& m_scales;
    std::vector<Word> m_words;
};

}  // namespace warpglass::ui
