// What a SegmentsView shows, where it is and how it is drawn: the head with what is said of all segments,
// under it the rows, which scroll, a line under them, and the sizes of what is free. All in logical pixels of
// the view without its scroll bar. GUI thread only.
#pragma once

#include <QCoreApplication>
#include <QRectF>
#include <QSize>
#include <array>
#include <functional>
#include <optional>
#include <utility>
#include <vector>

#include "ui/memory/free_sizes.h"
#include "ui/memory/segment_list.h"
#include "ui/models/run_document.h"
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

struct SegmentsContent {
    SegmentList list;
    FreeSizesPart sizes;
    /// What stands above the rows, or in their place; and what under them.
    QString sentence, inUse;
};

/// What a block is allocated to; nothing for one that is free or was there before the recording.
inline std::optional<AllocationId> allocationIn(const MemoryBlock& block) {
    return block.allocation.valid() && block.state != BlockState::kFree ? std::optional(block.allocation)
                                                                        : std::nullopt;
}

class SegmentsPicture {
    Q_DECLARE_TR_FUNCTIONS(SegmentsPicture)
public:
    /// Both outlive it.
    SegmentsPicture(RunDocument& document, const SegmentsContent& content)
        : m_document(document), m_content(content) {}

    /// To be called when the content, its place or the theme has changed.
    void layOut(QSize size, bool inFigure);
    void setScrolled(int pixels) { m_scrolled = pixels; }

    /// The height of the sentence, the legend, and the line with all segments.
    int headHeight() const { return m_headHeight; }
    /// With so many rows and the line under them; of what is left free under it, 0 where nothing is free; and
    /// of all.
    int heightOf(std::size_t rows) const;
    int sizesHeight(int width) const;
    int height() const;
    /// The bar of a row of the list.
    QRectF barOf(std::size_t shown) const;
    /// The number of those drawn: in a figure, those that are there whole with the line for the others under
    /// them; all of them if the view can scroll.
    std::size_t drawnRows() const;
    std::optional<std::size_t> rowAt(QPointF at) const;
    /// Null where there is none.
    const MemoryBlock* blockAt(QPointF at) const;
    /// Whether what is in use stands there, which may be elided or out of view.
    bool saysInUse(int y) const;

    void paint(QPainter& painter) const;
    /// A block of a row, or the row if it is one of several segments.
    struct Place {
        std::size_t row = 0, block = 0;
    };
    /// Around the blocks of that allocation, and where the keyboard is.
    void paintFrames(QPainter& painter, std::optional<AllocationId> allocation,
                     std::optional<Place> keyboard) const;

    static constexpr int kRow = 24;

private:
    static QRectF rectOf(const MemorySegment& segment, const MemoryBlock& block, const QRectF& bar);
    std::pair<std::size_t, std::size_t> rowsInView() const;
    /// The top of the line under the rows.
    int noteTop(std::size_t drawn) const;
    QRectF sizesArea(std::size_t drawn) const;
    void clipToRows(QPainter& painter) const;
    void paintColumns(QPainter& painter, double top, const std::array<QString, 4>& texts) const;
    void paintLabel(QPainter& painter, std::size_t shown) const;
    void paintSegment(QPainter& painter, std::size_t shown, const MemorySegment& segment) const;
    void paintParts(QPainter& painter, const QRectF& bar, const SegmentRow& row, bool sizes = false) const;
    void paintWords(QPainter& painter, const QRectF& bar, const SegmentRow& row) const;
    void paintRow(QPainter& painter, std::size_t row) const;
    void paintScale(QPainter& painter) const;
    void paintHead(QPainter& painter) const;
    void paintNote(QPainter& painter, std::size_t drawn) const;
    /// The width of the columns of numbers before the bars.
    int labelWidth() const { return m_size.width() < kWide ? 190 : 368; }
    double barRoom() const;

    static constexpr int kWide = 760;  // the width that has room for all columns
    static constexpr int kBar = 16, kAxis = 24, kIndent = 16;
    static constexpr int kLeastBar = 8;

    RunDocument& m_document;
    const SegmentsContent& m_content;
    QSize m_size;
    int m_scrolled = 0;
    bool m_inFigure = false;
    std::vector<LegendEntry> m_key;  // what the colors mean
    int m_keyHeight = 0, m_headHeight = 0;
};

}  // namespace warpglass::ui
