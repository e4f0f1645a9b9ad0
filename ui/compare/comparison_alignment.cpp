#include "ui/compare/comparison_alignment.h"

#include <algorithm>

#include "ui/compare/comparison_head.h"
#include "ui/compare/comparison_tables.h"
#include "ui/compare/comparison_text.h"
#include "ui/compare/memory_difference_plot.h"
#include "ui/compare/step_search.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

ComparisonAlignment::ComparisonAlignment(ComparedRun& a, ComparedRun& b, StepSearch& search,
                                         ComparisonHead& head, MemoryDifferencePlot& memory,
                                         ComparisonTables& tables)
    : m_a(a),
      m_b(b),
      m_search(search),
      m_head(head),
      m_memory(memory),
      m_tables(tables),
      m_link(a.axis(), b.axis()) {
    for (ComparedRun* run : {&m_a, &m_b})
        connect(&run->axis(), &TimeAxis::selectionChanged, this, [this, run] { onSelection(*run); });
    // What stood there is of another question.
    connect(&m_search, &StepSearch::waits, this,
            [this] { m_tables.setMessage(tr("Looking through both steps…")); });
}

ComparisonAlignment::Kept ComparisonAlignment::kept() const {
    return {m_a.kept(),      m_b.kept(), m_link.momentOfA(),
            m_link.offset(), m_atPeaks,  m_selectedIn ? std::optional(m_selectedIn == &m_a) : std::nullopt};
}

void ComparisonAlignment::restore(const Kept& kept) {
    const auto quiet = this->quiet();
    m_a.restore(kept.a);
    m_b.restore(kept.b);
    m_atPeaks = kept.atPeaks;
    m_head.setChosenSteps(m_a.step(), m_b.step());
    showAlignment();
    const Nanoseconds at = kept.momentOfA;
    align({at, at}, {at + kept.offset, at + kept.offset}, false);
    // What is visible, pinned and selected as a range is the other's too.
    m_b.axis().setSelectedSpan(kept.b.axis.selected.inspected.as<SpanRef>());
    m_a.axis().restore(kept.a.axis);
    m_selectedIn = !kept.selectedInA ? nullptr : *kept.selectedInA ? &m_a : &m_b;
}

void ComparisonAlignment::chooseSteps(int a, int b) {
    m_a.setStep(a);
    m_b.setStep(b);
    m_search.drop();
    // At once: another question may take the place of the one for the landmark.
    const Landmark landmarkA = m_a.landmark(), landmarkB = m_b.landmark();
    alignAtSteps(true);
    if (landmarkA.kind != Landmark::Kind::kStep)
        alignAtRow(landmarkA, landmarkB, {});
    else
        selectInChosenSteps();
    emit stepsChanged();
}

void ComparisonAlignment::alignAtSteps(bool fit) {
    m_a.setLandmark({});
    m_b.setLandmark({});
    m_atPeaks = false;
    outlineNothing();
    showAlignment();
    m_head.setChosenSteps(m_a.step(), m_b.step());
    align(m_a.stepRange().value_or(TimeRange{}), m_b.stepRange().value_or(TimeRange{}), fit);
}

void ComparisonAlignment::align(TimeRange a, TimeRange b, bool fit) {
    m_link.align(a.begin, b.begin, m_a.snapshot()->range().end, m_b.snapshot()->range().end);
    m_memory.setOffset(m_link.offset());
    showMemoryOfSteps();
    if (!fit)
        return;
    // The longer of the two, with a little around it.
    const Nanoseconds width = std::max(a.duration(), b.duration());
    const Nanoseconds margin(width.value / 40);
    if (width.value > 0)
        m_a.axis().setVisibleRange({a.begin - margin, a.begin + width + margin});
    else
        m_a.axis().fitAll();
}

void ComparisonAlignment::showMemoryOfSteps() {
    const auto stepOf = [](const ComparedRun& run, Nanoseconds moment) {
        const auto range = run.stepRange();
        return range && range->begin <= moment && moment <= range->end ? range : std::nullopt;
    };
    const auto a = stepOf(m_a, m_link.momentOfA()), b = stepOf(m_b, m_link.momentOfA() + m_link.offset());
    // The peak of a run that is in no step, or a run without steps: all of both.
    m_memory.setSteps(b ? a : std::nullopt, a ? b : std::nullopt);
}

void ComparisonAlignment::showAlignment() {
    m_head.setAlignedAt(m_atPeaks ? tr("memory peak") : toQString(m_a.landmark().text()));
}

void ComparisonAlignment::alignAt(const Landmark& landmark) {
    if (landmark.kind != Landmark::Kind::kStep)
        return alignAtRow(landmark, landmark, {});
    m_search.drop();
    m_tables.setMessage({});
    alignAtSteps(true);
}

void ComparisonAlignment::alignAtRow(const std::optional<Landmark>& a, const std::optional<Landmark>& b,
                                     const QString& name) {
    const SearchedStep stepOfA = m_a.searched(), stepOfB = m_b.searched();
    m_search.ask(stepOfA, stepOfB, [this, a, b, name, stepOfA, stepOfB] {
        const Answer found{a, b, a ? findPlace(stepOfA, *a) : std::nullopt,
                           b ? findPlace(stepOfB, *b) : std::nullopt};
        return DeferredQuery::Apply([this, found, name] { alignRunsAt(found, name); });
    });
}

void ComparisonAlignment::outlineNothing() {
    m_a.outline(std::nullopt);
    m_b.outline(std::nullopt);
}

QString ComparisonAlignment::foundText(const Answer& found, const QString& name) const {
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
    const auto phaseOf = [](const ComparedRun& run, const std::optional<FoundPlace>& place) {
        const auto span = run.spanOf(place);
        return span ? run.snapshot()->place(span->place).phase : Phase::kNone;
    };
    const auto onGpu = [](const std::optional<Landmark>& of, const std::optional<FoundPlace>& place) {
        return of && place && (of->kind == Kind::kKernel || (of->onGpu && !place->hostInstead));
    };
    const Phase inPhaseA = phaseOf(m_a, inA), inPhaseB = phaseOf(m_b, inB);
    const Phase phase = !inB ? inPhaseA : !inA || inPhaseA == inPhaseB ? inPhaseB : Phase::kNone;
    const int stepA = m_a.stepNumber(), stepB = m_b.stepNumber();
    const QString steps = inA && inB && stepA != stepB ? tr("step %1 of A and %2 of B").arg(stepA).arg(stepB)
                                                       : tr("step %1").arg(inA ? stepA : stepB);
    const bool gpuOfA = onGpu(found.a, inA), gpuOfB = onGpu(found.b, inB);
    return QStringLiteral("%1, %2").arg(
        briefName(called), placeText(*landmark, phase, steps, inA ? gpuOfA : gpuOfB, inB ? gpuOfB : gpuOfA));
}

/// Where not both have it a sentence says so, and the alignment stays.
void ComparisonAlignment::alignRunsAt(const Answer& found, const QString& name) {
    const auto &inA = found.inA, &inB = found.inB;
    const QString what = foundText(found, name);
    m_a.outline(inA);
    m_b.outline(inB);
    if (!inA && !inB)
        return m_tables.setMessage(tr("Neither step has %1").arg(what));
    const auto quiet = this->quiet();
    m_a.axis().setSelectedSpan(inA ? inA->span : std::nullopt);
    m_b.axis().setSelectedSpan(inB ? inB->span : std::nullopt);
    if (inA && inB) {
        m_a.setLandmark(*found.a);
        m_b.setLandmark(*found.b);
        m_atPeaks = false;
        showAlignment();
        align(inA->range, inB->range, true);
        return m_tables.setMessage(
            tr("%1, begin to end: %2")
                .arg(what, durationsText(inA->range.duration(), inB->range.duration())));
    }
    // What only one run has is shown where it is; the alignment stays.
    const TimeRange range = inA ? inA->range : inB->range;
    const Nanoseconds margin(range.duration().value / 4 + 1);
    (inA ? m_a : m_b).axis().setVisibleRange({range.begin - margin, range.end + margin});
    m_tables.setMessage(tr("Only %1 has %2, begin to end: %3")
                            .arg(inA ? tr("A") : tr("B"), what, durationText(range.duration())));
}

void ComparisonAlignment::alignAtPeaks(const ComparisonRow& row, std::optional<Category> category) {
    m_search.drop();
    outlineNothing();
    m_memory.setCategory(category);
    const auto peakA = m_tables.peakTime(true), peakB = m_tables.peakTime(false);
    if (!peakA && !peakB)
        return m_tables.setMessage(tr("Neither run has memory events"));
    const QString what = category ? toQString(row.name) : tr("Memory");
    // As much as a step around it.
    const Nanoseconds half(std::max(m_a.length(), m_b.length()).value / 2 + 1);
    if (peakA && peakB) {
        m_a.setLandmark({});
        m_b.setLandmark({});
        m_atPeaks = true;
        const bool others = m_a.step() != m_a.stepAt(*peakA) || m_b.step() != m_b.stepAt(*peakB);
        m_a.setStep(m_a.stepAt(*peakA));
        m_b.setStep(m_b.stepAt(*peakB));
        m_head.setChosenSteps(m_a.step(), m_b.step());
        // The row was of steps that have been changed since: they are shown again, and their figures.
        if (others)
            emit stepsChanged();
        showAlignment();
        align({*peakA, *peakA}, {*peakB, *peakB}, false);
    }
    TimeAxis& axis = (peakA ? m_a : m_b).axis();
    const Nanoseconds peak = peakA ? *peakA : *peakB;
    axis.setVisibleRange({peak - half, peak + half});
    axis.setPinnedCursor(peak);
    m_tables.setMessage((m_tables.bar().steps() == ComparisonScope::Steps::kOne
                             ? tr("%1 at the peak of each step: %2")
                             : tr("%1 at the peak of each run: %2"))
                            .arg(what, memoryText(row, peakA && peakB)));
}

void ComparisonAlignment::alignAtSelection() {
    ComparedRun* from = m_b.timeline().hasFocus() && m_b.axis().selectedSpan() ? &m_b
                        : m_a.axis().selectedSpan()                            ? &m_a
                                                                               : &m_b;
    const auto span = from->axis().selectedSpan();
    // The step that the span is in is now that run's.
    const int step = span ? from->stepAround(*span) : -1;
    if (step < 0)
        return m_tables.setMessage(tr("Select a phase, a module, an op or a kernel of a step first"));
    const SearchedStep stepOfA = m_a.searched(from == &m_a ? step : m_a.step());
    const SearchedStep stepOfB = m_b.searched(from == &m_b ? step : m_b.step());
    m_search.ask(stepOfA, stepOfB,
                 [this, from, span = *span, step, run = from->snapshot(), stepOfA, stepOfB] {
                     Answer found;
                     found.a = found.b = landmarkAt(*run, span);
                     if (found.a) {
                         found.inA = findPlace(stepOfA, *found.a);
                         found.inB = findPlace(stepOfB, *found.b);
                     }
                     return DeferredQuery::Apply([this, from, step, found] {
                         if (!found.a)
                             return m_tables.setMessage(
                                 tr("Select a phase, a module, an op or a kernel of a step first"));
                         from->setStep(step);
                         m_head.setChosenSteps(m_a.step(), m_b.step());
                         if (found.a->kind == Landmark::Kind::kStep)
                             alignAtSteps(true);
                         else
                             alignRunsAt(found, {});
                         emit stepsChanged();
                     });
                 });
}

/// What was selected in one run is looked for in the other, and both stand in words.
void ComparisonAlignment::onSelection(ComparedRun& from) {
    ComparedRun& to = other(from);
    if (m_selecting || !from.snapshot() || !to.snapshot())
        return;
    m_search.drop();
    outlineNothing();
    m_selectedIn = &from;
    if (from.axis().selectedSpan())
        return lookForSelected();
    const auto quiet = this->quiet();
    to.axis().setSelectedSpan(std::nullopt);
    if (!from.axis().selectedRange())
        m_tables.setMessage({});
}

/// What is selected in the one, in the other's step. What it is in its own step is looked for too.
void ComparisonAlignment::lookForSelected() {
    const auto span = m_selectedIn ? m_selectedIn->axis().selectedSpan() : std::nullopt;
    if (!span)
        return;
    ComparedRun& from = *m_selectedIn;
    const SearchedStep here = from.searched(from.stepAround(*span)), there = other(from).searched();
    m_search.ask(here, there, [this, &from, span = *span, run = from.snapshot(), there] {
        const auto landmark = landmarkAt(*run, span);
        const auto found = landmark ? findPlace(there, *landmark) : std::nullopt;
        return DeferredQuery::Apply(
            [this, &from, span, landmark, found] { showSelection(from, span, landmark, found); });
    });
}

/// What is selected is then the same in the steps that are chosen now.
void ComparisonAlignment::selectInChosenSteps() {
    ComparedRun& from = m_selectedIn && m_selectedIn->axis().selectedSpan() ? *m_selectedIn
                        : m_a.axis().selectedSpan()                         ? m_a
                                                                            : m_b;
    const auto span = from.axis().selectedSpan();
    if (!span) {
        if (!from.axis().selectedRange())
            m_tables.setMessage({});
        return;
    }
    const SearchedStep here = from.searched(), there = other(from).searched();
    m_search.ask(here, there, [this, &from, span = *span, run = from.snapshot(), here, there] {
        const auto landmark = landmarkAt(*run, span);
        const auto own = landmark ? findPlace(here, *landmark) : std::nullopt;
        const auto other = landmark ? findPlace(there, *landmark) : std::nullopt;
        return DeferredQuery::Apply([this, &from, span, landmark, own, other] {
            const bool isStep = landmark && landmark->kind == Landmark::Kind::kStep;
            if (own && own->span && !own->hostInstead) {
                const auto quiet = this->quiet();
                from.axis().setSelectedSpan(own->span);
                showSelection(from, *own->span, landmark, other);
            } else if (isStep || !landmark) {
                // Another step is another thing.
                const auto quiet = this->quiet();
                m_a.axis().setSelectedSpan(std::nullopt);
                m_b.axis().setSelectedSpan(std::nullopt);
                m_tables.setMessage({});
            } else {
                showSelection(from, span, landmark, other);
            }
        });
    });
}

void ComparisonAlignment::showSelection(ComparedRun& from, SpanRef span,
                                        const std::optional<Landmark>& landmark,
                                        const std::optional<FoundPlace>& there) {
    ComparedRun& to = other(from);
    const auto quiet = this->quiet();
    const auto row = from.snapshot()->lane(span.lane).row(span.row);
    // To select is not to move: what is visible stays, whatever the row's place.
    const TimeRange visible = m_a.axis().visibleRange();
    to.axis().setSelectedSpan(there ? there->span : std::nullopt);
    m_a.axis().setVisibleRange(visible, false);
    if (!row || !landmark)
        return m_tables.setMessage({});
    const bool fromA = &from == &m_a, onHost = there && there->hostInstead;
    const std::string name(from.snapshot()->name(row->name));
    m_tables.selectRowOf(*landmark, name, fromA);
    const Nanoseconds here(row->duration);
    if (landmark->kind == Landmark::Kind::kStep)
        return showSteps(from, row->step, here);
    const QString what = toQString(landmark->text()) + hostNote(onHost && !fromA, onHost && fromA) +
                         otherOpNote(*to.snapshot(), *landmark, there ? there->span : std::nullopt, !fromA);
    if (!there)
        return m_tables.setMessage(
            tr("%1: %2 %3, not in %4's step").arg(what, from.letter(), durationText(here), to.letter()));
    const Nanoseconds other = there->range.duration();
    m_tables.setMessage(
        QStringLiteral("%1: %2").arg(what, fromA ? durationsText(here, other) : durationsText(other, here)));
}

/// A step that is selected in one run, beside the one that the other is aligned at.
void ComparisonAlignment::showSteps(const ComparedRun& from, std::int32_t step, Nanoseconds duration) {
    const ComparedRun& to = other(from);
    const bool fromA = &from == &m_a;
    const auto range = to.stepRange();
    if (!range)
        return m_tables.setMessage(tr("Step %1 of %2: %3; %4 has no step")
                                       .arg(step)
                                       .arg(from.letter(), durationText(duration), to.letter()));
    const Nanoseconds other = range->duration();
    m_tables.setMessage(tr("Step %1 of A, step %2 of B: %3")
                            .arg(fromA ? step : to.stepNumber())
                            .arg(fromA ? to.stepNumber() : step)
                            .arg(fromA ? durationsText(duration, other) : durationsText(other, duration)));
}

}  // namespace warpglass::ui
