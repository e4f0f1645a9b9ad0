// What tables and charts count, the memory page shows and Find searches: one filter for all of them. It
// consists of conditions that must all hold, each removable, and has a history to go back in. Not every
// condition applies to every view; a view that does not know a condition says so.
//
// A range selected in the timeline, or a step, phase or module picked there, is one of the conditions and
// replaces the choice of steps; the others are chosen in the tables and their menus. Going back restores the
// selection in the timeline too. Selecting an op or a kernel is looking at it, not filtering by it, and so is
// whatever a row, a mark or a cause leads to (look()): what was picked before goes on counting until another
// range, step, phase or module is picked, its chip is removed, or someone goes back.
#pragma once

#include <QObject>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "engine/query/memory/allocation_filter.h"
#include "engine/query/spans/filter_extent.h"
#include "engine/query/spans/span_filter.h"
#include "engine/query/spans/work_times.h"
#include "ui/models/filter_history.h"
#include "ui/models/filter_words.h"
#include "ui/models/run_document.h"
#include "ui/models/span_details.h"
#include "ui/models/time_axis.h"

namespace warpglass {
struct Evidence;
}

namespace warpglass::ui {

class RunFilter : public QObject {
    Q_OBJECT
public:
    using State = FilterState;
    using Steps = State::Steps;
    using Condition = FilterCondition;
    /// The filter of one run with its history, and its time axis, put back when that run is shown again.
    struct Kept {
        State state;
        FilterHistory history;
        TimeAxis::State axis;
    };

    /// Both outlive the filter.
    RunFilter(RunDocument& document, TimeAxis& axis, QObject* parent = nullptr);

    const State& state() const { return m_state; }
    void setSteps(Steps steps) { set(&State::steps, steps); }
    /// If a picked phase or module already says this, or says another, it is dropped: "only in backward",
    /// applied to the backward pass of one step, means that of every step that counts.
    void setPhase(std::optional<Phase> phase);
    /// Likewise for a picked module, unless `path` is within it.
    void setModule(const std::string& path);
    /// Whether setPhase(), setModule() would drop what is picked.
    bool replacesPicked(Phase phase) const;
    bool replacesPicked(const std::string& module) const;
    void setName(const std::string& name) { set(&State::name, name); }
    void setText(const QString& text) { set(&State::text, text); }
    void setCategory(std::optional<Category> category) { set(&State::category, category); }
    /// An empty list removes the condition.
    void setAllocations(std::vector<AllocationId> allocations);
    /// Sets exactly what a finding counted, replacing what was set before. It is one step in the history,
    /// also from finding to finding, and even if nothing changes. Its range is selected on the time axis.
    void setEvidence(const Evidence& evidence, FilterHistory::Along along = {});
    void remove(Condition condition);
    /// Resets it to a new filter: the measured steps.
    void reset();

    Kept kept() const { return {m_state, m_history, m_axis.state()}; }
    /// Precondition: the same run is shown as it was kept of.
    void takeUp(const Kept& kept);

    /// Selects something on the time axis to be looked at: what counts stays as it is.
    void look(const Inspected& inspected);
    /// Selects it as by a click: a step, a phase or a module is what counts from now on.
    void pick(SpanRef span);
    /// A range or a span picked in the timeline restricts what counts.
    bool usesSelection() const { return m_state.usesSelection(); }
    /// What is selected is looked at, and is not what counts.
    bool isLooking() const;

    /// All conditions of spans but the text.
    SpanFilter spanFilter() const;
    /// The same with the text, for what is taken over steps: a picked step counts what it launched.
    WorkScope work() const;
    /// The filter as conditions on allocations: where they were made, what they are, and for a selection,
    /// when. Steps have no effect, because most of what is live in a step was allocated before it.
    AllocationConditions allocations() const;
    /// What counts is what begins in a range: what only ends in it, or lasts through it, does not.
    bool countsBeginnings() const;
    /// What it says of itself.
    FilterWords words() const { return {m_state, m_document, m_axis.clock()}; }
    /// The extent in time of what counts, for a view that fades the rest; nothing for the condition "in
    /// view". Cached per snapshot.
    const FilterExtent& extent() const;

    bool canGoBack() const { return m_history.canGoBack(); }
    bool canGoForward() const { return m_history.canGoForward(); }
    void back() { takeStep(m_history.back(m_state)); }
    void forward() { takeStep(m_history.forward(m_state)); }
    /// Like back(), but without a way forward: nobody wanted the last change (a double click's first click).
    void takeBack();
    /// What Esc does in every view: clears the fixed cursor and what is inspected; the second time, the range
    /// or the span that counts. False if there was nothing to clear.
    bool letGo();

signals:
    /// Changed by the user, or because another run is shown.
    void changed();
    /// The chips have other words: moments are told by another clock.
    void chipsChanged();
    /// What "in view" means has moved.
    void viewMoved();

private:
    template <class T>
    void set(T State::*condition, const T& value) {
        State next = m_state;
        next.*condition = value;
        apply(std::move(next));
    }
    void apply(State next);
    void show(State next);
    void restore(const State& state);
    void takeStep(const std::optional<FilterHistory::Step>& step);
    /// A change of the selection that picks nothing.
    template <class Change>
    void quietly(const Change& change) {
        m_quiet = true;
        change();
        m_quiet = false;
        m_seen = m_axis.selectedSpan();
    }
    void onSelection();
    /// Clears what makes the condition on the time axis.
    void clearSelected();
    /// What is picked; if it is a phase or a module.
    std::optional<SpanDetails> picked() const;
    std::optional<SpanDetails> pickedPlace() const;
    /// `next` without what is selected.
    void applyWithoutSelection(State next);

    RunDocument& m_document;
    TimeAxis& m_axis;
    State m_state;
    FilterHistory m_history;
    bool m_quiet = false;
    /// What was selected when the selection was last considered: only one that is new is picked.
    std::optional<SpanRef> m_seen;
    /// The extent that belongs to this state and snapshot.
    struct Extent {
        State state;
        std::shared_ptr<const Snapshot> snapshot;
        FilterExtent extent;
    };
    mutable std::optional<Extent> m_extent;
};

}  // namespace warpglass::ui
