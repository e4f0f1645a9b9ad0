// The one time axis that the timeline and the charts share: what is visible, where the cursor is, what is
// selected. Views read it and ask it to change; setters return early when nothing changes, so views may be
// wired in circles.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "engine/base/units.h"
#include "engine/trace/ids.h"

namespace warpglass::ui {

/// A span picked in the timeline or by a table.
struct SpanRef {
    LaneId lane;
    std::uint64_t row = 0;
    bool operator==(const SpanRef&) const = default;
};

class TimeAxis : public QObject {
    Q_OBJECT
public:
    explicit TimeAxis(QObject* parent = nullptr);

    /// The whole run. While a run is live and the axis follows, the visible range keeps showing all of it
    /// (or, once zoomed, keeps its width and its right edge at the newest moment).
    TimeRange fullRange() const { return m_full; }
    void setFullRange(TimeRange range);
    TimeRange visibleRange() const { return m_visible; }
    /// Clamped to the full range and to at least kMinimumWidth. Pushes the former range on the zoom stack
    /// when `undoable`.
    void setVisibleRange(TimeRange range, bool undoable = true);
    void fitAll();
    /// Scales the visible range about `anchor` (a time); factor < 1 zooms in.
    void zoomAt(Nanoseconds anchor, double factor);
    void panBy(Nanoseconds delta);
    void zoomBack();
    bool canZoomBack() const { return !m_stack.empty(); }

    bool following() const { return m_following; }
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
    void setSelectedRange(std::optional<TimeRange> range);
    std::optional<SpanRef> selectedSpan() const { return m_selectedSpan; }
    void setSelectedSpan(std::optional<SpanRef> span);

    /// Below this nothing recorded differs: 100 ns.
    static constexpr Nanoseconds kMinimumWidth{100};

signals:
    void fullRangeChanged();
    void visibleRangeChanged();
    void cursorChanged();
    void pinnedCursorChanged();
    void selectionChanged();
    void followingChanged(bool following);

private:
    TimeRange m_full{Nanoseconds(0), Nanoseconds(1)};
    TimeRange m_visible{Nanoseconds(0), Nanoseconds(1)};
    std::vector<TimeRange> m_stack;
    bool m_following = true;
    std::optional<Nanoseconds> m_cursor;
    std::optional<Nanoseconds> m_pinned;
    std::optional<TimeRange> m_selectedRange;
    std::optional<SpanRef> m_selectedSpan;
};

}  // namespace warpglass::ui
