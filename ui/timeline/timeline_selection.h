// What is selected in the timeline: picking spans and idle stretches of a GPU, going from one to the next,
// along the chain of causes and into what lies around and in it, zooming to it, and bringing it into view.
#pragma once

#include <optional>

#include "ui/models/time_axis.h"

class QKeyEvent;
class QWidget;

namespace warpglass::ui {

class MarkSteps;
class RunDocument;
class RunFilter;
class TimelineLabels;
class TimelineQueries;
class TimelineViewport;

class TimelineSelection {
public:
    /// All outlive it.
    TimelineSelection(QWidget& view, const RunDocument& document, TimeAxis& axis, TimelineViewport& viewport,
                      TimelineLabels& labels, const TimelineQueries& queries, const MarkSteps& marks)
        : m_view(view),
          m_document(document),
          m_axis(axis),
          m_viewport(viewport),
          m_labels(labels),
          m_queries(queries),
          m_marks(marks) {}

    void setFilter(RunFilter* filter) { m_filter = filter; }
    /// As a click does; nothing for none.
    void pick(std::optional<SpanRef> span);
    /// Selects it for inspection: the filter stays as it is.
    void selectIdle(const SelectedIdle& idle);
    void selectPrevious();
    void selectNext();
    void selectParent();
    void selectChild();
    /// Along the chain of causes: module, op, launch, kernel, wait.
    void selectCause() { walkChain(-1); }
    void selectEffect() { walkChain(1); }
    /// Clears the row that keys act on, and then as RunFilter::letGo(); false if there was nothing to clear.
    bool letGo();
    bool handleKey(const QKeyEvent& event);

    void zoomTo(TimeRange range);
    /// Zooms to the selected range, or else to the selected span; does nothing if nothing is selected.
    void zoomToSelection();
    /// Zooms to the selection, or else to the whole run.
    void fitSelectionOrAll();
    /// Handles a double click at that time: false if it is in no selected range, or in one that fills the
    /// view. `before`: what was selected before its first click, which may have let go of it.
    bool zoomToRangeAt(Nanoseconds time, const std::optional<TimeRange>& before);

    /// Brings a span that was selected just now into view, or later where the view is behind another page.
    void onChanged();
    void onShown();
    /// What is selected may stay out of sight.
    void revealNothing() { m_revealsLater = false; }

private:
    /// `look`: only to inspect it, whatever kind of span it is.
    void select(std::optional<SpanRef> span, bool look = false);
    void walkChain(int by);
    std::optional<SpanRef> firstSpanInView() const;
    /// Selects the next or the previous idle stretch; if the label of a Busy lane is chosen, the first one in
    /// view. False if keys move through spans instead.
    bool selectIdleBeside(int by);
    /// Brings a selected span into view, both ways, if it is not.
    void ensureVisible(SpanRef span);
    void ensureVisible(TimeRange range);
    void scrollToRowOf(SpanRef span);

    QWidget& m_view;
    const RunDocument& m_document;
    TimeAxis& m_axis;
    TimelineViewport& m_viewport;
    TimelineLabels& m_labels;
    const TimelineQueries& m_queries;
    const MarkSteps& m_marks;
    RunFilter* m_filter = nullptr;
    std::optional<SpanRef> m_span;  // as of the selection's last change
    bool m_revealsLater = false;    // what was selected while the view was not seen
    TimeRange m_shownAtSelection;   // what was in view then
};

}  // namespace warpglass::ui
