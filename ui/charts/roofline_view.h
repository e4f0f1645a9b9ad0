// The roofline of a run's GEMMs and of our own kernels over their table, of what the filter takes. Choosing a
// point looks at the longest instance of its module, or of the kernel, on the time axis.
#pragma once

#include "engine/tables/layer_columns.h"
#include "ui/charts/chart_view.h"
#include "ui/charts/roofline_chart.h"
#include "ui/models/described_table_model.h"

namespace warpglass::ui {

class DataTable;

class RooflineView : public ChartView {
    Q_OBJECT
public:
    RooflineView(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent = nullptr);

    RooflineChart& chart() const { return *m_chart; }
    DataTable& table() const { return *m_table; }

private:
    DeferredQuery::Job makeJob() override;
    void clear() override;
    void present(RooflineData data, const Scope& scope);
    QString stepsWords(const Scope& scope) const;
    QString whyEmpty(const Scope& scope) const;
    void goTo(int row, bool show);

    RooflineChart* m_chart;
    DescribedTableModel<RooflinePoint, RooflineShown> m_model{rooflineTable()};
    DataTable* m_table;
};

}  // namespace warpglass::ui
