// The roofline of a run's GEMMs and of our own kernels over their table, of what the filter takes. Choosing a
// point looks at the longest instance of its module, or of the kernel, on the time axis.
#pragma once

#include "engine/tables/layer_columns.h"
#include "ui/charts/roofline_chart.h"
#include "ui/charts/table_chart.h"
#include "ui/models/described_table_model.h"

namespace warpglass::ui {

class RooflineView : public TableChart {
    Q_OBJECT
public:
    RooflineView(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent = nullptr);

    RooflineChart& chart() const { return *m_chart; }

private:
    DeferredQuery::Job makeJob() override;
    void clear() override;
    void present(RooflineData data, const Scope& scope);
    QString stepsWords(const Scope& scope) const;
    QString whyEmpty(const Scope& scope) const;
    void goTo(int row, bool show) override;

    RooflineChart* m_chart;
    DescribedTableModel<RooflinePoint, RooflineShown> m_model{rooflineTable()};
};

}  // namespace warpglass::ui
