#include "engine/query/compare/comparison.h"

#include <gmock/gmock.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/query/memory/memory_before_backward.h"
#include "engine/query/spans/span_scan.h"
#include "tests/support/must.h"
#include "tests/support/sample_run.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/random_run.h"

namespace warpglass::test::comparison_test {

const ComparisonRow* find(const std::vector<ComparisonRow>& rows, std::string_view name) {
    const auto found = std::ranges::find_if(rows, [&](const ComparisonRow& row) { return row.name == name; });
    return found == rows.end() ? nullptr : &*found;
}

/// Self time per measured step of the ops that `keep` keeps.
template <class Keep>
double selfPerStep(const Snapshot& snapshot, std::int32_t warmup, int measured, Keep&& keep) {
    std::int64_t self = 0;
    for (const NaiveSpan& span : allSpans(snapshot)) {
        if (span.kind == TrackKind::kCpuThread && span.row.step >= warmup && keep(span))
            self += span.row.self;
    }
    return static_cast<double>(self) / measured;
}

TEST(Comparison, agreesWithTheObviousWay) {
    const RandomRun a({.seed = 1, .steps = 5, .warmup = 1}), b({.seed = 2, .steps = 7, .warmup = 4});
    const RunComparison comparison = compareRuns(a.snapshot(), b.snapshot());

    ASSERT_EQ(comparison.ops.size(), 7u);
    for (const ComparisonRow& row : comparison.ops) {
        const auto same = [&](const NaiveSpan& span) { return span.name == row.name; };
        EXPECT_NEAR(row.a, selfPerStep(*a.snapshot(), 1, 4, same), 1e-6) << row.name;
        EXPECT_NEAR(row.b, selfPerStep(*b.snapshot(), 4, 3, same), 1e-6) << row.name;
        EXPECT_TRUE(row.inA && row.inB);
    }
    for (std::size_t i = 1; i < comparison.ops.size(); ++i)
        EXPECT_GE(std::abs(comparison.ops[i - 1].difference()), std::abs(comparison.ops[i].difference()));

    for (const std::string path : {"blocks", "blocks.1", "blocks.10.attn", "embed"}) {
        const ComparisonRow* row = find(comparison.modules, path);
        ASSERT_NE(row, nullptr) << path;
        const auto within = [&](const NaiveSpan& span) { return isWithin(span.module, path); };
        EXPECT_NEAR(row->a, selfPerStep(*a.snapshot(), 1, 4, within), 1e-6) << path;
        EXPECT_NEAR(row->b, selfPerStep(*b.snapshot(), 4, 3, within), 1e-6) << path;
    }
    const ComparisonRow* outside = must(find(comparison.modules, "(outside the model)"));
    EXPECT_NEAR(outside->a,
                selfPerStep(*a.snapshot(), 1, 4, [](const NaiveSpan& s) { return s.module.empty(); }), 1e-6);

    std::vector<std::string> names;
    for (const ComparisonRow& row : comparison.phases)
        names.push_back(row.name);
    EXPECT_THAT(names, testing::ElementsAre("forward", "loss", "backward", "optimizer", "zero-grad", "step"));
    EXPECT_DOUBLE_EQ(comparison.phases.back().a, phaseStatistics(*a.snapshot()).back().average);

    ASSERT_EQ(comparison.settings.size(), 1u);
    EXPECT_EQ(comparison.settings[0].key, "config.warmup");
    EXPECT_EQ(comparison.settings[0].a, "1");
    EXPECT_EQ(comparison.settings[0].b, "4");
}

TEST(Comparison, saysWhatIsOnOneSideOnly) {
    const auto make = [](const char* op, std::int64_t bytes, bool withKey) {
        return traceOf(filled(R"(
            info state finished config.precision % device.name %  # no setting, the last
            step 0 0-100 | op % 0-60
            alloc % 1 weights
        )",
                              op, op, op, bytes) +
                       (bytes > 100 ? "alloc 10 2-3 input\n" : "") + (withKey ? "info config.extra x" : ""));
    };
    const RunComparison comparison = compareRuns(make("aten::mm", 100, false), make("aten::bmm", 400, true));
    ASSERT_EQ(comparison.ops.size(), 2u);
    const ComparisonRow* mm = must(find(comparison.ops, "aten::mm"));
    EXPECT_TRUE(mm->inA);
    EXPECT_FALSE(mm->inB);
    EXPECT_DOUBLE_EQ(mm->a, 60);
    EXPECT_DOUBLE_EQ(mm->difference(), -60);
    ASSERT_EQ(comparison.categories.size(), kCategoryCount + 1);
    EXPECT_EQ(comparison.categories[0].name, "weights");
    EXPECT_DOUBLE_EQ(comparison.categories[0].ratio(), 4);
    EXPECT_DOUBLE_EQ(find(comparison.categories, "input")->b, 10);
    EXPECT_FALSE(find(comparison.categories, "input")->inA);
    EXPECT_DOUBLE_EQ(comparison.categories.back().b, 410);
    ASSERT_EQ(comparison.settings.size(), 2u);
    EXPECT_EQ(comparison.settings[1].key, "config.extra");
    EXPECT_EQ(comparison.settings[1].a, "");
}

TEST(Comparison, SettingsOfACraftedFileAreCutBetweenLetters) {
    const auto make = [](const std::string& value) { return traceOf("", {{"config.precision", value}}); };
    std::string umlauts = "x";  // so that no even place is between letters
    for (int i = 0; i < 100'000; ++i)
        umlauts += "ü";
    const auto settings = compareRuns(make("bf16"), make(umlauts)).settings;
    ASSERT_EQ(settings.size(), 1u);
    EXPECT_EQ(settings[0].a, "bf16");
    EXPECT_EQ(settings[0].b, umlauts.substr(0, 119) + "…");
}

/// Steps of 100 ns with an op and 100 bytes each, kept until the end; the last one as the state leaves it.
std::shared_ptr<const Snapshot> runOfSteps(int steps, std::string_view state, int completed,
                                           bool outOfMemory) {
    return traceOf(
        filled(R"(
        info state % config.warmup 0 steps.completed %
        repeat % every 100
          step 0 0-100 | op aten::mm 1-51
          alloc 100 10 weights
    )",
               state, completed, steps) +
        (outOfMemory ? filled("info allocator.out_of_memory 1 allocator.out_of_memory_ns %", steps * 100 - 40)
                     : ""));
}

TEST(Comparison, aRunThatEndedTooEarlyHasAtLeastItsFigures) {
    struct Case {
        std::shared_ptr<const Snapshot> run;
        bool times, memory;
    };
    const Case cases[] = {
        {runOfSteps(3, run_state::kFinished, 3, false), false, false},
        {runOfSteps(3, run_state::kStopped, 2, false), false, false},  // two steps tell its peak
        {runOfSteps(1, run_state::kStopped, 0, false), true, true},
        {runOfSteps(1, run_state::kFailed, 0, false), true, true},
        {runOfSteps(1, run_state::kFailed, 0, true), true, true},
        {runOfSteps(3, run_state::kFailed, 2, true), false, true},  // whatever it asked for, it had no more
    };
    const auto whole = runOfSteps(2, run_state::kFinished, 2, false);
    for (const Case& c : cases) {
        const RunComparison asB = compareRuns(whole, c.run), asA = compareRuns(c.run, whole);
        EXPECT_EQ(asB.atLeastTimesB, c.times);
        EXPECT_EQ(asA.atLeastTimesA, c.times);
        EXPECT_EQ(asB.atLeastMemoryB, c.memory);
        EXPECT_EQ(asA.atLeastMemoryA, c.memory);
        EXPECT_FALSE(asB.atLeastTimesA || asB.atLeastMemoryA || asA.atLeastTimesB || asA.atLeastMemoryB);
        for (const RunComparison* both : {&asA, &asB}) {
            for (const auto* rows : {&both->ops, &both->phases}) {
                for (const ComparisonRow& row : *rows)
                    EXPECT_EQ(row.isDecided(), !c.times) << row.name;
            }
        }
        // What it had come to is enough where that is more than all of the other's.
        const ComparisonRow& peak = asB.categories.back();
        EXPECT_EQ(peak.isDecided(), !c.memory || peak.b > peak.a);
    }
    // The same holds for one step that was cut off.
    ComparisonScope one{.steps = ComparisonScope::Steps::kOne, .stepA = 1, .stepB = 2};
    const auto stopped = runOfSteps(3, run_state::kStopped, 2, false);
    EXPECT_TRUE(compareRuns(whole, stopped, one).atLeastTimesB);
    EXPECT_TRUE(compareRuns(whole, stopped, one).atLeastMemoryB);
    one.stepB = 1;
    EXPECT_FALSE(compareRuns(whole, stopped, one).atLeastTimesB);
}

TEST(Comparison, aRunWhoseFileLostItsStepsDidNotEndEarly) {
    const auto whole = runOfSteps(2, run_state::kFinished, 2, false);
    const auto lost = [&](std::string_view state) {
        const RunComparison comparison = compareRuns(whole, runOfSteps(0, state, 0, false));
        EXPECT_FALSE(comparison.stepsLostA);
        EXPECT_FALSE(comparison.phases.empty());
        for (const ComparisonRow& row : comparison.phases) {
            EXPECT_TRUE(row.isUnknown()) << row.name;
            EXPECT_EQ(row.stepsLostB, comparison.stepsLostB) << row.name;
        }
        return comparison.stepsLostB;
    };
    EXPECT_TRUE(lost(run_state::kFinished));
    for (const std::string_view state : {run_state::kFailed, run_state::kStopped, run_state::kRecording})
        EXPECT_FALSE(lost(state)) << state;
    const RunComparison same = compareRuns(whole, whole);
    EXPECT_FALSE(same.stepsLostA || same.stepsLostB || same.phases.front().isUnknown());
}

/// Allocations and frees of four steps, the first a warm-up, each of two phases.
std::shared_ptr<const Snapshot> randomMemory(std::uint64_t seed) {
    std::mt19937_64 random(seed);
    const auto below = [&](std::size_t limit) { return static_cast<std::int64_t>(random() % limit); };
    std::string text = "info state finished config.warmup 1 steps.completed 4\n";
    std::vector<std::string> alive;  // with a % for its end
    std::int64_t now = 0;
    for (int step = 0; step < 4; ++step, now += 5) {
        const std::int64_t began = now;
        for (const char* phase : {"forward", "backward"}) {
            const std::int64_t from = now += 5;
            for (int i = 0; i < 150; ++i) {
                now += 1 + below(9);
                if (!alive.empty() && below(5) < 2) {
                    const auto freed = alive.begin() + below(alive.size());
                    text += filled(*freed, now);
                    alive.erase(freed);
                } else {
                    alive.push_back(
                        filled("alloc % %-", below(5000) + 1, now) + "%" +
                        (below(6) ? filled(" phase % module blocks.%.attn", phase, below(3)) : "") +
                        (below(6) ? filled(" op aten::o%", below(4)) : "") + "\n");
                }
            }
            text += filled("% %-% step %\n", phase, from, now, step);
        }
        text += filled("step % %-%\n", step, began, now);
    }
    for (const std::string& kept : alive)
        text += filled(kept, "");
    return traceOf(text + filled("end %", now));
}

/// What is alive at a run's peak, by plain sums over the events.
TEST(Comparison, memoryByModuleOpAndPhaseIsThatOfPlainSums) {
    const auto a = randomMemory(5), b = randomMemory(6);
    for (const bool oneStep : {false, true}) {
        ComparisonScope scope;
        if (oneStep)
            scope = {.steps = ComparisonScope::Steps::kOne, .stepA = 2, .stepB = 2};
        const RunComparison comparison = compareRuns(a, b, scope);
        for (const bool ofA : {true, false}) {
            const Snapshot& run = ofA ? *a : *b;
            const auto peak = must(ofA ? comparison.peakTimeA : comparison.peakTimeB);
            std::map<std::string, double> modules, ops, phases;
            std::map<std::uint32_t, bool> alive;
            std::int64_t sum = 0;
            std::vector<NaiveSpan> spans = allSpans(run);
            std::erase_if(spans, [&](const NaiveSpan& span) {
                const bool ofStep = span.kind == TrackKind::kStep || span.kind == TrackKind::kPhase;
                return !ofStep || !(oneStep ? span.row.step == 2 : span.row.step >= 1);
            });
            // The sum after each event counts for whatever runs then, and what held at its beginning.
            const auto visit = [&](std::int64_t from, std::int64_t until) {
                for (const NaiveSpan& span : spans) {
                    if (from >= span.row.start + span.row.duration || until <= span.row.start)
                        continue;
                    double& most = phases[span.kind == TrackKind::kStep ? "step" : span.name];
                    most = std::max(most, static_cast<double>(sum));
                }
            };
            std::int64_t last = INT64_MIN;
            for (std::uint64_t i = 0; i < run.memoryEventCount(); ++i) {
                const auto event = must(run.memoryEvent(i));
                visit(last, event.time);
                last = event.time;
                const auto row = must(run.allocation(event.allocation));
                const bool allocates = event.action == MemoryAction::kAllocate;
                sum += allocates ? row.bytes : -row.bytes;
                if (event.time <= peak.value)
                    alive[event.allocation.value] = allocates;
            }
            visit(last, INT64_MAX);
            for (const auto& [id, lives] : alive) {
                const auto row = run.allocation(AllocationId(id));
                if (!lives)
                    continue;
                const auto bytes = static_cast<double>(row->bytes);
                const std::string path(run.name(run.place(row->place).module)), op(run.name(row->op));
                ops[op.empty() ? "(outside any op)" : op] += bytes;
                if (path.empty())
                    modules["(outside the model)"] += bytes;
                for (const std::string_view module : modulesAround(path))
                    modules[std::string(module)] += bytes;
            }
            const auto expectRows = [&](const std::vector<ComparisonRow>& rows,
                                        const std::map<std::string, double>& expected) {
                std::size_t found = 0;
                for (const ComparisonRow& row : rows) {
                    const auto plain = expected.find(row.name);
                    EXPECT_EQ(ofA ? row.inA : row.inB, plain != expected.end()) << row.name;
                    if (plain == expected.end())
                        continue;
                    EXPECT_EQ(ofA ? row.a : row.b, plain->second) << row.name;
                    ++found;
                }
                EXPECT_EQ(found, expected.size());
            };
            expectRows(comparison.moduleMemory, modules);
            expectRows(comparison.opMemory, ops);
            expectRows(comparison.phaseMemory, phases);
            EXPECT_GT(modules.size(), 3u);
            EXPECT_EQ(phases.size(), 3u);
        }
        for (std::size_t i = 1; i < comparison.moduleMemory.size(); ++i)
            EXPECT_GE(std::abs(comparison.moduleMemory[i - 1].difference()),
                      std::abs(comparison.moduleMemory[i].difference()));
    }
}

/// A run whose host only replays a graph has the GPU's phases, and modules that add up to the peak.
TEST(Comparison, memoryOfAGraphsPhasesIsByTheGpusClock) {
    const RunComparison comparison =
        compareRuns(openSampleRun("small-bf16-graph"), openSampleRun("small-bf16-naive"));
    ASSERT_EQ(comparison.beforeBackward.size(), 2u);
    MemoryTimeline naive;
    naive.update(openSampleRun("small-bf16-naive"));
    const auto before = mostBeforeBackward(memoryBeforeBackward(naive));
    ASSERT_TRUE(before && before->reserved);
    EXPECT_EQ(comparison.beforeBackward[0].name, "allocated");
    EXPECT_EQ(comparison.beforeBackward[0].b, static_cast<double>(before->allocated.value));
    EXPECT_EQ(comparison.beforeBackward[1].b, static_cast<double>(before->reserved->value));
    EXPECT_TRUE(comparison.beforeBackward[1].inA);
    for (const char* phase : {"forward", "backward", "optimizer", "step"}) {
        const ComparisonRow* row = find(comparison.phaseMemory, phase);
        ASSERT_NE(row, nullptr) << phase;
        EXPECT_TRUE(row->inA && row->inB) << phase;
    }
    double a = 0, b = 0;
    for (const ComparisonRow& row : comparison.moduleMemory) {
        // The outermost ones hold the others.
        const bool outermost = row.name.find('.') == std::string::npos;
        a += outermost ? row.a : 0;
        b += outermost ? row.b : 0;
    }
    EXPECT_EQ(a, find(comparison.categories, "peak")->a);
    EXPECT_EQ(b, find(comparison.categories, "peak")->b);
}

TEST(Comparison, saysWhenThePeaksWere) {
    const auto a = openSampleRun("small-fp32-naive"), b = openSampleRun("small-bf16-naive");
    const RunComparison comparison = compareRuns(a, b);
    MemoryTimeline timeline;
    for (const auto& [run, time] : {std::pair{a, comparison.peakTimeA}, std::pair{b, comparison.peakTimeB}}) {
        timeline.update(run);
        ASSERT_TRUE(time && timeline.peak());
        std::int64_t highest = 0;
        for (std::uint64_t i = 0; i < timeline.eventCount(); ++i)
            highest = std::max(highest, sumOf(timeline.afterEvent(i).bytes));
        EXPECT_EQ(sumOf(timeline.at(*time)), highest);
    }
}

TEST(Comparison, aLimitIsReadInItsUnit) {
    const RunComparison::Setting limit{"config.memory-limit", "17179869184", "0"};
    EXPECT_EQ(settingWords(limit, limit.a), "16.0\u202FGiB");
    EXPECT_EQ(settingWords(limit, limit.b), "no limit");
    EXPECT_EQ(settingWords(limit, ""), "");
    EXPECT_EQ(settingWords(limit, "-5"), "-5");
    EXPECT_EQ(settingWords(limit, "99999999999999999999"), "99999999999999999999");
    EXPECT_EQ(settingWords({"config.batch", "4", "8"}, "4"), "4");
}

TEST(Comparison, anExecutionIsCalledAsInTitles) {
    const RunComparison::Setting execution{"config.execution", "eager", "graph"};
    EXPECT_EQ(settingWords(execution, execution.a), "eager");
    EXPECT_EQ(settingWords(execution, execution.b), "CUDA graph");
    EXPECT_EQ(settingWords(execution, ""), "");
    EXPECT_EQ(settingWords(execution, "other"), "other");
}

TEST(Comparison, ofEmptyRunsHasNoTimes) {
    const RunComparison comparison = compareRuns(traceOf(), traceOf());
    EXPECT_TRUE(comparison.phases.empty());
    EXPECT_TRUE(comparison.ops.empty());
    EXPECT_EQ(comparison.categories.size(), kCategoryCount + 1);
    EXPECT_EQ(comparison.categories.back().a, 0);
}

}  // namespace warpglass::test::comparison_test
