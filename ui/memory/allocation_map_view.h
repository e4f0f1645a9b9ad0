// The allocation map: time on the shared axis, one block an allocation, by address or stacked in order of
// birth (ui/memory/allocation_geometry.h). By address, what no block covers is free and hatched while the
// allocator has it reserved, and blank before and after; a stack has the phases as bands behind it. A dashed
// line marks the moment of the peak.
//
// The index is made off the window's thread; a frame's geometry too where many allocations live in what is
// shown: until it is there the last picture is shown stretched to the new place. Cursor, selection and hover
// are painted over the kept picture. On a device that is not the screen the rectangles are drawn as such.
//
// Wheel zooms time, Ctrl+wheel bytes; drag pans; Shift-drag selects a stretch of time; a click selects an
// allocation, or fixes the cursor where several are merged and tells what they are; a double click zooms to
// its life, or in where they are. Arrows go to the block before, after, below and above, at first to one
// born in view; Enter zooms to its life. GUI thread only.
#pragma once

#include <QPixmap>
#include <QWidget>
#include <memory>
#include <optional>
#include <unordered_map>
#include <utility>
#include <vector>

#include "engine/query/memory/address_regions.h"
#include "engine/query/memory/allocation_map.h"
#include "engine/query/memory/unreserved.h"
#include "ui/charts/time_gestures.h"
#include "ui/memory/allocation_geometry.h"
#include "ui/memory/memory_focus.h"
#include "ui/models/deferred_query.h"
#include "ui/models/memory_source.h"
#include "ui/theme/refresh.h"

namespace warpglass::ui {

class AllocationMapView : public QWidget, public Refreshable {
    Q_OBJECT
public:
    AllocationMapView(RunDocument& document, TimeAxis& axis, MemoryFocus& focus, QWidget* parent = nullptr);

    enum class Order { kAddress, kBirth };
    Order order() const { return m_order; }
    /// By allocation time if the run has no meaningful addresses (hasAddresses()).
    void setOrder(Order order);
    bool hasAddresses() const { return m_map->hasPlaces(); }
    /// By address, whether regions that never change are folded; a click on one opens it.
    bool folds() const { return m_open.empty(); }
    void setFolds(bool folded);
    /// Whether there are any.
    bool hasFolds() const { return m_order == Order::kAddress && !m_folds.empty(); }
    /// The parts of the address space, with a gap between each two; none without addresses.
    const std::vector<AddressRegion>& regions() const { return m_regions; }

    /// What was in view before a zoom into merged blocks.
    struct Zoom {
        TimeRange time;
        double low = 0, high = 0;
    };
    /// Which bytes of one run are shown, to be put back when that is shown again.
    struct Shown {
        Order order = Order::kAddress;
        double low = 0, high = 0;  // both 0: all
        std::vector<Zoom> zooms;
        std::vector<double> open;
    };
    Shown shown() const { return {m_order, m_low, m_high, m_zooms, m_open}; }
    void restore(const Shown& shown);

    int labelWidth() const { return m_labelWidth; }
    void setLabelWidth(int width);

    /// What the filter leaves, and "12,345 allocations in view", "20,000 of 1,200,000 drawn one by one; the
    /// rest, 3% of the bytes, merged"; `brief` without how much the rest is.
    QString summary(bool brief = false) const;
    /// What is at a point.
    struct Hit {
        std::optional<std::size_t> row;
        /// The sum of several merged allocations, and the row of the largest of them (the first one if
        /// several are equal).
        AllocationMap::Sum merged;
        std::size_t largest = 0;
    };
    Hit hitAt(QPointF at) const;
    const MapGeometry& geometry() const { return m_geometry; }
    const AllocationMap& map() const { return *m_map; }
    MapViewport viewport() const;
    /// Bytes at the lower and upper edge; all of them by default.
    void setBytesShown(double low, double high);
    /// The widest rectangle drawn for a block, in the widget's pixels; nothing when it is merged or not
    /// shown.
    std::optional<QRectF> rectOf(std::size_t row) const;
    /// The label of a block that has room for one: its module and part; outside any, the op that it counts
    /// under (engine/query/memory/memory_op.h), and until a worker has found that op, the one that allocated
    /// it. "" if it has neither.
    QString nameOf(AllocationId id) const;

    QSize sizeHint() const override { return {800, 320}; }
    QSize minimumSizeHint() const override { return {m_labelWidth + 120, 100}; }
    void refreshNow() override;

signals:
    /// The summary, or whether there are addresses.
    void changed();
    /// The user clicked merged blocks: what they are, in words; empty when that no longer applies.
    void mergedClicked(const QString& words);

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool event(QEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    DeferredQuery::Job makeMapJob();
    DeferredQuery::Job makeGeometryJob();
    DeferredQuery::Job makeOpsJob();
    std::vector<std::pair<AllocationId, Nanoseconds>> blocksWithoutTheirOp() const;
    void takeMap(std::shared_ptr<const AllocationMap> map, std::vector<PlaceFold> folds = {},
                 std::vector<UnreservedStretch> unreserved = {});
    /// What is shown has moved or changed.
    void invalidateGeometry();
    void followZoom();
    /// Brings the geometry up to date now when that takes no time, and asks for it otherwise.
    void ensureGeometry();
    std::vector<std::int64_t> columnMoments(const MapViewport& viewport) const;
    QRectF plotRect() const;
    double heightOfAll() const;
    Nanoseconds timeAt(double x) const;
    double xOf(Nanoseconds t) const;

    void paintPicture(QPainter& painter) const;
    void paintBlocks(QPainter& painter) const;
    void paintNames(QPainter& painter) const;
    void paintScale(QPainter& painter) const;
    void paintBreak(QPainter& painter, double y) const;
    void paintFolds(QPainter& painter) const;
    void paintUnreserved(QPainter& painter) const;
    void paintPeak(QPainter& painter) const;
    /// Null beside every folded region.
    const PlaceFold* foldAt(QPointF at, const MapViewport& view) const;
    /// A line between two pieces of address space where they can be told apart, and what those that are high
    /// enough are; a torn line at every gap between regions, and what the regions are.
    void paintPieces(QPainter& painter) const;
    void paintRegions(QPainter& painter) const;
    /// What address is at a y, by address only.
    QString addressToolTip(double y) const;
    QString mergedText(const Hit& hit) const;
    /// About the bytes at y.
    void zoomBytesAt(double y, double factor);
    void paintOverlay(QPainter& painter) const;
    QString toolTipAt(QPointF at) const;
    void selectRow(std::optional<std::size_t> row);
    std::optional<std::size_t> neighbor(int key) const;
    /// Precondition: rows drawn, ascending, at least one.
    std::size_t firstBornInView(const std::vector<std::uint32_t>& rows) const;
    QString emptyText() const;

    RunDocument& m_document;
    TimeAxis& m_axis;
    MemoryFocus& m_focus;
    Order m_order = Order::kAddress;
    int m_labelWidth = 96;
    std::shared_ptr<const AllocationMap> m_map = std::make_shared<const AllocationMap>();
    std::vector<PlaceFold> m_folds;
    std::vector<UnreservedStretch> m_unreserved;
    std::vector<AddressRegion> m_regions;
    std::vector<double> m_open;  // where regions begin that the user has opened
    std::int64_t m_peak = 0;
    std::optional<Nanoseconds> m_peakAt;
    QString m_only;                // what passes the filter, in words
    double m_low = 0, m_high = 0;  // both 0: all
    std::vector<Zoom> m_zooms;     // that have not been taken back

    MapGeometry m_geometry;
    /// Whose rows its blocks are: the map before, until there is geometry of another filter's.
    std::shared_ptr<const AllocationMap> m_geometryMap;
    MapViewport m_geometryOf;
    Order m_geometryOrder = Order::kAddress;
    bool m_geometryValid = false;
    /// The viewport of the last geometry request, so that it is requested once.
    MapViewport m_askedFor;
    Order m_askedOrder = Order::kAddress;
    const AllocationMap* m_askedOf = nullptr;
    QPixmap m_picture;
    MapViewport m_pictureOf;
    bool m_pictureValid = false;

    std::optional<std::size_t> m_hovered;
    TimeGestures m_gestures;
    MapViewport m_pressedView;
    std::shared_ptr<MemoryTimeline> m_growing;  // of the jobs of m_mapQuery, while the run grows
    DeferredQuery m_mapQuery;
    DeferredQuery m_geometryQuery;
    /// Ops of blocks that were asked about (blocksWithoutTheirOp()).
    std::unordered_map<AllocationId, NameId> m_ops;
    DeferredQuery m_opsQuery;
};

}  // namespace warpglass::ui
