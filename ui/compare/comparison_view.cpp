#include "ui/compare/comparison_view.h"

#include <QKeyEvent>
#include <QLabel>
#include <QMenu>
#include <QScopedValueRollback>
#include <QSplitter>
#include <QVBoxLayout>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/query/range_activity.h"
#include "ui/compare/comparison_head.h"
#include "ui/compare/landmark_chooser.h"
#include "ui/compare/memory_difference_plot.h"
#include "ui/models/table_model.h"
#include "ui/theme/combo_box.h"
#include "ui/theme/data_table.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

namespace {

/// Lower than this, the rows of a GPU would be out of sight under the modules' lanes.
constexpr int kHeightForModules = 190;

/// Which run a timeline is, in the corner of its ruler that is empty.
void addLetter(TimelineView* timeline, const QString& letter, bool accent) {
    auto* label = new QLabel(letter, timeline);
    label->setFont(Theme::strongFont());
    label->setProperty(accent ? "accentText" : "secondary", true);
    label->setAttribute(Qt::WA_TransparentForMouseEvents);
    label->move(Metrics::kSpace3, Metrics::kSpace1);
    label->adjustSize();
}

QString durationText(Nanoseconds duration) {
    return toQString(formatDuration(duration));
}

/// "A 312 µs, B 28.1 µs, −284 µs (0.09 ×)".
QString durationsText(Nanoseconds a, Nanoseconds b) {
    QString text = ComparisonView::tr("A %1, B %2, %3%4")
                       .arg(durationText(a), durationText(b),
                            b < a   ? QStringLiteral("−")
                            : a < b ? QStringLiteral("+")
                                    : QString(),
                            durationText(Nanoseconds(std::abs((b - a).value))));
    if (a.value > 0)
        text += QStringLiteral(" (%1 ×)").arg(static_cast<double>(b.value) / static_cast<double>(a.value), 0,
                                              'f', 2);
    return text;
}

QString activityText(const QString& run, TimeRange range, const RangeActivity& activity) {
    const auto share = [&range](Nanoseconds busy) {
        return toQString(
            formatPercent(static_cast<double>(busy.value) /
                          static_cast<double>(std::max<std::int64_t>(1, range.duration().value))));
    };
    const auto count = [](std::uint64_t number) {
        return toQString(formatGrouped(static_cast<std::int64_t>(number)));
    };
    return activity.hasGpu ? ComparisonView::tr("%1 %2 kernels, GPU busy %3")
                                 .arg(run, count(activity.kernels), share(activity.gpuBusy))
                           : ComparisonView::tr("%1 %2 ops, CPU busy %3")
                                 .arg(run, count(activity.ops), share(activity.hostBusy));
}

/// Where of something on the GPU only the host's part was found.
QString hostNote(bool ofA, bool ofB) {
    return ofA && ofB ? ComparisonView::tr(" (both: on the host)")
           : ofA      ? ComparisonView::tr(" (A: on the host)")
           : ofB      ? ComparisonView::tr(" (B: on the host)")
                      : QString();
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
      m_rangeQuery([this] { return makeRangeJob(); }) {
    setObjectName(QStringLiteral("comparison"));
    setAccessibleName(tr("Comparison of two runs"));
    m_head = new ComparisonHead(this);
    buildTimelines();
    m_memory = new MemoryDifferencePlot(m_a.document, m_b.document, m_a.axis, this);
    m_memory->setLabelWidth(kTrackLabelWidth);
    m_tables = new ComparisonTables(this);
    auto* splitter = new QSplitter(Qt::Vertical, this);
    splitter->setHandleWidth(1);
    splitter->setChildrenCollapsible(false);
    for (QWidget* part : std::initializer_list<QWidget*>{m_a.timeline, m_b.timeline, m_memory, m_tables})
        splitter->addWidget(part);
    // Most of the height is the timelines': a table scrolls.
    splitter->setSizes({250, 250, 100, 140});
    for (int i = 0; i < splitter->count(); ++i)
        splitter->setStretchFactor(i, i < 2 ? 5 : i == 2 ? 2 : 3);
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(0, 0, 0, 0);
    layout->setSpacing(0);
    layout->addWidget(m_head);
    layout->addWidget(splitter, 1);
    showFailures(this, m_query);
    showFailures(this, m_rangeQuery);
    // These look a letter up in their rows, where a timeline leaves it to this view.
    m_tables->table().installEventFilter(this);
    for (ComboBox* steps : m_head->findChildren<ComboBox*>())
        steps->installEventFilter(this);
    setFocusProxy(m_a.timeline);

    connect(m_head, &ComparisonHead::swapRequested, this, &ComparisonView::swap);
    connect(m_head, &ComparisonHead::closeRequested, this, &ComparisonView::closeRequested);
    connect(m_head, &ComparisonHead::stepsChosen, this, &ComparisonView::chooseSteps);
    connect(&m_head->chooser(), &LandmarkChooser::landmarkChosen, this, &ComparisonView::alignAt);
    m_head->chooser().setSource([this] { return commonLandmarks(); });
    connect(m_tables, &ComparisonTables::scopeChanged, this,
            [this] { m_query.invalidate(DeferredQuery::Cause::kPerson); });
    connect(m_tables, &ComparisonTables::rowChosen, this, &ComparisonView::alignRunsAt);
    connect(&m_query, &DeferredQuery::failureChanged, this, [this](const QString& failure) {
        if (failure.isEmpty() || m_facts)
            return;  // what was compared before stays
        m_head->setFailed();
        m_tables->setNone(tr("The runs could not be compared"));
    });
}

ComparisonView::~ComparisonView() = default;

void ComparisonView::buildTimelines() {
    for (Run* run : {&m_a, &m_b}) {
        const bool isA = run == &m_a;
        const QString letter = isA ? QStringLiteral("A") : QStringLiteral("B");
        Run* other = isA ? &m_b : &m_a;
        run->timeline = new TimelineView(&run->document, &run->axis, this);
        run->timeline->setObjectName(QStringLiteral("timeline") + letter);
        run->timeline->setAccessibleName(tr("Timeline of run %1").arg(letter));
        run->timeline->installEventFilter(this);
        addLetter(run->timeline, letter, !isA);
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
        run->step = firstCompared(*run->side.snapshot, run->steps);
        run->landmark = Landmark();
    }
    m_head->setComputing();
    m_tables->setNone(tr("Comparing…"));
    m_head->setTitles(m_a.side.title, m_b.side.title);
    m_memory->setTitles(m_a.side.title, m_b.side.title);
    m_head->setSteps(m_a.steps, m_b.steps);
    m_head->setLandmark({});
    setMessage({});
    alignAtSteps(true);
    foldForHeight();
    m_query.invalidate(DeferredQuery::Cause::kOtherRun);
    m_rangeQuery.invalidate(DeferredQuery::Cause::kOtherRun);
}

void ComparisonView::swap() {
    if (!m_a.side.snapshot)
        return;
    const TimeRange visible = m_b.axis.visibleRange();
    const int stepA = m_a.step, stepB = m_b.step;
    const Landmark landmarkA = m_a.landmark, landmarkB = m_b.landmark;
    const Nanoseconds offset = -m_link.offset();
    // Another run's axis is as newly made: what is selected and pinned is put back on the other side.
    const auto spanA = m_a.axis.selectedSpan(), spanB = m_b.axis.selectedSpan();
    const auto range = m_b.axis.selectedRange();
    const auto pinned = m_b.axis.pinnedCursor();
    const QScopedValueRollback quiet(m_selecting, true);
    setRuns(m_b.side, m_a.side);
    m_a.step = stepB;
    m_b.step = stepA;
    m_a.landmark = landmarkB;
    m_b.landmark = landmarkA;
    m_head->setChosenSteps(m_a.step, m_b.step);
    m_head->setLandmark(m_a.landmark);
    // The same moments over each other as before, the other way round.
    align({visible.begin, visible.end}, {visible.begin + offset, visible.end + offset}, false);
    m_a.axis.setSelectedSpan(spanB);
    m_b.axis.setSelectedSpan(spanA);
    m_a.axis.setSelectedRange(range);
    m_a.axis.setPinnedCursor(pinned);
    m_a.axis.setVisibleRange(visible, false);
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
        const auto figures = scope == ComparisonScope() ? known->mean : comparisonFigures(a, b, scope);
        return DeferredQuery::Apply([this, known, figures] {
            if (m_facts != known) {
                m_facts = known;
                m_head->setFacts(*known);
                m_tables->setHasKernels(known->mean->rows.gpuA || known->mean->rows.gpuB);
            }
            m_tables->setFigures(figures);
        });
    };
    return job;
}

void ComparisonView::refreshNow() {
    m_query.runNow();
    m_rangeQuery.runNow();
}

void ComparisonView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_query.setActive(true);
    m_rangeQuery.setActive(true);
}

void ComparisonView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_query.setActive(false);
    m_rangeQuery.setActive(false);
}

void ComparisonView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    foldForHeight();
}

/// Until a person arranges the rows, modules are one row where several would push the GPU's out of sight.
void ComparisonView::foldForHeight() {
    if (m_arranged || !m_a.side.snapshot)
        return;
    const int height = std::min(m_a.timeline->height(), m_b.timeline->height());
    const QScopedValueRollback quiet(m_arranging, true);
    for (Run* run : {&m_a, &m_b}) {
        RowArrangement arrangement = run->timeline->arrangement();
        const Snapshot& snapshot = *run->side.snapshot;
        for (const TrackId track : snapshot.tracksOfKind(TrackKind::kModule))
            arrangement.setFolded(
                RowArrangement::keyOf(TrackKind::kModule, snapshot.name(snapshot.track(track).name)),
                height < kHeightForModules);
        run->timeline->setArrangement(arrangement);
    }
}

void ComparisonView::chooseSteps(int a, int b) {
    const auto within = [](int step, const Run& run) {
        return std::clamp(step, run.steps.empty() ? -1 : 0, static_cast<int>(run.steps.size()) - 1);
    };
    m_a.step = within(a, m_a);
    m_b.step = within(b, m_b);
    m_head->setChosenSteps(m_a.step, m_b.step);
    if (m_a.landmark.kind == Landmark::Kind::kStep || !alignRunsAt(m_a.landmark, m_b.landmark, {}))
        alignAtSteps(true);
    if (m_tables->steps() == ComparisonScope::Steps::kOne)
        m_query.invalidate(DeferredQuery::Cause::kPerson);
}

void ComparisonView::alignAtSteps(bool fit) {
    const auto range = [](const Run& run) {
        return run.step < 0 ? TimeRange{} : run.steps[static_cast<std::size_t>(run.step)].span.range;
    };
    m_a.landmark = m_b.landmark = Landmark();
    m_head->setLandmark({});
    m_head->setChosenSteps(m_a.step, m_b.step);
    align(range(m_a), range(m_b), fit);
}

void ComparisonView::align(TimeRange a, TimeRange b, bool fit) {
    m_link.align(a.begin, b.begin, m_a.side.snapshot->range().end, m_b.side.snapshot->range().end);
    m_memory->setOffset(m_link.offset());
    if (!fit)
        return;
    // The longer of the two, with a little around it.
    const Nanoseconds width = std::max(a.duration(), b.duration());
    const Nanoseconds margin(width.value / 40);
    if (width.value > 0)
        m_a.axis.setVisibleRange({a.begin - margin, a.begin + width + margin});
    else
        m_a.axis.fitAll();
}

std::optional<ComparisonView::Found> ComparisonView::find(const Run& run, const Landmark& landmark) const {
    if (run.step < 0)
        return std::nullopt;
    const StepSpan& step = run.steps[static_cast<std::size_t>(run.step)].span;
    if (const auto found = findLandmark(*run.side.snapshot, step, landmark))
        return Found{*found, false};
    if (!landmark.onGpu)
        return std::nullopt;
    // An old file has no phases of the GPU, and work of none is on the host alone.
    Landmark onHost = landmark;
    onHost.onGpu = false;
    const auto found = findLandmark(*run.side.snapshot, step, onHost);
    return found ? std::optional(Found{*found, true}) : std::nullopt;
}

std::vector<Landmark> ComparisonView::commonLandmarks() const {
    if (m_a.step < 0 || m_b.step < 0)
        return {Landmark()};
    const auto of = [](const Run& run) {
        return landmarksOf(*run.side.snapshot, run.steps[static_cast<std::size_t>(run.step)].span);
    };
    std::vector<Landmark> common = of(m_a);
    std::vector<std::string> inB;
    for (const Landmark& landmark : of(m_b))
        inB.push_back(landmark.text());
    std::sort(inB.begin(), inB.end());
    std::erase_if(common, [&inB](const Landmark& landmark) {
        return !std::binary_search(inB.begin(), inB.end(), landmark.text());
    });
    return common;
}

bool ComparisonView::alignAt(const Landmark& landmark) {
    if (landmark.kind == Landmark::Kind::kStep) {
        setMessage({});
        alignAtSteps(true);
        return true;
    }
    return alignRunsAt(landmark, landmark, {});
}

bool ComparisonView::alignRunsAt(const std::optional<Landmark>& a, const std::optional<Landmark>& b,
                                 const QString& name) {
    std::optional<Found> inA, inB;
    if (a)
        inA = find(m_a, *a);
    if (b)
        inB = find(m_b, *b);
    QString what = !name.isEmpty() ? name : a ? toQString(a->text()) : QString();
    if (!inA && !inB) {
        setMessage(tr("Neither step has %1").arg(what));
        return false;
    }
    what += hostNote(inA && inA->hostInstead, inB && inB->hostInstead);
    const QScopedValueRollback quiet(m_selecting, true);
    m_a.axis.setSelectedSpan(inA ? inA->span : std::nullopt);
    m_b.axis.setSelectedSpan(inB ? inB->span : std::nullopt);
    if (inA && inB) {
        m_a.landmark = *a;
        m_b.landmark = *b;
        m_head->setLandmark(*a);
        align(inA->range, inB->range, true);
        setMessage(tr("%1, begin to end: %2")
                       .arg(what, durationsText(inA->range.duration(), inB->range.duration())));
        return true;
    }
    // Of one run alone it is shown where it is; the alignment stays.
    const TimeRange range = inA ? inA->range : inB->range;
    const Nanoseconds margin(range.duration().value / 4 + 1);
    (inA ? m_a : m_b).axis.setVisibleRange({range.begin - margin, range.end + margin});
    setMessage(tr("Only %1 has %2 in its step: %3")
                   .arg(inA ? tr("A") : tr("B"), what, durationText(range.duration())));
    return false;
}

void ComparisonView::alignAtSelection() {
    Run* from = m_b.timeline->hasFocus() && m_b.axis.selectedSpan() ? &m_b
                : m_a.axis.selectedSpan()                           ? &m_a
                                                                    : &m_b;
    const auto span = from->axis.selectedSpan();
    const auto landmark = span ? landmarkAt(*from->side.snapshot, *span) : std::nullopt;
    if (!landmark) {
        setMessage(tr("Select a phase, a module, an op or a kernel of a step first"));
        return;
    }
    // The step that the span is in is now that run's.
    const SpanLane lane = from->side.snapshot->lane(span->lane);
    const auto row = lane.row(span->row);
    for (std::size_t i = 0; row && i < from->steps.size(); ++i) {
        if (from->steps[i].span.step == row->step)
            from->step = static_cast<int>(i);
    }
    m_head->setChosenSteps(m_a.step, m_b.step);
    alignAt(*landmark);
    if (m_tables->steps() == ComparisonScope::Steps::kOne)
        m_query.invalidate(DeferredQuery::Cause::kPerson);
}

/// What was selected in one run is looked for in the other, and both stand in words.
void ComparisonView::onSelection(Run& from, Run& to) {
    // Also where there is none any more: an answer on its way is then of nothing.
    m_rangeQuery.invalidate(DeferredQuery::Cause::kPerson);
    if (m_selecting || !from.side.snapshot || !to.side.snapshot)
        return;
    const auto span = from.axis.selectedSpan();
    const QScopedValueRollback quiet(m_selecting, true);
    if (!span) {
        to.axis.setSelectedSpan(std::nullopt);
        if (!from.axis.selectedRange())
            setMessage({});
        return;
    }
    const auto landmark = landmarkAt(*from.side.snapshot, *span);
    const auto row = from.side.snapshot->lane(span->lane).row(span->row);
    const auto there = landmark ? find(to, *landmark) : std::nullopt;
    // To select is not to move: what is visible stays, whatever the row's place.
    const TimeRange visible = m_a.axis.visibleRange();
    to.axis.setSelectedSpan(there ? there->span : std::nullopt);
    m_a.axis.setVisibleRange(visible, false);
    if (!row || !landmark)
        return setMessage({});
    const bool fromA = &from == &m_a, onHost = there && there->hostInstead;
    const QString what = toQString(landmark->text()) + hostNote(onHost && !fromA, onHost && fromA);
    const Nanoseconds here(row->duration);
    if (!there)
        return setMessage(
            tr("%1: %2 %3, not in %4's step")
                .arg(what, fromA ? tr("A") : tr("B"), durationText(here), fromA ? tr("B") : tr("A")));
    const Nanoseconds other = there->range.duration();
    setMessage(
        QStringLiteral("%1: %2").arg(what, fromA ? durationsText(here, other) : durationsText(other, here)));
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

void ComparisonView::setMessage(const QString& text) {
    m_head->setMessage(text);
}

void ComparisonView::setShowsFrameTimes(bool shown) {
    m_a.timeline->setShowsFrameTimes(shown);
    m_b.timeline->setShowsFrameTimes(shown);
}

void ComparisonView::setInFigure(bool inFigure) {
    m_head->setFigure(inFigure);
    m_tables->setFigure(inFigure);
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
