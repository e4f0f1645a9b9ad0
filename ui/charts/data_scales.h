// Where the points of a chart of data are: its scales, their ticks, and the area between them in a widget.
// Logical pixels.
#pragma once

#include <QFontMetricsF>
#include <QPointF>
#include <QRectF>
#include <QString>
#include <vector>

#include "engine/tables/chart.h"
#include "ui/charts/series_look.h"

namespace warpglass::ui {

/// A point that is drawn.
struct ChartMark {
    std::size_t series, point;
};

class DataScales {
public:
    struct Scale {
        double low = 0, high = 1;
        bool logarithmic = false;
        /// 0 at low, 1 at high.
        double shareOf(double value) const;
    };
    struct Tick {
        double value;
        QString text;
    };

    /// Both outlive this.
    DataScales(const Chart& chart, const SeriesLook& look) : m_chart(chart), m_look(look) {}
    /// Scales and ticks for a widget of that size; the area comes with setArea().
    void fit(QSizeF size);
    /// Categories of x get names that fit side by side in that width; how many lines these take.
    int nameSlots(const QFontMetricsF& metrics, double width);
    void setArea(const QRectF& area) { m_area = area; }
    /// A title over the area, or over the band, takes so much.
    static constexpr double kTitleLine = 18;
    /// The height of the band over the area for what was not measured; 0 for none.
    double bandHeight() const;
    /// Above the area and its title: no value there could be taken for one on the scale.
    QRectF band() const;

    const QRectF& area() const { return m_area; }
    const Scale& x() const { return m_x; }
    const Scale& y() const { return m_y; }
    /// The scale of a heat map's colors.
    const Scale& value() const { return m_value; }
    const std::vector<Tick>& xTicks() const { return m_xTicks; }
    const std::vector<Tick>& yTicks() const { return m_yTicks; }
    const std::vector<Tick>& valueTicks() const { return m_valueTicks; }

    double xOf(double value) const;
    double yOf(double value) const;
    /// Middle of the bar's slot, and its width, in units of x.
    double barOffset(std::size_t series) const;
    double barWidth() const;
    double barBase(const ChartPoint& point) const;
    /// The row of the band where the points of a series stand that were not measured; for bars, the upper
    /// edge.
    double unmeasuredTop(std::size_t series) const;
    QPointF placeOf(const ChartMark& mark) const;
    QRectF cellRect(const ChartPoint& cell) const;
    QRectF rectOf(const ChartMark& mark) const;

private:
    void scaleAxes(double height);
    void placeTicks(double width, double height);

    const Chart& m_chart;
    const SeriesLook& m_look;
    QRectF m_area;
    Scale m_x, m_y, m_value;
    std::vector<Tick> m_xTicks, m_yTicks, m_valueTicks;
};

}  // namespace warpglass::ui
