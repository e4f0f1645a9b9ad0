#include "ui/models/zoom_history.h"

#include <algorithm>
#include <cmath>

namespace warpglass::ui {

namespace {

/// A gesture's entry serves until the width has changed by this factor.
constexpr double kZoomPerEntry = 4.0;

/// Whether a gesture that began at `from` has come far enough for an entry of its own.
bool isFar(TimeRange from, TimeRange shown, ZoomHistory::Gesture gesture) {
    if (gesture == ZoomHistory::Gesture::kPan)
        return std::abs(shown.begin.value - from.begin.value) >= shown.duration().value;
    const double ratio = static_cast<double>(shown.duration().value) /
                         static_cast<double>(std::max<std::int64_t>(1, from.duration().value));
    return ratio >= kZoomPerEntry || ratio <= 1.0 / kZoomPerEntry;
}

}  // namespace

void ZoomHistory::push(TimeRange shown, Gesture gesture) {
    m_forward.clear();
    const bool goesOn = gesture != Gesture::kNone && gesture == m_gesture && !m_back.empty() &&
                        !isFar(m_back.back(), shown, gesture);
    m_gesture = gesture;
    if (goesOn || (!m_back.empty() && m_back.back() == shown))
        return;
    if (m_back.size() == kMost)
        m_back.erase(m_back.begin());
    m_back.push_back(shown);
}

std::optional<TimeRange> ZoomHistory::step(std::vector<TimeRange>& from, std::vector<TimeRange>& to,
                                           TimeRange shown, const Clamp& clamped) {
    endGesture();
    while (!from.empty()) {
        const TimeRange range = clamped(from.back());
        from.pop_back();
        if (range == shown)
            continue;
        to.push_back(shown);
        return range;
    }
    return std::nullopt;
}

std::optional<TimeRange> ZoomHistory::back(TimeRange shown, const Clamp& clamped) {
    return step(m_back, m_forward, shown, clamped);
}

std::optional<TimeRange> ZoomHistory::forward(TimeRange shown, const Clamp& clamped) {
    return step(m_forward, m_back, shown, clamped);
}

}  // namespace warpglass::ui
