// What reads run files: info, stats, compare. The oracle is the engine's own queries over the same snapshot,
// so what is checked here is that the words reach them and that every figure reaches the page.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>

#include "engine/base/format.h"
#include "engine/io/run_file.h"
#include "engine/query/comparison.h"
#include "engine/query/comparison_headline.h"
#include "engine/query/comparison_scope.h"
#include "engine/query/memory_breakdown.h"
#include "engine/query/memory_segments.h"
#include "engine/query/statistics.h"
#include "engine/trace/trace_writer.h"
#include "tests/cli/program.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"

namespace warpglass::test {
namespace {

using nlohmann::json;
using testing::AnyOf;
using testing::HasSubstr;
using testing::Not;
using testing::StartsWith;

class CliSavedRun : public testing::Test {
protected:
    void SetUp() override {
        m_run = makeSyntheticRun();
        m_path = save(*m_run, "a.wgrun");
    }

    std::string save(const Snapshot& run, const std::string& name) {
        const std::string path = (m_folder / name).string();
        const Status saved = saveRun(run, path);
        EXPECT_TRUE(saved) << saved.message();
        return path;
    }

    static std::string printed(const Arguments& arguments) {
        const Outcome outcome = runProgram(arguments);
        EXPECT_EQ(outcome.status, 0) << outcome.err;
        EXPECT_EQ(outcome.err, "");
        return outcome.out;
    }
    static json parsed(Arguments arguments) {
        arguments.insert(arguments.end(), {"--format", "json"});
        return json::parse(printed(arguments));
    }
    static json rowsOf(const json& tables, const std::string& name) {
        for (const json& table : tables)
            if (table["table"] == name)
                return table["rows"];
        ADD_FAILURE() << "no table " << name;
        return json::array();
    }
    static void expectRows(const json& rows, const std::vector<StatisticsRow>& expected) {
        ASSERT_EQ(rows.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(rows[i]["name"], expected[i].name);
            EXPECT_EQ(rows[i]["total_ns"], expected[i].total.value);
            EXPECT_EQ(rows[i]["self_ns"], expected[i].self.value);
            EXPECT_EQ(rows[i]["instances"], expected[i].instances);
            EXPECT_EQ(rows[i]["average_ns"].get<double>(), expected[i].average);
            EXPECT_EQ(rows[i]["median_ns"].get<double>(), expected[i].median);
            EXPECT_EQ(rows[i]["min_ns"], expected[i].min.value);
            EXPECT_EQ(rows[i]["max_ns"], expected[i].max.value);
            EXPECT_EQ(rows[i]["stddev_ns"].get<double>(), expected[i].standardDeviation);
            EXPECT_EQ(rows[i]["time_share"].get<double>(), expected[i].timeShare);
            EXPECT_EQ(rows[i]["self_share"].get<double>(), expected[i].selfShare);
        }
    }

    TemporaryFolder m_folder;
    std::shared_ptr<const Snapshot> m_run;
    std::string m_path;
};

SpanFilter measured() {
    SpanFilter filter;
    filter.measuredOnly = true;
    return filter;
}

TEST_F(CliSavedRun, OpsAreThoseOfTheMeasuredSteps) {
    const json table = parsed({"stats", "ops", m_path});
    EXPECT_EQ(table["table"], "ops");
    ASSERT_FALSE(table["rows"].empty());
    expectRows(table["rows"], opStatistics(*m_run, measured()));
    expectRows(parsed({"stats", "ops", m_path, "--all"})["rows"], opStatistics(*m_run, {}));
    EXPECT_NE(opStatistics(*m_run, measured()).size() + opStatistics(*m_run, measured())[0].instances,
              opStatistics(*m_run, {}).size() + opStatistics(*m_run, {})[0].instances);
}

TEST_F(CliSavedRun, ARangeFilters) {
    SpanFilter filter = measured();
    filter.ranges = rangesMatching(*m_run, "forward");
    ASSERT_FALSE(filter.ranges.empty());
    const json rows = parsed({"stats", "ops", m_path, "--range", "forward"})["rows"];
    expectRows(rows, opStatistics(*m_run, filter));
    EXPECT_LT(rows.size(), opStatistics(*m_run, measured()).size());

    filter.ranges = rangesMatching(*m_run, "blocks.*.attn");
    ASSERT_FALSE(filter.ranges.empty());
    expectRows(parsed({"stats", "ranges", m_path, "--range", "blocks.*.attn"})["rows"],
               rangeStatistics(*m_run, filter));
}

TEST_F(CliSavedRun, RangesAndPhases) {
    expectRows(parsed({"stats", "ranges", m_path})["rows"], rangeStatistics(*m_run, measured()));
    // What happens once, outside the steps, comes last and has no share of them.
    const auto isOutside = [](const std::string& name) { return name == "setup" || name == "teardown"; };
    json phases = parsed({"stats", "phases", m_path})["rows"];
    while (!phases.empty() && isOutside(phases.back()["name"])) {
        EXPECT_TRUE(phases.back()["time_share"].is_null());
        phases.erase(phases.size() - 1);
    }
    std::vector<StatisticsRow> ofSteps = phaseStatistics(*m_run);
    std::erase_if(ofSteps, [&](const StatisticsRow& row) { return isOutside(row.name); });
    expectRows(phases, ofSteps);

    const json all = parsed({"stats", "phases", m_path, "--all"})["rows"];
    std::vector<std::string> names;
    for (const json& row : all)
        names.push_back(row["name"]);
    EXPECT_THAT(names, testing::IsSupersetOf({"setup", "forward", "loss", "backward", "optimizer", "step"}));
    const auto step = std::find(names.begin(), names.end(), "step");
    ASSERT_NE(step, names.end());
    EXPECT_TRUE(std::all_of(step + 1, names.end(), isOutside));
    EXPECT_EQ(all[static_cast<std::size_t>(step - names.begin())]["instances"],
              syntheticConfig().warmup + syntheticConfig().steps);
}

TEST_F(CliSavedRun, RangesOfOneKindAreNotMixedWithOthers) {
    std::size_t all = 0;
    for (const std::string_view kind : kRangeKindNames) {
        const json rows = parsed({"stats", "ranges", m_path, "--kind", std::string(kind)})["rows"];
        EXPECT_FALSE(rows.empty()) << kind;
        for (const json& row : rows)
            EXPECT_EQ(row["kind"], kind);
        all += rows.size();
    }
    EXPECT_EQ(parsed({"stats", "ranges", m_path})["rows"].size(), all);
    EXPECT_EQ(runProgram({"stats", "ranges", m_path, "--kind", "sideways"}).status, 2);
}

TEST_F(CliSavedRun, WhatIsOnlyInWarmUpIsShownAndSaid) {
    const Outcome outcome = runProgram({"stats", "ops", m_path, "--range", "step 0", "--format", "csv"});
    ASSERT_GT(syntheticConfig().warmup, 0);
    EXPECT_EQ(outcome.status, 0);
    EXPECT_THAT(outcome.err, HasSubstr("Nothing of this is in the measured steps"));
    EXPECT_GT(linesOf(outcome.out).size(), 1u);
}

TEST_F(CliSavedRun, TheHeadingSaysWhatIsCovered) {
    EXPECT_THAT(printed({"stats", "ops", m_path}), StartsWith("Ops of the measured steps\n"));
    EXPECT_THAT(printed({"stats", "ops", m_path, "--all"}), StartsWith("Ops of the whole run\n"));
    EXPECT_THAT(printed({"stats", "ops", m_path, "--range", "forward"}),
                StartsWith("Ops of the measured steps, in forward\n"));
}

TEST_F(CliSavedRun, ARangeThatMatchesNothingFails) {
    for (const char* what :
         {"ops", "ranges", "phases", "layers", "attention", "memory", "allocations", "segments"}) {
        const Outcome outcome = runProgram({"stats", what, m_path, "--range", "sideways"});
        EXPECT_EQ(outcome.status, 1) << what;
        EXPECT_EQ(outcome.out, "") << what;
        EXPECT_THAT(outcome.err, HasSubstr("No range of " + m_path + " matches \"sideways\"")) << what;
        EXPECT_EQ(linesOf(outcome.err).size(), 1u) << what;
    }
}

TEST_F(CliSavedRun, LimitKeepsTheFirstRows) {
    const std::vector<std::string> all = linesOf(printed({"stats", "ops", m_path, "--format", "csv"}));
    const std::vector<std::string> three =
        linesOf(printed({"stats", "ops", m_path, "--format", "csv", "--limit", "3"}));
    ASSERT_GT(all.size(), 4u);
    EXPECT_EQ(three, std::vector<std::string>(all.begin(), all.begin() + 4));
}

TEST_F(CliSavedRun, MemoryAddsUpToThePeak) {
    MemoryTimeline memory;
    memory.update(m_run);
    const std::int64_t peak = sumOf(memory.peak()->bytes);
    const json tables = parsed({"stats", "memory", m_path});
    for (const char* name : {"memory-by-category", "memory-by-module", "memory-by-op"}) {
        std::int64_t sum = 0;
        for (const json& row : rowsOf(tables, name))
            sum += row["size_bytes"].get<std::int64_t>();
        EXPECT_EQ(sum, peak) << name;
    }
    std::int64_t highest = 0;
    for (const json& row : rowsOf(tables, "phase-peaks")) {
        std::int64_t sum = 0;
        for (const std::string_view category : kCategoryNames)
            sum += row[std::string(category) + "_bytes"].get<std::int64_t>();
        EXPECT_EQ(sum, row["peak_bytes"]);
        highest = std::max(highest, row["peak_bytes"].get<std::int64_t>());
    }
    EXPECT_EQ(highest, peak);
    EXPECT_EQ(rowsOf(tables, "memory")[0]["name"], "run");
    EXPECT_EQ(rowsOf(tables, "memory")[0]["peak_bytes"], peak);
}

TEST_F(CliSavedRun, MemoryOfARangeIsThePeakWithinIt) {
    MemoryTimeline memory;
    memory.update(m_run);
    const std::vector<TimeRange> ranges = rangesMatching(*m_run, "forward");
    std::int64_t peak = 0;
    for (const TimeRange& range : ranges)
        peak = std::max(peak, sumOf(memory.peakIn(range)->bytes));
    const json tables = parsed({"stats", "memory", m_path, "--range", "forward"});
    std::int64_t sum = 0;
    for (const json& row : rowsOf(tables, "memory-by-category"))
        sum += row["size_bytes"].get<std::int64_t>();
    EXPECT_EQ(sum, peak);
    ASSERT_EQ(rowsOf(tables, "phase-peaks").size(), ranges.size());
    for (const json& row : rowsOf(tables, "phase-peaks"))
        EXPECT_EQ(row["phase"], "forward");
}

TEST_F(CliSavedRun, AllocationsAreTheLargestAlive) {
    MemoryTimeline memory;
    memory.update(m_run);
    const auto expectLargest = [&](const json& rows, Nanoseconds time, std::size_t limit) {
        const std::vector<AllocationDetail> expected =
            largestAllocations(memory, memory.aliveAt(time), limit);
        ASSERT_EQ(rows.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(rows[i]["allocation"], expected[i].id.value);
            EXPECT_EQ(rows[i]["size_bytes"], expected[i].row.bytes);
            EXPECT_EQ(rows[i]["category"], expected[i].category);
            EXPECT_EQ(rows[i]["allocated_ns"], expected[i].allocated.value);
            EXPECT_EQ(rows[i]["freed_ns"].is_null(), !expected[i].freed.has_value());
        }
    };
    expectLargest(parsed({"stats", "allocations", m_path})["rows"], memory.peak()->time, 20);
    expectLargest(parsed({"stats", "allocations", m_path, "--limit", "5"})["rows"], memory.peak()->time, 5);
    const std::int64_t half = m_run->range().end.value / 2;
    const std::string inMicroseconds = std::to_string(half / 1000) + "us";
    expectLargest(parsed({"stats", "allocations", m_path, "--at", inMicroseconds, "--limit", "0"})["rows"],
                  Nanoseconds(half / 1000 * 1000), 1'000'000);
}

TEST_F(CliSavedRun, InfoStatesTheRun) {
    const json tables = parsed({"info", m_path, "--check"});
    const json summary = rowsOf(tables, "summary")[0];
    EXPECT_EQ(summary["state"], "finished");
    EXPECT_EQ(summary["warmup_steps"], syntheticConfig().warmup);
    EXPECT_EQ(summary["measured_steps"], syntheticConfig().steps);
    EXPECT_EQ(summary["spans"], m_run->spanCount());
    EXPECT_EQ(summary["memory_events"], m_run->memoryEventCount());
    EXPECT_EQ(rowsOf(tables, "counters").size(), m_run->counterSampleCount());
    EXPECT_TRUE(rowsOf(tables, "warnings").empty());
    const json information = rowsOf(tables, "information");
    ASSERT_EQ(information.size(), m_run->info().pairs().size());
    for (std::size_t i = 0; i < information.size(); ++i) {
        EXPECT_EQ(information[i]["key"], m_run->info().pairs()[i].first);
        EXPECT_EQ(information[i]["value"], m_run->info().pairs()[i].second);
    }
    EXPECT_THAT(printed({"info", m_path}), HasSubstr("Synthetic CPU"));
}

TEST_F(CliSavedRun, InfoSaysWhatWasAskedForAndLostToRounding) {
    SyntheticOptions options;
    options.allocatorEvents = 500;
    const auto run = makeSyntheticRun(options);
    MemoryTimeline memory;
    memory.update(run);
    std::int64_t asked = 0, given = 0;
    for (const AllocationId id : memory.aliveAt(memory.peak()->time)) {
        asked += run->allocation(id)->requested;
        given += run->allocation(id)->bytes;
    }
    ASSERT_LT(asked, given);
    const json tables = parsed({"info", save(*run, "rounded.wgrun")});
    const json row = rowsOf(tables, "memory")[0];
    EXPECT_EQ(row["peak_requested_bytes"], asked);
    EXPECT_EQ(row["peak_given_bytes"], given);
    EXPECT_EQ(row["peak_rounding_bytes"], given - asked);
    EXPECT_TRUE(rowsOf(parsed({"info", m_path}), "memory")[0]["peak_reserved_bytes"].is_null());
    EXPECT_THAT(printed({"info", m_path}), Not(HasSubstr("Reserved at the peak")));
    std::int64_t askedByAll = 0;
    for (std::uint64_t i = 0; i < run->allocationCount(); ++i)
        askedByAll += run->allocation(AllocationId(i))->requested;
    EXPECT_EQ(row["requested_bytes"], askedByAll);
    std::int64_t lost = 0;
    for (const json& category : rowsOf(tables, "peak"))
        lost += category["rounding_bytes"].get<std::int64_t>();
    EXPECT_EQ(lost, given - asked);
}

TEST_F(CliSavedRun, SegmentsAreThoseOfTheMoment) {
    SyntheticOptions options;
    options.allocatorEvents = 1500;
    const auto run = makeSyntheticRun(options);
    const std::string path = save(*run, "segments.wgrun");
    MemoryTimeline memory;
    memory.update(run);
    MemorySegments segments;
    segments.update(run);
    const auto expectMoment = [&](const json& tables, Nanoseconds time) {
        const SegmentState state = segments.at(memory, time);
        const json sums = rowsOf(tables, "fragmentation")[0];
        EXPECT_EQ(sums["time_ns"], time.value);
        EXPECT_EQ(sums["reserved_bytes"], state.totals.reserved.value);
        EXPECT_EQ(sums["largest_free_bytes"], state.totals.largestFree.value);
        EXPECT_EQ(sums["fragmentation_share"].get<double>(), state.totals.fragmentation());
        EXPECT_EQ(sums["free_share"].get<double>(), state.totals.freeShare());
        const json rows = rowsOf(tables, "segments");
        ASSERT_EQ(rows.size(), state.segments.size());
        for (std::size_t i = 0; i < rows.size(); ++i) {
            EXPECT_EQ(std::stoull(rows[i]["address"].get<std::string>(), nullptr, 16),
                      state.segments[i].address);
            EXPECT_EQ(rows[i]["size_bytes"], state.segments[i].bytes);
            EXPECT_EQ(rows[i]["pool"], state.segments[i].large ? "large" : "small");
            EXPECT_EQ(rows[i]["allocated_bytes"], state.segments[i].totals.allocated.value);
            EXPECT_EQ(rows[i]["free_bytes"], state.segments[i].totals.free.value);
        }
    };
    expectMoment(parsed({"stats", "segments", path}), memory.peak()->time);
    const json tables = parsed({"stats", "segments", path, "--at", "100us", "--blocks"});
    expectMoment(tables, Nanoseconds(100000));
    std::map<std::string, std::int64_t> byState;
    for (const json& block : rowsOf(tables, "blocks"))
        byState[block["state"]] += block["size_bytes"].get<std::int64_t>();
    const SegmentTotals totals = segments.at(memory, Nanoseconds(100000)).totals;
    EXPECT_EQ(byState["free"], totals.free.value);
    EXPECT_EQ(byState["allocated"], totals.allocated.value);
    std::int64_t events = 0;
    for (const json& row : rowsOf(tables, "segment-events"))
        events += row["count"].get<std::int64_t>();
    EXPECT_EQ(events, run->segmentEventCount());
    EXPECT_EQ(rowsOf(parsed({"info", path}), "memory")[0]["peak_reserved_bytes"],
              segments.reservedAt(memory.peak()->time).value);
}

TEST_F(CliSavedRun, ARunWithoutSegmentsSaysSo) {
    const Outcome outcome = runProgram({"stats", "segments", m_path});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_EQ(outcome.out, "");
    EXPECT_THAT(outcome.err, HasSubstr("No segment was recorded"));
}

TEST_F(CliSavedRun, CompareSetsRunsSideBySide) {
    SyntheticOptions options;
    options.config.precision = Precision::kBf16;
    options.config.batch = syntheticConfig().batch * 2;
    const std::string other = save(*makeSyntheticRun(options), "b.wgrun");
    const json tables = parsed({"compare", m_path, other});
    const auto setting = [&](const char* key) {
        for (const json& row : rowsOf(tables, "settings"))
            if (row["setting"].get<std::string>().find(key) != std::string::npos)
                return row;
        return json();
    };
    EXPECT_EQ(setting("precision")["a"], "fp32");
    EXPECT_EQ(setting("precision")["b"], "bf16");
    EXPECT_EQ(setting("batch")["b"], std::to_string(options.config.batch));
    for (const char* name : {"phases", "ops", "modules"}) {
        const json rows = rowsOf(tables, name);
        ASSERT_FALSE(rows.empty()) << name;
        for (const json& row : rows)
            if (!row["a_ns"].is_null() && !row["b_ns"].is_null()) {
                EXPECT_NEAR(row["difference_ns"].get<double>(),
                            row["b_ns"].get<double>() - row["a_ns"].get<double>(), 1e-3)
                    << row;
            }
    }
    const json peak = rowsOf(tables, "memory").back();
    EXPECT_EQ(peak["name"], "peak");
    EXPECT_GT(peak["ratio"].get<double>(), 1.0);

    // A run beside itself differs in nothing.
    const json same = parsed({"compare", m_path, m_path});
    EXPECT_TRUE(rowsOf(same, "settings").empty());
    for (const json& row : rowsOf(same, "phases"))
        EXPECT_EQ(row["difference_ns"].get<double>(), 0) << row;
}

TEST_F(CliSavedRun, CompareBeginsWithTheHeadlineAndCutsLongTablesForPeople) {
    SyntheticOptions options;
    options.config.precision = Precision::kBf16;
    const std::string other = save(*makeSyntheticRun(options), "b.wgrun");
    const RunComparison comparison = compareRuns(m_run, makeSyntheticRun(options));
    const std::size_t ops = comparison.ops.size();
    ASSERT_GT(ops, 20u);
    const std::string text = printed({"compare", m_path, other});
    EXPECT_THAT(text, StartsWith(headlineOf(comparison, *m_run, *makeSyntheticRun(options)).text()));
    EXPECT_LT(text.find("Settings that differ"), text.find("Memory at the peak"));
    EXPECT_THAT(text, HasSubstr("(the 20 largest changes; " + std::to_string(ops - 20) + " more "));
    const std::string all = printed({"compare", m_path, other, "--all"});
    EXPECT_THAT(all, Not(HasSubstr("largest changes")));
    EXPECT_GT(all.size(), text.size());
    // Scripts get every row.
    EXPECT_EQ(rowsOf(parsed({"compare", m_path, other}), "ops").size(), ops);
    EXPECT_EQ(rowsOf(parsed({"compare", m_path, other, "--limit", "3"}), "ops").size(), 3u);
}

TEST_F(CliSavedRun, CompareStatesNoDifferenceToWhatARunNeverReached) {
    TraceWriter writer;
    writer.setInfo("state", run_state::kFailed);
    writer.setInfo("steps.completed", "0");
    constexpr std::int64_t kMuch = std::int64_t{1} << 44;
    writer.appendAllocation(Nanoseconds(1), {.bytes = kMuch, .category = Category::kWeights});
    writer.settle();
    writer.commit(Nanoseconds(10));
    const std::string failed = save(*writer.feed()->latest(), "failed.wgrun");
    for (const bool failedIsB : {false, true}) {
        const Arguments command = {"compare", failedIsB ? m_path : failed, failedIsB ? failed : m_path};
        const json tables = parsed(command);
        std::size_t unknown = 0;
        for (const std::string name : {"phases", "ops", "modules", "memory"}) {
            const std::string unit = name == "memory" ? "_bytes" : "_ns";
            for (const json& row : rowsOf(tables, name)) {
                const bool one = row["a" + unit].is_null() != row["b" + unit].is_null();
                EXPECT_EQ(row["difference" + unit].is_null(), one) << row;
                unknown += one;
            }
        }
        EXPECT_GT(unknown, 20u);
        const json peak = rowsOf(tables, "memory").back();
        EXPECT_EQ(peak[failedIsB ? "b_bytes" : "a_bytes"], kMuch);
        EXPECT_TRUE(peak["ratio"].is_number());
        const std::string text = printed(command);
        EXPECT_THAT(text, HasSubstr("≥ " + formatBytes(Bytes(kMuch))));
        EXPECT_EQ(text.find("≤ ", text.find("Memory at the peak")) == std::string::npos, failedIsB) << text;
    }
}

TEST_F(CliSavedRun, CompareTakesOneStepTheSumOrTheMeanPerToken) {
    SyntheticOptions options;
    options.config.batch = syntheticConfig().batch * 2;
    const auto b = makeSyntheticRun(options);
    const std::string other = save(*b, "b.wgrun");
    const auto expectOps = [&](const Arguments& words, const ComparisonScope& scope) {
        Arguments command = {"compare", m_path, other};
        command.insert(command.end(), words.begin(), words.end());
        const json rows = rowsOf(parsed(command), "ops");
        const std::vector<ComparisonRow> expected = compareRuns(m_run, b, scope).ops;
        ASSERT_EQ(rows.size(), expected.size()) << testing::PrintToString(words);
        ASSERT_FALSE(rows.empty());
        for (std::size_t i = 0; i < expected.size(); ++i) {
            EXPECT_EQ(rows[i]["name"], expected[i].name);
            EXPECT_NEAR(rows[i]["b_ns"].get<double>(), expected[i].b, 1e-3) << testing::PrintToString(words);
        }
    };
    using Steps = ComparisonScope::Steps;
    expectOps({"--mean"}, {});
    expectOps({"--per-step"}, {});
    expectOps({"--total"}, {.steps = Steps::kSum});
    expectOps({"--step", "1"}, {.steps = Steps::kOne, .stepA = 1, .stepB = 1});
    expectOps({"--step", "1", "--step-b", "0"}, {.steps = Steps::kOne, .stepA = 1, .stepB = 0});
    ComparisonScope perToken;
    perToken.perToken = true;
    expectOps({"--per-token"}, perToken);

    EXPECT_THAT(printed({"compare", m_path, other, "--step", "1"}),
                HasSubstr("step 1 of A against step 1 of B"));
    EXPECT_THAT(printed({"compare", m_path, other}), HasSubstr("Note: A step of A is "));
    const Outcome missing = runProgram({"compare", m_path, other, "--step", "999"});
    EXPECT_EQ(missing.status, 1);
    EXPECT_THAT(missing.err, HasSubstr("has no step 999: its steps are 0 to "));
    EXPECT_EQ(runProgram({"compare", m_path, other, "--step", "1", "--total"}).status, 2);
}

TEST_F(CliSavedRun, EveryTableTakesEveryFormat) {
    SyntheticOptions options;
    options.allocatorEvents = 100;
    const std::string onGpu = save(*makeSyntheticRun(options), "gpu.wgrun");
    const std::vector<Arguments> commands = {{"info", m_path},
                                             {"findings", m_path},
                                             {"stats", "segments", onGpu, "--blocks"},
                                             {"stats", "ops", m_path},
                                             {"stats", "ranges", m_path},
                                             {"stats", "phases", m_path},
                                             {"stats", "layers", m_path},
                                             {"stats", "attention", m_path},
                                             {"stats", "steps", m_path},
                                             {"stats", "memory", m_path},
                                             {"stats", "allocations", m_path},
                                             {"compare", m_path, m_path},
                                             {"devices"},
                                             {"estimate", "--details"}};
    const std::string paper = readFile(WARPGLASS_TABLES_PAPER);
    ASSERT_FALSE(paper.empty());
    for (Arguments command : commands) {
        command.push_back("--format");
        command.push_back("table");
        EXPECT_THAT(runProgram(command).out, HasSubstr("---")) << testing::PrintToString(command);
        command.back() = "markdown";
        EXPECT_THAT(runProgram(command).out, HasSubstr("\n| ")) << testing::PrintToString(command);
        command.back() = "json";
        EXPECT_TRUE(json::accept(runProgram(command).out)) << testing::PrintToString(command);
        command.back() = "csv";
        const std::vector<std::string> lines = linesOf(runProgram(command).out);
        ASSERT_FALSE(lines.empty()) << testing::PrintToString(command);
        // The paper's lines are the golden ones: a column that is renamed here is a promise broken.
        for (std::size_t i = 0; i < lines.size(); ++i)
            if (i == 0 || lines[i - 1].empty()) {
                EXPECT_THAT(paper, HasSubstr("\n" + lines[i] + "\n")) << testing::PrintToString(command);
            }
    }
}

TEST_F(CliSavedRun, FilesThatAreNoRunsFailInOneSentence) {
    const std::string empty = (m_folder / "empty.wgrun").string();
    std::ofstream(empty).close();
    const std::string foreign = (m_folder / "foreign.wgrun").string();
    std::ofstream(foreign) << "a text that is long enough to be taken for a file header, and is none\n";
    for (const std::string& path :
         {(m_folder / "missing.wgrun").string(), empty, foreign, m_folder.path().string()}) {
        for (const Arguments& command :
             {Arguments{"info", path}, Arguments{"findings", path}, Arguments{"stats", "ops", path},
              Arguments{"stats", "memory", path}, Arguments{"compare", m_path, path}}) {
            const Outcome outcome = runProgram(command);
            EXPECT_EQ(outcome.status, 1) << path;
            EXPECT_EQ(outcome.out, "") << path;
            EXPECT_EQ(linesOf(outcome.err).size(), 1u) << outcome.err;
            EXPECT_THAT(outcome.err, StartsWith("warpglass-cli: "));
            EXPECT_THAT(outcome.err, HasSubstr(std::filesystem::path(path).filename().string()));
        }
    }
}

TEST_F(CliSavedRun, ARunThatWasCutOffOpensAndSaysSo) {
    SyntheticOptions options;
    options.state = "recording";
    const std::string path = save(*makeSyntheticRun(options), "cut.wgrun");
    const Outcome outcome = runProgram({"info", path, "--format", "json"});
    EXPECT_EQ(outcome.status, 0) << outcome.err;
    const json tables = json::parse(outcome.out);
    EXPECT_EQ(rowsOf(tables, "summary")[0]["state"], "recording");
    EXPECT_FALSE(rowsOf(tables, "warnings").empty());
    // The statistics work, and say on standard error what is missing.
    const Outcome stats = runProgram({"stats", "ops", path});
    EXPECT_EQ(stats.status, 0);
    EXPECT_THAT(stats.err, HasSubstr("cut.wgrun"));
}

TEST_F(CliSavedRun, ADamagedFileIsCaughtByCheck) {
    std::string bytes = readFile(m_path);
    // The chunks come after the tables, whose pages may also be empty.
    for (std::size_t i = bytes.size() * 6 / 10; i < bytes.size() * 9 / 10; ++i)
        bytes[i] = static_cast<char>(~bytes[i]);
    const std::string path = (m_folder / "damaged.wgrun").string();
    std::ofstream(path, std::ios::binary) << bytes;
    const Outcome outcome = runProgram({"info", path, "--check"});
    EXPECT_EQ(outcome.status, 1);
    EXPECT_THAT(outcome.err, HasSubstr("damaged.wgrun"));
    // Figures that lack what is lost say so.
    const Outcome ops = runProgram({"stats", "ops", path});
    EXPECT_THAT(ops.err, AnyOf(HasSubstr("lost"), HasSubstr("missing")));
}

}  // namespace
}  // namespace warpglass::test
