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
        if (track.kind == kind && !track.gpu)
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
    // A lane is there whole or not at all, and so is a label, of two lines beside a low track.
    std::vector<std::pair<int, int>> parts;
    for (const TimelineTrack& track : m_rows.tracks()) {
        parts.emplace_back(shownTop(track.top), std::min(track.height, kTwoLineLabelHeight));
        // A Busy lane says nothing without its legend; kernels do, and rather stand without it than not at
        // all.
        if (track.gpu && track.legendHeight > 0)
            parts.emplace_back(shownTop(track.top), track.height);
        else if (track.legendHeight > 0)
            parts.emplace_back(shownTop(track.legendTop()), track.legendHeight);
    }
    for (const TimelineRow& row : m_rows.rows())
        parts.emplace_back(shownTop(row.top), row.height);
    const auto cutsNone = [&](int end) {
        return std::none_of(parts.begin(), parts.end(), [end](const auto& part) {
            return part.first < end && end < part.first + part.second;
        });
    };
    int whole = pinned;
    for (const auto& [top, high] : parts) {
        if (const int end = top + high; end <= height && end > whole && cutsNone(end))
            whole = end;
    }
    m_leftOut = std::max(0, height - whole);
}

}  // namespace warpglass::ui
