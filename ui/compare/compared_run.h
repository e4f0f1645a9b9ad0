// One of the two runs of a comparison: its timeline, its axis and its steps; which of these is compared, and
// what in it is aligned with the other run's.
#pragma once

#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "engine/query/compare/landmark.h"
#include "ui/compare/comparison_query.h"
#include "ui/compare/landmark_search.h"
#include "ui/models/run_document.h"
#include "ui/models/time_axis.h"

class QLabel;
class QWidget;

namespace warpglass::ui {

class RangeOutline;
class TimelineView;

class ComparedRun {
public:
    struct Side {
        QString title;
        std::shared_ptr<const Snapshot> snapshot;
        std::shared_ptr<MemoryTimeline> memory;  // of the snapshot; null: folded here
    };
    /// The user's state, to be restored when the run is compared again.
    struct Kept {
        int step = -1;
        Landmark landmark;
        TimeAxis::State axis;
        std::optional<TimeRange> outline;
    };

    /// `letter`: "A" or "B", beside the timeline's first row.
    ComparedRun(const QString& letter, bool accent, QWidget* parent);

    /// At its typical step.
    void show(Side side);
    const Side& side() const { return m_side; }
    void setTitle(const QString& title) { m_side.title = title; }
    const std::shared_ptr<const Snapshot>& snapshot() const { return m_side.snapshot; }
    const QString& letter() const { return m_letter; }
    RunDocument& document() { return m_document; }
    TimeAxis& axis() { return m_axis; }
    const TimeAxis& axis() const { return m_axis; }
    TimelineView& timeline() const { return *m_timeline; }
    void setShowsRuler(bool shown);

    Kept kept() const;
    /// All but the axis.
    void restore(const Kept& kept);

    const std::vector<ComparedStep>& steps() const { return m_steps; }
    /// The place of the one that is compared; −1 for a run without steps.
    int step() const { return m_step; }
    /// The nearest that there is.
    void setStep(int step);
    /// Its number, as recorded.
    std::int32_t stepNumber() const { return m_step < 0 ? kNoStep : current().step; }
    std::optional<TimeRange> stepRange() const {
        return m_step < 0 ? std::nullopt : std::optional(current().range);
    }
    /// The step's, or the run's.
    Nanoseconds length() const;
    SearchedStep searched() const { return searched(m_step); }
    SearchedStep searched(int step) const;
    /// The place of the span's step; −1: it is in none of them.
    int stepAround(SpanRef span) const;
    /// The place of the step that the moment is in; outside all of them the one that is compared.
    int stepAt(Nanoseconds time) const;

    /// What it is aligned at: of kernels the two runs' names differ.
    const Landmark& landmark() const { return m_landmark; }
    void setLandmark(const Landmark& landmark) { m_landmark = landmark; }
    /// Around what is spoken of, where that is more than its first span.
    void outline(const std::optional<FoundPlace>& found);
    std::optional<SpanRow> spanOf(const std::optional<FoundPlace>& found) const;

private:
    const StepSpan& current() const { return m_steps[static_cast<std::size_t>(m_step)].span; }

    Side m_side;
    QString m_letter;
    RunDocument m_document;
    TimeAxis m_axis;
    TimelineView* m_timeline;
    QLabel* m_label;
    RangeOutline* m_outline;
    std::vector<ComparedStep> m_steps;
    int m_step = -1;
    Landmark m_landmark;
};

}  // namespace warpglass::ui
