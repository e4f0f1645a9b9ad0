#include "ui/timeline/timeline_labels.h"

#include <QKeyEvent>
#include <QMenu>
#include <QPainter>
#include <QWidget>
#include <algorithm>
#include <utility>

#include "ui/controls/family_legend.h"
#include "ui/controls/figure_mode.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"
#include "ui/theme/gpu_colors.h"
#include "ui/theme/theme.h"
#include "ui/timeline/gesture_steps.h"
#include "ui/timeline/span_text.h"
#include "ui/timeline/timeline_painter.h"

namespace warpglass::ui {

namespace {

bool isOnChevron(QPoint position) {
    return position.x() <= kChevronLeft + kChevronWidth;
}

/// What the colors and heights of a track's rows mean, in rich text.
QString trackToolTip(const TimelineTrack& track) {
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
            "Narrow spans are stacked by color; the height is the share of a pixel's time, "
            "idle time is empty");
        for (std::size_t i = 0; i < kOpFamilyCount && colorsOf(track.kind).count == kOpFamilyCount; ++i)
            text += entry(familyEntry(static_cast<OpFamily>(i)));
    }
    if (track.foldable())
        text += QStringLiteral("<br>") +
                (track.folded ? QObject::tr("%1 levels, folded to one row").arg(track.laneCount)
                              : QObject::tr("%1 levels").arg(track.laneCount));
    if (track.pinned)
        text += QStringLiteral("<br>") + QObject::tr("Stays at the top");
    return text + QStringLiteral("<br>") +
           QObject::tr("Drag to move; the context menu folds, pins and hides");
}

}  // namespace

std::optional<std::size_t> TimelineLabels::currentTrack() const {
    if (const auto chosen = chosenTrack())
        return chosen;
    const auto& snapshot = m_document.snapshot();
    if (const auto idle = m_axis.selectedIdle()) {
        if (const auto row = m_rows.busyRow(idle->gpu))
            return m_rows.trackOf(m_rows.rows()[*row]);
    }
    if (const auto span = m_axis.selectedSpan();
        span && snapshot && span->lane.index() < snapshot->laneCount()) {
        if (const auto track = m_rows.trackOf(snapshot->lane(span->lane).track()))
            return track;
    }
    if (m_viewport.pointed().label)
        return m_viewport.pointed().label;
    const auto& hit = m_viewport.pointed().hit;
    return hit ? m_rows.trackOf(hit->row) : std::nullopt;
}

std::optional<std::size_t> TimelineLabels::chosenTrack() const {
    return m_rows.trackOf(m_chosen);
}

void TimelineLabels::choose(std::optional<std::size_t> track) {
    m_chosen = track ? m_rows.tracks()[*track].key : std::string();
}

bool TimelineLabels::letGo() {
    const bool chosen = !m_chosen.empty();
    m_chosen.clear();
    m_view.update();
    return chosen;
}

std::optional<std::size_t> TimelineLabels::labelAt(QPoint position) const {
    const QRect plot = m_viewport.plotArea();
    if (position.x() < 0 || position.x() >= kTrackLabelWidth || position.y() < plot.top() ||
        position.y() > plot.bottom())
        return std::nullopt;
    return m_rows.trackAt(m_viewport.contentY(position.y() - plot.top()));
}

QRect TimelineLabels::hiddenLine() const {
    if (m_viewport.hiddenTracks() == 0 || m_rows.tracks().empty())
        return {};
    return {0, m_viewport.plotArea().top() + m_rows.height() - m_viewport.scrollTop(), kTrackLabelWidth,
            kBandRowHeight};
}

template <class Change>
void TimelineLabels::arrange(const Change& change) {
    RowArrangement arrangement = m_viewport.arrangement();
    change(arrangement);
    emit arranged(arrangement);
}

void TimelineLabels::press(QPoint position) {
    if (hiddenLine().contains(position))
        return showAllRows();
    const auto track = labelAt(position);
    choose(track);
    m_pressPosition = position;
    m_drag = track ? Drag::kPressed : Drag::kNone;
    m_view.update();
}

void TimelineLabels::pressElsewhere() {
    m_chosen.clear();
    m_drag = Drag::kNone;
}

void TimelineLabels::move(QPoint position) {
    if (m_drag == Drag::kPressed && (position - m_pressPosition).manhattanLength() >= kDragDistance) {
        m_drag = Drag::kMoved;
        m_dragged = m_chosen;
        m_view.setCursor(Qt::ClosedHandCursor);
    }
    const auto dragged = m_rows.trackOf(m_dragged);
    if (m_drag != Drag::kMoved || !dragged)
        return;
    // Before the first track whose middle is below the mouse, among its like.
    const int y = m_viewport.contentY(
        std::clamp(position.y() - m_viewport.plotArea().top(), 0, m_viewport.plotArea().height()));
    const auto& tracks = m_rows.tracks();
    const bool pinned = tracks[*dragged].pinned;
    m_dropAt = 0;
    m_dropLine = 0;
    bool any = false;
    for (std::size_t i = 0; i < tracks.size(); ++i) {
        const bool above = tracks[i].top + tracks[i].height / 2 < y;
        if (tracks[i].pinned == pinned) {
            if (!any || above)
                m_dropLine = above ? tracks[i].top + tracks[i].height : tracks[i].top - 1;
            any = true;
        }
        if (i != *dragged && (above || (tracks[i].pinned && !pinned)))
            ++m_dropAt;
    }
    m_view.update();
}

void TimelineLabels::release(QPoint position) {
    const Drag drag = m_drag;
    m_drag = Drag::kNone;
    m_view.unsetCursor();
    if (drag == Drag::kMoved) {
        arrange([this](RowArrangement& rows) {
            rows.move(m_rows.keys(), std::exchange(m_dragged, {}), m_dropAt);
        });
    } else if (const auto track = labelAt(position); track && m_rows.tracks()[*track].foldable() &&
                                                     m_rows.tracks()[*track].key == m_chosen &&
                                                     isOnChevron(position)) {
        toggleFolded();
    }
    hover(position);
    m_view.update();
}

void TimelineLabels::doubleClick(QPoint position) {
    if (const auto track = labelAt(position); track && !isOnChevron(position)) {
        choose(track);
        toggleFolded();
    }
}

void TimelineLabels::hover(QPoint position) {
    const auto hovered = labelAt(position);
    if (hovered == m_viewport.pointed().label)
        return;
    m_viewport.pointed().label = hovered;
    m_view.update();
}

void TimelineLabels::toggleFolded() {
    const auto at = currentTrack();
    if (!at || !m_rows.tracks()[*at].foldable())
        return;
    const TimelineTrack& track = m_rows.tracks()[*at];
    arrange([&](RowArrangement& rows) { rows.setFolded(track.key, !track.folded); });
}

void TimelineLabels::unfold(std::size_t track) {
    arrange([&](RowArrangement& rows) { rows.setFolded(m_rows.tracks()[track].key, false); });
}

void TimelineLabels::reveal(std::size_t track) {
    arrange([&](RowArrangement& rows) { rows.reveal(m_rows.tracks()[track].key); });
}

void TimelineLabels::togglePinned() {
    const auto at = currentTrack();
    if (!at)
        return;
    const TimelineTrack& track = m_rows.tracks()[*at];
    arrange([&](RowArrangement& rows) { rows.setPinned(track.key, !track.pinned); });
}

void TimelineLabels::hideTrack() {
    const auto track = currentTrack();
    if (!track)
        return;
    // Keys go on with the one that takes its place.
    const auto& tracks = m_rows.tracks();
    const std::size_t next = *track + 1 < tracks.size() ? *track + 1 : *track > 0 ? *track - 1 : *track;
    if (!m_chosen.empty())
        choose(next);
    arrange([&](RowArrangement& rows) { rows.setHidden(tracks[*track].key, true); });
}

void TimelineLabels::moveTrack(int by) {
    const auto track = currentTrack();
    if (!track)
        return;
    choose(track);
    RowArrangement arrangement = m_viewport.arrangement();
    if (arrangement.moveBy(m_rows.keys(), m_chosen, by))
        emit arranged(arrangement);
    if (const auto at = chosenTrack())
        m_viewport.scrollToTrack(*at);
}

void TimelineLabels::goToTrack(int by) {
    const auto& tracks = m_rows.tracks();
    if (tracks.empty())
        return;
    const auto current = currentTrack();
    const auto last = std::ssize(tracks) - 1;
    const auto at = current ? std::clamp<std::ptrdiff_t>(static_cast<std::ptrdiff_t>(*current) + by, 0, last)
                            : (by > 0 ? 0 : last);
    choose(static_cast<std::size_t>(at));
    m_viewport.scrollToTrack(static_cast<std::size_t>(at));
    m_view.update();
}

void TimelineLabels::foldAll() {
    arrange([this](RowArrangement& rows) {
        for (const TimelineTrack& track : m_rows.tracks()) {
            if (track.foldable())
                rows.setFolded(track.key, true);
        }
    });
}

void TimelineLabels::unfoldAll() {
    arrange([this](RowArrangement& rows) {
        for (const std::string& key : m_rows.keys())
            rows.setFolded(key, false);
    });
}

void TimelineLabels::showAllRows() {
    arrange([](RowArrangement& rows) { rows.showAll(); });
}

void TimelineLabels::resetRows() {
    emit arranged({});
}

bool TimelineLabels::handleKey(const QKeyEvent& event) {
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

void TimelineLabels::addActions(QMenu& menu) {
    const auto current = currentTrack();
    if (current) {
        const TimelineTrack& track = m_rows.tracks()[*current];
        menu.addSection(titleOf(track));
        QAction* fold = menu.addAction(track.folded ? tr("Unfold\tC") : tr("Fold\tC"), this,
                                       &TimelineLabels::toggleFolded);
        fold->setEnabled(track.foldable());
        menu.addAction(track.pinned ? tr("Unpin\tP") : tr("Pin to the Top\tP"), this,
                       &TimelineLabels::togglePinned);
        menu.addAction(tr("Hide\tH"), this, &TimelineLabels::hideTrack);
        menu.addAction(tr("Move Up\tAlt+Up"), this, &TimelineLabels::moveTrackUp);
        menu.addAction(tr("Move Down\tAlt+Down"), this, &TimelineLabels::moveTrackDown);
        menu.addSeparator();
    }
    menu.addAction(tr("Fold All Rows"), this, &TimelineLabels::foldAll);
    menu.addAction(tr("Unfold All Rows"), this, &TimelineLabels::unfoldAll);
    QAction* show =
        menu.addAction(m_rows.hiddenTracks() > 0 ? tr("Show All Rows (%1 hidden)").arg(m_rows.hiddenTracks())
                                                 : tr("Show All Rows"),
                       this, &TimelineLabels::showAllRows);
    show->setEnabled(m_rows.hiddenTracks() > 0);
    QAction* reset = menu.addAction(tr("Reset Rows"), this, &TimelineLabels::resetRows);
    reset->setEnabled(!m_viewport.arrangement().isDefault());
}

QString TimelineLabels::toolTipAt(QPoint position) const {
    if (hiddenLine().contains(position))
        return tr("Click to show all rows");
    const auto at = labelAt(position);
    if (!at)
        return {};
    return trackToolTip(m_rows.tracks()[*at]);
}

void TimelineLabels::paint(QPainter& painter) const {
    const ThemeColors& colors = Theme::instance().colors();
    const QRect plot = m_viewport.plotArea();
    TimelinePainter::LabelState state{m_viewport.pointed().label, std::nullopt, !FigureMode::holds(m_view)};
    if (m_view.hasFocus())
        state.current = chosenTrack();
    const auto paint = [&](int top, int height, std::size_t first, std::size_t last, int scroll) {
        const PainterScope undone(painter);
        painter.setClipRect(QRect(0, plot.top() + top, kTrackLabelWidth, height), Qt::IntersectClip);
        painter.translate(0, plot.top());
        m_painter.paintLabels(painter, m_rows.tracks(), first, last, state, kTrackLabelWidth, plot.height(),
                              scroll);
    };
    const int pinned = m_viewport.pinnedHeight();
    const std::size_t pins = pinned > 0 ? m_rows.pinnedTracks() : 0;
    paint(pinned, plot.height() - pinned, pins, m_rows.tracks().size(), m_viewport.scrollTop());
    if (pinned > 0) {
        paint(0, pinned, 0, pins, 0);
        painter.fillRect(QRect(0, plot.top() + pinned - 1 - kTrackGap / 2, kTrackLabelWidth, 1),
                         colors.hairline);
    }
    // In a figure there may be no room for it under the last track.
    if (const QRect line = hiddenLine(); !line.isEmpty() && line.top() >= plot.top() + pinned &&
                                         (line.bottom() <= plot.bottom() || !FigureMode::holds(m_view))) {
        QFont font = Theme::tableFont();
        font.setPixelSize(11);
        painter.setFont(font);
        painter.setPen(colors.accent);
        painter.drawText(line.adjusted(Metrics::kSpace3, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                         tr("%1 hidden").arg(m_viewport.hiddenTracks()));
    }
    if (m_drag == Drag::kMoved)
        painter.fillRect(QRect(0, plot.top() + m_viewport.shownTop(m_dropLine) - 1, m_view.width(), 2),
                         colors.accent);
}

}  // namespace warpglass::ui
