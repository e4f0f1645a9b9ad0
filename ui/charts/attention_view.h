// Attention's parts: pairs of bars over their table, and what the variant does not let one tell apart.
// Choosing a part selects its module's longest instance on the time axis.
#pragma once

#include "engine/tables/layer_columns.h"
#include "ui/charts/attention_chart.h"
#include "ui/charts/table_chart.h"
#include "ui/models/described_table_model.h"

class QLabel;

namespace warpglass::ui {

class AttentionView : public TableChart {
    Q_OBJECT
public:
    AttentionView(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent = nullptr);

    AttentionChart& chart() const { return *m_chart; }
    /// What of the variant cannot be seen apart.
    QString note() const;

private:
    DeferredQuery::Job makeJob() override;
    void clear() override;
    void present(AttentionParts parts, const Scope& scope);
    void goTo(int row, bool show) override;

    AttentionChart* m_chart;
    QLabel* m_note;
    DescribedTableModel<AttentionPartRow, AttentionParts> m_model{attentionTable()};
};

}  // namespace warpglass::ui
