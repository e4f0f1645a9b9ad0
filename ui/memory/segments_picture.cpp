#include "ui/memory/segments_picture.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/charts/byte_ticks.h"
#include "ui/charts/category_key.h"
#include "ui/charts/chart_text.h"
#include "ui/memory/free_look.h"
#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// The period of the lines over blocks that wait for another stream.
constexpr double kPendingPeriod = 5;

/// What is free in a bar of several parts is at least as wide.
constexpr double kLeastFree = 2;

/// Blocks so wide have a line between them; beside less it would be read as a stripe of its own.
constexpr double kParted = 6;

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
        put(pixel, pixel + 1, static_cast<std::size_t>(std::ranges::max_element(share) - share.begin()));
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

void SegmentsPicture::layOut(QSize size, bool inFigure) {
    m_size = size;
    m_inFigure = inFigure;
    // The categories are explained beside the view in the window; what is free is so nowhere else.
    m_key = inFigure ? entriesOf(seenCategories(m_document)) : std::vector<LegendEntry>();
    const std::vector<LegendEntry> free = FreeLook::legend();
    m_key.insert(m_key.end(), free.begin(), free.end());
    const int width = std::max(60, size.width() - 2 * static_cast<int>(Metrics::kSpace3));
    m_keyHeight = static_cast<int>(legendHeight(m_key, Theme::tableFont(), width));
    m_headHeight = m_keyHeight + kAxis + (m_content.list.state().segments.empty() ? 0 : kRow);
    const QFontMetrics metrics(Theme::tableFont());
    if (!inFigure)
        m_headHeight +=
            metrics.boundingRect(QRect(0, 0, width, 1000), Qt::TextWordWrap, m_content.sentence).height() +
            2 * static_cast<int>(Metrics::kSpace2);
}

/// Rows are on the scale of all segments together; what is unfolded, on that of the largest of its row.
QRectF SegmentsPicture::barOf(std::size_t shown) const {
    const MemorySegment* segment = m_content.list.segmentOf(shown);
    const SegmentRow& row = m_content.list.rowOf(shown);
    const bool unfolded = segment && row.folded;
    const std::int64_t whole =
        std::max<std::int64_t>(1, unfolded ? row.widest : m_content.list.all().totals.reserved.value);
    const double bytes = static_cast<double>(segment ? segment->bytes : row.totals.reserved.value);
    const double width =
        std::max<double>(kLeastBar, std::floor(barRoom() * bytes / static_cast<double>(whole)));
    const double top = m_headHeight + static_cast<double>(shown) * kRow - m_scrolled;
    return {labelWidth() + (unfolded ? kIndent : 0.0), top + (kRow - kBar) / 2.0,
            unfolded ? std::min(width, barRoom() - kIndent) : width, static_cast<double>(kBar)};
}

QRectF SegmentsPicture::rectOf(const MemorySegment& segment, const MemoryBlock& block, const QRectF& bar) {
    const double perByte = bar.width() / static_cast<double>(segment.bytes);
    return {bar.left() + static_cast<double>(block.address - segment.address) * perByte, bar.top(),
            static_cast<double>(block.bytes) * perByte, bar.height()};
}

double SegmentsPicture::barRoom() const {
    return std::max(10, m_size.width() - labelWidth() - Metrics::kSpace3);
}

/// With what is left free under it; 0 where nothing is free.
int SegmentsPicture::sizesHeight(int width) const {
    const int height = m_content.sizes.heightAt(width - 2 * Metrics::kSpace3);
    return height > 0 ? height + Metrics::kSpace2 + Metrics::kSpace3 : 0;
}

int SegmentsPicture::heightOf(std::size_t rows) const {
    return m_headHeight + static_cast<int>(rows + 1) * kRow + static_cast<int>(Metrics::kSpace2);
}

int SegmentsPicture::height() const {
    return heightOf(m_content.list.shown().size()) + sizesHeight(m_size.width());
}

bool SegmentsPicture::saysInUse(int y) const {
    return y >= m_headHeight - kRow && y < noteTop(drawnRows()) + kRow;
}

int SegmentsPicture::noteTop(std::size_t drawn) const {
    return m_headHeight + static_cast<int>(drawn) * kRow - m_scrolled;
}

/// Under the line below the rows; empty where a figure has no room for all of it.
QRectF SegmentsPicture::sizesArea(std::size_t drawn) const {
    const int top = noteTop(drawn) + kRow + Metrics::kSpace2;
    const int height = sizesHeight(m_size.width());
    if (m_inFigure &&
        (drawn < m_content.list.shown().size() || top + height - Metrics::kSpace3 > m_size.height()))
        return {};
    return QRectF(Metrics::kSpace3, top, m_size.width() - 2 * Metrics::kSpace3, height);
}

/// In a figure, those that are there whole with the line for the others under them.
std::size_t SegmentsPicture::drawnRows() const {
    const std::size_t all = m_content.list.shown().size();
    const auto fits = [this](std::size_t row) { return barOf(row).bottom() <= m_size.height(); };
    if (!m_inFigure || all == 0 || fits(all - 1))
        return all;
    std::size_t whole = 0;
    while (whole + 1 < all && fits(whole + 1))
        ++whole;
    return whole;
}

/// Those whose bars are in view.
std::pair<std::size_t, std::size_t> SegmentsPicture::rowsInView() const {
    constexpr int kOver = (kRow - kBar) / 2;  // a bar
    const int room = m_size.height() - m_headHeight + m_scrolled - kOver;
    const std::size_t end = room < 0 ? 0 : static_cast<std::size_t>(room / kRow) + 1;
    return {static_cast<std::size_t>((m_scrolled + kOver - 1) / kRow), std::min(drawnRows(), end)};
}

std::optional<std::size_t> SegmentsPicture::rowAt(QPointF at) const {
    if (at.y() < m_headHeight || m_content.list.shown().empty())
        return std::nullopt;
    const double row = (at.y() - m_headHeight + m_scrolled) / kRow;
    return row < static_cast<double>(drawnRows()) ? std::optional(static_cast<std::size_t>(row))
                                                  : std::nullopt;
}

const MemoryBlock* SegmentsPicture::blockAt(QPointF at) const {
    const auto row = rowAt(at);
    const MemorySegment* segment = row ? m_content.list.segmentOf(*row) : nullptr;
    const QRectF bar = segment ? barOf(*row) : QRectF();
    if (!segment || !bar.contains(at))
        return nullptr;
    const auto offset =
        static_cast<std::uint64_t>((at.x() - bar.left()) / bar.width() * static_cast<double>(segment->bytes));
    for (const MemoryBlock& block : segment->blocks) {
        if (segment->address + offset < block.address + static_cast<std::uint64_t>(block.bytes))
            return &block;
    }
    return nullptr;
}

/// The columns before the bars; in a narrow view the first and the third.
void SegmentsPicture::paintColumns(QPainter& painter, double top, const std::array<QString, 4>& texts) const {
    const ThemeColors& colors = Theme::instance().colors();
    const bool wide = m_size.width() >= kWide;
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
void SegmentsPicture::paintLabel(QPainter& painter, std::size_t shown) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF bar = barOf(shown);
    const MemorySegment* segment = m_content.list.segmentOf(shown);
    const SegmentRow& row = m_content.list.rowOf(shown);
    const Bytes free = segment ? segment->totals.free : row.totals.free;
    const Bytes holes = segment ? wasteOf(*segment) : row.holes;
    paintColumns(painter, bar.top(),
                 {m_content.list.nameOf(shown), sizeOf(segment ? Bytes(segment->bytes) : row.totals.reserved),
                  sizeOf(holes), sizeOf(free - holes)});
    if (segment)
        return;
    const QPointF middle(8, bar.center().y());
    const PainterScope undone(painter);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(Qt::NoPen);
    painter.setBrush(colors.secondaryText);
    if (m_content.list.isUnfolded(shown))
        painter.drawPolygon(
            QPolygonF({middle + QPointF(-4, -2), middle + QPointF(4, -2), middle + QPointF(0, 3)}));
    else
        painter.drawPolygon(
            QPolygonF({middle + QPointF(-2, -4), middle + QPointF(3, 0), middle + QPointF(-2, 4)}));
}

/// Its bytes as one bar, sorted; with their sizes, where they have room. What is free is seen also where it
/// is little.
void SegmentsPicture::paintParts(QPainter& painter, const QRectF& bar, const SegmentRow& row,
                                 bool sizes) const {
    painter.setFont(chartFont());
    const QFontMetricsF metrics(chartFont(), painter.device());
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

/// Behind its bar, what is in use in it, the largest first, as far as there is room; the last by name alone
/// where its size has none.
void SegmentsPicture::paintWords(QPainter& painter, const QRectF& bar, const SegmentRow& row) const {
    std::vector<SegmentPart> parts = row.parts;
    std::erase_if(parts, [](const SegmentPart& part) { return part.state != BlockState::kAllocated; });
    std::ranges::stable_sort(parts, std::greater(), &SegmentPart::bytes);
    painter.setFont(chartFont());
    const QFontMetricsF metrics(chartFont(), painter.device());
    const double left = bar.right() + 8;
    QString words =
        parts.empty() && row.totals.active().value == 0 ? tr("free: can be given back") : QString();
    const auto fits = [&](const QString& text) {
        return left + metrics.horizontalAdvance(text) <= labelWidth() + barRoom();
    };
    if (!fits(words))
        return;
    for (const SegmentPart& part : parts) {
        const QString name = (words.isEmpty() ? QString() : words + QStringLiteral(" · ")) +
                             toQString(categoryName(part.category));
        const QString sized = tr("%1 %2").arg(name, toQString(formatBytes(Bytes(part.bytes))));
        if (fits(name))
            words = fits(sized) ? sized : name;
        if (words != sized)
            break;
    }
    if (words.isEmpty())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const QRectF box(left, bar.top(), metrics.horizontalAdvance(words), bar.height());
    painter.fillRect(box.adjusted(-4, 0, 4, 0), colors.panel);  // the scale's lines do not cross it
    painter.setPen(colors.secondaryText);
    painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextDontClip, words);
}

void SegmentsPicture::paintSegment(QPainter& painter, std::size_t shown, const MemorySegment& segment) const {
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
    for (const MemoryBlock& block : segment.blocks) {
        const QRectF rect = rectOf(segment, block, bar);
        if (std::min(rect.width(), bar.right() - rect.right()) >= kParted)
            painter.fillRect(QRectF(std::floor(rect.right()) - 1, rect.top(), 1, rect.height()),
                             colors.panel);
    }
}

/// Lines through all rows; their numbers stand over the bar of all segments.
void SegmentsPicture::paintScale(QPainter& painter) const {
    const std::int64_t reserved = m_content.list.all().totals.reserved.value;
    if (m_content.list.shown().empty() || reserved <= 0)
        return;
    const int bottom =
        std::min(m_size.height(), m_headHeight + static_cast<int>(drawnRows()) * kRow - m_scrolled);
    for (const std::int64_t tick :
         byteTicks(reserved, std::max(1, static_cast<int>(barRoom() / kNumberRoom)))) {
        const double x =
            labelWidth() + std::floor(barRoom() * static_cast<double>(tick) / static_cast<double>(reserved));
        painter.fillRect(QRectF(x, m_headHeight - kRow - 4, 1, bottom - m_headHeight + kRow + 4),
                         Theme::instance().colors().hairline);
    }
}

void SegmentsPicture::paintHead(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    painter.setPen(colors.text);
    if (!m_inFigure)
        painter.drawText(
            QRect(Metrics::kSpace3, Metrics::kSpace2, m_size.width() - 2 * Metrics::kSpace3, m_headHeight),
            Qt::TextWordWrap, m_content.sentence);
    const double axis = m_headHeight - kRow - kAxis;
    paintLegend(
        painter,
        QRectF(Metrics::kSpace3, axis - m_keyHeight, m_size.width() - 2 * Metrics::kSpace3, m_keyHeight),
        m_key);
    paintColumns(painter, axis + 4, {tr("Segments"), tr("Together"), tr("In holes"), tr("Whole free")});
    painter.setPen(colors.secondaryText);
    const std::int64_t reserved = m_content.list.all().totals.reserved.value;
    const std::vector<std::int64_t> ticks =
        byteTicks(reserved, std::max(1, static_cast<int>(barRoom() / kNumberRoom)));
    painter.drawText(QRectF(labelWidth() - 8, axis + 4, 16, kBar), Qt::AlignCenter, QStringLiteral("0"));
    for (const std::int64_t tick : ticks) {
        const double x = labelWidth() + barRoom() * static_cast<double>(tick) / static_cast<double>(reserved);
        painter.drawText(QRectF(x - kNumberRoom / 2, axis + 4, kNumberRoom, kBar), Qt::AlignCenter,
                         toQString(byteTickLabel(tick, ticks.front(), ticks.back())));
    }
    const QRectF bar(labelWidth(), m_headHeight - kRow, barRoom(), kBar);
    painter.fillRect(bar.adjusted(0, -1, 0, 1), colors.panel);
    paintParts(painter, bar, m_content.list.all(), true);
    paintColumns(painter, bar.top(),
                 {tr("all %1").arg(toQString(
                      formatGrouped(static_cast<std::int64_t>(m_content.list.all().segments.size())))),
                  sizeOf(m_content.list.all().totals.reserved), sizeOf(m_content.list.all().holes),
                  sizeOf(m_content.list.all().wholeFree())});
}

void SegmentsPicture::paint(QPainter& painter) const {
    painter.setFont(Theme::tableFont());
    if (m_content.list.state().segments.empty()) {
        painter.setPen(Theme::instance().colors().secondaryText);
        painter.drawText(QRect(QPoint(), m_size).adjusted(16, 16, -16, -16),
                         Qt::AlignCenter | Qt::TextWordWrap, m_content.sentence);
        return;
    }
    paintScale(painter);
    painter.save();
    clipToRows(painter);
    const auto [first, end] = rowsInView();
    for (std::size_t row = first; row < end; ++row)
        paintRow(painter, row);
    const std::size_t drawn = drawnRows();
    paintNote(painter, drawn);
    if (const QRectF sizes = sizesArea(drawn); !sizes.isEmpty())
        m_content.sizes.paint(painter, sizes);
    painter.restore();
    paintHead(painter);
}

/// The head stays where it is while the rows scroll.
void SegmentsPicture::clipToRows(QPainter& painter) const {
    if (m_scrolled > 0)
        painter.setClipRect(QRect(0, m_headHeight, m_size.width(), m_size.height() - m_headHeight));
}

void SegmentsPicture::paintRow(QPainter& painter, std::size_t row) const {
    paintLabel(painter, row);
    const MemorySegment* segment = m_content.list.segmentOf(row);
    if (segment)
        paintSegment(painter, row, *segment);
    else
        paintParts(painter, barOf(row), m_content.list.rowOf(row));
    if (!segment || !m_content.list.rowOf(row).folded)
        paintWords(painter, barOf(row), m_content.list.rowOf(row));
}

void SegmentsPicture::paintFrames(QPainter& painter, std::optional<AllocationId> allocation,
                                  std::optional<Place> keyboard) const {
    const PainterScope undone(painter);
    clipToRows(painter);
    painter.setPen(QPen(Theme::instance().colors().accent, 2));
    const auto [first, end] = rowsInView();
    for (std::size_t row = first; row < end; ++row) {
        const bool here = keyboard && keyboard->row == row;
        const MemorySegment* segment = m_content.list.segmentOf(row);
        if (!segment && here)
            painter.drawRect(barOf(row).adjusted(0, 1, 0, -1));
        for (std::size_t i = 0; segment && i < segment->blocks.size(); ++i) {
            if ((!here || keyboard->block != i) &&
                (!allocation || allocationIn(segment->blocks[i]) != allocation))
                continue;
            const QRectF rect = rectOf(*segment, segment->blocks[i], barOf(row));
            painter.drawRect(rect.adjusted(0, 1, std::max(0.0, 2 - rect.width()), -1));
        }
    }
}

/// Under the rows: how many segments there are besides, what is in use, and what scale all bars are on.
void SegmentsPicture::paintNote(QPainter& painter, std::size_t drawn) const {
    const double left = m_size.width() < kWide ? Metrics::kSpace3 : labelWidth();
    const QRectF line(left, noteTop(drawn) + (kRow - kBar) / 2, m_size.width() - left, kBar);
    QString note = m_content.inUse;
    if (const std::size_t leftOut = m_content.list.segmentsFrom(drawn); leftOut > 0)
        note.prepend(
            leftOut == 1
                ? tr("1 more segment. ")
                : tr("%1 more segments. ").arg(toQString(formatGrouped(static_cast<std::int64_t>(leftOut)))));
    else if (m_inFigure && line.bottom() > m_size.height())
        note.clear();
    else if (!m_content.list.showsUnfolded())
        note += tr(" All bars are on one scale, none narrower than %1 pixels.").arg(kLeastBar);
    painter.setFont(Theme::tableFont());
    painter.setPen(Theme::instance().colors().secondaryText);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(note, Qt::ElideRight, static_cast<int>(line.width())));
}

}  // namespace warpglass::ui
