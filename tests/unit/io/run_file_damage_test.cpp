// What is left of a run file that was cut, flipped, killed or starved of space: as much as can be, and a
// sentence.
#include <gmock/gmock.h>

#include <cstring>
#include <string>

#include "engine/io/run_file.h"
#include "engine/query/model/clocked_kernel.h"
#include "engine/session/save_run.h"
#include "tests/support/allocator_model.h"
#include "tests/support/made_clocks.h"
#include "tests/support/must.h"
#include "tests/support/run_damage.h"
#include "tests/support/saved_run.h"
#include "tests/support/snapshot_compare.h"
#include "tests/support/snapshot_walk.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"
#include "tests/unit/io/random_trace.h"
#include "tests/unit/io/true_spans.h"

namespace warpglass::test::run_file_damage_test {

namespace fs = std::filesystem;
using testing::Contains;
using testing::HasSubstr;

/// Some 400 KB, several lanes and kinds, a full chunk among them.
std::shared_ptr<const Snapshot> sampleRun() {
    RandomTrace trace(21);
    trace.burst(5000);
    appendManySpans(trace.writer(), 70000, 1);
    trace.finish();
    trace.writer().setKernelClocks({makeClocks()});
    return trace.commit();
}

struct DamagedFile : testing::Test {
    static void SetUpTestSuite() {
        s_run = new std::shared_ptr<const Snapshot>(sampleRun());
        const SavedRun saved(**s_run);
        s_content = new std::string(contentOf(saved.path));
    }
    static void TearDownTestSuite() {
        delete s_run;
        delete s_content;
    }

    /// Opens these bytes as a file. Whatever comes of it can be read and says only what is true; the number
    /// of spans, or nothing when the file was refused with a sentence.
    std::optional<std::uint64_t> spansLeft(const std::string& content) {
        writeContent(m_path, content);
        auto opened = openRun(m_path);
        if (!opened) {
            EXPECT_THAT(opened.message(), HasSubstr(m_path.string()));
            return std::nullopt;
        }
        m_warnings = opened->warnings;
        readEverything(*opened->snapshot);
        // A checksum guards them: they are whole, or not there.
        for (const KernelClocks& clocks : opened->snapshot->kernelClocks()) {
            EXPECT_EQ(clocks.tiles.size(), (*s_run)->kernelClocks()[0].tiles.size());
            EXPECT_EQ(clockedKernel(clocks).tiles, 64);
        }
        return expectOnlyTrueSpans(**s_run, *opened->snapshot);
    }

    static std::shared_ptr<const Snapshot>* s_run;
    static std::string* s_content;
    TemporaryFolder m_folder;
    fs::path m_path = m_folder / "damaged.wgrun";
    std::vector<std::string> m_warnings;
};
std::shared_ptr<const Snapshot>* DamagedFile::s_run = nullptr;
std::string* DamagedFile::s_content = nullptr;

constexpr std::size_t kPage = 4096;

TEST_F(DamagedFile, CutAtEveryPageItOpensAsFarAsItGoes) {
    const std::string& whole = *s_content;
    ASSERT_EQ(whole.size() % kPage, 0u);
    ASSERT_EQ(spansLeft(whole), (*s_run)->spanCount());
    EXPECT_TRUE(m_warnings.size() == (*s_run)->losses().size());

    std::uint64_t most = 0;
    std::size_t opened = 0, cuts = 0;
    for (std::size_t page = 1; page * kPage < whole.size(); ++page) {
        // On the boundary, and by turns just before it, just after it and in the middle of the page.
        const std::size_t beside[] = {page * kPage - 1, page * kPage + 1, page * kPage + kPage / 2};
        for (const std::size_t size : {page * kPage, beside[page % 3]}) {
            ++cuts;
            const auto left = spansLeft(whole.substr(0, size));
            if (!left)
                continue;
            ++opened;
            most = std::max(most, *left);
            EXPECT_THAT(m_warnings, Contains(HasSubstr("The file is cut off"))) << size;
        }
    }
    // The tables come first, so that almost every cut leaves a run, and a cut near the end most of it.
    EXPECT_GT(opened, cuts * 8 / 10) << "of " << cuts;
    EXPECT_GT(most, (*s_run)->spanCount() / 2);
}

TEST_F(DamagedFile, CutAnywhereItNeverCrashes) {
    std::uint64_t random = 5;
    for (int i = 0; i < 100; ++i)
        spansLeft(s_content->substr(0, nextRandom(random) % s_content->size()));
    for (std::size_t size = 0; size < 200; ++size)
        EXPECT_FALSE(spansLeft(s_content->substr(0, size)));
}

TEST_F(DamagedFile, FlippedBitsNeverCrashAndNeverChangeATime) {
    std::uint64_t random = 6;
    std::uint64_t intact = 0;
    constexpr int kFlips = 300;
    for (int i = 0; i < kFlips; ++i) {
        std::string content = *s_content;
        const std::size_t bit = nextRandom(random) % (content.size() * 8);
        content[bit / 8] = static_cast<char>(content[bit / 8] ^ (1 << (bit % 8)));
        const auto left = spansLeft(content);
        intact += left && *left + kChunkRows >= (*s_run)->spanCount() ? 1 : 0;
    }
    EXPECT_GT(intact, kFlips * 9 / 10) << "one flip hardly ever costs more than the one chunk that it is in";
}

TEST_F(DamagedFile, AWipedPageCostsWhatWasOnIt) {
    std::size_t opened = 0, pages = 0;
    for (std::size_t page = 0; page * kPage < s_content->size(); ++page, ++pages) {
        std::string content = *s_content;
        std::memset(&content[page * kPage], page % 2 == 0 ? 0 : 0xa5, kPage);
        opened += spansLeft(content).has_value() ? 1 : 0;
    }
    EXPECT_GE(opened, pages - 1) << "only the first page, with the schema, takes everything with it";
}

TEST(DamagedChunk, CostsItselfOnly) {
    const auto run = makeManySpans(10 * kChunkRows, 2);
    const SavedRun saved(*run);
    alterRun(saved.path, "UPDATE chunks SET data=zeroblob(1000) WHERE lane=1 AND chunk=2");
    const auto opened = must(openRun(saved.path));
    EXPECT_TRUE(opened.warnings.empty()) << "found when the chunk is read, not before";
    EXPECT_EQ(opened.snapshot->damage().count(), 0u);
    EXPECT_EQ(expectOnlyTrueSpans(*run, *opened.snapshot), 9u * kChunkRows);
    const SpanLane lane = opened.snapshot->lane(LaneId(1));
    EXPECT_EQ(lane.chunk(2), nullptr);
    EXPECT_EQ(lane.rows(), run->lane(LaneId(1)).rows());
    const std::vector<std::string> damage = verifyRun(saved.path);
    ASSERT_EQ(damage.size(), 1u);
    EXPECT_THAT(damage[0], testing::AllOf(HasSubstr("65,536 spans of lane 1"), HasSubstr("chunk 2")));
    // Whoever read it first, all know of it now.
    EXPECT_EQ(opened.snapshot->damage().sentences(), damage);
}

TEST(DamagedChunk, OfSegmentEventsIsNamedAndCostsNothingElse) {
    const auto run = makeAllocatorRun(5000);
    const SavedRun saved(*run);
    alterRun(saved.path, "UPDATE chunks SET data=zeroblob(1000) WHERE kind=4");
    const auto opened = must(openRun(saved.path));
    EXPECT_EQ(opened.snapshot->segmentEventCount(), run->segmentEventCount());
    EXPECT_FALSE(opened.snapshot->segmentEvent(0));
    EXPECT_TRUE(opened.snapshot->memoryEvent(0));
    EXPECT_THAT(verifyRun(saved.path), Contains(HasSubstr(" segment events from ")));

    alterRun(saved.path, "DELETE FROM chunks WHERE kind=4");
    const auto without = must(openRun(saved.path));
    EXPECT_EQ(without.snapshot->segmentEventCount(), 0u);
    EXPECT_THAT(without.warnings, Contains(HasSubstr(" segment events are missing from the file.")));
}

TEST(DamagedChunk, AMissingRowLeavesAGap) {
    const auto run = makeManySpans(8 * kChunkRows + 100, 2);
    const SavedRun saved(*run);
    alterRun(saved.path, "DELETE FROM chunks WHERE lane=0 AND chunk=1");
    const auto opened = must(openRun(saved.path));
    EXPECT_THAT(opened.warnings, Contains("65,536 of 524,388 spans are missing from the file."));
    EXPECT_EQ(expectOnlyTrueSpans(*run, *opened.snapshot), 7u * kChunkRows + 100);
    // Searches still find their way around the gap.
    const SpanLane lane = opened.snapshot->lane(LaneId(0));
    const SpanLane whole = run->lane(LaneId(0));
    for (const std::uint64_t index : {0u, 65535u, 131072u, 200000u, 262143u}) {
        const Nanoseconds start(whole.row(index)->start);
        EXPECT_EQ(lane.firstStartingAt(start), whole.firstStartingAt(start)) << index;
    }
    // Saved again, it is still missing and still said.
    ASSERT_TRUE(saveRun(*opened.snapshot, saved.folder / "b.wgrun"));
    const auto again = must(openRun(saved.folder / "b.wgrun"));
    EXPECT_EQ(firstDifference(*opened.snapshot, *again.snapshot), "");
    ASSERT_EQ(opened.warnings.size(), 2u) << "besides, the table of chunks lacks a row";
    EXPECT_EQ(again.warnings, std::vector<std::string>{opened.warnings.back()});
}

TEST(DamagedChunk, ADamagedMipIsMadeAnewFromTheRows) {
    const auto run = makeManySpans(3 * kChunkRows, 1);
    const SavedRun saved(*run);
    alterRun(saved.path, "UPDATE chunks SET mip=NULL WHERE chunk=1");
    EXPECT_EQ(firstDifference(*run, *must(openRun(saved.path)).snapshot), "");
}

TEST(DamagedChunk, AHeaderAtOddsWithItsNeighborsCostsItselfOnly) {
    const auto run = makeManySpans(6 * kChunkRows, 1);
    const auto memory = makeManyMemoryEvents(6 * kChunkRows);
    for (const char* change : {"begin_ns=begin_ns-100000000", "end_ns=end_ns+4000000000000", "chunk=0",
                               "chunk=16000", "chunk=2", "rows=7", "rows=-1", "rows=1000000000000", "lane=3",
                               "kind=2", "kind=9", "begin_ns='x'", "end_ns=NULL+1, rows=65536.5"}) {
        TemporaryFolder folder;
        ASSERT_TRUE(saveRun(*run, folder / "spans.wgrun"));
        // NOT NULL holds for crafted files too, once the schema says so; a NULL is left out here.
        const std::string set = std::string(change).starts_with("end_ns=NULL") ? "rows=65536.5" : change;
        alterRun(folder / "spans.wgrun", "UPDATE chunks SET " + set + " WHERE chunk=3");
        auto opened = openRun(folder / "spans.wgrun");
        ASSERT_TRUE(opened) << change;
        EXPECT_GE(expectOnlyTrueSpans(*run, *opened->snapshot), 5u * kChunkRows) << change;

        ASSERT_TRUE(saveRun(*memory, folder / "memory.wgrun"));
        alterRun(folder / "memory.wgrun", "UPDATE chunks SET " + set + " WHERE kind=1 AND chunk=3");
        opened = openRun(folder / "memory.wgrun");
        ASSERT_TRUE(opened) << change;
        std::uint64_t readable = 0;
        for (std::uint64_t i = 0; i < opened->snapshot->memoryEventCount(); ++i) {
            const auto event = opened->snapshot->memoryEvent(i);
            if (!event)
                continue;
            ++readable;
            ASSERT_EQ(event->time, memory->memoryEvent(i)->time) << change << " row " << i;
        }
        EXPECT_GE(readable, 5u * kChunkRows) << change;
    }
}

TEST(DamagedTables, LosingOneKeepsTheRest) {
    const auto run = makeSyntheticRun();
    for (const char* table : {"info", "totals", "strings", "places", "tracks", "lanes", "losses",
                              "open_spans", "statistics", "chunks"}) {
        for (const char* how : {"DROP TABLE ", "DELETE FROM "}) {
            const SavedRun saved(*run);
            alterRun(saved.path, std::string(how) + table);
            const auto opened = openRun(saved.path);
            ASSERT_TRUE(opened) << how << table;
            readEverything(*opened->snapshot);
            const std::uint64_t left = expectOnlyTrueSpans(*run, *opened->snapshot);
            EXPECT_EQ(left, std::string(table) == "chunks" ? 0 : run->spanCount()) << how << table;
            // The run has lost nothing and has no open span: those tables have no rows.
            const bool harmless = std::string(how).starts_with("DELETE") &&
                                  (std::string(table) == "losses" || std::string(table) == "open_spans");
            EXPECT_EQ(opened->warnings.empty(), harmless) << how << table;
            const std::string named = "The table \"" + std::string(table) + "\" of the file is damaged: ";
            EXPECT_EQ(testing::Value(verifyRun(saved.path), Contains(HasSubstr(named))), !harmless)
                << how << table;
        }
    }
}

TEST(DamagedTables, WhosePagesAreUnreadableSayThatOnce) {
    const SavedRun saved(*makeSyntheticRun());
    const std::string whole = contentOf(saved.path);
    constexpr std::size_t kPage = 4096;
    std::size_t unreadable = 0;
    for (std::size_t at = kPage; at + kPage <= whole.size(); at += kPage) {
        std::string damaged = whole;
        std::memset(&damaged[at], 0xff, kPage);
        writeContent(saved.path, damaged);
        for (const std::string& sentence : verifyRun(saved.path)) {
            EXPECT_THAT(sentence, testing::Not(HasSubstr("is damaged: the file is damaged")));
            unreadable += sentence.find("is damaged: pages of it cannot be read.") != std::string::npos;
        }
    }
    EXPECT_GT(unreadable, 5u);
}

TEST(DamagedTables, AFileWithNothingReadableIsRefused) {
    const SavedRun saved(*makeSyntheticRun());
    std::string content = contentOf(saved.path);
    std::memset(&content[100], 0xff, content.size() - 100);
    writeContent(saved.path, content);
    const auto opened = openRun(saved.path);
    ASSERT_FALSE(opened);
    EXPECT_THAT(opened.message(), HasSubstr("it is damaged, and nothing in it can be read"));
}

// A table replaced by a view that never ends must not hang the window.
TEST(CraftedFile, ViewsInPlaceOfTablesAreNotRead) {
    const SavedRun saved(*makeSyntheticRun());
    alterRun(
        saved.path,
        "DROP TABLE strings; CREATE VIEW strings(id, text) AS WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL "
        "SELECT i+1 FROM n) SELECT i, 'x' FROM n;");
    EXPECT_EQ(must(openRun(saved.path)).snapshot->nameCount(), 0u);
}

}  // namespace warpglass::test::run_file_damage_test
