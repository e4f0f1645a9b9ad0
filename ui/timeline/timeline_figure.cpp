// The timeline in a figure, which cannot be scrolled: as many of its rows as fit whole, from the first of
// them.
#include <QScrollBar>
#include <algorithm>

#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

void TimelineView::setInFigure(bool inFigure) {
    m_leftOut = 0;
    if (inFigure) {
        m_scrollBefore = scrollTop();
        return;
    }
    updateScrollBar();
    m_scrollBar->setValue(m_scrollBefore);
}

int TimelineView::figureHeight(int, int) {
    return headHeight() + contentHeight();
}

std::optional<int> TimelineView::heightThrough(TrackKind kind) const {
    std::optional<int> bottom;
    for (const TimelineTrack& track : m_rows.tracks()) {
        if (track.kind == kind)
            bottom = std::max(bottom.value_or(0), headHeight() + track.top + track.height + kTrackGap / 2);
    }
    return bottom;
}

void TimelineView::fitInFigure() {
    m_leftOut = 0;
    updateScrollBar();
    m_scrollBar->hide();
    m_scrollBar->setValue(std::max(0, m_scrollBefore));
    // What is scrolled to may begin within a track.
    const int pinned = pinnedHeight();
    for (const TimelineTrack& track : m_rows.tracks()) {
        if (scrollTop() > 0 && track.top - pinned <= scrollTop() &&
            scrollTop() < track.top + track.height - pinned)
            m_scrollBar->setValue(std::max(0, track.top - pinned - kTrackGap / 2));
    }
    const int height = plotArea().height();
    if (contentHeight() - scrollTop() <= height)
        return;
    int whole = pinned;
    for (const TimelineTrack& track : m_rows.tracks()) {
        const int top = shownTop(track.top);
        // A label has two lines.
        const int least = std::min(track.height, kTwoLineLabelHeight);
        if (top < pinned || top + least > height)
            continue;
        for (std::size_t row = track.firstRow; row < track.firstRow + track.rowCount; ++row) {
            const int bottom = shownTop(m_rows.rows()[row].top) + m_rows.rows()[row].height;
            if (bottom <= height)
                whole = std::max({whole, bottom, top + least});
        }
        if (top + track.height <= height)
            whole = std::max(whole, top + track.height);
    }
    m_leftOut = std::max(0, height - whole);
}

}  // namespace warpglass::ui
