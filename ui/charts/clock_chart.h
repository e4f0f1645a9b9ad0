// A kernel from inside, multiprocessor by multiprocessor: a row for each, on it its tiles over the time since
// the kernel's first tile, with the phases of their rounds in colors. Warpgroups and thread blocks that run
// side by side on a multiprocessor share its row.
//
// A mark is a tile as one warpgroup ran it. Rounds narrower than eight pixels are drawn as the tile's shares
// of the phases, one after another; a tile narrower than four as the phase that takes most of it. GUI thread
// only.
#pragma once

#include "engine/query/model/clocked_kernel.h"
#include "ui/controls/canvas.h"
#include "ui/controls/figure_mode.h"

namespace warpglass::ui {

class ClockChart : public Canvas, public FigurePart {
    Q_OBJECT
public:
    explicit ClockChart(QWidget* parent = nullptr);

    void setKernel(ClockedKernel kernel);
    const ClockedKernel& kernel() const { return m_kernel; }

    static QColor colorOf(ClockPhase phase);

    int markCount() const override { return static_cast<int>(m_kernel.bars.size()); }
    QRectF markRect(int mark) const override;
    int markAt(QPointF point) const override;
    QString toolTipOf(int mark) const override;

    QSize sizeHint() const override { return {800, 420}; }
    QSize minimumSizeHint() const override { return {320, 220}; }
    void setInFigure(bool) override {}
    /// Rows that can be told apart.
    int figureHeight(int width, int most) override;

protected:
    void paintPicture(QPainter& painter) override;
    int neighbor(int mark, Qt::Key key) const override;

private:
    QRectF plot() const;
    double xOf(double nanoseconds) const;
    /// The row of a bar's multiprocessor, from 0.
    std::size_t rowOf(const ClockedTile& bar) const;
    double rowTop(std::size_t row) const;
    double rowHeight() const;
    void paintScales(QPainter& painter) const;
    void paintBar(QPainter& painter, const ClockedTile& bar) const;

    ClockedKernel m_kernel;
    std::vector<std::size_t> m_firstBar;  // of each row, and the end
};

}  // namespace warpglass::ui
