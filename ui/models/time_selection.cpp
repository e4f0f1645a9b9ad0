#include "ui/models/time_selection.h"

namespace warpglass::ui {

void TimeSelection::setCursor(std::optional<Nanoseconds> time) {
    if (time == m_cursor)
        return;
    m_cursor = time;
    emit cursorChanged();
}

void TimeSelection::setPinnedCursor(std::optional<Nanoseconds> time) {
    if (time == m_selected.pinned)
        return;
    m_selected.pinned = time;
    emit pinnedCursorChanged();
}

void TimeSelection::setSelectedRange(std::optional<TimeRange> range) {
    if (range && range->end <= range->begin)
        range.reset();
    if (range == m_selected.range)
        return;
    m_selected.range = range;
    emit selectionChanged();
}

void TimeSelection::inspect(const Inspected& inspected) {
    if (inspected == m_selected.inspected)
        return;
    m_selected.inspected = inspected;
    emit selectionChanged();
}

void TimeSelection::setHoveredSpan(std::optional<SpanRef> span) {
    if (span == m_hoveredSpan)
        return;
    m_hoveredSpan = span;
    emit hoveredSpanChanged();
}

void TimeSelection::restoreSelected(const Selected& selected) {
    setPinnedCursor(selected.pinned);
    if (selected.range == m_selected.range && selected.inspected == m_selected.inspected)
        return;
    m_selected = selected;
    emit selectionChanged();
}

void TimeSelection::forgetSelected() {
    setCursor(std::nullopt);
    setPinnedCursor(std::nullopt);
    setSelectedSpan(std::nullopt);
    setHoveredSpan(std::nullopt);
    setSelectedRange(std::nullopt);
}

}  // namespace warpglass::ui
