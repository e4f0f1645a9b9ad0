#include "ui/memory/segments_view.h"

#include <QApplication>
#include <QKeyEvent>
#include <QScrollBar>
#include <algorithm>
#include <cstdlib>

#include "engine/base/format.h"
#include "engine/query/completeness/completeness.h"
#include "engine/query/memory/memory_sentences.h"
#include "engine/query/memory/memory_statistics.h"
#include "ui/memory/phase_bands.h"
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
    : Canvas(parent),
      m_document(document),
      m_focus(focus),
      m_bar(new QScrollBar(Qt::Vertical, this)),
      m_query([this] { return makeJob(); }) {
    draws(m_query);
    setAccessibleName(tr("Segments of the allocator"));
    m_bar->setSingleStep(SegmentsPicture::kRow);
    connect(m_bar, &QScrollBar::valueChanged, this, [this](int value) {
        m_picture.setScrolled(value);
        redraw();
    });
    using Cause = DeferredQuery::Cause;
    connect(&m_document, &RunDocument::runChanged, this, [this] {
        m_currentBlock = 0;
        m_segments = std::make_shared<MemorySegments>();  // jobs of the other run may still use theirs
        m_content = {};
        layOut();
        m_query.invalidate(Cause::kOtherRun);
    });
    connect(&m_focus, &MemoryFocus::momentChanged, this, [this] { m_query.invalidate(Cause::kPerson); });
    connect(&m_focus, &MemoryFocus::grown, this, [this] { m_query.invalidate(Cause::kGrowth); });
    connect(&m_focus, &MemoryFocus::selectedChanged, this, qOverload<>(&QWidget::update));
    connect(&Theme::instance(), &Theme::changed, this, &SegmentsView::layOut);
    layOut();
    m_query.invalidate(Cause::kOtherRun);
}

DeferredQuery::Job SegmentsView::makeJob() {
    const MemorySource source = MemorySource::of(m_document);
    const auto moment = m_focus.moment();
    const MemoryFocus::At at = m_focus.at();
    // One question at a time: the index is the worker's while it is asked.
    return {[this, source, moment, at, segments = m_segments] {
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
                    list.unfoldAs(m_content.list);
                    m_content.list = std::move(list);
                    m_content.sizes = FreeSizesPart(std::move(free), coming);
                    m_content.sentence = sentenceOf(t, at);
                    m_content.inUse = m_content.list.state().segments.empty()
                                          ? QString()
                                          : toQString(inUseSentence(m_content.list.state().totals, rounding));
                    layOut();
                };
            },
            source.isHeavy()};
}

/// What is reserved and lost to holes, or why nothing is shown.
QString SegmentsView::sentenceOf(Nanoseconds moment, MemoryFocus::At at) const {
    if (!m_content.list.state().segments.empty()) {
        const std::string when = m_focus.clock().text(moment).toStdString();
        return toQString(segmentsSentence(m_content.sizes.free(), at == MemoryFocus::At::kPeak
                                                                      ? "At the peak (" + when + ")"
                                                                      : "At " + when));
    }
    const auto& run = m_document.snapshot();
    const QString why = run ? toQString(Completeness(*run).why(DataKind::kSegments)) : QString();
    return !run            ? m_document.noRunWords(tr("to see its segments"))
           : why.isEmpty() ? tr("No segment is held at this moment")
                           : why;
}

void SegmentsView::setUnfolded(std::size_t shown, bool unfolded) {
    if (list().isUnfolded(shown) == unfolded)
        return;
    m_content.list.setUnfolded(shown, unfolded);
    layOut();
}

void SegmentsView::layOut() {
    m_picture.layOut(size(), m_inFigure);
    const bool scrolls = !m_inFigure && m_picture.height() > height();
    const int bar = scrolls ? m_bar->sizeHint().width() : 0;
    if (scrolls)  // beside the bar the sentence may be higher
        m_picture.layOut(size() - QSize(bar, 0), false);
    m_bar->setVisible(scrolls);
    m_bar->setGeometry(width() - bar, 0, bar, height());
    if (!m_inFigure)  // it is where it was when the figure is done
        m_bar->setRange(0, std::max(0, m_picture.height() - height()));
    m_bar->setPageStep(height());
    m_picture.setScrolled(m_inFigure ? 0 : m_bar->value());
    // The current segment and block may be gone: another moment has others.
    setChosen(std::clamp(chosen(), 0, std::max(0, markCount() - 1)));
    const MemorySegment* segment = list().segmentOf(currentRow());
    m_currentBlock =
        segment && !segment->blocks.empty() ? std::min(m_currentBlock, segment->blocks.size() - 1) : 0;
    invalidate();
}

void SegmentsView::setInFigure(bool inFigure) {
    m_inFigure = inFigure;
    layOut();
}

/// As many rows as a figure has at most, and the line under them: how many segments there are besides, or
/// what scale the bars are on.
int SegmentsView::figureHeight(int width, int most) {
    const std::size_t all = list().shown().size(), rows = std::min(all, kMostInFigure);
    if (rows == 0)
        return 0;
    const int height = m_picture.heightOf(rows), sizes = m_picture.sizesHeight(width);
    return rows == all && height + sizes <= most ? height + sizes : height;
}

int SegmentsView::markAt(QPointF at) const {
    const auto row = m_picture.rowAt(at);
    return row ? static_cast<int>(*row) : -1;
}

QString SegmentsView::toolTipOf(int mark) const {
    return list().toolTipOf(static_cast<std::size_t>(mark), m_focus.clock());
}

QString SegmentsView::toolTipAt(QPointF at) const {
    if (const MemoryBlock* block = m_picture.blockAt(at))
        return toolTipOf(*block);
    const QString row = Canvas::toolTipAt(at);
    return row.isEmpty() && m_picture.saysInUse(static_cast<int>(at.y())) ? inUse() : row;
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
    QString text = allocationToolTip(m_focus.detailOf(block.allocation), m_focus.clock());
    if (block.state == BlockState::kPending)
        text += tr("Freed, but still used by another stream");
    return text;
}

QColor SegmentsView::ground() const {
    return Theme::instance().colors().panel;
}

void SegmentsView::paintOver(QPainter& painter) {
    using Place = SegmentsPicture::Place;
    m_picture.paintFrames(painter, m_focus.selected(),
                          hasFocus() ? std::optional(Place{currentRow(), m_currentBlock}) : std::nullopt);
}

void SegmentsView::select(const MemoryBlock* block) {
    m_focus.setSelected(block ? allocationIn(*block) : std::nullopt);
}

void SegmentsView::mouseReleaseEvent(QMouseEvent* event) {
    const bool left = event->button() == Qt::LeftButton;
    const auto row = left ? m_picture.rowAt(event->position()) : std::nullopt;
    if (row && !list().segmentOf(*row))
        return setUnfolded(*row, !list().isUnfolded(*row));
    select(left ? m_picture.blockAt(event->position()) : nullptr);
}

bool SegmentsView::walk(Qt::Key key) {
    if (list().shown().empty())
        return false;
    const bool across = key == Qt::Key_Left || key == Qt::Key_Right;
    if (!across) {
        m_currentBlock = 0;
        Canvas::walk(key);
    } else if (!list().segmentOf(currentRow())) {
        setUnfolded(currentRow(), key == Qt::Key_Right);
    } else if (key == Qt::Key_Right) {
        ++m_currentBlock;
    } else if (m_currentBlock > 0) {
        --m_currentBlock;
    }
    layOut();
    const MemorySegment* segment = list().segmentOf(currentRow());
    select(segment && !segment->blocks.empty() ? &segment->blocks[m_currentBlock] : nullptr);
    const QRectF bar = m_picture.barOf(currentRow());
    if (bar.top() < m_picture.headHeight())
        m_bar->setValue(m_bar->value() + static_cast<int>(bar.top()) - m_picture.headHeight());
    else if (bar.bottom() > height())
        m_bar->setValue(m_bar->value() + static_cast<int>(bar.bottom()) - height() + 4);
    return true;
}

void SegmentsView::activate(int mark) {
    const auto row = static_cast<std::size_t>(mark);
    if (!list().segmentOf(row))
        setUnfolded(row, !list().isUnfolded(row));
    else if (m_focus.selected())
        m_focus.zoomToLife(*m_focus.selected());
}

bool SegmentsView::escape() {
    const bool selected = m_focus.selected().has_value();
    m_focus.letGo();
    return selected;
}

bool SegmentsView::takeKey(const QKeyEvent& event) {
    const bool up = event.matches(QKeySequence::MoveToPreviousPage);
    if (!up && !event.matches(QKeySequence::MoveToNextPage))
        return Canvas::takeKey(event);
    m_bar->triggerAction(up ? QAbstractSlider::SliderPageStepSub : QAbstractSlider::SliderPageStepAdd);
    return true;
}

void SegmentsView::wheelEvent(QWheelEvent* event) {
    const QPoint turned = event->angleDelta();
    if (std::abs(turned.x()) > std::abs(turned.y()))
        return event->ignore();  // the bar would scroll the rows by it
    QApplication::sendEvent(m_bar, event);
}

void SegmentsView::resizeEvent(QResizeEvent* event) {
    Canvas::resizeEvent(event);
    layOut();
}

}  // namespace warpglass::ui
