#include "ui/compare/comparison_view.h"

#include <QKeyEvent>
#include <QMenu>
#include <QVBoxLayout>
#include <utility>

#include "engine/base/parallel.h"
#include "engine/query/compare/comparison_notes.h"
#include "ui/compare/comparison_head.h"
#include "ui/compare/comparison_panes.h"
#include "ui/compare/comparison_text.h"
#include "ui/compare/landmark_chooser.h"
#include "ui/compare/memory_difference_plot.h"
#include "ui/controls/combo_box.h"
#include "ui/controls/data_table.h"
#include "ui/controls/failure_note.h"
#include "ui/theme/theme.h"
#include "ui/timeline/time_gestures.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

namespace {

const QString kDetails = QStringLiteral("details");
/// Room for both timelines, the memory and a table to read, one under the other.
constexpr int kRoomyHeight = 780;

std::uint64_t spansOf(const Snapshot& run) {
    std::uint64_t spans = 0;
    for (std::size_t i = 0; i < run.laneCount(); ++i)
        spans += run.lane(LaneId(i)).rows();
    return spans;
}

}  // namespace

ComparisonView::ComparisonView(QWidget* parent)
    : QWidget(parent),
      m_head(new ComparisonHead(this)),
      m_a(QStringLiteral("A"), false, this),
      m_b(QStringLiteral("B"), true, this),
      m_memory(new MemoryDifferencePlot(m_a.document(), m_b.document(), m_a.axis(), this)),
      m_tables(new ComparisonTables(this)),
      m_panes(new ComparisonPanes(&m_a.timeline(), &m_b.timeline(), m_memory, m_tables, this)),
      m_search(m_a, m_b, this),
      m_alignment(m_a, m_b, m_search, *m_head, *m_memory, *m_tables),
      m_arrangement(m_a, m_b),
      m_query([this] { return makeJob(); }),
      m_rangeQuery([this] { return makeRangeJob(); }) {
    setNames(this, "comparison", tr("Comparison of two runs"));
    m_memory->setLabelWidth(kTrackLabelWidth);
    auto* layout = spaced(new QVBoxLayout(this), {}, 0);
    layout->addWidget(m_head);
    layout->addWidget(m_panes, 1);
    askWhileSeen(this, m_query);
    askWhileSeen(this, m_rangeQuery);
    // These look a letter up in their rows, where a timeline leaves it to this view.
    for (DataTable* table : {&m_tables->table(), &m_tables->memoryTable()})
        table->installEventFilter(this);
    for (ComboBox* steps : m_head->findChildren<ComboBox*>())
        steps->installEventFilter(this);
    setFocusProxy(&m_a.timeline());
    connectParts();
}

ComparisonView::~ComparisonView() = default;

void ComparisonView::connectParts() {
    connect(m_head, &ComparisonHead::swapRequested, this, &ComparisonView::swap);
    connect(m_head, &ComparisonHead::closeRequested, this, &ComparisonView::closeRequested);
    connect(m_head, &ComparisonHead::stepsChosen, &m_alignment, &ComparisonAlignment::chooseSteps);
    LandmarkChooser& chooser = m_head->chooser();
    connect(&chooser, &LandmarkChooser::landmarkChosen, &m_alignment, &ComparisonAlignment::alignAt);
    connect(&chooser, &LandmarkChooser::listRequested, &m_search, &StepSearch::list);
    connect(&m_search, &StepSearch::listed, &chooser, &LandmarkChooser::setLandmarks);
    connect(m_panes, &ComparisonPanes::arranged, this, [this] { m_arrangement.fit(m_inFigure); });
    connect(&m_tables->bar(), &ComparisonBar::scopeChanged, this,
            [this] { m_query.invalidate(DeferredQuery::Cause::kPerson); });
    connect(&m_alignment, &ComparisonAlignment::stepsChanged, this, [this] {
        if (m_tables->bar().steps() == ComparisonScope::Steps::kOne)
            m_query.invalidate(DeferredQuery::Cause::kPerson);
    });
    connect(m_tables, &ComparisonTables::rowChosen, &m_alignment, &ComparisonAlignment::alignAtRow);
    connect(m_tables, &ComparisonTables::memoryChosen, &m_alignment, &ComparisonAlignment::alignAtPeaks);
    connect(m_tables, &ComparisonTables::memoryLeft, this, [this] { m_memory->setCategory(std::nullopt); });
    connect(&m_tables->bar(), &ComparisonBar::findLeft, this,
            [this] { m_a.timeline().setFocus(Qt::OtherFocusReason); });
    m_memory->installEventFilter(this);
    for (ComparedRun* run : {&m_a, &m_b}) {
        run->timeline().installEventFilter(this);
        // Also where there is none any more: an answer on its way is then of nothing.
        connect(&run->axis(), &TimeAxis::selectionChanged, this,
                [this] { m_rangeQuery.invalidate(DeferredQuery::Cause::kPerson); });
        connect(&run->timeline(), &TimelineView::spanMenuRequested, this, [this](QMenu* menu) {
            menu->addAction(tr("Align Both Runs at This\tL"), &m_alignment,
                            &ComparisonAlignment::alignAtSelection);
        });
    }
    connect(&m_query, &DeferredQuery::failureChanged, this, [this](const QString& failure) {
        if (failure.isEmpty() || m_facts)
            return;  // what was compared before stays
        m_head->setFailed();
        m_tables->setNone(tr("The runs could not be compared"));
    });
}

/// Folded together, and of one run once.
void ComparisonView::foldMemory(Side& a, Side& b) {
    std::vector<std::function<void()>> folds;
    const auto fold = [&folds](Side& side) {
        if (side.memory)
            return;
        side.memory = std::make_shared<MemoryTimeline>();
        folds.emplace_back([&side] { side.memory->update(side.snapshot); });
    };
    fold(a);
    if (a.snapshot == b.snapshot && !b.memory)
        b.memory = a.memory;
    fold(b);
    runTogether(folds);
}

void ComparisonView::setRuns(Side a, Side b) {
    m_facts.reset();
    foldMemory(a, b);
    m_a.show(std::move(a));
    m_b.show(std::move(b));
    // For a run against itself all means are alike: so two of its steps are compared.
    const bool ofItself = isSameRun(*m_a.snapshot(), *m_b.snapshot()) && m_b.steps().size() > 1;
    if (ofItself) {
        const int last = static_cast<int>(m_b.steps().size()) - 1;
        m_b.setStep(m_b.step() + (m_b.step() < last ? 1 : -1));
    }
    if (ofItself != m_ofItself)
        m_tables->bar().setSteps(ofItself ? ComparisonScope::Steps::kOne : ComparisonScope::Steps::kMean);
    m_ofItself = ofItself;
    m_head->setComputing();
    m_tables->setNone(tr("Comparing…"));
    m_memory->setCategory(std::nullopt);
    setTitles(m_a.side().title, m_b.side().title);
    m_head->setSteps(m_a.steps(), m_b.steps());
    m_tables->setMessage({});
    m_alignment.alignAtSteps(true);
    m_arrangement.fit(m_inFigure);
    m_query.invalidate(DeferredQuery::Cause::kOtherRun);
    m_rangeQuery.invalidate(DeferredQuery::Cause::kOtherRun);
    m_search.startOver();
}

Heading ComparisonView::heading() const {
    return m_head->heading();
}

void ComparisonView::setTitles(const QString& a, const QString& b) {
    m_a.setTitle(a);
    m_b.setTitle(b);
    m_head->setTitles(a, b);
    m_memory->setTitles(a, b);
}

ComparisonView::Kept ComparisonView::kept() const {
    return {m_alignment.kept(), m_memory->memory().category(), m_tables->choices(), m_tables->message()};
}

void ComparisonView::restore(const Kept& kept) {
    m_memory->setCategory(kept.category);
    m_tables->restore(kept.tables);
    m_alignment.restore(kept.alignment);
    m_tables->setMessage(kept.message);
    m_query.invalidate(DeferredQuery::Cause::kPerson);
}

void ComparisonView::swap() {
    if (!m_a.snapshot())
        return;
    Kept turned = kept();
    ComparisonAlignment::Kept& at = turned.alignment;
    std::swap(at.a, at.b);
    at.momentOfA = at.momentOfA + at.offset;
    at.offset = -at.offset;
    if (at.selectedInA)
        at.selectedInA = !*at.selectedInA;
    turned.tables.place = {};
    turned.message.clear();
    const auto quiet = m_alignment.quiet();
    setRuns(m_b.side(), m_a.side());
    restore(turned);
    m_alignment.lookForSelected();
    emit swapped();
}

ComparisonScope ComparisonView::scope() const {
    ComparisonScope scope;
    scope.steps = m_tables->bar().steps();
    scope.perToken = m_tables->bar().perToken();
    if (scope.steps == ComparisonScope::Steps::kOne) {
        scope.stepA = m_a.stepNumber();
        scope.stepB = m_b.stepNumber();
    }
    return scope;
}

DeferredQuery::Job ComparisonView::makeJob() {
    const auto a = m_a.snapshot(), b = m_b.snapshot();
    if (!a || !b)
        return {[] { return DeferredQuery::Apply(); }, false};
    m_tables->bar().setTokensKnown(tokensPerStep(*a) && tokensPerStep(*b));
    DeferredQuery::Job job;
    job.heavy = spansOf(*a) + spansOf(*b) > DeferredQuery::kHeavySpans;
    job.work = [this, a = m_a.document().sharedMemory(), b = m_b.document().sharedMemory(), facts = m_facts,
                scope = scope()] {
        const auto known = facts ? facts : comparisonFacts(a, b);
        const auto figures = scope == ComparisonScope() ? known->mean : comparisonFigures(*known, scope);
        return DeferredQuery::Apply([this, known, figures] {
            if (m_facts != known) {
                m_facts = known;
                m_head->setFacts(known);
                m_tables->bar().setKernels(known->mean->rows.gpuA, known->mean->rows.gpuB);
            }
            m_head->setHeadline(figures->headline);
            m_head->setBridges(figures->time, figures->memory);
            m_tables->setFigures(figures);
        });
    };
    return job;
}

void ComparisonView::refreshNow() {
    m_query.runNow();
    m_search.runNow();
    m_rangeQuery.runNow();
}

void ComparisonView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitRoom();
}

/// A figure cannot be looked through: all of it stands in it, however low.
void ComparisonView::fitRoom() {
    const bool roomy = m_inFigure || height() >= kRoomyHeight;
    m_head->setRoomy(roomy);
    m_panes->setRoomy(roomy);
}

QVariantMap ComparisonView::layoutState() const {
    QVariantMap state = m_panes->state();
    if (const auto details = m_head->detailsChoice())
        state[kDetails] = *details;
    return state;
}

void ComparisonView::applyLayout(const QVariantMap& state) {
    m_panes->apply(state);
    m_head->setDetailsChoice(state.contains(kDetails) ? std::optional(state.value(kDetails).toBool())
                                                      : std::nullopt);
}

DeferredQuery::Job ComparisonView::makeRangeJob() {
    const auto range = m_a.axis().selectedRange();
    const auto a = m_a.snapshot(), b = m_b.snapshot();
    if (!range || !a || !b)
        return {[] { return DeferredQuery::Apply(); }, false};
    DeferredQuery::Job job;
    job.heavy = spansOf(*a) + spansOf(*b) > DeferredQuery::kHeavySpans;
    job.work = [this, a, b, here = *range, offset = m_alignment.link().offset()] {
        const TimeRange there{here.begin + offset, here.end + offset};
        const RangeActivity inA = rangeActivity(*a, here), inB = rangeActivity(*b, there);
        return DeferredQuery::Apply([this, a, b, here, offset, there, inA, inB] {
            // Meanwhile the range may have been cleared, the runs swapped, or another moment aligned.
            if (a != m_a.snapshot() || b != m_b.snapshot() || m_a.axis().selectedRange() != here ||
                m_alignment.link().offset() != offset)
                return;
            m_tables->setMessage(tr("Range of %1: %2 · %3")
                                     .arg(durationText(here.duration()), activityText(tr("A"), here, inA),
                                          activityText(tr("B"), there, inB)));
        });
    };
    return job;
}

void ComparisonView::setShowsFrameTimes(bool shown) {
    m_a.timeline().setShowsFrameTimes(shown);
    m_b.timeline().setShowsFrameTimes(shown);
}

void ComparisonView::setInFigure(bool inFigure) {
    m_inFigure = inFigure;
    m_head->setFigure(inFigure);
    m_tables->setFigure(inFigure);
    // One ruler is enough where both count from what they are aligned at.
    m_b.setShowsRuler(!inFigure || !m_b.axis().clock().alignment());
    fitRoom();
    const auto fit = [this] { m_arrangement.fit(m_inFigure); };
    if (inFigure)
        fit();
    else  // when the panes have their sizes again
        QMetaObject::invokeMethod(this, fit, Qt::QueuedConnection);
}

/// The history of zooms is A's, wherever the keyboard is.
bool ComparisonView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress && watched == &m_b.timeline() &&
        takeZoomHistoryKey(m_a.axis(), static_cast<const QKeyEvent&>(*event)))
        return true;
    if (event->type() == QEvent::KeyPress && watched == m_memory &&
        static_cast<const QKeyEvent&>(*event).key() == Qt::Key_Escape) {
        // As in a timeline, the cursor and what is selected go first, and then the comparison.
        const bool ofA = m_a.timeline().selection().letGo(), ofB = m_b.timeline().selection().letGo();
        if (ofA || ofB)
            return true;
    }
    const bool isTimeline = watched == &m_a.timeline() || watched == &m_b.timeline();
    if (event->type() == QEvent::KeyPress && !isTimeline && takeLetter(static_cast<const QKeyEvent&>(*event)))
        return true;
    return QWidget::eventFilter(watched, event);
}

bool ComparisonView::takeLetter(const QKeyEvent& event) {
    const bool plain = !(event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (plain && event.key() == Qt::Key_L)
        m_alignment.alignAtSelection();
    else if (plain && event.key() == Qt::Key_X)
        swap();
    else
        return false;
    return true;
}

void ComparisonView::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape)
        emit closeRequested();
    else if (!takeLetter(*event))
        QWidget::keyPressEvent(event);
}

}  // namespace warpglass::ui
