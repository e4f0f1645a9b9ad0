#include "ui/models/mark_layer.h"

#include <QWidget>
#include <algorithm>

#include "ui/controls/note_editor.h"

namespace warpglass::ui {

namespace {

constexpr int kEditorWidth = 180, kEditorHeight = 24;

}  // namespace

MarkLayer::MarkLayer(const RunDocument& document, TimeAxis& axis, Place place, QWidget& view)
    : QObject(&view),
      m_document(document),
      m_axis(axis),
      m_place(std::move(place)),
      m_view(view),
      m_steps(new MarkSteps(document, axis, this)),
      m_editor(new NoteEditor(&view)) {
    m_editor->setMaxLength(static_cast<int>(kLongestMark) / 4);
    connect(m_steps, &MarkSteps::editRequested, this, &MarkLayer::edit);
    connect(m_editor, &NoteEditor::kept, this,
            [this](const QString& text) { m_steps->keep(m_edited, text); });
    connect(&m_document, &RunDocument::runChanged, this, [this] { m_editor->end(false); });
    connect(&m_axis, &TimeAxis::visibleRangeChanged, this, [this] { m_editor->end(true); });
}

void MarkLayer::setMarks(MarkList* marks) {
    m_marks = marks;
    m_steps->setMarks(marks);
    if (marks) {
        connect(marks, &MarkList::changed, this, [this] {
            m_editor->end(false);
            m_view.update();
        });
        connect(marks, &MarkList::editingToFinish, m_editor, &NoteEditor::leave);
    }
    m_view.update();
}

std::vector<MarkFlag> MarkLayer::flags() const {
    if (!m_marks || !m_document.snapshot())
        return {};
    std::vector<MarkPlace> places;
    const TimeRange visible = m_axis.visibleRange();
    for (const std::size_t mark : m_marks->within(visible)) {
        const TimeRange range = m_marks->rangeOf(mark);
        MarkPlace place{
            mark, m_place.xOf(std::max(range.begin, visible.begin)), range.begin >= visible.begin, {}};
        if (range.end > range.begin)
            place.end = m_place.xOf(std::min(range.end, visible.end));
        places.push_back(place);
    }
    return layMarkFlags(places, [this](std::size_t mark) { return m_marks->flagNoteOf(mark); },
                        {m_place.top(), m_place.right()});
}

std::optional<std::size_t> MarkLayer::markAt(QPoint at) const {
    const auto all = flags();
    const MarkFlag* flag = flagAt(all, at);
    return flag ? std::optional(flag->marks.front()) : std::nullopt;
}

QString MarkLayer::toolTipAt(QPoint at) const {
    const auto all = flags();
    const MarkFlag* flag = flagAt(all, at);
    return flag ? m_marks->wordsOf(flag->marks, m_axis.clock()) : QString();
}

void MarkLayer::paint(QPainter& painter, int top, int bottom) const {
    paintMarkFlags(painter, flags(), m_steps->current(), top, bottom);
}

void MarkLayer::edit(Nanoseconds time, const QString& note, bool exists) {
    m_edited = time;
    const int middle = m_place.top() + kFlagHeight / 2;
    m_editor->open(QRect(m_place.xOf(time), middle - kEditorHeight / 2, kEditorWidth, kEditorHeight), note,
                   tr("Note at %1").arg(m_axis.clock().text(time)), exists);
}

}  // namespace warpglass::ui
