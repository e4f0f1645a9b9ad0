#include "engine/query/completeness/completeness.h"

#include <gmock/gmock.h>

#include <array>
#include <filesystem>
#include <string>
#include <vector>

#include "engine/base/format.h"
#include "engine/io/run_file.h"
#include "engine/query/compare/comparison_headline.h"
#include "engine/query/compare/comparison_notes.h"
#include "engine/query/findings/run_overview.h"
#include "engine/session/save_run.h"
#include "tests/support/must.h"
#include "tests/support/run_damage.h"
#include "tests/support/sample_run.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/timeline_of.h"
#include "tests/support/trace_text.h"
#include "tests/unit/query/findings/run_by_hand.h"

namespace warpglass::test::completeness_test {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::StartsWith;

/// The records of a kind, and of these how many can be read, one by one.
struct Rows {
    std::uint64_t all = 0, readable = 0;

    template <class At>
    void count(std::uint64_t rows, At&& at) {
        all += rows;
        for (std::uint64_t i = 0; i < rows; ++i)
            readable += at(i) ? 1 : 0;
    }
};

Rows rowsOf(const Snapshot& run, RecordKind kind) {
    Rows rows;
    switch (kind) {
        case RecordKind::kMemoryEvents:
            rows.count(run.memoryEventCount(), [&](std::uint64_t i) { return run.memoryEvent(i); });
            return rows;
        case RecordKind::kAllocations:
            rows.count(run.allocationCount(),
                       [&](std::uint64_t i) { return run.allocation(AllocationId(i)); });
            return rows;
        case RecordKind::kSegments:
            rows.count(run.segmentEventCount(), [&](std::uint64_t i) { return run.segmentEvent(i); });
            return rows;
        case RecordKind::kCounters:
            rows.count(run.counterSampleCount(), [&](std::uint64_t i) { return run.counterSample(i); });
            return rows;
        default:
            break;
    }
    for (std::size_t i = 0; i < run.laneCount(); ++i) {
        const SpanLane lane = run.lane(LaneId(i));
        if (recordKindOf(run.track(lane.track()).kind) == kind)
            rows.count(lane.rows(), [&](std::uint64_t r) { return lane.row(r); });
    }
    return rows;
}

struct MissingRecordsTest : ::testing::Test {
    fs::path copyOf(const char* name) {
        const fs::path path = m_folder / (std::to_string(m_files++) + name + ".wgrun");
        writeContent(path, contentOf(sampleRunPath(name)));
        return path;
    }
    /// With only this much of the file, in percent.
    std::shared_ptr<const Snapshot> cut(const char* name, std::uintmax_t percent) {
        const fs::path path = copyOf(name);
        fs::resize_file(path, fs::file_size(path) * percent / 100);
        return openRun(path)->snapshot;
    }
    /// With the chunks unreadable that are `where`.
    std::shared_ptr<const Snapshot> without(const char* name, const std::string& where) {
        const fs::path path = copyOf(name);
        alterRun(path, "UPDATE chunks SET data=zeroblob(1000) WHERE " + where);
        return openRun(path)->snapshot;
    }
    std::shared_ptr<const Snapshot> withoutKernels(const char* name) {
        return without(name,
                       "kind=0 AND lane IN (SELECT lanes.id FROM lanes JOIN tracks ON tracks.id=lanes.track "
                       "WHERE tracks.kind=5)");
    }
    static RunOverview overview(const std::shared_ptr<const Snapshot>& run) {
        return overviewOf(timelineOf(run));
    }

    TemporaryFolder m_folder;
    int m_files = 0;  // a run that is open still reads its own
};

TEST_F(MissingRecordsTest, OfAWholeRunNothingIs) {
    const auto run = openSampleRun("small-bf16-naive");
    const MissingRecords missing = Completeness(*run).missing();
    EXPECT_FALSE(missing.any());
    EXPECT_EQ(missingInWords(missing), "");
    EXPECT_EQ(missingSentence(missing), "");
    EXPECT_EQ(Completeness(*run).absenceOf(DataKind::kKernels), Absence::kNone);
    EXPECT_EQ(Completeness(*run).why(DataKind::kGpuPhases), "");
}

TEST_F(MissingRecordsTest, IsWhatTheWholeHasAndACutOneHasNot) {
    const auto all = openSampleRun("small-bf16-naive");
    for (const std::uintmax_t percent : {20, 35, 50, 65, 80, 95}) {
        SCOPED_TRACE(percent);
        const auto run = cut("small-bf16-naive", percent);
        const MissingRecords missing = Completeness(*run).missing();
        for (const RecordKind kind :
             {RecordKind::kKernels, RecordKind::kGpuPhases, RecordKind::kSteps, RecordKind::kPhases,
              RecordKind::kOps, RecordKind::kModules, RecordKind::kCalls, RecordKind::kCopies,
              RecordKind::kWaits, RecordKind::kMemoryEvents, RecordKind::kAllocations, RecordKind::kSegments,
              RecordKind::kCounters}) {
            SCOPED_TRACE(kRecordKindNames[static_cast<std::size_t>(kind)]);
            const std::uint64_t recorded = rowsOf(*all, kind).all;
            if (missing.lacks(kind)) {
                EXPECT_EQ(missing.of(kind).total, recorded);
            }
            EXPECT_EQ(missing.of(kind).missing, recorded - rowsOf(*run, kind).readable);
        }
        EXPECT_EQ(missing.lacksAll(RecordKind::kMemoryEvents) || missing.lacksAll(RecordKind::kAllocations),
                  Completeness(*run).absenceOf(DataKind::kMemory) == Absence::kLost);
    }
}

TEST_F(MissingRecordsTest, LostAllocationsAreThoseOfTheirChunk) {
    const auto whole = makeManyMemoryEvents(5 * kChunkRows);
    ASSERT_GT(whole->allocationCount(), 2u * kChunkRows);
    const fs::path path = m_folder / "allocations.wgrun";
    ASSERT_TRUE(saveRun(*whole, path));
    alterRun(path, "UPDATE chunks SET data=zeroblob(1000) WHERE kind=2 AND chunk=1");
    const auto run = must(openRun(path));
    const Rows rows = rowsOf(*run.snapshot, RecordKind::kAllocations);
    EXPECT_EQ(rows.all, whole->allocationCount());
    EXPECT_EQ(rows.all - rows.readable, std::uint64_t{kChunkRows});
    const MissingRecords missing = Completeness(*run.snapshot).missing();
    EXPECT_EQ(missing.of(RecordKind::kAllocations).missing, rows.all - rows.readable);
    EXPECT_EQ(missing.of(RecordKind::kAllocations).total, rows.all);
    EXPECT_FALSE(missing.lacksAll(RecordKind::kAllocations));
    EXPECT_FALSE(missing.lacks(RecordKind::kMemoryEvents)) << "they can all be read";
    EXPECT_TRUE(missing.lacksMemory());
    EXPECT_EQ(missingInWords(missing),
              "65,536 of " + formatGrouped(static_cast<std::int64_t>(rows.all)) + " allocations");
    EXPECT_THAT(missingSentence(missing), HasSubstr("say nothing of what fills memory."));
}

TEST_F(MissingRecordsTest, WithoutItsAllocationsARunHasEventsAndNoMemory) {
    const auto run = without("small-bf16-naive", "kind=2");
    const RunOverview overviewOfIt = overview(run);
    EXPECT_EQ(missingInWords(overviewOfIt.missing), "all 5,176 allocations");
    EXPECT_EQ(overviewOfIt.summary.allocations, 0u);
    EXPECT_EQ(overviewOfIt.summary.memoryEvents, run->memoryEventCount());
    EXPECT_FALSE(overviewOfIt.summary.peak);
    EXPECT_EQ(Completeness(*run).absenceOf(DataKind::kMemory), Absence::kLost);
    // With their events they are lost once.
    const RunOverview neither = overview(without("small-bf16-naive", "kind IN (1, 2)"));
    EXPECT_TRUE(neither.missing.lacksAll(RecordKind::kAllocations));
    EXPECT_EQ(missingInWords(neither.missing), "all 10,350 memory events");
}

TEST_F(MissingRecordsTest, ACopyOfACutRunStillSaysSo) {
    const auto run = cut("small-bf16-naive", 50);
    const fs::path copy = m_folder / "copy.wgrun";
    ASSERT_TRUE(saveRun(*run, copy));
    const auto opened = must(openRun(copy));
    EXPECT_TRUE(opened.isIncomplete);
    const MissingRecords before = Completeness(*run).missing(),
                         after = Completeness(*opened.snapshot).missing();
    EXPECT_EQ(after.of(RecordKind::kMemoryEvents).missing, before.of(RecordKind::kMemoryEvents).missing);
    EXPECT_EQ(after.of(RecordKind::kGpuPhases).missing, before.of(RecordKind::kGpuPhases).missing);
}

TEST_F(MissingRecordsTest, WordsNameTheWeightiestFirst) {
    MissingRecords missing{.damaged = true};
    missing.of(RecordKind::kOps) = {1284, 12600};
    missing.of(RecordKind::kKernels) = {5396, 5396};
    EXPECT_EQ(missingInWords(missing), "all 5,396 kernels and 1,284 of 12,600 ops");
    EXPECT_EQ(missingInWords(missing, {RecordKind::kOps}), "1,284 of 12,600 ops");
    EXPECT_THAT(missingSentence(missing), HasSubstr("say nothing of the GPU's busy and idle time."));
}

TEST_F(MissingRecordsTest, AGpuWhoseKernelsAreLostIsNotIdle) {
    const RunOverview run = overview(withoutKernels("small-bf16-naive"));
    EXPECT_TRUE(run.missing.lacksAll(RecordKind::kKernels));
    EXPECT_EQ(run.gpu.wall.value, 0) << "0.06% busy, as its copies alone would say";
    for (const Finding& finding : run.findings) {
        EXPECT_NE(finding.rule, "launch-bound");
        EXPECT_NE(finding.rule, "kernel-gaps");
    }
    EXPECT_EQ(run.summary.kernels, 0u);
    EXPECT_EQ(overview(openSampleRun("small-bf16-naive")).gpu.steps, 3);
}

TEST_F(MissingRecordsTest, APeakOfLostEventsIsNotNought) {
    const auto run = cut("xl-bf16-step", 75);  // their chunk is listed, and beyond the end
    ASSERT_GT(run->memoryEventCount(), 0u);
    EXPECT_FALSE(overview(run).summary.peak);
    EXPECT_EQ(Completeness(*run).absenceOf(DataKind::kMemory), Absence::kLost);
}

TEST_F(MissingRecordsTest, PhasesTellWhyTheyAreTheHosts) {
    const auto run = cut("small-bf16-naive", 75);
    const RunOverview overviewOfIt = overview(run);
    ASSERT_FALSE(overviewOfIt.phases.empty());
    EXPECT_FALSE(overviewOfIt.phasesByGpu) << "kernels are there; the phases tell one clock";
    EXPECT_THAT(overviewOfIt.hostClock, HasSubstr("missing from the file"));
}

TEST_F(MissingRecordsTest, AComparisonSaysWhatDoesNotCompare) {
    const auto a = openSampleRun("small-fp32-naive"), b = withoutKernels("small-bf16-naive");
    const RunComparison comparison = compareRuns(a, b);
    EXPECT_FALSE(comparison.mixed());
    for (const auto* rows : {&comparison.kernels, &comparison.gpuOps, &comparison.gpuModules}) {
        ASSERT_FALSE(rows->empty());
        for (const ComparisonRow& row : *rows) {
            EXPECT_TRUE(row.isUnknown()) << row.name;
            EXPECT_FALSE(row.isDecided()) << row.name;
        }
    }
    for (const ComparisonRow& row : comparison.categories)
        EXPECT_FALSE(row.isUnknown()) << "its memory is all there";
    const ComparisonHeadline headline = headlineOf(comparison, *a, *b);
    EXPECT_FALSE(headline.matmulShareB);
    EXPECT_TRUE(headline.stepB);
    const std::vector<std::string> notes = comparisonNotes(comparison, a, b);
    ASSERT_FALSE(notes.empty());
    EXPECT_THAT(notes.front(), HasSubstr("Part of B is missing from its file: all 5,396 kernels"));
    EXPECT_THAT(notes.front(), HasSubstr("not compared: the GPU's time."));
    // With itself whole it is another run's file: nothing says that they are the same.
    for (const std::string& note :
         comparisonNotes(compareRuns(a, cut("small-fp32-naive", 50)), a, cut("small-fp32-naive", 50)))
        EXPECT_THAT(note, Not(HasSubstr("gone")));
}

/// A run with steps and nothing else in them, that says it was recorded with `features`.
RunByHand recordedWith(std::string_view features, const char* device = "cuda:0") {
    RunByHand run;
    run.config.recorded = *parseRecorded(features);
    run.config.device = device;
    return run;
}

std::string sentenceOf(const RunByHand& run) {
    return Completeness(*run.snapshot()).unrecordedSentence();
}

TEST(Unrecorded, OfAGpuIsWhatItsTimeAndItsMemoryAreToldBy) {
    EXPECT_EQ(
        sentenceOf(recordedWith("none")),
        "The run was recorded without kernels and memory: figures and findings say nothing of the GPU's "
        "busy and idle time and of what fills memory.");
    EXPECT_EQ(sentenceOf(recordedWith("memory")),
              "The run was recorded without kernels: figures and findings say nothing of the GPU's busy and "
              "idle time.");
    EXPECT_EQ(
        sentenceOf(recordedWith("ops,memory,kernels")),
        "The run was recorded without CUDA calls: figures and findings say nothing of the GPU's busy and "
        "idle time.");
    EXPECT_EQ(sentenceOf(recordedWith("kernels,calls")),
              "The run was recorded without ops and memory: figures and findings say nothing of the ops that "
              "the GPU's time goes to and of what fills memory.");
    EXPECT_EQ(sentenceOf(recordedWith("ops,memory,kernels,calls")), "") << "waits are seen by the calls";
    EXPECT_EQ(sentenceOf(recordedWith("all")), "") << "it may go on";
}

TEST(Unrecorded, OfTheCpuAreOpsAndMemory) {
    EXPECT_EQ(sentenceOf(recordedWith("memory", "cpu")),
              "The run was recorded without ops: figures and findings say nothing of what a step's time goes "
              "to.");
    EXPECT_EQ(sentenceOf(recordedWith("ops,memory", "cpu")), "");
    EXPECT_EQ(
        sentenceOf(recordedWith("none", "cpu")),
        "The run was recorded without ops and memory: figures and findings say nothing of what a step's "
        "time goes to and of what fills memory.");
}

TEST(Unrecorded, IsWhatIsNotThere) {
    RunByHand run = recordedWith("all");
    run.info.emplace_back("capture.problem", "another tool holds CUPTI");
    EXPECT_EQ(sentenceOf(run).substr(0, 40), "The run was recorded without kernels: fi");
    // An earlier version had no word for calls.
    run = recordedWith("ops,memory,kernels");
    run.fillStep();
    EXPECT_EQ(sentenceOf(run), "");
    // It said that it would record them, and ended without.
    run = recordedWith("all");
    run.info.emplace_back("steps.completed", "3");
    EXPECT_EQ(sentenceOf(run), sentenceOf(recordedWith("none")));
    run.state = "recording";
    EXPECT_EQ(sentenceOf(run), "");
    // What the file has lost is said elsewhere.
    run.state = "finished";
    run.info.emplace_back("missing.any", "yes");
    EXPECT_EQ(sentenceOf(run), "");
    EXPECT_EQ(Completeness(*traceOf()).unrecordedSentence(), "") << "a run that states nothing";
}

TEST(Unrecorded, KernelsThatNeverCameAreMissingInTheSameWordsInTablesAndFindings) {
    const auto kernels = [](const RunByHand& run) {
        return Completeness(*run.snapshot()).why(DataKind::kKernels);
    };
    const std::string without = "The run was recorded without kernels";
    EXPECT_EQ(kernels(recordedWith("memory")), without);
    RunByHand run = recordedWith("all");
    EXPECT_EQ(kernels(run), "No kernel was recorded") << "no step was completed";
    run.info.emplace_back("steps.completed", "3");
    EXPECT_EQ(kernels(run), without);
    EXPECT_THAT(sentenceOf(run), StartsWith(without));
    run.state = "recording";
    EXPECT_EQ(kernels(run), "No kernel was recorded") << "they may come";
    EXPECT_EQ(sentenceOf(run), "");
}

TEST(Unrecorded, WhyThereIsNoWorkIsSaidOfOpsAndKernels) {
    const auto ops = [](const RunByHand& run) {
        return Completeness(*run.timeline().snapshot()).why(DataKind::kOps);
    };
    const auto work = [](const RunByHand& run) {
        return Completeness(*run.timeline().snapshot()).why(DataKind::kWork);
    };
    const std::string without = "The run was recorded without ops";
    EXPECT_EQ(ops(recordedWith("memory", "cpu")), without);
    EXPECT_EQ(work(recordedWith("memory", "cpu")), without);
    EXPECT_EQ(ops(recordedWith("ops,memory", "cpu")), "");
    EXPECT_EQ(work(recordedWith("ops,memory", "cpu")), "");
    EXPECT_EQ(ops(recordedWith("memory,kernels,calls")), without);
    EXPECT_EQ(work(recordedWith("memory,kernels,calls")), "") << "a GPU's kernels are its work";
    EXPECT_EQ(work(recordedWith("memory")), "The run was recorded without kernels and ops");
    EXPECT_EQ(work(recordedWith("ops")), "") << "the CPU's ops stand for it";
    RunByHand whole;
    whole.fillStep();
    EXPECT_EQ(ops(whole), "");
    EXPECT_EQ(work(whole), "");
}

TEST(Unrecorded, ThatNothingStandsOutIsSaidOfWhatWasRecorded) {
    const auto overview = [](const RunByHand& run) { return overviewOf(run.timeline()); };
    RunByHand whole;
    whole.fillStep();
    EXPECT_TRUE(overview(whole).findings.empty());
    EXPECT_EQ(drawnWithout(overview(whole)), "");
    EXPECT_EQ(nothingFound(overview(whole)), "Nothing stands out.");

    const RunByHand bare = recordedWith("none");
    EXPECT_TRUE(overview(bare).findings.empty());
    EXPECT_EQ(drawnWithout(overview(bare)), sentenceOf(bare));
    EXPECT_EQ(nothingFound(overview(bare)), "Nothing stands out in what was recorded.");

    RunByHand lost = recordedWith("none");
    lost.info = {{"missing.any", "yes"}, {"missing.ops", "5 of 12"}};
    EXPECT_EQ(drawnWithout(overview(lost)),
              "Part of the run is missing: 5 of 12 ops. Figures and findings are of what is there. " +
                  sentenceOf(bare));
    EXPECT_EQ(nothingFound(overview(lost)), "Nothing stands out in what is there.");

    RunByHand unmeasured = whole;
    unmeasured.stepLengths.clear();
    EXPECT_EQ(nothingFound(overview(unmeasured)),
              "Nothing stands out: no step was completed, and nothing of memory is known.");
    unmeasured.allocations = {{kMs, 2 * kMs, 4096, Category::kWeights, "lm_head"}};
    EXPECT_TRUE(overview(unmeasured).findings.empty());
    EXPECT_EQ(nothingFound(overview(unmeasured)),
              "Nothing stands out in memory; no step was completed to say more of.");
}

Absence memoryAbsenceOf(const InfoPairs& info) {
    return Completeness(*traceOf("end 100", info)).absenceOf(DataKind::kMemory);
}

TEST(MemoryAbsence, IsToldByWhatTheRunStates) {
    EXPECT_EQ(memoryAbsenceOf({}), Absence::kNothingYet);
    EXPECT_EQ(memoryAbsenceOf({{"config.record", "ops,memory"}}), Absence::kNothingYet)
        << "it may have just begun";
    EXPECT_EQ(memoryAbsenceOf({{"config.record", "ops,kernels"}, {"steps.completed", "3"}}),
              Absence::kNotRecorded);
    EXPECT_EQ(memoryAbsenceOf({{"config.record", "ops,memory,kernels"}, {"steps.completed", "3"}}),
              Absence::kLost);
    EXPECT_EQ(memoryAbsenceOf({{"config.record", "memory"}, {"allocator.peak_allocated_bytes", "5"}}),
              Absence::kLost);
    EXPECT_TRUE(absenceInWords(DataKind::kMemory, Absence::kNone).empty());
}

TEST_F(MissingRecordsTest, OfAFileWhoseSecondHalfIsGoneMemoryIsLost) {
    EXPECT_EQ(Completeness(*openSampleRun("small-bf16-flash")).absenceOf(DataKind::kMemory), Absence::kNone);
    EXPECT_EQ(Completeness(*cut("small-bf16-flash", 57)).absenceOf(DataKind::kMemory), Absence::kLost);
}

TEST(SegmentAbsence, SaysWhyThereAreNone) {
    const auto words = [](const InfoPairs& info, bool memory, bool segment) {
        const std::string text =
            std::string(memory ? "alloc 512 1\n" : "") + (segment ? "segment alloc 1MiB 1\n" : "");
        return Completeness(*traceOf(text, info)).why(DataKind::kSegments);
    };
    EXPECT_EQ(words({{"config.device", "cuda:0"}}, true, true), "");
    EXPECT_EQ(words({{"config.device", "cpu"}}, true, false),
              "The run was recorded on the CPU, whose memory has no segments");
    EXPECT_EQ(words({{"config.device", "cuda:0"}, {"missing.segments", "135 of 135"}}, true, false),
              "The records of segments are not in the file: it is cut off or damaged");
    EXPECT_EQ(words({{"config.device", "cuda:0"}, {"config.record", "ops"}}, false, false),
              absenceInWords(DataKind::kMemory, Absence::kNotRecorded));
    EXPECT_EQ(words({{"config.device", "cuda:0"}}, true, false),
              "There are no records of segments in this run");
}

TEST(TypesAbsence, SaysWhyThereAreNone) {
    const auto words = [](const std::string& ops, const InfoPairs& info) {
        return Completeness(*traceOf(ops, info)).why(DataKind::kTypes);
    };
    const std::string typed = "op aten::mul 1-2 types \"fp32[2] → fp32[2]\"", bare = "op aten::mul 1-2";
    const std::string without =
        "The run was recorded without the types and shapes of ops; --record all,shapes records them";
    EXPECT_EQ(words(typed, {{"config.record", "ops,shapes"}}), "");
    EXPECT_EQ(words(bare, {{"config.record", "ops,memory"}}), without);
    EXPECT_EQ(words(bare, {{"state", "finished"}, {"steps.completed", "1"}}), without)
        << "a run of an earlier version";
    EXPECT_EQ(words(bare, {{"config.record", "ops,shapes"}, {"capture.problem", "no CUPTI"}}),
              "No op with types and shapes was recorded")
        << "they are LibTorch's own";
    EXPECT_EQ(words(bare, {{"config.record", "ops,shapes"}, {"missing.any", "yes"}}),
              "The types and shapes of ops are not in the file: it is cut off or damaged");
    EXPECT_EQ(words("", {{"config.record", "memory"}}), "The run was recorded without ops");
}

TEST(Completeness, TellsOfEveryKindWhyThereIsNone) {
    constexpr std::array kKinds = {DataKind::kKernels,   DataKind::kMemory, DataKind::kSegments,
                                   DataKind::kGpuPhases, DataKind::kOps,    DataKind::kWork};
    const auto whole = openSampleRun("small-bf16-naive");
    for (const DataKind kind : kKinds) {
        EXPECT_TRUE(Completeness(*whole).has(kind)) << static_cast<int>(kind);
        EXPECT_EQ(Completeness(*whole).absenceOf(kind), Absence::kNone) << static_cast<int>(kind);
        EXPECT_EQ(Completeness(*whole).why(kind), "");
    }
    using Told = std::vector<Absence>;
    const auto of = [&](std::string_view record, std::string_view device, InfoPairs more = {}) {
        InfoPairs info = {{"config.record", std::string(record)}, {"config.device", std::string(device)}};
        info.insert(info.end(), more.begin(), more.end());
        const auto run = traceOf("step 0 10-60\nend 100", info);
        Told told;
        for (const DataKind kind : kKinds)
            told.push_back(Completeness(*run).absenceOf(kind));
        return told;
    };
    using enum Absence;
    const std::pair<std::string, std::string> finished = {"state", "finished"},
                                              steps = {"steps.completed", "1"};
    EXPECT_EQ(of("ops", "cpu", {finished, steps}),
              (Told{kCpu, kNotRecorded, kCpu, kCpu, kNotRecorded, kNotRecorded}))
        << "it ended without ops";
    EXPECT_EQ(of("none", "cuda:0", {finished, steps}),
              (Told{kNotRecorded, kNotRecorded, kNotRecorded, kNotRecorded, kNotRecorded, kNotRecorded}));
    EXPECT_EQ(of("ops,memory,kernels", "cuda:0", {{"state", "recording"}}), Told(6, kNothingYet));
    const InfoPairs lost = {finished,
                            steps,
                            {"missing.any", "yes"},
                            {"missing.ops", "5 of 5"},
                            {"missing.kernels", "7 of 7"},
                            {"missing.segments", "2 of 2"}};
    EXPECT_EQ(of("ops,memory,kernels", "cuda:0", lost), Told(6, kLost));
}

}  // namespace warpglass::test::completeness_test
