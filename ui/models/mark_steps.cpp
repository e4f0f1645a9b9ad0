#include "ui/models/mark_steps.h"

#include <algorithm>

#include "ui/models/mark_range.h"

namespace warpglass::ui {

MarkSteps::MarkSteps(const RunDocument& document, TimeAxis& axis, QObject* parent)
    : QObject(parent), m_document(document), m_axis(axis) {
    connect(&m_axis, &TimeAxis::selectionChanged, this, [this] {
        if (m_axis.selectedRange() != m_seenRange)
            m_rangeIsLatest = true;
        else if (m_axis.selectedSpan() != m_seenSpan || m_axis.selectedIdle() != m_seenIdle)
            m_rangeIsLatest = false;
        m_seenRange = m_axis.selectedRange();
        m_seenSpan = m_axis.selectedSpan();
        m_seenIdle = m_axis.selectedIdle();
    });
}

std::optional<TimeRange> MarkSteps::latestRange() const {
    return m_rangeIsLatest || !(m_axis.selectedSpan() || m_axis.selectedIdle()) ? m_axis.selectedRange()
                                                                                : std::nullopt;
}

std::optional<std::size_t> MarkSteps::current() const {
    const auto pinned = m_axis.pinnedCursor();
    return m_marks && pinned ? m_marks->at(*pinned) : std::nullopt;
}

void MarkSteps::show(Nanoseconds time) {
    m_axis.setPinnedCursor(time);
    const TimeRange visible = m_axis.visibleRange();
    if (time < visible.begin || time > visible.end)
        m_axis.panBy(time - visible.begin - Nanoseconds(visible.duration().value / 2));
}

void MarkSteps::goTo(std::size_t index) {
    const TimeRange range = m_marks->rangeOf(index);
    const TimeRange visible = m_axis.visibleRange();
    m_axis.setPinnedCursor(range.begin);
    if (range.begin >= visible.begin && range.end <= visible.end)
        return;
    // All of it, in the middle; what is longer than the view fills it.
    const Nanoseconds width = std::max(visible.duration(), range.duration());
    const Nanoseconds begin = range.begin - Nanoseconds((width - range.duration()).value / 2);
    if (width == visible.duration())
        m_axis.panBy(begin - visible.begin);
    else
        m_axis.setVisibleRange({begin, begin + width});
}

void MarkSteps::next() {
    if (!m_marks)
        return;
    const Nanoseconds from = m_axis.pinnedCursor().value_or(m_axis.visibleRange().begin - Nanoseconds(1));
    if (const auto index = m_marks->next(from))
        goTo(*index);
}

void MarkSteps::previous() {
    if (!m_marks)
        return;
    if (const auto index = m_marks->previous(m_axis.pinnedCursor().value_or(m_axis.visibleRange().end)))
        goTo(*index);
}

/// A mark has a moment and no length: of a selected range it is the beginning, and its note tells the rest.
void MarkSteps::add() {
    if (const auto range = latestRange()) {
        addAt(range->begin, rangeNote(*range));
        return;
    }
    const TimeRange visible = m_axis.visibleRange();
    const Nanoseconds middle = visible.begin + Nanoseconds(visible.duration().value / 2);
    addAt(m_axis.effectiveCursor().value_or(middle));
}

void MarkSteps::addAt(Nanoseconds time, const QString& note) {
    if (!m_marks || !m_document.snapshot())
        return;
    show(time);
    // As the view moves on with a run that grows, the note being written would end.
    if (m_document.isLive())
        m_axis.setFollowing(false);
    const auto there = m_marks->at(time);
    emit editRequested(time, there ? wordsOfNote(m_marks->marks()[*there]) : note, there.has_value());
}

void MarkSteps::editCurrent() {
    if (const auto mark = current())
        addAt(m_marks->marks()[*mark].time);
}

void MarkSteps::removeCurrent() {
    if (const auto mark = current())
        m_marks->remove(*mark);
}

void MarkSteps::keep(Nanoseconds time, QString text) {
    if (!m_marks)
        return;
    if (const auto there = m_marks->at(time))
        text = noteWithWords(m_marks->marks()[*there], text);
    else if (text.isEmpty())
        text = tr("mark %1").arg(m_marks->marks().size() + 1);
    m_marks->add(time, text);
}

bool MarkSteps::handleKey(int key, Qt::KeyboardModifiers modifiers) {
    if (!m_marks || modifiers & (Qt::ControlModifier | Qt::AltModifier | Qt::MetaModifier))
        return false;
    switch (key) {
        case Qt::Key_M:
            add();
            return true;
        case Qt::Key_N:
            if (modifiers & Qt::ShiftModifier)
                previous();
            else
                next();
            return true;
        case Qt::Key_E:
        case Qt::Key_F2:
            editCurrent();
            return true;
        case Qt::Key_Delete:
        case Qt::Key_Backspace:
            removeCurrent();
            return true;
        default:
            return false;
    }
}

}  // namespace warpglass::ui
