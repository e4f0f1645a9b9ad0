// What is where in the timeline: its rows as the user has arranged them, how far they are scrolled, the plot
// between labels, ruler and marks' lane, and what the mouse is at. Paints nothing.
//
// In a figure, which cannot be scrolled, there are as many of the rows as fit whole, from the first of them.
#pragma once

#include <QRect>
#include <optional>
#include <set>
#include <string>
#include <utility>

#include "ui/timeline/geometry_builder.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_rows.h"

class QScrollBar;
class QWidget;

namespace warpglass::ui {

class TimeAxis;

/// What is under a point of the plot.
struct TimelineHit {
    TimelineRow row;
    TimelineRect rect;
};

/// What the mouse is at: the label of a track, or what is in the plot.
struct TimelinePointed {
    std::optional<std::size_t> label;
    std::optional<TimelineHit> hit;
};

class TimelineViewport {
public:
    /// Both outlive it; the view owns the scroll bar.
    TimelineViewport(QWidget& view, const TimeAxis& axis);

    const TimelineRows& rows() const { return m_rows; }
    /// Folded, hidden, pinned and moved tracks; kept from one run to the next.
    const RowArrangement& arrangement() const { return m_arrangement; }
    void setArrangement(RowArrangement arrangement) { m_arrangement = std::move(arrangement); }
    /// Lays the rows out again, none without a snapshot; true when they changed.
    bool layOutRows(const Snapshot* snapshot, LegendHeights legends);
    /// Another run has other rows.
    void forgetRows();

    TimelinePointed& pointed() { return m_pointed; }
    const TimelinePointed& pointed() const { return m_pointed; }

    /// Where the plot is: right of the labels, under the ruler and, where the run has marks, their lane.
    QRect plotArea() const;
    /// The ruler's height, with that of the marks' lane.
    int headHeight() const { return m_headHeight; }
    /// False if it has that height.
    bool setHeadHeight(int height);
    /// The moment at an x of the widget, within the visible range.
    Nanoseconds timeAt(double x) const;
    /// What stays at the top; nothing where that would leave too little for the rest.
    int pinnedHeight() const;
    std::size_t pinnedRows() const { return pinnedHeight() > 0 ? m_rows.pinnedRows() : 0; }
    /// The rows, and a line under them while some are hidden.
    int contentHeight() const;
    /// Hidden tracks, in a figure without those of leaveOutInFigure().
    std::size_t hiddenTracks() const;
    /// The y of the content that is drawn at a y of the plot.
    int contentY(int plotY) const { return plotY < pinnedHeight() ? plotY : plotY + scrollTop(); }
    /// Where a row or a track is drawn: logical pixels from the plot's top.
    int shownTop(int top) const { return top < pinnedHeight() ? top : top - scrollTop(); }
    /// The rows that the plot shows below the pinned ones: [first, second).
    std::pair<std::size_t, std::size_t> shownRows() const;
    /// Height including the ruler, down to the last track of a kind; nothing if the run has none of that
    /// kind.
    std::optional<int> heightThrough(TrackKind kind) const;
    /// Where the last row ends that is seen whole, with its label and its legend, in a plot of that height
    /// whose rows are scrolled so far.
    int wholeHeight(int height, int scrollTop) const;

    /// Logical pixels of rows hidden above the plot.
    int scrollTop() const;
    void setScrollTop(int top);
    void scrollByPages(int by);
    /// Brings it into view.
    void scrollToRow(std::size_t row);
    void scrollToTrack(std::size_t track);
    void updateScrollBar();

    void setInFigure(bool inFigure);
    /// Some of tracks() that are about to be hidden while it is in a figure, whose head says so. What is
    /// scrolled to stays at the top.
    void leaveOutInFigure(const std::set<std::string>& keys);
    void fitInFigure();
    /// Logical pixels at the bottom of a figure, where no whole row fits.
    int leftOut() const { return m_leftOut; }

private:
    void scrollTo(int top, int height);

    QWidget& m_view;
    const TimeAxis& m_axis;
    QScrollBar* m_scrollBar;
    RowArrangement m_arrangement;
    TimelineRows m_rows;
    TimelinePointed m_pointed;
    int m_headHeight = kRulerHeight;
    // In a figure: leftOut(), what is scrolled to, what was before it, and how many tracks its head names.
    int m_leftOut = 0, m_scrollInFigure = 0, m_scrollBefore = 0;
    std::size_t m_tracksOutOfFigure = 0;
};

}  // namespace warpglass::ui
