// TimelineView's marks: flags in the ruler, a line through the rows, and their editing.
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "ui/models/mark_list.h"
#include "ui/models/table_model.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

namespace {

constexpr int kFlagTop = 3;
constexpr int kFlagHeight = 17;
constexpr int kWidestFlag = 160;
/// A flag whose text is cut off by the next one's keeps at least this.
constexpr int kNarrowestFlag = 9;
constexpr int kEditorWidth = 180;
/// As many are listed in the menu.
constexpr std::size_t kMostListed = 20;

QFont flagFont() {
    QFont font = Theme::tableFont();
    font.setPixelSize(11);
    return font;
}

}  // namespace

void TimelineView::setMarks(MarkList* marks) {
    m_marks = marks;
    if (marks) {
        connect(marks, &MarkList::changed, this, [this] {
            endMarkEdit(false);
            update();
        });
        connect(marks, &MarkList::editingToFinish, this, &TimelineView::leaveMarkEdit);
    }
    update();
}

std::optional<std::size_t> TimelineView::currentMark() const {
    const auto pinned = m_axis->pinnedCursor();
    return m_marks && pinned ? m_marks->at(*pinned) : std::nullopt;
}

std::vector<TimelineView::Flag> TimelineView::flags() const {
    std::vector<Flag> flags;
    if (!m_marks)
        return flags;
    const QRect plot = plotArea();
    const TimeRange visible = m_axis->visibleRange();
    const QFontMetrics metrics(flagFont());
    const std::vector<RunMark>& marks = m_marks->marks();
    auto mark = std::lower_bound(marks.begin(), marks.end(), visible.begin,
                                 [](const RunMark& m, Nanoseconds t) { return m.time < t; });
    for (; mark != marks.end() && mark->time <= visible.end; ++mark) {
        const int x = plot.left() + static_cast<int>(timeToPixel(mark->time, visible, plot.width()));
        // Several on one pixel are one flag, of the first.
        if (!flags.empty() && x == flags.back().box.left())
            continue;
        if (!flags.empty())
            flags.back().box.setRight(std::min(
                flags.back().box.right(), std::max(x - 2, flags.back().box.left() + kNarrowestFlag - 1)));
        const int width = metrics.horizontalAdvance(toQString(mark->text)) + 2 * Metrics::kSpace1 + 2;
        flags.push_back({static_cast<std::size_t>(mark - marks.begin()),
                         QRect(x, kFlagTop, std::clamp(width, kNarrowestFlag, kWidestFlag), kFlagHeight)});
    }
    return flags;
}

std::optional<std::size_t> TimelineView::flagAt(QPoint position) const {
    const std::vector<Flag> all = flags();
    for (auto flag = all.rbegin(); flag != all.rend(); ++flag) {
        if (flag->box.adjusted(-1, -kFlagTop, 0, 0).contains(position))
            return flag->mark;
    }
    return std::nullopt;
}

void TimelineView::paintMarks(QPainter& painter) {
    const std::vector<Flag> all = flags();
    if (all.empty())
        return;
    const ThemeColors& colors = Theme::instance().colors();
    const QRect plot = plotArea();
    const auto current = currentMark();
    painter.save();
    painter.setClipRect(rect().adjusted(kTrackLabelWidth - 1, 0, 0, 0));
    painter.setFont(flagFont());
    const QFontMetrics metrics(painter.font());
    for (const Flag& flag : all) {
        const QColor edge = flag.mark == current ? colors.accent : colors.secondaryText;
        painter.setPen(QPen(edge, 1, Qt::DashLine));
        painter.drawLine(flag.box.left(), kRulerHeight, flag.box.left(), plot.bottom());
        painter.fillRect(QRect(flag.box.left(), kFlagTop, 1, kRulerHeight - kFlagTop), edge);
        painter.fillRect(flag.box, colors.raised);
        painter.setPen(edge);
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(flag.box.adjusted(0, 0, -1, -1));
        painter.setPen(colors.text);
        const QRect room = flag.box.adjusted(Metrics::kSpace1 + 1, 0, -Metrics::kSpace1, 0);
        if (room.width() >= kNarrowestFlag)
            painter.drawText(room, Qt::AlignLeft | Qt::AlignVCenter | Qt::TextSingleLine,
                             metrics.elidedText(toQString(m_marks->marks()[flag.mark].text), Qt::ElideRight,
                                                room.width()));
    }
    painter.restore();
}

void TimelineView::goToMark(std::size_t index) {
    const Nanoseconds time = m_marks->marks()[index].time;
    m_axis->setPinnedCursor(time);
    const TimeRange visible = m_axis->visibleRange();
    if (time < visible.begin || time > visible.end)
        m_axis->panBy(time - visible.begin - Nanoseconds(visible.duration().value / 2));
    update();
}

void TimelineView::nextMark() {
    if (!m_marks)
        return;
    const Nanoseconds from = m_axis->pinnedCursor().value_or(m_axis->visibleRange().begin - Nanoseconds(1));
    if (const auto index = m_marks->next(from))
        goToMark(*index);
}

void TimelineView::previousMark() {
    if (!m_marks)
        return;
    if (const auto index = m_marks->previous(m_axis->pinnedCursor().value_or(m_axis->visibleRange().end)))
        goToMark(*index);
}

void TimelineView::addMark() {
    const TimeRange visible = m_axis->visibleRange();
    const Nanoseconds middle = visible.begin + Nanoseconds(visible.duration().value / 2);
    addMarkAt(m_axis->effectiveCursor().value_or(middle));
}

void TimelineView::addMarkAt(Nanoseconds time) {
    if (!m_marks || !m_document->snapshot())
        return;
    // Near a mark's flag the same moment is hardly meant twice.
    m_axis->setPinnedCursor(time);
    editMark(time);
}

void TimelineView::editCurrentMark() {
    if (const auto mark = currentMark()) {
        goToMark(*mark);
        editMark(m_marks->marks()[*mark].time);
    }
}

void TimelineView::deleteCurrentMark() {
    if (const auto mark = currentMark())
        m_marks->remove(*mark);
}

void TimelineView::editMark(Nanoseconds time) {
    endMarkEdit(false);
    const QRect plot = plotArea();
    const auto there = m_marks->at(time);
    auto* editor = new QLineEdit(there ? toQString(m_marks->marks()[*there].text) : QString(), this);
    editor->setObjectName(QStringLiteral("markEditor"));
    editor->setAccessibleName(tr("Note"));
    editor->setPlaceholderText(tr("Note at %1").arg(toQString(formatDuration(time))));
    editor->setMaxLength(static_cast<int>(kLongestMark) / 4);
    editor->setFont(flagFont());
    const int x = plot.left() + static_cast<int>(timeToPixel(time, m_axis->visibleRange(), plot.width()));
    const int width = std::min(kEditorWidth, plot.width());
    editor->setGeometry(std::clamp(x, plot.left(), std::max(plot.left(), plot.right() + 1 - width)), 1, width,
                        kRulerHeight - 2);
    editor->selectAll();
    editor->installEventFilter(this);
    m_markEditor = editor;
    m_editedMark = time;
    editor->show();
    editor->setFocus(Qt::OtherFocusReason);
}

void TimelineView::endMarkEdit(bool keep) {
    if (!m_markEditor)
        return;
    QLineEdit* const editor = m_markEditor;
    m_markEditor = nullptr;  // taking the focus away ends the editing once more
    const bool hadFocus = editor->hasFocus();
    QString text = editor->text().trimmed();
    editor->removeEventFilter(this);
    editor->hide();
    editor->deleteLater();
    if (hadFocus)
        setFocus(Qt::OtherFocusReason);
    if (keep) {
        if (text.isEmpty() && !m_marks->at(m_editedMark))
            text = tr("mark %1").arg(m_marks->marks().size() + 1);
        m_marks->add(m_editedMark, text);
    }
    update();
}

void TimelineView::leaveMarkEdit() {
    if (m_markEditor)
        endMarkEdit(!m_markEditor->text().trimmed().isEmpty());
}

bool TimelineView::eventFilter(QObject* watched, QEvent* event) {
    if (watched != m_markEditor || !m_markEditor)
        return QWidget::eventFilter(watched, event);
    if (event->type() == QEvent::FocusOut) {
        leaveMarkEdit();
        return false;
    }
    if (event->type() != QEvent::KeyPress)
        return false;
    const int key = static_cast<QKeyEvent*>(event)->key();
    if (key != Qt::Key_Return && key != Qt::Key_Enter && key != Qt::Key_Escape)
        return false;
    endMarkEdit(key != Qt::Key_Escape);
    return true;
}

bool TimelineView::handleMarkKey(const QKeyEvent& event) {
    if (!m_marks)
        return false;
    const bool shift = event.modifiers() & Qt::ShiftModifier;
    switch (event.key()) {
        case Qt::Key_M:
            addMark();
            return true;
        case Qt::Key_N:
            if (shift)
                previousMark();
            else
                nextMark();
            return true;
        case Qt::Key_E:
        case Qt::Key_F2:
            editCurrentMark();
            return true;
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
            deleteCurrentMark();
            return true;
        default:
            return false;
    }
}

void TimelineView::addMarkActions(QMenu& menu, std::optional<Nanoseconds> time) {
    if (!m_marks)
        return;
    menu.addSeparator();
    if (currentMark()) {
        menu.addAction(tr("Edit Mark…\tE"), this, &TimelineView::editCurrentMark);
        menu.addAction(tr("Delete Mark\tDel"), this, &TimelineView::deleteCurrentMark);
    }
    menu.addAction(time ? tr("Mark This Moment…\tM") : tr("Mark the Cursor…\tM"), this, [this, time] {
        if (time)
            addMarkAt(*time);
        else
            addMark();
    });
    const std::vector<RunMark>& marks = m_marks->marks();
    if (marks.empty())
        return;
    auto* list = menu.addMenu(tr("Marks"));
    list->addAction(tr("Next\tN"), this, &TimelineView::nextMark);
    list->addAction(tr("Previous\tShift+N"), this, &TimelineView::previousMark);
    list->addSeparator();
    for (std::size_t i = 0; i < std::min(marks.size(), kMostListed); ++i) {
        const QString text = toQString(marks[i].text).replace(QLatin1Char('&'), QLatin1String("&&"));
        list->addAction(text + QLatin1Char('\t') + toQString(formatDuration(marks[i].time)), this,
                        [this, time = marks[i].time] {
                            if (const auto index = m_marks->at(time))
                                goToMark(*index);
                        });
    }
}

}  // namespace warpglass::ui
