#include "ui/timeline/timeline_viewport.h"

#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <vector>

#include "ui/models/time_axis.h"
#include "ui/timeline/timeline_coordinates.h"

namespace warpglass::ui {

TimelineViewport::TimelineViewport(QWidget& view, const TimeAxis& axis)
    : m_view(view), m_axis(axis), m_scrollBar(new QScrollBar(Qt::Vertical, &view)) {
    m_scrollBar->setFocusPolicy(Qt::NoFocus);
    m_scrollBar->setCursor(Qt::ArrowCursor);
    m_scrollBar->setSingleStep(kScrollStep);
    QObject::connect(m_scrollBar, &QScrollBar::valueChanged, &view, [&view] {
        QToolTip::hideText();  // of a row that is elsewhere now
        view.update();
    });
}

bool TimelineViewport::layOutRows(const Snapshot* snapshot, LegendHeights legends) {
    TimelineRows rows = snapshot ? TimelineRows(*snapshot, m_arrangement, legends) : TimelineRows();
    if (rows == m_rows)
        return false;
    m_rows = std::move(rows);
    m_pointed = {};
    updateScrollBar();
    return true;
}

void TimelineViewport::forgetRows() {
    m_rows = TimelineRows();
    m_arrangement.setRevealed({});
    m_pointed = {};
}

QRect TimelineViewport::plotArea() const {
    return m_view.rect().adjusted(kTrackLabelWidth, m_headHeight, 0, -m_leftOut);
}

bool TimelineViewport::setHeadHeight(int height) {
    if (height == m_headHeight)
        return false;
    m_headHeight = height;
    updateScrollBar();
    return true;
}

Nanoseconds TimelineViewport::timeAt(double x) const {
    const TimeRange visible = m_axis.visibleRange();
    const Nanoseconds t = pixelToTime(x - kTrackLabelWidth, visible, plotArea().width());
    return std::clamp(t, visible.begin, visible.end);
}

int TimelineViewport::pinnedHeight() const {
    return m_rows.pinnedHeight() <= plotArea().height() * 2 / 3 ? m_rows.pinnedHeight() : 0;
}

int TimelineViewport::contentHeight() const {
    return m_rows.height() + (hiddenTracks() > 0 ? kBandRowHeight : 0);
}

std::size_t TimelineViewport::hiddenTracks() const {
    const std::size_t hidden = m_rows.hiddenTracks();
    return hidden - std::min(hidden, m_tracksOutOfFigure);
}

std::pair<std::size_t, std::size_t> TimelineViewport::shownRows() const {
    const auto& rows = m_rows.rows();
    const int top = scrollTop() + pinnedHeight(), bottom = scrollTop() + plotArea().height();
    std::size_t first = pinnedRows();
    while (first < rows.size() && rows[first].top + rows[first].height <= top)
        ++first;
    std::size_t last = first;
    while (last < rows.size() && rows[last].top < bottom)
        ++last;
    return {first, last};
}

std::optional<int> TimelineViewport::heightThrough(TrackKind kind) const {
    std::optional<int> bottom;
    for (const TimelineTrack& track : m_rows.tracks()) {
        if (track.kind == kind && !track.gpu)
            bottom = std::max(bottom.value_or(0), m_headHeight + track.top + track.height + kTrackGap / 2);
    }
    return bottom;
}

int TimelineViewport::scrollTop() const {
    return m_scrollBar->value();
}

void TimelineViewport::setScrollTop(int top) {
    m_scrollBar->setValue(top);
}

void TimelineViewport::scrollByPages(int by) {
    setScrollTop(scrollTop() + by * m_scrollBar->pageStep());
}

void TimelineViewport::scrollTo(int top, int height) {
    if (top < pinnedHeight())
        return;
    if (top - pinnedHeight() < scrollTop())
        setScrollTop(top - pinnedHeight() - kTrackGap / 2);
    else if (top + height > scrollTop() + plotArea().height())
        setScrollTop(top + height + kTrackGap / 2 - plotArea().height());
}

void TimelineViewport::scrollToRow(std::size_t row) {
    scrollTo(m_rows.rows()[row].top, m_rows.rows()[row].height);
}

void TimelineViewport::scrollToTrack(std::size_t track) {
    scrollTo(m_rows.tracks()[track].top, m_rows.tracks()[track].height);
}

void TimelineViewport::updateScrollBar() {
    const QRect plot = plotArea();
    const int hidden = std::max(0, contentHeight() - plot.height());
    m_scrollBar->setRange(0, hidden);
    m_scrollBar->setPageStep(std::max(1, plot.height() - pinnedHeight()));
    m_scrollBar->setGeometry(m_view.width() - kScrollBarWidth, plot.top(), kScrollBarWidth, plot.height());
    m_scrollBar->setVisible(hidden > 0);
}

void TimelineViewport::setInFigure(bool inFigure) {
    m_leftOut = 0;
    m_tracksOutOfFigure = 0;
    if (inFigure) {
        m_scrollBefore = m_scrollInFigure = scrollTop();
        return;
    }
    updateScrollBar();
    setScrollTop(m_scrollBefore);
}

void TimelineViewport::leaveOutInFigure(const std::set<std::string>& keys) {
    m_tracksOutOfFigure = keys.size();
    const int pinned = pinnedHeight(), top = m_scrollBefore + pinned;
    for (const TimelineTrack& track : m_rows.tracks()) {
        if (keys.contains(track.key) && track.top >= pinned && track.top < top)
            m_scrollInFigure -= std::min(track.height + kTrackGap, top - track.top);
    }
}

void TimelineViewport::fitInFigure() {
    m_leftOut = 0;
    updateScrollBar();
    m_scrollBar->hide();
    setScrollTop(std::max(0, m_scrollInFigure));
    // What is scrolled to may begin within a track.
    const int pinned = pinnedHeight();
    for (const TimelineTrack& track : m_rows.tracks()) {
        if (scrollTop() > 0 && track.top - pinned <= scrollTop() &&
            scrollTop() < track.top + track.height - pinned)
            setScrollTop(std::max(0, track.top - pinned - kTrackGap / 2));
    }
    const int height = plotArea().height();
    if (contentHeight() - scrollTop() > height)
        m_leftOut = std::max(0, height - wholeHeight(height, scrollTop()));
}

int TimelineViewport::wholeHeight(int height, int scrollTop) const {
    // A lane is there whole or not at all, and so is a label, of two lines beside a low track.
    std::vector<std::pair<int, int>> parts;
    const int pinned = pinnedHeight();
    const auto shownTop = [&](int top) { return top < pinned ? top : top - scrollTop; };
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
        return std::ranges::none_of(
            parts, [end](const auto& part) { return part.first < end && end < part.first + part.second; });
    };
    int whole = pinned;
    for (const auto& [top, high] : parts) {
        if (const int end = top + high; end <= height && end > whole && cutsNone(end))
            whole = end;
    }
    return whole;
}

}  // namespace warpglass::ui
