// A MemoryPlot's marks: flags at its lower edge, a line through the stack, and the note that is written
// there.
#include <QPainter>

#include "engine/base/format_moment.h"
#include "ui/charts/memory_plot.h"
#include "ui/models/mark_list.h"
#include "ui/models/mark_steps.h"
#include "ui/models/table_model.h"
#include "ui/theme/note_editor.h"

namespace warpglass::ui {

namespace {

constexpr int kEditorWidth = 180, kEditorHeight = 24;

}  // namespace

void MemoryPlot::setMarks(MarkList* marks) {
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

std::vector<MarkFlag> MemoryPlot::flags() const {
    if (!m_marks || !m_document.snapshot())
        return {};
    std::vector<MarkFlag> flags;
    const int top = static_cast<int>(plotRect().bottom()) - kFlagHeight - 2;
    const auto [first, end] = m_marks->within(m_axis.visibleRange());
    for (std::size_t i = first; i < end; ++i) {
        const RunMark& mark = m_marks->marks()[i];
        addMarkFlag(flags, i, toQString(mark.text), static_cast<int>(xOf(mark.time)), top);
    }
    return flags;
}

std::optional<std::size_t> MemoryPlot::markAt(QPointF at) const {
    const auto all = flags();
    const MarkFlag* flag = flagAt(all, at.toPoint());
    return flag ? std::optional(flag->mark) : std::nullopt;
}

void MemoryPlot::paintMarks(QPainter& painter) const {
    const QRectF plot = plotRect();
    painter.save();
    painter.setClipRect(plot);
    painter.setRenderHint(QPainter::Antialiasing, false);
    paintMarkFlags(painter, flags(), m_markSteps->current(), static_cast<int>(plot.top()),
                   static_cast<int>(plot.bottom()));
    painter.restore();
}

void MemoryPlot::editMark(Nanoseconds time, const QString& note, bool exists) {
    m_editedMark = time;
    m_noteEditor->open(
        QRect(static_cast<int>(xOf(time)), height() - kEditorHeight - 1, kEditorWidth, kEditorHeight), note,
        tr("Note at %1").arg(toQString(formatMoment(time))), exists);
}

}  // namespace warpglass::ui
