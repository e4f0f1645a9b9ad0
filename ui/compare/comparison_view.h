// Two runs over each other: what differs in their configuration, in words; a headline; both timelines aligned
// at the start of a step, on one zoom; both memory curves on one axis; tables of what took longer and what
// took more.
//
// GUI thread only; the tables are computed on a worker.
#pragma once

#include <QFutureWatcher>
#include <QWidget>
#include <memory>

#include "engine/query/comparison.h"
#include "engine/query/comparison_headline.h"
#include "engine/query/step_spans.h"
#include "ui/compare/comparison_model.h"
#include "ui/compare/linked_axes.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"
#include "ui/theme/refresh.h"

class QLabel;

namespace warpglass::ui {

class ComboBox;
class DataTable;
class MemoryDifferencePlot;
class SegmentedControl;
class TimelineView;

class ComparisonView : public QWidget, public Refreshable {
    Q_OBJECT
public:
    struct Side {
        QString title;
        std::shared_ptr<const Snapshot> snapshot;
        std::shared_ptr<MemoryTimeline> memory;  // of the snapshot; null: folded here
    };

    explicit ComparisonView(QWidget* parent = nullptr);
    ~ComparisonView() override;

    /// Both have ended.
    void setRuns(Side a, Side b);
    void swap();
    /// At the `index`-th of the steps that both have.
    void alignAtStep(int index);

    TimeAxis& axisOfA() { return m_axisA; }
    TimeAxis& axisOfB() { return m_axisB; }
    const ComparisonModel& model() const { return m_model; }
    /// Waits for the tables.
    void refreshNow() override;

signals:
    void closeRequested();

protected:
    void keyPressEvent(QKeyEvent* event) override;

private:
    enum Table { kKernels, kOps, kModules, kPhases, kMemory };
    struct Answer {
        RunComparison comparison;
        ComparisonHeadline headline;
        /// Matched by op and name.
        std::vector<ComparisonRow> kernels;
        std::vector<StepSpan> stepsA, stepsB;
    };

    QWidget* buildHead();
    QWidget* buildTables();
    void compute();
    void showAnswer();
    void showTable(int table);
    void showTitles();
    void showReading();

    Side m_a, m_b;
    RunDocument m_documentA, m_documentB;
    TimeAxis m_axisA, m_axisB;
    LinkedAxes m_link;
    ComparisonModel m_model;
    std::shared_ptr<const Answer> m_answer;
    QFutureWatcher<std::shared_ptr<const Answer>> m_watcher;

    QLabel* m_titles = nullptr;
    QLabel* m_settings = nullptr;
    QLabel* m_headline = nullptr;
    QLabel* m_reading = nullptr;
    ComboBox* m_steps = nullptr;
    TimelineView* m_timelineA = nullptr;
    TimelineView* m_timelineB = nullptr;
    MemoryDifferencePlot* m_memory = nullptr;
    SegmentedControl* m_tables = nullptr;
    DataTable* m_table = nullptr;
};

}  // namespace warpglass::ui
