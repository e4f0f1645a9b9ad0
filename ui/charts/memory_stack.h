// The stack of memory over time: one value a pixel column.
//
// QCustomPlot draws it and the grid, from MemoryTimeline::columns(), so that the cost follows the width and
// not the events. Each category is a graph of the sum up to it, filled down to zero; the topmost is painted
// first and the bottommost last, which leaves no seam between neighbors. What is allocated in all is a line
// along its top, what a GPU's allocator has reserved a paler one above it. The stack can be one of modules
// or ops too (MemoryGroups, made off this thread when first asked for).
//
// GUI thread only.
#pragma once

#include <QObject>
#include <QRectF>
#include <array>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/query/memory/memory_groups.h"
#include "engine/query/memory/memory_timeline.h"
#include "ui/charts/memory_scale.h"
#include "ui/models/deferred_query.h"
#include "ui/models/run_document.h"

class QCPGraph;
class QCPPainter;
class QCustomPlot;
class QPainter;

namespace warpglass::ui {

class MemoryStack : public QObject {
    Q_OBJECT
public:
    /// For a widget, which owns it; the others outlive it.
    MemoryStack(RunDocument& document, const MemoryScale& scale, QWidget& widget);
    ~MemoryStack() override;

    enum class By { kCategory, kModule, kOp };
    By by() const { return m_by; }
    void setBy(By by);
    /// Groups as drawn; null for categories, and while groups are being computed.
    const MemoryGroups* groups() const { return m_by == By::kCategory ? nullptr : m_groups.get(); }
    std::vector<std::string> groupNames() const;
    /// Waits for groups that are being made.
    void finishGroups() { m_query.runNow(); }
    /// Whether the stack is seen.
    void setActive(bool active) { m_query.setActive(active); }
    /// Groups being made are another run's; invalidate() follows.
    void forgetGroups();
    /// The run has grown or is another one.
    void invalidate();

    /// Draws the grid and the stack into a picture of the widget, of so many columns for the range `visible`.
    /// The pieces of the line along the top are `shortest` or longer.
    void paint(QCPPainter& painter, int columns, TimeRange visible, double shortest);
    /// What is reserved at the end, and whether its line goes through a box; as painted last.
    std::optional<std::int64_t> lastReserved() const;
    bool reservedRunsThrough(const QRectF& box) const;

    /// The stack as drawn: a category's graph holds the sum of it and those below it in kStackOrder. For
    /// tests.
    const QCPGraph& graphOf(Category category) const { return *m_graphs[static_cast<std::size_t>(category)]; }
    /// The same of groups, in the order of groupNames(). For tests.
    const QCPGraph& groupGraph(std::size_t group) const { return *m_groupGraphs[group]; }
    /// What is reserved, a line over the stack. For tests.
    const QCPGraph& reservedGraph() const { return *m_reservedGraph; }

signals:
    /// Other groups, or another run's.
    void changed();

private:
    void makeAxes();
    void applyTheme();
    void ask();
    DeferredQuery::Job makeJob();
    void fill(int columns, TimeRange visible);
    void fillStack(const std::vector<MemoryColumn>& cells, double duration);
    void fillReserved(const std::vector<MemoryColumn>& cells, int columns, TimeRange visible);
    void paintAllocated(QPainter& painter, double shortest) const;

    RunDocument& m_document;
    const MemoryScale& m_scale;
    const QWidget& m_widget;
    std::unique_ptr<QCustomPlot> m_plot;  // never shown: it draws into the widget's picture
    std::array<QCPGraph*, kCategoryCount> m_graphs{};
    std::array<QCPGraph*, MemoryGroups::kMost + 1> m_groupGraphs{};
    QCPGraph* m_reservedGraph = nullptr;
    By m_by = By::kCategory;
    std::shared_ptr<const MemoryGroups> m_groups;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
