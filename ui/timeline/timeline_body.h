// The timeline's rows as they are drawn: their geometry and the image of the last frame, which hover, cursor
// and selection copy and draw over; and what is under a point of them.
#pragma once

#include <QImage>
#include <optional>
#include <vector>

#include "ui/models/time_axis.h"
#include "ui/timeline/frame_overlay.h"
#include "ui/timeline/read_ahead.h"
#include "ui/timeline/timeline_geometry.h"
#include "ui/timeline/timeline_legends.h"
#include "ui/timeline/timeline_viewport.h"

class QPainter;

namespace warpglass::ui {

class RunDocument;
class StackPixels;
class TimelinePainter;
class TimelineQueries;

class TimelineBody {
public:
    /// All outlive it.
    TimelineBody(const QWidget& view, const RunDocument& document, const TimeAxis& axis,
                 const TimelineViewport& viewport, TimelineQueries& queries, TimelinePainter& painter)
        : m_view(view),
          m_document(document),
          m_axis(axis),
          m_viewport(viewport),
          m_queries(queries),
          m_painter(painter),
          m_legends(viewport, queries, m_geometry) {}

    void forgetRun();
    /// What was drawn is out of date.
    void invalidate() { m_imageKey.reset(); }
    void takeGpuTimes();
    void takeHostTimes();
    TimelineLegends& legends() { return m_legends; }

    std::optional<TimelineHit> hitTest(QPoint position);
    /// Where the GPU is idle there.
    std::optional<SelectedIdle> idleAt(const TimelineHit& hit) const;
    QString toolTipOf(const TimelineHit& hit);

    /// Origin at the view's upper left corner. Precondition: there are rows, and a plot.
    void paint(QPainter& painter);
    /// For tests and frame statistics: rows of geometry built since the start, and what the last frame drew.
    std::uint64_t geometryBuilds() const { return m_geometry.builds(); }
    FrameLoad load();

private:
    QString stripToolTip(const TimelineHit& hit);
    /// Prepares geometry for the visible range, at `scale` columns per logical pixel; builds no row yet.
    void refreshGeometry(double scale);
    void paintCached(QPainter& painter, double scale);
    /// `pixels`: of the image that the painter draws on; null for none.
    void paintRows(QPainter& painter, StackPixels* pixels, double scale);
    /// Lets a worker read what the next frames will need.
    void readAhead();

    const QWidget& m_view;
    const RunDocument& m_document;
    const TimeAxis& m_axis;
    const TimelineViewport& m_viewport;
    TimelineQueries& m_queries;
    TimelinePainter& m_painter;
    TimelineGeometry m_geometry;
    TimelineLegends m_legends;
    ReadAhead m_readAhead;
    struct ReadAheadKey {
        TimeRange visible;
        std::vector<LaneId> lanes;
        bool operator==(const ReadAheadKey&) const = default;
    };
    ReadAheadKey m_readAheadFor;
    QImage m_image;
    struct ImageKey {
        std::uint64_t builds = 0;
        int scrollTop = 0;
        TimeRange visible;
        std::optional<TimeRange> selected;
        QSize size;
        std::uint64_t shades = 0;
        bool operator==(const ImageKey&) const = default;
    };
    std::optional<ImageKey> m_imageKey;
};

}  // namespace warpglass::ui
