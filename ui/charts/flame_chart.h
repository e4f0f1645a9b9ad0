// An upside-down flame chart: a node's children are below it, each as wide as its share. Click zooms into a
// block, a click on an ancestor or Backspace goes up again, Esc up to the root; arrows walk, Enter zooms.
// What contains the search text keeps its color; the rest is faded. Siblings too narrow for a name are folded
// into one block that says how many they are and how much they have together. Rows share the height by what
// their blocks have to say: a row of wide ones a line or two, others the length of names from bottom to top.
//
// A mark is a block of the geometry. Phases and modules are gray, siblings a tone apart; ops and kernels
// have their family's color, categories of memory theirs. GUI thread only.
#pragma once

#include <algorithm>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "ui/charts/flame_geometry.h"
#include "ui/charts/flame_painter.h"
#include "ui/controls/canvas.h"

namespace warpglass::ui {

class FlameChart : public Canvas {
    Q_OBJECT
public:
    explicit FlameChart(QWidget* parent = nullptr);

    /// Keeps the zoom where the same path is in the new tree, too.
    void setTree(std::shared_ptr<const FlameTree> tree);
    const FlameTree& tree() const { return *m_tree; }
    std::uint32_t zoomed() const { return m_zoomed; }
    void zoomTo(std::uint32_t node);
    /// From below the root to the zoomed node: identifies it in another tree.
    using Path = std::vector<std::pair<FlameKind, std::string>>;
    Path zoomedPath() const;
    /// At once, and in the next tree that has anything.
    void zoomTo(const Path& path);
    /// Whatever its case; empty for no search.
    void setSearch(const QString& text);
    /// The found nodes, those within found ones left out, and their value together.
    std::int64_t foundNodes() const { return m_found; }
    std::int64_t foundValue() const { return m_foundValue; }

    const std::vector<FlameBlock>& blocks() const { return m_blocks; }
    int markCount() const override { return static_cast<int>(m_blocks.size()); }
    QRectF markRect(int mark) const override;
    int markAt(QPointF point) const override;
    QString toolTipOf(int mark) const override;
    /// Some siblings are folded.
    bool folds() const { return std::ranges::any_of(m_blocks, &FlameBlock::merged); }
    // As in FlamePainter.
    QColor colorOf(std::uint32_t node) const { return m_painter.colorOf(node); }
    QString text(std::int64_t value) const { return m_painter.text(value); }

    QSize sizeHint() const override { return {800, 480}; }
    QSize minimumSizeHint() const override { return {240, 160}; }
    /// What all rows take.
    int neededHeight() const;

signals:
    void zoomChanged();
    /// Blocks are others, or elsewhere.
    void laidOut();

protected:
    void paintPicture(QPainter& painter) override;
    void paintHighlight(QPainter& painter, int mark, bool chosen) override;
    int neighbor(int mark, Qt::Key key) const override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    void rebuild();
    void search();
    QRectF area() const;
    /// The block of a node; −1 where it is not shown on its own.
    int blockOf(std::uint32_t node) const;
    /// The node with that path; the deepest one on it that there is.
    static std::uint32_t nodeAt(const FlameTree& tree, const Path& path);

    std::shared_ptr<const FlameTree> m_tree;  // never null
    std::uint32_t m_zoomed = 0;
    Path m_wanted;  // once there is a tree
    std::vector<FlameBlock> m_blocks;
    std::vector<double> m_tops;  // of the rows, and where the last one ends
    QString m_search;
    std::int64_t m_found = 0, m_foundValue = 0;
    FlamePainter m_painter;
};

}  // namespace warpglass::ui
