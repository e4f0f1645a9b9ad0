// What is free at the peak, over an allocation map: every hole and every whole segment to scale, since in the
// map itself they are too small to be seen. Pieces of one size lie together, the largest at the left, over
// the color of what is beside most of them; a click shows the first of them in the map. GUI thread only.
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

    /// Whether there is anything to show.
    bool hasAny() const;
    void setLabelWidth(int width);
    /// Where the groups of the map's free memory are, in their order.
    std::vector<QRectF> places() const;
    static constexpr int kHeight = 48;

protected:
    void paintEvent(QPaintEvent* event) override;
    bool event(QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

private:
    const FreeMemory& free() const { return m_map.content().free; }
    const FreeGroup* groupAt(QPointF at) const;
    void paintCaptions(QPainter& painter, double holesEnd) const;
    void paintGroup(QPainter& painter, const QRectF& place, const FreeGroup& group) const;

    AllocationMapView& m_map;
    int m_labelWidth = 96;
};

}  // namespace warpglass::ui
