// The names of a chart's lines at their ends, in place of a legend where each has room, with the values that
// they end at where no point has its own (point_words.h) and no fit is said. One that ends because it ran out
// of memory is named beside the cross that stands for that (and where it ends by point_words.h).
#pragma once

#include <QFontMetricsF>
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
    bool place(DataScales& scales, const QFontMetricsF& metrics, double width, bool withValues);

    bool any() const { return !m_names.empty(); }
    QStringList texts() const;
    void paint(QPainter& painter) const;

private:
    struct Name {
        std::size_t series;
        QString text;
        QRectF box;
        double at;  // y of the line's end, or of its cross
    };
    /// Their width; less than 0 where a line has no end.
    double name(const DataScales& scales, const QFontMetricsF& metrics, bool withValues);

    const Chart& m_chart;
    const SeriesLook& m_look;
    std::vector<Name> m_names;
};

}  // namespace warpglass::ui
