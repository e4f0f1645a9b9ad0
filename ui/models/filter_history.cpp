#include "ui/models/filter_history.h"

#include <utility>

namespace warpglass::ui {

namespace {

bool continues(const FilterState& before, const FilterState& next) {
    FilterState same = next;
    if (before.range && next.range)
        same.range = before.range;
    if (!before.text.isEmpty() && !next.text.isEmpty())
        same.text = before.text;
    return same == before;
}

template <class Entry>
std::optional<Entry> taken(std::vector<Entry>& from) {
    if (from.empty())
        return std::nullopt;
    std::optional<Entry> entry(std::move(from.back()));
    from.pop_back();
    return entry;
}

}  // namespace

void FilterHistory::change(const FilterState& present, const FilterState& next) {
    // What goes along with a step goes with that state alone, and not with what continues it.
    const bool alone = !m_past.empty() && m_past.back().along.back;
    if (alone || !continues(present, next))
        push(present, {});
    m_future.clear();
}

void FilterHistory::push(const FilterState& present, Along along) {
    if (m_past.size() == kMost)
        m_past.erase(m_past.begin());
    m_past.push_back({present, std::move(along)});
    m_future.clear();
}

std::optional<FilterHistory::Step> FilterHistory::back(const FilterState& present) {
    const auto entry = taken(m_past);
    if (!entry)
        return std::nullopt;
    m_future.push_back({present, entry->along});
    return Step{entry->state, entry->along.back};
}

std::optional<FilterHistory::Step> FilterHistory::forward(const FilterState& present) {
    const auto entry = taken(m_future);
    if (!entry)
        return std::nullopt;
    m_past.push_back({present, entry->along});
    return Step{entry->state, entry->along.forward};
}

std::optional<FilterState> FilterHistory::takeBack() {
    const auto entry = taken(m_past);
    return entry ? std::optional(entry->state) : std::nullopt;
}

}  // namespace warpglass::ui
