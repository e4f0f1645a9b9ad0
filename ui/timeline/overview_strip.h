// The whole run in one strip above the timeline: its phases, how busy it was, and what the timeline shows of
// it as a window. Time that the run's filter leaves out is muted, as in the timeline.
//
// Mouse: a drag moves the window, its edges resize it, a press beside it brings it there; while it shows
// everything a drag draws a new one. The wheel zooms, a double click shows the whole run. Keys: Left Right
// (or A D) move, Up Down (or W S) zoom, Home (or F) shows the whole run.
//
// GUI thread only; the picture is computed on a worker when there are many spans, and stretched until then.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "engine/query/activity/activity_curve.h"
#include "ui/controls/canvas.h"
#include "ui/controls/kept_x.h"
#include "ui/controls/refresh.h"
#include "ui/models/deferred_query.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"
#include "ui/timeline/timeline_painter.h"

namespace warpglass::ui {

class MarkList;
class RunFilter;

class OverviewStrip : public Canvas, public Refreshable {
    Q_OBJECT
public:
    /// Both outlive the strip. Its plot begins at `labelWidth`.
    OverviewStrip(RunDocument& document, TimeAxis& axis, int labelWidth, QWidget* parent = nullptr);

    /// What the timeline shows, in pixels of the strip; at least kLeastWindow wide.
    QRect windowRect() const;
    QRect plotArea() const;
    void refreshNow() override;
    /// Shown as ticks; they outlive the strip.
    void setMarks(const MarkList* marks);
    /// What all views count; it outlives the strip.
    void setFilter(const RunFilter* filter);

    static constexpr int kHeight = 16;
    static constexpr int kLeastWindow = 6;

protected:
    void paintPicture(QPainter& painter) override;
    void paintOver(QPainter& painter) override;
    QString toolTipAt(QPointF point) const override;
    bool takeKey(const QKeyEvent& event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    enum class Grip { kNone, kMove, kLeft, kRight, kDraw };
    /// What is drawn under the window.
    struct Picture {
        ActivityCurve curve;
        std::vector<TimelineRect> phases;
        std::vector<Nanoseconds> steps;  // where each begins
        ColumnMap map;
    };

    DeferredQuery::Job makeJob();
    Grip gripAt(QPoint position) const;
    Nanoseconds timeAt(double x) const;
    double xOf(Nanoseconds t) const;
    /// One entry of the zoom stack a gesture.
    void showRange(TimeRange range);
    void paintCurve(QPainter& painter) const;
    void paintBands(QPainter& painter) const;
    void paintWindow(QPainter& painter) const;
    /// What the filter keeps of the host's time, or of the GPU's.
    KeptX kept(bool ofGpu) const;
    QString textAt(Nanoseconds t) const;

    RunDocument& m_document;
    TimeAxis& m_axis;
    int m_labelWidth;
    const MarkList* m_marks = nullptr;
    const RunFilter* m_filter = nullptr;
    TimelinePainter m_painter;
    std::shared_ptr<const Picture> m_picture;
    DeferredQuery m_query;
    Grip m_grip = Grip::kNone;
    bool m_moved = false;
    Nanoseconds m_pressedAt;
    TimeRange m_pressedRange;
};

}  // namespace warpglass::ui
