// How an allocation map's plot is drawn: what lies under the blocks by address (free and unreserved memory
// and folded regions), the blocks, their names. GUI thread only.
#pragma once

#include "ui/memory/map_block_names.h"

class QPen;

namespace warpglass::ui {

class MapPicture {
public:
    /// All of these outlive it.
    MapPicture(const MapContent& content, const MapBytes& bytes, const MapBlocks& blocks,
               const MapBlockNames& names)
        : m_content(content), m_bytes(bytes), m_blocks(blocks), m_names(names) {}

    /// `view`: what is shown in the plot.
    void paint(QPainter& painter, const QRectF& plot, const MapViewport& view) const;
    /// An outline around the blocks of a row of the map, and a tint of its color in them.
    void paintRow(QPainter& painter, const QRectF& plot, const MapViewport& view, std::size_t row,
                  const QPen& pen) const;

private:
    void paintFree(QPainter& painter, const MapViewport& view) const;
    void paintBlocks(QPainter& painter) const;

    const MapContent& m_content;
    const MapBytes& m_bytes;
    const MapBlocks& m_blocks;
    const MapBlockNames& m_names;
};

}  // namespace warpglass::ui
