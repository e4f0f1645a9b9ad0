// The segments of a moment as a list of rows, of which those of several can be unfolded into their segments.
#pragma once

#include <QCoreApplication>
#include <QString>
#include <optional>
#include <set>
#include <vector>

#include "engine/query/memory/memory_segments.h"
#include "ui/memory/segment_bins.h"
#include "ui/models/step_clock.h"

namespace warpglass::ui {

class SegmentList {
    Q_DECLARE_TR_FUNCTIONS(SegmentList)
public:
    SegmentList() = default;
    /// The segments as sortByWaste() has them, their rows, and all of them as one.
    SegmentList(SegmentState state, std::vector<SegmentRow> rows, SegmentRow all)
        : m_state(std::move(state)), m_rows(std::move(rows)), m_all(std::move(all)) {
        show();
    }
    /// What another list had unfolded, as far as this one has it too.
    void unfoldAs(const SegmentList& before);

    const SegmentState& state() const { return m_state; }
    /// As they are before any is unfolded.
    const std::vector<SegmentRow>& rows() const { return m_rows; }
    const SegmentRow& all() const { return m_all; }
    /// One of these, or a segment by itself.
    struct Shown {
        std::size_t row = 0;
        std::optional<std::size_t> segment;
    };
    const std::vector<Shown>& shown() const { return m_shown; }

    const SegmentRow& rowOf(std::size_t shown) const { return m_rows[m_shown[shown].row]; }
    /// Null for a row of several, and beyond the last.
    const MemorySegment* segmentOf(std::size_t shown) const;
    /// Precondition: it is a folded row.
    bool isUnfolded(std::size_t shown) const { return m_unfolded.contains(rowOf(shown).fold); }
    /// Whether any row is: its segments are on another scale.
    bool showsUnfolded() const { return m_shown.size() > m_rows.size(); }
    void setUnfolded(std::size_t shown, bool unfolded);
    /// How many are in that row and those below it.
    std::size_t segmentsFrom(std::size_t shown) const;
    /// "141 × 40.0 MiB".
    QString nameOf(std::size_t shown) const;
    /// What it holds, and what a click on it does.
    QString toolTipOf(std::size_t shown, const StepClock& clock) const;

private:
    void show();
    static QString wordsOf(const SegmentPart& part);

    SegmentState m_state;
    std::vector<SegmentRow> m_rows;
    SegmentRow m_all;
    std::vector<Shown> m_shown;
    std::set<SegmentFold> m_unfolded;
};

}  // namespace warpglass::ui
