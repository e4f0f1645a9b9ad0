// How a SegmentsView is drawn: rows with a label and a bar, and what is stated above them.
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/charts/byte_ticks.h"
#include "ui/memory/free_look.h"
#include "ui/memory/segments_view.h"
#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The period of the lines over blocks that wait for another stream.
constexpr double kPendingPeriod = 5;

/// What is free in a bar of several parts is at least as wide.
constexpr double kLeastFree = 2;

/// Between two numbers of the scale.
constexpr double kNumberRoom = 90;

/// `whole`: of a segment that nothing is in.
void paintState(QPainter& painter, const QRectF& rect, BlockState state, Category category, bool whole) {
    const ThemeColors& colors = Theme::instance().colors();
    switch (state) {
        case BlockState::kFree:
            FreeLook::paint(painter, rect, whole);
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

/// In a column of a row.
QString sizeOf(Bytes bytes) {
    return bytes.value > 0 ? toQString(formatBytes(bytes)) : QStringLiteral("–");
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
                   static_cast<std::size_t>(categoryOf(block.allocation));
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

/// The columns before the bars; in a narrow view the first and the third.
void SegmentsView::paintColumns(QPainter& painter, double top, const std::array<QString, 4>& texts) const {
    const ThemeColors& colors = Theme::instance().colors();
    const bool wide = viewport()->width() >= kWide;
    const std::array<double, 4> rights =
        wide ? std::array{128.0, 200.0, 276.0, 354.0} : std::array{108.0, 0.0, 180.0, 0.0};
    painter.setFont(Theme::tableFont());
    for (std::size_t i = 0; i < texts.size(); ++i) {
        painter.setPen(i == 0 ? colors.text : colors.secondaryText);
        if (rights[i] > 0)
            painter.drawText(QRectF(0, top, rights[i], kBar), Qt::AlignRight | Qt::AlignVCenter, texts[i]);
    }
}

/// Its name and numbers; of several behind a triangle that says whether they are unfolded.
void SegmentsView::paintLabel(QPainter& painter, std::size_t shown) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF bar = barOf(shown);
    const MemorySegment* segment = m_list.segmentOf(shown);
    const SegmentRow& row = m_list.rowOf(shown);
    const Bytes free = segment ? segment->totals.free : row.totals.free;
    const Bytes holes = segment ? wasteOf(*segment) : row.holes;
    paintColumns(painter, bar.top(),
                 {m_list.nameOf(shown), sizeOf(segment ? Bytes(segment->bytes) : row.totals.reserved),
                  sizeOf(holes), sizeOf(free - holes)});
    if (segment)
        return;
    const QPointF middle(8, bar.center().y());
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.secondaryText);
    if (m_list.isUnfolded(shown))
        painter.drawPolygon(
            QPolygonF({middle + QPointF(-4, -2), middle + QPointF(4, -2), middle + QPointF(0, 3)}));
    else
        painter.drawPolygon(
            QPolygonF({middle + QPointF(-2, -4), middle + QPointF(3, 0), middle + QPointF(-2, 4)}));
    painter.restore();
}

/// Its bytes as one bar, sorted; with their sizes, where they have room. What is free is seen also where it
/// is little.
void SegmentsView::paintParts(QPainter& painter, const QRectF& bar, const SegmentRow& row, bool sizes) const {
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    painter.setFont(font);
    const QFontMetricsF metrics(font, painter.device());
    const auto whole = static_cast<double>(std::max<std::int64_t>(1, row.totals.reserved.value));
    double done = 0;
    for (const SegmentPart& part : row.parts) {
        double left = bar.left() + std::round(done / whole * bar.width());
        done += static_cast<double>(part.bytes);
        const double right = bar.left() + std::round(done / whole * bar.width());
        if (part.state == BlockState::kFree)
            left = std::max(bar.left(), std::min(left, right - kLeastFree));
        if (right <= left)
            continue;
        const QRectF rect(left, bar.top(), right - left, bar.height());
        paintState(painter, rect, part.state, part.category, part.whole);
        const QString size = toQString(formatBytes(Bytes(part.bytes)));
        if (!sizes || part.state != BlockState::kAllocated ||
            metrics.horizontalAdvance(size) + 8 > rect.width())
            continue;
        painter.setPen(Theme::textOn(Theme::categoryColor(part.category)));
        painter.drawText(rect, Qt::AlignCenter, size);
    }
}

/// Behind its bar, what is in use in it, the largest first, as far as there is room.
void SegmentsView::paintWords(QPainter& painter, const QRectF& bar, const SegmentRow& row) const {
    std::vector<SegmentPart> parts = row.parts;
    std::erase_if(parts, [](const SegmentPart& part) { return part.state != BlockState::kAllocated; });
    std::stable_sort(parts.begin(), parts.end(),
                     [](const SegmentPart& a, const SegmentPart& b) { return a.bytes > b.bytes; });
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    painter.setFont(font);
    const QFontMetricsF metrics(font, painter.device());
    const double left = bar.right() + 8;
    QString words =
        parts.empty() && row.totals.active().value == 0 ? tr("free: can be given back") : QString();
    const auto fits = [&](const QString& text) {
        return left + metrics.horizontalAdvance(text) <= labelWidth() + barRoom();
    };
    if (!fits(words))
        return;
    for (const SegmentPart& part : parts) {
        const QString more = (words.isEmpty() ? QString() : words + QStringLiteral(" · ")) +
                             tr("%1 %2").arg(toQString(categoryName(part.category)),
                                             toQString(formatBytes(Bytes(part.bytes))));
        if (!fits(more))
            break;
        words = more;
    }
    if (words.isEmpty())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF box(left, bar.top(), metrics.horizontalAdvance(words), bar.height());
    painter.fillRect(box.adjusted(-4, 0, 4, 0), colors.panel);  // the scale's lines do not cross it
    painter.setPen(colors.secondaryText);
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, words);
}

void SegmentsView::paintSegment(QPainter& painter, std::size_t shown, const MemorySegment& segment) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF bar = barOf(shown);
    const bool whole = segment.totals.active().value == 0;
    const MemoryTimeline& memory = m_document.memory();
    const auto categoryOf = [&](AllocationId id) { return memory.categoryOf(id); };
    for (const SegmentPiece& piece : segmentPieces(segment, static_cast<int>(bar.width()), categoryOf))
        paintState(painter,
                   QRectF(bar.left() + piece.left, bar.top(), piece.right - piece.left, bar.height()),
                   piece.state, piece.category, whole);
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

/// Lines through all rows; their numbers stand over the bar of all segments.
void SegmentsView::paintScale(QPainter& painter) const {
    const std::int64_t reserved = m_list.all().totals.reserved.value;
    if (m_list.shown().empty() || reserved <= 0)
        return;
    const int bottom = std::min(viewport()->height(), headHeight() + static_cast<int>(drawnRows()) * kRow -
                                                          verticalScrollBar()->value());
    for (const std::int64_t tick :
         byteTicks(reserved, std::max(1, static_cast<int>(barRoom() / kNumberRoom)))) {
        const double x =
            labelWidth() + std::floor(barRoom() * static_cast<double>(tick) / static_cast<double>(reserved));
        painter.fillRect(QRectF(x, headHeight() - kRow - 4, 1, bottom - headHeight() + kRow + 4),
                         Theme::instance().colors().hairline);
    }
}

/// What stays where it is while the rows scroll.
void SegmentsView::paintHead(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setPen(colors.text);
    if (!m_inFigure)
        painter.drawText(QRect(Metrics::kSpace3, Metrics::kSpace2, viewport()->width() - 2 * Metrics::kSpace3,
                               headHeight()),
                         Qt::TextWordWrap, m_sentence);
    const double axis = headHeight() - kRow - kAxis;
    paintLegend(
        painter,
        QRectF(Metrics::kSpace3, axis - keyHeight(), viewport()->width() - 2 * Metrics::kSpace3, keyHeight()),
        m_key);
    paintColumns(painter, axis + 4, {tr("Segments"), tr("Together"), tr("In holes"), tr("Whole free")});
    painter.setPen(colors.secondaryText);
    const std::int64_t reserved = m_list.all().totals.reserved.value;
    const std::vector<std::int64_t> ticks =
        byteTicks(reserved, std::max(1, static_cast<int>(barRoom() / kNumberRoom)));
    painter.drawText(QRectF(labelWidth() - 8, axis + 4, 16, kBar), Qt::AlignCenter, QStringLiteral("0"));
    for (const std::int64_t tick : ticks) {
        const double x = labelWidth() + barRoom() * static_cast<double>(tick) / static_cast<double>(reserved);
        painter.drawText(QRectF(x - kNumberRoom / 2, axis + 4, kNumberRoom, kBar), Qt::AlignCenter,
                         toQString(byteTickLabel(tick, ticks.front(), ticks.back())));
    }
    const QRectF bar(labelWidth(), headHeight() - kRow, barRoom(), kBar);
    painter.fillRect(bar.adjusted(0, -1, 0, 1), colors.panel);
    paintParts(painter, bar, m_list.all(), true);
    paintColumns(
        painter, bar.top(),
        {tr("all %1").arg(toQString(formatGrouped(static_cast<std::int64_t>(m_list.all().segments.size())))),
         sizeOf(m_list.all().totals.reserved), sizeOf(m_list.all().holes), sizeOf(m_list.all().wholeFree())});
}

void SegmentsView::paintEvent(QPaintEvent*) {
    const ThemeColors& colors = Theme::instance().colors();
    QPainter painter(viewport());
    painter.fillRect(viewport()->rect(), colors.panel);
    painter.setFont(Theme::tableFont());
    if (m_list.state().segments.empty()) {
        painter.setPen(colors.secondaryText);
        painter.drawText(viewport()->rect().adjusted(16, 16, -16, -16), Qt::AlignCenter | Qt::TextWordWrap,
                         m_sentence);
        return;
    }
    paintScale(painter);
    const std::size_t drawn = drawnRows();
    paintRows(painter, drawn);
    paintNote(painter, drawn);
    if (const QRectF sizes = sizesArea(drawn); !sizes.isEmpty())
        m_sizes.paint(painter, sizes);
    painter.fillRect(QRect(0, 0, viewport()->width(), headHeight() - kRow - kAxis), colors.panel);
    paintHead(painter);
}

/// Those whose bars are in view.
void SegmentsView::paintRows(QPainter& painter, std::size_t drawn) const {
    constexpr int kOver = (kRow - kBar) / 2;  // a bar
    const ThemeColors& colors = Theme::instance().colors();
    const int scrolled = verticalScrollBar()->value();
    const int room = viewport()->height() - headHeight() + scrolled - kOver;
    const std::size_t end = room < 0 ? 0 : std::min(drawn, static_cast<std::size_t>(room / kRow) + 1);
    for (auto i = static_cast<std::size_t>((scrolled + kOver - 1) / kRow); i < end; ++i) {
        paintLabel(painter, i);
        if (const MemorySegment* segment = m_list.segmentOf(i)) {
            paintSegment(painter, i, *segment);
            if (!m_list.rowOf(i).folded)
                paintWords(painter, barOf(i), m_list.rowOf(i));
            continue;
        }
        const QRectF bar = barOf(i);
        paintParts(painter, bar, m_list.rowOf(i));
        paintWords(painter, bar, m_list.rowOf(i));
        if (hasFocus() && i == m_current) {
            painter.setPen(QPen(colors.accent, 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRect(bar.adjusted(0, 1, 0, -1));
        }
    }
}

/// Under the rows: how many segments there are besides, what is in use, and what scale all bars are on.
void SegmentsView::paintNote(QPainter& painter, std::size_t drawn) const {
    const double left = viewport()->width() < kWide ? Metrics::kSpace3 : labelWidth();
    const QRectF line(left, noteTop(drawn) + (kRow - kBar) / 2, viewport()->width() - left, kBar);
    QString note = m_inUse;
    if (const std::size_t leftOut = m_list.segmentsFrom(drawn); leftOut > 0)
        note.prepend(
            leftOut == 1
                ? tr("1 more segment. ")
                : tr("%1 more segments. ").arg(toQString(formatGrouped(static_cast<std::int64_t>(leftOut)))));
    else if (m_inFigure && line.bottom() > viewport()->height())
        note.clear();
    else if (!m_list.showsUnfolded())
        note += tr(" All bars are on one scale, none narrower than %1 pixels.").arg(kLeastBar);
    painter.setFont(Theme::tableFont());
    painter.setPen(Theme::instance().colors().secondaryText);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(note, Qt::ElideRight, static_cast<int>(line.width())));
}

}  // namespace warpglass::ui
