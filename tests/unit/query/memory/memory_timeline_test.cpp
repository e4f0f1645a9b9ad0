#include "engine/query/memory/memory_timeline.h"
#include "tests/support/must.h"

#include <gmock/gmock.h>

#include <algorithm>

#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/damaged_snapshot.h"
#include "tests/unit/query/memory_model.h"

namespace warpglass::test::memory_timeline_test {

CategoryBytes only(Category category, std::int64_t bytes) {
    CategoryBytes all{};
    all[static_cast<std::size_t>(category)] = bytes;
    return all;
}

/// What held during [begin, end), by looking at every event.
struct NaiveStretch {
    CategoryBytes atPeak{};
    std::int64_t min = 0, max = 0, peakTime = 0;

    NaiveStretch(const MemoryModel& model, const std::vector<CategoryBytes>& sums, std::int64_t begin,
                 std::int64_t end) {
        bool empty = true;
        const auto hold = [&](std::int64_t time, const CategoryBytes& bytes) {
            const std::int64_t total = sumOf(bytes);
            if (empty || total > max) {
                max = total;
                atPeak = bytes;
                peakTime = time;
            }
            min = empty ? total : std::min(min, total);
            empty = false;
        };
        CategoryBytes before{};
        bool changesAtBegin = false;
        for (std::size_t i = 0; i < sums.size(); ++i) {
            if (model.events()[i].time < begin)
                before = sums[i];
            changesAtBegin |= model.events()[i].time == begin && !model.eventLost(i);
        }
        if (!changesAtBegin)
            hold(begin, before);
        for (std::size_t i = 0; i < sums.size(); ++i) {
            if (begin <= model.events()[i].time && model.events()[i].time < end)
                hold(model.events()[i].time, sums[i]);
        }
    }
};

void expectColumns(const MemoryTimeline& timeline, const MemoryModel& model,
                   const std::vector<CategoryBytes>& sums, TimeRange range, std::size_t width) {
    const std::vector<MemoryColumn> columns = timeline.columns(range, width);
    ASSERT_EQ(columns.size(), width);
    const std::int64_t duration = range.duration().value;
    const auto w = static_cast<std::int64_t>(width);
    for (std::int64_t i = 0; i < w; ++i) {
        const std::int64_t begin = range.begin.value + duration * i / w;
        const std::int64_t end = std::max(begin + 1, range.begin.value + duration * (i + 1) / w);
        const NaiveStretch expected(model, sums, begin, end);
        const MemoryColumn& column = columns[static_cast<std::size_t>(i)];
        ASSERT_EQ(column.atPeak, expected.atPeak) << "column " << i << " of " << width << " from " << begin;
        ASSERT_EQ(column.minTotal, expected.min);
        ASSERT_EQ(column.maxTotal, expected.max);
        ASSERT_EQ(column.peakTime.value, expected.peakTime);
    }
}

/// Compares everything the timeline says with the model, at `probes` random moments and ranges.
void expectAgrees(const MemoryTimeline& timeline, MemoryModel& model, std::size_t probes) {
    const std::vector<CategoryBytes> sums = model.replay();
    ASSERT_EQ(timeline.eventCount(), sums.size());

    const auto naiveAt = [&](std::int64_t t) {
        CategoryBytes bytes{};
        for (std::size_t i = 0; i < sums.size() && model.events()[i].time <= t; ++i)
            bytes = sums[i];
        return bytes;
    };
    std::size_t highest = 0;
    for (std::size_t i = 0; i < sums.size(); ++i) {
        if (sumOf(sums[i]) > sumOf(sums[highest]))
            highest = i;
    }
    ASSERT_TRUE(timeline.peak());
    EXPECT_EQ(timeline.peak()->bytes, sums[highest]);
    EXPECT_EQ(timeline.peak()->time.value, model.events()[highest].time);

    for (std::size_t p = 0; p < probes; ++p) {
        const std::size_t event = model.random(sums.size());
        const MemoryPoint after = timeline.afterEvent(event);
        ASSERT_EQ(after.bytes, sums[event]) << "event " << event;
        ASSERT_EQ(after.time.value, model.events()[event].time);

        const std::int64_t t = model.events()[event].time + static_cast<std::int64_t>(model.random(3)) - 1;
        ASSERT_EQ(timeline.at(Nanoseconds(t)), naiveAt(t)) << "at " << t;
        ASSERT_EQ(timeline.aliveAt(Nanoseconds(t)), model.aliveAt(t)) << "at " << t;

        const std::int64_t u = model.events()[model.random(sums.size())].time;
        const TimeRange range{Nanoseconds(std::min(t, u)), Nanoseconds(std::max(t, u) + 1)};
        const NaiveStretch stretch(model, sums, range.begin.value, range.end.value);
        const auto peak = must(timeline.peakIn(range));
        ASSERT_EQ(peak.bytes, stretch.atPeak);
        ASSERT_EQ(peak.time.value, stretch.peakTime);
    }
}

TEST(MemoryTimeline, isEmptyWithoutSnapshotAndWithoutEvents) {
    MemoryTimeline timeline;
    EXPECT_EQ(timeline.snapshot(), nullptr);
    for (int round = 0; round < 2; ++round) {
        EXPECT_EQ(timeline.eventCount(), 0u);
        EXPECT_EQ(timeline.at(Nanoseconds(5)), CategoryBytes{});
        EXPECT_FALSE(timeline.peak());
        EXPECT_FALSE(timeline.peakIn({Nanoseconds(0), Nanoseconds(10)}));
        EXPECT_TRUE(timeline.aliveAt(Nanoseconds(5)).empty());
        const auto columns = timeline.columns({Nanoseconds(0), Nanoseconds(10)}, 4);
        ASSERT_EQ(columns.size(), 4u);
        EXPECT_EQ(columns[3].maxTotal, 0);
        EXPECT_EQ(columns[3].atPeak, CategoryBytes{});
        timeline.update(traceOf("end 10"));
    }
}

TEST(MemoryTimeline, followsAHandWrittenRun) {
    const MemoryTimeline timeline = timelineOf(traceOf(R"(
        alloc 100 10 weights
        alloc 50 20-30 temporaries
        alloc 70 30-30 activations  # gone within the same nanosecond
        end 40
    )"));
    const AllocationId weights(0), scratch(1);

    EXPECT_EQ(timeline.at(Nanoseconds(9)), CategoryBytes{});
    EXPECT_EQ(timeline.at(Nanoseconds(10)), only(Category::kWeights, 100));
    EXPECT_EQ(sumOf(timeline.at(Nanoseconds(29))), 150);
    EXPECT_EQ(sumOf(timeline.at(Nanoseconds(30))), 100);
    EXPECT_EQ(sumOf(timeline.peak()->bytes), 170) << "a peak shorter than a nanosecond is one";
    EXPECT_EQ(timeline.peak()->time, Nanoseconds(30));
    EXPECT_EQ(sumOf(timeline.peakIn({Nanoseconds(15), Nanoseconds(30)})->bytes), 150);
    EXPECT_EQ(timeline.peakIn({Nanoseconds(25), Nanoseconds(30)})->time, Nanoseconds(25));
    EXPECT_FALSE(timeline.peakIn({Nanoseconds(30), Nanoseconds(30)}));
    EXPECT_EQ(timeline.allocatedAt(scratch), Nanoseconds(20));
    EXPECT_EQ(timeline.freedAt(scratch), Nanoseconds(30));
    EXPECT_EQ(timeline.freedAt(weights), std::nullopt);
    EXPECT_THAT(timeline.aliveAt(Nanoseconds(25)), testing::ElementsAre(weights, scratch));
    EXPECT_THAT(timeline.aliveAt(Nanoseconds(30)), testing::ElementsAre(weights));

    const auto columns = timeline.columns({Nanoseconds(0), Nanoseconds(40)}, 4);
    ASSERT_EQ(columns.size(), 4u);
    EXPECT_EQ(columns[0].maxTotal, 0);
    EXPECT_EQ(columns[1].minTotal, 100);
    EXPECT_EQ(columns[2].minTotal, 150);
    EXPECT_EQ(columns[3].maxTotal, 170);
    EXPECT_EQ(columns[3].minTotal, 100);
}

TEST(MemoryTimeline, agreesWithNaiveReplayAtAnyMomentAndZoom) {
    for (const std::uint64_t seed : {1u, 2u, 3u}) {
        MemoryModel model(seed);
        model.append(9000 + static_cast<std::size_t>(model.random(2000)));
        model.settle();
        const MemoryTimeline timeline = timelineOf(model.commit());
        expectAgrees(timeline, model, 150);
        const std::vector<CategoryBytes> sums = model.replay();
        expectColumns(timeline, model, sums, {Nanoseconds(0), Nanoseconds(model.endTime() + 500)}, 97);
        for (int i = 0; i < 12; ++i) {
            const auto begin =
                static_cast<std::int64_t>(model.random(static_cast<std::uint64_t>(model.endTime())));
            const auto length =
                static_cast<std::int64_t>(1 + model.random(std::uint64_t{1} << model.random(20)));
            expectColumns(timeline, model, sums, {Nanoseconds(begin), Nanoseconds(begin + length)},
                          1 + model.random(40));
        }
    }
}

TEST(MemoryTimeline, agreesWithNaiveReplayOverSeveralChunksAndManyAlive) {
    MemoryModel model(11);
    model.append(150'000, 20'000);
    model.settle();
    const MemoryTimeline timeline = timelineOf(model.commit());
    expectAgrees(timeline, model, 30);
}

TEST(MemoryTimeline, repeatsColumnsOfARangeNarrowerThanItsWidth) {
    MemoryModel model(4);
    model.append(500);
    model.settle();
    const MemoryTimeline timeline = timelineOf(model.commit());
    const std::int64_t begin = model.events()[200].time - 3;
    expectColumns(timeline, model, model.replay(), {Nanoseconds(begin), Nanoseconds(begin + 7)}, 40);
    EXPECT_TRUE(timeline.columns({Nanoseconds(5), Nanoseconds(5)}, 10).empty());
    EXPECT_TRUE(timeline.columns({Nanoseconds(5), Nanoseconds(50)}, 0).empty());
}

TEST(MemoryTimeline, manySmallUpdatesEqualOneWhileTheTailChangesCategories) {
    for (const std::uint64_t seed : {21u, 22u, 23u, 24u}) {
        MemoryModel model(seed);
        MemoryTimeline followed;
        for (int round = 0; round < 60; ++round) {
            model.append(1 + model.random(400));
            model.recategorize();
            if (model.random(4) == 0)
                model.settle();
            if (model.random(3) == 0)
                model.append(model.random(100));
            const auto snapshot = model.commit();
            followed.update(snapshot);
            if (round % 6 == 0)
                expectAgrees(followed, model, 10);
            if (testing::Test::HasFatalFailure())
                FAIL() << "seed " << seed << " round " << round;
        }
        const MemoryTimeline atOnce = timelineOf(model.commit());
        followed.update(model.commit());
        expectAgrees(followed, model, 50);
        const TimeRange range{Nanoseconds(0), Nanoseconds(model.endTime())};
        const auto a = followed.columns(range, 300), b = atOnce.columns(range, 300);
        for (std::size_t i = 0; i < a.size(); ++i)
            ASSERT_EQ(a[i].atPeak, b[i].atPeak);
    }
}

TEST(MemoryTimeline, anEarlierSnapshotOrAnotherRunStartsOver) {
    MemoryModel first(31), second(32);
    first.append(3000);
    first.settle();
    const auto early = first.commit();
    const std::vector<CategoryBytes> earlySums = first.replay();
    first.append(2000);
    const auto late = first.commit();
    second.append(8000);
    second.settle();

    MemoryTimeline timeline;
    timeline.update(late);
    EXPECT_EQ(timeline.eventCount(), 5000u);
    timeline.update(early);
    EXPECT_EQ(timeline.eventCount(), 3000u);
    EXPECT_EQ(timeline.afterEvent(2999).bytes, earlySums.back());
    timeline.update(second.commit());
    expectAgrees(timeline, second, 40);
    timeline.update(nullptr);
    EXPECT_EQ(timeline.eventCount(), 0u);
    EXPECT_EQ(timeline.snapshot(), nullptr);
}

TEST(MemoryTimeline, goesBackToEarlierCategoriesOfTheSameEvents) {
    MemoryModel model(33);
    model.append(3000);
    const auto early = model.commit();
    const std::vector<CategoryBytes> earlySums = model.replay();
    model.recategorize();
    model.settle();
    const auto late = model.commit();
    MemoryTimeline timeline;
    timeline.update(late);
    EXPECT_EQ(timeline.afterEvent(2000).bytes, model.replay()[2000]);
    timeline.update(early);
    for (std::size_t event = 0; event < earlySums.size(); event += 13)
        ASSERT_EQ(timeline.afterEvent(event).bytes, earlySums[event]);
}

TEST(MemoryTimeline, passesOverDamagedChunks) {
    MemoryModel model(41);
    model.append(3 * kChunkRows + 1234, 3000);
    model.settle();
    const auto whole = model.commit();
    const auto chunkLost = [](std::size_t lost) {
        return [lost](std::size_t i) { return i / kChunkRows == lost; };
    };

    for (const std::size_t lost : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
        Damage damage;
        damage.memoryEvents.insert(lost);
        model.eventLost = chunkLost(lost);
        MemoryTimeline timeline;
        timeline.update(mountWithDamage(whole, damage).snapshot);
        const std::vector<CategoryBytes> sums = model.replay();
        ASSERT_EQ(timeline.eventCount(), sums.size());
        for (std::size_t i = 0; i < sums.size(); i += 997) {
            ASSERT_EQ(timeline.afterEvent(i).bytes, sums[i])
                << "event " << i << " with chunk " << lost << " lost";
            ASSERT_THAT(timeline.afterEvent(i).bytes, testing::Each(testing::Ge(0)));
            if (!model.eventLost(i)) {
                const std::int64_t t = model.events()[i].time;
                if (i % (5 * 997) == 0) {
                    ASSERT_EQ(timeline.aliveAt(Nanoseconds(t)), model.aliveAt(t));
                }
            }
        }
        EXPECT_EQ(timeline.columns({Nanoseconds(0), Nanoseconds(model.endTime())}, 700).size(), 700u);
    }

    model.eventLost = [](std::size_t) { return false; };
    model.rowLost = chunkLost(1);
    Damage damage;
    damage.allocations.insert(1);
    const MemoryTimeline timeline = timelineOf(mountWithDamage(whole, damage).snapshot);
    const std::vector<CategoryBytes> sums = model.replay();
    for (std::size_t i = 0; i < sums.size(); i += 997)
        ASSERT_EQ(timeline.afterEvent(i).bytes, sums[i]);
}

}  // namespace warpglass::test::memory_timeline_test
