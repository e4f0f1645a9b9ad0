// What ranges are called in statistics: every step is "step", a part of a module "path/part", the rest by
// name.
//
// Internal to engine/query. Keys are dense numbers, so that grouping is an array access.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "engine/trace/snapshot.h"

namespace warpglass {

class RangeKeys {
public:
    explicit RangeKeys(const Snapshot& snapshot);

    std::size_t count() const { return m_firstPart + m_parts.size(); }
    std::size_t keyOf(TrackKind kind, std::uint32_t name, std::uint32_t place) const {
        if (kind == TrackKind::kStep)
            return m_stepKey;
        if (kind == TrackKind::kModule && place < m_partOfPlace.size() && m_partOfPlace[place] != kNoPart)
            return m_firstPart + m_partOfPlace[place];
        return name < m_unnamedKey ? name : m_unnamedKey;
    }
    bool isPart(std::size_t key) const { return key >= m_firstPart; }
    std::string nameOf(const Snapshot& snapshot, std::size_t key) const;

private:
    static constexpr std::uint32_t kNoPart = 0xffffffffu;
    struct Part {
        NameId module;
        NameId part;
    };

    std::size_t m_unnamedKey = 0;
    std::size_t m_stepKey = 0;
    std::size_t m_firstPart = 0;
    std::vector<std::uint32_t> m_partOfPlace;
    std::vector<Part> m_parts;
};

/// Whether `text` matches a pattern in which * matches any text and ? any single character.
bool matchesGlob(std::string_view text, std::string_view pattern);

}  // namespace warpglass
