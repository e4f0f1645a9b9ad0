#include "ui/models/mark_list.h"

#include <QStringList>
#include <algorithm>
#include <utility>

#include "ui/models/mark_range.h"
#include "ui/theme/utf8_text.h"

namespace warpglass::ui {

namespace {

bool isEarlier(const RunMark& a, const RunMark& b) {
    return a.time < b.time;
}

/// More in a tool tip are not read.
constexpr std::size_t kMostWords = 12;

}  // namespace

void MarkList::setMarks(std::vector<RunMark> marks) {
    std::stable_sort(marks.begin(), marks.end(), isEarlier);
    m_marks = std::move(marks);
    readNotes();
    forgetRemoved();
    emit changed();
}

void MarkList::readNotes() {
    m_ends.clear();
    m_flagNotes.clear();
    for (const RunMark& mark : m_marks) {
        m_ends.push_back(endOfRange(mark).value_or(mark.time));
        m_flagNotes.push_back(noteWordsFirst(mark));
    }
}

void MarkList::forgetRemoved() {
    if (std::exchange(m_hasRemoved, false))
        emit removedChanged();
}

void MarkList::edit() {
    readNotes();
    forgetRemoved();
    emit changed();
    emit edited();
}

std::size_t MarkList::add(Nanoseconds time, const QString& text) {
    if (const auto there = at(time)) {
        setText(*there, text);
        return *there;
    }
    const std::size_t index = insert({time, text.toStdString()});
    emit added(index);
    return index;
}

std::size_t MarkList::insert(RunMark mark) {
    const auto place = std::upper_bound(m_marks.begin(), m_marks.end(), mark, isEarlier);
    const auto index = static_cast<std::size_t>(place - m_marks.begin());
    m_marks.insert(place, std::move(mark));
    edit();
    return index;
}

void MarkList::setText(std::size_t index, const QString& text) {
    if (index >= m_marks.size() || m_marks[index].text == text.toStdString())
        return;
    m_marks[index].text = text.toStdString();
    edit();
}

void MarkList::remove(std::size_t index) {
    if (index >= m_marks.size())
        return;
    RunMark mark = std::move(m_marks[index]);
    m_marks.erase(m_marks.begin() + static_cast<std::ptrdiff_t>(index));
    edit();
    m_removed = std::move(mark);
    m_hasRemoved = true;
    emit removedChanged();
}

void MarkList::restore() {
    if (m_hasRemoved)
        insert(std::move(m_removed));  // which is an edit: nothing is left to put back
}

std::vector<std::size_t> MarkList::within(TimeRange range) const {
    std::vector<std::size_t> found;
    for (std::size_t i = 0; i < m_marks.size() && m_marks[i].time <= range.end; ++i) {
        if (m_marks[i].time >= range.begin || m_ends[i] > range.begin)
            found.push_back(i);
    }
    return found;
}

QString MarkList::wordsOf(const std::vector<std::size_t>& marks, const StepClock& clock) const {
    const auto moment = [&](std::size_t i) { return clock.text(m_marks[i].time); };
    if (marks.size() == 1)
        return toQString(m_marks[marks[0]].text) + QLatin1Char('\n') + moment(marks[0]);
    QStringList lines;
    for (std::size_t i = 0; i < std::min(marks.size(), kMostWords); ++i)
        lines << moment(marks[i]) + QStringLiteral("  ") + toQString(m_marks[marks[i]].text);
    if (marks.size() > kMostWords)
        lines << tr("… and %1 more").arg(marks.size() - kMostWords);
    return lines.join(QLatin1Char('\n'));
}

std::optional<std::size_t> MarkList::at(Nanoseconds time) const {
    const auto found = std::lower_bound(m_marks.begin(), m_marks.end(), RunMark{time, {}}, isEarlier);
    if (found == m_marks.end() || found->time != time)
        return std::nullopt;
    return static_cast<std::size_t>(found - m_marks.begin());
}

std::optional<std::size_t> MarkList::next(Nanoseconds time) const {
    if (m_marks.empty())
        return std::nullopt;
    const auto found = std::upper_bound(m_marks.begin(), m_marks.end(), RunMark{time, {}}, isEarlier);
    return found == m_marks.end() ? 0 : static_cast<std::size_t>(found - m_marks.begin());
}

std::optional<std::size_t> MarkList::previous(Nanoseconds time) const {
    if (m_marks.empty())
        return std::nullopt;
    const auto found = std::lower_bound(m_marks.begin(), m_marks.end(), RunMark{time, {}}, isEarlier);
    return found == m_marks.begin() ? m_marks.size() - 1
                                    : static_cast<std::size_t>(found - m_marks.begin()) - 1;
}

}  // namespace warpglass::ui
