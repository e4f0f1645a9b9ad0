// What is alive at the cursor, or at the run's peak when there is none: by category, module, op or phase.
// Of what the filter lets through, with how much that is of all.
// Where a GPU's segments are known, how far what is free in them is in pieces.
#pragma once

#include <QWidget>

#include "engine/query/memory_segments.h"
#include "ui/models/breakdown_model.h"
#include "ui/models/deferred_query.h"
#include "ui/models/run_document.h"
#include "ui/models/run_filter.h"
#include "ui/models/time_axis.h"
#include "ui/theme/refresh.h"

class QLabel;

namespace warpglass::ui {

class DataTable;
class SegmentedControl;

class MemoryBreakdownView : public QWidget, public Refreshable {
    Q_OBJECT
public:
    MemoryBreakdownView(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent = nullptr);

    BreakdownKey key() const { return m_key; }
    void setKey(BreakdownKey key);
    DataTable& table() const { return *m_table; }

    void refreshNow() override;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    DeferredQuery::Job makeJob();

    RunDocument& m_document;
    TimeAxis& m_axis;
    RunFilter& m_filter;
    BreakdownKey m_key = BreakdownKey::kCategory;
    SegmentedControl* m_keys;
    QLabel* m_moment;
    QLabel* m_sum;
    MemorySegments m_segments;
    BreakdownModel m_model;
    DataTable* m_table;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
