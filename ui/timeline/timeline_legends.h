// The timeline's legends: under the first Busy lane that of causes, under the first lane of kernels that of
// families, and under the first one of the host's ops what it did while the GPU waited for it. Beside the
// first of them stands what the timeline has found of the GPU.
#pragma once

#include <QRectF>
#include <QStringList>
#include <array>
#include <vector>

#include "engine/query/spans/op_family.h"
#include "ui/timeline/timeline_rows.h"

class QPainter;

namespace warpglass::ui {

class TimelineGeometry;
class TimelineQueries;
class TimelineViewport;
struct LegendEntry;

class TimelineLegends {
public:
    /// All outlive it.
    TimelineLegends(const TimelineViewport& viewport, const TimelineQueries& queries,
                    TimelineGeometry& geometry)
        : m_viewport(viewport), m_queries(queries), m_geometry(geometry) {}

    /// The longest of these ever shorter wordings that fits what the legend of causes leaves of its row; none
    /// for nothing. False if it is that already.
    bool setFinding(const QStringList& wordings);
    /// All of it, where a shorter wording stands at that point of the plot; else empty.
    QString findingAt(QPointF point) const {
        return m_shorterPlace.contains(point) ? m_finding.front() : QString();
    }
    /// For the rows to leave that much room.
    LegendHeights heights() const;
    /// What the colors of kernels, copies and ops mean, of those that are in view and, muted, of those that
    /// the GPU's other kernels have: it stays as it is while the view moves. Without those where they have no
    /// room or no use (in a figure), and then in one row, without those that take least of it.
    std::vector<LegendEntry> familiesLegend();
    /// Under the host's ops: how much of the GPU's wait for the host each family took, once that is known.
    std::vector<LegendEntry> hostLegend();
    /// Origin at the plot's upper left corner, `scale` of the painter's units to a logical pixel.
    void paint(QPainter& painter, double scale);

private:
    std::array<double, kOpFamilyCount> familiesInView();
    /// Whether kernels, copies or ops are drawn as the stacks of columns.
    bool hasStacksInView();
    /// What the colors of the Busy lanes mean, of those that occur in the run.
    std::vector<LegendEntry> busyLegend() const;
    int busyLegendHeight() const;
    void paintFinding(QPainter& painter, int top);
    double legendWidth() const;

    const TimelineViewport& m_viewport;
    const TimelineQueries& m_queries;
    TimelineGeometry& m_geometry;
    QStringList m_finding;
    QRectF m_shorterPlace;  // where a shorter wording of it is painted
};

}  // namespace warpglass::ui
