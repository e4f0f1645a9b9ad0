// Find: every span whose name contains a text or matches a regular expression: by name, with how many there
// are and the time that they take, then one by one and as a histogram of their durations, all or those of the
// name that is chosen. Next and previous go through all of them in order of time, round the run's end, and
// show each in the timeline, the cursor and the inspector at it.
//
// Only what the filter includes is a match, measured steps alone among it, unless the user chooses otherwise;
// the number of matches everywhere is shown. Where all steps are searched it is told how many matches are in
// the measured ones, which tables count. A match within another match adds nothing to the time.
//
// Results come while typing: names are matched and rows looked up on a worker, the first page at once. An
// expression that is not valid, or that takes too long on the run's names, is said in words.
#pragma once

#include <QPointer>
#include <QWidget>
#include <atomic>
#include <memory>
#include <optional>
#include <vector>

#include "engine/query/statistics/span_search.h"
#include "engine/tables/match_columns.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/heading.h"
#include "ui/controls/refresh.h"
#include "ui/models/deferred_query.h"
#include "ui/models/described_table_model.h"
#include "ui/models/run_document.h"
#include "ui/models/run_filter.h"
#include "ui/models/time_axis.h"
#include "ui/panels/find_steps.h"
#include "ui/panels/find_words.h"

class QSplitter;

namespace warpglass::ui {

class DataTable;
class DistributionPane;
class ElidedLabel;
class FamilyKey;
class FindBar;

class FindPanel : public QWidget, public Refreshable, public FigureControl, public Headed {
    Q_OBJECT
public:
    FindPanel(RunDocument& document, TimeAxis& axis, RunFilter& filter, QWidget* parent = nullptr);

    /// The field has the focus and its text is selected.
    void focusField();
    void setPattern(const QString& text, bool expression = false);
    DataTable& table() const { return *m_table; }
    DataTable& groupTable() const { return *m_groupTable; }
    const DescribedTableModel<SearchGroup, MatchesShown>& groups() const { return m_groups; }
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
    void findNext() { m_steps->step(true); }
    void findPrevious() { m_steps->step(false); }

signals:
    /// Where matches are, as parts of a stretch of time; of no stretch when nothing is looked for.
    void ticksChanged(warpglass::TimeRange range, const std::vector<bool>& columns);

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    void build();
    void connectRun();
    void arrange();
    void restart();
    /// What the filter has to look within.
    void offerScope();
    /// "blocks.3.attn, backward, measured steps".
    QString filterWords() const;
    void giveUp();
    DeferredQuery::Job makeJob();
    /// From a worker: what is found first is shown unless all of it is, or the panel is gone.
    static void postPage(const QPointer<FindPanel>& panel, const std::shared_ptr<std::atomic<bool>>& canceled,
                         FindOutcome page);
    void showOutcome(const FindOutcome& outcome);
    void showPage(const FindOutcome& outcome);
    void showNames(const FindOutcome& outcome);
    int rowOfInstances() const;
    void showInstances(const SearchResult& found, const MatchesShown& of);
    void columnsOfNames();
    bool hasKinds() const;
    void nameInstances();
    void chooseGroup(int row);
    DeferredQuery::Job makeGroupJob();
    /// Whether the tables count only those of the matches that lie in measured steps.
    bool tablesCountMeasured(const FindOutcome& outcome) const;
    DeferredQuery::Job makeTickJob();
    void showRowOf(const SearchMatch& match);

    QString m_finding;
    RunDocument& m_document;
    TimeAxis& m_axis;
    RunFilter& m_filter;
    FindBar* m_bar;
    QSplitter* m_body = nullptr;
    DescribedTableModel<SearchGroup, MatchesShown> m_groups{titledGroups()};
    DataTable* m_groupTable;
    FamilyKey* m_families;
    ElidedLabel* m_instancesOf = nullptr;
    DescribedTableModel<SearchMatch, MatchesShown> m_model{titledMatches()};
    DataTable* m_table;
    DistributionPane* m_distribution;
    /// Set to give up the search that runs.
    std::shared_ptr<std::atomic<bool>> m_canceled;
    std::shared_ptr<const SpanSearch> m_search;  // of what is shown; null for none
    SearchResult m_all;                          // of that one
    std::optional<SearchName> m_group;           // the chosen name; nothing for all
    bool m_selecting = false;
    bool m_sizesChosen = false;  // someone has dragged the line between names and instances
    /// Where the instances have their names.
    enum class Naming { kFirst, kFirstOfKinds, kAfter, kNone };
    std::optional<Naming> m_naming;
    DeferredQuery m_query;
    DeferredQuery m_groupQuery;
    DeferredQuery m_tickQuery;
    FindSteps* m_steps;
};

}  // namespace warpglass::ui
