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
#include <memory>

#include "ui/compare/compared_arrangement.h"
#include "ui/compare/compared_run.h"
#include "ui/compare/comparison_alignment.h"
#include "ui/compare/comparison_query.h"
#include "ui/compare/comparison_tables.h"
#include "ui/compare/step_search.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/heading.h"
#include "ui/controls/refresh.h"
#include "ui/models/deferred_query.h"

namespace warpglass::ui {

class ComparisonHead;
class ComparisonPanes;
class MemoryDifferencePlot;

class ComparisonView : public QWidget, public Refreshable, public FigurePart, public Headed {
    Q_OBJECT
public:
    using Side = ComparedRun::Side;

    explicit ComparisonView(QWidget* parent = nullptr);
    ~ComparisonView() override;

    /// Both have ended.
    void setRuns(Side a, Side b);
    /// The same runs are called otherwise now.
    void setTitles(const QString& a, const QString& b);
    /// The user's state of the comparison of one pair of runs, to be restored when it is shown again.
    struct Kept {
        ComparisonAlignment::Kept alignment;
        std::optional<Category> category;
        ComparisonTables::Choices tables;
        QString message;
    };
    Kept kept() const;
    /// Precondition: the same runs are compared, on the same sides.
    void restore(const Kept& kept);
    /// A becomes B; what is chosen and what is visible stay.
    void swap();
    const Side& sideA() const { return m_a.side(); }
    const Side& sideB() const { return m_b.side(); }

    /// At these steps, by their places in comparedSteps(); at what they were aligned at, if both have it.
    void chooseSteps(int a, int b) { m_alignment.chooseSteps(a, b); }
    /// When a step has no such thing a sentence says so, and the alignment stays. In a long step it is looked
    /// for on a worker: refreshNow() waits for it.
    void alignAt(const warpglass::Landmark& landmark) { m_alignment.alignAt(landmark); }
    void alignAtSelection() { m_alignment.alignAtSelection(); }

    TimeAxis& axisOfA() { return m_a.axis(); }
    TimeAxis& axisOfB() { return m_b.axis(); }
    const LinkedAxes& link() const { return m_alignment.link(); }
    const ComparisonModel& model() const { return m_tables->model(); }
    TimelineView* timelineOfA() const { return &m_a.timeline(); }
    TimelineView* timelineOfB() const { return &m_b.timeline(); }
    void setShowsFrameTimes(bool shown);

    /// A name of either run is looked for in the table; Esc gives the keyboard back to the timeline.
    void openFind() { m_tables->bar().openFind(); }
    void findNext() { m_tables->findNext(); }
    void findPrevious() { m_tables->findPrevious(); }

    /// The panes' sizes and what is folded out, as the user has chosen them.
    QVariantMap layoutState() const;
    /// Parts that are missing in it follow the room again.
    void applyLayout(const QVariantMap& state);
    void setInFigure(bool inFigure) override;
    /// The runs, and what became of their time and memory.
    Heading heading() const override;
    /// Waits for the tables and for what is looked for.
    void refreshNow() override;

signals:
    void closeRequested();
    void swapped();

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    static void foldMemory(Side& a, Side& b);
    void connectParts();
    DeferredQuery::Job makeJob();
    DeferredQuery::Job makeRangeJob();
    ComparisonScope scope() const;
    void fitRoom();
    /// L and X; false: it is another key.
    bool takeLetter(const QKeyEvent& event);

    ComparisonHead* m_head;
    ComparedRun m_a, m_b;
    MemoryDifferencePlot* m_memory;
    ComparisonTables* m_tables;
    ComparisonPanes* m_panes;
    StepSearch m_search;
    ComparisonAlignment m_alignment;
    ComparedArrangement m_arrangement;
    std::shared_ptr<const ComparisonFacts> m_facts;
    DeferredQuery m_query;
    DeferredQuery m_rangeQuery;
    bool m_ofItself = false;  // two steps of one run
    bool m_inFigure = false;
};

}  // namespace warpglass::ui
