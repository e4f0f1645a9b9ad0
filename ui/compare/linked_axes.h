// Two runs' time axes as one: what is visible of the one is what is visible of the other, aligned at a moment
// of each, and so are the cursor and a measured range. Either may be moved; neither ends before the other.
// There is one history of zooms, A's, whichever was moved.
//
// GUI thread only.
#pragma once

#include <QObject>

#include "ui/models/time_axis.h"

namespace warpglass::ui {

class LinkedAxes : public QObject {
    Q_OBJECT
public:
    /// Both outlive this.
    LinkedAxes(TimeAxis& a, TimeAxis& b, QObject* parent = nullptr);

    /// From here on `momentOfA` of the one run stands over `momentOfB` of the other; the lengths are the
    /// runs'.
    void align(Nanoseconds momentOfA, Nanoseconds momentOfB, Nanoseconds lengthOfA, Nanoseconds lengthOfB);
    /// What to add to a time of A for the time of B under it.
    Nanoseconds offset() const { return m_offset; }

private:
    void follow(TimeAxis& from, TimeAxis& to, Nanoseconds offset);
    /// As a person's move of A would have been, so that A's history has it.
    void moveA(TimeRange range);

    TimeAxis& m_a;
    TimeAxis& m_b;
    Nanoseconds m_offset;
    bool m_following = false;
};

}  // namespace warpglass::ui
