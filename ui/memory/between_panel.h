// What changes memory between two moments, the ends of the selected stretch of time: by category, module or
// op, as a tree with the total over it, or allocation by allocation.
#pragma once

#include <QWidget>

#include "engine/tables/memory_columns.h"
#include "ui/controls/heading.h"
#include "ui/controls/refresh.h"
#include "ui/memory/memory_focus.h"
#include "ui/models/deferred_query.h"
#include "ui/models/described_table_model.h"
#include "ui/models/memory_source.h"
#include "ui/models/time_axis.h"
#include "ui/models/tree_table_model.h"

namespace warpglass::ui {

class DataTable;
class BridgeChart;
class SegmentedControl;
class SentenceLabel;

class BetweenPanel : public QWidget, public Refreshable, public Headed {
    Q_OBJECT
public:
    BetweenPanel(RunDocument& document, TimeAxis& axis, MemoryFocus& focus, QWidget* parent = nullptr);

    /// In the order of the control.
    enum class By { kCategory, kModule, kOp, kAllocation };
    void setBy(By by);
    using Model = TreeTableModel<MemoryBetweenRow>;
    const Model& model() const { return m_model; }
    const DescribedTableModel<AllocationChange>& allocations() const { return m_allocations; }
    QString sentence() const;
    /// More rows than anyone reads; the sentence says how many there are.
    static constexpr std::size_t kMost = 500;

    void refreshNow() override { m_query.runNow(); }
    /// The sentence, which a figure has in its head alone.
    Heading heading() const override { return {{}, sentence()}; }

private:
    struct Answer {
        MemoryBetween between;
        std::vector<AllocationChange> allocations;
        By by = By::kCategory;
        QString only;
    };
    void buildTables();
    DeferredQuery::Job makeJob();
    void show(Answer answer);
    void say(const Answer& answer);
    QString momentText(Nanoseconds moment) const;

    RunDocument& m_document;
    TimeAxis& m_axis;
    MemoryFocus& m_focus;
    By m_by = By::kCategory;
    SegmentedControl* m_keys;
    SentenceLabel* m_sentence;
    BridgeChart* m_bridge;
    Model m_model{betweenTable(), "name", "change_bytes", 2};
    By m_shown = By::kCategory;  // by which the model's rows are
    DataTable* m_table;
    DescribedTableModel<AllocationChange> m_allocations{allocationChangesTable()};
    DataTable* m_allocationTable;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
