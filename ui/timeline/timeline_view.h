// The timeline: one widget the size of its viewport for any length of run; labels at the left, a ruler on
// top, a scroll bar over the right edge when the rows don't fit. What the mouse does: timeline_mouse.h.
//
// Keys beside those of timeline_keys.h: Left Right go to the previous and next span, Up Down to the span
// around it and the first one in it, Esc clears (what is looked at before what counts); those of rows:
// timeline_labels.h. Everything goes through the TimeAxis, so charts follow.
//
// What the run's filter leaves out is drawn in muted colors (filter_shade.h).
//
// The widget owns and connects its parts, which know of each other only what they need.
//
// GUI thread only. Reads the document's snapshot; keeps the axis' full range up to date with it.
#pragma once

#include <QTimer>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "ui/controls/canvas.h"
#include "ui/controls/figure_mode.h"
#include "ui/controls/heading.h"
#include "ui/controls/refresh.h"
#include "ui/timeline/frame_overlay.h"
#include "ui/timeline/timeline_body.h"
#include "ui/timeline/timeline_keys.h"
#include "ui/timeline/timeline_labels.h"
#include "ui/timeline/timeline_marks.h"
#include "ui/timeline/timeline_mouse.h"
#include "ui/timeline/timeline_overlay.h"
#include "ui/timeline/timeline_painter.h"
#include "ui/timeline/timeline_queries.h"
#include "ui/timeline/timeline_selection.h"
#include "ui/timeline/timeline_viewport.h"

class QMenu;

namespace warpglass::ui {

class FollowButton;

class TimelineView : public Canvas, public FigurePart, public Headed, public Refreshable {
    Q_OBJECT
public:
    /// Both outlive the view.
    TimelineView(RunDocument* document, TimeAxis* axis, QWidget* parent = nullptr);
    ~TimelineView() override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    /// What is under a point of the widget.
    std::optional<TimelineHit> hitTest(QPoint position) { return m_body.hitTest(position); }
    const TimelineViewport& viewport() const { return m_viewport; }
    // As in it.
    QRect plotArea() const { return m_viewport.plotArea(); }
    const TimelineRows& rows() const { return m_viewport.rows(); }
    const RowArrangement& arrangement() const { return m_viewport.arrangement(); }
    /// What of a run's rows was in sight: how far they were scrolled, and which tracks were unfolded for what
    /// was selected.
    struct Place {
        int scrollTop = 0;
        std::set<std::string> revealed = {};
    };
    Place place() const { return {m_viewport.scrollTop(), arrangement().revealed()}; }
    /// As it was left, even if the selection is out of sight or in a folded track there.
    void restorePlace(const Place& place);
    /// Those of the shown run; they outlive the view. Without them there are no marks.
    void setMarks(MarkList* marks) { m_marks.setMarks(marks); }
    void setShowsRuler(bool shown) { m_marks.setShowsRuler(shown); }
    /// What all views count; it outlives the view. Without one, nothing is left out.
    void setFilter(RunFilter* filter);

    TimelineBody& body() { return m_body; }
    /// What menus and keys do to the tracks.
    TimelineLabels& labels() { return m_labels; }
    TimelineSelection& selection() { return m_selection; }
    const MarkLayer& marks() const { return m_marks.layer(); }

    Heading heading() const override;
    void refreshNow() override;
    void setInFigure(bool inFigure) override;
    int figureHeight(int width, int most) override;
    void fitInFigure() override { m_viewport.fitInFigure(); }
    bool showsFrameTimes() const { return m_frameTimes.has_value(); }

public slots:
    void setArrangement(const warpglass::ui::RowArrangement& arrangement);
    /// What each frame costs, in the lower right corner; off at first. The view's own painting is measured.
    void setShowsFrameTimes(bool shown);
    /// Marks in the ruler: as in TimelineOverlay.
    void setTicks(warpglass::TimeRange range, const std::vector<bool>& columns);

signals:
    /// The context menu of a span is about to be shown: for more actions, before those of the rows.
    void spanMenuRequested(QMenu* menu, warpglass::ui::SpanRef span);
    void arrangementChanged();

protected:
    QString toolTipAt(QPointF point) const override;
    bool takeKey(const QKeyEvent& event) override;
    /// Its rows are pictures that move with the range, so there is none of all.
    void paintEvent(QPaintEvent* event) override;
    void paintPicture(QPainter&) override {}
    void resizeEvent(QResizeEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void onRunChanged();
    void onSnapshotChanged();
    void onGpuTimesChanged();
    /// Beside the legend of the GPU's Busy lane, or in the head of a figure.
    void sayFinding();
    /// As gpuUseWordings(); none where nothing is known of the GPU.
    QStringList findingWordings() const;
    std::set<std::string> emptyTracksInView() const;
    /// Lays the rows out again; true when they changed.
    bool layOutRows();
    void paintNothing(QPainter& painter);
    void paintFrameTimes(QPainter& painter, double took);

    RunDocument* m_document;
    TimeAxis* m_axis;
    TimelineViewport m_viewport;
    FollowButton* m_follow;
    TimelineMarks m_marks;
    TimelineQueries m_queries;
    TimelinePainter m_painter;
    mutable TimelineBody m_body;  // builds rows when it is asked what is there
    TimelineLabels m_labels;
    TimelineSelection m_selection;
    TimelineOverlay m_overlay;
    TimelineMouse m_mouse;
    TimelineKeys m_keys;
    std::optional<RowArrangement> m_outsideFigure;  // while it is in one without tracks that are empty there
    QTimer m_rest;                                  // until the view has not moved for a moment
    std::optional<FrameTimes> m_frameTimes;         // while they are shown
};

}  // namespace warpglass::ui
