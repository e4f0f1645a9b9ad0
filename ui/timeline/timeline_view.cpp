#include "ui/timeline/timeline_view.h"

#include <QPushButton>
#include <QScrollBar>
#include <QToolTip>
#include <algorithm>
#include <cmath>
#include <functional>

#include "engine/query/completeness/completeness.h"
#include "engine/query/statistics/gpu_use_sentence.h"
#include "ui/models/link_indexer.h"
#include "ui/models/run_filter.h"
#include "ui/theme/failure_note.h"
#include "ui/theme/figure_mode.h"
#include "ui/theme/legend.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/span_navigation.h"
#include "ui/timeline/timeline_metrics.h"

namespace warpglass::ui {

namespace {

/// What a figure says of blocks that are faded in it. Nothing to be seen in the window.
class FigureNote : public QWidget, public FigureControl {
public:
    FigureNote(std::function<QString()> words, QWidget* view) : QWidget(view), m_words(std::move(words)) {
        resize(0, 0);
        setAttribute(Qt::WA_TransparentForMouseEvents);
        show();
    }
    QString figureWords() const override { return m_words(); }

private:
    std::function<QString()> m_words;
};

/// Whether something in view is left out.
bool fadesIn(const FilterShade& shade, const RunFilter::State& state, TimeRange visible) {
    const auto cuts = [visible](const std::optional<TimeRange>& range) {
        return range && (range->begin > visible.begin || range->end < visible.end);
    };
    return state.phase || !state.module.empty() || !state.name.empty() || !state.text.isEmpty() ||
           state.span || cuts(shade.rangeOf(TrackKind::kCpuThread)) ||
           cuts(shade.rangeOf(TrackKind::kGpuStream));
}

}  // namespace

TimelineView::TimelineView(RunDocument* document, TimeAxis* axis, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_scrollBar(new QScrollBar(Qt::Vertical, this)),
      m_follow(new QPushButton(tr("Follow the run ›"), this)),
      m_passingQuery([this] { return makePassingJob(); }),
      m_gpuQuery([this] { return makeGpuJob(); }),
      m_marks(makeMarks()),
      m_head(headHeight()) {
    showFailures(this, m_passingQuery);
    showFailures(this, m_gpuQuery);
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Timeline"));
    m_scrollBar->setFocusPolicy(Qt::NoFocus);
    m_scrollBar->setCursor(Qt::ArrowCursor);
    m_scrollBar->setSingleStep(kLaneRowHeight + kLaneGap);

    m_follow->setObjectName(QStringLiteral("followRun"));
    m_follow->setFocusPolicy(Qt::NoFocus);  // the View menu has it for the keyboard
    m_follow->setCursor(Qt::ArrowCursor);
    m_follow->setToolTip(tr("Show the newest moments as they are recorded"));
    m_follow->hide();
    connect(m_follow, &QPushButton::clicked, m_axis, [this] { m_axis->setFollowing(true); });
    connect(m_axis, &TimeAxis::followingChanged, this, &TimelineView::updateFollowButton);

    const auto repaint = [this] { update(); };
    connect(m_scrollBar, &QScrollBar::valueChanged, this, [this] {
        QToolTip::hideText();  // of a row that is elsewhere now
        update();
    });
    connect(m_document, &RunDocument::runChanged, this, &TimelineView::onRunChanged);
    connect(m_document, &RunDocument::snapshotChanged, this, &TimelineView::onSnapshotChanged);
    connect(m_axis, &TimeAxis::visibleRangeChanged, this, [this] {
        m_hover.reset();
        m_axis->setHoveredSpan(std::nullopt);
        update();
    });
    connect(m_axis, &TimeAxis::hoveredSpanChanged, this, repaint);
    connect(m_axis, &TimeAxis::clockChanged, this, [this] {
        m_bodyKey.reset();  // its grid lies elsewhere
        update();
    });
    connect(&m_document->links(), &LinkIndexer::changed, this, &TimelineView::forgetLinks);
    connect(m_axis, &TimeAxis::cursorChanged, this, repaint);
    connect(m_axis, &TimeAxis::pinnedCursorChanged, this, repaint);
    connect(m_axis, &TimeAxis::selectionChanged, this, &TimelineView::onSelectionChanged);
    connect(&Theme::instance(), &Theme::changed, this, &TimelineView::onThemeChanged);
    if (m_document->snapshot())
        onSnapshotChanged();
}

TimelineView::~TimelineView() = default;

QSize TimelineView::sizeHint() const {
    return {900, headHeight() + std::clamp(m_rows.height(), 200, 600)};
}

QSize TimelineView::minimumSizeHint() const {
    return {kTrackLabelWidth + 200, headHeight() + 80};
}

QRect TimelineView::plotArea() const {
    return rect().adjusted(kTrackLabelWidth, headHeight(), 0, -m_leftOut);
}

int TimelineView::scrollTop() const {
    return m_scrollBar->value();
}

void TimelineView::restoreScrollTop(int top) {
    m_revealsLater = false;
    m_scrollBar->setValue(top);
}

Nanoseconds TimelineView::timeAt(double x) const {
    const TimeRange visible = m_axis->visibleRange();
    const Nanoseconds t = pixelToTime(x - kTrackLabelWidth, visible, plotArea().width());
    return std::clamp(t, visible.begin, visible.end);
}

void TimelineView::onRunChanged() {
    m_readAhead.giveUp();
    m_readAheadFor = {};
    m_geometry.clear();
    m_painter.forgetNames();
    m_shade = {};
    m_passing.reset();
    dropShade();
    m_passingQuery.invalidate(DeferredQuery::Cause::kOtherRun);
    m_gpuTimes.reset();
    m_gpuQuery.invalidate(DeferredQuery::Cause::kOtherRun);
    m_rows = TimelineRows();
    m_labels.hovered.reset();
    m_bodyKey.reset();
    m_hover.reset();
    m_axis->reset();
    m_scrollBar->setValue(0);
    onSnapshotChanged();
}

void TimelineView::onSnapshotChanged() {
    m_shadeValid = false;
    if (const auto& snapshot = m_document->snapshot()) {
        if (layOutRows())
            updateGeometry();
        m_axis->setSteps(StepClock(*snapshot));
        m_axis->setFullRange(snapshot->range());
    }
    m_passingQuery.invalidate(DeferredQuery::Cause::kGrowth);
    m_gpuQuery.invalidate(DeferredQuery::Cause::kGrowth);
    updateFollowButton();
    update();
}

bool TimelineView::layOutRows() {
    const auto& snapshot = m_document->snapshot();
    TimelineRows rows =
        snapshot ? TimelineRows(*snapshot, m_arrangement, {busyLegendHeight(), static_cast<int>(kLegendRow)})
                 : TimelineRows();
    if (rows == m_rows)
        return false;
    m_rows = std::move(rows);
    m_bodyKey.reset();
    m_hover.reset();
    m_labels.hovered.reset();
    updateScrollBar();
    return true;
}

void TimelineView::setFilter(RunFilter* filter) {
    m_filter = filter;
    dropShade();
    if (filter)
        connect(filter, &RunFilter::changed, this, [this] {
            dropShade();
            m_passingQuery.invalidate(DeferredQuery::Cause::kPerson);
        });
    new FigureNote(
        [this] {
            const bool fades = m_filter && m_document->snapshot() &&
                               fadesIn(shade(), m_filter->state(), m_axis->visibleRange());
            return fades ? tr("%1; the rest is faded").arg(shade().words()) : QString();
        },
        this);
}

void TimelineView::dropShade() {
    m_shadeValid = false;
    update();
}

FilterShade& TimelineView::shade() {
    if (m_shadeValid)
        return m_shade;
    m_shadeValid = true;
    FilterShade shade =
        m_filter && m_document->snapshot() ? FilterShade(*m_filter, m_document->snapshot()) : FilterShade();
    if (m_passing && m_passing->conditions() == shade.conditions())
        shade.setPassing(m_passing);
    if (!shade.isLike(m_shade))
        ++m_shades;
    m_shade = std::move(shade);
    return m_shade;
}

DeferredQuery::Job TimelineView::makePassingJob() {
    const auto snapshot = m_document->snapshot();
    const RowConditions conditions = shade().conditions();
    if (!snapshot || !conditions.any())
        return {[this] { return [this] { m_passing.reset(); }; }};
    return {[this, snapshot, conditions]() -> DeferredQuery::Apply {
                auto rows = std::make_shared<const PassingRows>(*snapshot, conditions);
                return [this, rows = std::move(rows)] {
                    m_passing = rows;
                    dropShade();
                };
            },
            snapshot->spanCount() > DeferredQuery::kHeavySpans};
}

DeferredQuery::Job TimelineView::makeGpuJob() {
    const auto snapshot = m_document->snapshot();
    const std::vector<std::string> gpus = snapshot ? gpusOf(*snapshot) : std::vector<std::string>();
    if (gpus.empty())
        return {[this] {
            return [this] {
                m_gpuTimes.reset();
                m_geometry.setGpuTimes(nullptr);
            };
        }};
    return {[this, snapshot, gpus, earlier = m_gpuTimes]() -> DeferredQuery::Apply {
                auto times = std::make_shared<TimelineGeometry::GpuTimes>();
                times->families = FamilyTimes(*snapshot, earlier ? &earlier->families : nullptr);
                // The only GPU of a run is the GPU of its summary, whatever its tracks are called.
                for (const std::string& gpu : gpus)
                    times->busy.emplace_back(*snapshot, gpus.size() > 1 ? gpu : std::string());
                return [this, times = std::move(times)] {
                    m_gpuTimes = times;
                    m_geometry.setGpuTimes(times);
                    if (layOutRows())
                        updateGeometry();
                    update();
                };
            },
            // Three sweeps, each with its look-ups: more a span than a scan.
            snapshot->spanCount() > DeferredQuery::kHeavySpans / 4};
}

Heading TimelineView::heading() const {
    const auto snapshot = m_document->snapshot();
    if (!snapshot || !m_gpuTimes || m_gpuTimes->busy.empty())
        return {};
    // What copies alone kept busy says nothing of a GPU whose kernels are lost.
    if (Completeness(*snapshot).missing().lacksGpuWork())
        return {};
    // Where there are several GPUs the sentence is about the first, by its name.
    const std::vector<std::string> gpus = gpusOf(*snapshot);
    return {{},
            toQString(gpuUseSentence(*snapshot, m_gpuTimes->busy.front(), m_axis->visibleRange(),
                                     gpus.size() > 1 ? gpus.front() : "The GPU"))};
}

void TimelineView::refreshNow() {
    m_passingQuery.runNow();
    m_gpuQuery.runNow();
}

void TimelineView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_passingQuery.setActive(true);
    m_gpuQuery.setActive(true);
    if (const auto span = m_axis->selectedSpan(); span && m_revealsLater) {
        // What has been gone to since is what is looked at: only the rows move then.
        if (m_axis->visibleRange() == m_shownAtSelection)
            ensureVisible(*span);
        else
            scrollToRowOf(*span);
    }
    m_revealsLater = false;
}

void TimelineView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_passingQuery.setActive(false);
    m_gpuQuery.setActive(false);
}

void TimelineView::updateFollowButton() {
    const bool shown = m_document->isLive() && !m_axis->following() && !m_rows.rows().empty();
    m_follow->setVisible(shown);
    if (!shown)
        return;
    m_follow->adjustSize();
    m_follow->move(width() - m_follow->width() - kScrollBarWidth - Metrics::kSpace3,
                   height() - m_follow->height() - Metrics::kSpace3);
    m_follow->raise();
}

int TimelineView::pinnedHeight() const {
    return m_rows.pinnedHeight() <= plotArea().height() * 2 / 3 ? m_rows.pinnedHeight() : 0;
}

int TimelineView::contentHeight() const {
    return m_rows.height() + (m_rows.hiddenTracks() > 0 ? kBandRowHeight : 0);
}

void TimelineView::onSelectionChanged() {
    const auto selected = m_axis->selectedSpan();
    if (selected == m_selectedSpan)
        return update();  // it is a range that was selected: the span stays wherever it is
    m_selectedSpan = selected;
    // Behind another page it leaves what is shown there in its place, and comes into view with this one.
    m_revealsLater = window()->isVisible() && !isVisible();
    m_shownAtSelection = m_axis->visibleRange();
    if (selected && !m_revealsLater)
        ensureVisible(*selected);
    update();
}

void TimelineView::onThemeChanged() {
    m_painter.reloadTheme();
    m_bodyKey.reset();
    update();
}

void TimelineView::resizeEvent(QResizeEvent*) {
    layOutRows();  // the legend takes another line in a narrow view
    updateScrollBar();
    updateFollowButton();
}

void TimelineView::updateScrollBar() {
    const QRect plot = plotArea();
    const int hidden = std::max(0, contentHeight() - plot.height());
    m_scrollBar->setRange(0, hidden);
    m_scrollBar->setPageStep(std::max(1, plot.height() - pinnedHeight()));
    m_scrollBar->setGeometry(width() - kScrollBarWidth, plot.top(), kScrollBarWidth, plot.height());
    m_scrollBar->setVisible(hidden > 0);
}

void TimelineView::ensureVisible(SpanRef ref) {
    const auto& snapshot = m_document->snapshot();
    const auto span = snapshot ? spanRow(*snapshot, ref) : std::nullopt;
    if (!span)
        return;
    ensureVisible(TimeRange{Nanoseconds(span->start), Nanoseconds(span->end())});
    scrollToRowOf(ref);
}

void TimelineView::ensureVisible(TimeRange range) {
    const TimeRange visible = m_axis->visibleRange();
    if (range.end < visible.begin || range.begin >= visible.end) {
        // In the middle, or with its beginning near the left edge where it is longer than the view.
        const Nanoseconds middle((range.begin.value + range.end.value) / 2);
        const Nanoseconds begin = range.duration() < visible.duration()
                                      ? middle - Nanoseconds(visible.duration().value / 2)
                                      : range.begin - Nanoseconds(visible.duration().value / 10);
        m_axis->panBy(begin - visible.begin);
    }
}

void TimelineView::scrollToRowOf(SpanRef ref) {
    if (const auto index = m_rows.rowOf(ref.lane)) {
        const TimelineRow& row = m_rows.rows()[*index];
        scrollTo(row.top, row.height);
    }
}

void TimelineView::scrollTo(int top, int height) {
    if (top < pinnedHeight())
        return;
    if (top - pinnedHeight() < scrollTop())
        m_scrollBar->setValue(top - pinnedHeight() - kTrackGap / 2);
    else if (top + height > scrollTop() + plotArea().height())
        m_scrollBar->setValue(top + height + kTrackGap / 2 - plotArea().height());
}

void TimelineView::scrollToTrack(std::size_t track) {
    scrollTo(m_rows.tracks()[track].top, m_rows.tracks()[track].height);
}

}  // namespace warpglass::ui
