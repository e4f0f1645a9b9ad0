// The roofline of a run's matrix products over their table. It is of the steps that means are taken over,
// whatever is selected: its arithmetic is a whole step's. Choosing a point selects the longest instance of
// its module on the time axis.
#pragma once

#include "ui/charts/chart_view.h"
#include "ui/charts/roofline_chart.h"
#include "ui/charts/roofline_model.h"

namespace warpglass::ui {

class DataTable;

class RooflineView : public ChartView {
    Q_OBJECT
public:
    RooflineView(RunDocument& document, TimeAxis& axis, QWidget* parent = nullptr);

    RooflineChart& chart() const { return *m_chart; }
    DataTable& table() const { return *m_table; }

private:
    DeferredQuery::Job makeJob() override;
    void present(RooflineData data);
    void goTo(int row, bool show);

    RooflineChart* m_chart;
    RooflineModel m_model;
    DataTable* m_table;
};

}  // namespace warpglass::ui
