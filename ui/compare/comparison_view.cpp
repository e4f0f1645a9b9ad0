#include "ui/compare/comparison_view.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QScopedValueRollback>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

#include "engine/query/activity/gpu_idle.h"
#include "engine/query/compare/comparison_notes.h"
#include "engine/query/spans/work_times.h"
#include "ui/compare/comparison_head.h"
#include "ui/compare/comparison_panes.h"
#include "ui/compare/comparison_text.h"
#include "ui/compare/landmark_chooser.h"
#include "ui/compare/memory_difference_plot.h"
#include "ui/compare/range_outline.h"
#include "ui/theme/combo_box.h"
#include "ui/theme/data_table.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/theme.h"
#include "ui/timeline/busy_key.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

namespace {

/// Lower than this, the rows of a GPU would be out of sight under the modules' lanes, and lower than that
/// under the host's phases too.
constexpr int kHeightForModules = 206, kHeightForHost = 160;
const QString kDetails = QStringLiteral("details");
/// Room for both timelines, the memory and a table to read, one under the other.
constexpr int kRoomyHeight = 780;

/// Which run a timeline is, in the corner of its ruler that is empty.
QLabel* addLetter(TimelineView* timeline, const QString& letter, bool accent) {
    auto* label = new QLabel(letter, timeline);
    label->setFont(Theme::strongFont());
    label->setProperty(accent ? "accentText" : "secondary", true);
    label->setAttribute(Qt::WA_TransparentForMouseEvents);
    label->move(Metrics::kSpace3, Metrics::kSpace1);
    label->adjustSize();
    return label;
}

std::uint64_t spansOf(const Snapshot& run) {
    std::uint64_t spans = 0;
    for (std::size_t i = 0; i < run.laneCount(); ++i)
        spans += run.lane(LaneId(i)).rows();
    return spans;
}

}  // namespace

ComparisonView::ComparisonView(QWidget* parent)
    : QWidget(parent),
      m_link(m_a.axis, m_b.axis),
      m_query([this] { return makeJob(); }),
      m_rangeQuery([this] { return makeRangeJob(); }),
      m_listQuery([this] { return makeListJob(); }),
      m_search([this] { return makeSearchJob(); }) {
    setObjectName(QStringLiteral("comparison"));
    setAccessibleName(tr("Comparison of two runs"));
    m_head = new ComparisonHead(this);
    buildTimelines();
    m_memory = new MemoryDifferencePlot(m_a.document, m_b.document, m_a.axis, this);
    m_memory->setLabelWidth(kTrackLabelWidth);
    m_tables = new ComparisonTables(this);
    m_panes = new ComparisonPanes(m_a.timeline, m_b.timeline, m_memory, m_tables, this);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addWidget(m_panes, 1);
    for (const DeferredQuery* query : {&m_query, &m_rangeQuery, &m_listQuery, &m_search})
        showFailures(this, *query);
    // These look a letter up in their rows, where a timeline leaves it to this view.
    for (DataTable* table : {&m_tables->table(), &m_tables->memoryTable()})
        table->installEventFilter(this);
    for (ComboBox* steps : m_head->findChildren<ComboBox*>())
        steps->installEventFilter(this);
    setFocusProxy(m_a.timeline);
    connectParts();
}

ComparisonView::~ComparisonView() = default;

void ComparisonView::connectParts() {
    connect(m_head, &ComparisonHead::swapRequested, this, &ComparisonView::swap);
    connect(m_head, &ComparisonHead::closeRequested, this, &ComparisonView::closeRequested);
    connect(m_head, &ComparisonHead::stepsChosen, this, &ComparisonView::chooseSteps);
    connect(&m_head->chooser(), &LandmarkChooser::landmarkChosen, this, &ComparisonView::alignAt);
    connect(&m_head->chooser(), &LandmarkChooser::listRequested, this,
            [this] { invalidate(m_listQuery, searched(m_a), searched(m_b)); });
    connect(m_panes, &ComparisonPanes::arranged, this, &ComparisonView::foldForHeight);
    connect(m_tables, &ComparisonTables::scopeChanged, this,
            [this] { m_query.invalidate(DeferredQuery::Cause::kPerson); });
    connect(m_tables, &ComparisonTables::rowChosen, this,
            [this](const auto& a, const auto& b, const QString& name) { askAlignment(a, b, name); });
    connect(m_tables, &ComparisonTables::memoryChosen, this, &ComparisonView::alignAtPeaks);
    connect(m_tables, &ComparisonTables::memoryLeft, this, [this] { m_memory->setCategory(std::nullopt); });
    connect(m_tables, &ComparisonTables::findLeft, this,
            [this] { m_a.timeline->setFocus(Qt::OtherFocusReason); });
    connect(&m_query, &DeferredQuery::failureChanged, this, [this](const QString& failure) {
        if (failure.isEmpty() || m_facts)
            return;  // what was compared before stays
        m_head->setFailed();
        m_tables->setNone(tr("The runs could not be compared"));
    });
}

void ComparisonView::buildTimelines() {
    for (Run* run : {&m_a, &m_b}) {
        const bool isA = run == &m_a;
        const QString letter = isA ? QStringLiteral("A") : QStringLiteral("B");
        Run* other = isA ? &m_b : &m_a;
        run->timeline = new TimelineView(&run->document, &run->axis, this);
        run->timeline->setObjectName(QStringLiteral("timeline") + letter);
        run->timeline->setAccessibleName(tr("Timeline of run %1").arg(letter));
        run->timeline->installEventFilter(this);
        run->letter = addLetter(run->timeline, letter, !isA);
        run->outline = new RangeOutline(*run->timeline, run->axis);
        connect(&run->axis, &TimeAxis::selectionChanged, this,
                [this, run, other] { onSelection(*run, *other); });
        connect(run->timeline, &TimelineView::spanMenuRequested, this, [this](QMenu* menu) {
            menu->addAction(tr("Align Both Runs at This\tL"), this, &ComparisonView::alignAtSelection);
        });
        // One arrangement for both: what is folded or moved in the one is in the other.
        connect(run->timeline, &TimelineView::arrangementChanged, this, [this, run, other] {
            if (m_arranging)
                return;
            m_arranged = true;
            const QScopedValueRollback quiet(m_arranging, true);
            other->timeline->setArrangement(run->timeline->arrangement());
        });
    }
}

void ComparisonView::showRun(Run& run, Side side) {
    run.side = std::move(side);
    run.document.setSnapshot(run.side.snapshot, run.side.memory);
    run.side.memory = run.document.sharedMemory();
    run.axis.setFollowing(false);
    run.steps = comparedSteps(*run.side.snapshot);
}

void ComparisonView::setRuns(Side a, Side b) {
    m_facts.reset();
    for (auto& [run, side] : {std::pair<Run*, Side*>{&m_a, &a}, {&m_b, &b}}) {
        showRun(*run, std::move(*side));
        run->step = typicalStep(*run->side.snapshot, run->steps);
        run->landmark = Landmark();
    }
    // For a run against itself all means are alike: so two of its steps are compared.
    const bool ofItself = isSameRun(*m_a.side.snapshot, *m_b.side.snapshot) && m_b.steps.size() > 1;
    if (ofItself) {
        const int last = static_cast<int>(m_b.steps.size()) - 1;
        m_b.step += m_b.step < last ? 1 : -1;
    }
    if (ofItself != m_ofItself)
        m_tables->setSteps(ofItself ? ComparisonScope::Steps::kOne : ComparisonScope::Steps::kMean);
    m_ofItself = ofItself;
    ++m_question;
    m_head->setComputing();
    m_tables->setNone(tr("Comparing…"));
    m_memory->setCategory(std::nullopt);
    setTitles(m_a.side.title, m_b.side.title);
    m_head->setSteps(m_a.steps, m_b.steps);
    setMessage({});
    alignAtSteps(true);
    foldForHeight();
    m_query.invalidate(DeferredQuery::Cause::kOtherRun);
    m_rangeQuery.invalidate(DeferredQuery::Cause::kOtherRun);
    // What was looked for in the former runs is no longer wanted.
    m_asked = nullptr;
    for (DeferredQuery* query : {&m_search, &m_listQuery}) {
        if (!query->isIdle() || !query->failure().isEmpty())
            query->invalidate(DeferredQuery::Cause::kOtherRun);
    }
}

void ComparisonView::setTitles(const QString& a, const QString& b) {
    m_a.side.title = a;
    m_b.side.title = b;
    m_head->setTitles(a, b);
    m_memory->setTitles(a, b);
}

ComparisonView::Kept ComparisonView::kept() const {
    const auto of = [](const Run& run) {
        return Kept::OfRun{run.step, run.landmark, run.axis.state(), run.outline->range()};
    };
    return {of(m_a),
            of(m_b),
            m_link.momentOfA(),
            m_link.offset(),
            m_atPeaks,
            m_memory->category(),
            m_tables->choices(),
            m_selectedIn ? std::optional(m_selectedIn == &m_a) : std::nullopt,
            m_tables->message()};
}

void ComparisonView::restore(const Kept& kept) {
    const QScopedValueRollback quiet(m_selecting, true);
    for (const auto& [run, of] : {std::pair<Run*, const Kept::OfRun*>{&m_a, &kept.a}, {&m_b, &kept.b}}) {
        run->step = of->step;
        run->landmark = of->landmark;
        run->outline->setRange(of->outline);
    }
    m_atPeaks = kept.atPeaks;
    m_memory->setCategory(kept.category);
    m_head->setChosenSteps(m_a.step, m_b.step);
    m_tables->restore(kept.tables);
    showAlignment();
    const Nanoseconds at = kept.momentOfA;
    align({at, at}, {at + kept.offset, at + kept.offset}, false);
    // What is visible, pinned and selected as a range is the other's too.
    m_b.axis.setSelectedSpan(kept.b.axis.selectedSpan);
    m_a.axis.restore(kept.a.axis);
    m_selectedIn = !kept.selectedInA ? nullptr : *kept.selectedInA ? &m_a : &m_b;
    setMessage(kept.message);
    m_query.invalidate(DeferredQuery::Cause::kPerson);
}

void ComparisonView::swap() {
    if (!m_a.side.snapshot)
        return;
    Kept turned = kept();
    std::swap(turned.a, turned.b);
    turned.momentOfA = turned.momentOfA + turned.offset;
    turned.offset = -turned.offset;
    if (turned.selectedInA)
        turned.selectedInA = !*turned.selectedInA;
    turned.tables.place = {};
    turned.message.clear();
    const QScopedValueRollback quiet(m_selecting, true);
    setRuns(m_b.side, m_a.side);
    restore(turned);
    if (m_selectedIn && m_selectedIn->axis.selectedSpan())
        lookFor(*m_selectedIn, m_selectedIn == &m_a ? m_b : m_a);
    emit swapped();
}

ComparisonScope ComparisonView::scope() const {
    ComparisonScope scope;
    scope.steps = m_tables->steps();
    scope.perToken = m_tables->perToken();
    const auto number = [](const Run& run) {
        return run.step < 0 ? kNoStep : run.steps[static_cast<std::size_t>(run.step)].span.step;
    };
    if (scope.steps == ComparisonScope::Steps::kOne) {
        scope.stepA = number(m_a);
        scope.stepB = number(m_b);
    }
    return scope;
}

DeferredQuery::Job ComparisonView::makeJob() {
    const auto a = m_a.side.snapshot, b = m_b.side.snapshot;
    if (!a || !b)
        return {[] { return DeferredQuery::Apply(); }, false};
    m_tables->setTokensKnown(tokensPerStep(*a) && tokensPerStep(*b));
    DeferredQuery::Job job;
    job.heavy = spansOf(*a) + spansOf(*b) > DeferredQuery::kHeavySpans;
    job.work = [this, a, b, facts = m_facts, scope = scope()] {
        const auto known = facts ? facts : comparisonFacts(a, b);
        const auto figures = scope == ComparisonScope() ? known->mean : comparisonFigures(*known, scope);
        return DeferredQuery::Apply([this, known, figures] {
            if (m_facts != known) {
                m_facts = known;
                m_head->setFacts(known);
                m_tables->setKernels(known->mean->rows.gpuA, known->mean->rows.gpuB);
            }
            m_head->setHeadline(figures->headline);
            m_tables->setFigures(figures);
        });
    };
    return job;
}

void ComparisonView::refreshNow() {
    for (DeferredQuery* query : {&m_query, &m_search, &m_listQuery, &m_rangeQuery})
        query->runNow();
}

void ComparisonView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    for (DeferredQuery* query : {&m_query, &m_search, &m_listQuery, &m_rangeQuery})
        query->setActive(true);
}

void ComparisonView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    for (DeferredQuery* query : {&m_query, &m_search, &m_listQuery, &m_rangeQuery})
        query->setActive(false);
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

/// Until a person arranges the rows, modules are one row where several would push the GPU's out of sight, and
/// in very little room what the GPU did stands first, or without one the CPU, under the step, which stays
/// wherever the rows scroll.
void ComparisonView::foldForHeight() {
    if (m_arranged || !m_a.side.snapshot)
        return;
    // In a figure what the GPU did stands first, and leaves the rest to the differences.
    const int height =
        m_inFigure ? kHeightForHost - 1 : std::min(m_a.timeline->height(), m_b.timeline->height());
    const QScopedValueRollback quiet(m_arranging, true);
    for (Run* run : {&m_a, &m_b}) {
        const Snapshot& snapshot = *run->side.snapshot;
        RowArrangement::Lists rows = run->timeline->arrangement().lists();
        rows.order.clear();
        rows.pinned.clear();
        const auto keysOf = [&snapshot](TrackKind kind) {
            RowArrangement::Keys keys;
            for (const TrackId track : snapshot.tracksOfKind(kind))
                keys.push_back(RowArrangement::keyOf(kind, snapshot.name(snapshot.track(track).name)));
            return keys;
        };
        if (height < kHeightForHost)
            rows.pinned = keysOf(TrackKind::kStep);
        using Kind = TrackKind;
        const std::vector<Kind> order =
            height >= kHeightForHost
                ? std::vector{Kind::kStep, Kind::kPhase, Kind::kModule, Kind::kGpuPhase, Kind::kGpuStream}
            : hasKernels(snapshot)
                ? std::vector{Kind::kStep, Kind::kGpuPhase, Kind::kGpuStream, Kind::kPhase, Kind::kModule}
                : std::vector{Kind::kStep, Kind::kPhase, Kind::kCpuThread, Kind::kModule};
        for (const Kind kind : order) {
            for (std::string& key : keysOf(kind))
                rows.order.push_back(std::move(key));
            // Where not all has room, what the GPU did before when it did nothing.
            if (kind == Kind::kGpuStream) {
                for (const std::string& gpu : gpusOf(snapshot))
                    rows.order.push_back(busyKeyOf(gpu));
            }
        }
        RowArrangement arrangement(std::move(rows));
        for (const std::string& key : keysOf(TrackKind::kModule))
            arrangement.setFolded(key, height < kHeightForModules);
        // The head says which steps, and the way from A to B how long: that height is rows of the table.
        for (const std::string& key : keysOf(TrackKind::kStep))
            arrangement.setHidden(key, m_inFigure && hasKernels(snapshot));
        run->timeline->setArrangement(arrangement);
    }
}

DeferredQuery::Job ComparisonView::makeRangeJob() {
    const auto range = m_a.axis.selectedRange();
    const auto a = m_a.side.snapshot, b = m_b.side.snapshot;
    if (!range || !a || !b)
        return {[] { return DeferredQuery::Apply(); }, false};
    DeferredQuery::Job job;
    job.heavy = spansOf(*a) + spansOf(*b) > DeferredQuery::kHeavySpans;
    job.work = [this, a, b, here = *range, offset = m_link.offset()] {
        const TimeRange there{here.begin + offset, here.end + offset};
        const RangeActivity inA = rangeActivity(*a, here), inB = rangeActivity(*b, there);
        return DeferredQuery::Apply([this, a, b, here, offset, there, inA, inB] {
            // Meanwhile the range may have been cleared, the runs swapped, or another moment aligned.
            if (a != m_a.side.snapshot || b != m_b.side.snapshot || m_a.axis.selectedRange() != here ||
                m_link.offset() != offset)
                return;
            setMessage(tr("Range of %1: %2 · %3")
                           .arg(durationText(here.duration()), activityText(tr("A"), here, inA),
                                activityText(tr("B"), there, inB)));
        });
    };
    return job;
}

void ComparisonView::setShowsFrameTimes(bool shown) {
    m_a.timeline->setShowsFrameTimes(shown);
    m_b.timeline->setShowsFrameTimes(shown);
}

void ComparisonView::setInFigure(bool inFigure) {
    m_inFigure = inFigure;
    m_head->setFigure(inFigure);
    m_tables->setFigure(inFigure);
    // One ruler is enough where both count from what they are aligned at; the letter then stands beside a
    // row.
    const bool ruler = !inFigure || !m_b.axis.clock().alignment();
    m_b.timeline->setShowsRuler(ruler);
    m_b.letter->move(ruler ? Metrics::kSpace3 : kTrackLabelWidth - m_b.letter->width() - Metrics::kSpace3,
                     Metrics::kSpace1);
    fitRoom();
    if (inFigure)
        foldForHeight();
    else  // when the panes have their sizes again
        QMetaObject::invokeMethod(this, &ComparisonView::foldForHeight, Qt::QueuedConnection);
}

/// The history of zooms is A's, wherever the keyboard is.
bool ComparisonView::eventFilter(QObject* watched, QEvent* event) {
    if (event->type() == QEvent::KeyPress && watched == m_b.timeline) {
        const auto& key = static_cast<const QKeyEvent&>(*event);
        const bool forward = key.matches(QKeySequence::Redo) ||
                             (key.modifiers() & Qt::ControlModifier && key.key() == Qt::Key_Y);
        if (key.matches(QKeySequence::Undo) || forward) {
            if (forward)
                m_a.axis.zoomForward();
            else
                m_a.axis.zoomBack();
            return true;
        }
    }
    const bool isTimeline = watched == m_a.timeline || watched == m_b.timeline;
    if (event->type() == QEvent::KeyPress && !isTimeline && takeLetter(static_cast<const QKeyEvent&>(*event)))
        return true;
    return QWidget::eventFilter(watched, event);
}

bool ComparisonView::takeLetter(const QKeyEvent& event) {
    const bool plain = !(event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier));
    if (plain && event.key() == Qt::Key_L)
        alignAtSelection();
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
