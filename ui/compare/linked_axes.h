// Links two runs' time axes: both show the same range relative to a moment of each, with the same cursor and
// measured range. Either may be moved; neither ends before the other. There is one history of zooms, A's, no
// matter which was moved.
#pragma once

#include <QObject>

#include "ui/models/time_axis.h"

namespace warpglass::ui {

class LinkedAxes : public QObject {
    Q_OBJECT
public:
    /// Both outlive this.
    LinkedAxes(TimeAxis& a, TimeAxis& b, QObject* parent = nullptr);

    /// From now on `momentOfA` of run A is aligned with `momentOfB` of run B, and both axes count from there;
    /// the lengths are the runs'.
    void align(Nanoseconds momentOfA, Nanoseconds momentOfB, Nanoseconds lengthOfA, Nanoseconds lengthOfB);
    /// What to add to a time of A for the time of B under it.
    Nanoseconds offset() const { return m_offset; }
    Nanoseconds momentOfA() const { return m_momentOfA; }

private:
    void follow(TimeAxis& from, TimeAxis& to, Nanoseconds offset);
    /// Moves A as the user would, so that A's history has it.
    void moveA(TimeRange range);

    TimeAxis& m_a;
    TimeAxis& m_b;
    Nanoseconds m_offset, m_momentOfA;
    bool m_following = false;
};

}  // namespace warpglass::ui
