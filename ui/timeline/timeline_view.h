// The timeline: one widget the size of its viewport for any length of run; labels at the left, a ruler on
// top, a scroll bar over the right edge when the rows don't fit.
//
// Mouse: the wheel zooms at the cursor (with Shift it pans, over the labels or with Alt it scrolls the rows),
// a drag pans, Shift-drag selects a range and shows how long it is, a click selects a span and pins the
// cursor (a step, a phase or a module restricts what counts, an op or a kernel is looked at), a double click
// zooms to the selected range that it is in, or, where that fills the view or there is none, to the span.
// Keys: W S zoom, A D pan, F fits the selection or the run, Shift+F
// and Home the run, Ctrl+Z goes back and Ctrl+Y forward again, Left Right go to the previous and next span,
// Up Down to the span around it and the first one in it, Esc clears (what is looked at
// before what counts), Page Up and Down scroll. Everything goes
// through the TimeAxis, so charts follow.
//
// What the run's filter leaves out is drawn faded, and time that it leaves out under a veil (filter_shade.h).
//
// Labels: the mark before one folds its track, a drag moves it, the context menu folds, pins, hides and
// resets. Keys act on the track that was clicked last, else on that of the selection: C folds, P pins, H
// hides, Alt+Up and Alt+Down move, Shift+Up and Shift+Down go to another track.
//
// GUI thread only. Reads the document's snapshot; keeps the axis' full range up to date with it.
#pragma once

#include <QImage>
#include <QPoint>
#include <QWidget>
#include <optional>
#include <utility>
#include <vector>

#include "engine/query/links/span_links.h"
#include "ui/models/deferred_query.h"
#include "ui/models/mark_layer.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"
#include "ui/theme/figure_mode.h"
#include "ui/theme/heading.h"
#include "ui/theme/refresh.h"
#include "ui/timeline/filter_shade.h"
#include "ui/timeline/frame_overlay.h"
#include "ui/timeline/read_ahead.h"
#include "ui/timeline/timeline_geometry.h"
#include "ui/timeline/timeline_painter.h"
#include "ui/timeline/timeline_rows.h"

class QHelpEvent;
class QMenu;
class QPushButton;
class QScrollBar;

namespace warpglass::ui {

class RunFilter;
struct LegendEntry;

class TimelineView : public QWidget, public FigurePart, public Headed, public Refreshable {
    Q_OBJECT
public:
    /// Both outlive the view.
    TimelineView(RunDocument* document, TimeAxis* axis, QWidget* parent = nullptr);
    ~TimelineView() override;

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

    /// What is under a point of the widget.
    struct Hit {
        TimelineRow row;
        TimelineRect rect;
    };
    std::optional<Hit> hitTest(QPoint position);
    /// The moment at an x of the widget, within the visible range.
    Nanoseconds timeAt(double x) const;
    /// Where the plot is: right of the labels, under the ruler and, where the run has marks, their lane.
    QRect plotArea() const;
    const TimelineRows& rows() const { return m_rows; }
    /// Folded, hidden, pinned and moved tracks; kept from one run to the next.
    const RowArrangement& arrangement() const { return m_arrangement; }
    void setArrangement(RowArrangement arrangement);
    /// Where a row or a track is drawn: logical pixels from the plot's top.
    int shownTop(int top) const { return top < pinnedHeight() ? top : top - scrollTop(); }
    /// Those of the shown run; they outlive the view. Without them there are no marks.
    void setMarks(MarkList* marks);
    /// What all views count; it outlives the view. Without one, nothing is left out.
    void setFilter(RunFilter* filter);
    Heading heading() const override;
    void refreshNow() override;
    /// Flags in their lane below the ruler, in widget coordinates.
    std::vector<MarkFlag> flags() const { return m_marks->flags(); }
    /// The track that keys act on.
    std::optional<std::size_t> currentTrack() const;
    /// Going through the marks, making and ending them; with their keys.
    MarkSteps& markSteps() const { return m_marks->steps(); }
    /// For tests and frame statistics: rows of geometry built since the start.
    std::uint64_t geometryBuilds() const { return m_geometry.builds(); }
    /// Logical pixels of rows hidden above the plot.
    int scrollTop() const;
    /// Restores the scroll position as it was left, even if the selection is out of sight there.
    void restoreScrollTop(int top);
    // In a figure, rows are shown completely or not at all: timeline_figure.cpp.
    void setInFigure(bool inFigure) override;
    int figureHeight(int width, int most) override;
    void fitInFigure() override;
    /// Height including the ruler, down to the last track of a kind; nothing if the run has none of that
    /// kind.
    std::optional<int> heightThrough(TrackKind kind) const;
    /// What the colors of kernels, copies and ops mean, of those that are in view; in one row, without those
    /// that take least of it where not all have room.
    std::vector<LegendEntry> familiesLegend();
    bool showsFrameTimes() const { return m_frameTimes.has_value(); }

public slots:
    /// What each frame costs, in the lower right corner; off at first. The view's own painting is measured.
    void setShowsFrameTimes(bool shown);
    /// Zooms to the selected range, or else to the selected span; does nothing if nothing is selected.
    void zoomToSelection();
    /// Zooms to the selection, or else to the whole run.
    void fitSelectionOrAll();
    // Folds or unfolds the current track.
    void toggleFolded();
    void togglePinned();
    void hideTrack();
    void moveTrackUp() { moveTrack(-1); }
    void moveTrackDown() { moveTrack(1); }
    // Folds all tracks.
    void foldAll();
    void unfoldAll();
    void showAllRows();
    void resetRows();
    void selectPrevious();
    void selectNext();
    void selectParent();
    void selectChild();
    /// Clears the row that keys act on, and then as RunFilter::letGo(); false if there was nothing to clear.
    bool letGo();
    /// Along the chain of causes: module, op, launch, kernel, wait.
    void selectCause() { walkChain(-1); }
    void selectEffect() { walkChain(1); }
    /// Marks in the ruler: which of equal parts of a stretch of time hold something looked for; none when
    /// empty.
    void setTicks(warpglass::TimeRange range, const std::vector<bool>& columns);

signals:
    /// The context menu of a span is about to be shown: for more actions, before those of the rows.
    void spanMenuRequested(QMenu* menu, warpglass::ui::SpanRef span);
    void arrangementChanged();

protected:
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    bool event(QEvent* event) override;

private:
    /// Found again only when the span or what is known of it changes.
    struct Linked {
        std::optional<SpanRef> span;
        SpanLinks links;
    };
    enum class Drag { kNone, kPressed, kPan, kRange, kLabelPressed, kLabel };

    void onRunChanged();
    void onSnapshotChanged();
    void onSelectionChanged();
    void onThemeChanged();
    void updateScrollBar();
    void updateFollowButton();
    /// Lays the rows out again; true when they changed.
    bool layOutRows();
    /// What stays at the top; nothing where that would leave too little for the rest.
    int pinnedHeight() const;
    std::size_t pinnedRows() const { return pinnedHeight() > 0 ? m_rows.pinnedRows() : 0; }
    /// The rows, and a line under them while some are hidden.
    int contentHeight() const;
    /// The y of the content that is drawn at a y of the plot.
    int contentY(int plotY) const { return plotY < pinnedHeight() ? plotY : plotY + scrollTop(); }
    /// Prepares geometry for the visible range, at `scale` columns per logical pixel; builds no row yet.
    void refreshGeometry(double scale);
    /// The rows that the plot shows below the pinned ones: [first, second).
    std::pair<std::size_t, std::size_t> shownRows() const;
    /// Brings a selected span into view, both ways, if it is not.
    void ensureVisible(SpanRef span);
    void ensureVisible(TimeRange range);
    void scrollToRowOf(SpanRef span);
    std::optional<SpanRef> firstSpanInView() const;
    /// `look`: only to inspect it, whatever kind of span it is.
    void select(std::optional<SpanRef> span, bool look = false);
    void walkChain(int by);
    void zoomTo(TimeRange range);
    void click(QPoint position);
    /// Handles a double click at that time: false if it is in no selected range, or in one that fills the
    /// view.
    bool zoomToRangeAt(Nanoseconds time);
    void hoverAt(QPoint position);
    void updateLinks(Linked& linked, std::optional<SpanRef> span);
    void forgetLinks();
    bool showToolTip(const QHelpEvent& event);
    QString toolTipOf(const Hit& hit);
    /// The tool tip of the measured range.
    QString rangeToolTip() const;
    /// The shade for the current filter and snapshot.
    FilterShade& shade();
    void dropShade();
    /// Which spans count, for merged blocks.
    DeferredQuery::Job makePassingJob();
    /// What the stacks of the GPUs' rows and their Busy lanes are made of.
    DeferredQuery::Job makeGpuJob();
    // Busy lanes: timeline_idle.cpp.
    /// Where the GPU is idle there.
    std::optional<SelectedIdle> idleAt(const Hit& hit) const;
    /// Selects it for inspection: the filter stays as it is.
    void selectIdle(const SelectedIdle& idle);
    /// Selects the next or the previous idle stretch; if the label of a Busy lane is chosen, the first one in
    /// view. False if keys move through spans instead.
    bool selectIdleBeside(int by);
    // Legends: timeline_legends.cpp.
    /// What the colors of the Busy lanes mean, of those that occur in the run.
    std::vector<LegendEntry> busyLegend() const;
    int busyLegendHeight() const;
    double legendWidth() const;
    void paintLegends(QPainter& painter, double scale);

    bool handleKey(const QKeyEvent& event);
    bool handleRowKey(const QKeyEvent& event);
    bool handleViewKey(const QKeyEvent& event);
    bool handleSelectionKey(const QKeyEvent& event);

    // Marks: timeline_marks.cpp.
    /// The ruler's height, with that of the marks' lane.
    int headHeight() const;
    MarkLayer* makeMarks();
    void onHeadChanged();
    void addMarkActions(QMenu& menu, std::optional<Nanoseconds> time);
    void paintMarks(QPainter& painter);

    // The label column: timeline_labels.cpp.
    std::optional<std::size_t> labelAt(QPoint position) const;
    void labelPressed(QPoint position);
    void labelMoved(QPoint position);
    void labelReleased(QPoint position);
    void hoverLabel(QPoint position);
    void goToTrack(int by);
    void moveTrack(int by);
    void scrollToTrack(std::size_t track);
    /// Brings a row or a track at that place of the content into view.
    void scrollTo(int top, int height);
    QString labelToolTip(QPoint position) const;
    void addRowActions(QMenu& menu);
    /// Where times count from.
    void addClockAction(QMenu& menu);
    void paintLabelColumn(QPainter& painter);
    /// Where the line about hidden rows is, in the widget; empty if there is none.
    QRect hiddenLine() const;

    /// Lets a worker read what the next frames will need.
    void readAhead();
    /// `pixels`: of the image that the painter draws on; null for none.
    void paintBody(QPainter& painter, StackPixels* pixels, double scale);
    /// Paints over the shown tracks where the filter excludes time.
    void paintVeil(QPainter& painter, double scale);
    void paintCachedBody(QPainter& painter, double scale);
    void paintOverlay(QPainter& painter);
    void paintFrameTimes(QPainter& painter, double took);
    /// What belongs to the hovered and the selected span, each with a line from launch to kernel.
    void paintLinks(QPainter& painter, const SpanLinks& links, const QColor& color);
    void paintLaunchLine(QPainter& painter, SpanRef launch, SpanRef work, const QColor& color);
    void paintSpanOutline(QPainter& painter, const TimelineRow& row, TimeRange span, const QColor& color,
                          int width);
    /// Where the selected range's duration is written: in the ruler, where it covers no bar. Empty when the
    /// range is out of view.
    QRect rangeLabelBox() const;
    void paintRange(QPainter& painter, TimeRange range);
    void paintTicks(QPainter& painter);
    void paintCursor(QPainter& painter, Nanoseconds time, const QColor& color);

    RunDocument* m_document;
    TimeAxis* m_axis;
    QScrollBar* m_scrollBar;
    QPushButton* m_follow;
    RowArrangement m_arrangement;
    TimelineRows m_rows;
    TimelineGeometry m_geometry;
    TimelinePainter m_painter;
    ReadAhead m_readAhead;
    struct ReadAheadKey {
        TimeRange visible;
        std::vector<LaneId> lanes;
        bool operator==(const ReadAheadKey&) const = default;
    };
    ReadAheadKey m_readAheadFor;

    /// The rows as last drawn: hover, cursor and selection copy it and draw over it.
    QImage m_body;
    struct BodyKey {
        std::uint64_t builds = 0;
        int scrollTop = 0;
        TimeRange visible;
        QSize size;
        std::uint64_t shades = 0;
        bool operator==(const BodyKey&) const = default;
    };
    std::optional<BodyKey> m_bodyKey;

    Drag m_drag = Drag::kNone;
    QPoint m_pressPosition;
    TimeRange m_pressRange;
    int m_pressScroll = 0;
    bool m_pressForRange = false;
    std::optional<TimeRange> m_pressSelection;
    std::optional<SpanRef> m_selectedSpan;  // as of the selection's last change
    bool m_revealsLater = false;            // what was selected while the view was not seen
    TimeRange m_shownAtSelection;           // what was in view then
    struct Labels {
        std::optional<std::size_t> hovered;
        std::string current;  // a track's key; empty: none was chosen
        std::string dragged;
        std::size_t dropAt = 0;  // of the tracks without the dragged one
        int dropLine = 0;        // y of the content
    } m_labels;
    std::optional<Hit> m_hover;
    RunFilter* m_filter = nullptr;
    FilterShade m_shade;
    bool m_shadeValid = false;
    std::uint64_t m_shades = 0;  // made so far
    std::shared_ptr<const PassingRows> m_passing;
    DeferredQuery m_passingQuery;
    std::shared_ptr<const TimelineGeometry::GpuTimes> m_gpuTimes;
    DeferredQuery m_gpuQuery;
    MarkLayer* m_marks;
    int m_head = 0;  // as it was when the rows were last laid out
    Linked m_hoverLinks, m_selectionLinks;
    TimeRange m_tickRange;
    std::vector<bool> m_ticks;
    std::optional<FrameTimes> m_frameTimes;  // while they are shown
    /// In a figure: at the bottom, where no whole row fits; and what was scrolled to before.
    int m_leftOut = 0, m_scrollBefore = 0;
};

}  // namespace warpglass::ui
