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
        m_past.clear();
        m_future.clear();
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
    m_past.clear();
}

bool RunFilter::continues(const State& before, const State& next) {
    State same = next;
    if (before.range && next.range)
        same.range = before.range;
    if (!before.text.isEmpty() && !next.text.isEmpty())
        same.text = before.text;
    return same == before;
}

void RunFilter::apply(State next) {
    if (next == m_state)
        return;
    // What goes along with a step goes with that state alone, and not with what continues it.
    const bool alone = !m_past.empty() && m_past.back().along.back;
    if (alone || !continues(m_state, next))
        push({});
    showNext(std::move(next));
}

void RunFilter::push(Along along) {
    if (m_past.size() == kMostHistory)
        m_past.erase(m_past.begin());
    m_past.push_back({m_state, std::move(along)});
}

void RunFilter::showNext(State next) {
    m_future.clear();
    m_state = std::move(next);
    emit changed();
}

void RunFilter::setSteps(Steps steps) {
    State next = m_state;
    next.steps = steps;
    apply(std::move(next));
}

std::optional<SpanDetails> RunFilter::pickedPlace() const {
    const auto& snapshot = m_document.snapshot();
    auto picked = m_state.span && snapshot ? describeSpan(*snapshot, *m_state.span) : std::nullopt;
    return picked && picked->kind != TrackKind::kStep ? picked : std::nullopt;
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

void RunFilter::setName(const std::string& name) {
    State next = m_state;
    next.name = name;
    apply(std::move(next));
}

void RunFilter::setText(const QString& text) {
    State next = m_state;
    next.text = text;
    apply(std::move(next));
}

void RunFilter::setCategory(std::optional<Category> category) {
    State next = m_state;
    next.category = category;
    apply(std::move(next));
}

void RunFilter::setAllocations(std::vector<AllocationId> allocations) {
    State next = m_state;
    next.allocations = allocations.empty()
                           ? nullptr
                           : std::make_shared<const std::vector<AllocationId>>(std::move(allocations));
    apply(std::move(next));
}

void RunFilter::setEvidence(const Evidence& evidence, Along along) {
    m_restoring = true;
    m_axis.setSelectedSpan(std::nullopt);
    m_axis.setSelectedRange(evidence.range);
    m_restoring = false;
    m_seen.reset();
    State next;
    next.range = m_axis.selectedRange();
    next.name = evidence.names;
    next.phase = evidence.phase;
    if (!evidence.allocations.empty())
        next.allocations = std::make_shared<const std::vector<AllocationId>>(evidence.allocations);
    push(std::move(along));
    showNext(std::move(next));
}

void RunFilter::look(std::optional<SpanRef> span) {
    m_restoring = true;
    m_axis.setSelectedSpan(span);
    m_restoring = false;
    m_seen = span;
}

void RunFilter::look(const SelectedIdle& idle) {
    m_restoring = true;
    m_axis.setSelectedIdle(idle);
    m_restoring = false;
    m_seen.reset();
}

void RunFilter::look(AllocationId allocation) {
    m_restoring = true;
    m_axis.setSelectedAllocation(allocation);
    m_restoring = false;
    m_seen.reset();
}

void RunFilter::pick(SpanRef span) {
    if (m_axis.selectedSpan() == span)
        look(std::nullopt);  // it was looked at, or something was selected after it: picked anew
    m_axis.setSelectedSpan(span);
}

bool RunFilter::isLooking() const {
    return m_axis.selectedIdle() || m_axis.selectedAllocation() ||
           (m_axis.selectedSpan() && m_axis.selectedSpan() != m_state.span);
}

void RunFilter::clearSelected() {
    m_restoring = true;
    m_axis.setSelectedRange(std::nullopt);
    if (!isLooking())
        m_axis.setSelectedSpan(std::nullopt);
    m_restoring = false;
    m_seen = m_axis.selectedSpan();
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
    if (m_restoring)
        return;
    State next = m_state;
    const auto picked = m_axis.selectedSpan(), before = m_seen;
    m_seen = picked;
    const auto& snapshot = m_document.snapshot();
    const auto span =
        picked && picked != before && snapshot ? describeSpan(*snapshot, *picked) : std::nullopt;
    if (span && isRangeKind(span->kind)) {
        m_restoring = true;
        m_axis.setSelectedRange(std::nullopt);
        m_restoring = false;
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
    m_restoring = true;
    m_axis.setSelectedRange(state.range);
    if (!looking)
        m_axis.setSelectedSpan(state.span);
    m_restoring = false;
    m_seen = m_axis.selectedSpan();
    emit changed();
}

void RunFilter::takeUp(const Kept& kept) {
    m_restoring = true;
    m_axis.restore(kept.axis);
    m_restoring = false;
    m_seen = m_axis.selectedSpan();
    m_past = kept.past;
    m_future = kept.future;
    m_state = kept.state;
    emit changed();
}

void RunFilter::back() {
    if (m_past.empty())
        return;
    const Entry entry = std::move(m_past.back());
    m_past.pop_back();
    m_future.push_back({m_state, entry.along});
    restore(entry.state);
    if (entry.along.back)
        entry.along.back();
}

void RunFilter::takeBack() {
    if (m_past.empty())
        return;
    const State state = std::move(m_past.back().state);
    m_past.pop_back();
    restore(state);
}

void RunFilter::forward() {
    if (m_future.empty())
        return;
    const Entry entry = std::move(m_future.back());
    m_future.pop_back();
    m_past.push_back({m_state, entry.along});
    restore(entry.state);
    if (entry.along.forward)
        entry.along.forward();
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
    look(std::nullopt);
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

/// Whether a measured step has begun: until then "measured" would be an empty table during warm-up.
bool RunFilter::hasMeasuredStep() const {
    const Snapshot& snapshot = *m_document.snapshot();
    const auto isMeasured = [&](std::int32_t step) {
        return step != kNoStep && stepState(snapshot, step) == StepState::kMeasured;
    };
    for (const TrackId track : snapshot.tracksOfKind(TrackKind::kStep)) {
        for (const SpanLane& lane : snapshot.lanesOf(track)) {
            const auto last = lane.empty() ? std::nullopt : lane.row(lane.rows() - 1);
            // In a run that was cut off, the one before the last may be measured.
            for (std::uint64_t back = 1; last && back <= std::min<std::uint64_t>(2, lane.rows()); ++back) {
                const auto row = lane.row(lane.rows() - back);
                if (row && isMeasured(row->step))
                    return true;
            }
        }
    }
    return std::any_of(snapshot.openSpans().begin(), snapshot.openSpans().end(),
                       [&](const OpenSpan& open) { return isMeasured(open.step); });
}

SpanFilter RunFilter::spanFilter() const {
    SpanFilter filter;
    const auto& snapshot = m_document.snapshot();
    filter.phase = m_state.phase;
    filter.modulePath = m_state.module;
    filter.name = m_state.name;
    const auto span = m_state.span && snapshot ? describeSpan(*snapshot, *m_state.span) : std::nullopt;
    if (m_state.range) {
        filter.ranges = {*m_state.range};
    } else if (span) {
        filter.ranges = {span->range()};
        filter.byLaunch = true;
    } else if (m_state.steps == Steps::kInView) {
        filter.ranges = {m_axis.visibleRange()};
    } else {
        filter.measuredOnly = m_state.steps == Steps::kMeasured && snapshot && hasMeasuredStep();
    }
    return filter;
}

WorkScope RunFilter::work() const {
    WorkScope work(spanFilter());
    const auto& snapshot = m_document.snapshot();
    const auto span = m_state.span && snapshot ? describeSpan(*snapshot, *m_state.span) : std::nullopt;
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
