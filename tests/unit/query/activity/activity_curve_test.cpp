#include "engine/query/activity/activity_curve.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "tests/support/synthetic_trace.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/gpu_run_by_chance.h"

namespace warpglass::test::activity_curve_test {

/// Each column's overlap with every span.
std::vector<double> slowly(const std::vector<FoundSpan>& spans, TimeRange range, std::size_t columns) {
    std::vector<double> shares(columns);
    const double width = static_cast<double>(range.duration().value) / static_cast<double>(columns);
    for (std::size_t c = 0; c < columns; ++c) {
        const double left = static_cast<double>(range.begin.value) + static_cast<double>(c) * width;
        for (const FoundSpan& s : spans)
            shares[c] += std::max(0.0, std::min(static_cast<double>(s.row.end()), left + width) -
                                           std::max(static_cast<double>(s.row.start), left));
        shares[c] = std::min(1.0, shares[c] / width);
    }
    return shares;
}

TEST(ActivityCurve, OfTheGpuIsEverySpansOverlap) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
        const auto snapshot = gpuRunByChance({.seed = seed, .streams = 3});
        auto spans = spansOfKind(*snapshot, TrackKind::kGpuStream);
        for (const FoundSpan& s : spansOfKind(*snapshot, TrackKind::kGpuCopies))
            spans.push_back(s);
        const std::int64_t end = snapshot->range().end.value;
        for (const TimeRange range :
             {snapshot->range(), TimeRange{Nanoseconds(end / 3), Nanoseconds(end / 2)}}) {
            for (const std::size_t columns : {1u, 7u, 300u}) {
                const ActivityCurve curve = activityCurve(*snapshot, range, columns);
                EXPECT_TRUE(curve.ofGpu);
                const std::vector<double> expected = slowly(spans, range, columns);
                ASSERT_EQ(curve.share.size(), columns);
                for (std::size_t c = 0; c < columns; ++c)
                    EXPECT_NEAR(static_cast<double>(curve.share[c]), expected[c], 1e-4);
            }
        }
    }
}

TEST(ActivityCurve, OfManySpansComesFromTheMipMapAndMovesLittle) {
    const auto snapshot = makeManySpans(400'000, 1);
    const TimeRange range = snapshot->range();
    constexpr std::size_t kColumns = 100;
    const ActivityCurve curve = activityCurve(*snapshot, range, kColumns);
    EXPECT_FALSE(curve.ofGpu);
    const std::vector<double> expected =
        slowly(spansOfKind(*snapshot, TrackKind::kCpuThread), range, kColumns);
    // A column has 4,000 spans, and a block of 64 lies over each of its edges.
    for (std::size_t c = 0; c < kColumns; ++c)
        EXPECT_NEAR(static_cast<double>(curve.share[c]), expected[c], 2.0 * 64 / 4000);
    const double sum = std::accumulate(curve.share.begin(), curve.share.end(), 0.0);
    EXPECT_NEAR(sum, std::accumulate(expected.begin(), expected.end(), 0.0), 1e-2);
}

TEST(ActivityCurve, OfNothingIsZero) {
    const ActivityCurve curve = activityCurve(*traceOf("end 100"), {Nanoseconds(0), Nanoseconds(100)}, 4);
    EXPECT_EQ(curve.share, (std::vector<float>{0, 0, 0, 0}));
    EXPECT_EQ(activityCurve(*traceOf("end 100"), {}, 0).share.size(), 1u);
}

}  // namespace warpglass::test::activity_curve_test
