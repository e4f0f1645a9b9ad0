// How a SegmentsView is drawn: rows with a label and a bar, and what is stated above them.
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/memory/segments_view.h"
#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The period of the lines over blocks that wait for another stream.
constexpr double kPendingPeriod = 5;

Category clamped(Category category) {
    return std::min(category, Category::kUnknown);
}

void paintState(QPainter& painter, const QRectF& rect, BlockState state, Category category) {
    const ThemeColors& colors = Theme::instance().colors();
    switch (state) {
        case BlockState::kFree:
            fillFree(painter, rect);
            break;
        case BlockState::kAllocated:
            painter.fillRect(rect, Theme::categoryColor(category));
            break;
        case BlockState::kPending:
            painter.fillRect(rect, Theme::categoryColor(category));
            fillHatch(painter, rect, colors.background, kPendingPeriod, 2);
            break;
        case BlockState::kEarlier:
            painter.fillRect(rect, colors.secondaryText);
            break;
    }
}

}  // namespace

std::vector<SegmentPiece> segmentPieces(const MemorySegment& segment, int pixels,
                                        const std::function<Category(AllocationId)>& categoryOf) {
    std::vector<SegmentPiece> pieces;
    if (segment.bytes <= 0 || pixels <= 0)
        return pieces;
    const double perByte = static_cast<double>(pixels) / static_cast<double>(segment.bytes);
    // How much of the pixel at hand each look has: free, earlier, then allocated and pending by category.
    constexpr std::size_t kLooks = 2 + 2 * kCategoryCount;
    std::array<double, kLooks> share{};
    int pixel = 0;
    const auto put = [&](int left, int right, std::size_t look) {
        SegmentPiece piece{left, right, BlockState::kFree, Category::kUnknown};
        if (look == 1)
            piece.state = BlockState::kEarlier;
        if (look >= 2) {
            piece.state = look < 2 + kCategoryCount ? BlockState::kAllocated : BlockState::kPending;
            piece.category = static_cast<Category>((look - 2) % kCategoryCount);
        }
        if (!pieces.empty() && pieces.back().right == left && pieces.back().state == piece.state &&
            pieces.back().category == piece.category)
            pieces.back().right = right;
        else
            pieces.push_back(piece);
    };
    const auto endPixel = [&] {
        put(pixel, pixel + 1,
            static_cast<std::size_t>(std::max_element(share.begin(), share.end()) - share.begin()));
        share = {};
        ++pixel;
    };
    for (const MemoryBlock& block : segment.blocks) {
        std::size_t look = block.state == BlockState::kEarlier ? 1 : 0;
        if (block.state == BlockState::kAllocated || block.state == BlockState::kPending)
            look = 2 + (block.state == BlockState::kPending ? kCategoryCount : 0) +
                   static_cast<std::size_t>(clamped(categoryOf(block.allocation)));
        double from = static_cast<double>(block.address - segment.address) * perByte;
        const double to = std::min<double>(pixels, from + static_cast<double>(block.bytes) * perByte);
        while (from < to && pixel < pixels) {
            const double end = std::min(to, static_cast<double>(pixel + 1));
            share[look] += std::max(0.0, end - from);
            from = std::max(from, end);
            if (end < static_cast<double>(pixel + 1) - 1e-9)
                break;
            endPixel();
            // Whole pixels of the block at once.
            const int whole = std::min(pixels, static_cast<int>(to));
            if (from >= pixel && whole > pixel) {
                put(pixel, whole, look);
                pixel = whole;
                from = whole;
            }
        }
    }
    if (pixel < pixels)
        endPixel();
    return pieces;
}

/// Its size, and how much of it is free; of several behind a triangle that says whether they are unfolded.
void SegmentsView::paintLabel(QPainter& painter, std::size_t shown) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF bar = barOf(shown);
    const MemorySegment* segment = segmentOf(shown);
    const SegmentRow& row = m_rows[m_shown[shown].row];
    const Bytes bytes = segment ? Bytes(segment->bytes) : row.totals.reserved;
    const Bytes free = segment ? segment->totals.free : row.totals.free;
    painter.setFont(Theme::tableFont());
    painter.setPen(colors.text);
    const QRectF size(Metrics::kSpace3, bar.top(), 60, bar.height());
    painter.drawText(size, Qt::AlignRight | Qt::AlignVCenter, toQString(formatBytes(bytes)));
    painter.setPen(colors.secondaryText);
    const QString beside = free.value > 0 ? tr("%1 free").arg(toQString(formatBytes(free))) : tr("full");
    painter.drawText(QRectF(size.right() + 8, bar.top(), kLabel - size.right() - 12, bar.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, beside);
    if (segment)
        return;
    const QPointF middle(8, bar.center().y());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.secondaryText);
    if (isUnfolded(shown))
        painter.drawPolygon(
            QPolygonF({middle + QPointF(-4, -2), middle + QPointF(4, -2), middle + QPointF(0, 3)}));
    else
        painter.drawPolygon(
            QPolygonF({middle + QPointF(-2, -4), middle + QPointF(3, 0), middle + QPointF(-2, 4)}));
    painter.restore();
}

/// Its bytes as one bar, with what its segments have in common in words where the longest part has room.
void SegmentsView::paintFolded(QPainter& painter, std::size_t shown) const {
    const ThemeColors& colors = Theme::instance().colors();
    const SegmentRow& row = m_rows[m_shown[shown].row];
    const QRectF bar = barOf(shown);
    const auto whole = static_cast<double>(std::max<std::int64_t>(1, row.totals.reserved.value));
    QRectF longest;
    QColor ground;
    double done = 0;
    for (const SegmentPart& part : row.parts) {
        const double left = bar.left() + std::round(done / whole * bar.width());
        done += static_cast<double>(part.bytes);
        const double right = bar.left() + std::round(done / whole * bar.width());
        const QRectF rect(left, bar.top(), right - left, bar.height());
        if (rect.isEmpty())
            continue;
        paintState(painter, rect, part.state, part.category);
        if (part.state == BlockState::kAllocated && rect.width() > longest.width()) {
            longest = rect;
            ground = Theme::categoryColor(part.category);
        }
    }
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    painter.setFont(font);
    const QString words = wordsOf(row);
    if (QFontMetricsF(font, painter.device()).horizontalAdvance(words) + 12 <= longest.width()) {
        painter.setPen(Theme::textOn(ground));
        painter.drawText(longest.adjusted(6, 0, -6, 0), Qt::AlignLeft | Qt::AlignVCenter, words);
    }
    if (hasFocus() && shown == m_current) {
        painter.setPen(QPen(colors.accent, 2));
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(bar.adjusted(0, 1, 0, -1));
    }
}

void SegmentsView::paintSegment(QPainter& painter, std::size_t shown, const MemorySegment& segment) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF bar = barOf(shown);
    painter.fillRect(bar, colors.raised);
    const Snapshot& snapshot = *m_document.snapshot();
    const auto categoryOf = [&](AllocationId id) { return snapshot.categoryOf(id); };
    for (const SegmentPiece& piece : segmentPieces(segment, static_cast<int>(bar.width()), categoryOf))
        paintState(painter,
                   QRectF(bar.left() + piece.left, bar.top(), piece.right - piece.left, bar.height()),
                   piece.state, piece.category);
    // A line between blocks that have room for one.
    const double perByte = bar.width() / static_cast<double>(segment.bytes);
    for (const MemoryBlock& block : segment.blocks) {
        const QRectF rect(bar.left() + static_cast<double>(block.address - segment.address) * perByte,
                          bar.top(), static_cast<double>(block.bytes) * perByte, bar.height());
        if (rect.width() >= 3)
            painter.fillRect(QRectF(std::floor(rect.right()) - 1, rect.top(), 1, rect.height()),
                             colors.panel);
        const bool selected = block.allocation.valid() && m_focus.selected() == block.allocation &&
                              block.state != BlockState::kFree;
        const bool current = hasFocus() && shown == m_current &&
                             &block == &segment.blocks[std::min(m_currentBlock, segment.blocks.size() - 1)];
        if (selected || current) {
            painter.setPen(QPen(colors.accent, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(rect.adjusted(0, 1, std::max(0.0, 2 - rect.width()), -1));
        }
    }
}

void SegmentsView::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), colors.panel);
    painter.setFont(Theme::tableFont());
    if (m_state.segments.empty()) {
        painter.setPen(colors.secondaryText);
        painter.drawText(viewport()->rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
                         m_sentence);
        return;
    }
    const std::size_t drawn = drawnRows(), leftOut = segmentsFrom(drawn);
    for (std::size_t i = 0; i < drawn; ++i) {
        const QRectF bar = barOf(i);
        if (bar.bottom() < headHeight() || bar.top() > viewport()->height())
            continue;
        paintLabel(painter, i);
        if (const MemorySegment* segment = segmentOf(i))
            paintSegment(painter, i, *segment);
        else
            paintFolded(painter, i);
    }
    if (leftOut > 0) {
        painter.setFont(Theme::tableFont());
        painter.setPen(colors.secondaryText);
        painter.drawText(
            QRectF(kLabel, barOf(drawn).top(), viewport()->width() - kLabel, kBar),
            Qt::AlignLeft | Qt::AlignVCenter,
            leftOut == 1
                ? tr("1 more segment")
                : tr("%1 more segments").arg(toQString(formatGrouped(static_cast<std::int64_t>(leftOut)))));
    }
    painter.fillRect(QRect(0, 0, viewport()->width(), headHeight()), colors.panel);
    painter.setPen(colors.text);
    if (!m_inFigure) {
        painter.drawText(QRect(Metrics::kSpace3, Metrics::kSpace2, viewport()->width() - 2 * Metrics::kSpace3,
                               headHeight()),
                         Qt::TextWordWrap, m_sentence);
    }
    if (!m_key.empty())
        paintLegend(painter,
                    QRectF(Metrics::kSpace3, headHeight() - keyHeight() - Metrics::kSpace1,
                           viewport()->width() - 2 * Metrics::kSpace3, keyHeight()),
                    m_key);
}

}  // namespace warpglass::ui
