// An allocation map's blocks as a picture, which is kept until something in it changes: what lies under them
// by address (free and unreserved memory and folded regions), the blocks, their names.
// On a device that is not the screen it is drawn anew. GUI thread only.
#pragma once

#include <QPixmap>

#include "ui/memory/map_block_names.h"

namespace warpglass::ui {

class MapPicture {
public:
    /// All of these outlive it.
    MapPicture(const MapContent& content, const MapBytes& bytes, const MapBlocks& blocks,
               const MapBlockNames& names)
        : m_content(content), m_bytes(bytes), m_blocks(blocks), m_names(names) {}

    void invalidate() { m_valid = false; }
    /// `view`: what is shown in the plot.
    void paint(QPainter& painter, const QRectF& plot, const MapViewport& view);

private:
    /// From the plot's upper left corner.
    void paintAnew(QPainter& painter, const MapViewport& view) const;
    void paintFree(QPainter& painter, const MapViewport& view) const;
    void paintBlocks(QPainter& painter) const;

    const MapContent& m_content;
    const MapBytes& m_bytes;
    const MapBlocks& m_blocks;
    const MapBlockNames& m_names;
    QPixmap m_picture;
    bool m_valid = false;
};

}  // namespace warpglass::ui
