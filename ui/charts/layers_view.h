// A model's layers side by side: bars over a table. Choosing one selects its longest instance on the time
// axis; Enter or a double click shows it on the timeline.
#pragma once

#include "engine/tables/layer_columns.h"
#include "ui/charts/layers_chart.h"
#include "ui/charts/table_chart.h"
#include "ui/models/described_table_model.h"

namespace warpglass::ui {

class SegmentedControl;

class LayersView : public TableChart {
    Q_OBJECT
public:
    LayersView(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent = nullptr);

    LayersChart& chart() const { return *m_chart; }
    Heading heading() const override;

private:
    DeferredQuery::Job makeJob() override;
    void clear() override;
    void present(Layers layers, const Scope& scope);
    void rankColumns(const Layers& layers);
    /// What the colors of the table's memory bars mean, where the chart's legend doesn't say it.
    void explainBars();
    void sayWhatOf();
    QString outlierWords() const;
    void goTo(int row, bool show) override;

    Scope m_shown;
    SegmentedControl* m_subjects;
    LayersChart* m_chart;
    DescribedTableModel<LayerRow, LayersShown> m_model{layersTable()};
    LegendStrip* m_barKey;
};

}  // namespace warpglass::ui
