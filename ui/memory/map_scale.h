// The scale at the left of an allocation map: bytes of a stack, or of the address space from its lowest piece
// on, without the gaps between pieces; and, over the blocks, the names of the address space's parts. GUI
// thread only.
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
    /// A line between two pieces of address space where they can be told apart, and a blank band at every gap
    /// between regions; pieces that are high enough are named in their upper left corner.
    void paintPlaces(QPainter& painter) const;
    /// What address is at a y, in words; by address only.
    QString addressAt(double y) const;

private:
    void paintBreak(QPainter& painter, const PlaceFold& fold) const;
    void paintPiece(QPainter& painter, const AllocationMap::Piece& piece) const;
    /// At `place`, one of the region's ends.
    void paintGap(QPainter& painter, const AddressRegion& region, double place, double rise) const;
    void paintPlaceName(QPainter& painter, double top, double bottom, const QString& name) const;

    const MapContent& m_content;
    MapViewport m_view;
    bool m_byAddress;
    QRectF m_plot;
};

}  // namespace warpglass::ui
