// The Busy lane's sums against the query's and against a look at every moment.
#include "engine/query/activity/gpu_busy.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>
#include <random>

#include "engine/query/spans/span_scan.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::gpu_busy_test {

using Part = GpuBusy::Part;

/// Two GPUs, three steps of which the first warms up, work before, within and after them.
std::shared_ptr<const Snapshot> runByHand() {
    return traceOf(R"(
        info config.warmup 1
        kernel k 100-200
        step 0 1000-2000
          launch 1010-1020 | kernel k 1100-1900
        step 1 2000-3000
          launch 2010-2020 | kernel k 2100-2500 ; copy k 2000-2100 gpu 1
          launch 2030-2040 | kernel k 2600-2900
        step 2 3000-4000
          launch 3010-3020 | kernel k 3300-3400
        kernel k 4500-4600
        end 5000
    )");
}

TEST(GpuBusy, SaysWhatEachMomentIs) {
    const auto run = runByHand();
    EXPECT_EQ(gpusOf(*run), (std::vector<std::string>{"GPU 0", "GPU 1"}));
    const GpuBusy busy(*run, "GPU 0");
    const auto part = [&](std::int64_t moment) { return busy.at(moment)->part; };
    EXPECT_EQ(part(50), Part::kOutside);
    EXPECT_EQ(part(150), Part::kBusy);
    EXPECT_EQ(part(999), Part::kOutside);
    EXPECT_EQ(part(1050), Part::kHostLate) << "the warm-up is judged too";
    EXPECT_EQ(part(2099), Part::kHostLate);
    EXPECT_EQ(part(2550), Part::kGap) << "launched while the GPU was busy";
    EXPECT_EQ(busy.at(2550)->begin, 2500);
    EXPECT_EQ(busy.at(2550)->end, 2600);
    EXPECT_EQ(run->name(busy.at(2550)->next), "k");
    EXPECT_EQ(part(2950), Part::kHostLate);
    EXPECT_FALSE(busy.at(2950)->next.valid());
    EXPECT_EQ(part(4200), Part::kOutside);
    EXPECT_EQ(part(4550), Part::kBusy);
    EXPECT_FALSE(busy.at(5000));
    EXPECT_FALSE(busy.at(-1));
    // The other GPU waits while this one works.
    EXPECT_EQ(GpuBusy(*run, "GPU 1").at(2300)->part, Part::kHostLate);
    EXPECT_EQ(GpuBusy(*run, "GPU 1").at(2050)->part, Part::kBusy);
    EXPECT_EQ(GpuBusy(*run).at(2050)->part, Part::kBusy) << "of both";
}

TEST(GpuBusy, SumsAreThoseOfItsMoments) {
    const auto run = runByHand();
    for (const char* gpu : {"", "GPU 0", "GPU 1"}) {
        const GpuBusy busy(*run, gpu);
        std::mt19937_64 random(1);
        for (int round = 0; round < 200; ++round) {
            const auto begin = static_cast<std::int64_t>(random() % 5000);
            const auto end = begin + static_cast<std::int64_t>(random() % 2000);
            GpuBusy::Times expected{};
            for (std::int64_t t = begin; t < end; ++t) {
                if (const auto at = busy.at(t))
                    ++expected[static_cast<std::size_t>(at->part)];
            }
            ASSERT_EQ(busy.timesIn(begin, end), expected) << begin << " " << end;
        }
    }
}

TEST(GpuBusy, AgreesWithTheQueryToTheNanosecond) {
    for (const char* name : {"small-bf16-flash", "small-bf16-naive", "small-bf16-graph", "small-fp32-naive",
                             "small-no-warmup", "xl-bf16-forward", "xl-bf16-step"}) {
        const auto opened = openSampleRun(name);
        const Snapshot& run = *opened;
        const GpuBusy busy(run);
        const GpuTimeUse use = gpuTimeUse(run);
        GpuBusy::Times sum{};
        for (const StepSpan& step : averagedSteps(run)) {
            const GpuBusy::Times times = busy.timesIn(step.range.begin.value, step.range.end.value);
            for (std::size_t part = 0; part < sum.size(); ++part)
                sum[part] += times[part];
        }
        EXPECT_GT(use.busy.value, 0) << name;
        EXPECT_EQ(sum[0], use.busy.value) << name;
        for (std::size_t cause = 0; cause < use.idle.size(); ++cause)
            EXPECT_EQ(sum[1 + cause], use.idle[cause].value) << name << " " << kIdleCauseNames[cause];
        EXPECT_EQ(sum[static_cast<std::size_t>(Part::kOutside)], 0) << name;
        const GpuBusy::Times all = busy.timesIn(0, run.range().end.value);
        EXPECT_EQ(std::accumulate(all.begin(), all.end(), std::int64_t{0}), run.range().end.value) << name;
    }
}

TEST(GpuBusy, TimesBetweenManyEdgesAreThoseOfEachStretchCutAtThem) {
    const auto run = openSampleRun("small-bf16-flash");
    const GpuBusy busy(*run);
    const std::int64_t end = run->range().end.value;
    ASSERT_GT(busy.idle().size(), 1000u) << "enough for columns with many of them";
    std::mt19937_64 random(2);
    // From a few columns over the whole run to thousands in a part of it; some empty, some outside.
    for (const std::size_t columns : {1u, 3u, 50u, 1500u}) {
        for (const std::int64_t width : {end / 2, end / 50, std::int64_t{20'000}, std::int64_t{40}}) {
            const std::int64_t begin =
                static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(end)) - width / 4;
            std::vector<std::int64_t> edges{begin};
            while (edges.size() <= columns)
                edges.push_back(begin +
                                static_cast<std::int64_t>(random() % static_cast<std::uint64_t>(width)));
            std::ranges::sort(edges);
            std::vector<GpuBusy::Times> times(columns);
            busy.timesBetween(edges, times);
            for (std::size_t i = 0; i < columns; ++i) {
                const auto from = std::clamp<std::int64_t>(edges[i], 0, end);
                const auto to = std::clamp<std::int64_t>(edges[i + 1], 0, end);
                GpuBusy::Times expected{to - from};
                for (const GpuBusy::Stretch& idle : busy.idle()) {
                    const std::int64_t within = std::min(idle.end, to) - std::max(idle.begin, from);
                    expected[static_cast<std::size_t>(idle.part)] += std::max<std::int64_t>(0, within);
                    expected[0] -= std::max<std::int64_t>(0, within);
                }
                ASSERT_EQ(times[i], expected) << columns << " columns of " << width << " ns, " << i;
            }
        }
    }
}

TEST(GpuBusy, NextAndPreviousIdleAreThoseWithinTheSteps) {
    const auto run = runByHand();
    const GpuBusy busy(*run, "GPU 0");
    for (std::int64_t t = -10; t < run->range().end.value + 10; ++t) {
        std::optional<GpuBusy::Stretch> next, previous;
        for (const GpuBusy::Stretch& idle : busy.idle()) {
            if (idle.part == Part::kOutside)
                continue;
            if (!next && idle.begin >= t)
                next = idle;
            if (idle.end <= t)
                previous = idle;
        }
        ASSERT_EQ(busy.nextIdle(t), next) << t;
        ASSERT_EQ(busy.previousIdle(t), previous) << t;
    }
    EXPECT_TRUE(busy.has(Part::kHostLate));
    EXPECT_FALSE(GpuBusy().has(Part::kBusy));
}

TEST(GpuBusy, OfNothingIsNothing) {
    EXPECT_FALSE(GpuBusy().at(0));
    EXPECT_EQ(GpuBusy().timesIn(0, 100), GpuBusy::Times{});
}

}  // namespace warpglass::test::gpu_busy_test
