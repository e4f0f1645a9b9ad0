#include "engine/io/chunk_order.h"

#include <algorithm>
#include <span>
#include <tuple>
#include <utility>

namespace warpglass::run_file {

namespace {

/// A damaged file may lose chunks amidst others, yet not have one chunk claim to be the ten-thousandth.
constexpr std::uint64_t kMaxGapsBesides = 64;

/// Orders chunks, and a series among them, by kind and lane.
struct SeriesOrder {
    using Series = std::pair<ChunkKind, std::uint32_t>;
    static Series of(const ChunkEntry* entry) { return {entry->header.kind, entry->header.lane}; }
    bool operator()(const ChunkEntry* a, const Series& b) const { return of(a) < b; }
    bool operator()(const Series& a, const ChunkEntry* b) const { return a < of(b); }
};

std::uint64_t rowsOf(const std::vector<ChunkEntry*>& chunks) {
    return chunks.empty() ? 0 : (chunks.size() - 1) * std::uint64_t{kChunkRows} + chunks.back()->header.rows;
}

}  // namespace

ChunkOrder::ChunkOrder(std::vector<ChunkEntry>& chunks, std::size_t inFile,
                       std::function<bool(const ChunkEntry&)> isSound)
    : m_isSound(std::move(isSound)), m_gapsLeft(kMaxGapsBesides + inFile) {
    for (ChunkEntry& entry : chunks)
        m_byPlace.push_back(&entry);
    std::ranges::stable_sort(m_byPlace, [](const ChunkEntry* a, const ChunkEntry* b) {
        return std::tie(a->header.kind, a->header.lane, a->header.chunk) <
               std::tie(b->header.kind, b->header.lane, b->header.chunk);
    });
}

ChunkSeries ChunkOrder::series(ChunkKind kind, std::uint32_t lane,
                               std::optional<std::uint64_t> expectedRows) {
    const auto [first, last] =
        std::equal_range(m_byPlace.begin(), m_byPlace.end(), std::pair(kind, lane), SeriesOrder());
    const std::span<ChunkEntry* const> found(first, last);
    ChunkSeries series;
    const ChunkEntry* before = nullptr;
    for (std::size_t i = 0; i < found.size(); ++i) {
        const ChunkHeader& header = found[i]->header;
        const std::uint64_t lastRow = header.chunk * std::uint64_t{kChunkRows} + header.rows;
        const bool isLast = i + 1 == found.size();
        // Only a header that is at odds with something makes its chunk worth decoding before it is looked at.
        const bool duplicate = before && before->header.chunk == header.chunk;
        const bool early = before && header.begin < before->header.end && kind != ChunkKind::kCounters;
        const bool beyond = expectedRows && lastRow > *expectedRows;
        const bool cut = !isLast && header.rows < kChunkRows;
        const std::uint64_t gap = header.chunk - std::min<std::uint64_t>(header.chunk, series.chunks.size());
        if (cut || duplicate || gap > m_gapsLeft || ((early || beyond) && !m_isSound(*found[i])))
            continue;
        if (early) {
            // This one is sound, so the one before states a wrong end; if not, they overlap and one must go.
            if (m_isSound(*before))
                continue;
            series.chunks.back() = nullptr;
        }
        m_gapsLeft -= gap;
        series.chunks.resize(header.chunk, nullptr);
        series.chunks.push_back(found[i]);
        before = found[i];
    }
    series.rows = rowsOf(series.chunks);
    for (std::size_t i = 0; i < series.chunks.size(); ++i)
        series.amidstRows += series.chunks[i] ? 0 : kChunkRows;
    series.lostRows = series.amidstRows;
    if (expectedRows && *expectedRows > series.rows)
        series.lostRows += *expectedRows - series.rows;
    return series;
}

}  // namespace warpglass::run_file
