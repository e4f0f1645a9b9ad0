// The segments of a GPU's allocator at a moment: all together as one bar, and under it rows with the largest
// holes first, all on one scale of bytes. Holes between blocks in use are hatched; segments that nothing is
// in, which can be given back, are empty. Those that constants fill for the whole run are one row, and of
// very many the others are rows by size (segment_bins.h). Under the rows stands of what sizes the free pieces
// are (free_sizes.h).
//
// A segment's bar lies over its addresses; blocks narrower than a pixel share it: the color is that of most
// of its bytes. A row of several is a bar of all their bytes; a click or Enter unfolds it, each of its
// segments then on a scale of the row's own, and Right and Left do and undo it. Up and Down move between
// rows, Left and Right between a segment's blocks, Enter zooms to the life of the block's allocation. GUI
// thread only.
#pragma once

#include <QAbstractScrollArea>
#include <array>
#include <optional>

#include "ui/controls/figure_mode.h"
#include "ui/controls/heading.h"
#include "ui/controls/refresh.h"
#include "ui/memory/free_sizes.h"
#include "ui/memory/memory_focus.h"
#include "ui/memory/segment_list.h"
#include "ui/models/deferred_query.h"
#include "ui/models/memory_source.h"
#include "ui/theme/legend.h"

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

class SegmentsView : public QAbstractScrollArea, public Refreshable, public FigurePart, public Headed {
    Q_OBJECT
public:
    SegmentsView(RunDocument& document, MemoryFocus& focus, QWidget* parent = nullptr);

    /// "At step 1, only 2.4% of the 38.3 GiB reserved is lost to holes …".
    QString sentence() const { return m_sentence; }
    /// "35.6 GiB is in use, …", which stands under the rows and in the tool tip of the bar over them.
    QString inUse() const { return m_inUse; }
    const SegmentList& list() const { return m_list; }
    const FreeMemory& free() const { return m_sizes.free(); }
    /// The block under a point of the viewport.
    const MemoryBlock* blockAt(QPointF at) const;
    /// The bar of a row of list().shown().
    QRectF barOf(std::size_t shown) const;
    /// The number of those drawn: in a figure the first ones; all of them if the view can scroll.
    std::size_t drawnRows() const;

    void refreshNow() override;
    /// The sentence, which a figure has in its head alone.
    Heading heading() const override {
        return {{}, m_list.state().segments.empty() ? QString() : m_sentence};
    }
    // A figure has as many complete rows as fit.
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
    QString sentenceOf(Nanoseconds moment, MemoryFocus::At at) const;
    void setUnfolded(std::size_t shown, bool unfolded);
    std::optional<std::size_t> rowAt(QPointF at) const;
    void clampCurrent();
    void moveCurrent(int key);
    void updateScrollBar();
    int headHeight() const;
    int sizesHeight(int width) const;
    /// The top of the line under the rows.
    int noteTop(std::size_t drawn) const;
    QRectF sizesArea(std::size_t drawn) const;
    void updateKey();
    int keyHeight() const;
    void paintColumns(QPainter& painter, double top, const std::array<QString, 4>& texts) const;
    void paintLabel(QPainter& painter, std::size_t shown) const;
    void paintSegment(QPainter& painter, std::size_t shown, const MemorySegment& segment) const;
    void paintParts(QPainter& painter, const QRectF& bar, const SegmentRow& row, bool sizes = false) const;
    void paintWords(QPainter& painter, const QRectF& bar, const SegmentRow& row) const;
    void paintScale(QPainter& painter) const;
    void paintHead(QPainter& painter) const;
    void paintRows(QPainter& painter, std::size_t drawn) const;
    void paintNote(QPainter& painter, std::size_t drawn) const;
    QString toolTipOf(const MemoryBlock& block) const;
    /// The width of the columns of numbers before the bars.
    int labelWidth() const { return viewport()->width() < kWide ? 190 : 368; }
    double barRoom() const;

    static constexpr int kWide = 760;  // the width that has room for all columns
    static constexpr int kRow = 24, kBar = 16, kAxis = 24, kIndent = 16;
    static constexpr int kLeastBar = 8;

    RunDocument& m_document;
    MemoryFocus& m_focus;
    SegmentList m_list;
    FreeSizesPart m_sizes;
    QString m_sentence, m_inUse;
    // What the head's height was laid out for.
    mutable QString m_headOf;
    mutable int m_headWidth = -1, m_headHeight = 0;
    // The width that the height of m_key was laid out for; −1 before it was.
    mutable int m_keyWidth = -1, m_keyHeight = 0;
    bool m_inFigure = false;
    /// What the colors mean.
    std::vector<LegendEntry> m_key;
    int m_scrollBefore = 0;                         // out of a figure
    std::size_t m_current = 0, m_currentBlock = 0;  // of m_list.shown()
    std::shared_ptr<MemorySegments> m_segments;
    DeferredQuery m_query;
};

}  // namespace warpglass::ui
