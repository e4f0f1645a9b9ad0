// The moment of the peak in an allocation map: a dashed line, and by address a column at the right of the
// plot that says how much of each row of the map is free at that moment, since a hole is mostly lower than a
// pixel: solid bars for holes between blocks in use, hollow ones for segments that nothing is in. A bar as
// long as the column is a row that is free as a whole. Beside them the column has room for the names of
// places (ui/memory/map_scale.h), which is all of it where nothing is free. GUI thread only.
#pragma once

#include <QCoreApplication>
#include <QRectF>
#include <vector>

#include "ui/memory/map_bytes.h"
#include "ui/theme/legend.h"

class QPainter;

namespace warpglass::ui {

class MapPeak {
    Q_DECLARE_TR_FUNCTIONS(MapPeak)
public:
    /// Both outlive it.
    MapPeak(const MapContent& content, const MapBytes& bytes) : m_content(content), m_bytes(bytes) {}

    /// `view`: what is shown in the plot.
    void paintLine(QPainter& painter, const QRectF& plot, const MapViewport& view) const;
    void paintColumn(QPainter& painter, const QRectF& column, const MapViewport& view);

    /// How much of a row of kRow pixels is free, from the top down. Kept until other bytes are shown.
    struct Share {
        double holes = 0, whole = 0;
    };
    const std::vector<Share>& shares(const MapViewport& view);
    static constexpr int kRow = 3;

    /// Whether there is anything to show by address.
    bool hasBars() const { return m_bytes.byAddress() && m_content.free.totals.free.value > 0; }
    /// The width of the column; 0 in a stack.
    int columnWidth() const;
    static constexpr int kNames = 18;
    /// What stands under it.
    static QString columnName() { return tr("Free at peak"); }
    static std::vector<LegendEntry> legend();

private:
    const MapContent& m_content;
    const MapBytes& m_bytes;
    std::vector<Share> m_shares;
    MapViewport m_sharesOf;
    std::shared_ptr<const AllocationMap> m_sharesIn;
};

}  // namespace warpglass::ui
