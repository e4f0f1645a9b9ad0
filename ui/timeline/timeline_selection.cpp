#include "ui/timeline/timeline_selection.h"

#include <QKeyEvent>
#include <QWidget>

#include "ui/models/link_indexer.h"
#include "ui/models/mark_steps.h"
#include "ui/models/run_document.h"
#include "ui/models/run_filter.h"
#include "ui/timeline/gesture_steps.h"
#include "ui/timeline/span_navigation.h"
#include "ui/timeline/timeline_labels.h"
#include "ui/timeline/timeline_queries.h"
#include "ui/timeline/timeline_viewport.h"

namespace warpglass::ui {

namespace {

/// Room left and right of a span that is zoomed to.
constexpr double kZoomMargin = 0.05;

}  // namespace

void TimelineSelection::pick(std::optional<SpanRef> span) {
    if (!m_filter) {
        m_axis.setSelectedRange(std::nullopt);
        m_axis.setSelectedSpan(span);
    } else if (span) {
        m_filter->pick(*span);
    } else if (m_filter->isLooking()) {
        m_axis.setSelectedSpan(std::nullopt);  // and not what counts
    }
}

void TimelineSelection::select(std::optional<SpanRef> ref, bool look) {
    const auto& snapshot = m_document.snapshot();
    const auto span = snapshot && ref ? spanRow(*snapshot, *ref) : std::nullopt;
    if (!span)
        return;  // nothing in that direction: stay
    if (m_filter && look)
        m_filter->look(ref);
    else
        m_axis.setSelectedSpan(ref);
    m_axis.setPinnedCursor(Nanoseconds(span->start));
}

/// In the row that was gone to by keys, or else the first row that has one.
std::optional<SpanRef> TimelineSelection::firstSpanInView() const {
    const auto& snapshot = m_document.snapshot();
    const TimeRange visible = m_axis.visibleRange();
    const auto chosen = m_labels.chosenTrack();
    for (const TimelineRow& row : m_viewport.rows().rows()) {
        if (!snapshot || row.gpu || (chosen && row.track != m_viewport.rows().tracks()[*chosen].track))
            continue;
        const SpanLane lane = snapshot->lane(row.lane);
        const std::uint64_t first = lane.firstEndingAfter(visible.begin);
        const auto span = first < lane.rows() ? lane.row(first) : std::nullopt;
        if (span && span->start < visible.end.value)
            return SpanRef{row.lane, first};
    }
    return std::nullopt;
}

void TimelineSelection::selectPrevious() {
    if (m_axis.selectedIdle()) {
        selectIdleBeside(-1);
        return;
    }
    if (const auto span = m_axis.selectedSpan(); span && m_document.snapshot())
        select(previousSpan(*m_document.snapshot(), *span));
}

void TimelineSelection::selectNext() {
    if (selectIdleBeside(1))
        return;
    // From nothing, so that a keyboard alone gets somewhere.
    if (const auto span = m_axis.selectedSpan(); !span)
        select(firstSpanInView());
    else if (m_document.snapshot())
        select(nextSpan(*m_document.snapshot(), *span));
}

void TimelineSelection::selectParent() {
    if (const auto span = m_axis.selectedSpan(); span && m_document.snapshot())
        select(spanAround(*m_document.snapshot(), *span));
}

void TimelineSelection::selectChild() {
    if (m_axis.selectedIdle())
        return;  // nothing is in it
    if (const auto span = m_axis.selectedSpan(); !span)
        select(firstSpanInView());
    else if (m_document.snapshot())
        select(firstSpanIn(*m_document.snapshot(), *span));
}

void TimelineSelection::walkChain(int by) {
    if (const auto span = m_axis.selectedSpan())
        select(m_document.links().walk(*span, by), true);
}

void TimelineSelection::selectIdle(const SelectedIdle& idle) {
    if (m_filter)
        return m_filter->look(idle);
    m_axis.setSelectedRange(std::nullopt);
    m_axis.inspect(idle);
}

bool TimelineSelection::selectIdleBeside(int by) {
    const auto selected = m_axis.selectedIdle();
    const auto chosen = m_labels.chosenTrack();
    std::uint32_t gpu = 0;
    if (selected)
        gpu = selected->gpu;
    else if (!m_axis.selectedSpan() && chosen && m_viewport.rows().tracks()[*chosen].gpu)
        gpu = *m_viewport.rows().tracks()[*chosen].gpu;
    else
        return false;
    const auto& times = m_queries.gpuTimes();
    if (!times || gpu >= times->busy.size())
        return true;
    const GpuBusy& busy = *times->busy[gpu];
    const auto stretch = !selected ? busy.nextIdle(m_axis.visibleRange().begin.value)
                         : by > 0  ? busy.nextIdle(selected->stretch.end)
                                   : busy.previousIdle(selected->stretch.begin);
    if (!stretch)
        return true;
    const SelectedIdle idle{gpu, *stretch};
    selectIdle(idle);
    m_axis.setPinnedCursor(idle.range().begin);
    ensureVisible(idle.range());
    if (const auto row = m_viewport.rows().busyRow(gpu))
        m_viewport.scrollToRow(*row);
    return true;
}

bool TimelineSelection::letGo() {
    const bool chosen = m_labels.letGo();
    if (m_filter)
        return m_filter->letGo() || chosen;
    const bool selected =
        m_axis.selectedRange() || m_axis.selectedSpan() || m_axis.selectedIdle() || m_axis.pinnedCursor();
    m_axis.setPinnedCursor(std::nullopt);
    m_axis.setSelectedSpan(std::nullopt);
    m_axis.setSelectedRange(std::nullopt);
    return selected || chosen;
}

bool TimelineSelection::handleKey(const QKeyEvent& event) {
    switch (event.key()) {
        case Qt::Key_Left:
            selectPrevious();
            return true;
        case Qt::Key_Right:
            selectNext();
            return true;
        case Qt::Key_Up:
            selectParent();
            return true;
        case Qt::Key_Down:
            selectChild();
            return true;
        case Qt::Key_BracketLeft:
            selectCause();
            return true;
        case Qt::Key_BracketRight:
            selectEffect();
            return true;
        case Qt::Key_Return:
        case Qt::Key_Enter:
            zoomToSelection();
            return true;
        case Qt::Key_Escape:
            return letGo();
        default:
            return false;
    }
}

void TimelineSelection::zoomTo(TimeRange range) {
    const Nanoseconds margin = shareOf(range, kZoomMargin);
    m_axis.setVisibleRange({range.begin - margin, range.end + margin});
}

void TimelineSelection::zoomToSelection() {
    const auto& snapshot = m_document.snapshot();
    if (const auto range = m_marks.latestRange()) {
        m_axis.setVisibleRange(*range);
    } else if (const auto ref = m_axis.selectedSpan(); ref && snapshot) {
        if (const auto span = spanRow(*snapshot, *ref))
            zoomTo({Nanoseconds(span->start), Nanoseconds(span->end())});
    } else if (const auto idle = m_axis.selectedIdle()) {
        zoomTo(idle->range());
    }
}

void TimelineSelection::fitSelectionOrAll() {
    if (m_axis.selectedRange() || m_axis.selectedSpan() || m_axis.selectedIdle())
        zoomToSelection();
    else
        m_axis.fitAll();
}

bool TimelineSelection::zoomToRangeAt(Nanoseconds time, const std::optional<TimeRange>& before) {
    // The first click of the two may have let go of it.
    const auto selected = m_axis.selectedRange();
    const TimeRange* range = selected ? &*selected : before ? &*before : nullptr;
    const TimeRange visible = m_axis.visibleRange();
    if (!range || !range->contains(time) || (range->begin <= visible.begin && range->end >= visible.end))
        return false;
    const TimeRange wanted = *range;
    if (!selected && m_filter)
        m_filter->takeBack();  // or what that click picked would stay in the filter's history
    m_axis.setSelectedRange(wanted);
    m_axis.setVisibleRange(wanted);
    return true;
}

void TimelineSelection::onChanged() {
    const auto selected = m_axis.selectedSpan();
    if (selected == m_span)
        return m_view.update();  // it is a range that was selected: the span stays wherever it is
    m_span = selected;
    // Behind another page it leaves what is shown there in its place, and comes into view with this one.
    m_revealsLater = m_view.window()->isVisible() && !m_view.isVisible();
    m_shownAtSelection = m_axis.visibleRange();
    if (selected && !m_revealsLater)
        ensureVisible(*selected);
    m_view.update();
}

void TimelineSelection::onShown() {
    if (const auto span = m_axis.selectedSpan(); span && m_revealsLater) {
        // What has been gone to since is what is looked at: only the rows move then.
        if (m_axis.visibleRange() == m_shownAtSelection)
            ensureVisible(*span);
        else
            scrollToRowOf(*span);
    }
    m_revealsLater = false;
}

void TimelineSelection::ensureVisible(SpanRef ref) {
    const auto& snapshot = m_document.snapshot();
    const auto span = snapshot ? spanRow(*snapshot, ref) : std::nullopt;
    if (!span)
        return;
    ensureVisible(TimeRange{Nanoseconds(span->start), Nanoseconds(span->end())});
    scrollToRowOf(ref);
}

void TimelineSelection::ensureVisible(TimeRange range) {
    const TimeRange visible = m_axis.visibleRange();
    if (range.end < visible.begin || range.begin >= visible.end) {
        // In the middle, or with its beginning near the left edge where it is longer than the view.
        const Nanoseconds middle((range.begin.value + range.end.value) / 2);
        const Nanoseconds begin = range.duration() < visible.duration()
                                      ? middle - Nanoseconds(visible.duration().value / 2)
                                      : range.begin - Nanoseconds(visible.duration().value / 10);
        m_axis.panBy(begin - visible.begin);
    }
}

void TimelineSelection::scrollToRowOf(SpanRef ref) {
    const TimelineRows& rows = m_viewport.rows();
    const auto row = rows.rowOf(ref.lane);
    if (!row)
        return;
    if (const TimelineRow& shown = rows.rows()[*row]; shown.strip || shown.lane != ref.lane)
        m_labels.reveal(*rows.trackOf(shown));
    m_viewport.scrollToRow(*rows.rowOf(ref.lane));
}

}  // namespace warpglass::ui
