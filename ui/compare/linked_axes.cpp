#include "ui/compare/linked_axes.h"

#include <QScopedValueRollback>
#include <algorithm>
#include <cmath>

namespace warpglass::ui {

namespace {

std::optional<Nanoseconds> moved(std::optional<Nanoseconds> time, Nanoseconds by) {
    return time ? std::optional(*time + by) : std::nullopt;
}

}  // namespace

LinkedAxes::LinkedAxes(TimeAxis& a, TimeAxis& b, QObject* parent) : QObject(parent), m_a(a), m_b(b) {
    for (TimeAxis* axis : {&m_a, &m_b}) {
        const auto changed = [this, axis] {
            if (axis == &m_a)
                follow(m_a, m_b, m_offset);
            else
                follow(m_b, m_a, -m_offset);
        };
        connect(axis, &TimeAxis::visibleRangeChanged, this, changed);
        connect(axis, &TimeAxis::cursorChanged, this, changed);
        connect(axis, &TimeAxis::pinnedCursorChanged, this, changed);
        connect(axis, &TimeAxis::selectionChanged, this, changed);
    }
}

void LinkedAxes::align(Nanoseconds momentOfA, Nanoseconds momentOfB, Nanoseconds lengthOfA,
                       Nanoseconds lengthOfB) {
    m_following = true;
    m_offset = momentOfB - momentOfA;
    m_momentOfA = momentOfA;
    m_a.setAlignment(momentOfA);
    m_b.setAlignment(momentOfB);
    const Nanoseconds before = std::max(momentOfA, momentOfB);
    const Nanoseconds after = std::max(lengthOfA - momentOfA, lengthOfB - momentOfB);
    m_a.setBeyond(before - momentOfA, after - (lengthOfA - momentOfA));
    m_b.setBeyond(before - momentOfB, after - (lengthOfB - momentOfB));
    m_following = false;
    follow(m_a, m_b, m_offset);
}

void LinkedAxes::follow(TimeAxis& from, TimeAxis& to, Nanoseconds offset) {
    if (m_following)
        return;
    const QScopedValueRollback quiet(m_following, true);
    const TimeRange range = from.visibleRange();
    const TimeRange there{range.begin + offset, range.end + offset};
    if (&to == &m_a)
        moveA(there);
    else
        to.setVisibleRange(there, false);
    to.setCursor(moved(from.cursor(), offset));
    to.setPinnedCursor(moved(from.pinnedCursor(), offset));
    const auto selected = from.selectedRange();
    to.setSelectedRange(selected ? std::optional(TimeRange{selected->begin + offset, selected->end + offset})
                                 : std::nullopt);
}

void LinkedAxes::moveA(TimeRange range) {
    const TimeRange before = m_a.visibleRange();
    if (range == before)
        return;
    const auto width = static_cast<double>(before.duration().value);
    const auto newWidth = static_cast<double>(range.duration().value);
    // What stays where it is tells a turn of the wheel from a jump.
    const double still =
        width == newWidth ? -1 : static_cast<double>((range.begin - before.begin).value) / (width - newWidth);
    if (width == newWidth)
        m_a.panBy(range.begin - before.begin);
    else if (still >= 0 && still <= 1 && width > 0)
        m_a.zoomAt(before.begin + Nanoseconds(std::llround(still * width)), newWidth / width);
    else
        m_a.setVisibleRange(range);
    m_a.setVisibleRange(range, false);  // to the nanosecond
}

}  // namespace warpglass::ui
