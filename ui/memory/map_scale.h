// The scale at the left of an allocation map: bytes of a stack, or of the address space from its lowest piece
// on, without the gaps between pieces, which the pieces and their regions are named for. GUI thread only.
#pragma once

#include <QCoreApplication>
#include <QRectF>

#include "ui/memory/allocation_geometry.h"
#include "ui/memory/map_content.h"

class QPainter;

namespace warpglass::ui {

/// Made for one frame: `plot` is the widget's without the labels, and `view` what is shown in it.
class MapScale {
    Q_DECLARE_TR_FUNCTIONS(MapScale)
public:
    MapScale(const MapContent& content, MapViewport view, bool byAddress, const QRectF& plot)
        : m_content(content), m_view(std::move(view)), m_byAddress(byAddress), m_plot(plot) {}

    void paint(QPainter& painter) const;
    /// A line between two pieces of address space where they can be told apart, and what those that are high
    /// enough are; a torn line at every gap between regions, and what the regions are.
    void paintPieces(QPainter& painter) const;
    void paintRegions(QPainter& painter) const;
    /// What address is at a y, in words; by address only.
    QString addressAt(double y) const;

private:
    void paintBreak(QPainter& painter, double y) const;

    const MapContent& m_content;
    MapViewport m_view;
    bool m_byAddress;
    QRectF m_plot;
};

}  // namespace warpglass::ui
