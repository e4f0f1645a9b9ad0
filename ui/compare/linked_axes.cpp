#include "ui/compare/linked_axes.h"

#include <QScopedValueRollback>
#include <algorithm>

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
    }
}

void LinkedAxes::align(Nanoseconds momentOfA, Nanoseconds momentOfB, Nanoseconds lengthOfA,
                       Nanoseconds lengthOfB) {
    m_following = true;
    m_offset = momentOfB - momentOfA;
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
    to.setVisibleRange({range.begin + offset, range.end + offset}, false);
    to.setCursor(moved(from.cursor(), offset));
    to.setPinnedCursor(moved(from.pinnedCursor(), offset));
}

}  // namespace warpglass::ui
