// What is pointed at and selected in time, of one run, for all its views: the part of the TimeAxis that knows
// nothing of what is visible. Setters return early when nothing changes, so views may be wired in circles.
#pragma once

#include <QObject>
#include <optional>
#include <variant>

#include "engine/base/units.h"
#include "engine/query/activity/gpu_busy.h"
#include "engine/trace/span_ref.h"

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

/// What is inspected: a span, an idle stretch, an allocation or nothing.
struct Inspected : std::variant<std::monostate, SpanRef, SelectedIdle, AllocationId> {
    using variant::variant;
    Inspected(std::optional<SpanRef> span) {
        if (span)
            *this = *span;
    }
    template <class T>
    std::optional<T> as() const {
        const T* held = std::get_if<T>(this);
        return held ? std::optional(*held) : std::nullopt;
    }
};

class TimeSelection : public QObject {
    Q_OBJECT
public:
    using QObject::QObject;

    /// The cursor all views draw; none when the mouse is elsewhere and nothing is pinned.
    std::optional<Nanoseconds> cursor() const { return m_cursor; }
    void setCursor(std::optional<Nanoseconds> time);
    /// A click fixes the cursor: views that show "at the cursor" keep it when the mouse leaves.
    std::optional<Nanoseconds> pinnedCursor() const { return m_selected.pinned; }
    void setPinnedCursor(std::optional<Nanoseconds> time);
    /// Hover if any, else the pinned moment.
    std::optional<Nanoseconds> effectiveCursor() const { return m_cursor ? m_cursor : m_selected.pinned; }

    std::optional<TimeRange> selectedRange() const { return m_selected.range; }
    /// An empty or reversed range selects nothing.
    void setSelectedRange(std::optional<TimeRange> range);
    std::optional<SpanRef> selectedSpan() const { return m_selected.inspected.as<SpanRef>(); }
    std::optional<SelectedIdle> selectedIdle() const { return m_selected.inspected.as<SelectedIdle>(); }
    std::optional<AllocationId> selectedAllocation() const { return m_selected.inspected.as<AllocationId>(); }
    void inspect(const Inspected& inspected);
    void setSelectedSpan(std::optional<SpanRef> span) { inspect(span); }
    /// The span under the mouse, in whichever view: the others show what belongs to it.
    std::optional<SpanRef> hoveredSpan() const { return m_hoveredSpan; }
    void setHoveredSpan(std::optional<SpanRef> span);

signals:
    void cursorChanged();
    void pinnedCursorChanged();
    void selectionChanged();
    void hoveredSpanChanged();

protected:
    /// What is kept of a run while another is shown.
    struct Selected {
        std::optional<Nanoseconds> pinned;
        std::optional<TimeRange> range;
        Inspected inspected;
    };
    const Selected& selected() const { return m_selected; }
    void restoreSelected(const Selected& selected);
    /// For another run.
    void forgetSelected();

private:
    std::optional<Nanoseconds> m_cursor;
    std::optional<SpanRef> m_hoveredSpan;
    Selected m_selected;
};

}  // namespace warpglass::ui
