// Two runs compared: what differs in their configuration, in words; a headline; both timelines on one zoom,
// aligned at the start of a step of each or at a phase or module in it; both memory curves on one axis;
// tables of what took longer and what took more.
//
// What is selected in one timeline is searched for in the other's step and selected there too, and in the
// table; a line says how long both took. Keys, beside those of a timeline: L aligns both at the selected
// span, X swaps the runs, Esc leaves.
//
// GUI thread only; the tables are computed on a worker where the runs are long, and so is looked for a
// landmark where a step is.
#pragma once

#include <QVariantMap>
#include <QWidget>
#include <functional>
#include <memory>

#include "engine/query/compare/landmark.h"
#include "ui/compare/comparison_query.h"
#include "ui/compare/comparison_tables.h"
#include "ui/compare/landmark_search.h"
#include "ui/compare/linked_axes.h"
#include "ui/models/deferred_query.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"
#include "ui/theme/figure_mode.h"
#include "ui/theme/refresh.h"

class QLabel;

namespace warpglass::ui {

class ComparisonHead;
class ComparisonPanes;
class MemoryDifferencePlot;
class RangeOutline;
class TimelineView;

class ComparisonView : public QWidget, public Refreshable, public FigurePart {
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
    /// The same runs are called otherwise now.
    void setTitles(const QString& a, const QString& b);
    /// The user's state of the comparison of one pair of runs, to be restored when it is shown again.
    struct Kept {
        struct OfRun {
            int step = -1;
            Landmark landmark;
            TimeAxis::State axis;
            std::optional<TimeRange> outline;
        };
        OfRun a, b;
        Nanoseconds momentOfA;  // at which they are aligned
        Nanoseconds offset;     // B's moments less A's
        bool atPeaks = false;
        std::optional<Category> category;
        ComparisonTables::Choices tables;
        std::optional<bool> selectedInA;
        QString message;
    };
    Kept kept() const;
    /// Precondition: the same runs are compared, on the same sides.
    void restore(const Kept& kept);
    /// A becomes B; what is chosen and what is visible stay.
    void swap();
    const Side& sideA() const { return m_a.side; }
    const Side& sideB() const { return m_b.side; }

    /// At these steps, by their places in comparedSteps(); at what they were aligned at, if both have it.
    void chooseSteps(int a, int b);
    /// When a step has no such thing a sentence says so, and the alignment stays. In a long step it is looked
    /// for on a worker: refreshNow() waits for it.
    void alignAt(const warpglass::Landmark& landmark);
    /// At the span that is selected in either timeline.
    void alignAtSelection();

    TimeAxis& axisOfA() { return m_a.axis; }
    TimeAxis& axisOfB() { return m_b.axis; }
    const LinkedAxes& link() const { return m_link; }
    const ComparisonModel& model() const { return m_tables->model(); }
    TimelineView* timelineOfA() const { return m_a.timeline; }
    TimelineView* timelineOfB() const { return m_b.timeline; }
    void setShowsFrameTimes(bool shown);

    /// A name of either run is looked for in the table; Esc gives the keyboard back to the timeline.
    void openFind() { m_tables->openFind(); }
    void findNext() { m_tables->findNext(); }
    void findPrevious() { m_tables->findPrevious(); }

    /// The panes' sizes and what is folded out, as the user has chosen them.
    QVariantMap layoutState() const;
    /// Parts that are missing in it follow the room again.
    void applyLayout(const QVariantMap& state);
    /// The choices are text then.
    void setInFigure(bool inFigure) override;
    /// Waits for the tables and for what is looked for.
    void refreshNow() override;

signals:
    void closeRequested();
    void swapped();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    struct Run {
        Side side;
        RunDocument document;
        TimeAxis axis;
        TimelineView* timeline = nullptr;
        QLabel* letter = nullptr;
        /// Around what is spoken of, where that is no span.
        RangeOutline* outline = nullptr;
        std::vector<ComparedStep> steps;
        int step = -1;
        /// What it is aligned at: of kernels the two runs' names differ.
        Landmark landmark;
    };

    void buildTimelines();
    void connectParts();
    void showRun(Run& run, Side side);
    DeferredQuery::Job makeJob();
    DeferredQuery::Job makeRangeJob();
    DeferredQuery::Job makeListJob();
    DeferredQuery::Job makeSearchJob();
    ComparisonScope scope() const;
    static SearchedStep searched(const Run& run, int step);
    static SearchedStep searched(const Run& run) { return searched(run, run.step); }
    static int stepAround(const Run& run, SpanRef span);
    static int stepAt(const Run& run, Nanoseconds time);
    /// `a` and `b`: what the query looks through.
    static void invalidate(DeferredQuery& query, const SearchedStep& a, const SearchedStep& b);
    /// Looks for something in these two steps: at once, or in long ones on a worker. A later question,
    /// another run or another step takes its place.
    void ask(const SearchedStep& a, const SearchedStep& b, std::function<DeferredQuery::Apply()> work);
    /// Lays the moments over each other; `fit`: shows them.
    void align(TimeRange a, TimeRange b, bool fit);
    /// The memory chart has what lies in the steps that are compared, where the alignment is in them.
    void showMemoryOfSteps();
    void askAlignment(const std::optional<Landmark>& a, const std::optional<Landmark>& b,
                      const QString& name);
    struct Answer {
        std::optional<Landmark> a, b;
        std::optional<FoundPlace> inA, inB;
    };
    void alignRunsAt(const Answer& found, const QString& name);
    /// Where what was found is more than its first span.
    static void outline(const Run& run, const std::optional<FoundPlace>& found);
    void outlineNothing();
    /// What the figures of a row's place are of: "blocks.0, forward of step 1 on the GPU".
    QString foundText(const Answer& found, const QString& name) const;
    /// At the chosen steps, or where a run has none at its beginning.
    void alignAtSteps(bool fit);
    /// At the peaks of both, of whose memory the chart shows that category.
    void alignAtPeaks(const ComparisonRow& row, std::optional<Category> category);
    void showAlignment();
    void onSelection(Run& from, Run& to);
    void lookFor(Run& from, Run& to);
    void selectInChosenSteps();
    void showSteps(bool fromA, std::int32_t step, Nanoseconds duration, const Run& to);
    void showSelection(Run& from, Run& to, SpanRef span, const std::optional<Landmark>& landmark,
                       const std::optional<FoundPlace>& there);
    void fitRoom();
    void foldForHeight();
    void setMessage(const QString& text) { m_tables->setMessage(text); }
    /// L and X; false: it is another key.
    bool takeLetter(const QKeyEvent& event);

    Run m_a, m_b;
    LinkedAxes m_link;
    std::shared_ptr<const ComparisonFacts> m_facts;
    DeferredQuery m_query;
    DeferredQuery m_rangeQuery;
    DeferredQuery m_listQuery;  // what the chooser of landmarks lists
    DeferredQuery m_search;
    std::function<DeferredQuery::Apply()> m_asked;
    std::uint64_t m_question = 0;  // of which the answer is wanted
    Run* m_selectedIn = nullptr;   // where the user selected last

    ComparisonHead* m_head = nullptr;
    MemoryDifferencePlot* m_memory = nullptr;
    ComparisonTables* m_tables = nullptr;
    ComparisonPanes* m_panes = nullptr;
    bool m_atPeaks = false;   // is what they are aligned at
    bool m_ofItself = false;  // two steps of one run
    bool m_inFigure = false;
    bool m_selecting = false;
    bool m_arranging = false;
    bool m_arranged = false;  // by the user
};

}  // namespace warpglass::ui
