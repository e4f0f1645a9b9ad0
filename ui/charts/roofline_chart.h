// The roofline (Williams, Waterman, Patterson 2009): operations per second over operations per byte, both
// logarithmic. The roofs are what the device can do in the run's precision, as measured; the data sheet's
// figures are thin dashed lines. Each group of GEMMs, each kernel of ours and the optimizer's update is a dot
// whose area follows its time, colored by family; a filled dot stands for the forward pass and the loss, a
// ring for the backward pass and the optimizer. A dot's number is its row's in the table.
//
// A mark is a point. GUI thread only.
#pragma once

#include <QLineF>
#include <optional>
#include <vector>

#include "engine/plan/data_sheet.h"
#include "engine/plan/device_ceilings.h"
#include "engine/query/model/roofline.h"
#include "engine/query/spans/op_family.h"
#include "ui/charts/mark_chart.h"
#include "ui/theme/figure_mode.h"
#include "ui/theme/legend.h"

namespace warpglass::ui {

class LabelRoom;

/// What the chart draws: the points and the ceilings of their device.
struct RooflineData {
    std::vector<RooflinePoint> points;
    /// Raised to a run's best product where one beat them; the sentence that says so is then `raised`, and
    /// whether it was this run, `raisedHere`.
    std::optional<DeviceCeilings> measured;
    QString raised;
    bool raisedHere = false;
    std::optional<DataSheet> sheet;
    Precision precision = Precision::kFp32;

    /// Operations per byte at which the roof of the run's precision begins: the roof that points are compared
    /// with, the measured one or else the data sheet's; 0 without either.
    double ridge() const;
};

class RooflineChart : public MarkChart, public FigurePart {
    Q_OBJECT
public:
    explicit RooflineChart(QWidget* parent = nullptr);

    void setData(RooflineData data);
    const RooflineData& data() const { return m_data; }

    int markCount() const override { return static_cast<int>(m_data.points.size()); }
    QRectF markRect(int mark) const override;
    QString toolTipOf(int mark) const override;
    /// A point of the plane, in logical pixels.
    QPointF at(double intensity, double flopsPerSecond) const;
    /// Fused attention is attention, a kernel of ours what its name says, all else GEMMs.
    OpFamily familyOf(int mark) const;
    /// Which marks have a label, and where: no two overlap. For tests.
    struct Label {
        /// Where several lie over one another, the one with the most time.
        int mark = 0;
        QString text;
        QRectF rect;
        /// A line from the mark if the label is not beside it; otherwise null.
        QLineF leader;
    };
    const std::vector<Label>& labels() const { return m_labels; }
    /// The names of the roofs that have room, and where; and all the lines. For tests.
    struct RoofName {
        QString text;
        QRectF rect;
    };
    const std::vector<RoofName>& roofNames() const { return m_roofNames; }
    std::vector<QLineF> lines() const;
    std::vector<LegendEntry> legend() const;

    void setInFigure(bool) override {}
    /// The legend, which takes several rows of a narrow one, takes nothing from the plot.
    int figureHeight(int width, int most) override;

    QSize sizeHint() const override { return {800, 460}; }
    QSize minimumSizeHint() const override { return {320, 220}; }

protected:
    void paintChart(QPainter& painter) override;
    void paintHighlight(QPainter& painter, int mark, bool chosen) override;
    int neighbor(int mark, Qt::Key key) const override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Roof {
        double flopsPerSecond = 0;
        QString name;
        bool measured = false;
    };
    QRectF plot() const;
    /// Whether the roofs have their names beside their lines; otherwise the names are in the legend.
    bool namesRoofs() const;
    double radiusOf(int mark) const;
    /// Points are walked from left to right.
    std::vector<int> fromLeft() const;
    void fitScales();
    std::vector<Roof> roofs() const;
    void paintGrid(QPainter& painter) const;
    /// A roof's line, from its ridge; and the slope up to the run's own roof. Null if there is none.
    QLineF lineOf(const Roof& roof) const;
    QLineF slope(bool measured) const;
    double bandwidth(bool measured) const;
    /// Where memory ceases to be the roof: a line from the scale to the roof with its name, and a word for
    /// either side.
    void paintRidge(QPainter& painter, const QFontMetricsF& metrics, LabelRoom& room) const;
    void paintRoofs(QPainter& painter) const;
    void paintSlopeName(QPainter& painter, bool measured, LabelRoom& room) const;
    void placeRoofNames(const QFontMetricsF& metrics, LabelRoom& room);
    void paintPoints(QPainter& painter) const;
    QString nameOf(int mark) const;
    QString nameOf(const Roof& roof) const;
    QString slopeName(bool measured) const;
    void fitLegend();
    std::vector<std::vector<int>> heaps() const;
    QString numbersOf(const std::vector<int>& heap) const;
    QString sharesOf(const std::vector<int>& heap) const;
    void placeLabels(const QFontMetricsF& metrics, LabelRoom& room);
    /// Where a text has room at most so far from its mark; nothing if nowhere.
    std::optional<Label> labelBeside(int mark, const QString& text, const QFontMetricsF& metrics,
                                     const LabelRoom& room, double farthest) const;

    RooflineData m_data;
    // Powers of ten.
    double m_left = 0, m_right = 3, m_bottom = 9, m_top = 15;
    double m_longest = 0;
    double m_legendHeight = kLegendRow;
    std::vector<Label> m_labels;
    std::vector<RoofName> m_roofNames;
};

}  // namespace warpglass::ui
