// The long runs of tests and benchmarks: that they go on as the short one did.
#include "tests/support/repeated_run.h"
#include "tests/support/every_span.h"

#include <gtest/gtest.h>

#include <set>

#include "engine/query/memory/memory_timeline.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/trace_text.h"

namespace warpglass::test::repeated_run_test {

TEST(RepeatedRun, GoesOnStepAfterStepWithItsMemory) {
    const auto run = makeSyntheticRun();
    const auto longer = repeatRun(*run, 10 * run->spanCount());
    EXPECT_GE(longer->spanCount(), 10 * run->spanCount());
    EXPECT_GT(longer->allocationCount(), 5 * run->allocationCount());
    EXPECT_GT(longer->range().duration(), run->range().duration());
    EXPECT_TRUE(longer->losses().empty()) << "no span was refused";

    const SpanLane before = run->lanesOf(run->tracksOfKind(TrackKind::kStep).front()).front();
    const SpanLane after = longer->lanesOf(longer->tracksOfKind(TrackKind::kStep).front()).front();
    ASSERT_GT(after.rows(), before.rows());
    const std::int64_t duration = before.row(before.rows() - 1)->duration;
    for (std::uint64_t i = before.rows(); i < after.rows(); ++i) {
        EXPECT_EQ(after.row(i)->duration, duration);
        EXPECT_EQ(after.row(i)->step, after.row(i - 1)->step + 1);
    }

    // Forward and backward of one turn are joined, those of two are not.
    std::set<std::uint64_t> links;
    std::size_t linked = 0;
    for (const auto& span : everySpan(*longer)) {
        if (span.row.link != 0) {
            links.insert(span.row.link);
            ++linked;
        }
    }
    EXPECT_GT(links.size(), 2 * longer->laneCount());
    EXPECT_LT(links.size(), linked);

    // Memory neither runs away nor runs dry.
    MemoryTimeline short_, long_;
    short_.update(run);
    long_.update(longer);
    ASSERT_TRUE(short_.peak() && long_.peak());
    const auto was = static_cast<double>(sumOf(short_.peak()->bytes));
    EXPECT_NEAR(static_cast<double>(sumOf(long_.peak()->bytes)) / was, 1, 0.2);
}

TEST(RepeatedRun, WithoutAStepIsTheRunAlone) {
    const auto same = repeatRun(*traceOf("end 5"), 1000);
    EXPECT_EQ(same->spanCount(), 0u);
    EXPECT_EQ(same->range().duration(), Nanoseconds(5));
}

}  // namespace warpglass::test::repeated_run_test
