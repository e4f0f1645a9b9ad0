// How views tell a moment of a run: from the start of the step that it is in, so that moments of all steps
// compare; beside another run from the moment that both are aligned at; or, if the user has chosen so, from
// the start of the run.
#pragma once

#include <QObject>
#include <QString>
#include <cstdint>
#include <optional>
#include <vector>

#include "engine/base/units.h"
#include "engine/trace/snapshot.h"

namespace warpglass::ui {

/// When each step began. A step's clock goes on until the next one begins. Immutable; any thread.
class StepClock {
public:
    struct Step {
        Nanoseconds begin;
        std::int32_t number = kNoStep;
        bool operator==(const Step&) const = default;
    };

    /// Without steps: times count from the start of the run.
    StepClock() = default;
    /// O(steps); a step that still runs is one too. Steps of damaged chunks are left out.
    explicit StepClock(const Snapshot& snapshot);
    /// Without steps: times count from this moment, those before it as less than 0.
    static StepClock since(Nanoseconds alignment);

    const std::optional<Nanoseconds>& alignment() const { return m_alignment; }
    const std::vector<Step>& steps() const { return m_steps; }
    /// The last that has begun by then; null before the first.
    const Step* at(Nanoseconds moment) const;
    /// "step 2 + 12.345 ms", or "506.345 ms" before the first step and without steps; since an alignment
    /// "+12.345 ms" or "−2.500 ms".
    QString text(Nanoseconds moment) const;
    /// "step 2 + 1.20–3.40 ms"; "1.20–3.40 ms" before the first step and without steps; of moments in two
    /// steps both in full.
    QString text(TimeRange range) const;
    static QString name(const Step& step);

    bool operator==(const StepClock&) const = default;

private:
    std::vector<Step> m_steps;  // in order of time
    std::optional<Nanoseconds> m_alignment;
};

/// What the user has chosen, for every view of the program. GUI thread only.
class ClockChoice : public QObject {
    Q_OBJECT
public:
    static ClockChoice& instance();
    /// Off at first: moments are told from the start of their step.
    bool countsFromRun() const { return m_fromRun; }
    void setCountsFromRun(bool fromRun);

signals:
    void changed();

private:
    bool m_fromRun = false;
};

}  // namespace warpglass::ui
