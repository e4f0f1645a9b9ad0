// Live memory at the cursor, or at the run's peak without a cursor, by category, module, op or phase. It
// shows what passes the filter, and its share of everything. Where a GPU's segments are known, it also shows
// how fragmented their free memory is.
//
// With a filter, and by op, a large run is queried on a worker. GUI thread only.
#pragma once

#include <QWidget>
#include <memory>
#include <optional>
#include <vector>

#include "engine/query/memory/memory_segments.h"
#include "engine/tables/memory_columns.h"
#include "ui/controls/heading.h"
#include "ui/controls/refresh.h"
#include "ui/models/deferred_query.h"
#include "ui/models/run_document.h"
#include "ui/models/run_filter.h"
#include "ui/models/time_axis.h"
#include "ui/models/tree_table_model.h"

namespace warpglass::ui {

class DataTable;
class SegmentedControl;
class SentenceLabel;
class SummaryLabel;

class MemoryBreakdownView : public QWidget, public Refreshable, public Headed {
    Q_OBJECT
public:
    MemoryBreakdownView(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent = nullptr);

    BreakdownKey key() const { return m_key; }
    void setKey(BreakdownKey key);
    DataTable& table() const { return *m_table; }

    void refreshNow() override { m_query.runNow(); }
    Heading heading() const override { return {m_title, m_finding}; }

private:
    /// Live memory by a key, and the bytes requested for it.
    struct Answer {
        BreakdownKey key = BreakdownKey::kCategory;
        std::optional<Nanoseconds> cursor, moment;  // no moment: there is no memory event
        QString only;                               // what passes the filter, in words
        std::vector<BreakdownRow> rows;
        Bytes alive;  // whatever the filter
    };

    DeferredQuery::Job makeJob();
    void showAnswer(Answer answer);
    /// Shows nothing, as before the first answer.
    void showNothing();
    void showSum(const Answer& answer);

    RunDocument& m_document;
    TimeAxis& m_axis;
    RunFilter& m_filter;
    BreakdownKey m_key = BreakdownKey::kCategory;
    SegmentedControl* m_keys;
    SummaryLabel* m_moment;
    SentenceLabel* m_sum;
    QString m_title, m_finding;  // of a figure
    MemorySegments m_segments;
    TreeTableModel<BreakdownRow> m_model{breakdownTable(), "name", "size_bytes", 1};
    BreakdownKey m_shown = BreakdownKey::kCategory;  // by which the model's rows are
    DataTable* m_table;
    std::shared_ptr<MemoryTimeline> m_growing;  // of the jobs of m_query, while the run grows
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
