// A model's layers as bars beside each other: time or FLOPs by phase, or memory by category. The blocks'
// median is a line over them, and a block that stands out (of memory, by its activations) has an arrow over
// its bar. Under the bars, where there is room, a strip shows how far each block lies from the median. The
// scale is the layers': what belongs to none of them and is longer is no bar, but a hatched column with its
// value.
//
// A mark is a row of the Layers. GUI thread only.
#pragma once

#include <optional>
#include <vector>

#include "ui/charts/deviation_strip.h"
#include "ui/charts/layer_amounts.h"
#include "ui/controls/canvas.h"

namespace warpglass::ui {

class LayersChart : public Canvas {
    Q_OBJECT
public:
    using Subject = LayerAmounts::Subject;
    using Piece = LayerPiece;

    explicit LayersChart(QWidget* parent = nullptr);

    void setLayers(Layers layers);
    /// Shown in place of bars if no layer has any of the subject; empty for the default reasons.
    void setNothingText(const QString& sentence);
    void setSubject(Subject subject);
    const LayerAmounts& amounts() const { return m_amounts; }
    const Layers& layers() const { return m_amounts.layers(); }
    Subject subject() const { return m_amounts.subject(); }

    int markCount() const override { return static_cast<int>(layers().rows.size()); }
    /// A column of the whole plot's height.
    QRectF markRect(int mark) const override;
    QString toolTipOf(int mark) const override;
    /// The pieces of a row's bar from the bottom up; for tests, and for painting.
    std::vector<Piece> piecesOf(int mark) const;
    /// Higher than the scale: it has no bar.
    bool isBeyondScale(int mark) const;
    /// How far blocks lie from their median, and where that is drawn; empty if there is no room for it.
    const DeviationStrip& deviation() const { return m_deviation; }
    QRectF deviationRect() const;

    /// What stands under the bars, in their order: of crowded ones not all. For tests, and for painting.
    struct Name {
        int mark = 0;
        QString text;
        QRectF box;
    };
    std::vector<Name> names(const QPaintDevice& device) const;

    /// The median line over the blocks, and where its name is written without covering a bar. For a range it
    /// is the median of the blocks that ran completely in it. For tests and for painting.
    struct Median {
        double amount = 0;
        bool ofAll = true;
        QRectF columns, name;
    };
    std::optional<Median> median(const QPaintDevice& device) const;

    QSize sizeHint() const override { return {800, 280}; }
    QSize minimumSizeHint() const override { return {240, 140}; }

protected:
    void paintPicture(QPainter& painter) override;
    void paintHighlight(QPainter& painter, int mark, bool chosen) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void fit();
    void fitColumns();
    QRectF plot() const;
    double yOf(double amount) const;
    QString nameOf(const Median& median) const;
    /// The top of a bar with its arrow.
    double topOf(int mark) const;
    void paintScale(QPainter& painter) const;
    void paintBars(QPainter& painter) const;
    void paintBeyondScale(QPainter& painter, int mark) const;
    void paintDeviation(QPainter& painter) const;
    /// Where the bars' names begin.
    double namesTop() const;
    void paintNames(QPainter& painter) const;
    void paintMedian(QPainter& painter) const;
    void fitLegend();
    /// Leaves room above the highest bar for what is written there.
    void fitScale();

    LayerAmounts m_amounts;
    /// Where the columns lie, from the first one's left edge to the last one's right, and how wide bars are.
    std::vector<double> m_edges;
    double m_barWidth = 1;
    int m_everyNumber = 1;  // of crowded blocks the second, the fifth, … has its number
    double m_top = 1;
    double m_legendHeight = kLegendRow;
    DeviationStrip m_deviation;
};

}  // namespace warpglass::ui
