// Which spans of the tracks of ops, kernels and copies meet a filter's conditions on place and name, and
// which calls into CUDA those on place: how many of a stretch of a lane's rows, in constant time, for views
// in which a block stands for many of them.
//
// Made in one walk over those tracks, 1.1 bits a row kept. Immutable; any thread. Spans of a damaged chunk
// meet no condition.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "engine/trace/snapshot.h"

namespace warpglass {

/// All must hold; a default one takes everything.
struct RowConditions {
    std::optional<Phase> phase;
    /// A dotted path: itself and what is under it.
    std::string module;
    /// Exactly the span's name, or that of the op that launched it; and a text in one of the two or in the
    /// path of its module, letters of either case alike (text_match.h).
    std::string name, text;
    /// For what ran on a GPU: also restricted to this module and part.
    std::string gpuModule, gpuPart;

    bool any() const;
    bool operator==(const RowConditions&) const = default;
};

class PassingRows {
public:
    PassingRows(const Snapshot& snapshot, RowConditions conditions);

    const RowConditions& conditions() const { return m_conditions; }
    /// How many of rows [first, first + count) pass. Nothing if that is unknown: on other tracks, and for
    /// rows that the snapshot did not have.
    std::optional<std::uint64_t> count(LaneId lane, std::uint64_t first, std::uint64_t count) const;
    /// The first row from `row` on that passes or of which that is unknown; the lane's rows for none.
    std::uint64_t next(LaneId lane, std::uint64_t row) const;

private:
    /// One bit per row, and how many are set before each block of rows.
    class RowSet {
    public:
        explicit RowSet(std::uint64_t rows) : m_rows(rows), m_words(rows / 64 + 1) {}
        void insert(std::uint64_t row) { m_words[row / 64] |= std::uint64_t{1} << row % 64; }
        void countBlocks();
        std::uint64_t rows() const { return m_rows; }
        /// Set before `row`; at most rows().
        std::uint64_t before(std::uint64_t row) const;
        /// The first one set from `row` on, or the first beyond rows().
        std::uint64_t next(std::uint64_t row) const;

    private:
        static constexpr std::uint64_t kWordsPerBlock = 8;
        std::uint64_t m_rows;
        std::vector<std::uint64_t> m_words;
        std::vector<std::uint64_t> m_before;
    };

    void add(const Snapshot& snapshot, TrackKind kind);

    RowConditions m_conditions;
    std::map<std::size_t, RowSet> m_lanes;  // by LaneId::index()
};

}  // namespace warpglass
