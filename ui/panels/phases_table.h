// How long each phase of a step takes over the steps that the filter includes: mean ± standard deviation and
// further statistics, or every step by itself. For a run on a GPU the times are the GPU's, as in the summary,
// or the host's. Set-up and teardown, which no step has, are set apart below the steps.
#pragma once

#include <QWidget>
#include <memory>

#include "engine/tables/statistics_columns.h"
#include "engine/tables/step_columns.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/heading.h"
#include "ui/controls/refresh.h"
#include "ui/models/deferred_query.h"
#include "ui/models/described_table_model.h"
#include "ui/models/run_document.h"
#include "ui/models/run_filter.h"
#include "ui/models/time_axis.h"

class QMenu;
class QStackedWidget;

namespace warpglass::ui {

class DataTable;
class FilterBar;
class SegmentedControl;
class SummaryLabel;

class PhasesTable : public QWidget, public Refreshable, public Headed, public FigurePart {
    Q_OBJECT
public:
    PhasesTable(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent = nullptr);

    enum class Rows { kMeans, kSteps };
    void setRows(Rows rows);
    /// kGpuPhase or kPhase: the clock that times the phases.
    TrackKind clock() const;

    DataTable& table() const { return *m_table; }
    const DescribedTableModel<StatisticsRow, StatisticsShown>& model() const { return m_model; }
    DataTable& steps() const { return *m_stepsTable; }
    const DescribedTableModel<StepRow, StepsShown>& stepsModel() const { return m_stepsModel; }

    void refreshNow() override { m_query.runNow(); }
    Heading heading() const override;
    /// A figure has no column of the host's: it does not add up to the step, and a tool tip alone says why.
    void setInFigure(bool inFigure) override;

private:
    struct Question;
    struct Answer;

    DeferredQuery::Job makeJob();
    Question question();
    static Answer answerTo(const Question& question, const MemoryTimeline& memory);
    void showAnswer(const Question& question, Answer answer);
    void showNoRun();
    /// As before the first answer.
    void clear();
    /// Whether there is a clock to choose.
    void offerClocks(bool both);
    /// Shows the longest span of the phase on the time axis.
    void goTo(int row);
    void goToStep(int row);
    void zoomTo(TimeRange range);
    void fillMenu(QMenu& menu, int row);

    RunDocument& m_document;
    TimeAxis& m_axis;
    RunFilter& m_filter;
    // In the order of the eye, which Tab follows.
    SegmentedControl* m_rows;
    SegmentedControl* m_clocks;
    FilterBar* m_filterBar;
    bool m_bothClocks = false;
    /// What was found, which a figure has in its head, and what the rows are of.
    SummaryLabel* m_summary;
    QString m_finding;
    QStackedWidget* m_tables;
    DescribedTableModel<StatisticsRow, StatisticsShown> m_model{statisticsTable(StatisticsOf::kPhases)};
    DataTable* m_table;
    DescribedTableModel<StepRow, StepsShown> m_stepsModel{stepsTable()};
    DataTable* m_stepsTable;
    /// While a large run grows, that of the jobs.
    std::shared_ptr<MemoryTimeline> m_growing;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
