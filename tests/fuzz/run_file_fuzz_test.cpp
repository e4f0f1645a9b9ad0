// Run files as malice or chance may leave them (fixed seeds): opening one and showing it never crashes, hangs
// or takes memory that its size cannot justify. Run it under the address and undefined-behavior sanitizers.
//
// Two levels, since the first hides the second: values in its tables, changed through SQLite so that the
// database itself is sound; contents of chunks, compressed again so that their checksums hold. What bytes of
// the file may be is DamagedFiles' (damaged_file_fuzz_test.cpp).
#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "engine/io/chunk_codec.h"
#include "engine/io/column_codec.h"
#include "engine/io/run_file.h"
#include "engine/session/save_run.h"
#include "tests/fuzz/use_run.h"
#include "tests/support/run_damage.h"
#include "tests/support/synthetic_trace.h"
#include "tests/support/temporary_folder.h"
#include "tests/support/words.h"

namespace warpglass::test::run_file_fuzz_test {

namespace fs = std::filesystem;

/// Everything that the window does with a run; true when it opened.
bool openAndUse(const fs::path& path) {
    const auto opened = openRun(path);
    if (!opened) {
        EXPECT_FALSE(opened.message().empty());
        return false;
    }
    useRun(opened->snapshot);
    verifyRun(path);
    return true;
}

std::string sampleFile() {
    TemporaryFolder folder;
    SyntheticOptions options{.state = "recording", .allocatorEvents = 700};
    EXPECT_TRUE(saveRun(*makeSyntheticRun(options), folder / "a.wgrun"));
    return contentOf(folder / "a.wgrun");
}

struct RunFileFuzz : testing::Test {
    TemporaryFolder m_folder;
    fs::path m_path = m_folder / "fuzzed.wgrun";
};

TEST_F(RunFileFuzz, TableValues) {
    const std::string whole = sampleFile();
    const std::vector<std::pair<std::string, std::vector<std::string>>> tables = {
        {"info", {"key", "value"}},
        {"totals", {"value"}},
        {"strings", {"id", "text"}},
        {"places", {"id", "phase", "module", "part"}},
        {"tracks", {"id", "kind", "name"}},
        {"lanes", {"id", "track", "depth", "rows"}},
        {"losses", {"name", "count"}},
        {"open_spans", {"id", "lane", "start_ns", "name", "place", "step"}},
        {"chunks", {"id", "kind", "lane", "chunk", "rows", "begin_ns", "end_ns", "mip", "data"}}};
    const std::vector<std::string> values = words(
        "0 1 -1 7 255 65535 65536 4294967295 2147483647 9223372036854775807 (-9223372036854775807-1) "
        "4611686018427387904 1e300 'x' '' x'ff00ff' zeroblob(100000) value+1");
    std::uint64_t random = 102;
    int opened = 0;
    constexpr int kRounds = 400;
    for (int round = 0; round < kRounds; ++round) {
        writeContent(m_path, whole);
        for (std::uint64_t i = 1 + nextRandom(random) % 4; i > 0; --i) {
            const auto& [table, columns] = tables[nextRandom(random) % tables.size()];
            const std::string& column = columns[nextRandom(random) % columns.size()];
            std::string value = values[nextRandom(random) % values.size()];
            if (value == "value+1")
                value = column + "+1";
            // One row, by chance or all of them; what the schema forbids simply does not happen.
            const std::string where =
                nextRandom(random) % 4 == 0
                    ? ""
                    : " WHERE rowid=(SELECT rowid FROM " + table + " ORDER BY abs(rowid*" +
                          std::to_string(nextRandom(random) % 1000003) + ")%1009 LIMIT 1)";
            tryToAlterRun(m_path, "UPDATE OR IGNORE " + table + " SET " + column + "=" + value +
                                      (table == "totals" ? "" : where));
        }
        opened += openAndUse(m_path) ? 1 : 0;
    }
    EXPECT_EQ(opened, kRounds) << "a sound database with odd values opens, with warnings";
}

/// The raw columns of every chunk's two blobs, changed and compressed again.
TEST_F(RunFileFuzz, ChunkContents) {
    const std::string whole = sampleFile();
    std::uint64_t random = 103;
    for (int round = 0; round < 300; ++round) {
        writeContent(m_path, whole);
        for (const char* column : {"mip", "data"}) {
            alterChunks(m_path, column, -1, [&random](std::vector<std::uint8_t>& raw) {
                if (nextRandom(random) % 3 == 0)
                    return false;
                for (std::uint64_t i = 1 + nextRandom(random) % 6; i > 0; --i) {
                    // Headers as often as rows.
                    const std::size_t range =
                        nextRandom(random) % 2 == 0 ? std::min<std::size_t>(raw.size(), 40) : raw.size();
                    raw[nextRandom(random) % range] = static_cast<std::uint8_t>(nextRandom(random));
                }
                if (nextRandom(random) % 10 == 0)
                    raw.resize(nextRandom(random) % raw.size() + 1);
                return true;
            });
            ASSERT_FALSE(HasFatalFailure());
        }
        EXPECT_TRUE(openAndUse(m_path));
    }
}

// The decoders alone, many more times, on random rows behind a right header.
TEST(ChunkFuzz, Decoders) {
    using namespace run_file;
    std::uint64_t random = 104;
    const IdLimits limits{50, 20, 100};
    for (int round = 0; round < 6000; ++round) {
        ChunkHeader header{
            .kind = static_cast<ChunkKind>(nextRandom(random) % kChunkKindCount),
            .rows = static_cast<std::uint32_t>(1 + nextRandom(random) % 20),
            .begin = round % 3 == 0 ? -kMaxTime : static_cast<std::int64_t>(nextRandom(random) % 100)};
        header.end =
            round % 3 == 0 ? kMaxTime : header.begin + static_cast<std::int64_t>(nextRandom(random) % 1000);
        ColumnWriter out;
        out.putVarint(static_cast<std::uint64_t>(header.kind));
        out.putVarint(0);
        out.putVarint(0);
        out.putVarint(header.rows);
        out.putSigned(header.begin);
        out.putSigned(header.end);
        for (std::uint64_t i = nextRandom(random) % 400; i > 0; --i) {
            // Small numbers keep the rows going, large ones break them.
            const std::uint64_t r = nextRandom(random);
            out.putVarint(r % 16 == 0 ? nextRandom(random) >> (r >> 58) : r % 8);
        }
        const Buffer frame = compressFrame(out.bytes());
        if (const auto spans = decodeSpans(header, frame, limits)) {
            for (std::uint32_t i = 0; i < header.rows; ++i) {
                EXPECT_TRUE(i == 0 || spans->start[i] >= spans->end(i - 1));
                EXPECT_TRUE(spans->self[i] >= 0 && spans->self[i] <= spans->duration[i]);
                EXPECT_TRUE(spans->name[i] < 50 || spans->name[i] == NameId::kNone);
            }
        }
        if (const auto events = decodeMemoryEvents(header, frame, limits)) {
            for (std::uint32_t i = 0; i < header.rows; ++i)
                EXPECT_LT(events->allocation[i], 100u);
        }
        decodeAllocations(header, frame, limits);
        if (const auto segments = decodeSegmentEvents(header, frame, limits)) {
            for (std::uint32_t i = 0; i < header.rows; ++i) {
                EXPECT_LT(static_cast<std::size_t>(segments->action[i]), kSegmentActionNames.size());
                EXPECT_TRUE(segments->allocation[i] < 100 || segments->allocation[i] == AllocationId::kNone);
                EXPECT_GE(segments->bytes[i], 0);
            }
        }
        decodeCounters(header, frame, limits);
        decodeMip(header, frame, limits);
    }
}

}  // namespace warpglass::test::run_file_fuzz_test
