#include "ui/timeline/timeline_view.h"

#include <QContextMenuEvent>
#include <QElapsedTimer>
#include <QHelpEvent>
#include <QKeyEvent>
#include <QLoggingCategory>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <QPushButton>
#include <QToolTip>
#include <algorithm>
#include <chrono>

#include "engine/query/completeness/completeness.h"
#include "engine/query/statistics/gpu_use_sentence.h"
#include "ui/models/link_indexer.h"
#include "ui/models/run_document.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/gesture_steps.h"
#include "ui/timeline/time_ruler.h"

namespace warpglass::ui {

// What a frame costs, shown with QT_LOGGING_RULES="warpglass.timeline.frame.debug=true".
Q_LOGGING_CATEGORY(frameLog, "warpglass.timeline.frame", QtWarningMsg)

namespace {

/// Where times count from.
void addClockAction(QMenu& menu) {
    menu.addSeparator();
    QAction* fromRun = menu.addAction(TimelineView::tr("Times from the Start of the Run"));
    fromRun->setCheckable(true);
    fromRun->setChecked(ClockChoice::instance().countsFromRun());
    QObject::connect(fromRun, &QAction::toggled, &ClockChoice::instance(), &ClockChoice::setCountsFromRun);
    menu.addSeparator();
}

}  // namespace

TimelineView::TimelineView(RunDocument* document, TimeAxis* axis, QWidget* parent)
    : QWidget(parent),
      m_document(document),
      m_axis(axis),
      m_viewport(*this, *axis),
      m_follow(new QPushButton(tr("Follow the run ›"), this)),
      m_marks(*this, *document, *axis, m_viewport),
      m_queries(*this, *document, *axis),
      m_body(*this, *document, *axis, m_viewport, m_queries, m_painter),
      m_labels(*this, *document, *axis, m_viewport, m_painter),
      m_selection(*this, *document, *axis, m_viewport, m_labels, m_queries, m_marks.steps()),
      m_overlay(*this, *document, *axis, m_viewport),
      m_mouse(*this, *document, *axis, m_viewport, m_body, m_labels, m_selection, m_marks) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_OpaquePaintEvent);
    setAccessibleName(tr("Timeline"));

    m_follow->setObjectName(QStringLiteral("followRun"));
    m_follow->setFocusPolicy(Qt::NoFocus);  // the View menu has it for the keyboard
    m_follow->setCursor(Qt::ArrowCursor);
    m_follow->setToolTip(tr("Show the newest moments as they are recorded"));
    m_follow->hide();
    connect(m_follow, &QPushButton::clicked, m_axis, [this] { m_axis->setFollowing(true); });
    connect(m_axis, &TimeAxis::followingChanged, this, &TimelineView::updateFollowButton);

    connect(m_document, &RunDocument::runChanged, this, &TimelineView::onRunChanged);
    connect(m_document, &RunDocument::snapshotChanged, this, &TimelineView::onSnapshotChanged);
    connect(&m_document->links(), &LinkIndexer::changed, this, [this] { m_overlay.forgetLinks(); });
    connect(&m_queries, &TimelineQueries::gpuTimesChanged, this, &TimelineView::onGpuTimesChanged);
    connect(&m_queries, &TimelineQueries::hostChanged, this, [this] {
        m_body.invalidate();  // a legend says it
        update();
    });
    connect(&m_labels, &TimelineLabels::arranged, this, &TimelineView::setArrangement);

    const auto repaint = [this] { update(); };
    const auto repaintAll = [this] {
        m_body.invalidate();
        update();
    };
    connect(m_axis, &TimeAxis::visibleRangeChanged, this, [this] {
        m_viewport.pointed().hit.reset();
        m_axis->setHoveredSpan(std::nullopt);
        update();
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

void TimelineView::restoreScrollTop(int top) {
    m_selection.revealNothing();
    m_viewport.setScrollTop(top);
}

void TimelineView::setFilter(RunFilter* filter) {
    m_queries.setFilter(filter);
    m_selection.setFilter(filter);
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
    updateFollowButton();
    update();
}

void TimelineView::onGpuTimesChanged() {
    m_body.takeGpuTimes();
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

Heading TimelineView::heading() const {
    const auto snapshot = m_document->snapshot();
    const auto& times = m_queries.gpuTimes();
    if (!snapshot || !times || times->busy.empty())
        return {};
    // What copies alone kept busy says nothing of a GPU whose kernels are lost.
    if (Completeness(*snapshot).missing().lacksGpuWork())
        return {};
    // Where there are several GPUs the sentence is about the first, by its name.
    const std::vector<std::string> gpus = gpusOf(*snapshot);
    return {{},
            toQString(gpuUseSentence(*snapshot, times->busy.front(), m_axis->visibleRange(),
                                     gpus.size() > 1 ? gpus.front() : "The GPU", m_queries.host()))};
}

void TimelineView::updateFollowButton() {
    const bool shown = m_document->isLive() && !m_axis->following() && !rows().rows().empty();
    m_follow->setVisible(shown);
    if (!shown)
        return;
    m_follow->adjustSize();
    m_follow->move(width() - m_follow->width() - kScrollBarWidth - Metrics::kSpace3,
                   height() - m_follow->height() - Metrics::kSpace3);
    m_follow->raise();
}

void TimelineView::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    m_queries.setActive(true);
    m_selection.onShown();
}

void TimelineView::hideEvent(QHideEvent* event) {
    QWidget::hideEvent(event);
    m_queries.setActive(false);
}

void TimelineView::resizeEvent(QResizeEvent*) {
    layOutRows();  // the legend takes another line in a narrow view
    m_viewport.updateScrollBar();
    updateFollowButton();
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

void TimelineView::wheelEvent(QWheelEvent* event) {
    m_mouse.wheel(*event);
}

void TimelineView::mousePressEvent(QMouseEvent* event) {
    if (!m_mouse.press(*event))
        QWidget::mousePressEvent(event);
}

void TimelineView::mouseMoveEvent(QMouseEvent* event) {
    m_mouse.move(event->position().toPoint());
}

void TimelineView::mouseReleaseEvent(QMouseEvent* event) {
    if (!m_mouse.release(*event))
        QWidget::mouseReleaseEvent(event);
}

void TimelineView::mouseDoubleClickEvent(QMouseEvent* event) {
    m_mouse.doubleClick(*event);
}

void TimelineView::leaveEvent(QEvent*) {
    m_mouse.leave();
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
    m_marks.addActions(*menu, inPlot ? std::optional(timeAt(event->pos().x())) : std::nullopt);
    menu->popup(byKey ? mapToGlobal(plotArea().topLeft()) : event->globalPos());
    update();
}

bool TimelineView::event(QEvent* event) {
    if (event->type() == QEvent::ToolTip)
        return showToolTip(*static_cast<QHelpEvent*>(event));
    return QWidget::event(event);
}

bool TimelineView::showToolTip(const QHelpEvent& event) {
    const auto hit = hitTest(event.pos());
    if (m_overlay.rangeLabelBox().contains(event.pos()))
        QToolTip::showText(event.globalPos(), m_overlay.rangeToolTip(), this);
    else if (const QString notes = m_marks.layer().toolTipAt(event.pos()); !notes.isEmpty())
        QToolTip::showText(event.globalPos(), notes, this);
    else if (const QString label = m_labels.toolTipAt(event.pos()); !label.isEmpty())
        QToolTip::showText(event.globalPos(), label, this);
    else if (hit)
        QToolTip::showText(event.globalPos(), m_body.toolTipOf(*hit), this);
    else
        QToolTip::hideText();
    return true;
}

void TimelineView::keyPressEvent(QKeyEvent* event) {
    QToolTip::hideText();
    if (!handleKey(*event))
        QWidget::keyPressEvent(event);
}

bool TimelineView::handleKey(const QKeyEvent& event) {
    if (event.matches(QKeySequence::Undo)) {
        m_axis->zoomBack();
        return true;
    }
    const bool control = event.modifiers() & Qt::ControlModifier;
    if (event.matches(QKeySequence::Redo) || (control && event.key() == Qt::Key_Y)) {
        m_axis->zoomForward();
        return true;
    }
    if (m_labels.handleKey(event))
        return true;
    if (event.modifiers() & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return false;
    return handleViewKey(event) || m_marks.steps().handleKey(event.key(), event.modifiers()) ||
           m_selection.handleKey(event);
}

bool TimelineView::handleViewKey(const QKeyEvent& event) {
    const TimeRange visible = m_axis->visibleRange();
    const Nanoseconds middle = visible.begin + Nanoseconds(visible.duration().value / 2);
    const Nanoseconds anchor = m_axis->cursor().value_or(middle);
    switch (event.key()) {
        case Qt::Key_W:
        case Qt::Key_Plus:
        case Qt::Key_Equal:
            m_axis->zoomAt(anchor, kZoomPerKey);
            return true;
        case Qt::Key_S:
        case Qt::Key_Minus:
            m_axis->zoomAt(anchor, 1 / kZoomPerKey);
            return true;
        case Qt::Key_A:
            m_axis->panBy(shareOf(visible, -kPanPerKey));
            return true;
        case Qt::Key_D:
            m_axis->panBy(shareOf(visible, kPanPerKey));
            return true;
        case Qt::Key_Home:
            m_axis->fitAll();
            return true;
        case Qt::Key_End:
            m_axis->panBy(m_axis->fullRange().end - visible.end);
            return true;
        case Qt::Key_F:
            if (event.modifiers() & Qt::ShiftModifier)
                m_axis->fitAll();
            else
                m_selection.fitSelectionOrAll();
            return true;
        case Qt::Key_PageUp:
            m_viewport.scrollByPages(-1);
            return true;
        case Qt::Key_PageDown:
            m_viewport.scrollByPages(1);
            return true;
        default:
            return false;
    }
}

}  // namespace warpglass::ui
