// The base of the charts page's views: figures of a run that are computed off the window's thread, over what
// the filter takes; a bar with controls and a sentence, under it what was found, and what the view is made
// of.
//
// The sentence says what the figures are restricted to, and which conditions of the filter do not apply to
// them. A selected range counts what began in it (on a GPU, too); a selected step counts what it launched.
// What is chosen in a view is inspected on the time axis and restricts nothing. GUI thread only.
#pragma once

#include <QWidget>
#include <string>

#include "engine/query/statistics/statistics.h"
#include "engine/trace/missing_records.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/heading.h"
#include "ui/controls/refresh.h"
#include "ui/models/deferred_query.h"
#include "ui/models/run_document.h"
#include "ui/models/run_filter.h"
#include "ui/models/time_axis.h"

class QHBoxLayout;
class QVBoxLayout;

namespace warpglass::ui {

class FindingLabel;
class SummaryLabel;

class ChartView : public QWidget, public Refreshable, public FigurePart, public Headed {
    Q_OBJECT
public:
    void refreshNow() override { m_query.runNow(); }
    /// The bar, of which a figure has the words alone, leaves its room to what is under it.
    void setInFigure(bool inFigure) override;
    Heading heading() const override;
    /// For tests: what the bar says.
    QString summary() const;
    QString summaryToolTip() const;
    /// Conditions of the filter that do not apply to what the view shows.
    const std::vector<RunFilter::Condition>& without() const { return m_without; }

signals:
    /// What was selected on the time axis is wanted to be seen.
    void timelineRequested();

protected:
    ChartView(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent);

    /// Heavy or not, of a run with many spans its work is done on a worker.
    virtual DeferredQuery::Job makeJob() = 0;
    /// Takes away what is shown of a run: another is there, whose answer may take long, or fail.
    virtual void clear() = 0;
    /// Derived constructors call it when they are whole.
    void start();

    /// What the figures cover, according to the filter.
    struct Scope {
        WorkScope work;
        AllocationConditions made;
        /// "what begins in the selected 2.3 ms", "step 3"; empty for steps that a mean is taken of.
        QString words;
        /// No step was completed: the figures cover the step in which the run ended, or is now (`words` says
        /// so).
        bool unfinished = false;
        /// Then why: "memory ran out in step 0".
        QString reason;
        /// The set conditions on place and name that the view knows: "blocks.3.attn, backward"; empty for
        /// none.
        QString only;
        /// The set conditions that it does not know.
        QString without;

        bool isRestricted() const { return (!words.isEmpty() && !unfinished) || !only.isEmpty(); }
    };
    Scope scope() const;
    /// "mean of 3 measured steps", "step 3".
    static QString scopeWords(const Scope& scope, std::int64_t steps, bool measured);
    /// What FLOPs and bytes moved are of, without a full stop; or `unplanned`, why there are none.
    static QString plannedWords(const Scope& scope, const std::string& unplanned, bool unfinished);
    /// That some kernels' time is split over modules, in short; and how, one sentence after another.
    static QString splitWords();
    static QString splitSentences(const std::vector<std::string>& splits);
    /// The text of an empty view: what the filter hides, or else `otherwise`.
    QString emptyWords(const Scope& scope, const QString& otherwise) const;
    /// Derived constructors say which records they draw: where some are missing from the file, the sentence
    /// begins with that.
    void setDrawn(std::vector<RecordKind> records) { m_drawn = std::move(records); }
    /// "all 5,396 kernels", of the records that it draws; "" where none is missing, and until the first
    /// answer of a run is there: what is missing comes with each.
    QString missing() const;
    /// Called by derived constructors: which conditions the view does not know, and why, in words.
    void setWithout(std::vector<RunFilter::Condition> conditions, const QString& why);

    /// Selects a span on the time axis; `show` also zooms to it and asks for the timeline.
    void selectSpan(std::optional<SpanRef> span, bool show);
    /// Selects the longest completed instance of a module in the averaged steps, in a phase if one is named.
    /// In a run with many spans a worker looks for it, for as long as nothing else is chosen here or selected
    /// on the time axis.
    void selectLongestModule(const QString& module, std::optional<Phase> phase, bool show);
    /// The same for a kernel that was launched in a phase.
    void selectLongestKernel(const QString& kernel, Phase phase, bool show);

    QHBoxLayout& bar() const { return *m_bar; }
    QVBoxLayout& body() const { return *m_body; }
    /// The sentence, after what it is restricted to, and what not. In a figure it is among the settings.
    void setSummary(const QString& text, const Scope& scope, const QString& toolTip = {});
    /// What was found in what was last shown: in the line under the bar.
    void setFinding(const std::string& finding);
    /// That line; another of kFindingHeight may take its place.
    QWidget& findingLine() const;
    static constexpr int kFindingHeight = 18;

    RunDocument& document() const { return m_document; }
    TimeAxis& axis() const { return m_axis; }
    RunFilter& filter() const { return m_filter; }
    void invalidate(DeferredQuery::Cause cause) { m_query.invalidate(cause); }

private:
    /// makeJob()'s, and with its answer what the file has lost.
    DeferredQuery::Job makeJobWithMissing();
    DeferredQuery::Job makeLongestJob();

    RunDocument& m_document;
    TimeAxis& m_axis;
    RunFilter& m_filter;
    QHBoxLayout* m_bar;
    QMargins m_barMargins;  // out of a figure
    QVBoxLayout* m_body;
    SummaryLabel* m_summary;
    FindingLabel* m_finding;
    std::vector<RunFilter::Condition> m_without = {RunFilter::Condition::kCategory,
                                                   RunFilter::Condition::kAllocations};
    QString m_whyWithout;
    std::vector<RecordKind> m_drawn;
    /// What the shown run's file lacks, and of work what was never recorded, as of the last answer.
    MissingRecords m_missing;
    QString m_unrecorded;
    /// What selectLongestModule() and selectLongestKernel() look for.
    struct Wanted {
        TrackKind kind = TrackKind::kModule;
        QString name;
        std::optional<Phase> phase;
        bool show = false;
    };
    void selectLongest(Wanted wanted);
    std::optional<Wanted> m_wanted;
    DeferredQuery m_query;
    DeferredQuery m_longestQuery;
};

}  // namespace warpglass::ui
