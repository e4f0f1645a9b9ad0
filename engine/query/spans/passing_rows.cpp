#include "engine/query/spans/passing_rows.h"

#include <algorithm>
#include <bit>
#include <utility>

#include "engine/query/spans/filtered_spans.h"
#include "engine/query/spans/module_group.h"
#include "engine/query/spans/text_match.h"

namespace warpglass {

namespace {

std::vector<bool> placesWithin(const Snapshot& snapshot, const std::string& module, const std::string& part) {
    std::vector<bool> within(snapshot.placeCount());
    for (std::size_t i = 0; i < within.size(); ++i) {
        const Place place = snapshot.place(PlaceId(i));
        within[i] = isWithin(snapshot.name(place.module), module) &&
                    (part.empty() || snapshot.name(place.part) == part);
    }
    return within;
}

bool at(const std::vector<bool>& flags, std::uint32_t id) {
    return id < flags.size() && flags[id];
}

}  // namespace

bool RowConditions::any() const {
    return phase || !module.empty() || !name.empty() || !text.empty() || !gpuModule.empty();
}

void PassingRows::RowSet::countBlocks() {
    m_before.assign(m_words.size() / kWordsPerBlock + 1, 0);
    std::uint64_t sum = 0;
    for (std::size_t word = 0; word < m_words.size(); ++word) {
        if (word % kWordsPerBlock == 0)
            m_before[word / kWordsPerBlock] = sum;
        sum += static_cast<std::uint64_t>(std::popcount(m_words[word]));
    }
}

std::uint64_t PassingRows::RowSet::before(std::uint64_t row) const {
    const std::uint64_t word = row / 64;
    std::uint64_t sum = m_before[word / kWordsPerBlock];
    for (std::uint64_t i = word / kWordsPerBlock * kWordsPerBlock; i < word; ++i)
        sum += static_cast<std::uint64_t>(std::popcount(m_words[i]));
    const std::uint64_t mask = (std::uint64_t{1} << row % 64) - 1;
    return sum + static_cast<std::uint64_t>(std::popcount(m_words[word] & mask));
}

std::uint64_t PassingRows::RowSet::next(std::uint64_t row) const {
    const std::uint64_t end = std::max(row, m_rows);
    while (row < m_rows) {
        std::uint64_t word = row / 64;
        if (const std::uint64_t from = m_words[word] >> row % 64)
            return row + static_cast<std::uint64_t>(std::countr_zero(from));
        ++word;
        // Over blocks of which none is set.
        while (word % kWordsPerBlock == 0 && word + kWordsPerBlock < m_words.size() &&
               m_before[word / kWordsPerBlock] == m_before[word / kWordsPerBlock + 1])
            word += kWordsPerBlock;
        row = word * 64;
    }
    return end;
}

PassingRows::PassingRows(const Snapshot& snapshot, RowConditions conditions)
    : m_conditions(std::move(conditions)) {
    for (const TrackKind kind :
         {TrackKind::kCpuThread, TrackKind::kGpuStream, TrackKind::kGpuCopies, TrackKind::kApiThread})
        add(snapshot, kind);
}

void PassingRows::add(const Snapshot& snapshot, TrackKind kind) {
    for (const SpanLane& lane : lanesOfKind(snapshot, kind))
        m_lanes.try_emplace(lane.id().index(), lane.rows());
    SpanFilter filter;
    filter.phase = m_conditions.phase;
    filter.modulePath = m_conditions.module;
    const bool named = kind != TrackKind::kApiThread;
    if (named)
        filter.name = m_conditions.name;
    const bool placed = isGpuTrack(kind) && !m_conditions.gpuModule.empty();
    const RowTextMatch text(snapshot, kind, named ? m_conditions.text : std::string());
    const auto places =
        placed ? placesWithin(snapshot, m_conditions.gpuModule, m_conditions.gpuPart) : std::vector<bool>();
    RowSet* rows = nullptr;  // of the lane that is walked
    std::optional<LaneId> walked;
    FilteredSpans(snapshot, filter, kind)
        .forEach([&](const SpanLane& lane, const SpanChunk& chunk, std::uint32_t i, std::uint64_t row) {
            if (walked != lane.id()) {
                walked = lane.id();
                rows = &m_lanes.at(lane.id().index());
            }
            if (text.passes(chunk, i) && (!placed || at(places, chunk.place[i])))
                rows->insert(row);
        });
    for (const SpanLane& lane : lanesOfKind(snapshot, kind))
        m_lanes.at(lane.id().index()).countBlocks();
}

std::optional<std::uint64_t> PassingRows::count(LaneId lane, std::uint64_t first, std::uint64_t count) const {
    const auto found = m_lanes.find(lane.index());
    if (found == m_lanes.end() || first > found->second.rows() || count > found->second.rows() - first)
        return std::nullopt;
    return found->second.before(first + count) - found->second.before(first);
}

std::uint64_t PassingRows::next(LaneId lane, std::uint64_t row) const {
    const auto found = m_lanes.find(lane.index());
    return found == m_lanes.end() ? row : found->second.next(row);
}

}  // namespace warpglass
