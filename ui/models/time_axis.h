// The one time axis that the timeline and the charts share: what is visible, where the cursor is, what is
// selected. Views read it and ask it to change; setters return early when nothing changes, so views may be
// wired in circles.
//
// GUI thread only.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "engine/base/units.h"
#include "engine/query/activity/gpu_busy.h"
#include "engine/trace/span_ref.h"
#include "ui/models/step_clock.h"

namespace warpglass::ui {

using warpglass::SpanRef;

/// A stretch of time in which a GPU was idle within a step: what a Busy lane shows.
struct SelectedIdle {
    /// Which of gpusOf() (engine/query/activity/gpu_idle.h).
    std::uint32_t gpu = 0;
    GpuBusy::Stretch stretch;
    TimeRange range() const { return {Nanoseconds(stretch.begin), Nanoseconds(stretch.end)}; }
    bool operator==(const SelectedIdle&) const = default;
};

class TimeAxis : public QObject {
    Q_OBJECT
public:
    explicit TimeAxis(QObject* parent = nullptr);

    /// The user's state of the axis of one run, to be restored when that run is shown again.
    struct State {
        TimeRange visible;
        bool whole = true;  // all of the run was visible
        bool following = true;
        std::vector<TimeRange> stack, redo;
        std::optional<Nanoseconds> pinned;
        std::optional<TimeRange> selectedRange;
        std::optional<SpanRef> selectedSpan;
        std::optional<SelectedIdle> selectedIdle;
        std::optional<AllocationId> selectedAllocation;
    };
    State state() const;
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
    bool canZoomBack() const { return !m_stack.empty(); }
    /// Takes zoomBack() back, until something else changes the range.
    void zoomForward();
    bool canZoomForward() const { return !m_redo.empty(); }

    bool following() const { return m_following; }
    /// Following brings the visible range, at its width, to the newest moment.
    void setFollowing(bool following);

    /// The cursor all views draw; none when the mouse is elsewhere and nothing is pinned.
    std::optional<Nanoseconds> cursor() const { return m_cursor; }
    void setCursor(std::optional<Nanoseconds> time);
    /// A click fixes the cursor: views that show "at the cursor" keep it when the mouse leaves.
    std::optional<Nanoseconds> pinnedCursor() const { return m_pinned; }
    void setPinnedCursor(std::optional<Nanoseconds> time);
    /// Hover if any, else the pinned moment.
    std::optional<Nanoseconds> effectiveCursor() const { return m_cursor ? m_cursor : m_pinned; }

    std::optional<TimeRange> selectedRange() const { return m_selectedRange; }
    /// An empty or reversed range selects nothing.
    void setSelectedRange(std::optional<TimeRange> range);
    /// A span, an idle stretch or an allocation: each lets go of the others, also where it selects nothing.
    std::optional<SpanRef> selectedSpan() const { return m_selectedSpan; }
    void setSelectedSpan(std::optional<SpanRef> span);
    std::optional<SelectedIdle> selectedIdle() const { return m_selectedIdle; }
    void setSelectedIdle(std::optional<SelectedIdle> idle);
    std::optional<AllocationId> selectedAllocation() const { return m_selectedAllocation; }
    void setSelectedAllocation(std::optional<AllocationId> allocation);
    /// The span under the mouse, in whichever view: the others show what belongs to it.
    std::optional<SpanRef> hoveredSpan() const { return m_hoveredSpan; }
    void setHoveredSpan(std::optional<SpanRef> span);

    /// Below this nothing recorded differs: 100 ns.
    static constexpr Nanoseconds kMinimumWidth{100};
    /// More steps back than anyone takes; bounds what hours of zooming cost.
    static constexpr std::size_t kMaxZoomStack = 100;

signals:
    void clockChanged();
    void fullRangeChanged();
    void visibleRangeChanged();
    void cursorChanged();
    void pinnedCursorChanged();
    void selectionChanged();
    void hoveredSpanChanged();
    void followingChanged(bool following);

private:
    enum class Gesture { kNone, kZoomIn, kZoomOut, kPan };

    TimeRange clamped(TimeRange range) const;
    TimeRange bounds() const { return {m_full.begin - m_before, m_full.end + m_after}; }
    void push(TimeRange range);
    /// The last entry of `from` that differs from what is shown; what is shown goes to `to`.
    void step(std::vector<TimeRange>& from, std::vector<TimeRange>& to);
    /// Pushes the present range if this gesture's last entry is another gesture's or far away.
    void pushForGesture(Gesture gesture);
    void show(TimeRange range);
    void select(std::optional<SpanRef> span, std::optional<SelectedIdle> idle,
                std::optional<AllocationId> allocation);

    TimeRange m_full{Nanoseconds(0), Nanoseconds(1)};
    Nanoseconds m_before, m_after;
    TimeRange m_visible{Nanoseconds(0), Nanoseconds(1)};
    std::vector<TimeRange> m_stack;
    std::vector<TimeRange> m_redo;
    Gesture m_gesture = Gesture::kNone;
    bool m_following = true;
    StepClock m_steps;
    std::optional<StepClock> m_aligned;
    std::optional<Nanoseconds> m_cursor;
    std::optional<Nanoseconds> m_pinned;
    std::optional<TimeRange> m_selectedRange;
    std::optional<SpanRef> m_selectedSpan;
    std::optional<SelectedIdle> m_selectedIdle;
    std::optional<AllocationId> m_selectedAllocation;
    std::optional<SpanRef> m_hoveredSpan;
};

}  // namespace warpglass::ui
