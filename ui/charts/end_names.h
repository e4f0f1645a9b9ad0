// The names of a chart's lines at their ends, in place of a legend where each has room. One that ends because
// it ran out of memory is named, and said to have, beside the cross that stands for that.
//
// GUI thread only.
#pragma once

#include <QFontMetricsF>
#include <QPointF>
#include <QRectF>
#include <QStringList>
#include <vector>

#include "ui/charts/data_scales.h"
#include "ui/charts/series_look.h"

class QPainter;

namespace warpglass::ui {

class EndNames {
public:
    /// Both outlive this.
    EndNames(const Chart& chart, const SeriesLook& look) : m_chart(chart), m_look(look) {}
    /// False, and no names, where there is no room for each beside the others in a widget of that width.
    /// Precondition: the scales are fitted and their area has its height; the names take of its width.
    bool place(DataScales& scales, const QFontMetricsF& metrics, double width);

    bool any() const { return !m_names.empty(); }
    /// As they stand there: "naive: out of memory".
    QStringList texts() const;
    void paint(QPainter& painter) const;

private:
    struct Name {
        std::size_t series;
        QString text;
        QRectF box;
        QPointF end;         // of the line
        bool isOut = false;  // of memory, where it ends
    };
    /// Their width; less than 0 where a line has no end. `saysOut`: beside the crosses that lines end in, and
    /// of what.
    double name(const QFontMetricsF& metrics, bool saysOut);

    const Chart& m_chart;
    const SeriesLook& m_look;
    std::vector<Name> m_names;
};

}  // namespace warpglass::ui
