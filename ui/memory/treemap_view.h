// What is alive at a moment as a squarified treemap: category → module with all blocks taken together
// ("blocks.*.ffn.w1", drawn as "ffn.w1 × 48") → the module of each block; or outermost the parts of the model
// ("blocks.*.attn"), phase or op.
//
// Areas are bytes, colors categories. Levels lie in one another where they have room, and every cell with
// room has its name and size. A click (or Enter) zooms into a group, down to its allocations; the path is
// above the map, and a click on it, Backspace or Esc goes up again. Arrows move between the cells that hold
// no others. What is too small to be visible is one cell that says so. Computed off the window's thread for
// large runs. A mark is a cell; the chosen one is where the keyboard is. GUI thread only.
#pragma once

#include <optional>
#include <vector>

#include "ui/controls/canvas.h"
#include "ui/controls/refresh.h"
#include "ui/memory/memory_focus.h"
#include "ui/memory/treemap_cells.h"
#include "ui/models/deferred_query.h"
#include "ui/models/memory_source.h"

namespace warpglass::ui {

class TreemapView : public Canvas, public Refreshable {
    Q_OBJECT
public:
    TreemapView(RunDocument& document, MemoryFocus& focus, QWidget* parent = nullptr);

    enum class Grouping { kCategory, kModule, kPhase, kOp };
    Grouping grouping() const { return m_grouping; }
    void setGrouping(Grouping grouping);

    /// Where in the tree: a key of each level from the outermost, none at the top. A level's name is empty
    /// where the one below it is all that is in it.
    struct Path {
        std::vector<std::size_t> keys;
        std::vector<QString> names;
        int depth() const { return static_cast<int>(keys.size()); }
    };
    const Path& path() const { return m_path; }
    /// Precondition: it was a path of the same run, with the same keys.
    void restore(const Path& path);
    /// The keys of the tree's levels, the outermost first.
    std::vector<BreakdownKey> keys() const;
    BreakdownKey outerKey() const { return keys().front(); }

    const std::vector<TreemapCell>& cells() const { return m_cells; }
    int markCount() const override { return static_cast<int>(m_cells.size()); }
    QRectF markRect(int mark) const override { return cell(mark).rect; }
    QString toolTipOf(int mark) const override;
    /// One level, and out of those that have nothing to choose from; false at the top.
    bool goOut() override;

    QSize sizeHint() const override { return {460, 320}; }
    QSize minimumSizeHint() const override { return {200, 140}; }
    /// All that is alive and passes, by the levels that are chosen.
    const MemoryTreeNode& tree() const { return m_tree; }
    void refreshNow() override;

signals:
    void pathChanged();

protected:
    QColor ground() const override;
    void paintPicture(QPainter& painter) override;
    void paintHighlight(QPainter& painter, int mark, bool chosen) override;
    void paintFocus(QPainter&) override {}
    bool isSelected(int mark) const override;
    int neighbor(int mark, Qt::Key key) const override;
    bool walk(Qt::Key key) override;
    bool escape() override;
    void activate(int mark) override;
    void resizeEvent(QResizeEvent* event) override;
    // A click leads elsewhere, so it is one only when the button is let go.
    void mousePressEvent(QMouseEvent*) override {}
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent*) override {}

private:
    struct Crumb {
        QRectF rect;
        QString text;
        int depth = 0;
    };

    DeferredQuery::Job makeJob();
    void layOut();
    const TreemapCell& cell(int mark) const { return m_cells[static_cast<std::size_t>(mark)]; }
    void goTo(int depth);
    /// The path has changed.
    void showOtherPath();
    QRectF mapRect() const;
    std::vector<Crumb> crumbs() const;
    void paintCrumbs(QPainter& painter) const;
    void paintTotal(QPainter& painter) const;
    /// Where the path leads; null when nothing of it is alive at the moment.
    const MemoryTreeNode* shownNode() const;
    QString whyEmpty() const;

    RunDocument& m_document;
    MemoryFocus& m_focus;
    Grouping m_grouping = Grouping::kCategory;
    Path m_path;
    MemoryTreeNode m_tree;
    /// The allocations at the path, if it ends there.
    TreemapAllocations m_allocations;
    /// Live bytes without the filter, and whether the filter excludes anything.
    Bytes m_all;
    bool m_restricted = false;
    std::vector<TreemapCell> m_cells;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
