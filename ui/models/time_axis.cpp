#include "ui/models/time_axis.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace warpglass::ui {

TimeAxis::TimeAxis(QObject* parent) : TimeSelection(parent) {
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
    m_history = {};
    m_before = m_after = Nanoseconds(0);
    m_aligned.reset();
    setSteps({});
    forgetSelected();
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

void TimeAxis::restore(const State& state) {
    restoreSelected(state.selected);
    // After the selection, which a view may have brought into sight by moving the range.
    if (m_following != state.following) {
        m_following = state.following;
        emit followingChanged(m_following);
    }
    const Nanoseconds width = state.visible.duration();
    show(state.whole       ? bounds()
         : state.following ? clamped({m_full.end - width, m_full.end})
                           : clamped(state.visible));
    m_history = state.history;
    m_history.endGesture();
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
    if (undoable)
        m_history.push(m_visible);
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
    using Gesture = ZoomHistory::Gesture;
    m_history.push(m_visible, factor < 1 ? Gesture::kZoomIn : Gesture::kZoomOut);
    setVisibleRange(range, false);
}

void TimeAxis::panBy(Nanoseconds delta) {
    delta = std::clamp(delta, bounds().begin - m_visible.begin, bounds().end - m_visible.end);
    if (delta.value == 0)
        return;
    m_history.push(m_visible, ZoomHistory::Gesture::kPan);
    setVisibleRange({m_visible.begin + delta, m_visible.end + delta}, false);
}

void TimeAxis::zoomBack() {
    if (const auto range = m_history.back(m_visible, [this](TimeRange to) { return clamped(to); }))
        setVisibleRange(*range, false);
}

void TimeAxis::zoomForward() {
    if (const auto range = m_history.forward(m_visible, [this](TimeRange to) { return clamped(to); }))
        setVisibleRange(*range, false);
}

void TimeAxis::setFollowing(bool following) {
    if (following == m_following)
        return;
    m_following = following;
    if (following)
        show({m_full.end - m_visible.duration(), m_full.end});
    emit followingChanged(following);
}

}  // namespace warpglass::ui
