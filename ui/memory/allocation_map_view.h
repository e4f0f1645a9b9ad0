// The allocation map: time on the shared axis, one block an allocation, by address or stacked in order of
// birth (ui/memory/allocation_geometry.h). By address, what no block covers is free and hatched while the
// allocator has it reserved, and blank before and after. A dashed line marks the moment of the peak; what
// covers most of the picture is named in it (ui/memory/map_labels.h).
//
// The index is made off the window's thread; a frame's geometry too where many allocations live in what is
// shown: until it is there the last picture is shown stretched to the new place. Cursor, selection and hover
// are painted over the kept picture. A mark is a row of the map.
//
// Wheel zooms time, Ctrl+wheel bytes; drag pans; Shift-drag selects a stretch of time; a click selects an
// allocation, or fixes the cursor where several are merged and tells what they are; a double click zooms to
// its life, or in where they are. Arrows go to the block before, after, below and above, at first to one
// born in view; Enter zooms to its life. GUI thread only.
#pragma once

#include <optional>

#include "ui/controls/canvas.h"
#include "ui/controls/refresh.h"
#include "ui/memory/map_picture.h"
#include "ui/memory/map_scale.h"
#include "ui/memory/map_words.h"
#include "ui/memory/memory_focus.h"
#include "ui/models/memory_source.h"
#include "ui/timeline/time_gestures.h"

namespace warpglass::ui {

class AllocationMapView : public Canvas, public Refreshable {
    Q_OBJECT
public:
    AllocationMapView(RunDocument& document, TimeAxis& axis, MemoryFocus& focus, QWidget* parent = nullptr);

    MapBytes& bytes() { return m_bytes; }
    const MapContent& content() const { return m_content; }
    const AllocationMap& map() const { return *m_content.map; }
    const MapGeometry& geometry() const { return m_blocks.geometry(); }
    const MapBlockNames& names() const { return m_names; }
    const MapWords& words() const { return m_words; }
    MapViewport viewport() const { return m_bytes.viewport(m_axis.visibleRange(), plotRect().size()); }
    /// What is at a point of the widget.
    MapBlocks::Hit hitAt(QPointF at) const { return m_blocks.hitAt(at - plotRect().topLeft()); }

    int markCount() const override { return static_cast<int>(map().size()); }
    /// Around all of its blocks.
    QRectF markRect(int mark) const override;
    int markAt(QPointF at) const override;
    QString toolTipOf(int mark) const override;

    int labelWidth() const { return m_labelWidth; }
    void setLabelWidth(int width);
    /// Shows a free piece, opening the region that it is folded in, and pins the cursor to the peak.
    void showFree(const FreePiece& piece);

    QSize sizeHint() const override { return {800, 320}; }
    QSize minimumSizeHint() const override { return {m_labelWidth + 120, 100}; }
    void refreshNow() override;

signals:
    /// The summary, or whether there are addresses.
    void changed();
    /// The user clicked merged blocks: what they are, in words; empty when that no longer applies.
    void mergedClicked(const QString& words);

protected:
    void paintPicture(QPainter& painter) override;
    void paintOver(QPainter& painter) override;
    QString toolTipAt(QPointF at) const override;
    bool takeKey(const QKeyEvent& event) override;
    bool walk(Qt::Key key) override;
    bool escape() override;
    void resizeEvent(QResizeEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    DeferredQuery::Job makeMapJob();
    void takeContent(MapContent content);
    /// What is shown has moved.
    void follow();
    QRectF plotRect() const { return QRectF(rect()).adjusted(m_labelWidth, 0, 0, 0); }
    Nanoseconds timeAt(double x) const;
    std::optional<std::size_t> selectedRow() const;
    void selectRow(std::optional<std::size_t> row);

    RunDocument& m_document;
    TimeAxis& m_axis;
    MemoryFocus& m_focus;
    int m_labelWidth = 96;
    MapContent m_content;
    MapBytes m_bytes{m_content};
    MapBlocks m_blocks{m_document, m_content, m_bytes, [this] { return viewport(); }};
    MapBlockNames m_names{m_document, m_blocks};
    MapWords m_words{m_document, m_focus, m_content, m_blocks};
    MapPicture m_picture{m_content, m_bytes, m_blocks, m_names};
    std::optional<FreePiece> m_shownFree;
    QString m_only;  // what passes the filter, in words
    TimeGestures m_gestures;
    MapViewport m_pressedView;
    std::shared_ptr<MemoryTimeline> m_growing;  // of the jobs of m_mapQuery, while the run grows
    std::shared_ptr<MemorySegments> m_segments = std::make_shared<MemorySegments>();
    DeferredQuery m_mapQuery;
};

}  // namespace warpglass::ui
