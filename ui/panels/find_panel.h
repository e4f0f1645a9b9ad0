// Find: every span whose name contains a text or matches a regular expression; as a list, as a count with the
// time they take together, and as a histogram of their durations. Next and previous go through all of them in
// order of time, round the run's end, and show each in the timeline, the cursor and the inspector at it.
//
// If the filter has conditions, only what it includes is a match, unless the user chooses otherwise; the
// number of matches everywhere is shown. Measured steps alone are no such condition, but may be chosen as
// one; else it is told how many matches are in them, since these are what tables count. A match within
// another match adds nothing to the time.
//
// Results come while typing: names are matched and rows looked up on a worker, the first page at once. An
// expression that is not valid, or that takes too long on the run's names, is said in words.
//
// GUI thread only.
#pragma once

#include <QWidget>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "engine/query/statistics/span_search.h"
#include "engine/tables/match_columns.h"
#include "ui/models/deferred_query.h"
#include "ui/models/described_table_model.h"
#include "ui/models/run_document.h"
#include "ui/models/run_filter.h"
#include "ui/models/time_axis.h"
#include "ui/theme/figure_mode.h"
#include "ui/theme/heading.h"
#include "ui/theme/refresh.h"

namespace warpglass::ui {

class DataTable;
class DistributionPane;
class FindBar;

class FindPanel : public QWidget, public Refreshable, public FigureControl, public Headed {
    Q_OBJECT
public:
    FindPanel(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent = nullptr);

    /// The field has the focus and its text is selected.
    void focusField();
    void setPattern(const QString& text, bool expression = false);
    DataTable& table() const { return *m_table; }
    const DescribedTableModel<SearchMatch, MatchesShown>& model() const { return m_model; }
    const DistributionPane& distribution() const { return *m_distribution; }
    /// The summary as shown: "1,055 matches · 54.3 ms", or what is wrong.
    QString summary() const;

    void refreshNow() override;
    Heading heading() const override { return {{}, m_finding}; }
    /// What is looked for.
    QString figureWords() const override;

    /// What a search may take for matching names before it says that it is too slow.
    static constexpr int kNameBudget = 1500;  // ms

public slots:
    void findNext();
    void findPrevious();

signals:
    /// Where matches are, as parts of a stretch of time; of no stretch when nothing is looked for.
    void ticksChanged(warpglass::TimeRange range, const std::vector<bool>& columns);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    struct Outcome;
    void build();
    void restart();
    /// What the filter has to look within.
    void offerScope();
    /// "blocks.3.attn, backward, measured steps".
    QString filterWords() const;
    void giveUp();
    DeferredQuery::Job makeJob();
    void showOutcome(const Outcome& outcome);
    QString summaryOf(const Outcome& outcome) const;
    /// The text for no match at all.
    QString noNameWords() const;
    QString exactlyOf(const Outcome& outcome) const;
    /// Whether the tables count only those of the matches that lie in measured steps.
    bool tablesCountMeasured(const Outcome& outcome) const;
    DeferredQuery::Job makeTickJob();
    void step(bool forward);
    void goToNext(bool forward);
    SearchMatch stepFrom(bool forward) const;
    DeferredQuery::Job makeStepJob();
    void showNext(const SearchMatch& match);
    void stepAsPutOff();
    void goTo(const SearchMatch& match);
    void select(SpanPosition position);

    QString m_finding;
    RunDocument& m_document;
    TimeAxis& m_axis;
    RunFilter& m_filter;
    FindBar* m_bar;
    DescribedTableModel<SearchMatch, MatchesShown> m_model{matchesTable()};
    DataTable* m_table;
    DistributionPane* m_distribution;
    /// Set to give up the search that runs.
    std::shared_ptr<std::atomic<bool>> m_canceled;
    std::shared_ptr<const SpanSearch> m_search;  // of what is shown; null for none
    std::optional<SearchMatch> m_current;
    bool m_selecting = false;
    /// Whether what is shown is of what is looked for; until then a step forward (true) or back is put off.
    bool m_found = false;
    std::optional<bool> m_stepPutOff;
    DeferredQuery m_query;
    DeferredQuery m_tickQuery;
    /// Steps asked for and not yet taken, in a run so long that a rare match takes a while to come by.
    int m_steps = 0;
    DeferredQuery m_stepQuery;
};

}  // namespace warpglass::ui
