// What the timeline draws over its rows: the selected range, what belongs to the hovered and the selected
// span with a line from launch to kernel, their outlines, cursors, and ticks in the ruler.
#pragma once

#include <QRect>
#include <optional>
#include <vector>

#include "engine/query/links/span_links.h"
#include "ui/models/time_axis.h"
#include "ui/theme/qt_fwd.h"

namespace warpglass::ui {

class RunDocument;
class TimelineViewport;
struct TimelineRow;

class TimelineOverlay {
public:
    /// All outlive it.
    TimelineOverlay(QWidget& view, const RunDocument& document, const TimeAxis& axis,
                    const TimelineViewport& viewport)
        : m_view(view), m_document(document), m_axis(axis), m_viewport(viewport) {}

    void paint(QPainter& painter);
    /// More is known of what belongs to a span.
    void forgetLinks();
    /// Which of equal parts of a stretch of time hold something looked for; none when empty.
    void setTicks(TimeRange range, const std::vector<bool>& columns);
    /// Where the selected range's duration is written: in the ruler, where it covers no bar. Empty when the
    /// range is out of view.
    QRect rangeLabelBox() const;
    QString rangeToolTip() const;

private:
    /// Found again only when the span or what is known of it changes.
    struct Linked {
        std::optional<SpanRef> span;
        SpanLinks links;
    };

    void updateLinks(Linked& linked, std::optional<SpanRef> span);
    void paintLinks(QPainter& painter, const SpanLinks& links, const QColor& color);
    void paintLaunchLine(QPainter& painter, SpanRef launch, SpanRef work, const QColor& color);
    void paintSpan(QPainter& painter, SpanRef ref, const QColor& color, int width);
    void paintSpanOutline(QPainter& painter, const TimelineRow& row, TimeRange span, const QColor& color,
                          int width);
    void paintRange(QPainter& painter, TimeRange range);
    void paintTicks(QPainter& painter);
    void paintCursor(QPainter& painter, Nanoseconds time, const QColor& color);

    QWidget& m_view;
    const RunDocument& m_document;
    const TimeAxis& m_axis;
    const TimelineViewport& m_viewport;
    Linked m_hoverLinks, m_selectionLinks;
    TimeRange m_tickRange;
    std::vector<bool> m_ticks;
};

}  // namespace warpglass::ui
