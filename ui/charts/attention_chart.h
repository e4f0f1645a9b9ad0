// Attention's parts as pairs of bars: the share of attention's time over the share of its arithmetic, the
// forward pass at the left and the backward pass at the right. Time in GEMMs is apart from the rest of it,
// which mostly moves numbers: a long rest over a short bar of FLOPs is what a fused kernel saves.
//
// A mark is a row of the AttentionParts. GUI thread only.
#pragma once

#include "engine/query/model/attention_parts.h"
#include "ui/controls/canvas.h"
#include "ui/theme/legend.h"

namespace warpglass::ui {

class AttentionChart : public Canvas {
    Q_OBJECT
public:
    explicit AttentionChart(QWidget* parent = nullptr);

    void setParts(AttentionParts parts);
    const AttentionParts& parts() const { return m_parts; }

    int markCount() const override { return static_cast<int>(m_parts.rows.size()); }
    /// The part's row in its panel.
    QRectF markRect(int mark) const override;
    QString toolTipOf(int mark) const override;
    QRectF timeBar(int mark) const;
    /// The part of timeBar() in which GEMMs or fused attention ran.
    QRectF productBar(int mark) const;
    QRectF flopsBar(int mark) const;

    QSize sizeHint() const override { return {800, 380}; }
    QSize minimumSizeHint() const override { return {320, 200}; }

protected:
    void paintPicture(QPainter& painter) override;
    void paintHighlight(QPainter& painter, int mark, bool chosen) override;
    int neighbor(int mark, Qt::Key key) const override;

private:
    bool hasBackward() const;
    QRectF panel(PlanPhase phase) const;
    /// A row's place among those of its phase.
    int place(int mark) const;
    bool isCompact() const;
    double namesWidth(PlanPhase phase) const;
    int rowsOf(PlanPhase phase) const;
    QRectF bar(int mark, double share, bool lower) const;
    /// "3.83 ms, 32% of all time · 29% in GEMMs · 310 GFLOP", or as much of it as there is room for.
    QString figuresOf(PlanPhase phase, double room) const;
    void paintRow(QPainter& painter, int mark) const;
    /// For the time in which no product runs.
    QColor colorOfOther(const AttentionPartRow& row) const;
    std::vector<LegendEntry> legend() const;

    AttentionParts m_parts;
    double m_largest = 1;  // share
};

}  // namespace warpglass::ui
