#include "ui/models/run_filter.h"

#include <algorithm>

#include "engine/query/findings/finding.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/statistics/step_table.h"

namespace warpglass::ui {

namespace {

bool isRangeKind(TrackKind kind) {
    return kind == TrackKind::kStep || kind == TrackKind::kPhase || kind == TrackKind::kModule;
}

}  // namespace

RunFilter::RunFilter(RunDocument& document, TimeAxis& axis, QObject* parent)
    : QObject(parent), m_document(document), m_axis(axis) {
    connect(&m_axis, &TimeAxis::clockChanged, this, &RunFilter::chipsChanged);
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_history = {};
        m_state = State();
        m_seen.reset();
        m_extent.reset();  // it holds the run
        onSelection();
        emit changed();
    });
    connect(&m_axis, &TimeAxis::selectionChanged, this, &RunFilter::onSelection);
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, [this] {
        if (m_state.steps == Steps::kInView && !usesSelection())
            emit viewMoved();
    });
    onSelection();
    m_history = {};
}

void RunFilter::apply(State next) {
    if (next == m_state)
        return;
    m_history.change(m_state, next);
    show(std::move(next));
}

void RunFilter::show(State next) {
    m_state = std::move(next);
    emit changed();
}

std::optional<SpanDetails> RunFilter::picked() const {
    const auto& snapshot = m_document.snapshot();
    return m_state.span && snapshot ? describeSpan(*snapshot, *m_state.span) : std::nullopt;
}

std::optional<SpanDetails> RunFilter::pickedPlace() const {
    auto span = picked();
    return span && span->kind != TrackKind::kStep ? span : std::nullopt;
}

bool RunFilter::replacesPicked(Phase phase) const {
    return phase != Phase::kNone && pickedPlace();
}

bool RunFilter::replacesPicked(const std::string& module) const {
    const auto picked = pickedPlace();
    return !module.empty() && picked && !picked->module.empty() &&
           (module == picked->module || !isWithin(module, picked->module));
}

void RunFilter::applyWithoutSelection(State next) {
    clearSelected();
    next.range.reset();
    next.span.reset();
    apply(std::move(next));
}

void RunFilter::setPhase(std::optional<Phase> phase) {
    State next = m_state;
    next.phase = phase;
    if (phase && replacesPicked(*phase)) {
        // The module that was picked counts on, in every step.
        if (const auto picked = pickedPlace(); picked->kind == TrackKind::kModule && next.module.empty())
            next.module = picked->module;
        return applyWithoutSelection(std::move(next));
    }
    apply(std::move(next));
}

void RunFilter::setModule(const std::string& path) {
    State next = m_state;
    next.module = path;
    if (replacesPicked(path))
        return applyWithoutSelection(std::move(next));
    apply(std::move(next));
}

void RunFilter::setAllocations(std::vector<AllocationId> allocations) {
    set(&State::allocations, allocations.empty()
                                 ? nullptr
                                 : std::make_shared<const std::vector<AllocationId>>(std::move(allocations)));
}

void RunFilter::setEvidence(const Evidence& evidence, FilterHistory::Along along) {
    quietly([&] {
        m_axis.setSelectedSpan(std::nullopt);
        m_axis.setSelectedRange(evidence.range);
    });
    State next;
    next.range = m_axis.selectedRange();
    next.name = evidence.names;
    next.phase = evidence.phase;
    if (!evidence.allocations.empty())
        next.allocations = std::make_shared<const std::vector<AllocationId>>(evidence.allocations);
    m_history.push(m_state, std::move(along));
    show(std::move(next));
}

void RunFilter::look(const Inspected& inspected) {
    quietly([&] { m_axis.inspect(inspected); });
}

void RunFilter::pick(SpanRef span) {
    if (m_axis.selectedSpan() == span)
        look({});  // it was looked at, or something was selected after it: picked anew
    m_axis.setSelectedSpan(span);
}

bool RunFilter::isLooking() const {
    return m_axis.selectedIdle() || m_axis.selectedAllocation() ||
           (m_axis.selectedSpan() && m_axis.selectedSpan() != m_state.span);
}

void RunFilter::clearSelected() {
    quietly([&] {
        m_axis.setSelectedRange(std::nullopt);
        if (!isLooking())
            m_axis.setSelectedSpan(std::nullopt);
    });
}

void RunFilter::remove(Condition condition) {
    switch (condition) {
        case Condition::kSteps:
            return setSteps(Steps::kAll);
        case Condition::kCategory:
            return setCategory(std::nullopt);
        case Condition::kSelection:
            return applyWithoutSelection(m_state);
        case Condition::kPhase:
            return setPhase(std::nullopt);
        case Condition::kModule:
            return setModule({});
        case Condition::kName:
            return setName({});
        case Condition::kText:
            return setText({});
        case Condition::kAllocations:
            return setAllocations({});
    }
}

void RunFilter::reset() {
    clearSelected();
    apply(State());
}

void RunFilter::onSelection() {
    if (m_quiet)
        return;
    State next = m_state;
    const auto picked = m_axis.selectedSpan(), before = m_seen;
    m_seen = picked;
    const auto& snapshot = m_document.snapshot();
    const auto span =
        picked && picked != before && snapshot ? describeSpan(*snapshot, *picked) : std::nullopt;
    if (span && isRangeKind(span->kind)) {
        quietly([&] { m_axis.setSelectedRange(std::nullopt); });
        next.range.reset();
        next.span = picked;
        return apply(std::move(next));
    }
    next.range = m_axis.selectedRange();
    // What was looked at is let go without letting go of what counts.
    const bool letGo = !picked && before && before == m_state.span;
    if (next.range || letGo)
        next.span.reset();
    apply(std::move(next));
}

void RunFilter::restore(const State& state) {
    const bool looking = isLooking();
    m_state = state;
    quietly([&] {
        m_axis.setSelectedRange(state.range);
        if (!looking)
            m_axis.setSelectedSpan(state.span);
    });
    emit changed();
}

void RunFilter::takeUp(const Kept& kept) {
    quietly([&] { m_axis.restore(kept.axis); });
    m_history = kept.history;
    show(kept.state);
}

void RunFilter::takeStep(const std::optional<FilterHistory::Step>& step) {
    if (!step)
        return;
    restore(step->state);
    if (step->then)
        step->then();
}

void RunFilter::takeBack() {
    if (const auto state = m_history.takeBack())
        restore(*state);
}

bool RunFilter::letGo() {
    const bool selects = m_axis.selectedRange() || m_axis.selectedSpan() || m_axis.selectedIdle() ||
                         m_axis.selectedAllocation();
    if (!selects && !m_axis.pinnedCursor() && !usesSelection())
        return false;
    const bool looking = usesSelection() && isLooking();
    m_axis.setPinnedCursor(std::nullopt);
    if (!looking)
        remove(Condition::kSelection);
    look({});
    return true;
}

const FilterExtent& RunFilter::extent() const {
    const auto& snapshot = m_document.snapshot();
    if (!m_extent || m_extent->state != m_state || m_extent->snapshot != snapshot) {
        m_extent = Extent{m_state, snapshot, {}};
        // What is in view is all that is seen.
        const bool inView = m_state.steps == Steps::kInView && !usesSelection();
        if (snapshot && !inView)
            m_extent->extent = filterExtent(*snapshot, spanFilter());
    }
    return m_extent->extent;
}

SpanFilter RunFilter::spanFilter() const {
    SpanFilter filter;
    const auto& snapshot = m_document.snapshot();
    filter.phase = m_state.phase;
    filter.modulePath = m_state.module;
    filter.name = m_state.name;
    const auto span = picked();
    if (m_state.range) {
        filter.ranges = {*m_state.range};
    } else if (span) {
        filter.ranges = {span->range()};
        filter.byLaunch = true;
    } else if (m_state.steps == Steps::kInView) {
        filter.ranges = {m_axis.visibleRange()};
    } else {
        filter.measuredOnly = m_state.steps == Steps::kMeasured && snapshot && hasBegunMeasuring(*snapshot);
    }
    return filter;
}

WorkScope RunFilter::work() const {
    WorkScope work(spanFilter());
    const auto span = picked();
    if (!m_state.range && span && span->kind == TrackKind::kStep) {
        work.filter.ranges.clear();
        work.filter.byLaunch = false;
        work.filter.step = span->step;
    }
    work.allSteps = m_state.steps == Steps::kAll && !usesSelection();
    work.text = m_state.text.toStdString();
    return work;
}

AllocationConditions RunFilter::allocations() const {
    AllocationConditions conditions(spanFilter());
    if (!usesSelection())
        conditions.made.ranges.clear();
    conditions.category = m_state.category;
    conditions.among = m_state.allocations;
    conditions.text = m_state.text.toStdString();
    return conditions;
}

bool RunFilter::countsBeginnings() const {
    return m_state.range || (!m_state.span && m_state.steps == Steps::kInView);
}

}  // namespace warpglass::ui
