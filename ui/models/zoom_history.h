// The ranges that a time axis has shown, to go back to and forward again. Many small steps of one gesture
// make one entry: a new one after each factor of 4, each screenful, or when the direction turns.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "engine/base/units.h"

namespace warpglass::ui {

class ZoomHistory {
public:
    enum class Gesture { kNone, kZoomIn, kZoomOut, kPan };

    bool canGoBack() const { return !m_back.empty(); }
    bool canGoForward() const { return !m_forward.empty(); }
    /// What is shown is about to change; without a gesture at once to something else.
    void push(TimeRange shown, Gesture gesture = Gesture::kNone);
    /// What was shown before, and after that. An entry counts as the axis would show it now (`clamped`), and
    /// not where that is what it shows: the run has been cleared or has grown to it.
    using Clamp = std::function<TimeRange(TimeRange)>;
    std::optional<TimeRange> back(TimeRange shown, const Clamp& clamped);
    std::optional<TimeRange> forward(TimeRange shown, const Clamp& clamped);
    /// The next step of a gesture makes an entry of its own.
    void endGesture() { m_gesture = Gesture::kNone; }

    /// More steps back than anyone takes; bounds what hours of zooming cost.
    static constexpr std::size_t kMost = 100;

private:
    std::optional<TimeRange> step(std::vector<TimeRange>& from, std::vector<TimeRange>& to, TimeRange shown,
                                  const Clamp& clamped);

    std::vector<TimeRange> m_back, m_forward;
    Gesture m_gesture = Gesture::kNone;
};

}  // namespace warpglass::ui
