// Draws a chart that is data (engine/tables/chart.h) with QCustomPlot: lines or grouped bars with error bars,
// a bridge of bars, or a heat map; linear or logarithmic axes with ticks in the unit's words.
//
// Series are named at the ends of their lines where the names fit, else in a legend; one that ends because it
// ran out of memory is named, and said to have, beside the cross that stands for that. What ran out of memory
// or failed stands as a cross or a square at the upper edge, where each line has a row of its own; what is
// missing is left empty. What is fitted is dashed, what is predicted dotted. Lines whose names are two
// choices
// ("flash, bf16") have a color for the first, and for the second are drawn through with discs or dashed with
// squares, which a key says. Every point is a mark
// (mark_chart.h): hover tells its exact values, a click or an arrow key chooses it. Several are selected with
// Ctrl or Shift and a click, Shift and an arrow key, or Ctrl and arrow keys and then Space.
//
// GUI thread only.
#pragma once

#include <QVector>
#include <memory>
#include <optional>
#include <vector>

#include "engine/tables/chart.h"
#include "engine/tables/series_choices.h"
#include "ui/charts/mark_chart.h"
#include "ui/theme/figure_mode.h"
#include "ui/theme/legend.h"

class QCPAxis;
class QCPAxisTickerText;
class QCPPainter;
class QCustomPlot;
class QPen;

namespace warpglass::ui {

class HeatCells;

class DataPlot : public MarkChart, public FigurePart {
    Q_OBJECT
public:
    explicit DataPlot(QWidget* parent = nullptr);
    ~DataPlot() override;

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
    QRectF plotRect() const { return m_area; }
    /// Names stand at the ends of their lines, not in a legend.
    bool namesAtEnds() const { return !m_endLabels.empty(); }
    /// As they stand there: "naive: out of memory".
    QStringList endNames() const;
    const std::vector<LegendEntry>& legend() const { return m_legend; }

    void setInFigure(bool) override {}
    int figureHeight(int width, int most) override;
    QSize minimumSizeHint() const override { return {240, 160}; }

signals:
    /// The source of the point that the user chose, −1 for none; `adds`: to what is selected (Ctrl or Shift).
    void sourceChosen(qint64 source, bool adds);
    void sourceActivated(qint64 source);

protected:
    void paintChart(QPainter& painter) override;
    void paintHighlight(QPainter& painter, int mark, bool chosen) override;
    int neighbor(int mark, Qt::Key key) const override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Mark {
        std::size_t series, point;
    };
    struct Scale {
        double low = 0, high = 1;
        bool logarithmic = false;
        /// 0 at low, 1 at high.
        double shareOf(double value) const;
    };
    struct EndLabel {
        std::size_t series;
        QString text;
        QRectF box;
        QPointF end;         // of the line
        bool isOut = false;  // of memory, where it ends
    };

    bool isHeat() const { return m_chart.kind == ChartKind::kHeatMap; }
    bool isBridge() const { return m_chart.kind == ChartKind::kBridge; }
    bool isBars() const { return m_chart.kind == ChartKind::kBars || isBridge(); }
    // Scales, margins and ticks, from the chart and the size.
    void layOut();
    void scaleAxes();
    void placeTicks();
    // Names (data_plot_labels.cpp).
    double nameEnds(const QFontMetricsF& metrics, bool saysOut);
    bool placeEndLabels(const QFontMetricsF& metrics);
    std::vector<LegendEntry> legendEntries(bool namesSeries) const;
    bool endsOutOfMemory(std::size_t series) const;
    /// What the series is called at its end or in a legend, with what is fitted to it.
    QString labelOf(std::size_t series) const;
    /// What model series are called that carry their series' name: "predicted".
    QString sharedModelName(const ChartSeries& model) const;
    bool isFitted(std::size_t series) const;
    /// 0 or 1: how its line is drawn, where names are two choices.
    std::size_t styleOf(std::size_t series) const { return m_choices ? m_choices->of[series].second : 0; }
    QColor colorOf(std::size_t series) const;
    std::size_t ownSeries(std::size_t series) const;
    double xOf(double value) const;
    double yOf(double value) const;
    /// Middle of the bar's slot, and its width, in units of x.
    double barOffset(std::size_t series) const;
    double barWidth() const;
    double barBase(const ChartPoint& point) const;
    /// In which line at the upper edge the points of a series stand that were not measured.
    std::size_t unmeasuredRow(std::size_t series) const;
    double unmeasuredTop(std::size_t series) const;
    QPointF placeOf(const Mark& mark) const;
    QRectF cellRect(const ChartPoint& cell) const;

    /// Fitted lines and predicted ones are told apart by their dashes.
    bool isPredicted(std::size_t series) const;

    // Drawing (data_plot_painting.cpp).
    void dressAxes();
    void addPoints(std::size_t series, const QPen& pen);
    void addLine(std::size_t series);
    void addBars(std::size_t series);
    void addBridge(std::size_t series);
    void addBarErrors(const QVector<double>& x, const QVector<double>& tops,
                      const QVector<double>& deviations);
    void addCells();
    void paintUnmeasured(QPainter& painter) const;
    void paintBarModels(QPainter& painter) const;
    QString cellWords(double value) const;
    void paintCellWords(QPainter& painter) const;
    void paintColorScale(QPainter& painter) const;
    void paintTitles(QPainter& painter) const;

    Chart m_chart;
    std::vector<Mark> m_marks;
    std::optional<SeriesChoices> m_choices;  // of lines
    std::vector<std::size_t> m_barSeries;    // of its own, without models: their order within a slot
    std::vector<std::size_t> m_unmeasured;   // those with points that ran out of memory or failed; of lines
    std::vector<std::int64_t> m_selected;    // sorted
    std::unique_ptr<QCustomPlot> m_plot;
    HeatCells* m_cells = nullptr;  // m_plot's
    QRectF m_area;
    Scale m_x, m_y, m_value;
    struct Tick {
        double value;
        QString text;
    };
    std::vector<Tick> m_xTicks, m_yTicks, m_valueTicks;
    std::vector<EndLabel> m_endLabels;
    std::vector<LegendEntry> m_legend;
    double m_legendHeight = 0;
    bool m_adds = false;
};

}  // namespace warpglass::ui
