#include "ui/memory/segments_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QPainter>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/base/format_moment.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/memory_statistics.h"
#include "ui/charts/category_key.h"
#include "ui/memory/cell_keys.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

constexpr int kLabel = 132;
constexpr int kRow = 26, kBar = 18;
/// Of the lines over what waits for another stream.
constexpr double kPendingPeriod = 5;

Category clamped(Category category) {
    return std::min(category, Category::kUnknown);
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

SegmentsView::SegmentsView(RunDocument& document, MemoryFocus& focus, QWidget* parent)
    : QAbstractScrollArea(parent),
      m_document(document),
      m_focus(focus),
      m_segments(std::make_shared<MemorySegments>()),
      m_query([this] { return makeJob(); }) {
    showFailures(this, m_query);
    setAccessibleName(tr("Segments of the allocator"));
    setFrameShape(QFrame::NoFrame);
    setFocusPolicy(Qt::StrongFocus);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    viewport()->setMouseTracking(true);
    using Cause = DeferredQuery::Cause;
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_current = m_currentBlock = 0;
        m_state = {};
        m_sentence.clear();
        m_query.invalidate(Cause::kOtherRun);
    });
    connect(&m_focus, &MemoryFocus::momentChanged, this, [this] { m_query.invalidate(Cause::kPerson); });
    connect(&m_focus, &MemoryFocus::grown, this, [this] { m_query.invalidate(Cause::kGrowth); });
    const auto repaint = [this] { viewport()->update(); };
    connect(&m_focus, &MemoryFocus::selectedChanged, this, repaint);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        updateKey();
        viewport()->update();
    });
    updateKey();
    m_query.invalidate(Cause::kOtherRun);
}

DeferredQuery::Job SegmentsView::makeJob() {
    const MemorySource source = MemorySource::of(m_document);
    const auto moment = m_focus.moment();
    // One question at a time: the index is the worker's while it is asked.
    return {[this, source, moment, segments = m_segments]() -> DeferredQuery::Apply {
                SegmentState state;
                Bytes rounding;
                if (source.snapshot && moment && source.snapshot->segmentEventCount() > 0) {
                    const auto memory = source.timeline();
                    segments->update(source.snapshot);
                    state = segments->at(*memory, *moment);
                    for (const RoundingTotals& totals : roundingAt(*memory, *moment))
                        rounding += totals.lost();
                    std::stable_sort(
                        state.segments.begin(), state.segments.end(),
                        [](const MemorySegment& a, const MemorySegment& b) { return a.bytes > b.bytes; });
                }
                return
                    [this, state = std::move(state), rounding,
                     t = moment.value_or(Nanoseconds(0))]() mutable { take(std::move(state), rounding, t); };
            },
            source.isHeavy()};
}

void SegmentsView::take(SegmentState state, Bytes rounding, Nanoseconds moment) {
    m_state = std::move(state);
    clampCurrent();
    const SegmentTotals& totals = m_state.totals;
    const auto size = [](Bytes bytes) { return toQString(formatBytes(bytes)); };
    if (m_state.segments.empty()) {
        const auto& run = m_document.snapshot();
        const QString why = run ? toQString(Completeness(*run).why(DataKind::kSegments)) : QString();
        m_sentence = !run            ? m_document.noRunWords(tr("to see its segments"))
                     : why.isEmpty() ? tr("No segment is held at this moment")
                                     : why;
    } else {
        m_sentence =
            tr("%1 segments hold %2 at %3: %4 allocated in %5 blocks, %6 free in %7 pieces, the largest %8")
                .arg(toQString(formatGrouped(static_cast<std::int64_t>(m_state.segments.size()))),
                     size(totals.reserved), toQString(formatMoment(moment)), size(totals.allocated),
                     toQString(formatGrouped(totals.blocks)), size(totals.free),
                     toQString(formatGrouped(totals.gaps)), size(totals.largestFree));
        if (totals.pending.value > 0)
            m_sentence += tr(", %1 freed but still used by another stream").arg(size(totals.pending));
        if (totals.earlier.value > 0)
            m_sentence += tr(", %1 in use since before the recording").arg(size(totals.earlier));
        m_sentence += tr(". Fragmentation %1: the share of free memory outside the largest free block. "
                         "Rounding overhead %2.")
                          .arg(toQString(formatPercent(totals.fragmentation())), size(rounding));
    }
    updateScrollBar();
    viewport()->update();
}

/// The current segment and block may be gone: another moment has others.
void SegmentsView::clampCurrent() {
    const auto clampTo = [](std::size_t at, std::size_t size) {
        return size == 0 ? 0 : std::min(at, size - 1);
    };
    m_current = clampTo(m_current, m_state.segments.size());
    m_currentBlock =
        m_state.segments.empty() ? 0 : clampTo(m_currentBlock, m_state.segments[m_current].blocks.size());
}

int SegmentsView::headHeight() const {
    // Asked for by every segment of every frame.
    if (m_headOf == m_sentence && m_headWidth == viewport()->width())
        return m_headHeight + keyHeight();
    m_headOf = m_sentence;
    m_headWidth = viewport()->width();
    const QFontMetrics metrics(Theme::tableFont());
    const QRect text =
        metrics.boundingRect(QRect(0, 0, std::max(60, viewport()->width() - 2 * Metrics::kSpace3), 1000),
                             Qt::TextWordWrap, m_sentence);
    m_headHeight = text.height() + 2 * Metrics::kSpace2;
    return m_headHeight + keyHeight();
}

int SegmentsView::keyHeight() const {
    return static_cast<int>(
        legendHeight(m_key, Theme::tableFont(), std::max(60, viewport()->width() - 2 * Metrics::kSpace3)));
}

QRectF SegmentsView::barOf(std::size_t segment) const {
    const MemorySegment& s = m_state.segments[segment];
    const double room = std::max(10, viewport()->width() - kLabel - Metrics::kSpace3);
    // Small ones are a few pixels wide at the least, or there is nothing to see.
    const double width = std::max(4.0, std::floor(room * static_cast<double>(s.bytes) /
                                                  static_cast<double>(m_state.segments.front().bytes)));
    const double top = headHeight() + static_cast<double>(segment) * kRow - verticalScrollBar()->value();
    return {static_cast<double>(kLabel), top + (kRow - kBar) / 2.0, width, static_cast<double>(kBar)};
}

void SegmentsView::setInFigure(bool inFigure) {
    m_inFigure = inFigure;
    updateKey();
    if (inFigure)
        m_scrollBefore = verticalScrollBar()->value();
    verticalScrollBar()->setValue(inFigure ? 0 : m_scrollBefore);
}

/// The categories are explained beside the view in the window; what is free is so nowhere else.
void SegmentsView::updateKey() {
    m_key = m_inFigure ? entriesOf(seenCategories(m_document)) : std::vector<LegendEntry>();
    m_key.push_back(freeEntry());
}

/// The largest twenty say how the memory lies; a line under them says how many there are besides.
int SegmentsView::figureHeight(int, int) {
    constexpr int kMostInFigure = 20;
    const int segments = static_cast<int>(m_state.segments.size()), rows = std::min(segments, kMostInFigure);
    return rows == 0 ? 0
                     : headHeight() + (rows + (rows < segments ? 1 : 0)) * kRow +
                           static_cast<int>(Metrics::kSpace2);
}

/// In a figure, those that are there whole with the line for the others under them.
std::size_t SegmentsView::drawnSegments() const {
    const std::size_t all = m_state.segments.size();
    const auto fits = [this](std::size_t row) { return barOf(row).bottom() <= viewport()->height(); };
    if (!m_inFigure || all == 0 || fits(all - 1))
        return all;
    std::size_t whole = 0;
    while (whole + 1 < all && fits(whole + 1))
        ++whole;
    return whole;
}

void SegmentsView::paintSegment(QPainter& painter, std::size_t i) const {
    const ThemeColors& colors = Theme::instance().colors();
    const MemorySegment& segment = m_state.segments[i];
    const QRectF bar = barOf(i);
    painter.setFont(Theme::tableFont());
    painter.setPen(colors.text);
    const QRectF label(Metrics::kSpace3, bar.top(), 60, bar.height());
    painter.drawText(label, Qt::AlignRight | Qt::AlignVCenter, toQString(formatBytes(Bytes(segment.bytes))));
    painter.setPen(colors.secondaryText);
    const QString kind = segment.expandable  ? tr("expand.")
                         : segment.pool != 0 ? tr("graph")
                         : segment.large     ? tr("large")
                                             : tr("small");
    painter.drawText(QRectF(label.right() + 8, bar.top(), kLabel - label.right() - 12, bar.height()),
                     Qt::AlignLeft | Qt::AlignVCenter, kind);
    painter.fillRect(bar, colors.raised);
    const Snapshot& snapshot = *m_document.snapshot();
    const auto categoryOf = [&](AllocationId id) { return snapshot.categoryOf(id); };
    for (const SegmentPiece& piece : segmentPieces(segment, static_cast<int>(bar.width()), categoryOf)) {
        const QRectF rect(bar.left() + piece.left, bar.top(), piece.right - piece.left, bar.height());
        switch (piece.state) {
            case BlockState::kFree:
                fillFree(painter, rect);
                break;
            case BlockState::kAllocated:
                painter.fillRect(rect, Theme::categoryColor(piece.category));
                break;
            case BlockState::kPending:
                painter.fillRect(rect, Theme::categoryColor(piece.category));
                fillHatch(painter, rect, colors.background, kPendingPeriod, 2);
                break;
            case BlockState::kEarlier:
                painter.fillRect(rect, colors.secondaryText);
                break;
        }
    }
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
        const bool current = hasFocus() && i == m_current &&
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
    const std::size_t drawn = drawnSegments(), leftOut = m_state.segments.size() - drawn;
    for (std::size_t i = 0; i < drawn; ++i) {
        const QRectF bar = barOf(i);
        if (bar.bottom() >= headHeight() && bar.top() <= viewport()->height())
            paintSegment(painter, i);
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
    painter.drawText(
        QRect(Metrics::kSpace3, Metrics::kSpace2, viewport()->width() - 2 * Metrics::kSpace3, headHeight()),
        Qt::TextWordWrap, m_sentence);
    if (!m_key.empty())
        paintLegend(painter,
                    QRectF(Metrics::kSpace3, headHeight() - keyHeight() - Metrics::kSpace1,
                           viewport()->width() - 2 * Metrics::kSpace3, keyHeight()),
                    m_key);
}

const MemoryBlock* SegmentsView::blockAt(QPointF at) const {
    if (at.y() < headHeight())
        return nullptr;
    for (std::size_t i = 0; i < m_state.segments.size(); ++i) {
        const QRectF bar = barOf(i);
        if (!bar.contains(at))
            continue;
        const MemorySegment& segment = m_state.segments[i];
        const auto offset = static_cast<std::uint64_t>((at.x() - bar.left()) / bar.width() *
                                                       static_cast<double>(segment.bytes));
        for (const MemoryBlock& block : segment.blocks) {
            if (segment.address + offset < block.address + static_cast<std::uint64_t>(block.bytes))
                return &block;
        }
    }
    return nullptr;
}

QString SegmentsView::toolTipOf(const MemoryBlock& block) const {
    switch (block.state) {
        case BlockState::kFree:
            return tr("Free: %1").arg(toQString(formatBytesExact(Bytes(block.bytes))));
        case BlockState::kEarlier:
            return tr("In use since before the recording: %1")
                .arg(toQString(formatBytesExact(Bytes(block.bytes))));
        default:
            break;
    }
    QString text = allocationToolTip(m_focus.detailOf(block.allocation), m_document.snapshot()->range().end);
    if (block.state == BlockState::kPending)
        text += tr("Freed, but still used by another stream");
    return text;
}

bool SegmentsView::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const MemoryBlock* block = blockAt(QPointF(help->pos())))
        QToolTip::showText(help->globalPos(), toolTipOf(*block), viewport());
    else
        QToolTip::hideText();
    return true;
}

void SegmentsView::mouseReleaseEvent(QMouseEvent* event) {
    const MemoryBlock* block = event->button() == Qt::LeftButton ? blockAt(event->position()) : nullptr;
    m_focus.setSelected(block && block->allocation.valid() && block->state != BlockState::kFree
                            ? std::optional(block->allocation)
                            : std::nullopt);
}

void SegmentsView::moveCurrent(int key) {
    if (m_state.segments.empty())
        return;
    if (key == Qt::Key_Up || key == Qt::Key_Down) {
        const std::size_t last = m_state.segments.size() - 1;
        m_current = key == Qt::Key_Up ? m_current - (m_current > 0 ? 1 : 0) : std::min(last, m_current + 1);
        m_currentBlock = 0;
    } else {
        m_currentBlock =
            key == Qt::Key_Left ? m_currentBlock - (m_currentBlock > 0 ? 1 : 0) : m_currentBlock + 1;
    }
    clampCurrent();
    const std::vector<MemoryBlock>& blocks = m_state.segments[m_current].blocks;
    const MemoryBlock* block = blocks.empty() ? nullptr : &blocks[m_currentBlock];
    m_focus.setSelected(block && block->allocation.valid() && block->state != BlockState::kFree
                            ? std::optional(block->allocation)
                            : std::nullopt);
    const QRectF bar = barOf(m_current);
    if (bar.top() < headHeight())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + static_cast<int>(bar.top()) -
                                      headHeight());
    else if (bar.bottom() > viewport()->height())
        verticalScrollBar()->setValue(verticalScrollBar()->value() + static_cast<int>(bar.bottom()) -
                                      viewport()->height() + 4);
    viewport()->update();
}

void SegmentsView::keyPressEvent(QKeyEvent* event) {
    const bool taken = handleCellKey(*event, {[this](Qt::Key key) { moveCurrent(key); },
                                              [this] {
                                                  if (m_focus.selected())
                                                      m_focus.zoomToLife(*m_focus.selected());
                                              },
                                              {},
                                              [this] {
                                                  const bool selected = m_focus.selected().has_value();
                                                  m_focus.letGo();
                                                  return selected;
                                              }});
    if (!taken)
        QAbstractScrollArea::keyPressEvent(event);
}

void SegmentsView::updateScrollBar() {
    const int all = headHeight() + static_cast<int>(m_state.segments.size()) * kRow + Metrics::kSpace2;
    verticalScrollBar()->setRange(0, std::max(0, all - viewport()->height()));
    verticalScrollBar()->setPageStep(viewport()->height());
    verticalScrollBar()->setSingleStep(kRow);
}

void SegmentsView::resizeEvent(QResizeEvent* event) {
    QAbstractScrollArea::resizeEvent(event);
    updateScrollBar();
}

void SegmentsView::refreshNow() {
    m_query.runNow();
}

void SegmentsView::showEvent(QShowEvent* event) {
    QAbstractScrollArea::showEvent(event);
    m_query.setActive(true);
}

void SegmentsView::hideEvent(QHideEvent* event) {
    QAbstractScrollArea::hideEvent(event);
    m_query.setActive(false);
}

}  // namespace warpglass::ui
