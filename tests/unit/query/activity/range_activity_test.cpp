#include "engine/query/activity/range_activity.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "engine/query/activity/activity_curve.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/gpu_run_by_chance.h"

namespace warpglass::test::range_activity_test {

/// Merged by sorting.
std::int64_t coverageOf(const std::vector<FoundSpan>& spans, TimeRange range) {
    std::vector<std::pair<std::int64_t, std::int64_t>> parts;
    for (const FoundSpan& s : spans) {
        const std::int64_t from = std::max(s.row.start, range.begin.value);
        const std::int64_t to = std::min(s.row.end(), range.end.value);
        if (to > from)
            parts.emplace_back(from, to);
    }
    std::ranges::sort(parts);
    std::int64_t sum = 0, until = range.begin.value;
    for (const auto& [from, to] : parts) {
        sum += std::max<std::int64_t>(0, to - std::max(from, until));
        until = std::max(until, to);
    }
    return sum;
}

TEST(RangeActivity, IsWhatAddingUpEverySpanGives) {
    std::mt19937_64 random(11);
    for (std::uint64_t seed = 1; seed <= 8; ++seed) {
        const auto snapshot = gpuRunByChance({.seed = seed, .streams = 3});
        const auto kernels = spansOfKind(*snapshot, TrackKind::kGpuStream);
        const auto copies = spansOfKind(*snapshot, TrackKind::kGpuCopies);
        const auto ops = spansOfKind(*snapshot, TrackKind::kCpuThread);
        std::vector<FoundSpan> gpu = kernels, host;
        gpu.insert(gpu.end(), copies.begin(), copies.end());
        std::copy_if(ops.begin(), ops.end(), std::back_inserter(host),
                     [](const FoundSpan& s) { return s.depth == 0; });
        const auto end = static_cast<std::uint64_t>(snapshot->range().end.value);
        for (int i = 0; i < 40; ++i) {
            auto a = static_cast<std::int64_t>(random() % end), b = static_cast<std::int64_t>(random() % end);
            const TimeRange range{Nanoseconds(std::min(a, b)), Nanoseconds(std::max(a, b))};
            const RangeActivity activity = rangeActivity(*snapshot, range);
            const auto begins = [&](const std::vector<FoundSpan>& spans) {
                return static_cast<std::uint64_t>(std::ranges::count_if(spans, [&](const FoundSpan& s) {
                    return s.row.start >= range.begin.value && s.row.start < range.end.value;
                }));
            };
            EXPECT_TRUE(activity.hasGpu);
            EXPECT_EQ(activity.ops, begins(ops));
            EXPECT_EQ(activity.kernels, begins(kernels));
            EXPECT_EQ(activity.copies + activity.fills, begins(copies));
            EXPECT_EQ(activity.gpuBusy.value, coverageOf(gpu, range));
            EXPECT_EQ(activity.hostBusy.value, coverageOf(host, range));
            EXPECT_EQ(activity.hostWaited.value,
                      coverageOf(spansOfKind(*snapshot, TrackKind::kGpuSync), range));
            std::int64_t bytes = 0, filledBytes = 0;
            std::uint64_t fills = 0;
            for (const FoundSpan& s : copies) {
                const auto detail = snapshot->detail(s.row.detail);
                if (s.row.start < range.begin.value || s.row.start >= range.end.value)
                    continue;
                const bool fill = detail->kind == DetailKind::kFill;
                (fill ? filledBytes : bytes) += detail->bytes;
                fills += fill ? 1 : 0;
            }
            EXPECT_EQ(activity.fills, fills);
            EXPECT_EQ(activity.filledBytes, filledBytes);
            EXPECT_EQ(activity.copiedBytes[static_cast<std::size_t>(CopyKind::kHostToDevice)], bytes);
        }
    }
}

TEST(RangeActivity, OfARunOnTheCpuHasNoGpu) {
    const auto snapshot = makeSyntheticRun();
    const RangeActivity activity = rangeActivity(*snapshot, snapshot->range());
    EXPECT_FALSE(activity.hasGpu);
    EXPECT_EQ(activity.gpuBusy.value, 0);
    EXPECT_EQ(activity.ops, spansOfKind(*snapshot, TrackKind::kCpuThread).size());
    EXPECT_GT(activity.hostBusy.value, 0);
    EXPECT_LE(activity.hostBusy, snapshot->range().duration());
}

TEST(RangeActivity, OfManyChunksIsTheSumOfItsParts) {
    const auto snapshot = makeManySpans(300'000, 2);
    const TimeRange whole = snapshot->range();
    const RangeActivity all = rangeActivity(*snapshot, whole);
    std::uint64_t ops = 0;
    std::int64_t busy = 0;
    for (int i = 0; i < 10; ++i) {
        const auto at = [&](int part) { return Nanoseconds(whole.duration().value / 10 * part); };
        const RangeActivity part = rangeActivity(*snapshot, {at(i), i == 9 ? whole.end : at(i + 1)});
        ops += part.ops;
        busy += part.hostBusy.value;
    }
    EXPECT_EQ(ops, all.ops);
    EXPECT_EQ(busy, all.hostBusy.value);
}

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

}  // namespace warpglass::test::range_activity_test
