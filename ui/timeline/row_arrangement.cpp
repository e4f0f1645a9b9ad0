#include "ui/timeline/row_arrangement.h"

#include <algorithm>

namespace warpglass::ui {

std::string RowArrangement::keyOf(TrackKind kind, std::string_view name) {
    const auto index = static_cast<std::size_t>(kind);
    // A kind of a newer version's file has no name.
    std::string key(index < kTrackKindNames.size() ? kTrackKindNames[index] : std::string_view("track"));
    key += ':';
    key += name;
    return key;
}

RowArrangement::RowArrangement(Lists lists) {
    for (Keys* keys : {&lists.folded, &lists.hidden, &lists.pinned, &lists.order, &lists.unfolded}) {
        if (keys->size() > kMostKept)
            keys->resize(kMostKept);
    }
    m_folded = {lists.folded.begin(), lists.folded.end()};
    m_unfolded = {lists.unfolded.begin(), lists.unfolded.end()};
    m_hidden = {lists.hidden.begin(), lists.hidden.end()};
    m_pinned = {lists.pinned.begin(), lists.pinned.end()};
    // Each once: an order that names a track twice is none.
    std::set<std::string> known;
    for (std::string& key : lists.order) {
        if (known.insert(key).second)
            m_order.push_back(std::move(key));
    }
}

RowArrangement::Lists RowArrangement::lists() const {
    return {Keys(m_folded.begin(), m_folded.end()), Keys(m_hidden.begin(), m_hidden.end()),
            Keys(m_pinned.begin(), m_pinned.end()), m_order, Keys(m_unfolded.begin(), m_unfolded.end())};
}

RowArrangement::Keys RowArrangement::ordered(const Keys& keys) const {
    if (m_order.empty())
        return keys;
    const std::set<std::string> present(keys.begin(), keys.end());
    const std::set<std::string> moved(m_order.begin(), m_order.end());
    Keys result;
    for (const std::string& key : m_order) {
        if (present.contains(key))
            result.push_back(key);
    }
    for (std::size_t i = 0; i < keys.size(); ++i) {
        if (moved.contains(keys[i]))
            continue;
        const auto before = i == 0 ? result.begin() : std::ranges::find(result, keys[i - 1]) + 1;
        result.insert(before, keys[i]);
    }
    return result;
}

std::vector<std::size_t> RowArrangement::shown(const Keys& keys) const {
    std::vector<std::size_t> indices;
    const Keys order = ordered(keys);
    for (const bool pinned : {true, false}) {
        for (const std::string& key : order) {
            if (!isHidden(key) && isPinned(key) == pinned)
                indices.push_back(static_cast<std::size_t>(std::ranges::find(keys, key) - keys.begin()));
        }
    }
    return indices;
}

void RowArrangement::move(const Keys& keys, const std::string& key, std::size_t position) {
    Keys order;  // what is shown, then the hidden ones where they were
    std::size_t firstOfLike = 0, endOfLike = 0;
    for (const std::size_t i : shown(keys)) {
        if (keys[i] != key)
            order.push_back(keys[i]);
    }
    if (std::ranges::find(keys, key) == keys.end() || isHidden(key))
        return;
    const bool pinned = isPinned(key);
    const auto pins = static_cast<std::size_t>(
        std::ranges::count_if(order, [this](const std::string& k) { return isPinned(k); }));
    firstOfLike = pinned ? 0 : pins;
    endOfLike = pinned ? pins : order.size();
    position = std::clamp(position, firstOfLike, endOfLike);
    // Beside a neighbor in the whole order: before the one that it is put in front of, else after the last.
    Keys whole = ordered(keys);
    whole.erase(std::ranges::find(whole, key));
    auto at = whole.end();
    if (position < endOfLike)
        at = std::ranges::find(whole, order[position]);
    else if (position > firstOfLike)
        at = std::ranges::find(whole, order[position - 1]) + 1;
    whole.insert(at, key);
    // Another run's tracks stay behind what they stood behind.
    for (std::size_t i = 0; i < m_order.size(); ++i) {
        if (std::ranges::find(whole, m_order[i]) != whole.end())
            continue;
        const auto after = i == 0 ? whole.begin() : std::ranges::find(whole, m_order[i - 1]) + 1;
        whole.insert(after, m_order[i]);
    }
    m_order = std::move(whole);
}

bool RowArrangement::moveBy(const Keys& keys, const std::string& key, int by) {
    const std::vector<std::size_t> before = shown(keys);
    const auto found = std::ranges::find_if(before, [&](std::size_t i) { return keys[i] == key; });
    if (found == before.end())
        return false;
    const auto position = found - before.begin() + by;
    if (position < 0 || position >= std::ssize(before))
        return false;
    const std::string& neighbor = keys[before[static_cast<std::size_t>(position)]];
    if (isPinned(neighbor) != isPinned(key))
        return false;
    move(keys, key, static_cast<std::size_t>(position));
    return true;
}

}  // namespace warpglass::ui
