#include "ui/models/time_axis.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpglass::ui {

namespace {

/// A gesture's entry on the zoom stack serves until the width has changed by this factor.
constexpr double kZoomPerEntry = 4.0;

}  // namespace

TimeAxis::TimeAxis(QObject* parent) : QObject(parent) {
    connect(&ClockChoice::instance(), &ClockChoice::changed, this, &TimeAxis::clockChanged);
}

const StepClock& TimeAxis::clock() const {
    static const StepClock kOfRun;
    return ClockChoice::instance().countsFromRun() ? kOfRun : m_aligned ? *m_aligned : m_steps;
}

void TimeAxis::setAlignment(Nanoseconds moment) {
    const StepClock clock = StepClock::since(moment);
    if (m_aligned == clock)
        return;
    m_aligned = clock;
    emit clockChanged();
}

void TimeAxis::setSteps(StepClock steps) {
    if (steps == m_steps)
        return;
    m_steps = std::move(steps);
    emit clockChanged();
}

void TimeAxis::reset() {
    m_stack.clear();
    m_redo.clear();
    m_gesture = Gesture::kNone;
    m_before = m_after = Nanoseconds(0);
    m_aligned.reset();
    setSteps({});
    setCursor(std::nullopt);
    setPinnedCursor(std::nullopt);
    setSelectedSpan(std::nullopt);
    setHoveredSpan(std::nullopt);
    setSelectedRange(std::nullopt);
    if (!m_following) {
        m_following = true;
        emit followingChanged(true);
    }
    const TimeRange nothing{Nanoseconds(0), Nanoseconds(1)};
    if (m_full != nothing) {
        m_full = nothing;
        emit fullRangeChanged();
    }
    show(nothing);
}

TimeAxis::State TimeAxis::state() const {
    return {m_visible, m_visible == bounds(), m_following,    m_stack,        m_redo,
            m_pinned,  m_selectedRange,       m_selectedSpan, m_selectedIdle, m_selectedAllocation};
}

void TimeAxis::restore(const State& state) {
    setPinnedCursor(state.pinned);
    const bool selects = m_selectedRange != state.selectedRange || m_selectedSpan != state.selectedSpan ||
                         m_selectedIdle != state.selectedIdle ||
                         m_selectedAllocation != state.selectedAllocation;
    m_selectedRange = state.selectedRange;
    m_selectedSpan = state.selectedSpan;
    m_selectedIdle = state.selectedIdle;
    m_selectedAllocation = state.selectedAllocation;
    if (selects)
        emit selectionChanged();
    // After the selection, which a view may have brought into sight by moving the range.
    if (m_following != state.following) {
        m_following = state.following;
        emit followingChanged(m_following);
    }
    const Nanoseconds width = state.visible.duration();
    show(state.whole       ? bounds()
         : state.following ? clamped({m_full.end - width, m_full.end})
                           : clamped(state.visible));
    m_stack = state.stack;
    m_redo = state.redo;
    m_gesture = Gesture::kNone;
}

void TimeAxis::setFullRange(TimeRange range) {
    range.end = std::max(range.end, range.begin + Nanoseconds(1));
    if (range == m_full)
        return;
    const bool showedAll = m_visible == m_full;
    m_full = range;
    emit fullRangeChanged();
    if (!m_following)
        show(clamped(m_visible));
    else if (showedAll)
        show(m_full);
    else
        show(clamped({m_full.end - m_visible.duration(), m_full.end}));
}

void TimeAxis::setBeyond(Nanoseconds before, Nanoseconds after) {
    m_before = std::max(before, Nanoseconds(0));
    m_after = std::max(after, Nanoseconds(0));
    show(clamped(m_visible));
}

TimeRange TimeAxis::clamped(TimeRange range) const {
    if (range.end < range.begin)
        std::swap(range.begin, range.end);
    const TimeRange most = bounds();
    const Nanoseconds whole = most.duration();
    if (range.duration() < kMinimumWidth) {
        const Nanoseconds missing = kMinimumWidth - range.duration();
        range.begin -= Nanoseconds(missing.value / 2);
        range.end = range.begin + kMinimumWidth;
    }
    if (range.duration() >= whole)
        return most;
    if (range.begin < most.begin)
        return {most.begin, most.begin + range.duration()};
    if (range.end > most.end)
        return {most.end - range.duration(), most.end};
    return range;
}

void TimeAxis::push(TimeRange range) {
    m_redo.clear();
    if (!m_stack.empty() && m_stack.back() == range)
        return;
    if (m_stack.size() == kMaxZoomStack)
        m_stack.erase(m_stack.begin());
    m_stack.push_back(range);
}

void TimeAxis::pushForGesture(Gesture gesture) {
    bool newEntry = gesture != m_gesture || m_stack.empty();
    if (!newEntry) {
        const TimeRange from = m_stack.back();
        const double ratio = static_cast<double>(m_visible.duration().value) /
                             static_cast<double>(std::max<std::int64_t>(1, from.duration().value));
        const std::int64_t moved = std::abs(m_visible.begin.value - from.begin.value);
        newEntry = gesture == Gesture::kPan ? moved >= m_visible.duration().value
                                            : ratio >= kZoomPerEntry || ratio <= 1.0 / kZoomPerEntry;
    }
    m_redo.clear();
    if (newEntry)
        push(m_visible);
    m_gesture = gesture;
}

void TimeAxis::show(TimeRange range) {
    if (range == m_visible)
        return;
    m_visible = range;
    emit visibleRangeChanged();
}

void TimeAxis::setVisibleRange(TimeRange range, bool undoable) {
    range = clamped(range);
    if (range == m_visible)
        return;
    if (undoable) {
        push(m_visible);
        m_gesture = Gesture::kNone;
    }
    show(range);
    if (range.end < m_full.end)
        setFollowing(false);
}

void TimeAxis::fitAll() {
    setVisibleRange(bounds());
    // A run beside another has ended; its newest moment is not where the view ends.
    if (bounds() == m_full)
        setFollowing(true);
}

void TimeAxis::zoomAt(Nanoseconds anchor, double factor) {
    if (!(factor > 0) || !std::isfinite(factor) || factor == 1.0 || bounds().duration() <= kMinimumWidth)
        return;
    anchor = std::clamp(anchor, m_visible.begin, m_visible.end);
    // Beyond the run's own size a double still holds the width; clamped() brings it back.
    const double width = static_cast<double>(m_visible.duration().value);
    const double newWidth = std::clamp(width * factor, static_cast<double>(kMinimumWidth.value),
                                       static_cast<double>(bounds().duration().value) + 1.0);
    const double share = width > 0 ? static_cast<double>((anchor - m_visible.begin).value) / width : 0.5;
    const Nanoseconds begin = anchor - Nanoseconds(std::llround(share * newWidth));
    const TimeRange range = clamped({begin, begin + Nanoseconds(std::llround(newWidth))});
    if (range == m_visible)
        return;
    pushForGesture(factor < 1 ? Gesture::kZoomIn : Gesture::kZoomOut);
    setVisibleRange(range, false);
}

void TimeAxis::panBy(Nanoseconds delta) {
    delta = std::clamp(delta, bounds().begin - m_visible.begin, bounds().end - m_visible.end);
    if (delta.value == 0)
        return;
    pushForGesture(Gesture::kPan);
    setVisibleRange({m_visible.begin + delta, m_visible.end + delta}, false);
}

void TimeAxis::step(std::vector<TimeRange>& from, std::vector<TimeRange>& to) {
    m_gesture = Gesture::kNone;
    while (!from.empty()) {
        const TimeRange range = clamped(from.back());
        from.pop_back();
        if (range == m_visible)
            continue;  // the run has been cleared or has grown to what that entry showed
        to.push_back(m_visible);
        setVisibleRange(range, false);
        return;
    }
}

void TimeAxis::zoomBack() {
    step(m_stack, m_redo);
}

void TimeAxis::zoomForward() {
    step(m_redo, m_stack);
}

void TimeAxis::setFollowing(bool following) {
    if (following == m_following)
        return;
    m_following = following;
    if (following)
        show({m_full.end - m_visible.duration(), m_full.end});
    emit followingChanged(following);
}

void TimeAxis::setCursor(std::optional<Nanoseconds> time) {
    if (time == m_cursor)
        return;
    m_cursor = time;
    emit cursorChanged();
}

void TimeAxis::setPinnedCursor(std::optional<Nanoseconds> time) {
    if (time == m_pinned)
        return;
    m_pinned = time;
    emit pinnedCursorChanged();
}

void TimeAxis::setSelectedRange(std::optional<TimeRange> range) {
    if (range && range->end <= range->begin)
        range.reset();
    if (range == m_selectedRange)
        return;
    m_selectedRange = range;
    emit selectionChanged();
}

void TimeAxis::setSelectedSpan(std::optional<SpanRef> span) {
    select(span, std::nullopt, std::nullopt);
}

void TimeAxis::setSelectedIdle(std::optional<SelectedIdle> idle) {
    select(std::nullopt, idle, std::nullopt);
}

void TimeAxis::setSelectedAllocation(std::optional<AllocationId> allocation) {
    select(std::nullopt, std::nullopt, allocation);
}

void TimeAxis::select(std::optional<SpanRef> span, std::optional<SelectedIdle> idle,
                      std::optional<AllocationId> allocation) {
    if (span == m_selectedSpan && idle == m_selectedIdle && allocation == m_selectedAllocation)
        return;
    m_selectedSpan = span;
    m_selectedIdle = idle;
    m_selectedAllocation = allocation;
    emit selectionChanged();
}

void TimeAxis::setHoveredSpan(std::optional<SpanRef> span) {
    if (span == m_hoveredSpan)
        return;
    m_hoveredSpan = span;
    emit hoveredSpanChanged();
}

}  // namespace warpglass::ui
