// The roofline (Williams, Waterman, Patterson 2009): operations per second over operations per byte, both
// logarithmic. The roofs are what the device can do in the run's precision, as measured; the data sheet's
// figures are thin dashed lines. Each group of GEMMs, each other kernel of which it is known what it moves,
// and the optimizer's update is a dot whose area follows its time, colored by family; a filled dot stands for
// the forward pass and the loss, a ring for the backward pass and the optimizer. A dot's number is its row's
// in the table. What computes nothing stands in a lane of its own at the left edge, as far under the memory
// roof as it is slower than that.
//
// A mark is a point. GUI thread only.
#pragma once

#include <QLineF>
#include <optional>
#include <vector>

#include "engine/query/spans/op_family.h"
#include "ui/charts/roofline_roofs.h"
#include "ui/controls/canvas.h"
#include "ui/controls/figure_mode.h"
#include "ui/theme/legend.h"

namespace warpglass::ui {

class LabelRoom;

class RooflineChart : public Canvas, public FigurePart {
    Q_OBJECT
public:
    explicit RooflineChart(QWidget* parent = nullptr);

    void setData(RooflineData data);
    const RooflineData& data() const { return m_data; }

    int markCount() const override { return static_cast<int>(m_data.points.size()); }
    QRectF markRect(int mark) const override;
    QString toolTipOf(int mark) const override;
    /// A point of the plane, in logical pixels.
    QPointF at(double intensity, double flopsPerSecond) const {
        return plane().at(intensity, flopsPerSecond);
    }
    /// Where a point stands, and where its roof is over it, which it need not have.
    QPointF centerOf(const RooflinePoint& point) const;
    std::optional<QPointF> roofOver(const RooflinePoint& point) const;
    /// Fused attention is attention, another kernel what it does, all else GEMMs.
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
    const std::vector<RooflineRoofs::Name>& roofNames() const { return m_roofNames; }
    std::vector<QLineF> lines() const { return m_roofs.lines(plane()); }
    std::vector<LegendEntry> legend() const;

    void setInFigure(bool) override {}
    /// The legend, which takes several rows of a narrow one, takes nothing from the plot.
    int figureHeight(int width, int most) override;

    QSize sizeHint() const override { return {800, 460}; }
    QSize minimumSizeHint() const override { return {320, 220}; }

protected:
    void paintPicture(QPainter& painter) override;
    void paintHighlight(QPainter& painter, int mark, bool chosen) override;
    int neighbor(int mark, Qt::Key key) const override;
    void resizeEvent(QResizeEvent* event) override;

private:
    RooflinePlane plane() const;
    QRectF plot() const;
    /// Whether the roofs have their names beside their lines; otherwise the names are in the legend.
    bool namesRoofs() const;
    double radiusOf(int mark) const;
    /// Points are walked from left to right.
    std::vector<int> fromLeft() const;
    void fitScales();
    /// The intensity at which the lane of what computes nothing ends, and that of the points in it; 0 where
    /// there are none.
    double laneEnd() const;
    double laneMiddle() const;
    void paintGrid(QPainter& painter) const;
    void paintLane(QPainter& painter) const;
    void paintPoints(QPainter& painter) const;
    QString nameOf(int mark) const;
    void fitLegend();
    std::vector<std::vector<int>> heaps() const;
    QString numbersOf(const std::vector<int>& heap) const;
    QString namesOf(const std::vector<int>& heap) const;
    QString sharesOf(const std::vector<int>& heap) const;
    void placeLabels(const QFontMetricsF& metrics, LabelRoom& room);
    /// Where a text has room beside its heap's first mark; nothing if nowhere.
    std::optional<Label> labelBeside(const std::vector<int>& heap, const QString& text,
                                     const QFontMetricsF& metrics, const LabelRoom& room) const;

    RooflineData m_data;
    RooflineRoofs m_roofs;
    RooflinePlane m_plane;  // but for the area
    bool m_hasLane = false;
    double m_longest = 0;
    double m_legendHeight = kLegendRow;
    std::vector<Label> m_labels;
    std::vector<RooflineRoofs::Name> m_roofNames;
};

}  // namespace warpglass::ui
