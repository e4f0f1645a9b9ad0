// What a RunFilter was before, to go back to and forward again. Its parts belong to one run.
#pragma once

#include <functional>
#include <optional>
#include <vector>

#include "ui/models/filter_state.h"

namespace warpglass::ui {

class FilterHistory {
public:
    /// What else belongs to a step in the history: called when it was taken back or again, and the filter is
    /// as it was there. Either may be empty.
    struct Along {
        std::function<void()> back, forward;
    };
    /// A state to return to, and what is then to be called.
    struct Step {
        FilterState state;
        std::function<void()> then;
    };

    bool canGoBack() const { return !m_past.empty(); }
    bool canGoForward() const { return !m_future.empty(); }
    /// `present` gives way to `next`. One dragging of a range, or typing of a text, is one step.
    void change(const FilterState& present, const FilterState& next);
    /// The same as a step of its own, whatever changes.
    void push(const FilterState& present, Along along);
    std::optional<Step> back(const FilterState& present);
    std::optional<Step> forward(const FilterState& present);
    /// As back(), but without a way forward, and without what went along.
    std::optional<FilterState> takeBack();

    static constexpr std::size_t kMost = 100;

private:
    /// A state, with what goes along between it and the next entry toward the present.
    struct Entry {
        FilterState state;
        Along along;
    };
    std::vector<Entry> m_past, m_future;
};

}  // namespace warpglass::ui
