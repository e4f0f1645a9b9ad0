// The segments of a GPU's allocator at a moment, largest first, each a bar over its addresses: blocks by
// category, free memory hatched. The totals and the fragmentation are stated above.
//
// Blocks narrower than a pixel share it: the colour is that of most of its bytes. Up and Down move between
// segments, Left and Right between their blocks, Enter zooms to the life of the block's allocation. GUI
// thread only.
#pragma once

#include <QAbstractScrollArea>
#include <array>
#include <optional>

#include "engine/query/memory/memory_segments.h"
#include "ui/memory/memory_focus.h"
#include "ui/models/deferred_query.h"
#include "ui/models/memory_source.h"
#include "ui/theme/figure_mode.h"
#include "ui/theme/legend.h"
#include "ui/theme/refresh.h"

namespace warpglass::ui {

/// A run of pixels of a segment's bar. Pure, for tests.
struct SegmentPiece {
    int left = 0, right = 0;  // pixels from the bar's left
    BlockState state = BlockState::kFree;
    Category category = Category::kUnknown;  // of kAllocated and kPending
    bool operator==(const SegmentPiece&) const = default;
};
/// `pixels`: the width of the segment. `categoryOf` is called for allocations.
std::vector<SegmentPiece> segmentPieces(const MemorySegment& segment, int pixels,
                                        const std::function<Category(AllocationId)>& categoryOf);

class SegmentsView : public QAbstractScrollArea, public Refreshable, public FigurePart {
    Q_OBJECT
public:
    SegmentsView(RunDocument& document, MemoryFocus& focus, QWidget* parent = nullptr);

    /// "41 segments hold 3.38 GiB: …".
    QString sentence() const { return m_sentence; }
    /// As shown, the largest first.
    const SegmentState& state() const { return m_state; }
    /// The block under a point of the viewport.
    const MemoryBlock* blockAt(QPointF at) const;
    QRectF barOf(std::size_t segment) const;
    /// The number of segments drawn: in a figure the first ones; all of them if the view can scroll.
    std::size_t drawnSegments() const;

    void refreshNow() override;
    // A figure has as many complete segments as fit, largest first.
    void setInFigure(bool inFigure) override;
    int figureHeight(int width, int most) override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void hideEvent(QHideEvent* event) override;
    bool viewportEvent(QEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;

private:
    DeferredQuery::Job makeJob();
    void take(SegmentState state, Bytes rounding, Nanoseconds moment);
    void clampCurrent();
    void moveCurrent(int key);
    void updateScrollBar();
    int headHeight() const;
    void updateKey();
    int keyHeight() const;
    void paintSegment(QPainter& painter, std::size_t segment) const;
    QString toolTipOf(const MemoryBlock& block) const;

    RunDocument& m_document;
    MemoryFocus& m_focus;
    SegmentState m_state;
    QString m_sentence;
    // What the head's height was laid out for.
    mutable QString m_headOf;
    mutable int m_headWidth = -1, m_headHeight = 0;
    bool m_inFigure = false;
    /// Of what the colours mean.
    std::vector<LegendEntry> m_key;
    int m_scrollBefore = 0;  // out of a figure
    std::size_t m_current = 0, m_currentBlock = 0;
    std::shared_ptr<MemorySegments> m_segments;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
