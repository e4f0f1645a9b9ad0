// How a comparison lays two runs over each other, and finds in the one what is selected in the other.
#include <QScopedValueRollback>
#include <algorithm>
#include <utility>

#include "ui/compare/comparison_head.h"
#include "ui/compare/comparison_text.h"
#include "ui/compare/comparison_view.h"
#include "ui/compare/landmark_chooser.h"
#include "ui/compare/memory_difference_plot.h"
#include "ui/compare/range_outline.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

void ComparisonView::chooseSteps(int a, int b) {
    const auto within = [](int step, const Run& run) {
        return std::clamp(step, run.steps.empty() ? -1 : 0, static_cast<int>(run.steps.size()) - 1);
    };
    m_a.step = within(a, m_a);
    m_b.step = within(b, m_b);
    ++m_question;
    // At once: another question may take the place of the one for the landmark.
    const Landmark landmarkA = m_a.landmark, landmarkB = m_b.landmark;
    alignAtSteps(true);
    if (landmarkA.kind != Landmark::Kind::kStep)
        askAlignment(landmarkA, landmarkB, {});
    else
        selectInChosenSteps();
    if (m_tables->steps() == ComparisonScope::Steps::kOne)
        m_query.invalidate(DeferredQuery::Cause::kPerson);
}

void ComparisonView::alignAtSteps(bool fit) {
    const auto range = [](const Run& run) {
        return run.step < 0 ? TimeRange{} : run.steps[static_cast<std::size_t>(run.step)].span.range;
    };
    m_a.landmark = m_b.landmark = Landmark();
    m_atPeaks = false;
    outlineNothing();
    showAlignment();
    m_head->setChosenSteps(m_a.step, m_b.step);
    align(range(m_a), range(m_b), fit);
}

void ComparisonView::align(TimeRange a, TimeRange b, bool fit) {
    m_link.align(a.begin, b.begin, m_a.side.snapshot->range().end, m_b.side.snapshot->range().end);
    m_memory->setOffset(m_link.offset());
    showMemoryOfSteps();
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

void ComparisonView::showMemoryOfSteps() {
    const auto stepOf = [](const Run& run, Nanoseconds moment) -> std::optional<TimeRange> {
        if (run.step < 0)
            return std::nullopt;
        const TimeRange range = run.steps[static_cast<std::size_t>(run.step)].span.range;
        return range.begin <= moment && moment <= range.end ? std::optional(range) : std::nullopt;
    };
    const auto a = stepOf(m_a, m_link.momentOfA()), b = stepOf(m_b, m_link.momentOfA() + m_link.offset());
    // The peak of a run that is in no step, or a run without steps: all of both.
    m_memory->setSteps(b ? a : std::nullopt, a ? b : std::nullopt);
}

void ComparisonView::showAlignment() {
    m_head->setAlignedAt(m_atPeaks ? tr("memory peak") : toQString(m_a.landmark.text()));
}

SearchedStep ComparisonView::searched(const Run& run, int step) {
    return {run.side.snapshot,
            step < 0 ? std::nullopt : std::optional(run.steps[static_cast<std::size_t>(step)].span)};
}

/// Its place in the run's steps; −1: it is in none of them.
int ComparisonView::stepAround(const Run& run, SpanRef span) {
    const Snapshot& snapshot = *run.side.snapshot;
    if (span.lane.index() >= snapshot.laneCount())
        return -1;
    const auto row = snapshot.lane(span.lane).row(span.row);
    for (std::size_t i = 0; row && i < run.steps.size(); ++i) {
        if (run.steps[i].span.step == row->step)
            return static_cast<int>(i);
    }
    return -1;
}

/// The place of the step that the moment is in; outside all of them the one that is chosen.
int ComparisonView::stepAt(const Run& run, Nanoseconds time) {
    for (std::size_t i = 0; i < run.steps.size(); ++i) {
        if (run.steps[i].span.range.contains(time))
            return static_cast<int>(i);
    }
    return run.step;
}

DeferredQuery::Job ComparisonView::makeListJob() {
    return {[this, a = searched(m_a), b = searched(m_b)] {
                std::vector<Landmark> common = commonLandmarks(a, b);
                return DeferredQuery::Apply([this, common] { m_head->chooser().setLandmarks(common); });
            },
            true};
}

/// Nothing where another run took the place of what was asked.
DeferredQuery::Job ComparisonView::makeSearchJob() {
    if (!m_asked)
        return {[] { return DeferredQuery::Apply(); }, false};
    return {std::exchange(m_asked, nullptr), true};
}

/// What takes little is there at once, unless that were to wait for what takes long.
void ComparisonView::invalidate(DeferredQuery& query, const SearchedStep& a, const SearchedStep& b) {
    const bool atOnce = query.isIdle() && !takesLong(a, b);
    query.invalidate(DeferredQuery::Cause::kPerson);
    if (atOnce)
        query.runNow();
}

void ComparisonView::ask(const SearchedStep& a, const SearchedStep& b,
                         std::function<DeferredQuery::Apply()> work) {
    m_asked = [this, question = ++m_question, work = std::move(work)] {
        return DeferredQuery::Apply([this, question, apply = work()] {
            if (question == m_question)
                apply();
        });
    };
    invalidate(m_search, a, b);
    if (!m_search.isIdle())
        setMessage(tr("Looking through both steps…"));  // what stood there is of another question
}

void ComparisonView::alignAt(const Landmark& landmark) {
    if (landmark.kind != Landmark::Kind::kStep)
        return askAlignment(landmark, landmark, {});
    ++m_question;
    setMessage({});
    alignAtSteps(true);
}

void ComparisonView::askAlignment(const std::optional<Landmark>& a, const std::optional<Landmark>& b,
                                  const QString& name) {
    const SearchedStep stepOfA = searched(m_a), stepOfB = searched(m_b);
    ask(stepOfA, stepOfB, [this, a, b, name, stepOfA, stepOfB] {
        const Answer found{a, b, a ? findPlace(stepOfA, *a) : std::nullopt,
                           b ? findPlace(stepOfB, *b) : std::nullopt};
        return DeferredQuery::Apply([this, found, name] { alignRunsAt(found, name); });
    });
}

void ComparisonView::outline(const Run& run, const std::optional<FoundPlace>& found) {
    const auto span = found && found->span ? run.side.snapshot->lane(found->span->lane).row(found->span->row)
                                           : std::nullopt;
    const bool more = span && found->range != TimeRange{Nanoseconds(span->start), Nanoseconds(span->end())};
    run.outline->setRange(more ? std::optional(found->range) : std::nullopt);
}

void ComparisonView::outlineNothing() {
    m_a.outline->setRange(std::nullopt);
    m_b.outline->setRange(std::nullopt);
}

QString ComparisonView::foundText(const Answer& found, const QString& name) const {
    const auto &inA = found.inA, &inB = found.inB;
    const auto& landmark = found.a ? found.a : found.b;
    if (!landmark)
        return briefName(name);
    using Kind = Landmark::Kind;
    // What is no row's says itself what it is, but for a row's module in another step.
    if (name.isEmpty() && (landmark->kind != Kind::kModule || landmark->phase != Phase::kNone))
        return briefName(toQString(landmark->text())) +
               hostNote(inA && inA->hostInstead, inB && inB->hostInstead);
    const QString called = name.isEmpty() ? toQString(landmark->module) : name;
    if (!inA && !inB)
        return briefName(called);
    const auto phaseOf = [](const Run& run, const std::optional<FoundPlace>& place) {
        const auto span = place && place->span
                              ? run.side.snapshot->lane(place->span->lane).row(place->span->row)
                              : std::nullopt;
        return span ? run.side.snapshot->place(span->place).phase : Phase::kNone;
    };
    const auto onGpu = [](const std::optional<Landmark>& of, const std::optional<FoundPlace>& place) {
        return of && place && (of->kind == Kind::kKernel || (of->onGpu && !place->hostInstead));
    };
    const auto number = [](const Run& run) {
        return run.step < 0 ? kNoStep : run.steps[static_cast<std::size_t>(run.step)].span.step;
    };
    const Phase inPhaseA = phaseOf(m_a, inA), inPhaseB = phaseOf(m_b, inB);
    const Phase phase = !inB ? inPhaseA : !inA || inPhaseA == inPhaseB ? inPhaseB : Phase::kNone;
    const int stepA = number(m_a), stepB = number(m_b);
    const QString steps = inA && inB && stepA != stepB ? tr("step %1 of A and %2 of B").arg(stepA).arg(stepB)
                                                       : tr("step %1").arg(inA ? stepA : stepB);
    const bool gpuOfA = onGpu(found.a, inA), gpuOfB = onGpu(found.b, inB);
    return QStringLiteral("%1, %2").arg(
        briefName(called), placeText(*landmark, phase, steps, inA ? gpuOfA : gpuOfB, inB ? gpuOfB : gpuOfA));
}

/// Where not both have it a sentence says so, and the alignment stays.
void ComparisonView::alignRunsAt(const Answer& found, const QString& name) {
    const auto &inA = found.inA, &inB = found.inB;
    const QString what = foundText(found, name);
    outline(m_a, inA);
    outline(m_b, inB);
    if (!inA && !inB)
        return setMessage(tr("Neither step has %1").arg(what));
    const QScopedValueRollback quiet(m_selecting, true);
    m_a.axis.setSelectedSpan(inA ? inA->span : std::nullopt);
    m_b.axis.setSelectedSpan(inB ? inB->span : std::nullopt);
    if (inA && inB) {
        m_a.landmark = *found.a;
        m_b.landmark = *found.b;
        m_atPeaks = false;
        showAlignment();
        align(inA->range, inB->range, true);
        return setMessage(tr("%1, begin to end: %2")
                              .arg(what, durationsText(inA->range.duration(), inB->range.duration())));
    }
    // What only one run has is shown where it is; the alignment stays.
    const TimeRange range = inA ? inA->range : inB->range;
    const Nanoseconds margin(range.duration().value / 4 + 1);
    (inA ? m_a : m_b).axis.setVisibleRange({range.begin - margin, range.end + margin});
    setMessage(tr("Only %1 has %2, begin to end: %3")
                   .arg(inA ? tr("A") : tr("B"), what, durationText(range.duration())));
}

void ComparisonView::alignAtPeaks(const ComparisonRow& row, std::optional<Category> category) {
    ++m_question;
    outlineNothing();
    m_memory->setCategory(category);
    const auto peakA = m_tables->peakTime(true), peakB = m_tables->peakTime(false);
    if (!peakA && !peakB)
        return setMessage(tr("Neither run has memory events"));
    const QString what = category ? toQString(row.name) : tr("Memory");
    const auto width = [](const Run& run) {
        return run.step < 0 ? run.side.snapshot->range().duration()
                            : run.steps[static_cast<std::size_t>(run.step)].span.range.duration();
    };
    // As much as a step around it.
    const Nanoseconds half(std::max(width(m_a), width(m_b)).value / 2 + 1);
    if (peakA && peakB) {
        m_a.landmark = m_b.landmark = Landmark();
        m_atPeaks = true;
        const bool others = m_a.step != stepAt(m_a, *peakA) || m_b.step != stepAt(m_b, *peakB);
        m_a.step = stepAt(m_a, *peakA);
        m_b.step = stepAt(m_b, *peakB);
        m_head->setChosenSteps(m_a.step, m_b.step);
        // The row was of steps that have been changed since: they are shown again, and their figures.
        if (others && m_tables->steps() == ComparisonScope::Steps::kOne)
            m_query.invalidate(DeferredQuery::Cause::kPerson);
        showAlignment();
        align({*peakA, *peakA}, {*peakB, *peakB}, false);
    }
    TimeAxis& axis = peakA ? m_a.axis : m_b.axis;
    const Nanoseconds peak = peakA ? *peakA : *peakB;
    axis.setVisibleRange({peak - half, peak + half});
    axis.setPinnedCursor(peak);
    setMessage((m_tables->steps() == ComparisonScope::Steps::kOne ? tr("%1 at the peak of each step: %2")
                                                                  : tr("%1 at the peak of each run: %2"))
                   .arg(what, memoryText(row, peakA && peakB)));
}

void ComparisonView::alignAtSelection() {
    Run* from = m_b.timeline->hasFocus() && m_b.axis.selectedSpan() ? &m_b
                : m_a.axis.selectedSpan()                           ? &m_a
                                                                    : &m_b;
    const auto span = from->axis.selectedSpan();
    // The step that the span is in is now that run's.
    const int step = span ? stepAround(*from, *span) : -1;
    if (step < 0)
        return setMessage(tr("Select a phase, a module, an op or a kernel of a step first"));
    const SearchedStep stepOfA = searched(m_a, from == &m_a ? step : m_a.step);
    const SearchedStep stepOfB = searched(m_b, from == &m_b ? step : m_b.step);
    ask(stepOfA, stepOfB, [this, from, span = *span, step, run = from->side.snapshot, stepOfA, stepOfB] {
        Answer found;
        found.a = found.b = landmarkAt(*run, span);
        if (found.a) {
            found.inA = findPlace(stepOfA, *found.a);
            found.inB = findPlace(stepOfB, *found.b);
        }
        return DeferredQuery::Apply([this, from, step, found] {
            if (!found.a)
                return setMessage(tr("Select a phase, a module, an op or a kernel of a step first"));
            from->step = step;
            m_head->setChosenSteps(m_a.step, m_b.step);
            if (found.a->kind == Landmark::Kind::kStep)
                alignAtSteps(true);
            else
                alignRunsAt(found, {});
            if (m_tables->steps() == ComparisonScope::Steps::kOne)
                m_query.invalidate(DeferredQuery::Cause::kPerson);
        });
    });
}

/// What was selected in one run is looked for in the other, and both stand in words.
void ComparisonView::onSelection(Run& from, Run& to) {
    // Also where there is none any more: an answer on its way is then of nothing.
    m_rangeQuery.invalidate(DeferredQuery::Cause::kPerson);
    if (m_selecting || !from.side.snapshot || !to.side.snapshot)
        return;
    ++m_question;
    outlineNothing();
    m_selectedIn = &from;
    if (from.axis.selectedSpan())
        return lookFor(from, to);
    const QScopedValueRollback quiet(m_selecting, true);
    to.axis.setSelectedSpan(std::nullopt);
    if (!from.axis.selectedRange())
        setMessage({});
}

/// What is selected in the one, in the other's step. What it is in its own step, whichever that is, is looked
/// for too.
void ComparisonView::lookFor(Run& from, Run& to) {
    const auto span = from.axis.selectedSpan();
    if (!span)
        return;
    const SearchedStep here = searched(from, stepAround(from, *span)), there = searched(to);
    ask(here, there, [this, &from, &to, span = *span, run = from.side.snapshot, there] {
        const auto landmark = landmarkAt(*run, span);
        const auto found = landmark ? findPlace(there, *landmark) : std::nullopt;
        return DeferredQuery::Apply(
            [this, &from, &to, span, landmark, found] { showSelection(from, to, span, landmark, found); });
    });
}

/// What is selected is then the same in the steps that are chosen now.
void ComparisonView::selectInChosenSteps() {
    Run& from = m_selectedIn && m_selectedIn->axis.selectedSpan() ? *m_selectedIn
                : m_a.axis.selectedSpan()                         ? m_a
                                                                  : m_b;
    Run& to = &from == &m_a ? m_b : m_a;
    const auto span = from.axis.selectedSpan();
    if (!span) {
        if (!from.axis.selectedRange())
            setMessage({});
        return;
    }
    const SearchedStep here = searched(from), there = searched(to);
    ask(here, there, [this, &from, &to, span = *span, run = from.side.snapshot, here, there] {
        const auto landmark = landmarkAt(*run, span);
        const auto own = landmark ? findPlace(here, *landmark) : std::nullopt;
        const auto other = landmark ? findPlace(there, *landmark) : std::nullopt;
        return DeferredQuery::Apply([this, &from, &to, span, landmark, own, other] {
            const bool isStep = landmark && landmark->kind == Landmark::Kind::kStep;
            if (own && own->span && !own->hostInstead) {
                const QScopedValueRollback quiet(m_selecting, true);
                from.axis.setSelectedSpan(own->span);
                showSelection(from, to, *own->span, landmark, other);
            } else if (isStep || !landmark) {
                // Another step is another thing.
                const QScopedValueRollback quiet(m_selecting, true);
                m_a.axis.setSelectedSpan(std::nullopt);
                m_b.axis.setSelectedSpan(std::nullopt);
                setMessage({});
            } else {
                showSelection(from, to, span, landmark, other);
            }
        });
    });
}

void ComparisonView::showSelection(Run& from, Run& to, SpanRef span, const std::optional<Landmark>& landmark,
                                   const std::optional<FoundPlace>& there) {
    const QScopedValueRollback quiet(m_selecting, true);
    const auto row = from.side.snapshot->lane(span.lane).row(span.row);
    // To select is not to move: what is visible stays, whatever the row's place.
    const TimeRange visible = m_a.axis.visibleRange();
    to.axis.setSelectedSpan(there ? there->span : std::nullopt);
    m_a.axis.setVisibleRange(visible, false);
    if (!row || !landmark)
        return setMessage({});
    const bool fromA = &from == &m_a, onHost = there && there->hostInstead;
    const std::string name(from.side.snapshot->name(row->name));
    m_tables->selectRowOf(*landmark, name, fromA);
    const Nanoseconds here(row->duration);
    if (landmark->kind == Landmark::Kind::kStep)
        return showSteps(fromA, row->step, here, to);
    const QString what =
        toQString(landmark->text()) + hostNote(onHost && !fromA, onHost && fromA) +
        otherOpNote(*to.side.snapshot, *landmark, there ? there->span : std::nullopt, !fromA);
    if (!there)
        return setMessage(
            tr("%1: %2 %3, not in %4's step")
                .arg(what, fromA ? tr("A") : tr("B"), durationText(here), fromA ? tr("B") : tr("A")));
    const Nanoseconds other = there->range.duration();
    setMessage(
        QStringLiteral("%1: %2").arg(what, fromA ? durationsText(here, other) : durationsText(other, here)));
}

/// A step that is selected in one run, beside the one that the other is aligned at.
void ComparisonView::showSteps(bool fromA, std::int32_t step, Nanoseconds duration, const Run& to) {
    if (to.step < 0)
        return setMessage(
            tr("Step %1 of %2: %3; %4 has no step")
                .arg(step)
                .arg(fromA ? tr("A") : tr("B"), durationText(duration), fromA ? tr("B") : tr("A")));
    const StepSpan& there = to.steps[static_cast<std::size_t>(to.step)].span;
    const Nanoseconds other = there.range.duration();
    setMessage(tr("Step %1 of A, step %2 of B: %3")
                   .arg(fromA ? step : there.step)
                   .arg(fromA ? there.step : step)
                   .arg(fromA ? durationsText(duration, other) : durationsText(other, duration)));
}

}  // namespace warpglass::ui
