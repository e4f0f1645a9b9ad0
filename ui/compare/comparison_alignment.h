// How a comparison lays two runs over each other, and finds in the one what is selected in the other: at the
// start of a step of each, at a phase, a module or a kernel in it, or at the peaks of memory.
//
// GUI thread only; what takes long is looked for on a worker (step_search.h).
#pragma once

#include <QObject>
#include <QScopedValueRollback>
#include <optional>

#include "engine/query/compare/landmark.h"
#include "ui/compare/compared_run.h"
#include "ui/compare/linked_axes.h"

namespace warpglass::ui {

class ComparisonHead;
class ComparisonTables;
class MemoryDifferencePlot;
class StepSearch;

class ComparisonAlignment : public QObject {
    Q_OBJECT
public:
    /// All outlive this.
    ComparisonAlignment(ComparedRun& a, ComparedRun& b, StepSearch& search, ComparisonHead& head,
                        MemoryDifferencePlot& memory, ComparisonTables& tables);

    /// At these steps, by their places; at what they were aligned at, if both have it.
    void chooseSteps(int a, int b);
    /// At the chosen steps, or where a run has none at its beginning; `fit`: shows them.
    void alignAtSteps(bool fit);
    /// When a step has no such thing a sentence says so, and the alignment stays.
    void alignAt(const warpglass::Landmark& landmark);
    /// What a row of a table represents in each, and the row's name.
    void alignAtRow(const std::optional<warpglass::Landmark>& a, const std::optional<warpglass::Landmark>& b,
                    const QString& name);
    /// At the peaks of both.
    void alignAtPeaks(const ComparisonRow& row, std::optional<Category> category);
    /// At the span that is selected in either timeline.
    void alignAtSelection();
    const LinkedAxes& link() const { return m_link; }

    /// The user's state, to be restored when the same pair is shown again.
    struct Kept {
        ComparedRun::Kept a, b;
        Nanoseconds momentOfA;  // at which they are aligned
        Nanoseconds offset;     // B's moments less A's
        bool atPeaks = false;
        std::optional<bool> selectedInA;
    };
    Kept kept() const;
    void restore(const Kept& kept);
    /// What is selected is looked for once more.
    void lookForSelected();
    /// While it lives, what is selected is nobody's doing.
    [[nodiscard]] QScopedValueRollback<bool> quiet() { return QScopedValueRollback(m_selecting, true); }

signals:
    /// Another step of a run is compared.
    void stepsChanged();

private:
    /// Lays the moments over each other; `fit`: shows them.
    void align(TimeRange a, TimeRange b, bool fit);
    /// The memory chart has what lies in the steps that are compared, where the alignment is in them.
    void showMemoryOfSteps();
    void showAlignment();
    struct Answer {
        std::optional<Landmark> a, b;
        std::optional<FoundPlace> inA, inB;
    };
    void alignRunsAt(const Answer& found, const QString& name);
    void outlineNothing();
    /// What the figures of a row's place are of: "blocks.0, forward of step 1 on the GPU".
    QString foundText(const Answer& found, const QString& name) const;
    void onSelection(ComparedRun& from);
    ComparedRun& other(const ComparedRun& run) { return &run == &m_a ? m_b : m_a; }
    void selectInChosenSteps();
    void showSteps(const ComparedRun& from, std::int32_t step, Nanoseconds duration);
    void showSelection(ComparedRun& from, SpanRef span, const std::optional<Landmark>& landmark,
                       const std::optional<FoundPlace>& there);

    ComparedRun& m_a;
    ComparedRun& m_b;
    StepSearch& m_search;
    ComparisonHead& m_head;
    MemoryDifferencePlot& m_memory;
    ComparisonTables& m_tables;
    LinkedAxes m_link;
    ComparedRun* m_selectedIn = nullptr;  // where the user selected last
    bool m_atPeaks = false;               // is what they are aligned at
    bool m_selecting = false;
};

}  // namespace warpglass::ui
