// The moment of the peak in an allocation map: a dashed line, and by address bars beside it that say how much
// of each row of the map is free at that moment, since a hole is mostly lower than a pixel: solid for holes
// between blocks in use, hollow for segments that nothing is in. A bar as long as the frame is a row of
// which a quarter is free, or more. GUI thread only.
#pragma once

#include <QCoreApplication>
#include <QRectF>
#include <vector>

#include "ui/memory/allocation_geometry.h"
#include "ui/memory/map_content.h"
#include "ui/theme/legend.h"

class QPainter;

namespace warpglass::ui {

/// Made for one frame: `plot` is the widget's without the labels, and `view` what is shown in it.
class MapPeak {
    Q_DECLARE_TR_FUNCTIONS(MapPeak)
public:
    MapPeak(const MapContent& content, MapViewport view, const QRectF& plot)
        : m_content(content), m_view(std::move(view)), m_plot(plot) {}

    void paint(QPainter& painter, bool byAddress) const;

    /// How much of a row of kRow pixels is free, from the top down.
    struct Share {
        double holes = 0, whole = 0;
    };
    std::vector<Share> shares() const;
    static constexpr int kRow = 3;

    static std::vector<LegendEntry> legend();

private:
    void paintShares(QPainter& painter, double left) const;

    const MapContent& m_content;
    MapViewport m_view;
    QRectF m_plot;
};

}  // namespace warpglass::ui
