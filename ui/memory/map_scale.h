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
    /// A line between two pieces of address space where they can be told apart, and a torn one at every gap
    /// between regions, over the scale and the column at the right too; there, upwards, what those pieces are
    /// that are high enough, and what a region is that has none of them.
    void paintPlaces(QPainter& painter, const QRectF& column) const;
    /// What address is at a y, in words; by address only.
    QString addressAt(double y) const;

private:
    void paintBreak(QPainter& painter, double y) const;
    bool paintPiece(QPainter& painter, const QRectF& column, const AllocationMap::Piece& piece) const;
    void paintGap(QPainter& painter, double y, double right) const;

    const MapContent& m_content;
    MapViewport m_view;
    bool m_byAddress;
    QRectF m_plot;
};

}  // namespace warpglass::ui
