#include "ui/timeline/timeline_view.h"

#include <QContextMenuEvent>
#include <QElapsedTimer>
#include <QKeyEvent>
#include <QLoggingCategory>
#include <QMenu>
#include <QPainter>
#include <QPushButton>
#include <QToolTip>
#include <algorithm>
#include <chrono>
#include <utility>

#include "engine/query/statistics/gpu_use_sentence.h"
#include "ui/models/link_indexer.h"
#include "ui/models/run_document.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/time_ruler.h"

namespace warpglass::ui {

// What a frame costs, shown with QT_LOGGING_RULES="warpglass.timeline.frame.debug=true".
Q_LOGGING_CATEGORY(frameLog, "warpglass.timeline.frame", QtWarningMsg)

namespace {

/// Where times count from.
void addClockAction(QMenu& menu) {
    menu.addSeparator();
    QAction* fromRun = menu.addAction(TimelineView::tr("Times from the Start of the Run"));
    makeCheckable(fromRun, ClockChoice::instance().countsFromRun());
    QObject::connect(fromRun, &QAction::toggled, &ClockChoice::instance(), &ClockChoice::setCountsFromRun);
    menu.addSeparator();
}

}  // namespace

/// Over the timeline of a run that is being recorded, in its lower right corner: shows the newest moments
/// again, once they are not followed any more.
class FollowButton : public QPushButton {
public:
    FollowButton(QWidget& view, const RunDocument& document, TimeAxis& axis, const TimelineViewport& viewport)
        : QPushButton(TimelineView::tr("Follow the run ›"), &view),
          m_document(document),
          m_axis(axis),
          m_viewport(viewport) {
        setObjectName(QStringLiteral("followRun"));
        setFocusPolicy(Qt::NoFocus);  // the View menu has it for the keyboard
        setCursor(Qt::ArrowCursor);
        setToolTip(TimelineView::tr("Show the newest moments as they are recorded"));
        hide();
        connect(this, &QPushButton::clicked, &axis, [&axis] { axis.setFollowing(true); });
        connect(&axis, &TimeAxis::followingChanged, this, &FollowButton::place);
    }
    /// Where there is something to follow; after every change of the view's size or of the run.
    void place() {
        const bool shown = m_document.isLive() && !m_axis.following() && !m_viewport.rows().rows().empty();
        setVisible(shown);
        if (!shown)
            return;
        adjustSize();
        move(parentWidget()->width() - width() - kScrollBarWidth - Metrics::kSpace3,
             parentWidget()->height() - height() - Metrics::kSpace3);
        raise();
    }

private:
    const RunDocument& m_document;
    const TimeAxis& m_axis;
    const TimelineViewport& m_viewport;
};

TimelineView::TimelineView(RunDocument* document, TimeAxis* axis, QWidget* parent)
    : Canvas(parent),
      m_document(document),
      m_axis(axis),
      m_viewport(*this, *axis),
      m_follow(new FollowButton(*this, *document, *axis, m_viewport)),
      m_marks(*this, *document, *axis, m_viewport),
      m_queries(*this, *document, *axis),
      m_body(*this, *document, *axis, m_viewport, m_queries, m_painter),
      m_labels(*this, *document, *axis, m_viewport, m_painter),
      m_selection(*this, *document, *axis, m_viewport, m_labels, m_queries, m_marks.steps()),
      m_overlay(*this, *document, *axis, m_viewport),
      m_mouse(*this, *document, *axis, m_viewport, m_body, m_labels, m_selection, m_marks),
      m_keys(*axis, m_viewport, m_labels, m_marks.steps(), m_selection) {
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Timeline"));

    connect(m_document, &RunDocument::runChanged, this, &TimelineView::onRunChanged);
    connect(m_document, &RunDocument::snapshotChanged, this, &TimelineView::onSnapshotChanged);
    connect(&m_document->links(), &LinkIndexer::changed, this, [this] { m_overlay.forgetLinks(); });
    connect(&m_queries, &TimelineQueries::gpuTimesChanged, this, &TimelineView::onGpuTimesChanged);
    connect(&m_queries, &TimelineQueries::hostChanged, this, [this] {
        m_body.takeHostTimes();
        m_body.invalidate();  // a legend says it
        update();
        sayFinding();
    });
    constexpr int kRestMilliseconds = 150;
    m_rest.setSingleShot(true);
    m_rest.setInterval(kRestMilliseconds);
    connect(&m_rest, &QTimer::timeout, this, &TimelineView::sayFinding);
    connect(&m_labels, &TimelineLabels::arranged, this, &TimelineView::setArrangement);

    connect(this, &Canvas::seen, this, [this](bool visible) {
        m_queries.setActive(visible);
        if (visible)
            m_selection.onShown();
    });

    const auto repaint = [this] { update(); };
    const auto repaintAll = [this] {
        m_body.invalidate();
        update();
    };
    connect(m_axis, &TimeAxis::visibleRangeChanged, this, [this] {
        m_viewport.pointed().hit.reset();
        m_axis->setHoveredSpan(std::nullopt);
        update();
        m_rest.start();
    });
    connect(m_axis, &TimeAxis::hoveredSpanChanged, this, repaint);
    connect(m_axis, &TimeAxis::clockChanged, this, repaintAll);  // its grid lies elsewhere
    connect(m_axis, &TimeAxis::cursorChanged, this, repaint);
    connect(m_axis, &TimeAxis::pinnedCursorChanged, this, repaint);
    connect(m_axis, &TimeAxis::selectionChanged, this, [this] { m_selection.onChanged(); });
    connect(&Theme::instance(), &Theme::changed, this, [this, repaintAll] {
        m_painter.reloadTheme();
        repaintAll();
    });
    if (m_document->snapshot())
        onSnapshotChanged();
}

TimelineView::~TimelineView() = default;

QSize TimelineView::sizeHint() const {
    return {900, m_viewport.headHeight() + std::clamp(rows().height(), 200, 600)};
}

QSize TimelineView::minimumSizeHint() const {
    return {kTrackLabelWidth + 200, m_viewport.headHeight() + 80};
}

int TimelineView::figureHeight(int, int) {
    return m_viewport.headHeight() + m_viewport.contentHeight();
}

void TimelineView::restorePlace(const Place& place) {
    m_selection.revealNothing();
    RowArrangement rows = arrangement();
    rows.setRevealed(place.revealed);
    setArrangement(rows);
    m_viewport.setScrollTop(place.scrollTop);
}

void TimelineView::setFilter(RunFilter* filter) {
    m_queries.setFilter(filter);
    m_selection.setFilter(filter);
    m_queries.addFigureWords([this] {
        const auto empty = static_cast<int>(emptyTracksInView().size());
        return empty == 0   ? QString()
               : empty == 1 ? tr("1 track with nothing here left out")
                            : tr("%1 tracks with nothing here left out").arg(empty);
    });
}

std::set<std::string> TimelineView::emptyTracksInView() const {
    const auto& snapshot = m_document->snapshot();
    return snapshot ? emptyTracks(rows(), *snapshot, m_axis->visibleRange()) : std::set<std::string>();
}

void TimelineView::setArrangement(const RowArrangement& arrangement) {
    if (arrangement == m_viewport.arrangement())
        return;
    m_viewport.setArrangement(arrangement);
    if (layOutRows())
        updateGeometry();
    update();
    emit arrangementChanged();
}

void TimelineView::setTicks(TimeRange range, const std::vector<bool>& columns) {
    m_overlay.setTicks(range, columns);
}

void TimelineView::onRunChanged() {
    m_body.forgetRun();
    m_queries.forgetRun();
    m_viewport.forgetRows();
    m_axis->reset();
    m_viewport.setScrollTop(0);
    onSnapshotChanged();
}

void TimelineView::onSnapshotChanged() {
    m_queries.takeGrowth();
    if (const auto& snapshot = m_document->snapshot()) {
        if (layOutRows())
            updateGeometry();
        m_axis->setSteps(StepClock(*snapshot));
        m_axis->setFullRange(snapshot->range());
    }
    m_follow->place();
    update();
}

void TimelineView::onGpuTimesChanged() {
    m_body.takeGpuTimes();
    sayFinding();
    if (!m_queries.gpuTimes())
        return;
    if (layOutRows())
        updateGeometry();
    update();
}

bool TimelineView::layOutRows() {
    if (!m_viewport.layOutRows(m_document->snapshot().get(), m_body.legends().heights()))
        return false;
    m_body.invalidate();
    return true;
}

void TimelineView::refreshNow() {
    m_queries.runNow();
    sayFinding();
}

void TimelineView::setInFigure(bool inFigure) {
    m_queries.setInFigure(inFigure);
    if (m_outsideFigure)
        setArrangement(*std::exchange(m_outsideFigure, {}));
    m_viewport.setInFigure(inFigure);
    // Two that are compared, which have no filter, keep the same rows.
    if (inFigure && m_queries.hasFilter()) {
        m_outsideFigure = arrangement();
        RowArrangement rows = arrangement();
        std::set<std::string> leftOut = emptyTracksInView();
        m_viewport.leaveOutInFigure(leftOut);
        leftOut.insert(rows.leftOut().begin(), rows.leftOut().end());
        rows.setLeftOut(std::move(leftOut));
        setArrangement(rows);
    }
    sayFinding();
}

void TimelineView::sayFinding() {
    if (!m_body.legends().setFinding(FigureMode::holds(*this) ? QStringList() : findingWordings()))
        return;
    m_body.invalidate();
    update();
}

Heading TimelineView::heading() const {
    return {{}, findingWordings().value(0)};
}

QStringList TimelineView::findingWordings() const {
    const auto snapshot = m_document->snapshot();
    const auto& times = m_queries.gpuTimes();
    // What copies alone kept busy says nothing of a GPU whose kernels are lost.
    if (!snapshot || !times || times->busy.empty() || times->lacksWork)
        return {};
    // Where there are several GPUs the sentence is about the first, by its name.
    const std::vector<std::string> gpus = gpusOf(*snapshot);
    QStringList wordings;
    for (const std::string& wording :
         gpuUseWordings(*snapshot, *times->busy.front(), m_axis->visibleRange(),
                        gpus.size() > 1 ? gpus.front() : "The GPU", m_queries.host()))
        wordings << toQString(wording);
    return wordings;
}

void TimelineView::resizeEvent(QResizeEvent*) {
    layOutRows();  // the legend takes another line in a narrow view
    m_viewport.updateScrollBar();
    m_follow->place();
}

void TimelineView::paintEvent(QPaintEvent*) {
    QElapsedTimer timer;
    timer.start();
    QPainter painter(this);
    if (!m_document->snapshot() || rows().rows().empty() || plotArea().isEmpty())
        return paintNothing(painter);
    const ThemeColors& colors = Theme::instance().colors();
    if (const int leftOut = m_viewport.leftOut(); leftOut > 0)
        painter.fillRect(QRect(0, height() - leftOut, width(), leftOut), colors.background);
    m_body.paint(painter);
    m_labels.paint(painter);
    const TimeRange visible = m_axis->visibleRange();
    if (m_marks.showsRuler())
        m_painter.paintRuler(painter, makeRuler(visible, plotArea().width(), m_axis->clock()), visible,
                             QRect(0, 0, width(), kRulerHeight), kTrackLabelWidth, m_overlay.rangeLabelBox());
    m_marks.paint(painter);
    m_overlay.paint(painter);
    if (hasFocus())
        painter.fillRect(QRectF(kTrackLabelWidth - 2, 0, 2, height()), colors.accent);
    const double took = static_cast<double>(timer.nsecsElapsed()) / 1e6;
    if (m_frameTimes)
        paintFrameTimes(painter, took);
    qCDebug(frameLog, "%.2f ms, %llu rows of geometry built so far", took,
            static_cast<unsigned long long>(m_body.geometryBuilds()));
}

void TimelineView::paintNothing(QPainter& painter) {
    const ThemeColors& colors = Theme::instance().colors();
    const auto& snapshot = m_document->snapshot();
    painter.fillRect(rect(), colors.background);
    if (plotArea().isEmpty())
        return;
    painter.setFont(Theme::textFont());
    painter.setPen(colors.secondaryText);
    painter.drawText(rect(), Qt::AlignCenter,
                     rows().hiddenTracks() > 0 ? tr("All rows are hidden: the context menu shows them again")
                     : snapshot && snapshot->info().get("state") != run_state::kRecording
                         ? tr("Nothing was recorded")
                     : snapshot ? tr("Nothing recorded yet")
                                : m_document->noRunWords(tr("to see its timeline")));
}

void TimelineView::setShowsFrameTimes(bool shown) {
    if (shown == showsFrameTimes())
        return;
    m_frameTimes = shown ? std::optional(FrameTimes()) : std::nullopt;
    update();
}

/// After everything else, so that its own cost is in no frame's time.
void TimelineView::paintFrameTimes(QPainter& painter, double took) {
    using Milliseconds = std::chrono::duration<double, std::milli>;
    m_frameTimes->add(Milliseconds(std::chrono::steady_clock::now().time_since_epoch()).count(), took);
    paintFrameOverlay(painter, plotArea(), frameLines(*m_frameTimes, m_body.load()));
}

void TimelineView::contextMenuEvent(QContextMenuEvent* event) {
    if (!m_document->snapshot())
        return;
    std::optional<SpanRef> span = m_axis->selectedSpan();
    if (event->reason() == QContextMenuEvent::Mouse) {
        const auto label = m_labels.labelAt(event->pos());
        const auto hit = label ? std::nullopt : hitTest(event->pos());
        // A merged run is no one's, and a span that still runs has no row to refer to yet.
        const bool one = hit && hit->rect.count == 1 && !hit->rect.open();
        span = one ? std::optional(SpanRef{hit->row.lane, hit->rect.row}) : std::nullopt;
        m_labels.choose(label ? label : hit ? rows().trackOf(hit->row) : std::nullopt);
    }
    auto* menu = new QMenu(this);
    menu->setAttribute(Qt::WA_DeleteOnClose);
    menu->setObjectName(QStringLiteral("timelineMenu"));
    if (span) {
        emit spanMenuRequested(menu, *span);
        if (!menu->isEmpty() && !m_labels.currentTrack())  // a row's actions begin with a line of their own
            menu->addSeparator();
    }
    const bool byKey = event->reason() == QContextMenuEvent::Keyboard;
    if (const auto mark = byKey ? std::nullopt : m_marks.layer().markAt(event->pos()))
        m_marks.steps().goTo(*mark);
    m_labels.addActions(*menu);
    addClockAction(*menu);
    const bool inPlot = !byKey && event->pos().x() >= kTrackLabelWidth;
    m_marks.addActions(*menu, inPlot ? std::optional(m_viewport.timeAt(event->pos().x())) : std::nullopt);
    menu->popup(byKey ? mapToGlobal(plotArea().topLeft()) : event->globalPos());
    update();
}

QString TimelineView::toolTipAt(QPointF point) const {
    const QPoint position = point.toPoint();
    if (m_overlay.rangeLabelBox().contains(position))
        return m_overlay.rangeToolTip();
    for (const QString& text : {m_marks.layer().toolTipAt(position), m_labels.toolTipAt(position),
                                m_body.legends().findingAt(point - plotArea().topLeft())}) {
        if (!text.isEmpty())
            return text;
    }
    const auto hit = m_body.hitTest(position);
    return hit ? m_body.toolTipOf(*hit) : QString();
}

bool TimelineView::takeKey(const QKeyEvent& event) {
    QToolTip::hideText();
    return m_keys.handle(event);
}

}  // namespace warpglass::ui
