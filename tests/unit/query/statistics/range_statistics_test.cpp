#include <gmock/gmock.h>

#include <algorithm>
#include <set>

#include "engine/query/spans/range_keys.h"
#include "engine/query/spans/span_scan.h"
#include "engine/query/statistics/statistics.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::range_statistics_test {

using testing::ElementsAre;

bool isRange(const NaiveSpan& span) {
    return span.kind != TrackKind::kCpuThread;
}

/// Time of the counted spans of a kind that lie in no other one of their track: every pair is looked at.
std::int64_t outermostTime(const std::vector<NaiveSpan>& counted, TrackKind kind) {
    std::int64_t time = 0;
    for (const NaiveSpan& span : counted) {
        if (span.kind != kind)
            continue;
        const bool nested = std::ranges::any_of(counted, [&](const NaiveSpan& outer) {
            return outer.track == span.track && outer.depth < span.depth &&
                   outer.row.start <= span.row.start && span.row.end() <= outer.row.end();
        });
        time += nested ? 0 : span.row.duration;
    }
    return time;
}

TEST(RangeStatistics, agreesWithTheObviousWayForEveryFilter) {
    for (const std::uint64_t seed : {1u, 2u}) {
        const RandomRun run({.seed = seed});
        const Snapshot& snapshot = *run.snapshot();
        for (const SpanFilter& filter : variedFilters(snapshot)) {
            std::vector<NaiveSpan> counted;
            for (NaiveSpan& span : allSpans(snapshot)) {
                if (isRange(span) && passes(snapshot, filter, span))
                    counted.push_back(std::move(span));
            }
            std::map<std::string, TrackKind> kinds;
            for (const NaiveSpan& span : counted)
                kinds[span.name] = span.kind;
            const auto expected = naiveStatistics(counted);
            const auto rows = rangeStatistics(snapshot, filter);
            ASSERT_EQ(rows.size(), expected.size());
            for (std::size_t i = 0; i < rows.size(); ++i) {
                ASSERT_TRUE(expected.contains(rows[i].name)) << rows[i].name;
                expectSameFigures(rows[i], expected.at(rows[i].name));
                const bool part = rows[i].name.find('/') != std::string::npos;
                EXPECT_EQ(rows[i].kind,
                          part ? "part" : kTrackKindNames[static_cast<std::size_t>(kinds[rows[i].name])]);
                const std::int64_t whole = outermostTime(counted, kinds[rows[i].name]);
                EXPECT_DOUBLE_EQ(rows[i].timeShare,
                                 static_cast<double>(rows[i].total.value) / static_cast<double>(whole))
                    << rows[i].name;
                if (i > 0) {
                    EXPECT_GE(rows[i - 1].total, rows[i].total);
                }
            }
        }
    }
}

TEST(RangeStatistics, namesStepsPhasesModulesAndParts) {
    const RandomRun run({.steps = 3});
    std::set<std::string> names;
    for (const StatisticsRow& row : rangeStatistics(*run.snapshot(), {}))
        names.insert(row.name);
    for (const char* name :
         {"step", "setup", "forward", "zero-grad", "embed", "blocks.10.attn", "blocks.1.attn/scores"})
        EXPECT_TRUE(names.contains(name)) << name;
    EXPECT_FALSE(names.contains("step 0"));
    EXPECT_FALSE(names.contains("scores"));
}

TEST(RangeStatistics, knowsAPhaseAndAModuleByNameWhereThePlaceSaysNothing) {
    const auto snapshot = traceOf("forward 0-10 place none ; module blocks.1 0-8 place none");
    SpanFilter filter{.phase = Phase::kForward};
    ASSERT_EQ(rangeStatistics(*snapshot, filter).size(), 1u);
    filter.phase.reset();
    filter.modulePath = "blocks";
    ASSERT_EQ(rangeStatistics(*snapshot, filter).size(), 1u);
    EXPECT_EQ(rangeStatistics(*snapshot, filter)[0].name, "blocks.1");
}

/// Steps of these durations, each with a forward phase of half the time.
std::shared_ptr<const Snapshot> stepsLasting(const std::vector<std::int64_t>& durations,
                                             const std::string& warmup, const std::string& state,
                                             const std::string& completed = {}) {
    std::string text = filled("info config.warmup % state %\nsetup 0-7\n", warmup, state);
    if (!completed.empty())
        text += "info steps.completed " + completed + "\n";
    std::int64_t t = 10;
    for (std::size_t i = 0; i < durations.size(); t += durations[i++] + 1)
        text += filled("step % %-% | forward %-%\n", i, t, t + durations[i], t, t + durations[i] / 2);
    return traceOf(text);
}

TEST(PhaseStatistics, averagesTheMeasuredSteps) {
    const auto rows = phaseStatistics(*stepsLasting({900, 100, 120, 140}, "1", "finished"));
    ASSERT_EQ(rows.size(), 3u);
    EXPECT_EQ(rows[0].name, "setup");
    EXPECT_EQ(rows[0].total, Nanoseconds(7));
    EXPECT_EQ(rows[0].timeShare, 0);
    EXPECT_EQ(rows[1].name, "forward");
    EXPECT_EQ(rows[1].instances, 3);
    EXPECT_DOUBLE_EQ(rows[1].average, 60);
    EXPECT_DOUBLE_EQ(rows[1].standardDeviation, 10);
    EXPECT_DOUBLE_EQ(rows[1].timeShare, 0.5);
    EXPECT_EQ(rows[2].name, "step");
    EXPECT_DOUBLE_EQ(rows[2].average, 120);
    EXPECT_DOUBLE_EQ(rows[2].standardDeviation, 20);
    EXPECT_DOUBLE_EQ(rows[2].timeShare, 1);
}

TEST(PhaseStatistics, takesWarmUpStepsWhereNoneIsMeasuredAndDropsAStepCutOff) {
    EXPECT_DOUBLE_EQ(phaseStatistics(*stepsLasting({100, 200}, "5", "finished")).back().average, 150);
    EXPECT_DOUBLE_EQ(phaseStatistics(*stepsLasting({900, 100, 120, 3}, "1", "stopped")).back().average, 110);
    EXPECT_DOUBLE_EQ(phaseStatistics(*stepsLasting({900, 100, 120, 140}, "1", "stopped", "4")).back().average,
                     120);
    EXPECT_DOUBLE_EQ(phaseStatistics(*stepsLasting({900, 100}, "1", "failed")).back().average, 900);
    EXPECT_DOUBLE_EQ(phaseStatistics(*stepsLasting({50}, "1", "stopped")).back().average, 50);
}

TEST(PhaseStatistics, agreesWithTheObviousWay) {
    const RandomRun run({.seed = 5, .steps = 7, .warmup = 3});
    std::vector<NaiveSpan> counted;
    for (NaiveSpan& span : allSpans(*run.snapshot())) {
        if ((span.kind == TrackKind::kStep || span.kind == TrackKind::kPhase) &&
            (span.row.step >= 3 || span.row.step == kNoStep))
            counted.push_back(std::move(span));
    }
    const auto expected = naiveStatistics(counted);
    const auto rows = phaseStatistics(*run.snapshot());
    std::vector<std::string> names;
    for (const StatisticsRow& row : rows) {
        names.push_back(row.name);
        expectSameFigures(row, expected.at(row.name));
    }
    EXPECT_THAT(names, ElementsAre("setup", "forward", "loss", "backward", "optimizer", "zero-grad",
                                   "teardown", "step"));
}

TEST(RangesMatching, findsNamesPartsAndGlobs) {
    const RandomRun run({.seed = 6});
    const Snapshot& snapshot = *run.snapshot();
    const auto spans = allSpans(snapshot);
    for (const std::string pattern :
         {"forward", "step", "step 3", "step ?", "blocks.1", "blocks.*.attn", "blocks.?.ffn", "scores",
          "blocks.1.attn/scores", "*/softmax", "*", "none such", "blocks", ""}) {
        // A moment belongs to the result when a matching span covers it.
        const std::vector<TimeRange> found = rangesMatching(snapshot, pattern);
        std::set<std::int64_t> moments;
        std::int64_t covered = 0;
        for (std::size_t i = 0; i < found.size(); ++i) {
            EXPECT_LT(found[i].begin, found[i].end);
            if (i > 0) {
                EXPECT_LT(found[i - 1].end, found[i].begin);
            }
            moments.insert(
                {found[i].begin.value - 1, found[i].begin.value, found[i].end.value - 1, found[i].end.value});
            covered += found[i].duration().value;
        }
        std::size_t matching = 0;
        for (const NaiveSpan& span : spans) {
            const std::string own(snapshot.name(span.row.name));
            if (!isRange(span) || !(matchesGlob(own, pattern) || matchesGlob(span.name, pattern)))
                continue;
            ++matching;
            moments.insert({span.row.start - 1, span.row.start, span.row.end() - 1, span.row.end()});
        }
        EXPECT_EQ(matching > 0, covered > 0) << pattern;
        for (const std::int64_t t : moments) {
            const bool expected = std::ranges::any_of(spans, [&](const NaiveSpan& span) {
                const std::string own(snapshot.name(span.row.name));
                return isRange(span) && span.row.start <= t && t < span.row.end() &&
                       (matchesGlob(own, pattern) || matchesGlob(span.name, pattern));
            });
            const bool actual =
                std::ranges::any_of(found, [&](TimeRange range) { return range.contains(Nanoseconds(t)); });
            ASSERT_EQ(actual, expected) << pattern << " at " << t;
        }
    }
}

TEST(RangesMatching, takesOpenSpansUpToTheEndAndMergesWhatTouches) {
    const auto run = traceOf("forward 0-10 ; forward 10-15 ; forward 17-17 ; forward 20- ; end 33");
    EXPECT_THAT(rangesMatching(*run, "forward"), ElementsAre(TimeRange{Nanoseconds(0), Nanoseconds(15)},
                                                             TimeRange{Nanoseconds(20), Nanoseconds(33)}));
}

TEST(MatchesGlob, knowsStarsAndQuestionMarks) {
    EXPECT_TRUE(matchesGlob("", ""));
    EXPECT_TRUE(matchesGlob("", "***"));
    EXPECT_TRUE(matchesGlob("blocks.7.attn", "blocks.*.attn"));
    EXPECT_TRUE(matchesGlob("blocks.7.attn", "*attn"));
    EXPECT_TRUE(matchesGlob("aXbXc", "a*b*c"));
    EXPECT_TRUE(matchesGlob("abcabd", "*ab?"));
    EXPECT_FALSE(matchesGlob("blocks.7.attn", "blocks.?.ffn"));
    EXPECT_FALSE(matchesGlob("blocks.17.attn", "blocks.?.attn"));
    EXPECT_FALSE(matchesGlob("forward", "forwar"));
    EXPECT_FALSE(matchesGlob("forwar", "forward"));
    EXPECT_FALSE(matchesGlob("", "?"));
    EXPECT_FALSE(matchesGlob(std::string(5000, 'a'), "*a*a*a*a*a*a*a*a*a*b"));
}

TEST(IsWithin, respectsDots) {
    EXPECT_TRUE(isWithin("blocks.7", "blocks.7"));
    EXPECT_TRUE(isWithin("blocks.7.attn", "blocks.7"));
    EXPECT_FALSE(isWithin("blocks.70", "blocks.7"));
    EXPECT_FALSE(isWithin("blocks", "blocks.7"));
}

}  // namespace warpglass::test::range_statistics_test
