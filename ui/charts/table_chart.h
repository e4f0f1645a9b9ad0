// The base of the charts page's views that have a table under their chart. A chosen mark and the table's
// current row are the same thing where a row of the model is a mark.
#pragma once

#include <QList>

#include "ui/charts/chart_view.h"

namespace warpglass::ui {

class DataTable;
class Canvas;

class TableChart : public ChartView {
    Q_OBJECT
public:
    DataTable& table() const { return *m_table; }

protected:
    TableChart(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent);

    /// `chart` over `below`, which is the table or holds it. Their `heights` are a proportion, and in a
    /// higher window each grows by its `stretch`, or by its height.
    void arrange(QWidget* chart, QWidget* below, const QList<int>& heights, const QList<int>& stretch = {});
    /// Has goTo() called on what is chosen in either (−1 for none), and on Enter or a double click.
    void link(Canvas& chart);
    /// For linked ones: selects on the time axis what a row is of; `show` also zooms to it and asks for the
    /// timeline.
    virtual void goTo(int /*row*/, bool /*show*/) {}

private:
    DataTable* m_table;
};

}  // namespace warpglass::ui
