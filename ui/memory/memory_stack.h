// The stack of memory over time: one value a pixel column, from MemoryTimeline::columns(), so that the cost
// follows the width and not the events.
//
// What is allocated in all is a line along the top, what a GPU's allocator has reserved a paler one above it.
// The stack can be one of modules or ops too (MemoryGroups, made off this thread when first asked for).
#pragma once

#include <QColor>
#include <QObject>
#include <QRectF>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/query/memory/memory_groups.h"
#include "engine/query/memory/memory_timeline.h"
#include "ui/controls/kept_x.h"
#include "ui/memory/memory_scale.h"
#include "ui/models/deferred_query.h"
#include "ui/models/run_document.h"

class QPainter;

namespace warpglass::ui {

class MemoryStack : public QObject {
    Q_OBJECT
public:
    /// For a widget, which owns it; the others outlive it.
    MemoryStack(RunDocument& document, const MemoryScale& scale, QWidget& widget);

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

    /// Draws the stack and the grid over what is there, in so many columns for the range `visible`.
    void paint(QPainter& painter, int columns, TimeRange visible, KeptX kept = {});
    /// Whether a curve goes through a box; it has a value a column, as sums() and reserved().
    bool runsThrough(const std::vector<std::int64_t>& curve, const QRectF& box) const;

    // As painted last, a value a column.
    /// The top of each part of it and those below it: categories in kStackOrder, or groups in the order of
    /// groupNames().
    const std::vector<std::vector<std::int64_t>>& sums() const { return m_sums; }
    /// None where the run does not state it.
    const std::vector<std::int64_t>& reserved() const { return m_reserved; }

signals:
    /// Other groups, or another run's.
    void changed();

private:
    void ask();
    DeferredQuery::Job makeJob();
    void fill(int columns, TimeRange visible);
    void fillSums(const std::vector<MemoryColumn>& cells);
    /// From the bottom.
    std::vector<QColor> colors() const;

    RunDocument& m_document;
    const MemoryScale& m_scale;
    std::vector<std::vector<std::int64_t>> m_sums;
    std::vector<std::int64_t> m_reserved;
    By m_by = By::kCategory;
    std::shared_ptr<const MemoryGroups> m_groups;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
