// What is alive at a moment as a squarified treemap: category → module, or module, phase or op outermost.
//
// Areas are bytes, colours categories. A click (or Enter) goes into a group, down to its allocations; the
// path stands over the map, and a click on it, Backspace or Esc goes up again. Arrows move between cells.
// What is too small to be seen is one cell that says so. Computed off the window's thread for large runs.
// GUI thread only.
#pragma once

#include <QWidget>
#include <optional>
#include <vector>

#include "engine/query/memory_tree.h"
#include "ui/memory/memory_focus.h"
#include "ui/models/deferred_query.h"
#include "ui/models/memory_source.h"
#include "ui/theme/refresh.h"

namespace warpglass::ui {

/// One rectangle of a treemap. Groups hold their children, which follow them.
struct TreemapCell {
    QRectF rect;
    QString name;
    Bytes bytes;
    std::int64_t allocations = 0;
    Category category = Category::kUnknown;
    /// Height of the strip with a group's name; 0 for none, and for what holds nothing.
    double title = 0;
    bool group = false;
    std::size_t outer = 0;
    std::optional<std::size_t> inner;
    std::optional<AllocationId> allocation;
    /// Several that are too small.
    bool rest = false;
};

/// A level of the tree laid out: groups with their children in them, or children alone.
std::vector<TreemapCell> layOutGroups(const MemoryTreeNode& root, const QRectF& area);
std::vector<TreemapCell> layOutChildren(const MemoryTreeNode& group, const QRectF& area);

class TreemapView : public QWidget, public Refreshable {
    Q_OBJECT
public:
    TreemapView(RunDocument& document, MemoryFocus& focus, QWidget* parent = nullptr);

    enum class Grouping { kCategory, kModule, kPhase, kOp };
    Grouping grouping() const { return m_grouping; }
    void setGrouping(Grouping grouping);

    /// Where in the tree: nothing at the top, then a group, then one of its children.
    struct Path {
        std::optional<std::size_t> outer, inner;
        QString outerName, innerName;
        int depth() const { return (outer ? 1 : 0) + (inner ? 1 : 0); }
    };
    const Path& path() const { return m_path; }
    void goUp();
    BreakdownKey outerKey() const;
    BreakdownKey innerKey() const;

    const std::vector<TreemapCell>& cells() const { return m_cells; }
    std::optional<std::size_t> cellAt(QPointF at) const;
    std::optional<std::size_t> currentCell() const { return m_current; }

    QSize sizeHint() const override { return {460, 320}; }
    QSize minimumSizeHint() const override { return {200, 140}; }
    void refreshNow() override;

signals:
    void pathChanged();

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool event(QEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    struct Crumb {
        QRectF rect;
        QString text;
        int depth = 0;
    };

    DeferredQuery::Job makeJob();
    void layOut();
    void layOutAllocations(const QRectF& area);
    void enter(std::size_t cell);
    void goTo(int depth);
    void clearAllocations();
    /// The path has changed.
    void showOtherPath();
    void moveCurrent(int key);
    QRectF mapRect() const;
    std::vector<Crumb> crumbs() const;
    void paintCell(QPainter& painter, const TreemapCell& cell) const;
    QString toolTipOf(const TreemapCell& cell) const;
    /// Where the path leads; null when nothing of it is alive at the moment.
    const MemoryTreeNode* shownNode() const;
    QString emptyText() const;

    RunDocument& m_document;
    MemoryFocus& m_focus;
    Grouping m_grouping = Grouping::kCategory;
    Path m_path;
    MemoryTreeNode m_tree;
    /// Of the path, when it is at its end: the largest, and the rest together.
    std::vector<AllocationDetail> m_allocations;
    /// Alive whatever the filter; and whether it leaves anything out.
    Bytes m_all;
    bool m_restricted = false;
    Bytes m_restBytes;
    std::int64_t m_restCount = 0;
    std::vector<TreemapCell> m_cells;
    std::optional<std::size_t> m_hovered, m_current;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
