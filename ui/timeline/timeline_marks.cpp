// TimelineView's marks: flags in the ruler, a line through the rows, and their editing.
#include <QKeyEvent>
#include <QLineEdit>
#include <QMenu>
#include <QPainter>
#include <algorithm>
#include <cmath>

#include "engine/base/format.h"
#include "engine/base/format_moment.h"
#include "ui/models/mark_list.h"
#include "ui/models/table_model.h"
#include "ui/theme/theme.h"
#include "ui/timeline/timeline_metrics.h"
#include "ui/timeline/timeline_view.h"

namespace warpglass::ui {

namespace {

constexpr int kFlagTop = 3;
constexpr int kEditorWidth = 180;
/// As many are listed in the menu.
constexpr std::size_t kMostListed = 20;

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

std::vector<MarkFlag> TimelineView::flags() const {
    if (!m_marks)
        return {};
    std::vector<MarkFlag> flags;
    const QRect plot = plotArea();
    const TimeRange visible = m_axis->visibleRange();
    const auto [first, end] = m_marks->within(visible);
    for (std::size_t i = first; i < end; ++i) {
        const RunMark& mark = m_marks->marks()[i];
        addMarkFlag(flags, i, toQString(mark.text),
                    plot.left() + static_cast<int>(timeToPixel(mark.time, visible, plot.width())), kFlagTop);
    }
    return flags;
}

void TimelineView::paintMarks(QPainter& painter) {
    const std::vector<MarkFlag> all = flags();
    if (all.empty())
        return;
    painter.save();
    painter.setClipRect(rect().adjusted(kTrackLabelWidth - 1, 0, 0, 0));
    paintMarkFlags(painter, all, currentMark(), kFlagTop + kFlagHeight, plotArea().bottom());
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

/// A mark has a moment and no length: of a selected range it is the beginning, and its note tells the rest.
void TimelineView::addMark() {
    if (const auto range = m_axis->selectedRange()) {
        addMarkAt(range->begin, tr("%1 until %2: ")
                                    .arg(toQString(formatDuration(range->duration())),
                                         toQString(formatMoment(range->end))));
        return;
    }
    const TimeRange visible = m_axis->visibleRange();
    const Nanoseconds middle = visible.begin + Nanoseconds(visible.duration().value / 2);
    addMarkAt(m_axis->effectiveCursor().value_or(middle));
}

void TimelineView::addMarkAt(Nanoseconds time, const QString& note) {
    if (!m_marks || !m_document->snapshot())
        return;
    m_axis->setPinnedCursor(time);
    const TimeRange visible = m_axis->visibleRange();
    if (time < visible.begin || time > visible.end)
        m_axis->panBy(time - visible.begin - Nanoseconds(visible.duration().value / 2));
    editMark(time, note);
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

void TimelineView::editMark(Nanoseconds time, const QString& note) {
    endMarkEdit(false);
    const QRect plot = plotArea();
    const auto there = m_marks->at(time);
    auto* editor = new QLineEdit(there ? toQString(m_marks->marks()[*there].text) : note, this);
    editor->setObjectName(QStringLiteral("markEditor"));
    editor->setAccessibleName(tr("Note"));
    editor->setPlaceholderText(tr("Note at %1").arg(toQString(formatMoment(time))));
    editor->setMaxLength(static_cast<int>(kLongestMark) / 4);
    editor->setFont(markFlagFont());
    const int x = plot.left() + static_cast<int>(timeToPixel(time, m_axis->visibleRange(), plot.width()));
    const int width = std::min(kEditorWidth, plot.width());
    editor->setGeometry(std::clamp(x, plot.left(), std::max(plot.left(), plot.right() + 1 - width)), 1, width,
                        kRulerHeight - 2);
    if (there)
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
        list->addAction(text + QLatin1Char('\t') + toQString(formatMoment(marks[i].time)), this,
                        [this, time = marks[i].time] {
                            if (const auto index = m_marks->at(time))
                                goToMark(*index);
                        });
    }
}

}  // namespace warpglass::ui
