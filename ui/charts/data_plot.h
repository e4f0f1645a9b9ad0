// Draws a chart that is data (engine/tables/chart.h) with QCustomPlot: lines or grouped bars with error bars,
// a bridge of bars, or a heat map; linear or logarithmic axes with ticks in the unit's words.
//
// Series are named at the ends of their lines where the names fit (end_names.h), else in a legend
// (series_look.h). What ran out of memory or failed stands as a cross or a square in a band above the plot,
// where each line has a row of its own; what is missing is left empty. Few points have their values beside
// them. Every point is a mark (canvas.h): hover tells its exact values, a click or an arrow key chooses
// it. Several are selected with Ctrl or Shift and a click, Shift and an arrow key, or Ctrl and arrow keys and
// then Space.
#pragma once

#include <vector>

#include "engine/tables/chart.h"
#include "ui/charts/data_canvas.h"
#include "ui/charts/data_scales.h"
#include "ui/charts/end_names.h"
#include "ui/charts/point_words.h"
#include "ui/charts/series_look.h"
#include "ui/controls/canvas.h"
#include "ui/controls/figure_mode.h"
#include "ui/theme/legend.h"

namespace warpglass::ui {

class DataPlot : public Canvas, public FigurePart {
    Q_OBJECT
public:
    explicit DataPlot(QWidget* parent = nullptr);

    void setChart(Chart chart);
    const Chart& chart() const { return m_chart; }
    /// Rings around the points of these sources (ChartPoint::source).
    void setSelected(std::vector<std::int64_t> sources);

    int markCount() const override { return static_cast<int>(m_marks.size()); }
    QRectF markRect(int mark) const override;
    int markAt(QPointF point) const override;
    QString toolTipOf(int mark) const override;
    const ChartPoint& pointOf(int mark) const;
    /// −1 for none.
    int markOfSource(std::int64_t source) const;

    /// Where values are drawn, in logical pixels.
    QRectF plotRect() const { return m_scales.area(); }
    /// Names stand at the ends of their lines, not in a legend.
    bool namesAtEnds() const { return m_names.any(); }
    QStringList endNames() const { return m_names.texts(); }
    /// The band above the plot; empty for none.
    QRectF unmeasuredBand() const { return m_scales.bandHeight() > 0 ? m_scales.band() : QRectF(); }
    QStringList pointWords() const { return m_words.texts(); }
    const std::vector<LegendEntry>& legend() const { return m_legend; }

    void setInFigure(bool) override {}
    int figureHeight(int width, int most) override;
    QSize minimumSizeHint() const override { return {240, 160}; }

signals:
    /// The source of the point that the user chose, −1 for none; `adds`: to what is selected (Ctrl or Shift).
    void sourceChosen(qint64 source, bool adds);
    void sourceActivated(qint64 source);

protected:
    void paintPicture(QPainter& painter) override;
    void paintHighlight(QPainter& painter, int mark, bool chosen) override;
    bool isSelected(int mark) const override;
    std::shared_ptr<QPainter> painterOn(QPaintDevice& device) override;
    int neighbor(int mark, Qt::Key key) const override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    const ChartMark& mark(int mark) const { return m_marks[static_cast<std::size_t>(mark)]; }
    // Scales, margins and ticks, from the chart and the size.
    void layOut();
    void paintTitles(QPainter& painter) const;

    Chart m_chart;
    SeriesLook m_look{m_chart};
    DataScales m_scales{m_chart, m_look};
    EndNames m_names{m_chart, m_look};
    PointWords m_words{m_chart, m_look, m_scales};
    DataCanvas m_canvas{m_chart, m_look, m_scales};
    std::vector<ChartMark> m_marks;
    std::vector<std::int64_t> m_selected;  // sorted
    std::vector<LegendEntry> m_legend;
    double m_legendHeight = 0;
    bool m_adds = false;
};

}  // namespace warpglass::ui
