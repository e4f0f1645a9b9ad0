// The one time axis that the timeline and the charts share: what is visible and, as a TimeSelection, where
// the cursor is and what is selected. Views read it and ask it to change; setters return early when nothing
// changes, so views may be wired in circles.
#pragma once

#include <optional>

#include "engine/base/units.h"
#include "ui/models/step_clock.h"
#include "ui/models/time_selection.h"
#include "ui/models/zoom_history.h"

namespace warpglass::ui {

class TimeAxis : public TimeSelection {
    Q_OBJECT
public:
    explicit TimeAxis(QObject* parent = nullptr);

    /// The user's state of the axis of one run, to be restored when that run is shown again.
    struct State {
        TimeRange visible;
        bool whole = true;  // all of the run was visible
        bool following = true;
        ZoomHistory history;
        Selected selected;
    };
    State state() const { return {m_visible, m_visible == bounds(), m_following, m_history, selected()}; }
    /// Precondition: the full range is that of the same run, which may have grown or ended meanwhile.
    void restore(const State& state);

    /// For another run: everything as newly made, until setFullRange() says how long the run is.
    void reset();

    /// The whole run. While a run is live and the axis follows, the visible range keeps showing all of it
    /// (or, once zoomed, keeps its width and its right edge at the newest moment).
    TimeRange fullRange() const { return m_full; }
    void setFullRange(TimeRange range);
    /// How far what is visible may leave the run, before its beginning and after its end: for a run shown
    /// beside another that lasts longer.
    void setBeyond(Nanoseconds before, Nanoseconds after);
    /// By what every view on this axis tells moments: the run's steps, or what it is aligned at beside
    /// another run, or neither where the user has them count from the start of the run (ClockChoice).
    const StepClock& clock() const;
    void setSteps(StepClock steps);
    /// For a run shown beside another one; until reset().
    void setAlignment(Nanoseconds moment);
    TimeRange visibleRange() const { return m_visible; }
    /// Clamped to the full range and to at least kMinimumWidth. Pushes the former range on the zoom stack
    /// when `undoable`. Leaves the right edge of the run: stops following.
    void setVisibleRange(TimeRange range, bool undoable = true);
    /// Shows the whole run, and follows it again.
    void fitAll();
    /// Scales the visible range about `anchor` (a time); factor < 1 zooms in. Many small steps of one gesture
    /// make one entry of the zoom stack (a new one after each factor of 4, or when the direction turns).
    void zoomAt(Nanoseconds anchor, double factor);
    /// Moves the visible range, as far as the run goes; one entry of the zoom stack a screenful.
    void panBy(Nanoseconds delta);
    void zoomBack();
    bool canZoomBack() const { return m_history.canGoBack(); }
    /// Takes zoomBack() back, until something else changes the range.
    void zoomForward();
    bool canZoomForward() const { return m_history.canGoForward(); }

    bool following() const { return m_following; }
    /// Following brings the visible range, at its width, to the newest moment.
    void setFollowing(bool following);

    /// Below this nothing recorded differs: 100 ns.
    static constexpr Nanoseconds kMinimumWidth{100};

signals:
    void clockChanged();
    void fullRangeChanged();
    void visibleRangeChanged();
    void followingChanged(bool following);

private:
    TimeRange clamped(TimeRange range) const;
    TimeRange bounds() const { return {m_full.begin - m_before, m_full.end + m_after}; }
    void show(TimeRange range);

    TimeRange m_full{Nanoseconds(0), Nanoseconds(1)};
    Nanoseconds m_before, m_after;
    TimeRange m_visible{Nanoseconds(0), Nanoseconds(1)};
    ZoomHistory m_history;
    bool m_following = true;
    StepClock m_steps;
    std::optional<StepClock> m_aligned;
};

}  // namespace warpglass::ui
