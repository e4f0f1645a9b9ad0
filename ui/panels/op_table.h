// Statistics of ops, kernels or copies: nsys's columns, self time, what launched them and what is known of
// their work; flat, by module or by phase; within the shared filter; and the selected row's durations.
#pragma once

#include <QWidget>
#include <optional>
#include <string>

#include "engine/query/statistics/grouped_statistics.h"
#include "ui/controls/heading.h"
#include "ui/controls/refresh.h"
#include "ui/models/deferred_query.h"
#include "ui/models/run_filter.h"
#include "ui/models/span_table_model.h"

class QHBoxLayout;
class QToolButton;

namespace warpglass::ui {

class ComboBox;
class DataTable;
class DistributionPane;
class FamilyKey;
class FilterBar;
class SegmentedControl;
class SummaryLabel;

class OpTable : public QWidget, public Refreshable, public Headed {
    Q_OBJECT
public:
    OpTable(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent = nullptr);

    /// What is counted: ops of the CPU, kernels, or copies of a GPU.
    enum class Subject { kOps, kKernels, kCopies };
    Subject subject() const { return m_subject; }
    void setSubject(Subject subject);
    /// What is shown of a run at first: a GPU's kernels, else ops.
    Subject firstSubject() const;
    /// Selects the first row, as soon as what has been asked for is shown.
    void selectFirst();
    SpanGrouping grouping() const { return m_grouping; }
    void setGrouping(SpanGrouping grouping);
    /// As the user wants them from now on; until then they come with a selected row.
    void setDistributionShown(bool shown);
    DataTable& table() const { return *m_table; }
    DistributionPane& distribution() const { return *m_distribution; }
    const SpanTableModel& model() const { return m_model; }

    void refreshNow() override;
    /// The finding counts all rows, also those in closed groups.
    Heading heading() const override;

signals:
    /// A row's menu asks for all spans of a name, or all ops of these types and shapes.
    void findRequested(const QString& text);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    /// Why a table has no rows.
    struct NoRows {
        QString unrecorded;  // why the run shows none at all; empty where it may
        QString lost;        // "all 5,396 kernels"; empty where none is missing
    };
    static NoRows whyNoRows(const Snapshot& snapshot, Subject subject);

    void buildBar();
    void connectParts();
    DeferredQuery::Job makeJob();
    /// `found`: by the filter's text.
    void showRows(GroupedStatistics statistics, SpanGrouping grouping, bool complete, bool found = false);
    void selectFirstNow();
    void updateSummary();
    QString summaryOf(bool words) const;
    QString perStepText() const;
    QString timeText() const;
    QString emptyText() const;
    void offerSubjects();
    void showDefaultColumns();
    void sortByWhatIsShown();
    TrackKind trackKind() const;
    /// Opens a group; goes to the longest instance of anything else.
    void activate(int row);
    int rowToShow() const;
    void fitDistribution();
    DeferredQuery::Job makeDistributionJob();
    void showDurations(bool shown);
    void goTo(SpanPosition position);
    void fillMenu(QMenu& menu, int row);

    RunDocument& m_document;
    TimeAxis& m_axis;
    RunFilter& m_filter;
    Subject m_subject = Subject::kOps;
    SpanGrouping m_grouping = SpanGrouping::kFlat;
    // In the order of the eye, which Tab follows.
    SegmentedControl* m_subjects;  // hidden where no GPU took part
    ComboBox* m_groupings;
    FilterBar* m_filterBar;
    QToolButton* m_columns;
    QToolButton* m_histogram;
    SummaryLabel* m_summary;
    QHBoxLayout* m_bar = nullptr;  // of all of these
    SpanTableModel m_model;
    DataTable* m_table;
    FamilyKey* m_families;
    DistributionPane* m_distribution;
    QString m_words;
    NoRows m_noRows;
    bool m_byBegin = false;
    bool m_hasTypes = false;  // the shown ops' run was recorded with them
    bool m_complete = true;
    bool m_unsplit = false;    // by module, and some kernels serve several
    std::int64_t m_steps = 0;  // whole ones, whose work is shown
    bool m_selectFirst = false;
    bool m_distributionChosen = false;
    DeferredQuery m_query;
    /// The row whose durations are shown.
    int m_row = -1;
    /// The key of the row whose longest span to go to once it is known; rows may move until then.
    std::optional<std::string> m_longestOf;
    DeferredQuery m_distributionQuery;
};

}  // namespace warpglass::ui
