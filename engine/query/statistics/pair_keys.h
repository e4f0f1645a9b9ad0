// Numbers for pairs of a group and a name, from 0 on in the order of first occurrence; of one group alone, a
// name is its number.
//
// Internal to engine/query. Not thread-safe: threads that share the work have one each.
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace warpglass {

/// A hash table with open addressing, as small as the pairs that occur: a file from outside may state
/// millions of groups and of names, and a look-up for each of millions of rows must not leave the cache.
class PairKeys {
public:
    /// `sparse`: few of the names occur, so that none is its key.
    PairKeys(std::size_t groups, std::size_t names, bool sparse = false)
        : m_names(names), m_oneGroup(groups == 1 && !sparse) {}
    std::uint32_t of(std::uint32_t group, std::size_t name) {
        if (m_oneGroup)
            return static_cast<std::uint32_t>(name);
        const std::uint64_t pair = std::uint64_t{group} * m_names + name;
        std::size_t cell = cellOf(pair);
        if (m_cells[cell] != kNone)
            return m_cells[cell];
        if (2 * m_pairs.size() >= m_cells.size()) {
            grow();
            cell = cellOf(pair);
        }
        m_cells[cell] = static_cast<std::uint32_t>(m_pairs.size());
        m_pairs.push_back(pair);
        return m_cells[cell];
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

    /// Where the pair is, or would be; there is always a free cell.
    std::size_t cellOf(std::uint64_t pair) const {
        const std::size_t mask = m_cells.size() - 1;
        auto cell = static_cast<std::size_t>(pair * 0x9e3779b97f4a7c15u >> 32) & mask;  // 2⁶⁴ / golden ratio
        while (m_cells[cell] != kNone && m_pairs[m_cells[cell]] != pair)
            cell = (cell + 1) & mask;
        return cell;
    }
    void grow() {
        m_cells.assign(2 * m_cells.size(), kNone);
        for (std::size_t key = 0; key < m_pairs.size(); ++key)
            m_cells[cellOf(m_pairs[key])] = static_cast<std::uint32_t>(key);
    }

    std::size_t m_names;
    bool m_oneGroup;                                                // a name is its key
    std::vector<std::uint32_t> m_cells = std::vector(1024, kNone);  // keys; a power of two
    std::vector<std::uint64_t> m_pairs;                             // by key
};

}  // namespace warpglass
