#include "engine/query/links/link_index.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "engine/trace/trace_writer.h"
#include "tests/support/synthetic_trace.h"
#include "tests/unit/query/gpu_run_by_chance.h"

namespace warpglass::test::link_index_test {

TEST(LinkIndex, FindsEveryIdWhateverTheirOrder) {
    for (const bool strange : {false, true}) {
        for (std::uint64_t seed = 1; seed <= 8; ++seed) {
            const auto snapshot = gpuRunByChance({.seed = seed, .opsPerThread = 120, .strangeIds = strange});
            LinkIndex index;
            EXPECT_FALSE(index.covers(*snapshot));
            index.update(*snapshot);
            EXPECT_TRUE(index.covers(*snapshot));
            std::map<std::uint64_t, std::vector<SpanRef>> calls, work, waits;
            for (const FoundSpan& s : spansOfKind(*snapshot, TrackKind::kApiThread))
                calls[s.row.link].push_back(s.ref);
            for (const TrackKind kind : {TrackKind::kGpuStream, TrackKind::kGpuCopies}) {
                for (const FoundSpan& s : spansOfKind(*snapshot, kind))
                    work[s.row.link].push_back(s.ref);
            }
            for (const FoundSpan& s : spansOfKind(*snapshot, TrackKind::kGpuSync))
                waits[s.row.link].push_back(s.ref);
            const auto isOneOf = [](const std::optional<SpanRef>& found, const std::vector<SpanRef>& all) {
                return found ? std::ranges::find(all, *found) != all.end() : all.empty();
            };
            std::vector<std::uint64_t> ids{0, 1, UINT64_MAX};
            for (const auto& [id, refs] : work)
                ids.push_back(id);
            for (const auto& [id, refs] : calls)
                ids.push_back(id);
            for (const std::uint64_t id : ids) {
                EXPECT_TRUE(isOneOf(index.call(*snapshot, id), calls[id])) << id;
                EXPECT_TRUE(isOneOf(index.wait(*snapshot, id), waits[id])) << id;
                const std::vector<SpanRef> found = index.work(*snapshot, id, 1000);
                EXPECT_TRUE(
                    std::is_permutation(found.begin(), found.end(), work[id].begin(), work[id].end()));
                EXPECT_EQ(index.work(*snapshot, id, 1).size(), std::min<std::size_t>(1, work[id].size()));
            }
        }
    }
}

TEST(LinkIndex, GrowsWithARunAcrossChunks) {
    TraceWriter writer;
    const TrackId calls = writer.addTrack(TrackKind::kApiThread, "CUDA calls · main");
    const NameId name = writer.internName("cuLaunchKernel");
    LinkIndex index;
    std::uint64_t state = 7;
    std::uint64_t rows = 0;
    while (rows < 3 * kChunkRows) {
        const std::uint64_t until = rows + 1 + nextRandom(state) % 40'000;
        for (; rows < until; ++rows) {
            SpanRow row{.start = static_cast<std::int64_t>(rows) * 10};
            row.duration = row.self = 5;
            row.name = name;
            row.link = 2 * rows + 2;  // even ids only
            writer.appendSpan(calls, 0, row);
        }
        writer.commit(Nanoseconds(static_cast<std::int64_t>(rows) * 10));
        const auto snapshot = writer.feed()->latest();
        index.update(*snapshot);
        EXPECT_TRUE(index.covers(*snapshot));
        for (const std::uint64_t row : {std::uint64_t{0}, rows / 2, rows - 1}) {
            EXPECT_EQ(index.call(*snapshot, 2 * row + 2), (SpanRef{snapshot->lanesOf(calls)[0].id(), row}));
            EXPECT_FALSE(index.call(*snapshot, 2 * row + 3));
        }
        EXPECT_FALSE(index.call(*snapshot, 2 * rows + 2));
    }
}

}  // namespace warpglass::test::link_index_test
