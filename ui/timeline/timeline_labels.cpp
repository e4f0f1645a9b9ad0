// TimelineView's label column: folding, hiding, pinning and moving tracks, by mouse and keys.
#include <QKeyEvent>
#include <QMenu>
#include <QMouseEvent>
#include <QPainter>
#include <algorithm>

#include "ui/theme/family_legend.h"
#include "ui/theme/gpu_colors.h"
#include "ui/theme/theme.h"
#include "ui/theme/utf8_text.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

namespace {

/// Less movement than this between press and release is a click.
constexpr int kDragDistance = 4;

QString titleOf(const TimelineTrack& track) {
    QString title = toQString(track.label);
    if (!track.sublabel.empty())
        title += QLatin1Char(' ') + toQString(track.sublabel);
    return title;
}

/// What the colors and heights of a GPU's row mean, in rich text.
QString stackLegend(const TimelineTrack& track) {
    const auto entry = [](const LegendEntry& of) {
        return QStringLiteral("<br><span style=\"color:%1\">■</span> %2").arg(of.color.name(), of.name);
    };
    QString text = QStringLiteral("<b>%1</b><br>").arg(titleOf(track).toHtmlEscaped());
    if (track.gpu) {
        text +=
            QObject::tr("Where it is busy, and why it is idle; the height is the share of a pixel's time");
        for (const GpuBusy::Part part : kShownGpuParts)
            text += entry({gpuPartColor(part), gpuPartName(part)});
    } else {
        text += QObject::tr(
            "Narrow spans are stacked by family; the height is the share of a pixel's time, "
            "idle time is empty");
        for (std::size_t i = 0; i < kOpFamilyCount && track.kind == TrackKind::kGpuStream; ++i)
            text += entry(familyEntry(static_cast<OpFamily>(i)));
    }
    return text + QStringLiteral("<br>") +
           QObject::tr("Drag to move; the context menu folds, pins and hides");
}

}  // namespace

void TimelineView::setArrangement(RowArrangement arrangement) {
    if (arrangement == m_arrangement)
        return;
    m_arrangement = std::move(arrangement);
    if (layOutRows())
        updateGeometry();
    update();
    emit arrangementChanged();
}

std::optional<std::size_t> TimelineView::currentTrack() const {
    if (const auto chosen = m_rows.trackOf(m_labels.current))
        return chosen;
    const auto& snapshot = m_document->snapshot();
    if (const auto idle = m_axis->selectedIdle()) {
        if (const auto row = m_rows.busyRow(idle->gpu))
            return m_rows.trackOf(m_rows.rows()[*row]);
    }
    if (const auto span = m_axis->selectedSpan();
        span && snapshot && span->lane.index() < snapshot->laneCount()) {
        if (const auto track = m_rows.trackOf(snapshot->lane(span->lane).track()))
            return track;
    }
    if (m_labels.hovered)
        return m_labels.hovered;
    return m_hover ? m_rows.trackOf(m_hover->row) : std::nullopt;
}

std::optional<std::size_t> TimelineView::labelAt(QPoint position) const {
    const QRect plot = plotArea();
    if (position.x() < 0 || position.x() >= kTrackLabelWidth || position.y() < plot.top() ||
        position.y() > plot.bottom())
        return std::nullopt;
    return m_rows.trackAt(contentY(position.y() - plot.top()));
}

QRect TimelineView::hiddenLine() const {
    if (m_rows.hiddenTracks() == 0 || m_rows.tracks().empty())
        return {};
    return {0, plotArea().top() + m_rows.height() - scrollTop(), kTrackLabelWidth, kBandRowHeight};
}

void TimelineView::labelPressed(QPoint position) {
    if (hiddenLine().contains(position))
        return showAllRows();
    const auto track = labelAt(position);
    m_labels.current = track ? m_rows.tracks()[*track].key : std::string();
    m_pressPosition = position;
    m_drag = track ? Drag::kLabelPressed : Drag::kNone;
    update();
}

void TimelineView::labelMoved(QPoint position) {
    if (m_drag == Drag::kLabelPressed && (position - m_pressPosition).manhattanLength() >= kDragDistance) {
        m_drag = Drag::kLabel;
        m_labels.dragged = m_labels.current;
        setCursor(Qt::ClosedHandCursor);
    }
    const auto dragged = m_rows.trackOf(m_labels.dragged);
    if (m_drag != Drag::kLabel || !dragged)
        return;
    // Before the first track whose middle is below the mouse, among its like.
    const int y = contentY(std::clamp(position.y() - plotArea().top(), 0, plotArea().height()));
    const auto& tracks = m_rows.tracks();
    const bool pinned = tracks[*dragged].pinned;
    m_labels.dropAt = 0;
    m_labels.dropLine = 0;
    bool any = false;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const bool above = tracks[i].top + tracks[i].height / 2 < y;
        if (tracks[i].pinned == pinned) {
            if (!any || above)
                m_labels.dropLine = above ? tracks[i].top + tracks[i].height : tracks[i].top - 1;
            any = true;
        }
        if (i != *dragged && (above || (tracks[i].pinned && !pinned)))
            ++m_labels.dropAt;
    }
    update();
}

void TimelineView::labelReleased(QPoint position) {
    const Drag drag = m_drag;
    m_drag = Drag::kNone;
    unsetCursor();
    if (drag == Drag::kLabel) {
        RowArrangement arrangement = m_arrangement;
        arrangement.move(m_rows.keys(), m_labels.dragged, m_labels.dropAt);
        m_labels.dragged.clear();
        setArrangement(std::move(arrangement));
    } else if (const auto track = labelAt(position); track && m_rows.tracks()[*track].foldable() &&
                                                     m_rows.tracks()[*track].key == m_labels.current &&
                                                     position.x() < kChevronLeft + kChevronWidth + 1) {
        toggleFolded();
    }
    hoverLabel(position);
    update();
}

void TimelineView::hoverLabel(QPoint position) {
    const auto hovered = labelAt(position);
    if (hovered == m_labels.hovered)
        return;
    m_labels.hovered = hovered;
    update();
}

void TimelineView::toggleFolded() {
    const auto track = currentTrack();
    if (!track || !m_rows.tracks()[*track].foldable())
        return;
    RowArrangement arrangement = m_arrangement;
    arrangement.setFolded(m_rows.tracks()[*track].key, !m_rows.tracks()[*track].folded);
    setArrangement(std::move(arrangement));
}

void TimelineView::togglePinned() {
    const auto track = currentTrack();
    if (!track)
        return;
    RowArrangement arrangement = m_arrangement;
    arrangement.setPinned(m_rows.tracks()[*track].key, !m_rows.tracks()[*track].pinned);
    setArrangement(std::move(arrangement));
}

void TimelineView::hideTrack() {
    const auto track = currentTrack();
    if (!track)
        return;
    RowArrangement arrangement = m_arrangement;
    arrangement.setHidden(m_rows.tracks()[*track].key, true);
    // Keys go on with the one that takes its place.
    const auto& tracks = m_rows.tracks();
    const std::size_t next = *track + 1 < tracks.size() ? *track + 1 : *track > 0 ? *track - 1 : *track;
    if (!m_labels.current.empty())
        m_labels.current = tracks[next].key;
    setArrangement(std::move(arrangement));
}

void TimelineView::moveTrack(int by) {
    const auto track = currentTrack();
    if (!track)
        return;
    m_labels.current = m_rows.tracks()[*track].key;
    RowArrangement arrangement = m_arrangement;
    if (arrangement.moveBy(m_rows.keys(), m_labels.current, by))
        setArrangement(std::move(arrangement));
    if (const auto at = m_rows.trackOf(m_labels.current))
        scrollToTrack(*at);
}

void TimelineView::goToTrack(int by) {
    const auto& tracks = m_rows.tracks();
    if (tracks.empty())
        return;
    const auto current = currentTrack();
    const auto last = std::ssize(tracks) - 1;
    const auto at = current ? std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(*current) + by, 0, last)
                            : (by > 0 ? 0 : last);
    m_labels.current = tracks[static_cast<std::size_t>(at)].key;
    scrollToTrack(static_cast<std::size_t>(at));
    update();
}

void TimelineView::foldAll() {
    RowArrangement arrangement = m_arrangement;
    for (const TimelineTrack& track : m_rows.tracks())
        arrangement.setFolded(track.key, track.foldable());
    setArrangement(std::move(arrangement));
}

void TimelineView::unfoldAll() {
    RowArrangement arrangement = m_arrangement;
    for (const std::string& key : m_rows.keys())
        arrangement.setFolded(key, false);
    setArrangement(std::move(arrangement));
}

void TimelineView::showAllRows() {
    RowArrangement arrangement = m_arrangement;
    arrangement.showAll();
    setArrangement(std::move(arrangement));
}

void TimelineView::resetRows() {
    setArrangement({});
}

bool TimelineView::handleRowKey(const QKeyEvent& event) {
    const int key = event.key();
    if (event.modifiers() == Qt::AltModifier && (key == Qt::Key_Up || key == Qt::Key_Down)) {
        moveTrack(key == Qt::Key_Up ? -1 : 1);
        return true;
    }
    if (event.modifiers() == Qt::ShiftModifier && (key == Qt::Key_Up || key == Qt::Key_Down)) {
        goToTrack(key == Qt::Key_Up ? -1 : 1);
        return true;
    }
    if (event.modifiers() != Qt::NoModifier)
        return false;
    switch (key) {
        case Qt::Key_C:
            toggleFolded();
            return true;
        case Qt::Key_P:
            togglePinned();
            return true;
        case Qt::Key_H:
            hideTrack();
            return true;
        default:
            return false;
    }
}

void TimelineView::addRowActions(QMenu& menu) {
    const auto current = currentTrack();
    if (current) {
        const TimelineTrack& track = m_rows.tracks()[*current];
        menu.addSection(titleOf(track));
        QAction* fold =
            menu.addAction(track.folded ? tr("Unfold\tC") : tr("Fold\tC"), this, &TimelineView::toggleFolded);
        fold->setEnabled(track.foldable());
        menu.addAction(track.pinned ? tr("Unpin\tP") : tr("Pin to the Top\tP"), this,
                       &TimelineView::togglePinned);
        menu.addAction(tr("Hide\tH"), this, &TimelineView::hideTrack);
        menu.addAction(tr("Move Up\tAlt+Up"), this, &TimelineView::moveTrackUp);
        menu.addAction(tr("Move Down\tAlt+Down"), this, &TimelineView::moveTrackDown);
        menu.addSeparator();
    }
    menu.addAction(tr("Fold All Rows"), this, &TimelineView::foldAll);
    menu.addAction(tr("Unfold All Rows"), this, &TimelineView::unfoldAll);
    QAction* show =
        menu.addAction(m_rows.hiddenTracks() > 0 ? tr("Show All Rows (%1 hidden)").arg(m_rows.hiddenTracks())
                                                 : tr("Show All Rows"),
                       this, &TimelineView::showAllRows);
    show->setEnabled(m_rows.hiddenTracks() > 0);
    QAction* reset = menu.addAction(tr("Reset Rows"), this, &TimelineView::resetRows);
    reset->setEnabled(!m_arrangement.isDefault());
}

void TimelineView::addClockAction(QMenu& menu) {
    menu.addSeparator();
    QAction* fromRun = menu.addAction(tr("Times from the Start of the Run"));
    fromRun->setCheckable(true);
    fromRun->setChecked(ClockChoice::instance().countsFromRun());
    connect(fromRun, &QAction::toggled, &ClockChoice::instance(), &ClockChoice::setCountsFromRun);
    menu.addSeparator();
}

QString TimelineView::labelToolTip(QPoint position) const {
    if (hiddenLine().contains(position))
        return tr("Click to show all rows");
    const auto at = labelAt(position);
    if (!at)
        return {};
    const TimelineTrack& track = m_rows.tracks()[*at];
    if (track.gpu || isStacked(track.kind))
        return stackLegend(track);
    QString text = titleOf(track);
    if (track.foldable())
        text += QLatin1Char('\n') + (track.folded ? tr("%1 levels, folded to one row").arg(track.rowCount)
                                                  : tr("%1 levels").arg(track.rowCount));
    if (track.pinned)
        text += QLatin1Char('\n') + tr("Stays at the top");
    return text + QLatin1Char('\n') + tr("Drag to move; the context menu folds, pins and hides");
}

void TimelineView::paintLabelColumn(QPainter& painter) {
    const ThemeColors& colors = Theme::instance().colors();
    const QRect plot = plotArea();
    TimelinePainter::LabelState state{m_labels.hovered, std::nullopt, !FigureMode::holds(*this)};
    if (hasFocus())
        state.current = m_rows.trackOf(m_labels.current);
    const auto paint = [&](int top, int height, std::size_t first, std::size_t last, int scroll) {
        painter.save();
        painter.setClipRect(QRect(0, plot.top() + top, kTrackLabelWidth, height), Qt::IntersectClip);
        painter.translate(0, plot.top());
        m_painter.paintLabels(painter, m_rows.tracks(), first, last, state, kTrackLabelWidth, plot.height(),
                              scroll);
        painter.restore();
    };
    const int pinned = pinnedHeight();
    const std::size_t pins = pinned > 0 ? m_rows.pinnedTracks() : 0;
    paint(pinned, plot.height() - pinned, pins, m_rows.tracks().size(), scrollTop());
    if (pinned > 0) {
        paint(0, pinned, 0, pins, 0);
        painter.fillRect(QRect(0, plot.top() + pinned - 1 - kTrackGap / 2, kTrackLabelWidth, 1),
                         colors.hairline);
    }
    // In a figure there may be no room for it under the last track.
    if (const QRect line = hiddenLine(); !line.isEmpty() && line.top() >= plot.top() + pinned &&
                                         (line.bottom() <= plot.bottom() || !FigureMode::holds(*this))) {
        QFont font = Theme::tableFont();
        font.setPixelSize(11);
        painter.setFont(font);
        painter.setPen(colors.accent);
        painter.drawText(line.adjusted(Metrics::kSpace3, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         tr("%1 hidden").arg(m_rows.hiddenTracks()));
    }
    if (m_drag == Drag::kLabel)
        painter.fillRect(QRect(0, plot.top() + shownTop(m_labels.dropLine) - 1, width(), 2), colors.accent);
}

}  // namespace warpglass::ui
