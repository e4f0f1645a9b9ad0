// What happens to memory between two moments, the ends of the selected stretch of time: what is allocated,
// freed and kept, by category, module or op.
#pragma once

#include <QWidget>

#include "engine/tables/memory_columns.h"
#include "ui/memory/memory_focus.h"
#include "ui/models/deferred_query.h"
#include "ui/models/described_table_model.h"
#include "ui/models/memory_source.h"
#include "ui/models/time_axis.h"
#include "ui/theme/heading.h"
#include "ui/theme/refresh.h"

namespace warpglass::ui {

class DataTable;
class SegmentedControl;
class SentenceLabel;

class BetweenPanel : public QWidget, public Refreshable, public Headed {
    Q_OBJECT
public:
    BetweenPanel(RunDocument& document, TimeAxis& axis, MemoryFocus& focus, QWidget* parent = nullptr);

    void setKey(BreakdownKey key);
    const DescribedTableModel<MemoryBetweenRow, GroupedBy>& model() const { return m_model; }
    QString sentence() const;

    void refreshNow() override;
    /// The sentence, which a figure has in its head alone.
    Heading heading() const override { return {{}, sentence()}; }

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    DeferredQuery::Job makeJob();
    void show(const MemoryBetween& between, BreakdownKey key, const QString& only);

    RunDocument& m_document;
    TimeAxis& m_axis;
    MemoryFocus& m_focus;
    BreakdownKey m_key = BreakdownKey::kCategory;
    SegmentedControl* m_keys;
    SentenceLabel* m_sentence;
    DescribedTableModel<MemoryBetweenRow, GroupedBy> m_model{betweenTable()};
    DataTable* m_table;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
