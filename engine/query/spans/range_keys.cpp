#include "engine/query/spans/range_keys.h"

#include <unordered_map>

namespace warpglass {

RangeKeys::RangeKeys(const Snapshot& snapshot)
    : m_unnamedKey(snapshot.nameCount()), m_stepKey(m_unnamedKey + 1), m_firstPart(m_unnamedKey + 2) {
    // Places differ by phase too; forward's and backward's "scores" of one module are one part.
    std::unordered_map<std::uint64_t, std::uint32_t> known;
    m_partOfPlace.assign(snapshot.placeCount(), kNoPart);
    for (std::size_t i = 0; i < m_partOfPlace.size(); ++i) {
        const Place place = snapshot.place(PlaceId(i));
        if (!place.part.valid())
            continue;
        const std::uint64_t both = (std::uint64_t{place.module.value} << 32) | place.part.value;
        const auto [found, isNew] = known.emplace(both, static_cast<std::uint32_t>(m_parts.size()));
        if (isNew)
            m_parts.push_back({place.module, place.part});
        m_partOfPlace[i] = found->second;
    }
}

std::string RangeKeys::nameOf(const Snapshot& snapshot, std::size_t key) const {
    if (key == m_stepKey)
        return "step";
    if (!isPart(key))
        return std::string(snapshot.name(NameId(key)));
    const Part& part = m_parts[key - m_firstPart];
    std::string name(snapshot.name(part.module));
    name += '/';
    name += snapshot.name(part.part);
    return name;
}

bool matchesGlob(std::string_view text, std::string_view pattern) {
    // On a mismatch go back to the last * and let it take one character more: O(text · pattern), no
    // recursion.
    std::size_t t = 0, p = 0;
    std::size_t star = std::string_view::npos, starText = 0;
    while (t < text.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            starText = t;
        } else if (p < pattern.size() && (pattern[p] == '?' || pattern[p] == text[t])) {
            ++t;
            ++p;
        } else if (star != std::string_view::npos) {
            p = star + 1;
            t = ++starText;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*')
        ++p;
    return p == pattern.size();
}

}  // namespace warpglass
