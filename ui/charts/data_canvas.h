// Paints what a chart of data has between its titles: axes, lines, bars, bridges and cells by QCustomPlot,
// and over them the crosses of what ran out of memory, the squares of what failed, predictions of bars and
// the words of cells. What is fitted is dashed, what is predicted dotted.
#pragma once

#include <QSize>
#include <QVector>
#include <memory>
#include <vector>

#include "ui/charts/data_scales.h"
#include "ui/charts/series_look.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

class HeatCells;

class DataCanvas {
public:
    /// All outlive this.
    DataCanvas(const Chart& chart, const SeriesLook& look, const DataScales& scales);
    ~DataCanvas();
    DataCanvas(const DataCanvas&) = delete;
    DataCanvas& operator=(const DataCanvas&) = delete;

    /// `size`: of the whole widget. The painter is a QCPPainter.
    void paint(QPainter& painter, QSize size, const std::vector<ChartMark>& marks);

private:
    void dressAxes(QSize size);
    void addPoints(std::size_t series, const QPen& pen);
    void addLine(std::size_t series);
    void addBars(std::size_t series);
    void addBridge(std::size_t series);
    void addBarErrors(const QVector<double>& x, const QVector<double>& tops,
                      const QVector<double>& deviations);
    void addCells();
    void paintUnmeasured(QPainter& painter, const std::vector<ChartMark>& marks) const;
    void paintBarModels(QPainter& painter) const;
    QString cellWords(double value) const;
    void paintCellWords(QPainter& painter) const;
    void paintColorScale(QPainter& painter, double width) const;

    const Chart& m_chart;
    const SeriesLook& m_look;
    const DataScales& m_scales;
    std::unique_ptr<QCustomPlot> m_plot;
    HeatCells* m_cells = nullptr;  // m_plot's
    bool m_isCrowded = false;      // more marks than can be told apart
};

}  // namespace warpglass::ui
