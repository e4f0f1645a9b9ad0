// What the views of the memory page look at together: a moment (the run's peak, or the cursor), one
// allocation, and which allocations the filter lets through.
//
// Selecting an allocation selects the op that requested it in the timeline. Pinning the cursor inspects it.
#pragma once

#include <QObject>
#include <QString>
#include <memory>
#include <optional>

#include "engine/query/memory/memory_breakdown.h"
#include "ui/models/run_document.h"
#include "ui/models/run_filter.h"
#include "ui/models/time_axis.h"

namespace warpglass::ui {

class MemoryFocus : public QObject {
    Q_OBJECT
public:
    MemoryFocus(RunDocument& document, TimeAxis& axis, RunFilter& filter, QObject* parent = nullptr);

    enum class At { kPeak, kCursor };
    At at() const { return m_at; }
    void setAt(At at);
    /// Nothing without memory events. The cursor is where the mouse is, or where it is pinned, or at the end
    /// of the selected range; without any of these it is the moment of the peak.
    std::optional<Nanoseconds> moment() const;
    /// "102.481 ms · backward"; "at the peak, …" or "at the second cursor, …" where that is not what at()
    /// says.
    QString momentText() const;

    /// By what the views tell moments.
    const TimeAxis& axis() const { return m_axis; }
    const StepClock& clock() const { return m_axis.clock(); }

    /// Conditions on what is live at the moment: a selected range includes what was allocated in it, except a
    /// range that begins after the moment, which does not apply. conditions(): for what has a place in time,
    /// without the ranges of a selection.
    AllocationConditions aliveConditions() const;
    AllocationConditions conditions() const;
    /// "the selected 3 ms", where it begins after the moment; else empty.
    QString laterSelection() const;
    /// conditions() in words, "activations, backward, blocks.3.attn"; empty for all.
    QString only() const;
    /// The same of aliveConditions(), "…, made in the selected 3 ms".
    QString aliveOnly() const;

    std::optional<AllocationId> selected() const { return m_selected; }
    void setSelected(std::optional<AllocationId> allocation);
    /// Clears the selected allocation and its op, which is inspected with it, but not the filter.
    void letGo();
    /// Whether the shown run has it: allocations that a view still shows of another run are ignored.
    bool knows(AllocationId allocation) const;
    /// What is read to find its op is kept for the next: cheap enough for a tool tip. Precondition: knows().
    AllocationDetail detailOf(AllocationId allocation);
    /// Shows its life, with a quarter of it at both sides.
    void zoomToLife(AllocationId allocation);

signals:
    /// Changed by the user, or because another run is shown.
    void momentChanged();
    /// The run has grown, and with it what is there at the moment and where its peak is; or moments are told
    /// by another clock.
    void grown();
    void selectedChanged();
    void filterChanged();

private:
    std::optional<Nanoseconds> cursor() const;
    bool isBeforeSelection(const AllocationConditions& conditions) const;
    AllocationDetails& details();

    RunDocument& m_document;
    TimeAxis& m_axis;
    RunFilter& m_filter;
    At m_at = At::kPeak;
    std::optional<TimeRange> m_range;  // as last told
    std::optional<AllocationId> m_selected;
    std::shared_ptr<const MemoryTimeline> m_detailsIn;
    std::shared_ptr<const Snapshot> m_detailsOf;
    std::unique_ptr<AllocationDetails> m_details;  // of those; null without
};

/// The innermost op of that name that ran at that moment on any thread.
std::optional<SpanRef> opSpanAt(const Snapshot& snapshot, Nanoseconds t, NameId op);

/// What is known of one allocation, in two sentences.
QString allocationSentence(const AllocationDetail& detail, const StepClock& clock = {});
/// The same as rich text for a tool tip: bytes allocated and requested, category, place, op, lifetime.
QString allocationToolTip(const AllocationDetail& detail, const StepClock& clock = {});

}  // namespace warpglass::ui
