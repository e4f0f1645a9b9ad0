#include "ui/memory/segments_view.h"

#include <QHelpEvent>
#include <QKeyEvent>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/memory_sentences.h"
#include "engine/query/memory/memory_statistics.h"
#include "ui/charts/category_key.h"
#include "ui/controls/failure_note.h"
#include "ui/memory/cell_keys.h"
#include "ui/memory/free_look.h"
#include "ui/memory/phase_bands.h"
#include "ui/theme/hatch.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

/// With the constant one no more than a figure has.
constexpr std::size_t kMostRows = 19, kMostInFigure = kMostRows + 1;

/// What stays once it is there.
bool isConstantKind(Category category) {
    return category == Category::kWeights || category == Category::kOptimizerState ||
           category == Category::kInput || category == Category::kWorkspace;
}

/// When the run begins to free what it was for; its end if it does not.
Nanoseconds teardownOf(const Snapshot& snapshot) {
    for (const PhaseBand& band : phaseBands(snapshot, snapshot.range(), Nanoseconds(0))) {
        if (band.phase == Phase::kTeardown)
            return band.range.begin;
    }
    return snapshot.range().end;
}

std::vector<bool> constantOnes(const std::vector<MemorySegment>& segments, const MemoryTimeline& memory) {
    const Snapshot& snapshot = *memory.snapshot();
    const Nanoseconds teardown = teardownOf(snapshot);
    const auto isConstant = [&](AllocationId id) {
        if (!isConstantKind(memory.categoryOf(id)))
            return false;
        const auto freed = memory.freedAt(id);
        return !freed || *freed >= teardown;
    };
    std::vector<bool> constant;
    constant.reserve(segments.size());
    for (const MemorySegment& segment : segments)
        constant.push_back(isConstantSegment(segment, isConstant));
    return constant;
}

}  // namespace

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
        m_segments = std::make_shared<MemorySegments>();  // jobs of the other run may still use theirs
        m_list = {};
        m_sizes = {};
        m_sentence.clear();
        m_inUse.clear();
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
    const MemoryFocus::At at = m_focus.at();
    // One question at a time: the index is the worker's while it is asked.
    return {[this, source, moment, at, segments = m_segments]() -> DeferredQuery::Apply {
                SegmentState state;
                std::vector<SegmentRow> rows;
                SegmentRow all;
                Bytes rounding;
                FreeMemory free;
                std::optional<ComingAllocation> coming;
                if (source.snapshot && moment && source.snapshot->segmentEventCount() > 0) {
                    const auto memory = source.timeline();
                    segments->update(source.snapshot);
                    state = segments->at(*memory, *moment);
                    for (const RoundingTotals& totals : roundingAt(*memory, *moment))
                        rounding += totals.lost();
                    free = freeMemory(state, *memory);
                    coming = free.isOfOnePool ? largestAfter(*memory, *moment) : std::nullopt;
                    sortByWaste(state.segments);
                    const auto categoryOf = [&memory = *memory](AllocationId id) {
                        return memory.categoryOf(id);
                    };
                    rows = segmentRows(state.segments, constantOnes(state.segments, *memory), kMostRows,
                                       categoryOf);
                    all = allSegments(state.segments, categoryOf);
                }
                return [this, list = SegmentList(std::move(state), std::move(rows), std::move(all)), rounding,
                        free = std::move(free), coming, t = moment.value_or(Nanoseconds(0)), at]() mutable {
                    list.unfoldAs(m_list);
                    m_list = std::move(list);
                    clampCurrent();
                    m_sizes = FreeSizesPart(std::move(free), coming);
                    m_sentence = sentenceOf(t, at);
                    m_inUse = m_list.state().segments.empty()
                                  ? QString()
                                  : toQString(inUseSentence(m_list.state().totals, rounding));
                    updateScrollBar();
                    viewport()->update();
                };
            },
            source.isHeavy()};
}

void SegmentsView::setUnfolded(std::size_t shown, bool unfolded) {
    if (m_list.isUnfolded(shown) == unfolded)
        return;
    m_list.setUnfolded(shown, unfolded);
    clampCurrent();
    updateScrollBar();
    viewport()->update();
}

/// The current segment and block may be gone: another moment has others.
void SegmentsView::clampCurrent() {
    const auto clampTo = [](std::size_t at, std::size_t size) {
        return size == 0 ? 0 : std::min(at, size - 1);
    };
    m_current = clampTo(m_current, m_list.shown().size());
    const MemorySegment* segment = m_list.segmentOf(m_current);
    m_currentBlock = segment ? clampTo(m_currentBlock, segment->blocks.size()) : 0;
}

/// The height of the sentence, the legend, and the line with all segments.
int SegmentsView::headHeight() const {
    const int below = keyHeight() + kAxis + (m_list.state().segments.empty() ? 0 : kRow);
    if (m_inFigure)
        return below;
    // Asked for by every row of every frame.
    if (m_headOf == m_sentence && m_headWidth == viewport()->width())
        return m_headHeight + below;
    m_headOf = m_sentence;
    m_headWidth = viewport()->width();
    const QFontMetrics metrics(Theme::tableFont());
    const QRect text =
        metrics.boundingRect(QRect(0, 0, std::max(60, viewport()->width() - 2 * Metrics::kSpace3), 1000),
                             Qt::TextWordWrap, m_sentence);
    m_headHeight = text.height() + 2 * Metrics::kSpace2;
    return m_headHeight + below;
}

int SegmentsView::keyHeight() const {
    // As above: measuring text takes long.
    if (m_keyWidth != viewport()->width()) {
        m_keyWidth = viewport()->width();
        m_keyHeight = static_cast<int>(
            legendHeight(m_key, Theme::tableFont(), std::max(60, m_keyWidth - 2 * Metrics::kSpace3)));
    }
    return m_keyHeight;
}

/// Rows are on the scale of all segments together; what is unfolded, on that of the largest of its row.
QRectF SegmentsView::barOf(std::size_t shown) const {
    const MemorySegment* segment = m_list.segmentOf(shown);
    const SegmentRow& row = m_list.rowOf(shown);
    const bool unfolded = segment && row.folded;
    const std::int64_t whole =
        std::max<std::int64_t>(1, unfolded ? row.widest : m_list.all().totals.reserved.value);
    const double bytes = static_cast<double>(segment ? segment->bytes : row.totals.reserved.value);
    const double width =
        std::max<double>(kLeastBar, std::floor(barRoom() * bytes / static_cast<double>(whole)));
    const double top = headHeight() + static_cast<double>(shown) * kRow - verticalScrollBar()->value();
    return {labelWidth() + (unfolded ? kIndent : 0.0), top + (kRow - kBar) / 2.0,
            unfolded ? std::min(width, barRoom() - kIndent) : width, static_cast<double>(kBar)};
}

double SegmentsView::barRoom() const {
    return std::max(10, viewport()->width() - labelWidth() - Metrics::kSpace3);
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
    const std::vector<LegendEntry> free = FreeLook::legend();
    m_key.insert(m_key.end(), free.begin(), free.end());
    m_keyWidth = -1;
}

/// As many rows as a figure has at most, and the line under them: how many segments there are besides, or
/// what scale the bars are on.
int SegmentsView::figureHeight(int width, int most) {
    const std::size_t all = m_list.shown().size(), rows = std::min(all, kMostInFigure);
    if (rows == 0)
        return 0;
    const int height = headHeight() + static_cast<int>(rows + 1) * kRow + static_cast<int>(Metrics::kSpace2);
    const int sizes = sizesHeight(width);
    return rows == all && height + sizes <= most ? height + sizes : height;
}

/// With what is left free under it; 0 where nothing is free.
int SegmentsView::sizesHeight(int width) const {
    const int height = m_sizes.heightAt(width - 2 * Metrics::kSpace3);
    return height > 0 ? height + Metrics::kSpace2 + Metrics::kSpace3 : 0;
}

int SegmentsView::noteTop(std::size_t drawn) const {
    return headHeight() + static_cast<int>(drawn) * kRow - verticalScrollBar()->value();
}

/// Under the line below the rows; empty where a figure has no room for all of it.
QRectF SegmentsView::sizesArea(std::size_t drawn) const {
    const int top = noteTop(drawn) + kRow + Metrics::kSpace2;
    const int height = sizesHeight(viewport()->width());
    if (m_inFigure &&
        (drawn < m_list.shown().size() || top + height - Metrics::kSpace3 > viewport()->height()))
        return {};
    return QRectF(Metrics::kSpace3, top, viewport()->width() - 2 * Metrics::kSpace3, height);
}

/// In a figure, those that are there whole with the line for the others under them.
std::size_t SegmentsView::drawnRows() const {
    const std::size_t all = m_list.shown().size();
    const auto fits = [this](std::size_t row) { return barOf(row).bottom() <= viewport()->height(); };
    if (!m_inFigure || all == 0 || fits(all - 1))
        return all;
    std::size_t whole = 0;
    while (whole + 1 < all && fits(whole + 1))
        ++whole;
    return whole;
}

std::optional<std::size_t> SegmentsView::rowAt(QPointF at) const {
    if (at.y() < headHeight() || m_list.shown().empty())
        return std::nullopt;
    const double row = (at.y() - headHeight() + verticalScrollBar()->value()) / kRow;
    return row < static_cast<double>(drawnRows()) ? std::optional(static_cast<std::size_t>(row))
                                                  : std::nullopt;
}

const MemoryBlock* SegmentsView::blockAt(QPointF at) const {
    const auto row = rowAt(at);
    const MemorySegment* segment = row ? m_list.segmentOf(*row) : nullptr;
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

bool SegmentsView::viewportEvent(QEvent* event) {
    if (event->type() != QEvent::ToolTip)
        return QAbstractScrollArea::viewportEvent(event);
    const auto* help = static_cast<QHelpEvent*>(event);
    if (const MemoryBlock* block = blockAt(QPointF(help->pos())))
        QToolTip::showText(help->globalPos(), toolTipOf(*block), viewport());
    else if (const auto row = rowAt(QPointF(help->pos())))
        QToolTip::showText(help->globalPos(), m_list.toolTipOf(*row, m_focus.clock()), viewport());
    else if (const int y = help->pos().y(); y >= headHeight() - kRow && y < noteTop(drawnRows()) + kRow)
        QToolTip::showText(help->globalPos(), m_inUse, viewport());  // the line may be elided or out of view
    else
        QToolTip::hideText();
    return true;
}

void SegmentsView::mouseReleaseEvent(QMouseEvent* event) {
    const bool left = event->button() == Qt::LeftButton;
    const auto row = left ? rowAt(event->position()) : std::nullopt;
    if (row && !m_list.segmentOf(*row))
        return setUnfolded(*row, !m_list.isUnfolded(*row));
    const MemoryBlock* block = left ? blockAt(event->position()) : nullptr;
    m_focus.setSelected(block && block->allocation.valid() && block->state != BlockState::kFree
                            ? std::optional(block->allocation)
                            : std::nullopt);
}

void SegmentsView::moveCurrent(int key) {
    if (m_list.shown().empty())
        return;
    if (key == Qt::Key_Up || key == Qt::Key_Down) {
        const std::size_t last = m_list.shown().size() - 1;
        m_current = key == Qt::Key_Up ? m_current - (m_current > 0 ? 1 : 0) : std::min(last, m_current + 1);
        m_currentBlock = 0;
    } else if (!m_list.segmentOf(m_current)) {
        setUnfolded(m_current, key == Qt::Key_Right);
    } else {
        m_currentBlock =
            key == Qt::Key_Left ? m_currentBlock - (m_currentBlock > 0 ? 1 : 0) : m_currentBlock + 1;
    }
    clampCurrent();
    const MemorySegment* segment = m_list.segmentOf(m_current);
    const MemoryBlock* block =
        segment && !segment->blocks.empty() ? &segment->blocks[m_currentBlock] : nullptr;
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
    const bool taken =
        handleCellKey(*event, {[this](Qt::Key key) { moveCurrent(key); },
                               [this] {
                                   if (m_current < m_list.shown().size() && !m_list.segmentOf(m_current))
                                       setUnfolded(m_current, !m_list.isUnfolded(m_current));
                                   else if (m_focus.selected())
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
    // With the line under the rows.
    const int all = headHeight() + static_cast<int>(m_list.shown().size() + 1) * kRow + Metrics::kSpace2 +
                    sizesHeight(viewport()->width());
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
