// A flame chart of module time or of module memory: the switch between the two, the blocks apart or together,
// a search, the path to what is zoomed, and a legend.
//
// The switch belongs to the page: the two are separate views, so that a figure shows the requested one.
#pragma once

#include "engine/query/statistics/flame.h"
#include "ui/charts/chart_view.h"

class QLabel;
class QLineEdit;

namespace warpglass::ui {

class FlameChart;
class LegendStrip;
class SegmentedControl;

class FlameView : public ChartView {
    Q_OBJECT
public:
    FlameView(RunDocument& document, TimeAxis& axis, RunFilter& filter, FlameTree::Subject subject,
              QWidget* parent = nullptr);

    FlameChart& chart() const { return *m_chart; }
    FlameTree::Subject subject() const { return m_subject; }
    /// The path over the chart, as text; empty where nothing is zoomed.
    QString path() const;

signals:
    /// The user wants the other flame chart.
    void subjectRequested(warpglass::FlameTree::Subject subject);

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    DeferredQuery::Job makeJob() override;
    void clear() override;
    /// `all`: for memory, what is live without the filter.
    void present(std::shared_ptr<const FlameTree> tree, const Scope& scope, std::int64_t all = 0);
    void updatePath();
    void updateLegend();

    FlameTree::Subject m_subject;
    SegmentedControl* m_subjects;
    SegmentedControl* m_blocks;
    QLineEdit* m_search;
    QLabel* m_path;
    QLabel* m_found;
    LegendStrip* m_legend;
    FlameChart* m_chart;
};

}  // namespace warpglass::ui
