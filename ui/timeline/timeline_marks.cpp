// TimelineView's marks: flags in the ruler, a line through the rows, and their editing.
#include <QMenu>
#include <QPainter>
#include <algorithm>

#include "engine/base/format_moment.h"
#include "ui/models/mark_list.h"
#include "ui/models/mark_steps.h"
#include "ui/models/table_model.h"
#include "ui/theme/note_editor.h"
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
    m_markSteps->setMarks(marks);
    if (marks) {
        connect(marks, &MarkList::changed, this, [this] {
            m_noteEditor->end(false);
            update();
        });
        connect(marks, &MarkList::editingToFinish, m_noteEditor, &NoteEditor::leave);
    }
    update();
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
    paintMarkFlags(painter, all, m_markSteps->current(), kFlagTop + kFlagHeight, plotArea().bottom());
    painter.restore();
}

void TimelineView::editMark(Nanoseconds time, const QString& note, bool exists) {
    const int x =
        plotArea().left() + static_cast<int>(timeToPixel(time, m_axis->visibleRange(), plotArea().width()));
    m_editedMark = time;
    m_noteEditor->open(QRect(x, 1, kEditorWidth, kRulerHeight - 2), note,
                       tr("Note at %1").arg(toQString(formatMoment(time))), exists);
}

void TimelineView::addMarkActions(QMenu& menu, std::optional<Nanoseconds> time) {
    if (!m_marks)
        return;
    menu.addSeparator();
    if (m_markSteps->current()) {
        menu.addAction(tr("Edit Mark…\tE"), m_markSteps, &MarkSteps::editCurrent);
        menu.addAction(tr("Delete Mark\tDel"), m_markSteps, &MarkSteps::removeCurrent);
    }
    menu.addAction(time ? tr("Mark This Moment…\tM") : tr("Mark the Cursor…\tM"), this, [this, time] {
        if (time)
            m_markSteps->addAt(*time);
        else
            m_markSteps->add();
    });
    const std::vector<RunMark>& marks = m_marks->marks();
    if (marks.empty())
        return;
    auto* list = menu.addMenu(tr("Marks"));
    list->addAction(tr("Next\tN"), m_markSteps, &MarkSteps::next);
    list->addAction(tr("Previous\tShift+N"), m_markSteps, &MarkSteps::previous);
    list->addSeparator();
    for (std::size_t i = 0; i < std::min(marks.size(), kMostListed); ++i) {
        const QString text = toQString(marks[i].text).replace(QLatin1Char('&'), QLatin1String("&&"));
        list->addAction(text + QLatin1Char('\t') + toQString(formatMoment(marks[i].time)), this,
                        [this, time = marks[i].time] {
                            if (const auto index = m_marks->at(time))
                                m_markSteps->goTo(*index);
                        });
    }
}

}  // namespace warpglass::ui
