// Every cell of a sweep as a small square of its state, in the order of the grid: what fills while it runs.
#pragma once

#include <memory>

#include "engine/sweep/sweep.h"
#include "ui/controls/canvas.h"

namespace warpglass::ui {

class SweepGrid : public Canvas {
    Q_OBJECT
public:
    explicit SweepGrid(QWidget* parent = nullptr);

    void setSweep(std::shared_ptr<const Sweep> sweep);

    int markCount() const override { return m_sweep ? static_cast<int>(m_sweep->cells.size()) : 0; }
    QRectF markRect(int mark) const override;
    int markAt(QPointF point) const override;
    QString toolTipOf(int mark) const override;
    QSize sizeHint() const override;

protected:
    void paintPicture(QPainter& painter) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void layOut();
    double rows() const;

    std::shared_ptr<const Sweep> m_sweep;
    int m_columns = 1;
    double m_size = 12;  // of a cell, with the gap to the next
};

}  // namespace warpglass::ui
