// The rectangles that stand for an allocation map's allocations in what is shown, and which is where. They
// are made off the window's thread where many allocations live in what is shown; until then there are those
// of what was shown before. Points and rectangles are in pixels of the plot. GUI thread only.
#pragma once

#include <QObject>
#include <QRectF>
#include <functional>
#include <optional>

#include "ui/memory/map_bytes.h"
#include "ui/models/deferred_query.h"
#include "ui/models/run_document.h"

namespace warpglass::ui {

inline QRectF rectOf(const MapRect& rect) {
    return {QPointF(static_cast<double>(rect.left), static_cast<double>(rect.top)),
            QPointF(static_cast<double>(rect.right), static_cast<double>(rect.bottom))};
}

class MapBlocks : public QObject {
    Q_OBJECT
public:
    /// All of these outlive it. `viewport`: what is shown now.
    MapBlocks(RunDocument& document, const MapContent& content, const MapBytes& bytes,
              std::function<MapViewport()> viewport);

    /// What is shown has moved or changed.
    void invalidate() { m_valid = false; }
    /// Forgets them: another run is shown.
    void clear();
    /// Brings them up to date now when that takes no time, and asks for it otherwise.
    void ensure();
    DeferredQuery& query() { return m_query; }

    const MapGeometry& geometry() const { return m_geometry; }
    /// Whether their rows are those of the map: not until there is geometry of another filter's.
    bool areOfMap() const { return m_map == m_content.map; }
    /// Whose rows they have; null without any.
    const AllocationMap* map() const { return m_map.get(); }
    /// What was shown when they were made.
    const MapViewport& madeFor() const { return m_of; }

    /// Those of a row of the map, in its several pieces.
    std::vector<QRectF> rectsOf(std::size_t row) const;
    /// What is at a point.
    struct Hit {
        std::optional<std::size_t> row;
        /// The sum of several merged allocations, and the row of the largest of them (the first one if
        /// several are equal).
        AllocationMap::Sum merged;
        std::size_t largest = 0;
    };
    Hit hitAt(QPointF at) const;
    /// The block that an arrow leads to: before or after the selected one in order of birth, below or above
    /// it at its beginning (or where what is shown begins). When none is selected, the first that is born in
    /// view from the cursor on.
    std::optional<std::size_t> neighbor(int key, std::optional<std::size_t> selected,
                                        std::optional<Nanoseconds> cursor) const;

signals:
    void made();

private:
    DeferredQuery::Job makeJob();
    std::vector<std::int64_t> columnMoments(const MapViewport& view) const;
    void takeCell(const MapViewport& view, QPointF at, const std::function<void(std::size_t)>& take) const;
    void takeStacked(const MapViewport& view, double x, const MapRect& merged,
                     const std::function<void(std::size_t)>& take) const;
    std::size_t firstBornInView(const std::vector<std::uint32_t>& rows,
                                std::optional<Nanoseconds> cursor) const;

    RunDocument& m_document;
    const MapContent& m_content;
    const MapBytes& m_bytes;
    std::function<MapViewport()> m_viewport;
    MapGeometry m_geometry;
    std::shared_ptr<const AllocationMap> m_map;
    MapViewport m_of;
    bool m_byAddress = true;
    bool m_valid = false;
    /// What was asked for last, so that it is asked for once.
    MapViewport m_askedFor;
    bool m_askedByAddress = true;
    const AllocationMap* m_askedOf = nullptr;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
