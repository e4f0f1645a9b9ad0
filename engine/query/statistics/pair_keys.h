// Numbers for pairs of a group and a name, from 0 on in the order of first occurrence; of one group alone, a
// name is its number.
//
// Internal to engine/query. Not thread-safe: threads that share the work have one each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace warpglass {

/// A table where it is small, else a hash map: a file from outside may state millions of both.
class PairKeys {
public:
    PairKeys(std::size_t groups, std::size_t names) : m_names(names) {
        constexpr std::size_t kMostCells = 1 << 22;  // 16 MiB, for each thread
        if (groups > 1 && groups <= kMostCells / names)
            m_table.assign(groups * names, kNone);
        m_oneGroup = groups == 1;
    }
    std::uint32_t of(std::uint32_t group, std::size_t name) {
        if (m_oneGroup)
            return static_cast<std::uint32_t>(name);
        const std::uint64_t pair = std::uint64_t{group} * m_names + name;
        std::uint32_t& key = m_table.empty() ? m_map.emplace(pair, kNone).first->second
                                             : m_table[static_cast<std::size_t>(pair)];
        if (key == kNone) {
            key = static_cast<std::uint32_t>(m_pairs.size());
            m_pairs.push_back(pair);
        }
        return key;
    }
    /// The key of what is `key` in `other`, of the same groups and names.
    std::uint32_t of(const PairKeys& other, std::size_t key) {
        return m_oneGroup ? static_cast<std::uint32_t>(key) : of(other.groupOf(key), other.nameOf(key));
    }
    std::uint32_t groupOf(std::size_t key) const {
        return m_oneGroup ? 0 : static_cast<std::uint32_t>(m_pairs[key] / m_names);
    }
    std::size_t nameOf(std::size_t key) const {
        return m_oneGroup ? key : static_cast<std::size_t>(m_pairs[key] % m_names);
    }

private:
    static constexpr std::uint32_t kNone = 0xffffffffu;
    std::size_t m_names;
    bool m_oneGroup = false;  // a name is its key
    std::vector<std::uint32_t> m_table;
    std::unordered_map<std::uint64_t, std::uint32_t> m_map;
    std::vector<std::uint64_t> m_pairs;
};

}  // namespace warpglass
