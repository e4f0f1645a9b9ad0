// What an allocation map names in its picture: the moment of the peak and, by address, the whole segments
// that are free then; and what covers most of it, each category where it does so most clearly. GUI thread
// only.
#pragma once

#include <QCoreApplication>
#include <QRectF>
#include <array>
#include <vector>

#include "ui/memory/allocation_geometry.h"
#include "ui/memory/map_content.h"

class QPainter;

namespace warpglass::ui {

/// Where labels of those sizes stand for their categories, none over another or over `taken`; an empty one
/// for a category that has no size, or covers too little anywhere. In pixels of the plot. Pure.
std::array<QRectF, kCategoryCount> regionPlaces(const MapGeometry& geometry, const MapViewport& view,
                                                const std::array<QSizeF, kCategoryCount>& sizes,
                                                std::vector<QRectF> taken);

/// Made for one frame: `plot` is the widget's without the labels of the scale, and `view` what is shown in
/// it; `whole`: that is all memory of all allocations.
class MapLabels {
    Q_DECLARE_TR_FUNCTIONS(MapLabels)
public:
    MapLabels(const MapContent& content, const MapViewport& view, bool byAddress, bool whole)
        : m_content(content), m_view(view), m_byAddress(byAddress), m_whole(whole) {}

    void paint(QPainter& painter, const QRectF& plot, const MapGeometry& geometry);
    /// Where it has painted the labels of the peak and of what is free, and the line, in pixels of the plot.
    const std::vector<QRectF>& taken() const { return m_taken; }

private:
    void paintPeak(QPainter& painter);
    /// The line of the peak is at `x`.
    void paintFree(QPainter& painter, double x);
    void paintRegions(QPainter& painter, const MapGeometry& geometry) const;
    /// Beside the line.
    void label(QPainter& painter, double x, double top, const QString& text);
    QString nameOf(Category category) const;

    const MapContent& m_content;
    const MapViewport& m_view;
    bool m_byAddress, m_whole;
    std::vector<QRectF> m_taken;
};

}  // namespace warpglass::ui
