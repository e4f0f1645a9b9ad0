// The memory of two runs at a time of A and the time of B under it: the sums of both at a moment, and in the
// columns of a chart.
//
// Columns come from MemoryTimeline::columns(), so that a frame's cost follows the width, and are kept until
// what is visible changes. Where two steps are compared, there is nothing but these: what another step holds
// is no difference between them. After a run has run out of memory there is nothing more of it: what its
// failure freed is no saving.
#pragma once

#include <QObject>
#include <optional>
#include <vector>

#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"

namespace warpglass::ui {

class MemoryDifference : public QObject {
    Q_OBJECT
public:
    /// All outlive this. The time axis is A's; `offset` is added to a time of A for the time of B under it.
    MemoryDifference(RunDocument& a, RunDocument& b, TimeAxis& axis);

    void setOffset(Nanoseconds offset);
    /// The steps to which it is confined, each in its run's time; nothing for all of both.
    void setSteps(std::optional<TimeRange> ofA, std::optional<TimeRange> ofB);
    /// Restricts it to this category; nothing for all memory.
    void setCategory(std::optional<Category> category);
    std::optional<Category> category() const { return m_category; }

    /// The sums of both at a time of A; nothing for a run that had not begun or was over.
    std::optional<std::int64_t> ofA(Nanoseconds time) const { return at(m_a, time); }
    std::optional<std::int64_t> ofB(Nanoseconds time) const { return at(m_b, time + m_b.offset); }
    /// The exact bytes of both at a time of A.
    QString exactText(Nanoseconds time) const;

    /// Where a run has nothing to show.
    static constexpr std::int64_t kNone = -1;
    /// The greatest sum of each of `width` columns of the visible range.
    std::vector<std::int64_t> columnsOfA(int width) const { return columns(m_a, width); }
    std::vector<std::int64_t> columnsOfB(int width) const { return columns(m_b, width); }
    struct Curves {
        TimeRange visible;
        int width = 0;
        std::vector<std::int64_t> a, b;
        std::int64_t top = 1;
    };
    const Curves& curves(int width);
    /// The host's phase at the peak of A, or B, in view, whose sum is `highest`; "" where there is none.
    QString phaseAtPeak(bool ofA, std::int64_t highest) const;

signals:
    void changed();

private:
    struct Run {
        RunDocument& document;
        Nanoseconds end{};  // where it ran out of memory, or ended
        Nanoseconds offset{};
        std::optional<TimeRange> step{};
        /// What there is of it.
        TimeRange shown() const;
        bool hasMemory() const;
        /// The axis shows times of A.
        QString momentText(Nanoseconds moment) const;
    };
    std::vector<std::int64_t> columns(const Run& run, int width) const;
    std::optional<std::int64_t> at(const Run& run, Nanoseconds time) const;
    std::int64_t sumOfShown(const CategoryBytes& bytes) const;
    void drop();

    TimeAxis& m_axis;
    Run m_a, m_b;
    std::optional<Category> m_category;
    std::optional<Curves> m_curves;
};

}  // namespace warpglass::ui
