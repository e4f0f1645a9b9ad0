// What is free at the peak, over an allocation map: every hole and every whole segment to scale, since in the
// map itself they are too small to be seen. Pieces of one size lie together, the largest at the left, over
// the color of what is beside most of them. A click shows one in the map; so do Left and Right, which go from
// one to the next. GUI thread only.
#pragma once

#include <QWidget>
#include <vector>

#include "ui/memory/allocation_map_view.h"

namespace warpglass::ui {

class FreeStrip : public QWidget {
    Q_OBJECT
public:
    /// The map outlives it.
    explicit FreeStrip(AllocationMapView& map, QWidget* parent = nullptr);

    /// Whether something is free at the peak that has a place in the map.
    bool hasAny() const { return m_map.bytes().byAddress() && free().totals.free.value > 0; }
    void setLabelWidth(int width);
    /// Where the groups of the map's free memory are, in their order.
    std::vector<QRectF> places() const;
    static constexpr int kHeight = 58;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    const FreeMemory& free() const { return m_map.content().free; }
    /// Among the map's free pieces.
    std::optional<std::size_t> pieceAt(QPointF at) const;
    const FreeGroup& groupOf(std::size_t piece) const;
    /// The piece that was shown last, if it is there still.
    std::optional<std::size_t> current() const;
    void show(std::size_t piece);
    void paintCaptions(QPainter& painter, double holesEnd) const;
    void paintGroup(QPainter& painter, const QRectF& place, const FreeGroup& group) const;

    AllocationMapView& m_map;
    int m_labelWidth = 96;
    std::optional<FreePiece> m_current;  // as it was when it was shown
};

}  // namespace warpglass::ui
