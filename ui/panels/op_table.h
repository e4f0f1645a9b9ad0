// Statistics of ops: nsys's columns, self time, families; for the whole run, its measured steps, what is in
// view, or what is selected (a range, or a step, phase or module in the timeline).
#pragma once

#include <QWidget>

#include "engine/query/statistics.h"
#include "ui/models/deferred_query.h"
#include "ui/models/run_document.h"
#include "ui/models/statistics_model.h"
#include "ui/models/time_axis.h"
#include "ui/theme/refresh.h"

class QLineEdit;
class QToolButton;

namespace warpglass::ui {

class DataTable;
class ElidedLabel;
class SegmentedControl;

class OpTable : public QWidget, public Refreshable {
    Q_OBJECT
public:
    /// In the order of the control's segments.
    enum class Scope { kRun, kMeasured, kInView };

    OpTable(RunDocument& document, TimeAxis& axis, QWidget* parent = nullptr);

    /// What is counted: ops of the CPU, kernels, or copies of a GPU.
    enum class Subject { kOps, kKernels, kCopies };
    Subject subject() const { return m_subject; }
    void setSubject(Subject subject);
    Scope scope() const { return m_scope; }
    void setScope(Scope scope);
    /// Shows only rows whose name contains this; "" shows all.
    void setFilterText(const QString& text);
    DataTable& table() const { return *m_table; }
    const StatisticsModel& model() const { return m_model; }

    void refreshNow() override;

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;

private:
    /// What counts now, and how the table says it.
    struct Selection {
        SpanFilter filter;
        QString words;
        QString chip;
        /// A range of time: what only ends in it, or lasts through it, does not count.
        bool byBegin = false;
        /// A selection in the timeline overrules the scope.
        bool fromTimeline = false;
    };
    Selection currentSelection() const;
    DeferredQuery::Job makeJob();
    void showRows(std::vector<StatisticsRow> rows, const Selection& selection);
    void updateSummary();
    QString summaryOf(std::int64_t instances, Nanoseconds self, bool words) const;
    QString wordsOfRun() const;
    void offerSubjects();
    TrackKind trackKind() const;
    void goToLongest(int row);
    DeferredQuery::Job makeLongestJob();
    void goTo(const std::optional<SpanRef>& found);

    RunDocument& m_document;
    TimeAxis& m_axis;
    Scope m_scope = Scope::kMeasured;
    Subject m_subject = Subject::kOps;
    QLineEdit* m_filter;
    SegmentedControl* m_subjects;  // hidden where no GPU took part
    SegmentedControl* m_scopes;
    QToolButton* m_chip;
    ElidedLabel* m_summary;
    StatisticsModel m_model;
    DataTable* m_table;
    QString m_words;
    bool m_byBegin = false;
    DeferredQuery m_query;
    std::string m_wanted;  // the op whose longest instance is looked for
    DeferredQuery m_longestQuery;
};

}  // namespace warpglass::ui
